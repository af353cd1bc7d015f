"""Doing nothing over 5,000 files, in the process that has just caught up with them: CPU and memory.

Long enough for one rescan at least, which is what idling costs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.bench.daemon import following
from tests.bench.odd_corpora import many_files_corpus
from tests.bench.table import Goal, Row
from tests.bench.trial import Trial, tell

_CPU, _RSS = Goal("<=", 0.1, " %"), Goal("<=", 60, " MB")
_FILES = 5000
_SETTLE_SECONDS = 10.0  # the schedule, which is loaded 5 s after the start, belongs to the start
_SECONDS = 80.0  # rescan_seconds and its jitter


def rows(trial: Trial) -> Iterator[Row]:
    corpus = many_files_corpus(_FILES)
    tell(f"idle over {corpus.label}, {_SECONDS:.0f} s")
    home = trial.scratch / "idle"
    with following(trial.plan.command, corpus.state_dir, home) as daemon:
        time.sleep(_SETTLE_SECONDS)
        before, started = daemon.cpu_seconds(), time.perf_counter()
        time.sleep(_SECONDS)
        share = 100 * (daemon.cpu_seconds() - before) / (time.perf_counter() - started)
        rss_mb = daemon.rss_bytes() / 1e6
    yield Row(
        f"idle, {corpus.label}, CPU", f"{share:.2f} %", goal=_CPU, met=_CPU.met_by(share), figures={"cpu_share": share}
    )
    yield Row(
        f"idle, {corpus.label}, memory", f"{rss_mb:.0f} MB", goal=_RSS, met=_RSS.met_by(rss_mb), figures={"mb": rss_mb}
    )
