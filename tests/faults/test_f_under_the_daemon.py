"""FAULTS.md F while the daemon lives: what befalls ledger, disk or sources is told, borne and made up for."""
# ruff: noqa: N802  the fault's id stands in the test's name

import fcntl
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from tests.conftest import CHECKOUT
from tests.daemon.live import wait_for
from tests.daemon.process import Daemon, daemon, environ, in_ledger, longer_pauses, rows, syncd
from tests.daemon.test_alarms import read_by_another
from tests.daemon.test_health import configure, lines_of
from tests.faults.disk_image import ext4_for_the_ledger
from tests.faults.test_f_pause import _is_traced
from tests.mirror.household import Household, household, message, messages, name_of, require_root, transcript
from tests.mirror_checks import assert_mirrors, assert_sound, exported, query, transcripts

NAME = name_of(1)
EXT4_IOC_SHUTDOWN, NO_FLUSH = 0x8004587D, 2
UNPRIVILEGED = (sys.executable, str(CHECKOUT / "tests" / "mirror" / "unprivileged.py"))


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    configure(made)
    return made


def codes(house: Household, inside: tuple[str, ...] = ()) -> list[str]:
    return [item["code"] for item in syncd(house, "status", prefix=inside)[1]["degraded"]]


@contextmanager
def injected(running: Daemon, *options: str) -> Iterator[None]:
    """strace of the daemon, which changes what its calls do; gone after the block."""
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-p", str(running.pid), *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as tracer:
        wait_for(lambda: _is_traced(running.pid) or tracer.poll() is not None)
        if tracer.poll() is not None:
            pytest.skip("strace may not trace here")
        try:
            yield
        finally:
            tracer.send_signal(signal.SIGINT)


@contextmanager
def on_a_small_disk(house: Household, size: str) -> Iterator[tuple[Daemon, tuple[str, ...]]]:
    """A daemon whose ledger has a disk of its own, and the prefix of whoever wants to see that disk."""
    require_root()
    house.ledger_path.parent.mkdir(mode=0o700)
    script = f'mount -t tmpfs -o size={size} tmpfs "$0" && exec "$@"'
    prefix = ("unshare", "-m", "sh", "-c", script, str(house.ledger_path.parent))
    if shutil.which("nsenter") is None or subprocess.run([*prefix, "true"], check=False).returncode:
        pytest.skip("needs a mount namespace of its own: unshare, nsenter and the right to mount")
    with daemon(house, prefix=prefix) as running:
        running.has_said("following")
        yield running, ("nsenter", "-t", str(running.pid), "-m")


def test_F2_a_disk_that_others_fill_while_the_ledger_is_open_is_a_pause(house: Household) -> None:
    """Also where only the log can be written and not the ledger it is to be moved into."""
    with on_a_small_disk(house, "64m") as (running, inside):
        ballast = house.ledger_path.parent / "ballast"
        for number in range(2, 30):  # some megabytes in the log, not all of it moved into the ledger yet
            house.write(name_of(number), transcript(number, 1) + message(2, os.urandom(60_000).hex()))
        wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0)
        subprocess.run([*inside, "sh", "-c", f'cat /dev/zero > "{ballast}"'], check=False, capture_output=True)
        for number in range(30, 60):
            house.write(name_of(number), transcript(number, 1) + message(2, os.urandom(60_000).hex()))
        assert running.has_said("paused")["type"] in {"ledger_full", "ledger"}
        wait_for(lambda: {"ledger_full", "ledger", "disk_low"} & set(codes(house, inside)))
        assert running.process.poll() is None
        subprocess.run([*inside, "rm", str(ballast)], check=True)
        running.has_said("resumed")
        wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0)
        assert syncd(house, "ledger", "check", prefix=inside)[0] == 0
        assert running.terminate()[0] == 0


