"""Speed of `verify`, every byte of files and ledger compared, as a multiple of REF's.

Judged by what the verb counted after imports, as REF is; the whole process stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.measure import figure
from tests.bench.syncd_verbs import seconds_after_imports
from tests.bench.table import Goal, Row
from tests.bench.trial import Trial, tell

_TIMES = Goal(">=", 1.5, "x")
_LEAST_REPEATS = 5


def rows(trial: Trial) -> Iterator[Row]:
    corpus = trial.main_corpus()
    home = trial.rounds(corpus).home
    tell(f"verify, {corpus.label}")
    references, verifies = [], []
    for _ in range(max(_LEAST_REPEATS, trial.plan.repeats)):
        references.append(trial.reference(corpus))
        verifies.append(trial.verify(corpus, home))
    mb = corpus.bytes / 1e6
    reference = figure(each.wall_seconds for each in references)
    clocks = {
        "after imports": figure(map(seconds_after_imports, verifies)),
        "whole process": figure(each.times.wall_seconds for each in verifies),
    }
    for clock, ours in clocks.items():
        ratio = reference.median / ours.median
        goal = _TIMES if clock == "after imports" else None
        yield Row(
            row=f"verify, {corpus.label}, {clock}",
            ours=f"{ours.median:.2f} s ({mb / ours.median:.0f} MB/s)",
            reference=f"REF {reference.median:.2f} s ({mb / reference.median:.0f} MB/s)",
            ratio=ratio,
            goal=goal,
            met=goal.met_by(ratio) if goal else None,
            note=f"best of {ours.repeats}: {ours.best:.3f} s, REF {reference.best:.3f} s" if goal else "",
            figures={"ours_seconds": ours, "reference_seconds": reference, "bytes": corpus.bytes},
        )
