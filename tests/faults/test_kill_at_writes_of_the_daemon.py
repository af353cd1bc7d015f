"""FAULTS.md A2 for the daemon: killed at a system call that opens or writes: at a sample, or at every one.

SYNCD_WRITE_KILLS says at how many of each call: a release asks for 10000, which is all, and takes more than an hour.
Whatever was half done, the next start makes the ledger equal to the files, with no generation that no rewrite made.
"""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import os
import random
import re
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from syncd.ledger.lock import writer_pid
from tests.daemon.live import wait_for
from tests.daemon.process import Daemon, in_ledger, rows, syncd
from tests.mirror.household import RESET_TIME, Household, household, message, name_of, session_id, transcript
from tests.mirror_checks import assert_mirrors, assert_sound, query, transcripts

SAMPLES = int(os.environ.get("SYNCD_WRITE_KILLS", "2"))  # read here: inside a test no variable of syncd's is set
CALLS = ("pwrite64", "write", "fdatasync", "fsync", "ftruncate", "unlink", "rename", "openat")
SETTLE_SECONDS = 0.2
ATTEMPTS = 5
ARCHIVE = f"{name_of(2)}.deleted.{RESET_TIME}"


class SlowWriterError(Exception):
    """The machine was too busy for the file to be seen as rewritten."""


def _strace(output: Path, *more: str) -> tuple[str, ...]:
    return ("strace", "-f", "-qq", "-o", str(output), "-e", f"trace={','.join(CALLS)}", *more)


def _acts(house: Household) -> Iterator[Callable[[], bool]]:
    """A short life: each step is done when the next is asked for; what is given tells whether it is mirrored."""
    content = transcript(1, 5)
    house.write(name_of(1), content)
    yield in_ledger(house, name_of(1), 6)
    content += message(6)
    house.append(name_of(1), message(6))
    yield in_ledger(house, name_of(1), 7)
    house.append(name_of(1), message(7)[:30])
    house.append(name_of(1), message(7)[30:])
    content += message(7)
    yield in_ledger(house, name_of(1), 8)
    house.write(name_of(2), transcript(2, 2) + message(3)[:20])
    yield in_ledger(house, name_of(2), 3)
    started = time.monotonic()
    house.write(name_of(1), content)  # as OpenClaw 2026.7.1 does at the end of a turn: the same bytes, in place
    if time.monotonic() - started > SETTLE_SECONDS / 2:
        raise SlowWriterError  # an empty file that stays empty is one
    house.append(name_of(1), b"".join(message(number, "long " * 4000) for number in range(8, 60)))  # 1 MB
    yield in_ledger(house, name_of(1), 60)
    house.write("sessions.json", json.dumps({"agent:main:main": {"sessionId": session_id(1), "updatedAt": 1}}).encode())
    yield lambda: _has_session(house)
    house.rename(name_of(2), ARCHIVE)
    yield lambda: any(row.name == ARCHIVE and row.lines == 4 for row in rows(house))


def _has_session(house: Household) -> bool:
    try:
        return query(house.ledger_path, "SELECT count(*) FROM sessions") == [(1,)]
    except apsw.Error:  # its writer has died this moment
        return False


def _live(house: Household, prefix: tuple[str, ...]) -> bool:
    """The life beside a daemon under strace; False when the daemon was killed in it."""
    running = Daemon(house, prefix=prefix)
    try:
        for is_mirrored in _acts(house):
            wait_for(lambda done=is_mirrored: running.process.poll() is not None or done())  # type: ignore[misc]
        if running.process.poll() is None and (pid := writer_pid(house.ledger_path)):
            os.kill(pid, signal.SIGTERM)
            running.process.communicate(timeout=60)
        code = running.process.wait(60)
        assert code in (0, -signal.SIGKILL), f"it ended with {code} by itself"  # strace dies of what its child died of
        return code == 0
    finally:
        running.kill()


def _lived(place: Path, prefix: tuple[str, ...]) -> tuple[Household, bool]:
    """A household after such a life; was the daemon killed in it?"""
    for attempt in range(ATTEMPTS):
        house = household(place / str(attempt))
        with suppress(SlowWriterError):
            return house, not _live(house, prefix)
    pytest.fail(f"in {ATTEMPTS} lives the writer was too slow each time")


def _counted(tmp_path: Path) -> Counter[str]:
    """How often each is called in such a life."""
    trace = tmp_path / "trace"
    if shutil.which("strace") is None or _lived(tmp_path / "counted", _strace(trace))[1]:
        pytest.skip("needs strace, and the right to trace")
    return Counter(re.findall(rf"^\d+ +({'|'.join(CALLS)})\(", trace.read_text(), re.MULTILINE))


@pytest.mark.timeout(900 + 60 * SAMPLES)
def test_A2_a_kill_at_a_write_of_the_daemon_loses_and_doubles_nothing(tmp_path: Path) -> None:
    rng = random.Random(20261116)
    counts = _counted(tmp_path)
    assert counts["pwrite64"] > 20
    killed = lives = 0
    for call, count in sorted(counts.items()):
        numbers = range(1, count + 1)
        for number in sorted(rng.sample(numbers, min(SAMPLES, count))):
            command = _strace(Path(os.devnull), "-e", f"inject={call}:signal=KILL:when={number}")
            house, was_killed = _lived(tmp_path / f"{call}-{number}", command)
            killed, lives = killed + was_killed, lives + 1
            assert syncd(house, "run", "--once")[0] == 0, (call, number)
            assert_mirrors(house)
            assert_sound(house.ledger_path)
            found = transcripts(house.ledger_path)
            assert sorted((row.generation, row.lines) for row in found) == [(1, 4), (1, 60)], (call, number)
            shutil.rmtree(tmp_path / f"{call}-{number}")
    print(f"{killed} kills in {lives} lives, at {dict(counts)}")
    assert killed > lives / 2, "no two lives have as many calls, but most have nearly as many"
