"""FAULTS.md A: what can happen to the process. A kill at any moment, then a restart, is as if there was none."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.daemon.live import wait_for
from tests.mirror.busy_openclaw import torn_appends
from tests.mirror.household import Household, message, name_of, transcript
from tests.mirror_checks import (
    assert_mirrors,
    assert_sound,
    assert_untouched,
    mirrored,
    only_transcript,
    query,
    snapshot,
    transcripts,
)

NAME = name_of(1)
KILLS = 50  # at random calls of the product's functions; tests/faults/kill_points.py can be asked for more


AT_LEAST_KILLED = {"pwrite64": 6, "fdatasync": 4, "ftruncate": 1, "pread64": 6, "openat": 4}
"""Of eight; not all are called so often."""
KILLED_AT = {"openat": (60, 200, 370, 374, 378, 382, 388, 394)}  # Python opens its modules first


def _has_ledger(house: Household, pid: int) -> bool:
    """Does this process hold the lock, and has it begun to write?"""
    return str(pid) in house.ledger_path.with_name("ledger.db.lock").read_text() and house.ledger_path.exists()


def _environ(house: Household) -> dict[str, str]:
    return {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)}


def _start(house: Household, *args: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "syncd", *args]
    return subprocess.Popen(command, env=_environ(house), stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _until(process: subprocess.Popen[bytes], path: Path, size: int) -> None:
    """Waits for the process, which is at work until then, to have written that much."""
    pause = threading.Event()
    while not (path.exists() and path.stat().st_size >= size):
        assert process.poll() is None, "it has ended before"
        pause.wait(0.002)


def test_A1_random_kills_under_torn_appends_lose_and_double_nothing(house: Household) -> None:
    rng, kills = random.Random(1), 0
    with torn_appends(house, 0.001) as contents:
        for _ in range(30):
            process = _start(house, "run", "--once", "--lock-wait", "0", "--json")
            wait_for(lambda started=process: started.poll() is not None or _has_ledger(house, started.pid))  # type: ignore[misc]
            with suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, 0.3))  # not of its start, which is long: of its work
            process.kill()
            process.communicate()
            kills += process.returncode == -signal.SIGKILL
            assert query(house.ledger_path, "PRAGMA integrity_check") == [("ok",)]
    assert kills > 5
    mirrored(house)
    rows = transcripts(house.ledger_path)
    assert sorted(row.bytes for row in rows) == sorted(map(len, contents.values()))
    assert {row.generation for row in rows} == {1}


@pytest.mark.parametrize("look", ["first", "second"])
def test_A2_a_kill_at_any_call_then_a_restart_is_the_same_ledger_as_without_it(tmp_path: Path, look: str) -> None:
    done = subprocess.run(
        [sys.executable, CHECKOUT / "tests" / "faults" / "kill_points.py", tmp_path, str(KILLS), "20261116", look],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    report = json.loads(done.stdout)
    assert report["failures"] == []
    assert report["points"] == KILLS
    assert report["killed"] > 0.6 * KILLS  # a call of one run need not come in another: how it is sliced is the clock's


@pytest.mark.parametrize("call", ["pwrite64", "fdatasync", "ftruncate", "pread64", "openat"])
def test_A2_a_kill_at_a_system_call_loses_and_doubles_nothing(house: Household, tmp_path: Path, call: str) -> None:
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    house.write(NAME, transcript(1, 4))
    house.write(name_of(2), b"".join([transcript(2, 1), *(message(n, "long " * 2000) for n in range(2, 700))]))  # 7 MB
    killed = 0
    for turn, number in enumerate(KILLED_AT.get(call, (1, 2, 3, 5, 8, 13, 21, 34))):
        for path in house.ledger_path.parent.glob("ledger.db*") if turn % 3 != 1 else ():
            path.unlink()
        inject = f"inject={call}:signal=KILL:when={number}"
        command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject, sys.executable]
        done = subprocess.run(
            [*command, "-m", "syncd", "run", "--once", "--json"], env=_environ(house), capture_output=True, check=False
        )
        if b"PTRACE" in done.stderr or b"ptrace" in done.stderr:
            pytest.skip(f"strace may not trace here: {done.stderr.decode()[:200]}")
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        killed += done.returncode != 0
        if house.ledger_path.exists() and house.ledger_path.stat().st_size:
            assert query(house.ledger_path, "PRAGMA integrity_check") == [("ok",)]
        house.append(NAME, message(10 + number))
        mirrored(house)
        assert len(transcripts(house.ledger_path)) == 2
        house.append(name_of(2), message(1000 + number, "more " * 2000))
    assert killed >= AT_LEAST_KILLED[call]


def test_A4_sigterm_in_a_backlog_is_a_clean_stop_and_the_next_run_goes_on(house: Household) -> None:
    for number in range(1, 41):
        house.write(name_of(number), transcript(number, 2500))
    before = snapshot(house.state_dir)
    stops = 0
    for _ in range(3):
        process = _start(house, "run", "--once", "--json")
        _until(process, house.ledger_path.with_name("ledger.db-wal"), 3 << 20)
        process.terminate()
        out, err = process.communicate(timeout=60)
        document = json.loads(out)
        assert process.returncode == 0, err
        assert document["ok"] is True
        assert b"Traceback" not in err
        stops += document.get("stopped", False)
    assert stops
    assert_sound(house.ledger_path)
    known = query(house.ledger_path, "SELECT sum(bytes) FROM transcripts")[0][0]
    assert known, "what was committed before the stop is kept"
    result = mirrored(house)
    assert result.bytes == sum(len(transcript(number, 2500)) for number in range(1, 41)) - known
    assert len(transcripts(house.ledger_path)) == 40
    assert_untouched(house.state_dir, before)


def test_A4_an_interrupt_from_the_keyboard_is_130_and_loses_nothing(house: Household) -> None:
    for number in range(1, 21):
        house.write(name_of(number), transcript(number, 2500))
    process = _start(house, "run", "--once", "--json")
    _until(process, house.ledger_path.with_name("ledger.db-wal"), 2 << 20)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"Traceback" not in err
    mirrored(house)


def test_A7_few_file_descriptors_are_enough_for_many_sessions(house: Household) -> None:
    for number in range(1, 1500):
        house.write(name_of(number), transcript(number, 1))
    done = subprocess.run(
        ["sh", "-c", 'ulimit -n 32; exec "$@"', "sh", sys.executable, "-m", "syncd", "run", "--once", "--json"],
        env=_environ(house),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["transcripts"] == 1499
    assert_mirrors(house)


def test_A9_a_second_run_beside_one_that_waits_is_75_and_names_it(house: Household) -> None:
    """The first is a real run that waits for a turn's lock; the second finds its lock on the ledger."""
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    house.lock(NAME, os.getpid())
    house.truncate(NAME, len(transcript(1, 2)))
    waiting = _start(house, "run", "--once", "--json", "--lock-wait", "60")
    lock = house.ledger_path.with_name("ledger.db.lock")
    pause = threading.Event()
    while str(waiting.pid) not in lock.read_text():
        pause.wait(0.01)
    for verb in (("run", "--once"), ("resync",)):
        second = _start(house, *verb, "--json")
        out, _ = second.communicate(timeout=60)
        assert second.returncode == 75
        assert json.loads(out)["error"]["pid"] == waiting.pid
    assert waiting.poll() is None
    house.path(f"{NAME}.lock").unlink()
    out, _ = waiting.communicate(timeout=60)
    assert (waiting.returncode, json.loads(out)["in_progress"]) == (0, [])
    assert only_transcript(house.ledger_path).generation == 2
    assert_mirrors(house)


def test_A11_a_pid_file_with_a_living_pid_but_no_lock_stops_nobody(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    house.ledger_path.parent.mkdir()
    house.ledger_path.with_name("ledger.db.lock").write_text(json.dumps({"pid": os.getpid()}))
    process = _start(house, "run", "--once", "--json")
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert_mirrors(house)
