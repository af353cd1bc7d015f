"""A ledger that cannot be written is a pause, not an end: `status` says so, nothing is lost, it goes on by itself."""
# ruff: noqa: N802  the fault's id stands in the test's name

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from syncd.daemon.codes import CODES
from syncd.daemon.orders import BEAT_SECONDS
from tests.daemon.live import wait_for
from tests.daemon.process import PROMPTLY_SECONDS, daemon, held_by_another, in_ledger, longer_pauses, syncd
from tests.daemon.test_health import configure, has, health, lines_of
from tests.mirror.household import Household, household, message, messages, name_of, require_root, transcript
from tests.mirror_checks import assert_mirrors, transcripts

NAME = name_of(1)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    return made


def test_F3_a_foreign_lock_on_the_ledger_is_a_pause(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        with held_by_another(house):
            house.append(NAME, messages(6, 8))
            house.write(name_of(2), transcript(2, 2))
            assert {said["type"] for said in longer_pauses(running)} == {"ledger_busy"}
            wait_for(lambda: syncd(house, "status")[0] == 4)
            (degraded,) = syncd(house, "status")[1]["degraded"]
            assert degraded["code"] == "ledger_busy"
            assert "paused" in degraded["reason"]
            assert degraded["hint"] == CODES["ledger_busy"].remedy, "nobody has to try anything again"
            code, document = syncd(house, "resync")  # is told at once, not left waiting
            assert (code, document["error"]["type"]) == (1, "ledger_busy")
            house.append(NAME, message(9))
        running.has_said("resumed")
        wait_for(
            lambda: syncd(house, "status")[1]["degraded"] == [], BEAT_SECONDS / 2
        )  # not with the next regular beat
        wait_for(in_ledger(house, NAME, 10))
        wait_for(in_ledger(house, name_of(2), 3))
        wait_for(lambda: syncd(house, "status")[0] == 0)
        new = messages(6, 9) + transcript(2, 2)
        wait_for(lambda: _taken(house) == (new.count(b"\n"), len(new)))  # and nothing of what was given up
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def _taken(house: Household) -> tuple[int, int]:
    told = syncd(house, "status")[1]["daemon"]
    return told["taken_lines"], told["taken_bytes"]


def test_F3_a_paused_daemon_stops_soon(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        with held_by_another(house):
            house.append(NAME, message(6))
            running.has_said("paused")
            code, seconds = running.terminate()
        assert (code, seconds < PROMPTLY_SECONDS) == (0, True), seconds
    assert syncd(house, "run", "--once")[0] == 0
    assert_mirrors(house)


def test_F3_a_ledger_that_is_locked_at_the_start_is_waited_for(house: Household) -> None:
    assert syncd(house, "run", "--once")[0] == 0
    house.append(NAME, message(6))
    with daemon(house) as running:
        with held_by_another(house):
            running.has_said("paused")
        running.has_said("resumed")
        wait_for(in_ledger(house, NAME, 7))
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_F1_a_full_disk_is_a_pause_and_all_of_it_is_there_once_there_is_space(house: Household) -> None:
    require_root()
    house.ledger_path.parent.mkdir(mode=0o700)
    script = 'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"'
    prefix = ("unshare", "-m", "sh", "-c", script, str(house.ledger_path.parent))
    if (
        shutil.which("nsenter") is None
        or subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("needs a mount namespace of its own: unshare, nsenter and the right to mount")
    with daemon(house, prefix=prefix) as running:
        running.has_said("following")
        inside = ("nsenter", "-t", str(running.pid), "-m")
        for number in range(2, 80):
            noise = [message(n, os.urandom(1500).hex()) for n in range(2, 30)]
            house.write(name_of(number), transcript(number, 1) + b"".join(noise))
        assert running.has_said("paused")["type"] in {"ledger_full", "ledger"}
        wait_for(lambda: syncd(house, "status", prefix=inside)[0] == 4)
        _, document = syncd(house, "status", prefix=inside)
        assert {item["code"] for item in document["degraded"]} & {"ledger_full", "ledger"}, document
        told = {item["hint"] for item in document["degraded"] if item["code"] == "ledger_full"}
        assert told <= {CODES["ledger_full"].remedy}
        assert document["behind_bytes"] > 0
        subprocess.run([*inside, "mount", "-o", "remount,size=200m", str(house.ledger_path.parent)], check=True)
        running.has_said("resumed")
        wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0)
        house.append(NAME, message(6))
        wait_for(lambda: syncd(house, "status", prefix=inside)[0] == 0)
        wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0)
        found = subprocess.run([*inside, "sh", "-c", 'cat "$0"', str(house.ledger_path)],
                               capture_output=True, check=True)  # fmt: skip
        assert found.stdout.startswith(b"SQLite format 3")
        assert running.terminate()[0] == 0


@pytest.mark.parametrize("error", ["EIO", "ENOSPC", "EROFS", "EDQUOT"])
def test_F9_a_disk_that_fails_for_a_while_is_a_pause(house: Household, error: str) -> None:
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    calls = "pwrite64,fdatasync,fsync"
    with daemon(house) as running:
        running.is_following()
        command = ["strace", "-f", "-qq", "-o", "/dev/null", "-p", str(running.pid)]
        command += ["-e", f"trace={calls}", "-e", f"inject={calls}:error={error}"]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as broken:
            wait_for(lambda: _is_traced(running.pid) or broken.poll() is not None)
            if broken.poll() is not None:
                pytest.skip("strace may not trace here")
            try:
                for number in range(2, 6):
                    house.write(name_of(number), transcript(number, 50))
                assert {said["type"] for said in longer_pauses(running)} <= {"ledger", "ledger_full"}
            finally:
                broken.send_signal(signal.SIGINT)
        running.has_said("resumed")
        for number in range(2, 6):
            wait_for(in_ledger(house, name_of(number), 51))
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}


def _is_traced(pid: int) -> bool:
    """Every thread of it."""
    try:
        told = [(task / "status").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:  # one has ended meanwhile
        return False
    return all("TracerPid:\t0" not in each for each in told)


def test_the_log_of_a_paused_daemon_says_how_far_it_is_behind(house: Household) -> None:
    configure(house)
    with daemon(house) as running:
        running.is_following()
        with held_by_another(house):
            house.append(NAME, message(6))
            running.has_said("paused")
            wait_for(lambda: lines_of(house)[-1]["behind_bytes"] == len(message(6)))
            house.append(NAME, message(7))
            wait_for(lambda: lines_of(house)[-1]["behind_bytes"] == len(message(6) + message(7)))
            first = lines_of(house)[-1]["behind_seconds"]
            wait_for(lambda: lines_of(house)[-1]["behind_seconds"] > first + 1)
            assert f"{len(message(6) + message(7))} bytes behind" in health(house, "-n", "1")
            assert syncd(house, "status")[1]["behind_seconds"] > first
        wait_for(has(house, "recovered"))
        assert lines_of(house)[-1]["behind_bytes"] == 0
        assert running.terminate()[0] == 0
    assert_mirrors(house)
