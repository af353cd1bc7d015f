"""FAULTS.md A for a process that lives on: held, short of memory or files, watched by a failing handler, cut off."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from syncd.daemon.beat import beat_path
from syncd.daemon.dirty import DirtySet
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import catch_up
from tests.daemon.live import catch_up_options, following, wait_for
from tests.daemon.process import CONFIG, Daemon, daemon, environ, in_ledger, syncd
from tests.faults.disk_image import ext4_for_the_ledger, mounted
from tests.mirror.household import (
    HandClock,
    Household,
    household,
    message,
    messages,
    name_of,
    require_root,
    transcript,
)
from tests.mirror_checks import assert_mirrors, assert_sound, query, transcripts
from tests.model.failpoint import Killed, dying_at

NAME = name_of(1)
MEMORY_BYTES = 120 << 20
HELD_SECONDS = 2.0
CGROUPS = (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup"))


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    return made


def test_A3_a_death_at_any_statement_between_reading_and_commit_is_as_if_nothing_was_read(house: Household) -> None:
    house.catch_up()
    house.append(NAME, messages(6, 8))
    deaths = 0
    while True:
        with writer_lock(house.ledger_path):
            ledger = open_for_writing(house.ledger_path)
            try:
                with dying_at(ledger, deaths + 1):
                    catch_up(ledger, HandClock(), [str(house.state_dir)], catch_up_options())
                break
            except Killed:
                deaths += 1
            finally:
                ledger.close()
        assert_sound(house.ledger_path)
    assert deaths > 20
    assert_mirrors(house)
    (row,) = transcripts(house.ledger_path)
    assert (row.lines, row.generation) == (9, 1)


def test_A5_a_process_that_is_held_goes_on_with_all_that_was_written_meanwhile(house: Household) -> None:
    (house.state_dir.parent / "config.yaml").write_text(f"{CONFIG}health: {{interval_seconds: 0.2}}\n")
    with daemon(house) as running:
        running.is_following()
        first = beat_path(house.ledger_path).read_bytes()
        wait_for(lambda: beat_path(house.ledger_path).read_bytes() != first)  # else it beats several times a second
        running.process.send_signal(signal.SIGSTOP)
        wait_for(lambda: _is_stopped(running.pid))
        before = beat_path(house.ledger_path).read_bytes()
        house.append(NAME, messages(6, 40))
        house.write(name_of(2), transcript(2, 3))
        (house.sessions("later") / name_of(3)).write_bytes(transcript(3, 2))
        time.sleep(HELD_SECONDS)
        assert beat_path(house.ledger_path).read_bytes() == before, "nobody feeds a watchdog meanwhile"
        assert [row.lines for row in transcripts(house.ledger_path)] == [6]
        running.process.send_signal(signal.SIGCONT)
        for name, lines in ((NAME, 41), (name_of(2), 4), (name_of(3), 3)):
            wait_for(in_ledger(house, name, lines))
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def _is_stopped(pid: int) -> bool:
    return "\nState:\tT" in Path(f"/proc/{pid}/status").read_text()


@contextmanager
def little_memory() -> Iterator[Path]:
    """A cgroup of this test's own with 120 MB, page cache included; removed again."""
    require_root()
    for root, limit in zip(CGROUPS, ("memory.limit_in_bytes", "memory.max"), strict=True):
        group = root / f"syncd-test-{os.getpid()}"
        if not _is_limited(group, limit):
            continue
        try:
            yield group
        finally:
            wait_for(lambda made=group: not (made / "cgroup.procs").read_text())  # type: ignore[misc]
            group.rmdir()
        return
    pytest.skip("no cgroup with a limit of memory can be made here")


def _is_limited(group: Path, limit: str) -> bool:
    """A new one; False, and there is none, where it cannot be had."""
    try:
        group.mkdir()
    except OSError:
        return False
    try:
        (group / limit).write_text(str(MEMORY_BYTES))
    except OSError:
        group.rmdir()
        return False
    return True


def test_A6_a_line_larger_than_the_memory_there_is_kept_without_a_kill(house: Household) -> None:
    """200 MB of one line, and 120 MB for the whole process."""
    piece = b"x" * (1 << 20)
    with house.path(name_of(2)).open("wb") as file:
        file.write(transcript(2, 1) + b'{"type":"custom","id":"big","data":"')
        for _ in range(200):
            file.write(piece)
        file.write(b'"}\n' + message(3))
    with little_memory() as group:
        script = f'echo $$ > "{group}/cgroup.procs"; exec "$@"'
        command = ["sh", "-c", script, "sh", sys.executable, "-m", "syncd", "run", "--once", "--json"]
        done = subprocess.run(command, env=environ(house), capture_output=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])
    document = json.loads(done.stdout)
    assert (document["transcripts"], document["quarantined"]) == (2, 1)
    assert query(house.ledger_path, "SELECT reason, byte_length > 200e6 FROM quarantine") == [("too_long", 1)]
    assert syncd(house, "verify")[0] == 0


