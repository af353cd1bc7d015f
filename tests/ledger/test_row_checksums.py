"""Rows that tell what nothing else does have a checksum, whoever of us writes them; a damaged one is put right."""

import random
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd.ledger import row_mending
from syncd.ledger.check import check
from syncd.ledger.database import Ledger, open_for_reading, open_for_writing
from syncd.ledger.row_audit import DamagedRow, audit_rows, damaged_rows
from syncd.ledger.row_checksums import TABLES, TIMES, UNGUARDED, guarded_tables, keep_checksums, row_checksum
from syncd.ledger.row_correction import correction
from syncd.ledger.row_mending import mend_rows
from syncd.ledger.rows import TYPE_TABLES
from syncd.ledger.temporary_files import temporary_files
from tests.conftest import CHECKOUT
from tests.ledger.damaging import flip
from tests.mirror_checks import query

DERIVED = {"entries", "messages", "turns", "tool_calls", "quarantine", "_repeats", "_answer_ids", *TYPE_TABLES}
WITHOUT = {
    **dict.fromkeys(DERIVED, "made again from the raw bytes, and compared with what those make"),
    "_blocks": "each has a checksum of its own, and its neighbours tell its place",
    "_files": "what a file was at the last look: one that is not so is compared with the raw bytes",
    "_indexes": "the same of an index, which is read again",
    "_index_entries": "the same of its entries",
    "_cron_logs": "the same of a log, which is read again",
}
"""Tables that need no checksum, and why."""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_for_writing(tmp_path / "ledger.db") as ledger:
        ledger.run("INSERT INTO installations (state_dir, host, first_seen_at) VALUES ('/state', 'here', 5)")
        for number in range(1, 6):
            event = (number, "rewrite", f'{{"offset": {number}}}')
            ledger.run("INSERT INTO sync_events (at, kind, detail_json) VALUES (?, ?, ?)", event)
        yield ledger


def rotten(path: Path, *statements: str) -> None:
    """As a disk changes it: nobody seals."""
    with closing(apsw.Connection(str(path))) as connection:
        for statement in statements:
            connection.execute(statement)


def found(ledger: Ledger) -> list[str]:
    return [row.name for row in damaged_rows(ledger)]


def mended(ledger: Ledger, *backups: Path) -> tuple[int, list[str]]:
    done = mend_rows(ledger, list(damaged_rows(ledger)), backups, 77)
    return done.right, [row.name for row in done.doubtful]


def told(ledger: Ledger) -> list[tuple[Any, ...]]:
    query = """SELECT detail_json ->> 'table', detail_json ->> '$.row[0]', detail_json ->> 'by',
        detail_json ->> 'columns' FROM sync_events WHERE kind = 'repair' ORDER BY id"""
    return list(ledger.execute(query))


# What is guarded


def test_every_table_has_checksums_or_a_reason_to_have_none(ledger: Ledger) -> None:
    query = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    tables = {str(name) for (name,) in ledger.execute(query) if not name.startswith(("sqlite_", "search"))}
    guarded = {each.table for each in guarded_tables(ledger.connection).values()}
    assert guarded | {*WITHOUT} == tables
    assert not guarded & {*WITHOUT}


def test_only_tables_of_ours_have_one_whatever_columns_others_have(ledger: Ledger) -> None:
    ours = """SELECT tables.name FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.schema = 'main' AND columns.name = 'checksum'"""
    assert {name for (name,) in ledger.execute(ours)} == TABLES
    ledger.run("CREATE TABLE downloads (id INTEGER PRIMARY KEY, path TEXT, checksum TEXT)")
    ledger.run("CREATE TABLE copy AS SELECT * FROM transcripts")
    ledger.run("INSERT INTO downloads VALUES (1, 'a', 'mine')")
    keep_checksums(ledger.connection)
    assert list(damaged_rows(ledger)) == []
    assert ledger.row("SELECT checksum FROM downloads") == ("mine",)


def test_every_column_of_a_guarded_table_is_in_its_checksum(ledger: Ledger) -> None:
    for table, guarded in guarded_tables(ledger.connection).items():
        columns = {name for (name,) in ledger.execute("SELECT name FROM pragma_table_info(?)", (table,))}
        if table != TIMES:
            assert {*guarded.columns} | {"checksum", *UNGUARDED.get(table, ())} == columns, table


