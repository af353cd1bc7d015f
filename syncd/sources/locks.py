"""Reading OpenClaw's lock files; what a payload means is openclaw.locks' knowledge.

Never creates, touches or removes one.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.openclaw.locks import LockPayload, LockVerdict, PidState, judge_lock, parse_lock
from syncd.sources.opening import open_source, read_pieces
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from syncd.openclaw.locks import LockKind

_MAX_PAYLOAD_BYTES = 64 * 1024
_START_TIME_FIELD = 22 - 3  # of /proc/<pid>/stat, counted behind the parenthesised command name


def is_write_locked(transcript_path: str, now_ms: int) -> bool:
    """Does a live OpenClaw process hold the transcript's write lock?"""
    if is_stored(transcript_path):
        return False  # a database has its own
    verdict = read_lock(transcript_path + ".lock", "transcript", now_ms)
    return verdict is not None and verdict.held


def read_lock(lock_path: str, kind: LockKind, now_ms: int) -> LockVerdict | None:
    """What the lock file says; None when there is none."""
    read = read_lock_file(lock_path, kind, now_ms)
    return read[1] if read is not None else None


def read_lock_file(lock_path: str, kind: LockKind, now_ms: int) -> tuple[LockPayload | None, LockVerdict] | None:
    """The payload, None where it is unreadable, and the verdict; None when there is no lock file."""
    try:
        with open_source(lock_path) as source:
            modified_ms = os.fstat(source.fileno()).st_mtime_ns // 1_000_000
            payload = parse_lock(b"".join(read_pieces(source, 0, _MAX_PAYLOAD_BYTES, _MAX_PAYLOAD_BYTES)))
    except SourceError:
        return None
    pid_state = process_state(payload.pid) if payload is not None and payload.pid is not None else None
    return payload, judge_lock(kind, payload, (now_ms - modified_ms) / 1000, now_ms, pid_state)


def process_state(pid: int) -> PidState:
    """Does the process live, and since when (clock ticks since boot, where /proc tells)."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return PidState(is_alive=False)
    except PermissionError:
        pass  # alive, and another user's
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        started = int(fields[_START_TIME_FIELD])
    except (OSError, ValueError, IndexError):
        return PidState(is_alive=True)
    return PidState(is_alive=True, starttime=started, arguments=_arguments(pid))


def _arguments(pid: int) -> tuple[str, ...]:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return tuple(os.fsdecode(part) for part in file.read(_MAX_PAYLOAD_BYTES).split(b"\0") if part)
    except OSError:
        return ()
