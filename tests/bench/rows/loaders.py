"""For scale: the same lines loaded into one table by sqlite-utils and by DuckDB. No goal: they do far less."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from tests.bench import peers
from tests.bench.measure import UnmeasuredError, figure
from tests.bench.table import Row
from tests.bench.trial import Trial, tell


def rows(trial: Trial) -> Iterator[Row]:
    if (python := peers.loading_python()) is None:
        yield Row(row="sqlite-utils, DuckDB", ours="", note="not installed; `make bench-peers` installs them")
        return
    corpus = trial.main_corpus()
    ours = figure(each.sample.times.wall_seconds for each in trial.rounds(corpus).catch_ups)
    for name in peers.LOADERS:
        tell(f"{name}, {corpus.label}")
        home = trial.scratch / name
        home.mkdir()
        try:
            loaded = peers.load(python, name, corpus, home)
        except UnmeasuredError as error:
            yield Row(row=f"against {name}", ours="failed", note=str(error), failed=True)
            continue
        finally:
            shutil.rmtree(home, ignore_errors=True)
        seconds = loaded.sample.times.wall_seconds
        yield Row(
            row=f"against {name}, {corpus.label}, wall",
            ours=f"{ours.median:.2f} s",
            reference=f"{name} {seconds:.2f} s",
            ratio=seconds / ours.median,
            note=f"lines in one table; its database {loaded.database_bytes / corpus.bytes:.2f} of the corpus, "
            f"peak {loaded.sample.peak_rss_bytes / 1e6:.0f} MB",
            figures={"ours_seconds": ours, "peer_seconds": seconds, "peer_database_bytes": loaded.database_bytes},
        )
