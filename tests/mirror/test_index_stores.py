"""Several indexes of one household: two entries for a key, shared and configured stores, agents that come and go."""

import json
from pathlib import Path

from syncd.mirror.index_look import IndexOptions
from tests.mirror.indexed import MAIN, Indexed, entry
from tests.openclaw_store import AgentStore

NOW = 1_794_802_930_000
TELEGRAM = "agent:main:telegram:direct:4242"


def test_the_newest_of_two_entries_for_one_key_counts(index: Indexed) -> None:
    old = index.house.state_dir / "sessions" / "sessions.json"
    index.write({MAIN: entry(1, updated_at=NOW)})
    index.write({MAIN: entry(2, updated_at=NOW + 5), "main": entry(3)}, old)
    index.settle()
    assert index.live() == {MAIN: entry(2, updated_at=NOW + 5), "main": entry(3)}
    index.write({MAIN: entry(1, updated_at=NOW + 9)})
    index.settle()
    assert index.live()[MAIN] == entry(1, updated_at=NOW + 9)
    index.write({MAIN: entry(2, updated_at=NOW + 6), "main": entry(3)}, old)
    assert index.settle().changed == 0
    index.write({})
    index.settle()
    assert index.live()[MAIN] == entry(2, updated_at=NOW + 6)
    assert index.sessions("removed") == {}


def test_a_key_that_one_index_lost_lives_on_in_the_other(index: Indexed) -> None:
    old = index.house.state_dir / "sessions.json"
    index.write({MAIN: entry(1, updated_at=NOW + 5), TELEGRAM: entry(2)})
    index.write({MAIN: entry(1, updated_at=NOW)}, old)
    index.settle()
    index.write({TELEGRAM: entry(2)})
    index.confirm()
    assert index.live() == {MAIN: entry(1, updated_at=NOW), TELEGRAM: entry(2)}
    index.write({}, old)
    index.confirm()
    assert set(index.live()) == {TELEGRAM}


def test_a_move_from_the_oldest_place_into_the_agents_is_a_rename(index: Indexed) -> None:
    old = index.write(
        {"main": entry(1), "group:1@g.us": entry(2)}, index.house.state_dir / "sessions" / "sessions.json"
    )
    index.settle()
    before = {row["session_id"]: row["id"] for row in index.sessions().values()}
    old.unlink()
    index.write({MAIN: entry(1), "agent:main:whatsapp:group:1@g.us": entry(2)})
    index.confirm()
    assert set(index.live()) == {MAIN, "agent:main:whatsapp:group:1@g.us"}
    assert {row["session_id"]: row["id"] for row in index.sessions().values()} == before


def test_a_shared_store_gives_each_session_to_the_agent_its_key_names(index: Indexed, tmp_path: Path) -> None:
    store = tmp_path / "shared" / "all.json"
    (index.house.state_dir / "openclaw.json").write_text(json.dumps({"session": {"store": str(store)}}))
    index.write({"agent:ops:main": entry(1), MAIN: entry(2), "global": entry(3)}, store)
    index.settle()
    assert {key: row["agent_id"] for key, row in index.sessions().items()} == {
        "agent:ops:main": "ops",
        MAIN: "main",
        "global": "main",
    }


def test_agents_that_are_given_one_directory_have_the_sessions_their_keys_name(index: Indexed, tmp_path: Path) -> None:
    def give(*agents: str) -> None:
        config = {"agents": {"list": [{"id": each, "agentDir": str(tmp_path / "shared")} for each in agents]}}
        (index.house.state_dir / "openclaw.json").write_text(json.dumps(config))

    with AgentStore(tmp_path / "shared" / "openclaw-agent.sqlite") as store:
        store.own("main")
        store.add_session("s1", MAIN)
        store.add_session("s2", "agent:ops:main")
    give("main")
    index.settle()
    before = {key: row["id"] for key, row in index.sessions().items()}
    give("ops", "main")
    with AgentStore(tmp_path / "shared" / "openclaw-agent.sqlite") as store:
        store.add_session("s3", "agent:ops:direct:ada")
        assert index.confirm().removed == 0
    found = index.sessions()
    assert {key: row["agent_id"] for key, row in found.items()} == {
        "agent:ops:main": "ops",
        "agent:ops:direct:ada": "ops",
        MAIN: "main",
    }
    assert {key: found[key]["id"] for key in before} == before


def test_asking_for_one_agent_of_a_shared_store_loses_no_other(index: Indexed, tmp_path: Path) -> None:
    store = tmp_path / "shared" / "sessions.json"
    (index.house.state_dir / "openclaw.json").write_text(json.dumps({"session": {"store": str(store)}}))
    index.write({"agent:ops:main": entry(1), MAIN: entry(2)}, store)
    everybody, one = index.options, IndexOptions(index.options.environ, agents=("ops",))
    for options in (one, everybody, one):
        index.options = options
        index.confirm()
    assert set(index.live()) == {"agent:ops:main", MAIN}
    index.write({"agent:ops:main": entry(1)}, store)
    index.confirm()
    assert set(index.live()) == {"agent:ops:main", MAIN}
    index.options = everybody
    index.confirm()
    assert set(index.live()) == {"agent:ops:main"}


def test_a_store_template_is_followed_for_each_agent(index: Indexed, tmp_path: Path) -> None:
    config = {"session": {"store": "~/stores/{agentId}/sessions.json"}, "agents": {"list": [{"id": "ops"}]}}
    (index.house.state_dir / "openclaw.json").write_text(json.dumps(config))
    index.write({"agent:ops:main": entry(1)}, tmp_path / "stores" / "ops" / "sessions.json")
    index.write({MAIN: entry(2)}, tmp_path / "stores" / "main" / "sessions.json")
    index.settle()
    assert {key: row["agent_id"] for key, row in index.sessions().items()} == {"agent:ops:main": "ops", MAIN: "main"}


def test_the_households_own_main_key_is_the_main_session(index: Indexed) -> None:
    (index.house.state_dir / "openclaw.json").write_text("{session: {mainKey: 'home'}}")
    index.write({"agent:main:home": entry(1)})
    index.settle()
    assert index.sessions()["agent:main:home"]["kind"] == "main"


def test_only_the_agents_asked_for_are_read(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.write({"agent:ops:main": entry(2)}, index.path("ops"))
    index.options = IndexOptions(index.options.environ, agents=("ops",))
    index.confirm()
    assert set(index.live()) == {"agent:ops:main"}


def test_an_agent_that_comes_later_is_found(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.write({"agent:new:main": entry(2)}, index.path("new"))
    index.settle()
    assert set(index.live()) == {MAIN, "agent:new:main"}
