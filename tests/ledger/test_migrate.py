"""Migrations: a new ledger in the present schema, an older one backed up first, anything else left untouched."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerCorrupt, LedgerError, LedgerNewer
from syncd.ledger import migrate
from syncd.ledger.database import APPLICATION_ID, Ledger, open_for_reading, open_for_writing
from syncd.ledger.migrate import current_version, migrations
from tests.mirror_checks import query

Opener = Callable[[Path], Ledger]

SECOND = """ALTER TABLE transcripts ADD COLUMN note TEXT;
UPDATE transcripts SET note = 'from ' || path;"""


def facts(path: Path) -> tuple[object, ...]:
    """The ledger's bytes and times, and what lies beside it; a reader may leave SQLite's own two files."""
    beside = [item.name for item in path.parent.iterdir() if not item.name.endswith(("-wal", "-shm"))]
    return hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns, path.stat().st_mode, sorted(beside)


def made(path: Path) -> Path:
    """A ledger with a row in it."""
    with open_for_writing(path) as ledger:
        ledger.run("INSERT INTO installations (state_dir, host, first_seen_at) VALUES ('/s', 'h', 1)")
        ledger.run(
            """INSERT INTO transcripts (installation_id, agent_id, session_id, path, kind, lineage_id, projection,
               first_seen_at, changed_at) VALUES (1, 'main', 'x', '/s/x.jsonl', 'primary', 1, 1, 1, 1)"""
        )
    return path


def changed(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    try:
        for sql in statements:
            connection.execute(sql)
    finally:
        connection.close()


@pytest.fixture
def two_migrations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A ledger of the present version, seen by a program that knows one more."""
    path = made(tmp_path / "ledger.db")
    known = migrations() | {current_version() + 1: SECOND}
    monkeypatch.setattr(migrate, "migrations", lambda: known)
    return path


def test_the_numbers_are_those_of_the_files_without_a_gap() -> None:
    assert sorted(migrations()) == list(range(1, current_version() + 1))


def test_a_fresh_ledger_is_of_the_present_version_and_needs_no_backup(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with open_for_writing(path) as ledger:
        assert ledger.row("PRAGMA user_version") == (current_version(),)
        assert ledger.row("PRAGMA application_id") == (APPLICATION_ID,)
    assert [item.name for item in tmp_path.iterdir()] == ["ledger.db"]


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    path = made(tmp_path / "ledger.db")
    before = facts(path)
    open_for_writing(path).close()
    assert facts(path) == before


@pytest.mark.parametrize("opener", [open_for_writing, open_for_reading])
def test_law_8_a_newer_ledger_is_refused_untouched(tmp_path: Path, opener: Opener) -> None:
    path = made(tmp_path / "ledger.db")
    changed(path, "PRAGMA user_version = 99")
    before = facts(path)
    with pytest.raises(LedgerNewer, match=rf"schema 99, this one knows {current_version()}") as refusal:
        opener(path)
    assert refusal.value.exit_code == 78
    assert "upgrade syncd" in refusal.value.hint
    assert facts(path) == before


FOREIGN = {
    "a database of another program": (
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)",
        "INSERT INTO notes VALUES (1, 'keep')",
    ),
    "one with a version of its own": ("CREATE TABLE notes (text TEXT)", "PRAGMA user_version = 1"),
    "one with a high version of its own": ("CREATE TABLE notes (text TEXT)", "PRAGMA user_version = 42"),
    "one with an application id": ("CREATE TABLE notes (text TEXT)", "PRAGMA application_id = 77"),
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN.keys())
@pytest.mark.parametrize("opener", [open_for_writing, open_for_reading])
def test_another_programs_database_is_refused_untouched(
    tmp_path: Path, statements: tuple[str, ...], opener: Opener
) -> None:
    path = tmp_path / "ledger.db"
    changed(path, *statements)
    before = facts(path)
    with pytest.raises(LedgerError, match="no ledger of syncd") as refusal:
        opener(path)
    assert "SYNCD_LEDGER" in refusal.value.hint
    assert facts(path) == before


