"""The daemon's last word on itself: a small file beside the ledger, replaced after completed passes.

For `status`, which must work while the daemon is down, stalled or busy. What the ledger or the files can tell is not
in it.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.clock import boot_seconds
from syncd.sources.scan import state_dir_problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from syncd.daemon.loop import Loop

_MAX_BYTES = 1024 * 1024
_NAMED = 20
_YOUNG_SECONDS = 60.0
"""Twice as long as an idle daemon may be silent, or one that pauses."""


class Beat(NamedTuple):
    """`boot_seconds`: when it was written, by `awake_seconds`, which all processes of this boot share."""

    pid: int
    started_at: int
    boot_seconds: float
    watch_mode: str
    watch_reason: str | None
    watch_code: str
    looks: int
    rescans: int
    missed_events: int
    overflows: int
    watch_rebuilds: int
    taken_bytes: int
    taken_lines: int
    latency_p50_ms: float | None
    latency_p99_ms: float | None
    problems: tuple[dict[str, str], ...]
    degraded: tuple[dict[str, str], ...]
    waiting: int
    log_problem: str | None = None
    behind: Mapping[str, float] = {}
    """Seconds, by agent, for which the oldest unread byte has waited: only one who is there all the time can tell."""
    next_runs: Mapping[str, int] = {}
    """Of the scheduled jobs, in epoch milliseconds."""
    taken_at: Mapping[str, int] = {}
    """By agent, when the ledger last took something in."""
    version: str = ""
    """Of the program, and below a digest of its files, as they were when it started; empty: older than this field."""
    files: str = ""


def beat_path(ledger_path: Path) -> Path:
    """Beside the ledger itself, as its socket is: a link that leads to it may be another's by now."""
    real = ledger_path.resolve()
    return real.with_name(real.name + ".beat.json")


def awake_seconds() -> float:
    """Since the boot, without the time in which the machine slept: nobody was silent then."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


def beat_of(loop: Loop, started_at: int) -> Beat:
    followers = loop.followers
    problems = [problem for path in loop.awaited if (problem := state_dir_problem(path)) is not None]
    problems += [problem for follower in followers for problem in [*follower.problems.values(), *follower.notes]]
    told = {(problem.code, problem.path) for problem in problems}  # of a database, by whoever comes first
    faults = [item for index in loop.indexes for item in index.degraded if (item.code, item.path) not in told]
    degraded = [*loop.troubles.values(), *(item._asdict() for item in dict.fromkeys(faults))]
    figures = loop.figures
    return Beat(
        pid=os.getpid(),
        started_at=started_at,
        boot_seconds=awake_seconds(),
        watch_mode=loop.watcher.mode,
        watch_reason=loop.watcher.reason,
        watch_code=loop.watcher.code,
        looks=figures.looks,
        rescans=figures.rescans,
        missed_events=figures.missed_events,
        overflows=loop.dirty.overflows,
        watch_rebuilds=loop.watcher.rebuilds,
        taken_bytes=figures.taken.bytes,
        taken_lines=figures.taken.lines,
        latency_p50_ms=figures.latencies.percentile(0.5),
        latency_p99_ms=figures.latencies.percentile(0.99),
        problems=tuple(asdict(item) for item in problems[:_NAMED]),
        degraded=tuple(degraded[:_NAMED]),
        waiting=sum(len(follower.deferred) for follower in followers),
        next_runs=loop.care.next_runs() if loop.care is not None else {},
    )


def write_beat(ledger_path: Path, beat: Beat) -> None:
    """Replaced whole, not synced: after a power cut there is no daemon for it to speak of.

    A disk that is full is no reason to end: then `status` sees an old beat, which is the truth.
    """
    path = beat_path(ledger_path)
    scratch = path.with_name(path.name + ".tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    with suppress(OSError):
        with open(os.open(scratch, flags, 0o600), "wb") as file:
            file.write(json.dumps(beat._asdict()).encode())
        scratch.replace(path)
        return
    # No space for a second file: the first one is written over.
    with suppress(OSError), open(path, "r+b") as file:
        file.write(json.dumps(beat._asdict()).encode())
        file.truncate()


def living_pid(beat: Beat) -> int | None:
    """Of the daemon that sent it, if that is alive beyond doubt: for one who finds no lock where it should be.

    The beat is of this boot and young, and the process of that number was there before it, and is syncd's.
    """
    if not 0.0 <= awake_seconds() - beat.boot_seconds <= _YOUNG_SECONDS:
        return None
    try:
        with open(f"/proc/{beat.pid}/stat", encoding="utf-8", errors="replace") as file:
            began = int(file.read().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")  # field 22 of proc(5)
        with open(f"/proc/{beat.pid}/cmdline", "rb") as file:
            is_ours = b"syncd" in file.read()
    except (OSError, ValueError, IndexError):
        return None
    # It is counted with the time in which the machine slept, the beat without it.
    awake_since = began - (boot_seconds() - awake_seconds())
    return beat.pid if is_ours and awake_since <= beat.boot_seconds else None


def read_beat(ledger_path: Path) -> Beat | None:
    """The last beat; None where there is none, or none that this program understands.

    Of an older daemon, which goes on after an upgrade, what it did not tell yet is as good as empty.
    """
    try:
        with open(beat_path(ledger_path), "rb") as file:
            value: Any = json.loads(file.read(_MAX_BYTES))
        return Beat(**{name: value[name] for name in Beat._fields if name in value})
    except (OSError, ValueError, TypeError):
        return None
