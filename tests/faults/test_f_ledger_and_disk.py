"""FAULTS.md F: the disk and the ledger itself. One clear message, the right exit code, all of it caught up later."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from syncd.errors import LedgerError
from tests.conftest import CHECKOUT, Result
from tests.daemon.process import held_by_another
from tests.mirror.household import Household, message, name_of, require_root, transcript
from tests.mirror_checks import assert_mirrors, mirrored, query, transcript_at, transcripts

NAME = name_of(1)


def _environ(house: Household) -> dict[str, str]:
    return {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)}


# $1 the ledger's directory, $2 python, $3 where outcomes go, $4 options of the mount: a run on a small disk, what is in
# the ledger then, and a second run after the disk has grown.
SMALL_DISK = """
mount -t tmpfs -o "$4" tmpfs "$1" || exit 99
"$2" -m syncd run --once --json > "$3/full.out" 2> "$3/full.err"; echo $? > "$3/full.code"
"$2" -c 'import sys, apsw
connection = apsw.Connection(sys.argv[1])
print(connection.pragma("integrity_check"), connection.execute("SELECT count(*) FROM sqlite_master").get)' \
  "$1/ledger.db" > "$3/check" 2>&1
"$2" -m syncd run --once --json > "$3/again.out" 2> "$3/again.err"; echo $? > "$3/again.code"
mount -o remount,size=200m,nr_inodes=1000 "$1"
"$2" -m syncd run --once --json > "$3/grown.out" 2> "$3/grown.err"; echo $? > "$3/grown.code"
"$2" -m syncd verify --json > "$3/verify.out" 2> "$3/verify.err"; echo $? > "$3/verify.code"
"""


def _on_a_small_disk(house: Household, tmp_path: Path, options: str) -> dict[str, Result]:
    require_root()
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare, for a mount that nobody else sees")
    house.ledger_path.parent.mkdir(mode=0o700)
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", SMALL_DISK, "sh", house.ledger_path.parent, sys.executable, tmp_path, options],
        env=_environ(house),
        capture_output=True,
        check=False,
    )
    if done.returncode == 99 or b"unshare" in done.stderr:
        pytest.skip(f"no private mount here: {done.stderr.decode().strip()[:200]}")
    return {
        name: Result(
            int((tmp_path / f"{name}.code").read_text()),
            (tmp_path / f"{name}.out").read_bytes(),
            (tmp_path / f"{name}.err").read_text(),
        )
        for name in ("full", "again", "grown", "verify")
    }


@pytest.mark.parametrize("size", ["64k", "256k", "600k", "1m", "3m", "6m"])
def test_F1_a_full_disk_is_one_message_and_all_of_it_is_there_once_there_is_space(
    house: Household, tmp_path: Path, size: str
) -> None:
    rng = random.Random(size)
    for number in range(1, 8):
        texts = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz ", k=3000)) for _ in range(300)]
        lines = [message(index + 2, text) for index, text in enumerate(texts)]
        house.write(name_of(number), transcript(number, 1) + b"".join(lines))
    results = _on_a_small_disk(house, tmp_path, f"size={size}")
    for outcome in (results["full"], results["again"]):
        assert outcome.exit_code == 1, outcome
        error = outcome.json["error"]
        assert error["type"] in {"ledger_full", "ledger"}, error
        assert str(house.ledger_path) in error["message"]
        assert error["hint"]
        assert "Traceback" not in outcome.stderr
    check = (tmp_path / "check").read_text()
    assert check.startswith("ok") or "unable to open" in check, check
    assert results["grown"].exit_code == 0, results["grown"]
    assert results["grown"].json["ok"] is True
    assert results["verify"].exit_code == 0
    assert (results["verify"].json["transcripts"], results["verify"].json["differences"]) == (7, [])


def test_F14_no_inode_left_is_one_message_and_caught_up_later(house: Household, tmp_path: Path) -> None:
    house.write(NAME, transcript(1, 20))
    results = _on_a_small_disk(house, tmp_path, "size=50m,nr_inodes=3")
    for outcome in (results["full"], results["again"]):
        error = outcome.json["error"]
        assert (outcome.exit_code, error["type"]) == (1, "ledger"), outcome
        assert str(house.ledger_path) in error["message"]
        assert "disk" in error["hint"]
        assert "Traceback" not in outcome.stderr
    assert results["grown"].exit_code == 0
    assert results["verify"].exit_code == 0


def test_F3_a_ledger_locked_by_another_process_is_exit_1_after_a_bounded_wait(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    house.append(NAME, message(5))
    with held_by_another(house):
        done = subprocess.run(
            [sys.executable, "-m", "syncd", "run", "--once", "--json"],
            env=_environ(house),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 1
        assert json.loads(done.stdout)["error"]["type"] == "ledger_busy"
    mirrored(house)


def test_F3_a_ledger_that_is_freed_in_time_is_waited_for(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    house.append(NAME, message(5))
    hold = """
