"""FAULTS.md A10 where the lock file, or all that lies beside it, is removed under a daemon: never two writers for long.

Nothing that only the first had is lost: it is put back, or kept beside the ledger of whoever came meanwhile.
"""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import resource
import shutil
import signal
import stat
import subprocess
from pathlib import Path

import pytest

from syncd.ledger.hold import lock_path
from syncd.ledger.lock import writer_lock, writer_pid
from tests.daemon.live import wait_for
from tests.daemon.process import Daemon, daemon, in_ledger, rows, syncd
from tests.daemon.test_health import configure
from tests.faults.test_f_under_the_daemon import on_a_small_disk
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, assert_sound, exported, transcripts

NAME = name_of(1)
PRUNED = transcript(2, 4)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    made.write(name_of(2), PRUNED)
    configure(made)
    return made


def follow(running: Daemon) -> None:
    """Until only the ledger has the pruned one."""
    running.is_following()
    running.house.path(name_of(2)).unlink()
    running.house.append(NAME, message(6))
    wait_for(in_ledger(running.house, NAME, 7))


def has_pruned(path: Path) -> bool:
    (kept,) = [row for row in transcripts(path) if row.name == name_of(2)]
    return exported(path, kept.id, kept.generation) == PRUNED


def remove(house: Household, what: str) -> None:
    if what == "directory":
        shutil.rmtree(house.ledger_path.parent)
        return
    names = [lock_path(house.ledger_path)] if what == "lock" else house.ledger_path.parent.glob("ledger.db*")
    for file in list(names):
        file.unlink()


