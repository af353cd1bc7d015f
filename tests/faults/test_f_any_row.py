"""FAULTS.md F5, for every row of what only the ledger knows: a byte that changes inside a value is found and undone."""
# ruff: noqa: N802  the fault's id stands in the test's name

import random
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd.ledger.database import open_for_reading
from syncd.ledger.row_checksums import UNGUARDED, guarded_tables
from tests.command import called
from tests.ledger.damaging import flip, laid_out, values_of_cells
from tests.ledger.testimony import testify
from tests.mirror.household import Household, household
from tests.mirror_checks import query

OF_EACH_TABLE = 4
TABLES = (
    "installations", "sessions", "session_versions", "session_ids", "transcripts", "cron_runs", "sync_events",
    "job_runs", "tombstones", "pins", "_hash_key", "_kept_out", "_cut_results", "_tails",
)  # fmt: skip
BOOKKEEPING = {"transcripts": {*UNGUARDED["transcripts"]}}
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Household:
    house = household(tmp_path_factory.mktemp("whole"))
    testify(house)
    query(house.ledger_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return house


def rows(path: Path, table: str, last_id: int | None = None) -> Rows:
    """Of a time before a repair, which adds its own."""
    columns = [row[1] for row in query(path, f"PRAGMA table_info({table})")]
    until = f" WHERE id <= {last_id}" if last_id is not None and "id" in columns else ""
    return [dict(zip(columns, row, strict=True)) for row in query(path, f"SELECT * FROM {table}{until} ORDER BY 1, 2")]


def test_F5_every_table_of_what_only_the_ledger_knows_has_rows_here(whole: Household) -> None:
    with open_for_reading(whole.ledger_path) as ledger:
        assert {each.table for each in guarded_tables(ledger.connection).values()} == {*TABLES}
    assert [table for table in TABLES if not values_of_cells(whole.ledger_path, table)] == []
    assert called(("ledger", "check"), whole.environ).exit_code == 0


@pytest.mark.parametrize("has_backup", [False, True])
@pytest.mark.parametrize("table", TABLES)
def test_F5_a_byte_that_changes_in_any_value_is_found_and_undone(
    whole: Household, tmp_path: Path, table: str, has_backup: bool
) -> None:
    """By the checksum alone, if need be; what SQLite itself stumbles over is recovered as any damaged page is."""
    rng = random.Random(f"{table} {has_backup}")
    before, last = rows(whole.ledger_path, table), len(query(whole.ledger_path, f"SELECT 1 FROM {table}"))
    ids = query(whole.ledger_path, f"SELECT max(id) FROM {table}") if "id" in before[0] else [(last,)]
    for _ in range(OF_EACH_TABLE):
        house = laid_out(whole, tmp_path / "mirror")
        if has_backup:
            assert called(("ledger", "backup"), house.environ).exit_code == 0
        place = rng.choice(rng.choice(values_of_cells(house.ledger_path, table)))
        flip(house.ledger_path, place, rng.randrange(1, 256))
        checked = called(("ledger", "check", "--json"), house.environ)
        if is_all_unguarded(house.ledger_path, table, before):
            continue
        assert checked.exit_code == 1, place
        done = called(("repair", "--json"), house.environ)
        assert called(("ledger", "check"), house.environ).exit_code == 0, (place, done)
        assert called(("repair", "--dry-run", "--json"), house.environ).json["plan"] == [], place
        if done.json.get("recovered") is None:
            assert done.exit_code == 0, (place, done)
            after = rows(house.ledger_path, table, ids[0][0])
            assert [without(row, table) for row in after] == [without(row, table) for row in before], place


def is_all_unguarded(path: Path, table: str, before: Rows) -> bool:
    try:
        return [without(row, table) for row in rows(path, table)] == [without(row, table) for row in before]
    except (apsw.Error, UnicodeDecodeError):
        return False


def without(row: dict[str, Any], table: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in BOOKKEEPING.get(table, ())}