import sqlite3, sys, threading
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
threading.Event().wait(2)
"""
    with subprocess.Popen([sys.executable, "-c", hold, house.ledger_path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        mirrored(house)


def test_F4_a_reader_with_an_old_snapshot_stops_nothing(house: Household) -> None:
    import apsw

    house.write(NAME, transcript(1, 4))
    mirrored(house)
    reader = apsw.Connection(str(house.ledger_path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM entries").get == 5
        for number in range(5, 40):
            house.append(NAME, message(number, "x" * 5000))
            house.catch_up()
        assert reader.execute("SELECT count(*) FROM entries").get == 5
        wal = house.ledger_path.with_name("ledger.db-wal")
        assert wal.stat().st_size > 0, "while somebody reads, it stays"
    finally:
        reader.close()
    assert_mirrors(house)
    house.append(NAME, message(40))
    house.catch_up()
    assert not wal.exists(), "and goes with the next one who writes"
    assert_mirrors(house)


def _damage_found(look: Callable[[], object]) -> LedgerError | None:
    try:
        look()
    except LedgerError as error:
        return error
    return None


@pytest.mark.parametrize("seed", range(6))
def test_F5_flipped_bits_are_named_as_damage_and_never_end_in_a_crash(
    house: Household, tmp_path: Path, seed: int
) -> None:
    """Whatever is flipped: the ledger says that it is damaged, or it works; no other end."""
    rng = random.Random(seed)
    for number in range(1, 12):
        house.write(name_of(number), transcript(number, 60))
    mirrored(house)
    whole = house.ledger_path.read_bytes()
    for number in range(1, 12):
        house.append(name_of(number), message(99, "more " * 200))
        house.put(name_of(number), b"#", len(transcript(number, 20)))
    found = 0
    for _ in range(25):
        damaged = bytearray(whole)
        for _ in range(rng.choice([1, 8, 200])):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        house.ledger_path.write_bytes(damaged)
        for sidecar in ("ledger.db-wal", "ledger.db-shm"):
            house.ledger_path.with_name(sidecar).unlink(missing_ok=True)
        for look in (house.catch_up, house.verify):
            if (damage := _damage_found(look)) is not None:
                assert (str(house.ledger_path) in damage.title, bool(damage.hint)) == (True, True), damage
                found += 1
    assert found, "some of the damage was in pages that are read"
    house.ledger_path.write_bytes(whole)
    for sidecar in ("ledger.db-wal", "ledger.db-shm"):
        house.ledger_path.with_name(sidecar).unlink(missing_ok=True)
    mirrored(house)


def _killed_with_a_long_log(house: Household) -> Path:
    """A run that dies while most of what it has committed is in the log alone."""
    for number in range(1, 31):
        house.write(name_of(number), transcript(number, 1500))
    process = subprocess.Popen(
        [sys.executable, "-m", "syncd", "run", "--once", "--json"], env=_environ(house), stdout=subprocess.DEVNULL
    )
    wal = house.ledger_path.with_name("ledger.db-wal")
    pause = threading.Event()
    while process.poll() is None and not (wal.exists() and wal.stat().st_size > 4 << 20):
        pause.wait(0.002)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it was at work"
    return wal


def test_F6_a_log_lost_after_a_kill_is_an_older_state_and_the_gap_is_read_again(house: Household) -> None:
    _killed_with_a_long_log(house).unlink()
    house.ledger_path.with_name("ledger.db-shm").unlink()
    assert mirrored(house).bytes > 0
    assert len(transcripts(house.ledger_path)) == 30


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9])
def test_F5_flipped_bits_in_the_log_are_an_older_state_and_the_gap_is_read_again(house: Household, part: float) -> None:
    """In its head, or some way into it: SQLite believes a log up to the first frame whose checksum does not fit."""
    wal = _killed_with_a_long_log(house)
    with wal.open("r+b") as file:
        file.seek(round(wal.stat().st_size * part) + 20)
        flipped = bytes(each ^ 0x55 for each in file.read(16))
        file.seek(-len(flipped), os.SEEK_CUR)
        file.write(flipped)
    house.ledger_path.with_name("ledger.db-shm").unlink()  # its index, which a power cut takes too
    assert mirrored(house).bytes > 0
    assert len(transcripts(house.ledger_path)) == 30
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}


def test_F7_an_older_ledger_put_back_catches_up_without_doubling(house: Household, tmp_path: Path) -> None:
    versions = [transcript(1, 4), transcript(1, 8), transcript(1, 2) + message(9)]
    for number, content in enumerate(versions):
        house.write(NAME, content)
        mirrored(house)
        shutil.copy(house.ledger_path, tmp_path / f"{number}.db")
    for number in (0, 1, 2):
        shutil.copy(tmp_path / f"{number}.db", house.ledger_path)
        mirrored(house)
        assert transcript_at(house.ledger_path, NAME).bytes == len(versions[-1])


def test_F9_a_write_error_of_the_disk_is_one_message_and_caught_up_later(house: Household) -> None:
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    for number in range(1, 5):
        house.write(name_of(number), transcript(number, 800))
    for call, error, when in [("pwrite64", "EIO", "6+"), ("fdatasync", "EIO", "2+"), ("pwrite64", "ENOSPC", "9+")]:
        for path in house.ledger_path.parent.glob("ledger.db*"):
            path.unlink()
        inject = f"inject={call}:error={error}:when={when}"
        command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject, sys.executable]
        done = subprocess.run(
            [*command, "-m", "syncd", "run", "--once", "--json"], env=_environ(house), capture_output=True, check=False
        )
        if b"ptrace" in done.stderr.lower():
            pytest.skip(f"strace may not trace here: {done.stderr.decode()[:200]}")
        assert done.returncode == 1, (call, error, done.stdout, done.stderr)
        document = json.loads(done.stdout)
        assert document["error"]["type"] in {"ledger", "ledger_full"}, document
        assert document["error"]["hint"]
        assert b"Traceback" not in done.stderr
        mirrored(house)


@pytest.mark.parametrize(("call", "when"), [("read", 1), ("read", 2), ("read", 3), ("pread64", 1), ("pread64", 2)])
def test_F10_a_read_error_of_one_file_is_named_and_the_others_are_done(house: Household, call: str, when: int) -> None:
    if shutil.which("strace") is None:
        pytest.skip("needs strace")
    for number in range(1, 4):
        house.write(name_of(number), transcript(number, 9000))  # 2 MB: several reads and blocks
    bad = house.path(name_of(2))
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", str(bad), "-e", f"trace={call}"]
    command += ["-e", f"inject={call}:error=EIO:when={when}+", sys.executable, "-m", "syncd"]
    done = subprocess.run([*command, "run", "--once", "--json"], env=_environ(house), capture_output=True, check=False)
    if b"ptrace" in done.stderr.lower():
        pytest.skip(f"strace may not trace here: {done.stderr.decode()[:200]}")
    document = json.loads(done.stdout)
    assert (done.returncode, document["ok"]) == (1, False)
    assert [problem["path"] for problem in document["problems"]] == [str(bad)], document
    for number in (1, 3):
        assert transcript_at(house.ledger_path, name_of(number)).lines == 9001
    mirrored(house)
    assert len(transcripts(house.ledger_path)) == 3
    done = subprocess.run([*command, "verify", "--json"], env=_environ(house), capture_output=True, check=False)
    document = json.loads(done.stdout)
    if document["ok"]:
        assert (call, when) != ("pread64", 1), "verify reads by pread64"
    else:
        assert [difference["path"] for difference in document["differences"]] == [str(bad)], document
    assert_mirrors(house)


def test_F8_a_ledger_of_a_newer_schema_is_78_from_the_command_line_and_untouched(house: Household) -> None:
    import apsw

    house.write(NAME, transcript(1, 4))
    mirrored(house)
    connection = apsw.Connection(str(house.ledger_path))
    connection.pragma("user_version", 999)
    connection.close()
    before = house.ledger_path.read_bytes()
    for args in (("run", "--once"), ("resync",), ("verify",), ("export", NAME), ("sql", "SELECT 1")):
        done = subprocess.run(
            [sys.executable, "-m", "syncd", *args], env=_environ(house), capture_output=True, check=False
        )
        assert done.returncode == 78, (args, done.stderr)
        assert b"newer" in done.stderr
    assert house.ledger_path.read_bytes() == before
    assert query(house.ledger_path, "PRAGMA user_version") == [(999,)]