def test_no_line_that_is_appended_pays_for_it() -> None:
    """SQLite asks the triggers by the columns that a statement names; the time brings its checksum along."""
    from syncd.ledger import transcripts

    for statement in (transcripts._GO_ON, transcripts._SET_TIP):
        named = set(re.findall(r"(\w+) = \?", statement)) - {"id"}
        assert named <= {*UNGUARDED["transcripts"]}


def test_other_programs_find_no_trigger_and_read_everything(ledger: Ledger) -> None:
    assert query(ledger.path, "SELECT name FROM sqlite_master WHERE type = 'trigger'") == []
    with closing(sqlite3.connect(ledger.path)) as plain:
        assert len(plain.execute("SELECT * FROM sync_events").fetchall()) == 5


def test_the_setting_that_drops_temporary_triggers_is_changed_in_one_place_only() -> None:
    changing = {
        path.name
        for path in (CHECKOUT / "syncd").rglob("*.py")
        if "temp_store" in path.read_text()
    }  # fmt: skip
    assert changing == {"database.py", "temporary_files.py"}


def test_what_is_written_after_that_setting_changed_is_sealed(ledger: Ledger) -> None:
    with temporary_files(ledger.connection):
        ledger.run("VACUUM")
    ledger.run("UPDATE sync_events SET at = at + 1")
    assert found(ledger) == []


# What is found


def test_what_we_write_is_sealed_and_what_changes_by_itself_is_found(ledger: Ledger) -> None:
    ledger.run("UPDATE sync_events SET at = 9 WHERE id = 3")
    ledger.run("INSERT INTO _hash_key (id, key) VALUES (1, x'00ff')")
    ledger.run("INSERT OR REPLACE INTO _hash_key (id, key) VALUES (1, x'00fe')")
    assert found(ledger) == []
    rotten(ledger.path, "UPDATE sync_events SET at = 8 WHERE id = 3", "UPDATE installations SET host = 'hexe'")
    assert found(ledger) == ["installations row 1", "sync_events row 3"]


def test_a_text_that_is_none_any_more_is_found(ledger: Ledger) -> None:
    rotten(ledger.path, "UPDATE sync_events SET detail_json = CAST(x'7bff7d' AS TEXT) WHERE id = 2")
    assert found(ledger) == ["sync_events row 2"]


def test_a_row_that_nobody_sealed_is_found(ledger: Ledger) -> None:
    rotten(ledger.path, "INSERT INTO sync_events (at, kind) VALUES (1, 'foreign')")
    assert found(ledger) == ["sync_events row 6"]


def test_an_update_does_not_make_a_damaged_row_sound(ledger: Ledger) -> None:
    rotten(ledger.path, "UPDATE sync_events SET detail_json = 'other' WHERE id = 2")
    ledger.run("UPDATE sync_events SET at = 99")
    assert found(ledger) == ["sync_events row 2"]


def test_an_update_that_changes_nothing_takes_no_proof_away(ledger: Ledger) -> None:
    before = list(ledger.execute("SELECT * FROM sync_events WHERE id = 2"))
    rotten(ledger.path, "UPDATE sync_events SET kind = 'rewrote' WHERE id = 2")
    ledger.run("UPDATE sync_events SET at = at")
    assert mended(ledger) == (1, [])
    assert list(ledger.execute("SELECT * FROM sync_events WHERE id = 2")) == before


def test_a_value_of_another_sort_is_found_as_sqlite_finds_it_and_stops_nobody(ledger: Ledger) -> None:
    """One bit of what frames a value makes a text of bytes, or of a number."""
    ledger.run("INSERT INTO _hash_key (id, key) VALUES (1, ?)", (b"\xff" * 32,))
    ledger.run("PRAGMA wal_checkpoint(TRUNCATE)")
    place = ledger.path.read_bytes().index(b"\xff" * 32)
    ledger.close()
    (sort,) = [at for at in range(place - 6, place) if ledger.path.read_bytes()[at] == 2 * 32 + 12]
    flip(ledger.path, sort, 1)
    with open_for_writing(ledger.path) as damaged:
        assert found(damaged) == []
        messages = [finding.message for finding in check(damaged, is_quick=False).findings]
        assert messages == ["non-BLOB value in _hash_key.key"]
        damaged.run("UPDATE _hash_key SET key = ?", (b"\xfe" * 32,))
        assert check(damaged, is_quick=False).is_sound