def lasting_descriptors(pid: int) -> set[int]:
    """Those that are not only open for a moment."""
    pause, found = threading.Event(), set(range(1000))
    for _ in range(20):
        found &= {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
        pause.wait(0.01)
    return found


def test_A7_without_a_descriptor_left_it_waits_says_so_and_goes_on(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        opened = lasting_descriptors(running.pid)
        before = resource.prlimit(running.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(running.pid, resource.RLIMIT_NOFILE, (max(opened) + 1, before[1]))
        for gap in set(range(max(opened))) - opened:
            assert gap < 0, "descriptors are given out without gaps"
        house.append(NAME, message(6))
        house.write(name_of(2), transcript(2, 2))
        wait_for(lambda: "shortage" in {each["code"] for each in syncd(house, "status")[1]["degraded"]})
        assert syncd(house, "status")[1]["behind_bytes"] == len(message(6) + transcript(2, 2))
        assert running.process.poll() is None
        resource.prlimit(running.pid, resource.RLIMIT_NOFILE, before)
        wait_for(in_ledger(house, NAME, 7))
        wait_for(in_ledger(house, name_of(2), 3))
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert len(os.listdir(f"/proc/{running.pid}/fd")) <= len(opened) + 5
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_A8_a_handler_that_raises_ends_no_watching(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, raised = DirtySet.add, 0

    def failing(dirty: DirtySet, path: str) -> None:
        nonlocal raised
        if raised < 3:
            raised += 1
            raise RuntimeError("a fault of the handler")
        usual(dirty, path)

    monkeypatch.setattr(DirtySet, "add", failing)
    with following(house) as live:
        house.append(NAME, message(6))
        house.write(name_of(2), transcript(2, 2))
        live.has_lines(NAME, 7)
        live.has_lines(name_of(2), 3)
        house.write(name_of(3), transcript(3, 2))
        live.has_lines(name_of(3), 3)
        assert raised == 3
        assert live.loop.watcher.rebuilds == 0
        assert live.loop.watcher.mode == "events"


def test_A10_a_second_one_that_reaches_the_ledger_by_a_mount_of_its_file_is_75(
    house: Household, tmp_path: Path
) -> None:
    require_root()
    assert syncd(house, "run", "--once")[0] == 0
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "ledger.db").touch()
    script = 'mount --bind "$1" "$2" || exit 99; shift 2; exec "$@"'
    command = ["unshare", "-m", "sh", "-c", script, "sh", str(house.ledger_path), str(other / "ledger.db")]
    with daemon(house) as running:
        running.is_following()
        env = {**environ(house), "SYNCD_LEDGER": str(other / "ledger.db")}
        for verb in (("run", "--once"), ("resync",)):
            done = subprocess.run(
                [*command, sys.executable, "-m", "syncd", *verb, "--json"], env=env, capture_output=True, check=False
            )
            if done.returncode == 99 or shutil.which("unshare") is None:
                pytest.skip("needs a mount of its own: unshare, and the right to mount")
            assert done.returncode == 75, done
            assert json.loads(done.stdout)["error"]["type"] == "already_running"
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def test_A12_a_power_cut_loses_nothing_that_was_committed(house: Household, tmp_path: Path) -> None:
    """The disk's image as it is at a moment, without what is only in memory, is what a power cut leaves."""
    image, cuts = tmp_path / "image", 0
    prefix = ext4_for_the_ledger(house, image)
    with daemon(house, prefix=prefix) as running:
        running.has_said("following")
        inside = ("nsenter", "-t", str(running.pid), "-m")
        for number in range(6, 10):
            house.append(NAME, messages(20 * number, 20 * number + 19))
            house.write(name_of(number), transcript(number, 30))
            wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0)
            committed = _entries(house, inside)
            house.append(NAME, messages(1000 * number, 1000 * number + number))  # it is at this when the power goes
            running.process.send_signal(signal.SIGSTOP)
            cut = tmp_path / f"cut-{number}"
            subprocess.run(["cp", "--sparse=always", image, cut], check=True)
            running.process.send_signal(signal.SIGCONT)
            cuts += _is_whole_after(house, cut, committed)
            cut.unlink()
        assert running.terminate()[0] == 0
    assert cuts == 4


def _entries(house: Household, inside: tuple[str, ...]) -> int:
    _, rows = syncd(house, "sql", "SELECT count(*) AS entries FROM entries", prefix=inside)
    return int(rows[0]["entries"])


def _is_whole_after(house: Household, image: Path, committed: int) -> bool:
    """Mounted again, which replays the file system's own journal: every commit is there, and a run catches up."""
    prefix = mounted(house, image)
    assert syncd(house, "ledger", "check", prefix=prefix)[0] == 0
    assert _entries(house, prefix) >= committed
    assert syncd(house, "run", "--once", prefix=prefix)[0] == 0
    code, document = syncd(house, "verify", prefix=prefix)
    assert (code, document["differences"]) == (0, [])
    found = syncd(house, "sql", "SELECT max(generation) AS newest FROM transcripts", prefix=prefix)[1]
    return bool(found[0]["newest"] == 1)


def test_A9_a_second_daemon_is_refused_and_the_ledger_left_as_it_is(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        second = Daemon(house)
        _, said = second.process.communicate(timeout=60)
        assert second.process.returncode == 75
        assert str(running.pid).encode() in said
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        assert running.terminate()[0] == 0
    assert_mirrors(house)
