"""First catch-up of the whole corpus as a share of REF's speed, by wall clock and by CPU.

Ours is the whole process, with the start of Python; REF is counted after its imports. The loaders, for scale, put the
lines into one table once, and do far less.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.measure import CLOCKS, figure
from tests.bench.table import Goal, Row, beside
from tests.bench.trial import Trial

_SPEED = Goal(">=", 0.18)


def rows(trial: Trial) -> Iterator[Row]:
    corpus = trial.main_corpus()
    rounds = trial.rounds(corpus)
    mb = corpus.bytes / 1e6
    for clock in CLOCKS:
        ours = figure(each.sample.times.by(clock) for each in rounds.catch_ups)
        reference = figure(each.by(clock) for each in rounds.references)
        ratio = reference.median / ours.median
        goal = _SPEED if clock == "wall" else None
        others = {name: run.sample.times.by(clock) for name, run in trial.loaded().items()}
        if rounds.peers:
            others["agentsview"] = figure(each.sample.times.by(clock) for each in rounds.peers).median
        yield Row(
            row=f"first catch-up, {corpus.label}, {clock}",
            ours=f"{ours.median:.2f} s ({mb / ours.median:.0f} MB/s)",
            reference=f"REF {reference.median:.2f} s ({mb / reference.median:.0f} MB/s)",
            ratio=ratio,
            goal=goal,
            met=goal.met_by(ratio) if goal else None,
            note=f"best of {ours.repeats}: {ours.best:.2f} s, REF {reference.best:.2f} s, "
            f"ratio of the best {reference.best / ours.best:.3f}",
            others={name: beside(seconds, ours.median, f"{seconds:.2f} s") for name, seconds in others.items()},
            figures={
                "ours_seconds": ours,
                "reference_seconds": reference,
                "others_seconds": others,
                "bytes": corpus.bytes,
            },
        )