def test_F4_a_snapshot_held_for_long_stops_nothing_and_the_log_is_emptied_after_it(house: Household) -> None:
    assert syncd(house, "run", "--once")[0] == 0
    wal = house.ledger_path.with_name("ledger.db-wal")
    with daemon(house) as running:
        running.is_following()
        with read_by_another(house):
            for number in range(6, 46):
                house.append(NAME, message(number, os.urandom(50_000).hex()))
            wait_for(in_ledger(house, NAME, 46))
            wait_for(lambda: wal.stat().st_size == syncd(house, "status")[1]["wal_bytes"])
            grown = wal.stat().st_size
            assert grown > 2 << 20
        for number in range(46, 60):  # the next checkpoint moves all of it, and the log begins anew
            house.append(NAME, message(number, os.urandom(50_000).hex()))
        wait_for(in_ledger(house, NAME, 60))
        for number in range(60, 140):
            house.append(NAME, message(number, os.urandom(50_000).hex()))
        wait_for(in_ledger(house, NAME, 140))
        assert wal.stat().st_size < 3 * grown, "it does not grow with what is written"
        assert running.terminate()[0] == 0
    assert_mirrors(house)


@pytest.mark.parametrize("gone", ["-wal", "-shm", "", "all"])
def test_F6_files_deleted_under_the_daemon_lose_nothing_that_only_the_ledger_had(house: Household, gone: str) -> None:
    pruned = transcript(2, 4)
    house.write(name_of(2), pruned)
    with daemon(house) as running:
        running.is_following()
        house.path(name_of(2)).unlink()  # only the ledger has it now
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        for suffix in {"": [""], "all": ["", "-wal", "-shm"]}.get(gone, gone.split()):
            house.ledger_path.with_name(f"ledger.db{suffix}").unlink()
        house.append(NAME, message(7))
        assert running.has_said("paused")["type"] == "ledger_moved"
        running.has_said("resumed")
        wait_for(in_ledger(house, NAME, 8))
        house.append(NAME, message(8))
        wait_for(in_ledger(house, NAME, 9))
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert_sound(house.ledger_path)
    (kept,) = [row for row in transcripts(house.ledger_path) if row.name == name_of(2)]
    assert exported(house.ledger_path, kept.id, kept.generation) == pruned


def test_F6_a_ledger_that_is_deleted_while_its_disk_is_full_is_put_back_once_there_is_space(house: Household) -> None:
    """Until then nothing begins in its place, and nobody is told that all is well."""
    pruned = transcript(2, 4)
    house.write(name_of(2), pruned)
    with on_a_small_disk(house, "16m") as (running, inside):
        place = house.ledger_path.parent
        house.path(name_of(2)).unlink()  # only the ledger has it now
        wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0, 30)
        fill_and_delete = f'rm "{house.ledger_path}"; cat /dev/zero > "{place}/ballast"'
        subprocess.run([*inside, "sh", "-c", fill_and_delete], check=False, capture_output=True)
        reasons = [running.has_said("paused")["type"] for _ in range(3)]
        assert reasons[1:] == ["ledger_gone"] * 2  # what was just being written may find the disk full before that
        assert reasons[0] in ("ledger_gone", "ledger_full")
        assert "ledger_gone" in codes(house, inside)
        assert subprocess.run([*inside, "test", "-e", house.ledger_path], check=False).returncode == 1
        subprocess.run([*inside, "rm", f"{place}/ballast"], check=True)
        running.has_said("resumed")
        house.append(NAME, message(6))
        wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0, 30)
        told = subprocess.run([*inside, sys.executable, "-m", "syncd", "export", name_of(2)],
                              env=environ(house), capture_output=True, check=True)  # fmt: skip
        assert told.stdout == pruned
        assert running.terminate()[0] == 0


