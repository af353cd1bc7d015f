"""How far behind the ledger is counts the events of trajectories that wait in OpenClaw's own SQLite."""

import json
import shutil

import pytest

from syncd.ledger.database import open_for_reading
from syncd.mirror.freshness import Freshness, freshness
from tests.conftest import Cli
from tests.mirror.household import Household, session_id, transcript
from tests.mirror.test_store import caught_up, store_path
from tests.mirror.test_trajectory_places import FLIGHTS, put_elsewhere
from tests.openclaw_store import AgentStore

ONE, TWO = session_id(1), session_id(2)
NOW = 1_794_990_000_000


@pytest.fixture
def stored(house: Household) -> Household:
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 3))
        store.record(ONE, *FLIGHTS[:3])
    return house


def seen(house: Household, *, has_ledger: bool = True) -> Freshness:
    asked = ([str(house.state_dir)], ("*",), {"HOME": str(house.state_dir.parent)}, NOW)
    if not has_ledger:
        return freshness(None, *asked)
    with open_for_reading(house.ledger_path) as ledger:
        return freshness(ledger, *asked)


def test_before_anything_is_taken_all_of_it_waits(stored: Household) -> None:
    waiting = len(transcript(1, 3)) + len(b"".join(FLIGHTS[:3]))
    assert seen(stored, has_ledger=False).behind_bytes == waiting


def test_events_wait_until_they_are_taken(stored: Household) -> None:
    caught_up(stored)
    assert seen(stored).behind_bytes == 0
    with AgentStore(store_path(stored)) as store:
        store.record(ONE, *FLIGHTS[3:5])
        store.import_lines(TWO, transcript(2, 1))
        caught_up(stored)
        assert seen(stored).behind_bytes == 0
        store.record(ONE, FLIGHTS[5])
        store.record(TWO, FLIGHTS[6])
        store.connection.execute("UPDATE trajectory_runtime_events SET created_at = ? WHERE seq = 5", (NOW - 4000,))
        store.connection.execute("UPDATE trajectory_runtime_events SET created_at = ? WHERE seq = 0", (NOW + 4000,))
        found = seen(stored)
    assert (found.behind_bytes, found.behind_seconds) == (len(FLIGHTS[5] + FLIGHTS[6]), 4.0)
    assert found.agents["main"].behind_bytes == found.behind_bytes


def test_what_openclaw_let_go_and_what_a_copy_repeats_does_not_wait(stored: Household) -> None:
    caught_up(stored)
    shutil.copyfile(store_path(stored), put_elsewhere(stored, "store"))
    with AgentStore(store_path(stored)) as store:
        store.connection.execute("DELETE FROM trajectory_runtime_events WHERE seq > 0")
    caught_up(stored)
    assert seen(stored).behind_bytes == 0


def test_what_was_purged_does_not_wait(stored: Household, cli_in_process: Cli) -> None:
    caught_up(stored)
    assert cli_in_process("purge", ONE, "--yes", env=stored.environ).exit_code == 0
    assert seen(stored).behind_bytes == 0


def test_of_a_database_that_cannot_be_read_nothing_is_known(stored: Household) -> None:
    caught_up(stored)
    store_path(stored).write_bytes(b"no database" * 1000)
    found = seen(stored)
    assert (found.behind_bytes, [each.code for each in found.problems]) == (0, ["store_corrupt"])


def test_status_counts_them(stored: Household, cli_in_process: Cli) -> None:
    caught_up(stored)
    with AgentStore(store_path(stored)) as store:
        store.record(ONE, *FLIGHTS[3:5])
    told = json.loads(cli_in_process("status", "--json", env=stored.environ).stdout)
    assert told["behind_bytes"] == len(FLIGHTS[3] + FLIGHTS[4])
