"""A place that OpenClaw's configuration names no more, and the ledger knows: it is read until it is gone."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from syncd.ledger.database import open_for_reading
from syncd.mirror.catchup import CatchUpOptions
from syncd.mirror.freshness import freshness
from syncd.mirror.trajectory_store import Scope
from tests.jobs.test_purge import purged
from tests.mirror.household import Household, household, message, name_of, session_id, transcript
from tests.mirror.indexed import NOW, entry, indexed
from tests.mirror.stores import put_node
from tests.mirror.test_store import caught_up
from tests.mirror_checks import events, exported, query, transcripts
from tests.openclaw_store import AgentStore

ONE, TWO, THREE = session_id(1), session_id(2), session_id(3)
FLIGHT = b'{"flight":%d}'
Configured = Callable[[Household, Path], dict[str, Any] | None]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Household:
    """OpenClaw's home is that of the test."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return household(tmp_path)


def configure(house: Household, config: dict[str, Any] | None) -> None:
    path = house.state_dir / "openclaw.json"
    path.unlink(missing_ok=True)
    if config is not None:
        path.write_text(json.dumps(config))


def by_agent_dir(place: Path, agent: str = "ops") -> dict[str, Any]:
    return {"agents": {"entries": {agent: {"agentDir": str(place)}}}}


def by_store(place: Path) -> dict[str, Any]:
    return {"session": {"store": str(place / "foo.json")}}


