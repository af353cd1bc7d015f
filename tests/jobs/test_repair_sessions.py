"""Damage in what was taken from OpenClaw's index: the index has the truth, the versions the history."""

import json
from pathlib import Path
from typing import Any

import pytest

from syncd.ledger.sessions import distrust_entries
from syncd.ledger.transaction import writing
from tests.conftest import Cli
from tests.jobs.test_repair import broken, found, index, repaired
from tests.mirror.household import Household, name_of, session_id, transcript
from tests.mirror.indexed import MAIN, entry, indexed
from tests.mirror_checks import query

BREAKAGES = {
    "title and entry": "UPDATE sessions SET title = 'X', entry_json = '{}' WHERE id = 1",
    "title": "UPDATE sessions SET title = 'X' WHERE id = 1",
    "a column": "UPDATE sessions SET label = 'm1ne' WHERE id = 1",
    "the session id": "UPDATE sessions SET session_id = 'zzz' WHERE id = 1",
    "entry with another letter": "UPDATE sessions SET entry_json = replace(entry_json, 'mine', 'm1ne') WHERE id = 1",
    "entry that is none": "UPDATE sessions SET entry_json = substr(entry_json, 3) WHERE id = 1",
    "pairings": "DELETE FROM session_ids",
    "all of it": "UPDATE sessions SET title = 'X', entry_json = '{}'; DELETE FROM session_ids",
}


def tables(house: Household) -> dict[str, list[Any]]:
    """But for the ids of pairings, and what a repair notes of itself."""
    ids = "SELECT session, session_id, session_key, agent_id, first_seen_at, ended_by FROM session_ids ORDER BY 1, 5, 2"
    return {
        "sessions": query(house.ledger_path, "SELECT * FROM sessions ORDER BY id"),
        "session_ids": query(house.ledger_path, ids),
        "session_versions": query(house.ledger_path, "SELECT * FROM session_versions ORDER BY id"),
        "sync_events": query(house.ledger_path, "SELECT * FROM sync_events WHERE kind != 'repair' ORDER BY id"),
    }


@pytest.fixture
def house(house: Household) -> Household:
    """A key that went over to another session id, and one that never did."""
    house.write(name_of(1), transcript(1, 3))
    first = {"sessionId": session_id(1), "updatedAt": 5, "label": "mine", "note": None}
    other = {"sessionId": session_id(7), "updatedAt": 5}
    index(house, agent_main_main=first, agent_main_other=other)
    repaired(house)
    index(house, agent_main_main=first | {"sessionId": session_id(2), "updatedAt": 9}, agent_main_other=other)
    repaired(house)
    assert [len(rows) for rows in tables(house).values()][:3] == [2, 3, 3]
    return house


@pytest.mark.parametrize("seals", [True, False])
@pytest.mark.parametrize("damage", BREAKAGES)
def test_what_the_index_and_the_versions_know_is_put_right_and_no_history_is_made(
    house: Household, damage: str, seals: bool
) -> None:
    before = tables(house)
    assert found(house) == {}
    broken(house, BREAKAGES[damage], seals=seals)
    assert tables(house) != before
    assert found(house)["index"] >= 1
    assert repaired(house)["ok"]
    assert tables(house) == before
    assert found(house) == {}


@pytest.mark.parametrize("damage", ["a column", "entry that is none", "all of it"])
def test_a_rebuild_puts_sessions_right(cli_in_process: Cli, house: Household, damage: str) -> None:
    env = {**house.environ, "OPENCLAW_STATE_DIR": str(house.state_dir)}
    assert cli_in_process("resync", "--rebuild", env=env).exit_code == 0
    before = tables(house)
    broken(house, BREAKAGES[damage])
    assert cli_in_process("resync", "--rebuild", env=env).exit_code == 0
    assert tables(house) == before
    assert cli_in_process("ledger", "check", env=env).exit_code == 0


def test_a_version_that_rotted_is_followed_by_one_that_is_right(house: Household) -> None:
    before = tables(house)
    broken(house, "UPDATE session_versions SET changed_json = replace(changed_json, 'mine', 'm1ne') WHERE id = 1")
    assert found(house) == {"index": 1}
    repaired(house)
    assert tables(house)["sessions"] == before["sessions"]
    told = query(house.ledger_path, "SELECT changed_json FROM session_versions ORDER BY id DESC LIMIT 1")
    assert json.loads(told[0][0]) == {"label": "mine"}
    assert found(house) == {}


@pytest.mark.parametrize("damage", ["entry with another letter", "entry that is none", "a column"])
def test_a_session_that_has_left_the_index_is_made_from_what_the_ledger_kept(house: Household, damage: str) -> None:
    broken(house, "UPDATE sessions SET status = 'removed', removed_at = 3 WHERE id = 1", "DELETE FROM _index_entries")
    (house.sessions() / "sessions.json").unlink()
    kept = "SELECT label, entry_json ->> '$.label', entry_json ->> '$.sessionId' FROM sessions WHERE id = 1"
    broken(house, BREAKAGES[damage])
    assert found(house, is_thorough=False)["index"] == 1
    repaired(house, is_thorough=False)
    assert query(house.ledger_path, kept) == [("mine", "mine", session_id(2))]
    assert "index" not in found(house)


def test_a_rotted_version_of_a_session_that_has_left_the_index_is_followed_by_what_its_entry_has(
    cli_in_process: Cli, house: Household
) -> None:
    env = {**house.environ, "OPENCLAW_STATE_DIR": str(house.state_dir)}
    broken(house, "UPDATE sessions SET status = 'removed', removed_at = 3 WHERE id = 1", "DELETE FROM _index_entries")
    (house.sessions() / "sessions.json").unlink()
    before = tables(house)["sessions"]
    broken(house, "UPDATE session_versions SET changed_json = replace(changed_json, 'mine', 'm1ne') WHERE id = 1")
    assert cli_in_process("ledger", "check", env=env).exit_code == 1
    repaired(house)
    assert tables(house)["sessions"] == before
    assert [json.loads(row[3]) for row in tables(house)["session_versions"]][-1] == {"label": "mine", "note": None}
    assert cli_in_process("ledger", "check", env=env).exit_code == 0
    versions = tables(house)["session_versions"]
    repaired(house)
    assert tables(house)["session_versions"] == versions


def test_a_daemon_that_knows_the_index_reads_it_again(tmp_path: Path) -> None:
    """Its stat is proven in memory, and says nothing of the row."""
    with indexed(tmp_path) as index:
        index.write({MAIN: entry(1, label="mine")})
        index.settle(10.0)
        assert index.memory.store(str(index.path())).proven is not None
        before, versions = index.sessions(), index.versions()
        with writing(index.ledger) as connection:
            connection.execute("UPDATE sessions SET entry_json = '{}', label = 'm1ne'")
            distrust_entries(connection, [1])
        assert index.look().changed == 1
        assert (index.sessions(), index.versions()) == (before, versions)
