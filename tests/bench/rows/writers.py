"""Fifty transcripts written at a thousand lines a second in all: how late the latest are, and what that costs."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench import agentsview
from tests.bench.corpus import FIRST_DAY_AT, sessions_folder
from tests.bench.daemon import Daemon, following, percentile
from tests.bench.odd_corpora import header_line, message_line
from tests.bench.table import Goal, Other, Row, beside
from tests.bench.trial import Trial, tell

_P99, _SHARE, _LOST = Goal("<=", 50, " ms"), Goal("<=", 60, " % of a core"), Goal("<=", 0, " lines")
_FILES = 50
_LINES_PER_SECOND = 1000
_SECONDS = 15
_LATEST_SECONDS = 10.0
_POLL_SECONDS = 0.001


@dataclass(frozen=True)
class _Found:
    milliseconds: list[float]
    """Of every line that arrived."""
    lost: int
    """How many did not."""
    cpu_share: float
    lines_per_second: float


def rows(trial: Trial) -> Iterator[Row]:
    tell(f"{_FILES} files, {_LINES_PER_SECOND} lines a second")
    place = trial.scratch / "writers"
    paths = _transcripts(place / "state")
    with following(trial.plan.command, place / "state", place / "home") as daemon:
        ours = _measured(daemon, paths)
    others: dict[str, dict[str, Other]] = {}
    if trial.plan.agentsview is not None:
        tell(f"{_FILES} files, {_LINES_PER_SECOND} lines a second, agentsview")
        paths = _transcripts(place / "their-state")
        with agentsview.following(trial.plan.agentsview, place / "their-state", place / "their-home") as daemon:
            others = _beside(ours, _measured(daemon, paths))
    name = f"{_FILES} files, {_LINES_PER_SECOND:,} lines/s"
    p99 = percentile(ours.milliseconds, 0.99)
    values = {"p99": (p99, " ms", _P99), "CPU": (ours.cpu_share, " %", _SHARE), "lost": (ours.lost, " lines", _LOST)}
    for what, (value, unit, goal) in values.items():
        yield Row(
            row=f"{name}, {what}",
            ours=f"{value:.0f}{unit}" if what != "p99" else f"{value:.1f}{unit}",
            goal=goal,
            met=goal.met_by(value),
            note=f"{ours.lines_per_second:.0f} lines/s came about; p50 {percentile(ours.milliseconds, 0.5):.1f} ms"
            if what == "p99"
            else "",
            others=others.get(what, {}),
            figures={what: value},
        )


def _beside(ours: _Found, theirs: _Found) -> dict[str, dict[str, Other]]:
    """A line that was not there ten seconds after the last one was written counts as lost, and has no time."""
    p99 = percentile(theirs.milliseconds or [float("inf")], 0.99)
    cpu = beside(theirs.cpu_share, ours.cpu_share, f"{theirs.cpu_share:.0f} %")
    lost = Other(f"{theirs.lost:,} lines not there after {_LATEST_SECONDS:g} s")
    return {
        "p99": {agentsview.NAME: beside(p99, percentile(ours.milliseconds, 0.99), f"{p99:,.0f} ms")},
        "CPU": {agentsview.NAME: cpu},
        "lost": {agentsview.NAME: lost},
    }


def _transcripts(state_dir: Path) -> list[Path]:
    folder = sessions_folder(state_dir, "main")
    paths = []
    for number in range(_FILES):
        session_id = str(uuid.UUID(int=number, version=4))
        paths.append(folder / f"{session_id}.jsonl")
        paths[-1].write_bytes(header_line(session_id, FIRST_DAY_AT) + _line(number))
    return paths


def _line(number: int) -> bytes:
    return message_line(f"{number:08x}", None, FIRST_DAY_AT + number, "user", "How late is it? " * 20)


def _measured(daemon: Daemon, paths: list[Path]) -> _Found:
    last_row = daemon.last_row()
    files = [path.open("ab", buffering=0) for path in paths]
    lines = [daemon.last_line(path) for path in paths]
    names = [str(path.resolve()) for path in paths]
    waiting: dict[tuple[str, int], float] = {}
    milliseconds: list[float] = []
    cpu_before, started, written = daemon.cpu_seconds(), time.perf_counter(), 0
    total = _LINES_PER_SECOND * _SECONDS
    while written < total or (waiting and time.perf_counter() - started < _SECONDS + _LATEST_SECONDS):
        due = min(total, int((time.perf_counter() - started) * _LINES_PER_SECOND))
        for number in range(written, due):
            at = number % len(files)
            files[at].write(_line(len(files) + number))
            lines[at] += 1
            waiting[names[at], lines[at]] = time.perf_counter()
        written = max(written, due)
        found = daemon.rows_after(last_row)
        seen = time.perf_counter()
        # Who writes a file's rows anew shows a line that was seen before under another number of a row.
        since = [waiting.pop((path, line), None) for _, path, line in found]
        milliseconds += [(seen - at) * 1000 for at in since if at is not None]
        last_row = found[-1][0] if found else last_row
        time.sleep(_POLL_SECONDS)
    seconds, cpu_seconds = time.perf_counter() - started, daemon.cpu_seconds() - cpu_before
    for file in files:
        file.close()
    return _Found(milliseconds, len(waiting), 100 * cpu_seconds / seconds, total / seconds)