def test_F7_an_older_ledger_put_in_its_place_under_the_daemon_is_caught_up(house: Household, tmp_path: Path) -> None:
    assert syncd(house, "run", "--once")[0] == 0
    shutil.copy(house.ledger_path, tmp_path / "older.db")
    with daemon(house) as running:
        running.is_following()
        house.append(NAME, messages(6, 9))
        house.write(name_of(2), transcript(2, 3))
        wait_for(in_ledger(house, name_of(2), 4))
        (tmp_path / "older.db").replace(house.ledger_path)
        assert running.has_said("paused")["type"] == "ledger_moved"
        running.has_said("resumed")
        wait_for(in_ledger(house, NAME, 10))
        wait_for(in_ledger(house, name_of(2), 4))
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}


def test_F8_a_daemon_refuses_a_newer_ledger_with_78_and_leaves_it(house: Household) -> None:
    assert syncd(house, "run", "--once")[0] == 0
    connection = apsw.Connection(str(house.ledger_path))
    connection.pragma("user_version", 999)
    connection.close()
    before = house.ledger_path.read_bytes()
    refused = Daemon(house)
    _, said = refused.process.communicate(timeout=60)
    assert (refused.process.returncode, b"newer" in said) == (78, True)
    assert house.ledger_path.read_bytes() == before


def test_F9_a_disk_that_goes_away_is_a_pause_until_it_is_mounted_again(house: Household, tmp_path: Path) -> None:
    """A real ext4 that is shut down under the daemon, as a disk that was pulled out: every call fails from then on."""
    image, ledgers = tmp_path / "image", house.ledger_path.parent
    prefix = ext4_for_the_ledger(house, image)
    with daemon(house, prefix=prefix) as running:
        running.has_said("following")
        inside = ("nsenter", "-t", str(running.pid), "-m")
        directory = os.open(f"/proc/{running.pid}/root{ledgers}", os.O_RDONLY)
        try:
            fcntl.ioctl(directory, EXT4_IOC_SHUTDOWN, struct.pack("I", NO_FLUSH))
        except OSError as error:
            pytest.skip(f"this kernel does not shut an ext4 down: {error}")
        finally:
            os.close(directory)
        house.append(NAME, messages(6, 8))
        house.write(name_of(2), transcript(2, 3))
        assert {said["type"] for said in longer_pauses(running)} <= {"ledger", "ledger_moved"}
        subprocess.run([*inside, "umount", "-l", ledgers], check=True)
        shutil.copy(image, tmp_path / "again")  # the kernel would give the same dead file system for the same image
        subprocess.run([*inside, "mount", "-o", "loop", tmp_path / "again", ledgers], check=True)
        running.has_said("resumed")
        wait_for(lambda: syncd(house, "verify", prefix=inside)[0] == 0)
        assert syncd(house, "ledger", "check", prefix=inside)[0] == 0
        assert running.terminate()[0] == 0


@pytest.mark.parametrize("call", ["read", "pread64"])
def test_F10_a_source_that_cannot_be_read_backs_off_and_the_others_go_on(house: Household, call: str) -> None:
    house.write(name_of(2), transcript(2, 3))
    with daemon(house) as running:
        running.is_following()
        bad = str(house.path(NAME))
        with injected(running, "-P", bad, "-e", f"trace={call}", "-e", f"inject={call}:error=EIO"):
            house.append(NAME, message(6))
            house.append(name_of(2), message(4))
            wait_for(in_ledger(house, name_of(2), 5))
            wait_for(lambda: codes(house) == ["unreadable"])
            (item,) = syncd(house, "status")[1]["degraded"]
            assert (item["path"], bool(item["hint"])) == (bad, True)
            looks, beats = _looks(house), len(lines_of(house))
            wait_for(lambda: len(lines_of(house)) >= beats + 10)
            assert _looks(house) - looks < 20, "it waits longer each time; else there were hundreds"
        house.append(NAME, message(7))  # looked at at once, not when the next retry is due
        wait_for(in_ledger(house, NAME, 8))
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def _looks(house: Household) -> int:
    return int(syncd(house, "status")[1]["daemon"]["looks"])


