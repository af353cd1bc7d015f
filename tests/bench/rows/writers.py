"""Fifty transcripts written at a thousand lines a second in all: how late the latest are, and what that costs."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.corpus import FIRST_DAY_AT, sessions_folder
from tests.bench.daemon import Daemon, following, percentile
from tests.bench.odd_corpora import header_line, message_line
from tests.bench.table import Goal, Row
from tests.bench.trial import Trial, tell

_P99, _SHARE, _LOST = Goal("<=", 50, " ms"), Goal("<=", 60, " % of a core"), Goal("<=", 0, " lines")
_FILES = 50
_LINES_PER_SECOND = 1000
_SECONDS = 15
_LATEST_SECONDS = 10.0
_POLL_SECONDS = 0.001
_NEW = """SELECT e.id, t.path, e.byte_offset FROM entries e JOIN transcripts t ON t.id = e.transcript_id
    WHERE e.id > ? ORDER BY e.id"""


def rows(trial: Trial) -> Iterator[Row]:
    tell(f"{_FILES} files, {_LINES_PER_SECOND} lines a second")
    place = trial.scratch / "writers"
    folder = sessions_folder(place / "state", "main")
    paths = []
    for number in range(_FILES):
        session_id = str(uuid.UUID(int=number, version=4))
        paths.append(folder / f"{session_id}.jsonl")
        paths[-1].write_bytes(header_line(session_id, FIRST_DAY_AT))
    with following(trial.plan.command, place / "state", place / "home") as daemon:
        milliseconds, lost, cpu_seconds, seconds = _measured(daemon, paths)
    name = f"{_FILES} files, {_LINES_PER_SECOND:,} lines/s"
    p99, share = percentile(milliseconds, 0.99), 100 * cpu_seconds / seconds
    pace = f"{(len(milliseconds) + lost) / seconds:.0f} lines/s came about; p50 {percentile(milliseconds, 0.5):.1f} ms"
    figures = {"milliseconds": p99, "cpu_share": share / 100, "lost": lost}
    yield Row(f"{name}, p99", f"{p99:.1f} ms", goal=_P99, met=_P99.met_by(p99), note=pace, figures=figures)
    yield Row(f"{name}, CPU", f"{share:.0f} %", goal=_SHARE, met=_SHARE.met_by(share))
    yield Row(f"{name}, lost", f"{lost} lines", goal=_LOST, met=_LOST.met_by(lost))


def _measured(daemon: Daemon, paths: list[Path]) -> tuple[list[float], int, float, float]:
    """Milliseconds of every line that arrived, how many did not, and the daemon's CPU seconds of how many."""
    last_id: int = daemon.ledger.execute("SELECT coalesce(max(id), 0) FROM entries").get
    files = [path.open("ab", buffering=0) for path in paths]
    offsets = [path.stat().st_size for path in paths]
    names = [str(path.resolve()) for path in paths]
    waiting: dict[tuple[str, int], float] = {}
    milliseconds: list[float] = []
    cpu_before, started, written = daemon.cpu_seconds(), time.perf_counter(), 0
    total = _LINES_PER_SECOND * _SECONDS
    while written < total or (waiting and time.perf_counter() - started < _SECONDS + _LATEST_SECONDS):
        due = min(total, int((time.perf_counter() - started) * _LINES_PER_SECOND))
        for number in range(written, due):
            at = number % len(files)
            line = message_line(f"{number:08x}", None, FIRST_DAY_AT + number, "user", "How late is it? " * 20)
            files[at].write(line)
            waiting[names[at], offsets[at]] = time.perf_counter()
            offsets[at] += len(line)
        written = max(written, due)
        found: list[Any] = daemon.ledger.execute(_NEW, (last_id,)).fetchall()
        seen = time.perf_counter()
        milliseconds += [(seen - waiting.pop((path, offset))) * 1000 for _, path, offset in found]
        last_id = found[-1][0] if found else last_id
        time.sleep(_POLL_SECONDS)
    seconds, cpu_seconds = time.perf_counter() - started, daemon.cpu_seconds() - cpu_before
    for file in files:
        file.close()
    return milliseconds, len(waiting), cpu_seconds, seconds
