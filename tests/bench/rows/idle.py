"""Doing nothing over 5,000 files, in the process that has just caught up with them: CPU and memory.

Long enough for one rescan at least, which is what idling costs; agentsview has one every two minutes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.bench import agentsview
from tests.bench.daemon import Daemon, following
from tests.bench.odd_corpora import many_files_corpus
from tests.bench.table import Goal, Row, beside
from tests.bench.trial import Trial, tell

_CPU, _RSS = Goal("<=", 0.1, " %"), Goal("<=", 60, " MB")
_FILES = 5000
_SETTLE_SECONDS = 10.0  # the schedule, which is loaded 5 s after the start, belongs to the start
_SECONDS = 80.0  # rescan_seconds and its jitter
_THEIR_SECONDS = 130.0


def rows(trial: Trial) -> Iterator[Row]:
    corpus = many_files_corpus(_FILES)
    tell(f"idle over {corpus.label}, {_SECONDS:.0f} s")
    with following(trial.plan.command, corpus.state_dir, trial.scratch / "idle") as daemon:
        share, rss_mb = _idling(daemon, _SECONDS)
    cpu_others, rss_others = {}, {}
    if trial.plan.agentsview is not None:
        tell(f"idle over {corpus.label}, {_THEIR_SECONDS:.0f} s, agentsview")
        with agentsview.following(trial.plan.agentsview, corpus.state_dir, trial.scratch / "their-idle") as daemon:
            theirs = _idling(daemon, _THEIR_SECONDS)
        cpu_others[agentsview.NAME] = beside(theirs[0], share, f"{theirs[0]:.2f} %")
        rss_others[agentsview.NAME] = beside(theirs[1], rss_mb, f"{theirs[1]:.0f} MB")
    yield Row(
        row=f"idle, {corpus.label}, CPU",
        ours=f"{share:.2f} %",
        goal=_CPU,
        met=_CPU.met_by(share),
        others=cpu_others,
        figures={"cpu_share": share},
    )
    yield Row(
        row=f"idle, {corpus.label}, memory",
        ours=f"{rss_mb:.0f} MB",
        goal=_RSS,
        met=_RSS.met_by(rss_mb),
        others=rss_others,
        figures={"mb": rss_mb},
    )


def _idling(daemon: Daemon, seconds: float) -> tuple[float, float]:
    """Per cent of a core, and megabytes at the end."""
    time.sleep(_SETTLE_SECONDS)
    before, started = daemon.cpu_seconds(), time.perf_counter()
    time.sleep(seconds)
    return 100 * (daemon.cpu_seconds() - before) / (time.perf_counter() - started), daemon.rss_bytes() / 1e6