def test_law_8_an_older_ledger_is_backed_up_and_then_migrated(two_migrations: Path) -> None:
    path, before = two_migrations, current_version() - 1
    with open_for_writing(path) as ledger:
        assert ledger.row("PRAGMA user_version") == (before + 1,)
        assert ledger.row("SELECT path, note FROM transcripts") == ("/s/x.jsonl", "from /s/x.jsonl")
    backup = path.with_name(f"ledger.db.schema-{before}.bak")
    assert backup.stat().st_mode & 0o777 == 0o600
    assert query(backup, "PRAGMA user_version") == [(before,)]
    assert query(backup, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert query(backup, "PRAGMA integrity_check") == [("ok",)]
    assert query(backup, "SELECT path FROM transcripts") == [("/s/x.jsonl",)]
    assert "note" not in {name for _, name, *_ in query(backup, "PRAGMA table_info(transcripts)")}


def test_the_backup_is_private_before_its_first_byte(two_migrations: Path) -> None:
    backup = two_migrations.with_name(f"ledger.db.schema-{current_version() - 1}.bak")
    connection = apsw.Connection(str(two_migrations))
    modes = []

    def sees(_cursor: apsw.Cursor, sql: str, _bindings: object) -> bool:
        if sql.startswith("VACUUM INTO"):
            modes.append((backup.stat().st_mode & 0o777, backup.stat().st_size))
        return True

    connection.exec_trace = sees
    former = os.umask(0o022)
    try:
        migrate.migrate(connection, two_migrations)
    finally:
        os.umask(former)
        connection.close()
    assert modes == [(0o600, 0)]
    assert backup.stat().st_mode & 0o777 == 0o600


def test_an_older_ledger_that_cannot_be_copied_is_left_as_it_is(two_migrations: Path) -> None:
    backup = two_migrations.with_name(f"ledger.db.schema-{current_version() - 1}.bak")
    backup.mkdir()
    with pytest.raises(LedgerError, match="of the older ledger cannot be made") as refusal:
        open_for_writing(two_migrations)
    assert "nothing was changed" in refusal.value.hint
    assert query(two_migrations, "PRAGMA user_version") == [(current_version() - 1,)]


def test_the_backup_opens_in_the_older_program(two_migrations: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_for_writing(two_migrations).close()
    monkeypatch.undo()
    shutil.copy(two_migrations.with_name(f"ledger.db.schema-{current_version()}.bak"), two_migrations)
    with open_for_writing(two_migrations) as ledger:
        assert ledger.row("SELECT path FROM transcripts") == ("/s/x.jsonl",)


def test_a_backup_that_was_cut_short_is_made_again(two_migrations: Path) -> None:
    backup = two_migrations.with_name(f"ledger.db.schema-{current_version() - 1}.bak")
    backup.write_bytes(b"half a copy")
    open_for_writing(two_migrations).close()
    assert query(backup, "SELECT path FROM transcripts") == [("/s/x.jsonl",)]


def test_a_migration_that_fails_leaves_the_older_ledger_whole(
    two_migrations: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = migrate.migrations()
    broken = whole | {max(whole): SECOND + "UPDATE no_such_table SET x = 1;"}
    monkeypatch.setattr(migrate, "migrations", lambda: broken)
    with pytest.raises(apsw.SQLError):
        open_for_writing(two_migrations)
    assert query(two_migrations, "PRAGMA user_version") == [(current_version() - 1,)]
    assert "note" not in {name for _, name, *_ in query(two_migrations, "PRAGMA table_info(transcripts)")}
    monkeypatch.setattr(migrate, "migrations", lambda: whole)
    with open_for_writing(two_migrations) as ledger:
        assert ledger.row("SELECT note FROM transcripts") == ("from /s/x.jsonl",)


def test_a_reader_leaves_an_older_ledger_as_it_is_and_says_what_brings_it_forward(two_migrations: Path) -> None:
    before = facts(two_migrations)
    with pytest.raises(LedgerError, match="older") as refusal:
        open_for_reading(two_migrations)
    assert "syncd run --once" in refusal.value.hint
    assert facts(two_migrations) == before


def test_a_first_run_that_was_killed_before_its_schema_stood_is_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.touch()
    with pytest.raises(LedgerError, match="there is no ledger at") as refusal:
        open_for_reading(path)
    assert "syncd run --once" in refusal.value.hint
    assert path.read_bytes() == b""
    changed(path, f"PRAGMA application_id = {APPLICATION_ID}", "PRAGMA journal_mode = WAL")
    with pytest.raises(LedgerError, match="there is no ledger at"):
        open_for_reading(path)
    with open_for_writing(path) as ledger:
        assert ledger.row("PRAGMA user_version") == (current_version(),)


def test_a_text_file_is_no_ledger_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(b"dear diary, today\n" * 100)
    before = facts(path)
    for opener in (open_for_writing, open_for_reading):
        with pytest.raises(LedgerCorrupt):
            opener(path)
    assert facts(path) == before


def test_a_ledger_from_before_usage_was_counted_is_derived_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A negative `projection` says that the next catch-up makes its rows again, and so finds what they repeat."""
    path, known = tmp_path / "ledger.db", migrations()
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "migrations", lambda: {number: sql for number, sql in known.items() if number < 3})
        made(path)
    open_for_writing(path).close()
    assert query(path, "SELECT projection FROM transcripts") == [(-1,)]


def test_migrations_that_an_upgrade_puts_under_a_running_daemon_are_the_next_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens its ledger anew after a pause, and knows nothing of the tables that the newer program makes."""
    open_for_writing(tmp_path / "ledger.db").close()
    before, upgraded = current_version(), tmp_path / "upgraded"
    shutil.copytree(migrate._FOLDER, upgraded)
    (upgraded / f"{before + 1:04}_newer.sql").write_text("CREATE TABLE newer (id INTEGER PRIMARY KEY);")
    monkeypatch.setattr(migrate, "_FOLDER", str(upgraded))
    open_for_writing(tmp_path / "ledger.db").close()
    assert query(tmp_path / "ledger.db", "PRAGMA user_version") == [(before,)]