def stop(running: Daemon) -> None:
    """It notices nothing until it goes on."""
    running.process.send_signal(signal.SIGSTOP)
    wait_for(lambda: Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")


def displaced(house: Household) -> list[Path]:
    return list(house.ledger_path.parent.glob("ledger.db.displaced-*"))


@pytest.mark.parametrize("what", ["lock", "files", "directory"])
def test_A10_what_is_removed_under_the_daemon_is_back_soon_and_it_stays_the_one_writer(
    house: Household, what: str
) -> None:
    with daemon(house) as running:
        follow(running)
        remove(house, what)
        running.has_said("lock_renewed")
        if what != "lock":
            running.has_said("resumed")
        wait_for(in_ledger(house, NAME, 7))
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert syncd(house, "status")[1]["pid"] == running.pid
        assert {item["code"] for item in syncd(house, "doctor")[1]["findings"]}.isdisjoint({"no_ledger", "not_running"})
        code, told = syncd(house, "run", "--once")
        assert (code, told["error"]["pid"]) == (75, running.pid)
        assert syncd(house, "resync")[0] == 0, "its socket is back, too"
        assert stat.S_IMODE(lock_path(house.ledger_path).stat().st_mode) == 0o600
        assert stat.S_IMODE(house.ledger_path.parent.stat().st_mode) == 0o700
        house.append(NAME, message(7))
        wait_for(in_ledger(house, NAME, 8))
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert_sound(house.ledger_path)
    assert has_pruned(house.ledger_path)
    assert not displaced(house)


@pytest.mark.parametrize("gone", [("-wal", "-shm"), ("",), ("", "-wal", "-shm", ".lock")])
def test_A10_what_is_removed_behind_a_link_is_put_back_there(house: Household, gone: tuple[str, ...]) -> None:
    real = house.state_dir.parent / "elsewhere" / "real.db"
    house.ledger_path.parent.mkdir(exist_ok=True)
    house.ledger_path.symlink_to(real)
    with daemon(house) as running:
        follow(running)
        for suffix in gone:
            real.with_name(real.name + suffix).unlink()
        running.has_said("resumed")
        house.append(NAME, message(7))
        wait_for(in_ledger(house, NAME, 8))
        assert syncd(house, "status")[1]["pid"] == running.pid
        assert running.terminate()[0] == 0
    assert house.ledger_path.is_symlink()
    assert_mirrors(house)
    assert_sound(house.ledger_path)
    assert has_pruned(real)


def test_A10_a_link_that_leads_elsewhere_by_now_leaves_the_daemon_its_own_ledger(house: Household) -> None:
    """It never writes where another can be the writer."""
    place = house.ledger_path.parent
    first, second = place.with_name("first"), place.with_name("second")
    first.mkdir()
    second.mkdir()
    place.symlink_to(first)
    with daemon(house) as running:
        follow(running)
        place.unlink()
        place.symlink_to(second)
        assert syncd(house, "run", "--once")[0] == 0
        house.append(NAME, message(7))
        wait_for(lambda: [row.lines for row in transcripts(first / "ledger.db") if row.name == NAME] == [8])
        assert [(row.name, row.lines) for row in rows(house)] == [(NAME, 7)]
        assert running.terminate()[0] == 0
    assert has_pruned(first / "ledger.db")
    assert not (second / "ledger.db.beat.json").exists()


def test_A10_without_its_lock_file_nobody_else_gets_the_ledger_for_a_moment(house: Household) -> None:
    """Its own file is locked as well, also where the daemon made it; and `status` asks for that lock."""
    with daemon(house) as running:
        follow(running)
        stop(running)
        remove(house, "lock")
        assert writer_pid(house.ledger_path) == running.pid
        assert syncd(house, "status")[1]["state"] == "running"
        for verb in (("run", "--once"), ("run",), ("pin", NAME)):
            assert syncd(house, *verb)[1]["error"]["type"] == "already_running"
        assert syncd(house, "status")[1]["pid"] == running.pid, "though a lock file is there again"
        running.process.send_signal(signal.SIGCONT)
        wait_for(lambda: str(running.pid) in lock_path(house.ledger_path).read_text())
        codes = [syncd(house, "run", "--once")[0] for _ in range(5)]
        assert codes == [75] * 5
        assert running.terminate()[0] == 0
    assert_mirrors(house)


@pytest.mark.parametrize("what", ["files", "directory"])
def test_A10_who_was_displaced_ends_with_75_and_keeps_what_only_it_had(house: Household, what: str) -> None:
    with daemon(house) as running:
        follow(running)
        stop(running)
        remove(house, what)
        with daemon(house) as second:
            second.is_following()
            running.process.send_signal(signal.SIGCONT)
            _, said = running.process.communicate(timeout=60)
            assert running.process.returncode == 75
            (kept,) = displaced(house)
            assert f"error: syncd with pid {second.pid} holds the ledger" in said.decode()
            assert f"is kept as {kept}\n" in said.decode()
            assert has_pruned(kept)
            assert stat.S_IMODE(kept.stat().st_mode) == 0o600
            assert [row.name for row in rows(house)] == [NAME], "the other's ledger is its own"
            last = json.loads(syncd_health(house)[-1])
            assert (last["code"], last["pid"], last["reason"]) == ("stopped", running.pid, "already_running")
            assert str(kept) in last["message"]
            assert syncd(house, "resync")[0] == 0, "the other's socket is left alone"
            house.append(NAME, message(7))
            wait_for(in_ledger(house, NAME, 8))
            assert syncd(house, "status")[1]["pid"] == second.pid
            assert second.terminate()[0] == 0
    assert_mirrors(house)
    assert syncd(house, "ledger", "restore", str(kept))[0] == 0
    assert syncd(house, "resync")[0] == 0
    assert_mirrors(house)
    assert has_pruned(house.ledger_path)


def test_A10_who_was_displaced_by_one_that_only_passed_is_to_be_started_again(house: Household) -> None:
    """No service manager starts again what ended with 75, and nobody would mirror any more."""
    with daemon(house) as running:
        follow(running)
        stop(running)
        remove(house, "directory")
        with writer_lock(house.ledger_path):
            running.process.send_signal(signal.SIGCONT)
            kept = Path(running.has_said("ledger_displaced")["kept_as"])
        _, said = running.process.communicate(timeout=60)
        assert running.process.returncode == 1
        assert f"is kept as {kept}; the other has ended since\n" in said.decode()
        assert has_pruned(kept)
    with daemon(house) as again:
        again.is_following()
        house.append(NAME, message(7))
        wait_for(in_ledger(house, NAME, 8))
        assert again.terminate()[0] == 0
    assert_mirrors(house)


def test_A10_who_was_displaced_and_can_keep_nothing_says_so(house: Household) -> None:
    with daemon(house) as running:
        follow(running)
        stop(running)
        remove(house, "directory")
        with daemon(house) as second:
            second.is_following()
            resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (16384, 16384))  # no ledger is that small
            running.process.send_signal(signal.SIGCONT)
            _, said = running.process.communicate(timeout=60)
            assert running.process.returncode == 75
            assert not displaced(house)
            error = said.decode().rpartition("error: ")[2]
            assert f"syncd with pid {second.pid} holds the ledger" in error
            assert "could not be kept: " in error
            assert second.terminate()[0] == 0


