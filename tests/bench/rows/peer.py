"""First catch-up against agentsview, on the same corpus in the same rounds."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.measure import CLOCKS, figure
from tests.bench.table import Goal, Row
from tests.bench.trial import Trial

_TIMES = Goal(">=", 8, "x")
_FLOOR = 5


def rows(trial: Trial) -> Iterator[Row]:
    if trial.plan.agentsview is None:
        yield Row(row="agentsview", ours="", note="not installed; `make bench-peers` installs it")
        return
    corpus = trial.main_corpus()
    rounds = trial.rounds(corpus)
    for clock in CLOCKS:
        ours = figure(each.sample.times.by(clock) for each in rounds.catch_ups)
        peer = figure(each.sample.times.by(clock) for each in rounds.peers)
        ratio = peer.median / ours.median
        goal = _TIMES if clock == "wall" else None
        yield Row(
            row=f"against agentsview, {corpus.label}, {clock}",
            ours=f"{ours.median:.2f} s",
            reference=f"agentsview {peer.median:.2f} s",
            ratio=ratio,
            goal=goal,
            met=goal.met_by(ratio) if goal else None,
            note=f"floor {_FLOOR}x; it keeps no raw bytes" if goal else "",
            figures={"ours_seconds": ours, "peer_seconds": peer},
        )