@pytest.mark.parametrize("what", ["file", "directory"])
def test_F11_permission_lost_and_given_back_goes_on_where_it_stopped(house: Household, what: str) -> None:
    house.write(name_of(2), transcript(2, 3))
    lost = house.path(NAME) if what == "file" else house.sessions()
    with daemon(house, prefix=UNPRIVILEGED) as running:
        running.is_following()
        mode = lost.stat().st_mode & 0o777
        try:
            lost.chmod(0)
            with open(house.path(NAME), "ab") as file:  # root's write: modes bind the daemon alone
                file.write(message(6))
            wait_for(lambda: "unreadable" in codes(house))
        finally:
            lost.chmod(mode)
        wait_for(in_ledger(house, NAME, 7))
        wait_for(lambda: syncd(house, "status")[0] == 0)
        assert {row.state for row in rows(house)} == {"live"}
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}


@pytest.mark.parametrize(
    ("kind", "is_refused"), [("nfs4", True), ("cifs", True), ("fuse.sshfs", True), ("ext4", False)]
)
def test_F12_a_ledger_on_a_network_file_system_is_refused_and_nothing_is_made(
    house: Household, tmp_path: Path, kind: str, *, is_refused: bool
) -> None:
    """The kernel's list of mounts as such a machine has it, laid over that of this one process."""
    require_root()
    mounts = tmp_path / "mountinfo"
    place = str(house.ledger_path.parent).replace(" ", "\\040")
    real = Path("/proc/self/mountinfo").read_text()
    mounts.write_text(f"{real}999 1 0:99 / {place} rw,relatime shared:1 - {kind} server:/export rw\n")
    script = 'mount --bind "$0" "/proc/$$/mountinfo" || exit 99; exec "$@"'
    command = ["unshare", "-m", "sh", "-c", script, str(mounts), sys.executable, "-m", "syncd"]
    for verb in (("run",), ("run", "--once"), ("resync",)) if is_refused else (("run", "--once"),):
        done = subprocess.run(
            [*command, *verb, "--json"], env=environ(house), capture_output=True, check=False, timeout=60
        )
        if done.returncode == 99:
            pytest.skip("the list of mounts cannot be laid over here")
        if not is_refused:
            assert done.returncode == 0, done.stderr
            return
        error = json.loads(done.stdout)["error"]
        assert (done.returncode, error["type"]) == (78, "config")
        assert f"({kind})" in error["message"]
        assert "local disk" in error["hint"]
    assert not house.ledger_path.parent.exists()


def test_F13_the_sqlite_that_is_used_is_free_of_the_wal_reset_bug() -> None:
    """It came with 3.7.0 and went with 3.51.3; apsw brings its own, whatever the system has."""
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)
    project = (CHECKOUT / "pyproject.toml").read_text()
    assert '"apsw>=3.54,' in project


def test_F15_a_disk_that_syncs_slowly_delays_and_loses_nothing(house: Household) -> None:
    with daemon(house) as running:
        running.is_following()
        with injected(running, "-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=1500000"):
            for number in range(6, 206):
                house.append(NAME, message(number))
                house.write(name_of(number), transcript(number, 1))
            # What comes while it waits for the disk is committed together: each alone would take five minutes and more.
            wait_for(in_ledger(house, NAME, 206))
            wait_for(lambda: len(rows(house)) == 201)
        wait_for(lambda: syncd(house, "status")[0] == 0)
        wait_for(lambda: syncd(house, "status")[1]["daemon"]["taken_lines"] == 600)  # what it said before is older
        told = syncd(house, "status")[1]["daemon"]
        assert told["latency_p99_ms"] > 1000, "and it says so"
        assert running.terminate()[0] == 0
    assert_mirrors(house)
    assert query(house.ledger_path, "SELECT max(generation) FROM transcripts") == [(1,)]