def test_a_copy_of_a_damaged_row_is_as_damaged(ledger: Ledger) -> None:
    rotten(ledger.path, "UPDATE sync_events SET detail_json = 'other' WHERE id = 2")
    rows = list(ledger.execute("SELECT * FROM sync_events"))
    ledger.run("DELETE FROM sync_events")
    ledger.connection.executemany("INSERT INTO sync_events VALUES (?, ?, ?, ?, ?, ?)", rows)
    assert found(ledger) == ["sync_events row 2"]


def test_the_audit_goes_on_where_it_was(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("syncd.ledger.row_audit._AT_ONCE", 2)
    rotten(ledger.path, "UPDATE sync_events SET at = 8 WHERE id IN (1, 5)")
    position, seen = "", list[DamagedRow]()
    for _ in range(20):
        rows, position = audit_rows(ledger, position, lambda: True)
        seen += rows
        if position == "":
            break
    assert position == ""
    assert [row.key for row in seen] == [(1,), (5,)]
    assert audit_rows(ledger, "sync_events 4", lambda: False) == ([DamagedRow("sync_events", (5,))], "")
    assert audit_rows(ledger, "a table of before 4", lambda: False)[1] == ""


# What is put right


def test_one_byte_is_put_right_by_the_checksum_alone(ledger: Ledger) -> None:
    before = list(ledger.execute("SELECT * FROM sync_events"))
    rotten(ledger.path, "UPDATE sync_events SET detail_json = replace(detail_json, 'off', 'oFf') WHERE id = 2",
           "UPDATE sync_events SET at = at + 1073741824 WHERE id = 3")  # fmt: skip
    assert mended(ledger) == (2, [])
    assert list(ledger.execute("SELECT * FROM sync_events WHERE id < 6")) == before
    assert told(ledger) == [
        ("sync_events", 2, "checksum", '["detail_json"]'),
        ("sync_events", 3, "checksum", '["at"]'),
    ]
    assert found(ledger) == []


def test_a_damaged_checksum_is_made_anew(ledger: Ledger) -> None:
    rotten(ledger.path, "UPDATE sync_events SET checksum = checksum + 256 - (checksum & 256) * 2 WHERE id = 4")
    assert mended(ledger) == (1, [])
    assert found(ledger) == []


@pytest.fixture
def backup(ledger: Ledger, tmp_path: Path) -> Path:
    path = tmp_path / "backup.db"
    ledger.run("VACUUM INTO ?", (str(path),))
    return path


@pytest.mark.parametrize("is_older", [False, True])
def test_a_value_of_a_backup_is_proven_by_the_rows_own_checksum(ledger: Ledger, backup: Path, is_older: bool) -> None:
    """Whatever else of the row has changed since; of a backup of before there were checksums, too."""
    ledger.run("UPDATE sync_events SET at = 1234 WHERE id = 2")
    whole = list(ledger.execute("SELECT * FROM sync_events"))
    if is_older:
        rotten(backup, "ALTER TABLE sync_events DROP COLUMN checksum")
    rotten(ledger.path, "UPDATE sync_events SET detail_json = 'nothing is left' WHERE id = 2")
    assert mended(ledger, backup) == (1, [])
    assert list(ledger.execute("SELECT * FROM sync_events WHERE id < 6")) == whole
    assert told(ledger) == [("sync_events", 2, "backup", '["detail_json"]')]


def test_what_was_written_into_a_damaged_row_is_never_taken_back_as_if_it_were_proven(
    ledger: Ledger,
) -> None:
    """The checksum of before proves what was there before."""
    rotten(ledger.path, "UPDATE sync_events SET kind = 'rewrote' WHERE id = 2")
    rotten(ledger.path, "UPDATE sync_events SET at = 7 WHERE id = 3")
    ledger.run("UPDATE sync_events SET at = 99, detail_json = 'newer' WHERE id = 2")
    ledger.run("UPDATE sync_events SET at = 4 WHERE id = 3")  # one byte other than the first
    assert found(ledger) == ["sync_events row 2", "sync_events row 3"]
    assert mended(ledger) == (0, ["sync_events row 2", "sync_events row 3"])
    assert ledger.row("SELECT at, detail_json FROM sync_events WHERE id = 2") == (99, "newer")
    assert ledger.row("SELECT at FROM sync_events WHERE id = 3") == (4,)
    assert found(ledger) == []


def test_nor_by_a_backup_of_before(ledger: Ledger, backup: Path) -> None:
    rotten(ledger.path, "UPDATE sync_events SET kind = 'rewrote' WHERE id = 2")
    ledger.run("UPDATE sync_events SET at = 99 WHERE id = 2")
    assert mended(ledger, backup) == (0, ["sync_events row 2"])


def test_a_row_as_a_backup_had_it_is_better_than_a_damaged_one_and_told_as_that(ledger: Ledger, backup: Path) -> None:
    ledger.run("UPDATE sync_events SET at = 1234 WHERE id = 2")
    rotten(ledger.path, "UPDATE sync_events SET detail_json = 'nothing is left', at = 77777 WHERE id = 2")
    rotten(backup, "UPDATE sync_events SET at = 3333 WHERE id = 3")
    rotten(ledger.path, "UPDATE sync_events SET detail_json = 'of neither', at = 77777 WHERE id = 3")
    assert mended(ledger, backup) == (0, ["sync_events row 2", "sync_events row 3"])
    assert ledger.row("SELECT at, detail_json FROM sync_events WHERE id = 2") == (2, '{"offset": 2}')
    assert ledger.row("SELECT at, detail_json FROM sync_events WHERE id = 3") == (77777, "of neither")
    assert [row[2] for row in told(ledger)] == ["older_backup", "kept"]
    assert found(ledger) == []


def test_another_row_that_had_the_same_id_is_not_taken(ledger: Ledger, backup: Path) -> None:
    ledger.run("DELETE FROM sync_events WHERE id = 5")
    ledger.run("INSERT INTO sync_events (id, at, kind, detail_json) VALUES (5, 99, 'gone', 'elsewhere')")
    rotten(ledger.path, "UPDATE sync_events SET detail_json = 'nothing is left', at = 77777 WHERE id = 5")
    assert mended(ledger, backup) == (0, ["sync_events row 5"])
    assert ledger.row("SELECT at, kind FROM sync_events WHERE id = 5") == (77777, "gone")


def test_no_row_of_a_backup_that_a_purge_has_still_to_clean_is_taken_unproven(ledger: Ledger, backup: Path) -> None:
    """The id of a row that was purged may be another one's by now, and much of it the same."""
    ledger.run("INSERT INTO tombstones (at, what, why) VALUES (1, 'session', 'purge')")
    ledger.run("DELETE FROM sync_events WHERE id = 5")
    ledger.run("INSERT INTO sync_events (id, at, kind, detail_json) VALUES (5, 5, 'rewrite', '{}')")
    damage = "UPDATE sync_events SET detail_json = 'nothing is left' WHERE id = 5"
    rotten(ledger.path, damage)
    assert mended(ledger, backup) == (0, ["sync_events row 5"])
    assert ledger.row("SELECT detail_json FROM sync_events WHERE id = 5") == ("nothing is left",)
    ledger.run("UPDATE tombstones SET scoured_at = 2")
    rotten(ledger.path, damage.replace("left", "right"))
    assert mended(ledger, backup) == (0, ["sync_events row 5"])
    assert ledger.row("SELECT detail_json FROM sync_events WHERE id = 5") == ('{"offset": 5}',)


def test_a_row_of_a_backup_that_breaks_a_rule_here_is_not_taken(ledger: Ledger, backup: Path) -> None:
    with closing(apsw.Connection(str(backup))) as connection:
        keep_checksums(connection)
        connection.execute("UPDATE sync_events SET transcript_id = 4711")
    rotten(ledger.path, "UPDATE sync_events SET detail_json = 'nothing is left', at = 77777 WHERE id = 2")
    assert mended(ledger, backup) == (0, ["sync_events row 2"])
    assert told(ledger)[0][2] == "kept"


def test_a_key_that_keeps_purged_sessions_out_is_put_right(ledger: Ledger) -> None:
    ledger.run("INSERT INTO tombstones (at, what, why) VALUES (1, 'session', 'purge')")
    for hash_ in (bytes(range(32)), bytes(range(100, 132))):
        ledger.run("INSERT INTO _kept_out (hash, kind, tombstone_id, with_forks) VALUES (?, 'session', 1, 0)", (hash_,))
    before = list(ledger.execute("SELECT * FROM _kept_out"))
    rotten(ledger.path, f"UPDATE _kept_out SET hash = x'{bytes(range(31)).hex()}00' WHERE hash < x'50'")
    assert mended(ledger) == (1, [])
    assert list(ledger.execute("SELECT * FROM _kept_out")) == before


def test_a_reader_finds_it_too(ledger: Ledger) -> None:
    rotten(ledger.path, "UPDATE sync_events SET at = 8 WHERE id = 3")
    with open_for_reading(ledger.path) as reader:
        assert found(reader) == ["sync_events row 3"]


def test_many_random_bytes_are_undone_or_told(ledger: Ledger, backup: Path, tmp_path: Path) -> None:
    """Nothing is ever taken for right that is not what was written."""
    rng = random.Random(7)
    before = list(ledger.execute("SELECT * FROM sync_events"))
    ledger.run("PRAGMA wal_checkpoint(TRUNCATE)")
    for attempt in range(40):
        copy = tmp_path / f"{attempt}.db"
        shutil.copy(ledger.path, copy)
        text = bytearray(b'{"offset": 2}')
        for _ in range(rng.randrange(1, 5)):
            text[rng.randrange(len(text))] = rng.randrange(32, 127)
        rotten(copy, f"UPDATE sync_events SET detail_json = CAST(x'{text.hex()}' AS TEXT) WHERE id = 2")
        with open_for_writing(copy) as damaged:
            _, doubtful = mended(damaged, *[backup][: attempt % 2])
            after = list(damaged.execute("SELECT * FROM sync_events WHERE id < 6"))
            assert (after == before) == (not doubtful)
            assert attempt % 2 == 0 or not doubtful


def test_of_a_long_row_no_whole_byte_is_taken_for_the_damaged_ones(ledger: Ledger) -> None:
    """That one fits is no proof there: of 300,000 bytes, by chance, one does each fiftieth time."""
    guarded = guarded_tables(ledger.connection)["sync_events"]
    for damage, can_be in ((bytes(600), False), (b"\xfe" * 9, False), (b"z" * 9, True)):
        text = b'"%b"' % (b"x" * 300_000 + damage)
        chance = row_checksum(9, 5, b"rewrite", None, text.replace(b"x", b"y", 1))
        row = row_mending._Row((9, 5, b"rewrite", None, text), chance)
        assert correction(row.values, chance) is not None
        assert (row_mending._corrected(guarded, row) is not None) == can_be
    tail = row_mending._Row((1, b"x" * 300_000), row_checksum(1, b"y" + b"x" * 299_999))
    assert row_mending._corrected(guarded_tables(ledger.connection)["_tails"], tail) is None


def test_what_is_kept_of_a_line_that_has_not_ended_is_never_an_older_one(ledger: Ledger, tmp_path: Path) -> None:
    """Of two values, one is the key: the other alone tells whether it is the same."""
    ledger.connection.execute("PRAGMA foreign_keys = OFF")
    ledger.run("INSERT INTO _tails (transcript_id, data) VALUES (1, ?)", (b'{"half a line',))
    backup = tmp_path / "backup.db"
    ledger.run("VACUUM INTO ?", (str(backup),))
    ledger.run("INSERT OR REPLACE INTO _tails (transcript_id, data) VALUES (1, ?)", (b'{"another line',))
    rotten(ledger.path, "UPDATE _tails SET data = CAST('{another thing' AS BLOB)")
    assert mended(ledger, backup) == (0, ["_tails row 1"])
    assert ledger.row("SELECT data FROM _tails") == (b"{another thing",)
