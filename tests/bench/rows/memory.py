"""Peak memory of a first catch-up: it must depend neither on the corpus nor on its longest line."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.corpus import Corpus
from tests.bench.measure import UnmeasuredError, figure
from tests.bench.odd_corpora import long_line_corpus
from tests.bench.table import Goal, Row, beside
from tests.bench.trial import Trial, tell

_PEAK_MB = Goal("<=", 150, " MB")
_SMALL_MB = 50
_HUGE_LINE_BYTES = 200_000_000


def rows(trial: Trial) -> Iterator[Row]:
    for mb in sorted({_SMALL_MB, trial.plan.mb}):
        yield _row(trial, trial.sessions(mb))
    tell("corpora of one long line")
    yield _row(trial, long_line_corpus("text", _HUGE_LINE_BYTES))
    yield _row(trial, long_line_corpus("emoji"))
    yield _row(trial, long_line_corpus("wide"))
    yield _row(trial, long_line_corpus("objects"))


def _row(trial: Trial, corpus: Corpus) -> Row:
    name = f"peak memory, {corpus.label}"
    try:
        rounds = trial.rounds(corpus)
    except UnmeasuredError as error:
        # One line that cannot be swallowed must not hide the figures of the others.
        return Row(row=name, ours="failed", goal=_PEAK_MB, note=str(error), failed=True)
    peak = figure(each.sample.peak_rss_bytes for each in rounds.catch_ups)
    others = {name: run.sample for name, run in trial.loaded().items()} if corpus == trial.main_corpus() else {}
    if rounds.peers:
        others["agentsview"] = rounds.peers[-1].sample
    return Row(
        row=name,
        ours=f"{peak.median / 1e6:.0f} MB",
        goal=_PEAK_MB,
        met=_PEAK_MB.met_by(peak.median / 1e6),
        others={
            name: beside(sample.peak_rss_bytes, peak.median, f"{sample.peak_rss_bytes / 1e6:.0f} MB")
            for name, sample in others.items()
        },
        figures={"peak_rss_bytes": peak},
    )
