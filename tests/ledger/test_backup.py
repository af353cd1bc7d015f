"""Backups: whole, consistent and private, also while a writer is active, and never half a file."""

import os
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerCorrupt, UserError
from syncd.ledger import backup as backup_module
from syncd.ledger.backup import Backup, back_up, usual_place
from syncd.ledger.check import check
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUpOptions, catch_up
from syncd.paths import put_on_disk
from tests.conftest import CHECKOUT
from tests.mirror.household import HandClock, Household, header, household, message, name_of, transcript
from tests.mirror_checks import exported, transcripts
from tests.mirror_fixtures import genuine


@pytest.fixture
def house(tmp_path: Path) -> Household:
    house = household(tmp_path)
    for count in (5, 3):
        house.write(name_of(1), transcript(1, count))
        house.catch_up()
    return house


def backed_up(house: Household, target: Path) -> Backup:
    with open_for_reading(house.ledger_path) as ledger:
        return back_up(ledger, target)


def test_a_backup_holds_all_that_the_ledger_holds(tmp_path: Path) -> None:
    house = genuine(tmp_path, "2026.5.7")
    target = tmp_path / "copies" / "copy.db"
    made = backed_up(house, target)
    assert (made.path, made.bytes) == (target, target.stat().st_size)
    assert _dump(target) == _dump(house.ledger_path)
    with open_for_reading(target) as copy:
        assert check(copy, is_quick=False).findings == []


def _dump(path: Path) -> list[object]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
        ]
        rows = [(name, list(connection.execute(f'SELECT * FROM "{name}" ORDER BY 1'))) for name in names]
        return [connection.pragma("user_version"), connection.pragma("application_id"), rows]
    finally:
        connection.close()


