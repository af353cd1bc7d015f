"""A session's name with a letter that changed by itself hides none of it from a purge: in the ledger, nor in a copy."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from syncd.jobs import retention
from tests.command import called
from tests.jobs.test_purge import copy_of, furnished, purged
from tests.jobs.test_repair import repaired
from tests.jobs.toolbox import tools_of
from tests.jobs.traces import places_with
from tests.mirror.household import Household, session_id

__all__ = ["furnished"]

NAMED = ("transcripts", "sessions", "session_ids", "cron_runs")
OTHER = session_id(7)[:-1] + "f"


def left(house: Household) -> list[str]:
    return places_with(house.ledger_path.parent, "zyxquandary", "Quirkelfeld", session_id(7), "vexillology")


def damage(path: Path, table: str) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        one = f"SELECT min(id) FROM {table} WHERE session_id = ?"
        connection.execute(f"UPDATE {table} SET session_id = ? WHERE id = ({one})", (OTHER, session_id(7)))
        assert connection.changes() == 1


@pytest.mark.parametrize("table", NAMED)
def test_what_has_a_damaged_name_is_purged_with_the_rest(furnished: Household, table: str) -> None:
    damage(furnished.ledger_path, table)
    assert called(("purge", session_id(7), "--yes"), furnished.environ).exit_code == 0
    assert left(furnished) == []
    assert called(("ledger", "check"), furnished.environ).exit_code == 0


@pytest.mark.parametrize("table", NAMED)
def test_of_a_copy_too(furnished: Household, table: str) -> None:
    damage(copy_of(furnished), table)
    assert called(("purge", session_id(7), "--yes"), furnished.environ).exit_code == 0
    assert left(furnished) == []


def test_what_gets_its_name_back_after_a_purge_goes_as_well(furnished: Household) -> None:
    """As where retention took the rest."""
    damage(furnished.ledger_path, "cron_runs")
    purged(furnished, session_id(7))
    assert left(furnished) != []
    assert repaired(furnished)["rows_mended"] == 1
    with tools_of(furnished) as tools:
        assert retention.run(tools).ok
    assert left(furnished) == []


@pytest.mark.parametrize("is_text", [True, False])
@pytest.mark.parametrize("is_in_copy", [True, False])
def test_an_event_that_rotted_costs_no_purge_and_no_copy(furnished: Household, is_in_copy: bool, is_text: bool) -> None:
    detail = b'{"path": "/%b.jsonl")' % session_id(7).encode()
    rotten = (detail if is_text else detail.replace(b"path", b"p\xffth"),)
    with closing(apsw.Connection(str(furnished.ledger_path))) as connection:
        add = "INSERT INTO sync_events (at, kind, detail_json) VALUES (1, 'gap', CAST(? AS TEXT))"
        connection.execute(add, rotten)
        backup = copy_of(furnished)
        if is_in_copy:
            connection.execute("DELETE FROM sync_events WHERE kind = 'gap'")
    purged(furnished, session_id(7))
    assert backup.exists()
    assert left(furnished) == []