HOW = {
    "agentDir": (by_agent_dir, "openclaw-agent.sqlite", "ops"),
    "store": (by_store, "foo.sqlite", "main"),
}
THEN: dict[str, Configured] = {
    "another place": lambda house, _: by_store(house.state_dir.parent / "other"),
    "another agentDir": lambda house, _: by_agent_dir(house.state_dir.parent / "other"),
    "nothing": lambda *_: {},
    "no configuration": lambda *_: None,
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "elsewhere"


def rows(house: Household, kind: str = "primary") -> list[tuple[str, str, str, int]]:
    found = transcripts(house.ledger_path, "kind = ?", kind)
    agents = dict(query(house.ledger_path, "SELECT id, agent_id FROM transcripts"))
    return sorted((row.session_id, agents[row.id], row.state, row.generation) for row in found)


def content(house: Household) -> bytes:
    """What the ledger has of the first session."""
    (row,) = transcripts(house.ledger_path, "kind = 'primary' AND session_id = ?", ONE)
    return exported(house.ledger_path, row.id, row.generation)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("then", THEN)
def test_a_database_that_is_configured_no_more_is_read_on(house: Household, place: Path, how: str, then: str) -> None:
    config, name, agent = HOW[how]
    configure(house, config(place))
    with AgentStore(place / name) as store:
        store.import_lines(ONE, transcript(1, 3))
        store.record(ONE, FLIGHT % 1)
        caught_up(house)
        store.append(ONE, message(4))
        configure(house, THEN[then](house, place))
        caught_up(house)
        assert content(house) == transcript(1, 4)
        store.append(ONE, message(5))
        store.record(ONE, FLIGHT % 2)
        store.import_lines(TWO, transcript(2, 1))
        with open_for_reading(house.ledger_path) as ledger:
            behind = freshness(ledger, [str(house.state_dir)], ("*",), {}, NOW)
        assert behind.agent(agent).behind_bytes > len(message(5))
        caught_up(house)
    assert rows(house) == [(ONE, agent, "live", 1), (TWO, agent, "live", 1)]
    assert [(row.session_id, row.lines) for row in transcripts(house.ledger_path, "kind = 'trajectory'")] == [(ONE, 2)]
    (place / name).unlink()
    house.catch_up()
    assert {state for _, _, state, _ in (*rows(house), *rows(house, "trajectory"))} == {"gone"}
    assert house.verify().differences == []


@pytest.mark.parametrize("then", THEN)
def test_files_beside_an_index_that_is_configured_no_more_are_read_on(house: Household, place: Path, then: str) -> None:
    configure(house, by_store(place))
    (place / name_of(1)).write_bytes(transcript(1, 3))
    caught_up(house)
    (place / name_of(1)).write_bytes(transcript(1, 4))
    configure(house, THEN[then](house, place))
    (place / name_of(2)).write_bytes(transcript(2, 1))
    caught_up(house)
    assert content(house) == transcript(1, 4)
    assert rows(house) == [(ONE, "main", "live", 1), (TWO, "main", "live", 1)]
    (place / name_of(1)).unlink()
    caught_up(house)
    assert rows(house) == [(ONE, "main", "gone", 1), (TWO, "main", "live", 1)]


def test_what_lies_in_the_state_dir_itself_is_read_on(house: Household) -> None:
    configure(house, {"session": {"store": str(house.state_dir / "all.json")}})
    (house.state_dir / name_of(1)).write_bytes(transcript(1, 3))
    caught_up(house)
    configure(house, None)
    (house.state_dir / name_of(1)).write_bytes(transcript(1, 4))
    caught_up(house)
    assert rows(house) == [(ONE, "main", "live", 1)]
    assert content(house) == transcript(1, 4)


def test_of_a_place_that_only_looks_like_a_known_one_nothing_is_read(house: Household, place: Path) -> None:
    configure(house, by_store(place))
    with AgentStore(place / "foo.sqlite") as store:
        store.import_lines(ONE, transcript(1, 3))
    caught_up(house)
    configure(house, None)
    shutil.copyfile(place / "foo.sqlite", place / "copy.sqlite")
    (place / name_of(2)).write_bytes(transcript(2, 1))
    caught_up(house)
    assert rows(house) == [(ONE, "main", "live", 1)]
    assert transcripts(house.ledger_path)[0].path.startswith(f"{place}/foo.sqlite/")


def test_a_session_that_went_on_elsewhere_is_not_called_back_by_the_copy_that_stayed(
    house: Household, place: Path
) -> None:
    there = place.with_name("other")
    there.mkdir()
    configure(house, by_store(place))
    with AgentStore(place / "foo.sqlite") as store:
        store.import_lines(ONE, transcript(1, 3))
        store.record(ONE, FLIGHT % 1)
        caught_up(house)
    shutil.copyfile(place / "foo.sqlite", there / "foo.sqlite")
    configure(house, by_store(there))
    with AgentStore(there / "foo.sqlite") as store:
        store.append(ONE, message(4))
        store.record(ONE, FLIGHT % 2)
        caught_up(house)
        told = events(house.ledger_path)
        for _ in range(2):
            house.catch_up(CatchUpOptions(prove_all=True))
        assert events(house.ledger_path) == told
        store.append(ONE, message(5))
        caught_up(house)
    assert {row.path.rpartition("/")[0] for row in transcripts(house.ledger_path)} == {f"{there}/foo.sqlite"}
    assert rows(house) == [(ONE, "main", "live", 1)]
    assert content(house) == transcript(1, 5)
    assert rows(house, "trajectory") == [(ONE, "main", "live", 1)]


def test_a_database_that_was_away_and_is_back_is_read_again(house: Household, place: Path) -> None:
    configure(house, by_store(place))
    with AgentStore(place / "foo.sqlite") as store:
        store.import_lines(ONE, transcript(1, 3))
    caught_up(house)
    configure(house, None)
    (place / "foo.sqlite").rename(place / "away")
    house.catch_up()
    assert rows(house) == [(ONE, "main", "gone", 1)]
    (place / "away").rename(place / "foo.sqlite")
    with AgentStore(place / "foo.sqlite") as store:
        store.append(ONE, message(4))
    caught_up(house)
    assert rows(house) == [(ONE, "main", "live", 1)]
    assert content(house) == transcript(1, 4)


def test_what_was_purged_stays_out(house: Household, place: Path) -> None:
    configure(house, by_store(place))
    with AgentStore(place / "foo.sqlite") as store:
        for number in (1, 2):
            store.import_lines(session_id(number), transcript(number, 3))
        caught_up(house)
        purged(house, ONE)
        configure(house, None)
        store.append(ONE, message(4))
        store.append(TWO, message(4))
        caught_up(house)
    assert rows(house) == [(TWO, "main", "live", 1)]


def test_agents_that_are_not_wanted_stay_out(house: Household, place: Path) -> None:
    configure(house, by_agent_dir(place))
    path = place / "openclaw-agent.sqlite"
    with AgentStore(path) as store:
        store.import_lines(ONE, transcript(1, 3))
        store.record(ONE, FLIGHT % 1)
        caught_up(house)
        store.append(ONE, message(4))
        store.record(ONE, FLIGHT % 2)
    configure(house, None)
    house.catch_up(CatchUpOptions(agents=("main",)))
    assert content(house) == transcript(1, 3)
    assert rows(house) == [(ONE, "ops", "live", 1)]
    assert Scope(("main",), {}).places(str(house.state_dir)) == ()
    house.catch_up(CatchUpOptions(agents=("op*",)))
    assert content(house) == transcript(1, 4)


def test_what_is_configured_for_an_agent_that_is_not_wanted_is_not_read_as_anothers(
    house: Household, place: Path
) -> None:
    configure(house, by_agent_dir(place, "main"))
    with AgentStore(place / "openclaw-agent.sqlite") as store:
        store.import_lines(ONE, transcript(1, 3))
        caught_up(house)
        store.append(ONE, message(4))
    configure(house, by_agent_dir(place, "ops"))
    house.catch_up(CatchUpOptions(agents=("main",)))
    assert content(house) == transcript(1, 3)


def test_the_index_of_such_a_database_stays_its_agents(tmp_path: Path, place: Path) -> None:
    with indexed(tmp_path) as index:
        configure(index.house, by_agent_dir(place))
        path = place / "openclaw-agent.sqlite"
        with AgentStore(path) as store:
            store.import_lines(ONE, transcript(1, 3))
        keys = ("agent:ops:main", "global", "agent:main:direct:1")
        for key in keys:
            put_node(path, key, entry(1))
        index.settle()
        owned = query(index.house.ledger_path, "SELECT agent_id, session_key, status FROM sessions ORDER BY id")
        assert {agent for agent, _, _ in owned} == {"ops"}
        configure(index.house, None)
        put_node(path, "agent:ops:main", entry(1, updated_at=NOW + 1, label="later"))
        index.confirm()
        assert query(index.house.ledger_path, "SELECT agent_id, session_key, status FROM sessions ORDER BY id") == owned
        assert query(index.house.ledger_path, "SELECT label FROM sessions WHERE label NOTNULL") == [("later",)]