def test_a_backup_is_one_private_file_in_a_private_directory(house: Household, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "er" / "copy.db"
    backed_up(house, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert stat.S_IMODE(target.parent.stat().st_mode) == 0o700
    assert os.listdir(target.parent) == ["copy.db"]


def test_a_backup_can_be_written_to_as_the_ledger(house: Household, tmp_path: Path) -> None:
    backed_up(house, tmp_path / "copy.db")
    restored = Household(house.state_dir, tmp_path / "copy.db")
    restored.write(name_of(2), transcript(2, 2))
    restored.catch_up()
    assert len(transcripts(restored.ledger_path)) == 2
    assert len(transcripts(house.ledger_path)) == 1


def test_the_usual_place_is_named_by_utc_time_to_the_millisecond() -> None:
    place = usual_place(Path("/data/syncd/ledger.db"), 1794802934007)
    assert place == Path("/data/syncd/backups/ledger-20261116T042214.007Z.db")


def test_an_existing_file_is_never_replaced(house: Household, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("mine")
    with pytest.raises(UserError):
        backed_up(house, target)
    dangling = tmp_path / "dangling.db"
    dangling.symlink_to(tmp_path / "nowhere")
    with pytest.raises(UserError):
        backed_up(house, dangling)
    assert target.read_text() == "mine"
    assert dangling.is_symlink()


def test_a_file_that_appears_meanwhile_is_never_replaced(
    house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copies" / "copy.db"

    def and_somebody_writes(file: Path) -> None:
        target.write_text("mine")
        put_on_disk(file)

    monkeypatch.setattr(backup_module, "put_on_disk", and_somebody_writes)
    with pytest.raises(UserError):
        backed_up(house, target)
    assert target.read_text() == "mine"
    assert os.listdir(target.parent) == ["copy.db"]


def test_a_backup_is_one_moment_while_a_writer_goes_on(house: Household, tmp_path: Path) -> None:
    """Every commit adds a line to two transcripts; a copy in which they differ would be of two moments."""
    stop, started, commits, faults = threading.Event(), threading.Event(), [0], []

    def keep_writing() -> None:
        try:
            connection = apsw.Connection(str(house.ledger_path))
            connection.set_busy_timeout(5000)
            while not stop.is_set():
                with connection:
                    connection.execute("INSERT INTO sync_events (at, kind) VALUES (?, 'left')", (commits[0],))
                    connection.execute("INSERT INTO job_runs (started_at, job) VALUES (?, 'right')", (commits[0],))
                commits[0] += 1
                started.set()
            connection.close()
        except BaseException as fault:
            faults.append(fault)
            started.set()
            raise

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        assert started.wait(60)
        counts = []
        for number in range(5):
            before = commits[0]
            made = backed_up(house, tmp_path / f"copy-{number}.db")
            counts.append((before, _count(made.path, "left", "right"), commits[0] + 1))
    finally:
        stop.set()
        writer.join()
    assert faults == []
    for before, (left, right), after in counts:
        assert left == right
        assert before <= left <= after
    assert counts[-1][2] > counts[0][0] + 1, "the writer was held up"


def _count(path: Path, left: str, right: str) -> tuple[int, int]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        query = (
            "SELECT (SELECT count(*) FROM sync_events WHERE kind = ?), (SELECT count(*) FROM job_runs WHERE job = ?)"
        )
        found: tuple[int, int] = next(connection.execute(query, (left, right)))
        return found
    finally:
        connection.close()


def test_a_backup_is_made_beside_an_open_writer_and_its_uncommitted_rows_stay_out(
    house: Household, tmp_path: Path
) -> None:
    house.write(name_of(2), transcript(2, 4))
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        catch_up(ledger, HandClock(), [str(house.state_dir)], CatchUpOptions())
        ledger.run("BEGIN IMMEDIATE")
        ledger.run("DELETE FROM _blocks")
        backed_up(house, tmp_path / "copy.db")
        ledger.run("ROLLBACK")
    assert [row.session_id for row in transcripts(tmp_path / "copy.db")] == [
        row.session_id for row in transcripts(house.ledger_path)
    ]
    assert exported(tmp_path / "copy.db", 2, 1) == transcript(2, 4)


def test_a_damaged_ledger_gives_no_backup(tmp_path: Path) -> None:
    house = household(tmp_path)
    house.write(name_of(1), header(1) + b"".join(message(number, f"{number} " * 9000) for number in range(1, 50)))
    house.catch_up()
    content = bytearray(house.ledger_path.read_bytes())
    for page in range(len(content) // 16384 * 3 // 4 * 16384, len(content), 16384):
        content[page : page + 32] = b"\xa5" * 32
    house.ledger_path.write_bytes(content)
    target = tmp_path / "copies" / "copy.db"
    with pytest.raises(LedgerCorrupt):
        backed_up(house, target)
    assert os.listdir(target.parent) == []


def _backup_under(house: Household, target: Path, shell: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'{shell}; exec "$@"', "sh", sys.executable, "-m", "syncd", "ledger", "backup", str(target)],
        capture_output=True,
        text=True,
        env={**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )


def test_a_limit_on_file_sizes_is_said_plainly_and_leaves_nothing(house: Household, tmp_path: Path) -> None:
    target = tmp_path / "copies" / "copy.db"
    target.parent.mkdir()
    done = _backup_under(house, target, "ulimit -f 64")
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: the backup {target} could not be written: ")
    assert "hint: look at the space on its disk" in done.stderr
    assert os.listdir(target.parent) == []


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs Linux namespaces to make a small disk")
def test_a_full_disk_is_said_plainly_and_leaves_nothing(house: Household, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    may_mount = subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "none", disk], capture_output=True, check=False
    )
    if may_mount.returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    script = 'mount -t tmpfs -o size=256k none "$0" && { "$@"; code=$?; ls -A "$0"; exit $code; }'
    done = subprocess.run(
        [
            "unshare",
            "-rm",
            "sh",
            "-c",
            script,
            disk,
            sys.executable,
            "-m",
            "syncd",
            "ledger",
            "backup",
            disk / "copy.db",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT)},
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"error: no space left for the backup {disk}/copy.db",
        "hint: free some disk space, or name a file on another disk",
    ]