def syncd_health(house: Household) -> list[bytes]:
    (log,) = house.state_dir.parent.glob("**/health.log")
    return log.read_bytes().splitlines()


def test_A10_a_ledger_that_came_and_was_left_meanwhile_is_taken_and_the_former_one_kept(house: Household) -> None:
    with daemon(house) as running:
        follow(running)
        stop(running)
        remove(house, "directory")
        assert syncd(house, "run", "--once")[0] == 0
        running.process.send_signal(signal.SIGCONT)
        (kept,) = [running.has_said("ledger_displaced")["kept_as"]]
        assert kept in running.has_said("paused")["reason"]
        running.has_said("resumed")
        house.append(NAME, message(7))
        wait_for(in_ledger(house, NAME, 8))
        assert syncd(house, "run", "--once")[0] == 75
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert has_pruned(Path(kept))


@pytest.mark.parametrize("what", ["lock", "files", "directory"])
def test_A10_runs_that_come_at_once_lose_nothing_whoever_wins(house: Household, what: str) -> None:
    with daemon(house) as running:
        follow(running)
        remove(house, what)
        house.append(NAME, message(7))
        wait_for(lambda: syncd(house, "run", "--once")[0] == 75 or running.process.poll() is not None)
        for number in range(8, 12):
            lock_path(house.ledger_path).unlink(missing_ok=True)
            house.append(NAME, message(number))
            wait_for(lambda: syncd(house, "run", "--once")[0] == 75 or running.process.poll() is not None)
        code = running.process.poll() if running.process.poll() is not None else running.terminate()[0]
        assert code in ((0,) if what == "lock" else (0, 1, 75))
    assert syncd(house, "run", "--once")[0] == 0
    assert_mirrors(house)
    assert_sound(house.ledger_path)
    (kept,) = [path for path in (house.ledger_path, *displaced(house)) if _knows_pruned(path)]
    assert has_pruned(kept)


def _knows_pruned(path: Path) -> bool:
    return any(row.name == name_of(2) for row in transcripts(path))


def test_A10_a_directory_that_went_with_its_disk_is_not_made_on_another(house: Household) -> None:
    with on_a_small_disk(house, "16m") as (running, inside):
        place = house.ledger_path.parent
        wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0)
        subprocess.run([*inside, "umount", "-l", place], check=True)
        assert running.has_said("paused")["type"] == "ledger_gone"
        running.has_said("paused")
        listed = [*inside, "ls", "-A", str(place)]
        # Only what tells how it is; while that is replaced, its successor lies beside it.
        wait_for(lambda: subprocess.check_output(listed) == b"ledger.db.beat.json\n")
        code, told = syncd(house, "status", prefix=inside)
        assert (code, told["state"], told["pid"]) == (4, "running", running.pid)
        assert "ledger_gone" in [item["code"] for item in told["degraded"]]
        found = [item["code"] for item in syncd(house, "doctor", prefix=inside)[1]["findings"]]
        assert "ledger_gone" in found
        assert "no_ledger" not in found
        assert running.terminate()[0] == 0
    assert syncd(house, "status")[1]["state"] == "stopped"
