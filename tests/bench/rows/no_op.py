"""A catch-up with nothing to do over 10,000 files against `find -printf` on the same tree.

Ours is what the verb counted, after imports; the whole process stands in the note.
find, a process of a few milliseconds more than its work, is counted whole, and so is agentsview, beside our whole one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from tests.bench import agentsview
from tests.bench.corpus import Corpus
from tests.bench.measure import UnmeasuredError, figure, run
from tests.bench.odd_corpora import many_files_corpus
from tests.bench.syncd_verbs import seconds_after_imports
from tests.bench.table import Goal, Other, Row, beside
from tests.bench.trial import Trial, tell

_TIMES = Goal("<=", 3, "x")
_LEAST_REPEATS = 9
_FACTS = r"%p %s %T@ %C@ %i\n"


def rows(trial: Trial) -> Iterator[Row]:
    corpus = many_files_corpus()
    home = trial.home(corpus)
    tell(f"no-op catch-up over {corpus.label}")
    first_seconds = trial.catch_up(corpus, home).sample.times.wall_seconds
    # The second run may look again at files whose times were too young to be trusted.
    trial.no_op(corpus, home)
    find = ["find", str(corpus.state_dir), "-printf", _FACTS]
    env = {"PATH": os.environ.get("PATH", os.defpath)}
    no_ops, finds = [], []
    for _ in range(max(_LEAST_REPEATS, trial.plan.repeats)):
        finds.append(run(find, env))
        no_ops.append(trial.no_op(corpus, home))
    if finds[0].output.count(b"\n") < corpus.files:
        raise UnmeasuredError("find listed fewer files than the corpus has")
    if any(each.document().get("lines") for each in no_ops):
        raise UnmeasuredError("a run with nothing new still read lines")
    ours = figure(map(seconds_after_imports, no_ops))
    whole = figure(each.times.wall_seconds for each in no_ops)
    reference = figure(each.times.wall_seconds for each in finds)
    ratio = ours.median / reference.median
    yield Row(
        row=f"no-op catch-up, {corpus.label}",
        ours=f"{ours.median * 1e3:.1f} ms",
        reference=f"find {reference.median * 1e3:.1f} ms",
        ratio=ratio,
        goal=_TIMES,
        met=_TIMES.met_by(ratio),
        note=f"best of {ours.repeats}: {ours.best * 1e3:.1f} ms, "
        f"find {reference.best * 1e3:.1f} ms; first catch-up {first_seconds:.2f} s",
        figures={
            "ours_seconds": ours,
            "find_seconds": reference,
            "first_catch_up_seconds": first_seconds,
        },
    )
    yield Row(
        row=f"no-op catch-up, {corpus.label}, whole process",
        ours=f"{whole.median * 1e3:.0f} ms",
        others=_others(trial, corpus, whole.median),
        figures={"ours_seconds": whole},
    )


def _others(trial: Trial, corpus: Corpus, ours_seconds: float) -> dict[str, Other]:
    if trial.synced(corpus) is None or trial.plan.agentsview is None:
        return {}
    home = trial.agentsview_home(corpus)
    theirs = figure(
        agentsview.no_op(trial.plan.agentsview, corpus, home).times.wall_seconds for _ in range(trial.plan.repeats)
    )
    return {agentsview.NAME: beside(theirs.median, ours_seconds, f"{theirs.median:.2f} s")}
