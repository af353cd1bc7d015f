"""FAULTS.md F5, for every column of every table: a value that changes by itself is found, or cannot do any harm.

The schema itself is walked: a new column fails here until a check finds its damage, or somebody has written down what
puts it right. Flipped in SQL, so that indexes agree with it and SQLite itself has nothing to find.
"""
# ruff: noqa: N802  the fault's id stands in the test's name

import random
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd.ledger.check import check
from syncd.ledger.database import Ledger, open_for_reading
from syncd.ledger.row_audit import damaged_rows
from syncd.ledger.row_checksums import COLUMN, guarded_tables
from syncd.ledger.wrong_places import wrong_places
from syncd.mirror.rows_audit import rows_care
from syncd.mirror.verify import Verification
from tests.command import called
from tests.derived_rows import derived_rows
from tests.ledger.everything import LIVE, OTHER, everything
from tests.ledger.test_row_checksums import DERIVED, WITHOUT
from tests.mirror.household import Household, household, message
from tests.mirror_checks import query, transcripts

OF_EACH_COLUMN = 1
SOURCES = ("_files", "_indexes", "_index_entries", "_cron_logs")
"""What was seen of OpenClaw's files at the last look, which the next one puts right: proven below, column by column."""
HARMLESS = {
    ("transcripts", "is_tree_due"): "1: the tree is folded again with the next look; 0: the audit compares the rows",
    ("_blocks", "id"): "nothing refers to it",
    ("quarantine", "id"): "nothing refers to it",
    ("tool_calls", "id"): "nothing refers to it; of the calls of one message it is the order",
}
EMPTY = {
    ("_index_entries", "missing_at"), ("messages", "result_fault"), ("entries", "flags"),
}  # fmt: skip
"""Columns without a value here, of tables without a checksum. Of the others, all columns are in it."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Household:
    house = household(tmp_path_factory.mktemp("whole"))
    everything(house)
    query(house.ledger_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    assert called(("ledger", "check"), house.environ).exit_code == 0
    return house


@pytest.fixture(scope="module")
def columns(whole: Household) -> dict[str, list[str]]:
    listed = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    tables = [name for (name,) in query(whole.ledger_path, listed) if not name.startswith(("sqlite_", "search"))]
    return {table: [row[1] for row in query(whole.ledger_path, f"PRAGMA table_info({table})")] for table in tables}


def laid_out(whole: Household, place: Path) -> Household:
    place.mkdir(parents=True, exist_ok=True)
    for file in place.glob("ledger.db*"):
        file.unlink()
    shutil.copyfile(whole.ledger_path, place / "ledger.db")
    return Household(whole.state_dir, place / "ledger.db")


def other(value: Any, rng: random.Random, *, is_id: bool) -> Any:
    """As a flipped bit leaves it."""
    if isinstance(value, int):
        return value + (1 << 20) if is_id else value ^ 1 << rng.randrange(max(1, value.bit_length()))
    if isinstance(value, float):
        return value + 0.25
    content = bytearray(value.encode() if isinstance(value, str) else value)
    content[rng.randrange(len(content))] ^= 1
    return content.decode() if isinstance(value, str) else bytes(content)


def flipped(path: Path, table: str, column: str, rng: random.Random, also: str = "TRUE") -> tuple[Any, ...] | None:
    """Which value, and what it is now; None: no row has one. `also`: a condition, in SQL."""
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        about: list[tuple[Any, ...]] = connection.execute(f"PRAGMA table_info({table})").fetchall()
        key = [str(row[1]) for row in sorted(about, key=lambda row: int(str(row[5]))) if row[5]]
        filled = f"{column} IS NOT NULL AND {column} NOT IN ('', x'') AND {also}"
        rows = connection.execute(f"SELECT {', '.join(key)}, {column} FROM {table} WHERE {filled}").fetchall()
        if not rows:
            return None
        *this, value = rng.choice(rows)
        now = other(value, rng, is_id=key == [column])
        which = " AND ".join(f"{name} = ?" for name in key)
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {which}", (now, *this))
        except apsw.ConstraintError:  # of two rows that only this column tells apart
            now = other(value, rng, is_id=isinstance(value, int))
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {which}", (now, *this))
        return (*this, value, now)


@contextmanager
def opened(house: Household) -> Iterator[Ledger]:
    with open_for_reading(house.ledger_path) as ledger:
        yield ledger


def is_found(house: Household) -> bool:
    with opened(house) as ledger, rows_care(1 << 24) as care:
        if next(damaged_rows(ledger), None) is not None:
            return True
        return not check(ledger, is_quick=False, has_wrong_rows=care.has_wrong_rows).is_sound


def test_F5_every_column_has_values_here_or_is_known_to_have_none(
    whole: Household, columns: dict[str, list[str]]
) -> None:
    empty = {
        (table, column)
        for table, names in columns.items()
        for column in names
        if table in WITHOUT and query(whole.ledger_path, f"SELECT count({column}) FROM {table}") == [(0,)]
    }
    assert empty == EMPTY
    assert {*SOURCES} | DERIVED | {"_blocks"} == {*WITHOUT}
    with opened(whole) as ledger:
        assert {*columns} == {*WITHOUT} | {each.table for each in guarded_tables(ledger.connection).values()}


@pytest.mark.parametrize("share", range(8))
def test_F5_a_value_that_changes_in_any_column_is_found(
    whole: Household, columns: dict[str, list[str]], tmp_path: Path, share: int
) -> None:
    missed = []
    for table in sorted({*columns} - {*SOURCES})[share::8]:
        for column in columns[table]:
            if (table, column) in EMPTY | HARMLESS.keys():
                continue
            for number in range(OF_EACH_COLUMN if column != COLUMN else 1):
                house = laid_out(whole, tmp_path / "mirror")
                what = flipped(house.ledger_path, table, column, random.Random(f"{table} {column} {number}"))
                if what is not None and not is_found(house):
                    missed.append((table, column, what))
    assert missed == []


@pytest.mark.parametrize("share", range(4))
def test_F5_what_changed_in_derived_rows_and_counts_is_made_again(
    whole: Household, columns: dict[str, list[str]], tmp_path: Path, share: int
) -> None:
    """All columns of a table at once."""
    expected = derived_rows(whole.ledger_path)
    counted = "SELECT id, bytes, lines, tail_bytes, open_bytes, leaf_entry_id, changed_at FROM transcripts"
    for table in sorted({*DERIVED, "transcripts"})[share::4]:
        house = laid_out(whole, tmp_path / "mirror")
        if not (house.ledger_path.parent / "backups").exists():
            assert called(("ledger", "backup"), house.environ).exit_code == 0
        for column in columns[table]:
            if (table, column) not in EMPTY and column not in ("id", COLUMN):
                flipped(house.ledger_path, table, column, random.Random(f"{table} {column}"))
        done = called(("repair", "--json"), house.environ)
        assert done.json["found"] or done.json["recovered"], table
        called(("repair",), house.environ)  # of so many damages at once one can hide another
        assert called(("ledger", "check"), house.environ).exit_code == 0, (table, done)
        assert derived_rows(house.ledger_path) == expected, table
        if table != "transcripts":
            assert query(house.ledger_path, counted) == query(whole.ledger_path, counted), table


def test_F5_when_a_transcript_last_changed_is_put_right_by_its_own_checksum(whole: Household, tmp_path: Path) -> None:
    house = laid_out(whole, tmp_path / "mirror")
    times = "SELECT id, changed_at FROM transcripts"
    flipped(house.ledger_path, "transcripts", "changed_at", random.Random(3))
    assert query(house.ledger_path, times) != query(whole.ledger_path, times)
    done = called(("repair", "--json"), house.environ)
    assert (done.exit_code, done.json["rows_mended"]) == (0, 1)
    assert query(house.ledger_path, times) == query(whole.ledger_path, times)


# What was seen of OpenClaw's files


def caught_up(house: Household) -> Verification:
    assert house.catch_up().problems == []
    return house.verify()


@pytest.mark.parametrize("table", SOURCES)
def test_F5_a_wrong_memory_of_a_file_loses_nothing_and_makes_nothing_up(
    whole: Household, columns: dict[str, list[str]], tmp_path: Path, table: str
) -> None:
    """No generation that never was, no session removed, no transcript twice; lines that come next are taken in."""
    state = tmp_path / "openclaw"
    sessions = "SELECT session_key, status, session_id, entry_json FROM sessions ORDER BY 1"
    runs = "SELECT job_id, at, raw_json FROM cron_runs ORDER BY 1, 2, 3"
    for column in columns[table]:
        if (table, column) in EMPTY or column == "id":
            continue
        shutil.rmtree(state, ignore_errors=True)
        shutil.copytree(whole.state_dir, state)
        house = Household(state, laid_out(whole, tmp_path / "mirror").ledger_path)
        moved(house, whole)
        caught_up(house)
        before = {row.id: row for row in transcripts(house.ledger_path)}
        known, ran = query(house.ledger_path, sessions), query(house.ledger_path, runs)
        what = flipped(house.ledger_path, table, column, random.Random(f"{table} {column}"))
        if is_found(house):
            assert called(("repair",), house.environ).exit_code == 0, what
        house.append(LIVE, message(60, "after the flip"))
        house.append(OTHER, message(61, "after the flip, too"))
        for _ in range(2):
            verified = caught_up(house)
        assert verified.ok, (column, what, verified.differences)
        after = {row.id: row for row in transcripts(house.ledger_path)}
        facts = [(row.id, row.session_id, row.kind, row.state, row.generation) for row in before.values()]
        assert [(row.id, row.session_id, row.kind, row.state, row.generation) for row in after.values()] == facts, what
        assert sum(row.lines for row in after.values()) == sum(row.lines for row in before.values()) + 2, what
        assert query(house.ledger_path, sessions) == known, what
        assert query(house.ledger_path, runs) == ran, what
        assert called(("ledger", "check"), house.environ).exit_code == 0, what


def moved(house: Household, whole: Household) -> None:
    """The household is another directory now, as an installation that was moved."""
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        from syncd.ledger.row_checksums import keep_checksums

        keep_checksums(connection)
        here, there = str(house.state_dir), str(whole.state_dir)
        connection.execute("UPDATE installations SET state_dir = ?", (here,))
        connection.execute("UPDATE transcripts SET path = replace(path, ?, ?)", (there, here))
        for table in ("_indexes", "_cron_logs"):
            moved_path = f"UPDATE {table} SET path = CAST(replace(CAST(path AS TEXT), ?, ?) AS BLOB)"
            connection.execute(moved_path, (there, here))


OF_PLACES = "FROM _files WHERE role = 'place' AND present = 1 AND transcript_id IS NOT NULL ORDER BY id"


def test_F5_a_file_that_is_known_as_another_transcripts_is_found_and_given_back(
    whole: Household, tmp_path: Path
) -> None:
    """Compared with the wrong one's bytes, it would be a rewrite that never was."""
    house = Household(whole.state_dir, laid_out(whole, tmp_path / "mirror").ledger_path)
    caught_up(house)
    query(house.ledger_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    told = "SELECT id, path, state, generation, bytes, lines FROM transcripts ORDER BY id"
    owners = f"SELECT id, transcript_id {OF_PLACES}"
    events = "SELECT kind, transcript_id FROM sync_events WHERE kind != 'repair' ORDER BY id"
    places, expected = query(house.ledger_path, owners), query(house.ledger_path, told)
    assert len(places) > 1
    for number, (file_id, own) in enumerate(places):
        strangers = [row[0] for row in expected if row[0] != own]
        for stranger in strangers:
            damaged = laid_out(house, tmp_path / "damaged")
            with closing(apsw.Connection(str(damaged.ledger_path))) as connection:
                connection.execute("UPDATE _files SET transcript_id = ? WHERE id = ?", (stranger, file_id))
            with opened(damaged) as ledger:
                assert [place.owner for place in wrong_places(ledger)] == [own], (file_id, stranger)
            if stranger != strangers[number % len(strangers)]:
                continue  # one of each is put right
            assert called(("ledger", "check"), damaged.environ).exit_code == 1
            assert called(("repair",), damaged.environ).exit_code == 0
            assert caught_up(damaged).ok
            assert query(damaged.ledger_path, told) == expected, (file_id, stranger)
            assert query(damaged.ledger_path, owners) == places
            assert query(damaged.ledger_path, events) == query(house.ledger_path, events)
            assert called(("ledger", "check"), damaged.environ).exit_code == 0
