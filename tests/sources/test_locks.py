"""OpenClaw's lock files, real ones beside real files: whose they are, and whether their owner still lives."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from syncd.openclaw.locks import LockVerdict
from syncd.sources.locks import is_write_locked, process_state, read_lock
from tests.mirror.household import dead_pid

NOW = time.time_ns() // 1_000_000


def locked(directory: Path, payload: object, *, age_seconds: float = 0.0) -> str:
    """The path of a transcript whose lock file holds this."""
    path = directory / "x.jsonl.lock"
    path.write_bytes(payload if isinstance(payload, bytes) else json.dumps(payload, indent=2).encode())
    changed = NOW / 1000 - age_seconds
    os.utime(path, (changed, changed))
    return str(path).removesuffix(".lock")


def payload_of(pid: int, *, age_seconds: float = 0.0, **more: object) -> dict[str, object]:
    created = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(NOW / 1000 - age_seconds))
    return {"pid": pid, "createdAt": created, **more}


def start_time(pid: int) -> int:
    """As OpenClaw finds it: field 22 of the stat line, behind a command that may hold anything."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[19])


def verdict(transcript_path: str) -> LockVerdict | None:
    return read_lock(transcript_path + ".lock", "transcript", NOW)


def test_no_lock_file_is_no_lock(tmp_path: Path) -> None:
    assert not is_write_locked(str(tmp_path / "x.jsonl"), NOW)
    assert verdict(str(tmp_path / "x.jsonl")) is None


@pytest.mark.parametrize("has_start_time", [True, False])
def test_a_lock_of_a_living_process_is_held(tmp_path: Path, has_start_time: bool) -> None:
    more = {"starttime": start_time(os.getpid())} if has_start_time else {}
    path = locked(tmp_path, payload_of(os.getpid(), **more))
    assert is_write_locked(path, NOW)
    assert verdict(path) == LockVerdict(held=True, stale=False, reason="live")


def test_a_lock_of_a_dead_process_is_stale(tmp_path: Path) -> None:
    path = locked(tmp_path, payload_of(dead_pid()))
    assert not is_write_locked(path, NOW)
    assert verdict(path) == LockVerdict(held=False, stale=True, reason="dead_pid")


def test_a_lock_whose_pid_is_another_process_by_now_is_stale(tmp_path: Path) -> None:
    path = locked(tmp_path, payload_of(os.getpid(), starttime=start_time(os.getpid()) - 1))
    assert verdict(path) == LockVerdict(held=False, stale=True, reason="recycled_pid")


@pytest.mark.parametrize("payload", [b"", b"{", b"\0" * 40, b'"text"', b"{}", b'{"pid": "7"}'])
def test_a_lock_that_says_nothing_is_held_only_while_it_may_be_being_written(tmp_path: Path, payload: bytes) -> None:
    fresh = verdict(locked(tmp_path, payload, age_seconds=1))
    assert fresh == LockVerdict(held=True, stale=False, reason="being_written")
    old = verdict(locked(tmp_path, payload, age_seconds=60))
    assert old is not None
    assert (old.held, old.stale) == (False, True)


def test_a_lock_older_than_a_turn_can_last_is_stale(tmp_path: Path) -> None:
    path = locked(tmp_path, payload_of(os.getpid(), age_seconds=3600))
    assert verdict(path) == LockVerdict(held=False, stale=True, reason="too_old")


def test_what_is_no_plain_file_is_no_lock(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl.lock")
    (tmp_path / "folder.jsonl.lock").mkdir()
    locked(tmp_path, payload_of(os.getpid()))
    (tmp_path / "link.jsonl.lock").symlink_to("x.jsonl.lock")
    for name in ("pipe", "folder", "link"):
        assert verdict(str(tmp_path / f"{name}.jsonl")) is None


def test_reading_a_lock_changes_nothing_of_it(tmp_path: Path) -> None:
    path = locked(tmp_path, payload_of(dead_pid()))
    before = os.lstat(path + ".lock")
    assert not is_write_locked(path, NOW)
    after = os.lstat(path + ".lock")
    assert after == before
    assert after.st_atime_ns == before.st_atime_ns


def test_the_state_of_a_process_is_asked_of_the_system() -> None:
    with subprocess.Popen(["sleep", "100"]) as child:
        state = process_state(child.pid)
        assert (state.is_alive, state.starttime) == (True, start_time(child.pid))
        child.kill()
    assert not process_state(child.pid).is_alive
    assert process_state(1).is_alive
    assert not process_state(2**70).is_alive


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs a file that opens and cannot be read")
def test_a_lock_file_that_cannot_be_read_stops_nobody() -> None:
    """On a disk that fails; here a file whose first byte nobody can read."""
    assert read_lock("/proc/self/mem", "transcript", NOW) is None
