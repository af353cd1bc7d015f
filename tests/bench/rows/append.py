"""One appended line until another process reads it from the database, in a small transcript and in one of 25 MB.

The bytes are those that the daemon read of the transcript per line, as strace tells; the lines for it are apart.
agentsview takes what comes within seconds of its last pass together: its lines are few and as far apart as suits it.
"""

from __future__ import annotations

import random
import statistics
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench import agentsview
from tests.bench.corpus import FIRST_DAY_AT, sessions_folder
from tests.bench.daemon import Daemon, following, percentile
from tests.bench.measure import UnmeasuredError
from tests.bench.odd_corpora import message_line
from tests.bench.prose import prose
from tests.bench.table import Goal, Other, Row, beside
from tests.bench.transcript import write_transcript
from tests.bench.trial import Trial, tell

_P50, _P99 = Goal("<=", 3, " ms"), Goal("<=", 25, " ms")
_READ = Goal("<=", 16, " KiB")
_SIZES = {"small": 20_000, "25 MB": 25_000_000}
_POLL_SECONDS = 0.0002
_LONGEST_SECONDS = 20.0


@dataclass(frozen=True)
class _Pace:
    """How many lines are timed, how many are traced after them, and how long nothing comes between two."""

    lines: int
    traced: int
    pause_seconds: float


@dataclass(frozen=True)
class _Found:
    milliseconds: list[float]
    cpu_milliseconds: float
    """Of each line, with what the pause before the next one cost."""
    read_bytes: float | None
    """Of each line; None without strace."""
    line_bytes: float


_OURS, _THEIRS = _Pace(300, 50, 0.02), _Pace(8, 3, 6.0)


def rows(trial: Trial) -> Iterator[Row]:
    for label, size in _SIZES.items():
        tell(f"append to queryable, {label} transcript")
        place = trial.scratch / f"append-{size}"
        path = _transcript(place / "state", size)
        with following(trial.plan.command, place / "state", place / "home") as daemon:
            _measured(daemon, path, 20, _OURS)  # what is made at the first line is no part of the others
            ours = _found(daemon, path, _OURS)
        theirs = None
        if trial.plan.agentsview is not None:
            tell(f"append to queryable, {label} transcript, agentsview")
            path = _transcript(place / "their-state", size)
            with agentsview.following(trial.plan.agentsview, place / "their-state", place / "their-home") as daemon:
                _measured(daemon, path, 1, _THEIRS)
                theirs = _found(daemon, path, _THEIRS)
        yield from _rows(label, ours, theirs)


def _rows(label: str, ours: _Found, theirs: _Found | None) -> Iterator[Row]:
    name = f"append to queryable, {label} transcript"
    for share, goal in ((0.5, _P50), (0.99, _P99)):
        value = percentile(ours.milliseconds, share)
        yield Row(
            row=f"{name}, p{share * 100:.0f}",
            ours=f"{value:.1f} ms",
            goal=goal,
            met=goal.met_by(value),
            note=f"{len(ours.milliseconds)} lines, slowest {max(ours.milliseconds):.1f} ms" if share > 0.5 else "",
            others=_beside(value, theirs, lambda found: statistics.median(found.milliseconds), "ms")
            if share == 0.5
            else {},
            figures={"milliseconds": value},
        )
    yield Row(
        row=f"{name}, CPU",
        ours=f"{ours.cpu_milliseconds:.1f} ms a line",
        others=_beside(ours.cpu_milliseconds, theirs, lambda found: found.cpu_milliseconds, "ms a line"),
        figures={"milliseconds": ours.cpu_milliseconds},
    )
    name = f"bytes read per append, {label} transcript"
    if ours.read_bytes is None:
        yield Row(row=name, ours="", goal=_READ, note="needs strace, and the right to trace")
        return
    beyond = (ours.read_bytes - ours.line_bytes) / 1024
    yield Row(
        row=name,
        ours=f"line + {beyond:.1f} KiB",
        goal=_READ,
        met=_READ.met_by(beyond),
        others=_beside(ours.read_bytes / 1024, theirs, lambda found: (found.read_bytes or 0) / 1024, "KiB"),
        figures={"read_bytes": ours.read_bytes, "line_bytes": ours.line_bytes},
    )


def _beside(ours: float, theirs: _Found | None, value: Callable[[_Found], float], unit: str) -> dict[str, Other]:
    return {agentsview.NAME: beside(value(theirs), ours, f"{value(theirs):,.1f} {unit}")} if theirs else {}


def _transcript(state_dir: Path, size: int) -> Path:
    folder = sessions_folder(state_dir, "main")
    rng = random.Random(size)
    return folder / f"{write_transcript(folder, size, FIRST_DAY_AT, rng, prose('salad', rng)).session_id}.jsonl"


def _found(daemon: Daemon, path: Path, pace: _Pace) -> _Found:
    cpu_before = daemon.cpu_seconds()
    milliseconds, line_bytes = _measured(daemon, path, pace.lines, pace)
    cpu_milliseconds = (daemon.cpu_seconds() - cpu_before) * 1000 / pace.lines
    with daemon.reads_of(path) as reads:
        _measured(daemon, path, pace.traced, pace)
    return _Found(milliseconds, cpu_milliseconds, sum(reads) / pace.traced if reads else None, line_bytes)


def _measured(daemon: Daemon, path: Path, lines: int, pace: _Pace) -> tuple[list[float], float]:
    """Milliseconds of each line, and the lines' mean length."""
    milliseconds, written = [], 0
    last = daemon.last_line(path)
    for number in range(1, lines + 1):
        line = message_line(uuid.uuid4().hex[:8], None, time.time_ns() // 1_000_000, "user", "How late is it? " * 20)
        with path.open("ab", buffering=0) as file:
            written += file.write(line)
        appended = time.perf_counter()
        while daemon.last_line(path) < last + number:
            if time.perf_counter() - appended > _LONGEST_SECONDS:
                raise UnmeasuredError(f"a line was not in the database after {_LONGEST_SECONDS:g} s")
            time.sleep(_POLL_SECONDS)
        milliseconds.append((time.perf_counter() - appended) * 1000)
        time.sleep(pace.pause_seconds)
    return milliseconds, written / lines
