"""From the start of the process to watching, over 10,000 files that the ledger has already."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench import agentsview
from tests.bench.daemon import following
from tests.bench.measure import figure
from tests.bench.odd_corpora import many_files_corpus
from tests.bench.table import Goal, Row, beside
from tests.bench.trial import Trial, tell

_SECONDS = Goal("<=", 1, " s")


def rows(trial: Trial) -> Iterator[Row]:
    corpus = many_files_corpus()
    home = trial.scratch / "start"
    tell(f"start to watching over {corpus.label}")
    trial.catch_up(corpus, home)
    trial.no_op(corpus, home)  # as in no_op: files whose times were too young are looked at again
    seconds = []
    for _ in range(max(3, trial.plan.repeats)):
        with following(trial.plan.command, corpus.state_dir, home) as daemon:
            seconds.append(daemon.seconds_to_ready)
    ours, others = figure(seconds), {}
    if trial.synced(corpus) is not None and trial.plan.agentsview is not None:
        tell(f"start to watching over {corpus.label}, agentsview")
        with agentsview.following(trial.plan.agentsview, corpus.state_dir, trial.agentsview_home(corpus)) as daemon:
            theirs = daemon.seconds_to_ready
        others[agentsview.NAME] = beside(theirs, ours.median, f"{theirs:.2f} s")
    yield Row(
        row=f"start to watching, {corpus.label}",
        ours=f"{ours.median:.2f} s",
        goal=_SECONDS,
        met=_SECONDS.met_by(ours.median),
        note=f"best of {ours.repeats}: {ours.best:.2f} s",
        others=others,
        figures={"seconds": ours},
    )
