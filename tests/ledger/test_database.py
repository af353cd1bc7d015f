"""Opening the ledger: private, durable, never made by a reader, and every damage said in words."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FunctionType

import apsw
import pytest

from syncd.errors import LedgerBusy, LedgerCorrupt, LedgerError
from syncd.ledger import transaction
from syncd.ledger.database import PAGE_BYTES, Ledger, open_for_reading, open_for_writing
from syncd.ledger.faults import translate
from syncd.ledger.transaction import writing
from tests.ledger.scratch import scratch_ledger, scratch_writer, started
from tests.mirror.household import header, messages
from tests.other_user import as_another_user, common_place, give_away

Opener = Callable[[Path], Ledger]


def filled(directory: Path) -> Path:
    """A ledger of some dozens of pages."""
    with scratch_ledger(directory) as ledger, scratch_writer(ledger) as writer:
        writer.append(started(writer), header(1) + messages(1, 3000))
        writer.flush()
    return directory / "ledger.db"


def modes(directory: Path) -> dict[str, int]:
    return {item.name: item.stat().st_mode & 0o777 for item in directory.iterdir()}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_every_file_is_0600_and_the_directory_0700_from_the_first_moment(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        path = tmp_path / "deep" / "syncd" / "ledger.db"
        with open_for_writing(path) as ledger:
            ledger.run("INSERT INTO job_runs (job, started_at) VALUES ('x', 1)")
            assert modes(path.parent) == {"ledger.db": 0o600, "ledger.db-wal": 0o600, "ledger.db-shm": 0o600}
        assert path.parent.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


def test_a_commit_that_was_reported_survives_a_power_cut(tmp_path: Path) -> None:
    """WAL with FULL: SQLite syncs the log before it reports."""
    with open_for_writing(tmp_path / "ledger.db") as ledger:
        asked = ("journal_mode", "synchronous", "page_size", "foreign_keys", "trusted_schema", "mmap_size")
        found = {name: (ledger.row(f"PRAGMA {name}") or (None,))[0] for name in asked}
    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "page_size": PAGE_BYTES,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "mmap_size": 0,
    }


def test_the_driver_carries_an_sqlite_without_the_wal_reset_bug() -> None:
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)


def test_a_reader_makes_no_ledger_and_no_directory(tmp_path: Path) -> None:
    path = tmp_path / "none" / "ledger.db"
    with pytest.raises(LedgerError, match=f"there is no ledger at {path} yet") as refusal:
        open_for_reading(path)
    assert "syncd run --once" in refusal.value.hint
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO job_runs (job, started_at) VALUES ('x', 1)",
        "UPDATE transcripts SET bytes = 0",
        "DELETE FROM entries",
        "DROP TABLE entries",
        "CREATE TABLE more (x)",
        "PRAGMA user_version = 7",
    ],
)
def test_a_reader_cannot_write(tmp_path: Path, statement: str) -> None:
    path = filled(tmp_path)
    before = path.read_bytes()
    with open_for_reading(path) as ledger:
        with pytest.raises(LedgerError, match=r"readonly|read-only"):
            ledger.run(statement)
        ledger.run("PRAGMA query_only = OFF")
        with pytest.raises(LedgerError, match=r"readonly|read-only"):
            ledger.run(statement)
    assert path.read_bytes() == before


def test_a_reader_sees_what_a_writer_commits(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "ledger.db") as writer, open_for_reading(tmp_path / "ledger.db") as reader:
        assert reader.row("SELECT count(*) FROM job_runs") == (0,)
        writer.run("INSERT INTO job_runs (job, started_at) VALUES ('x', 1)")
        assert reader.row("SELECT count(*) FROM job_runs") == (1,)


@pytest.mark.parametrize("opener", [open_for_writing, open_for_reading])
def test_a_broken_header_is_a_damaged_ledger(tmp_path: Path, opener: Opener) -> None:
    path = filled(tmp_path)
    with path.open("r+b") as file:
        file.write(b"\0" * 100)
    before = path.read_bytes()
    with pytest.raises(LedgerCorrupt, match=r"ledger\.db is damaged") as fault:
        opener(path)
    assert "syncd ledger backup" in fault.value.hint
    assert path.read_bytes() == before


@pytest.mark.parametrize("opener", [open_for_writing, open_for_reading])
def test_broken_pages_are_a_damaged_ledger_when_they_are_read(tmp_path: Path, opener: Opener) -> None:
    path = filled(tmp_path)
    pages = path.stat().st_size // PAGE_BYTES
    with path.open("r+b") as file:
        for page in range(2, pages):
            file.seek(page * PAGE_BYTES)
            file.write(os.urandom(64))
    with pytest.raises(LedgerCorrupt):
        read_through(opener, path)


def read_through(opener: Opener, path: Path) -> None:
    with opener(path) as ledger:
        for table in ("entries", "messages", "_blocks", "search"):
            list(ledger.execute(f"SELECT * FROM {table}"))


def test_a_ledger_cut_in_half_is_a_damaged_ledger(tmp_path: Path) -> None:
    path = filled(tmp_path)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(LedgerCorrupt):
        read_through(open_for_reading, path)


@pytest.mark.parametrize("opener", [open_for_writing, open_for_reading])
def test_a_directory_in_its_place_is_named_with_what_to_do(tmp_path: Path, opener: Opener) -> None:
    with pytest.raises(LedgerError, match="cannot be used") as fault:
        opener(tmp_path)
    assert fault.value.hint


def test_a_directory_that_cannot_be_made_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LedgerError, match="cannot be used") as fault:
        open_for_writing(tmp_path / "file" / "ledger.db")
    assert "SYNCD_LEDGER" in fault.value.hint


def test_a_closed_directory_is_named_with_what_to_do() -> None:
    with common_place() as place:
        place.chmod(0o500)
        with as_another_user(), pytest.raises(LedgerError, match="cannot be used: Permission denied") as fault:
            open_for_writing(place / "ledger.db")
        assert "SYNCD_LEDGER" in fault.value.hint


def test_a_ledger_in_a_closed_directory_is_refused_in_words_and_keeps_its_bytes() -> None:
    with common_place() as place:
        path = filled(place)
        before = path.read_bytes()
        give_away(*place.iterdir())
        place.chmod(0o500)
        with as_another_user():
            for opener in (open_for_writing, open_for_reading):
                with pytest.raises(LedgerError, match="cannot be used") as fault, opener(path) as ledger:
                    ledger.run("SELECT count(*) FROM entries")
                assert "writable" in fault.value.hint
        assert path.read_bytes() == before


@pytest.mark.parametrize("opener", [open_for_writing, open_for_reading])
def test_a_ledger_that_may_not_be_opened_is_named_with_what_to_do(opener: Opener) -> None:
    with common_place() as place:
        path = filled(place)
        path.chmod(0)
        with as_another_user(), pytest.raises(LedgerError, match=r"ledger\.db cannot be used") as fault:
            opener(path)
        assert fault.value.hint


HOLD_WRITE_LOCK = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_write_lock_of_another_program_is_waited_for_and_then_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database browser with unsaved changes."""
    monkeypatch.setattr(open_for_writing, "__defaults__", (0,))
    path = filled(tmp_path)
    tries: list[apsw.Connection] = []
    begin = transaction._begin

    def counted(connection: apsw.Connection) -> None:
        tries.append(connection)
        begin(connection)

    monkeypatch.setattr(transaction, "_begin", counted)
    with (
        subprocess.Popen(
            [sys.executable, "-c", HOLD_WRITE_LOCK, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as browser,
        open_for_writing(path) as ledger,
    ):
        assert browser.stdout is not None
        assert browser.stdout.readline() == b"held\n"
        with pytest.raises(LedgerBusy, match="locked by another process") as fault, writing(ledger):
            pass
        assert "database browser" in fault.value.hint
        assert len(tries) == transaction.ATTEMPTS
        browser.communicate()
        with writing(ledger) as connection:
            connection.execute("INSERT INTO job_runs (job, started_at) VALUES ('x', 1)")
        assert ledger.row("SELECT count(*) FROM job_runs") == (1,)


def test_a_transaction_that_fails_leaves_nothing_open(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "ledger.db") as ledger:
        with pytest.raises(apsw.SQLError), writing(ledger) as connection:
            connection.execute("INSERT INTO job_runs (job, started_at) VALUES ('x', 1); SELECT nonsense")
        assert not ledger.connection.in_transaction
        assert ledger.row("SELECT count(*) FROM job_runs") == (0,)


def test_a_mistake_in_our_own_sql_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "ledger.db") as ledger, pytest.raises(apsw.SQLError):
        ledger.run("SELECT nonsense FROM nowhere")
    assert translate(apsw.SQLError("x"), tmp_path) is None


def test_bytes_of_openclaws_that_are_no_text_are_no_damage_of_the_ledger(tmp_path: Path) -> None:
    def no_text() -> None:
        b"\xff".decode()

    of_openclaw = FunctionType(no_text.__code__, {"__name__": "syncd.sources.some_file"})
    of_the_ledger = FunctionType(no_text.__code__, {"__name__": "syncd.ledger.some_table"})
    with scratch_ledger(tmp_path) as ledger:
        with pytest.raises(UnicodeDecodeError), writing(ledger):
            of_openclaw()
        with pytest.raises(LedgerCorrupt), writing(ledger):
            of_the_ledger()


@pytest.mark.parametrize(
    ("name", "flipped", "statement"),
    [
        ("topic_id TEXT", "topic_hd TEXT", "SELECT topic_id FROM transcripts"),
        ("REFERENCES transcripts", "REFERENCES trafscripts", "UPDATE turns SET transcript_id = 1"),
    ],
)
def test_a_name_that_was_lost_to_a_flipped_bit_is_damage(
    tmp_path: Path, name: str, flipped: str, statement: str
) -> None:
    path = tmp_path / "ledger.db"
    open_for_writing(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, ?, ?)", (name, flipped))
    with open_for_writing(path) as ledger, pytest.raises(LedgerCorrupt):
        ledger.run(statement)
