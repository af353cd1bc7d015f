"""Where OpenClaw's own SQLite may lie, and whose it is."""

import shutil
from pathlib import Path

import pytest

from syncd.openclaw.config_file import Agent, OpenClawConfig, parse_config
from syncd.sources.index_places import index_places
from syncd.sources.store_places import StorePlace, store_places
from tests.openclaw_store import AgentStore


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def made(path: Path, owner: str | None = None) -> str:
    with AgentStore(path) as store:
        if owner is not None:
            store.own(owner)
    return str(path)


def places(data: Path, store: str, *agents: str, default: str = "main") -> set[StorePlace]:
    state_dir = data.parent / "state"
    (state_dir / "agents").mkdir(parents=True, exist_ok=True)
    config = OpenClawConfig(store=store, agents=tuple(Agent(each, None) for each in agents), default_agent=default)
    return set(store_places(str(state_dir), config, ("*",), str(data)))


def test_where_each_agent_has_its_own_beside_a_store_all_of_them_are_found(data: Path) -> None:
    main, ops = made(data / "foo.sqlite", "main"), made(data / "foo.ops.sqlite", "ops")
    again, ghost = made(data / "foo.ops.2.sqlite"), made(data / "foo.ghost.sqlite", "ghost")
    assert places(data, f"{data}/foo.json", "ops") == {
        StorePlace("main", main),
        StorePlace("ops", ops),
        StorePlace("ops", again),
        StorePlace("ghost", ghost),  # of an agent that is configured no more
    }


def test_a_copy_beside_a_store_is_no_agents(data: Path) -> None:
    main = made(data / "foo.sqlite", "main")
    shutil.copyfile(main, data / "foo.backup.sqlite")
    shutil.copyfile(main, data / "foo.sqlite.bak")
    shutil.copyfile(main, data / "foo.main.2026.old.sqlite")
    assert places(data, f"{data}/foo.json") == {StorePlace("main", main)}


def test_a_store_stays_its_owners_when_another_agent_becomes_the_default(data: Path) -> None:
    main, ops = made(data / "foo.sqlite", "main"), made(data / "foo.ops.sqlite", "ops")
    assert places(data, f"{data}/foo.json", "ops", default="ops") == {StorePlace("main", main), StorePlace("ops", ops)}


def test_a_store_that_does_not_say_whose_it_is_is_the_default_agents(data: Path) -> None:
    assert places(data, f"{data}/foo.json") == set()
    path = made(data / "foo.sqlite")
    assert places(data, f"{data}/foo.json", default="ops") == {StorePlace("ops", path)}
    Path(path).write_bytes(b"no database" * 1000)
    assert places(data, f"{data}/foo.json", default="ops") == {StorePlace("ops", path)}


def test_a_database_that_is_named_as_the_store_is_shared_and_its_keys_say_whose_they_are(data: Path) -> None:
    path = made(data / "own.sqlite", "main")
    made(data / "own.ops.sqlite", "ops")
    assert places(data, path, "ops") == {StorePlace("main", path, is_shared=True)}
    config = OpenClawConfig(store=path, agents=(Agent("ops", None),))
    (place,) = [each for each in index_places(str(data.parent / "state"), config, ("*",), "/") if each.is_store]
    assert [place.agent_of(key) for key in ("agent:ops:main", "agent:main:main", "global")] == ["ops", "main", "main"]


def test_a_template_is_expanded_by_what_is_there(data: Path) -> None:
    main = made(data / "main" / "openclaw-agent.sqlite")
    ghost = made(data / "ghost" / "openclaw-agent.ghost.sqlite")
    made(data / "Ghost" / "openclaw-agent.sqlite")  # no name of an agent's directory
    (data / "empty").mkdir()
    assert places(data, f"{data}/{{agentId}}/sessions.json") == {StorePlace("main", main), StorePlace("ghost", ghost)}


def test_an_agents_directory_may_be_named_by_a_variable() -> None:
    raw = b'{agents: {entries: {ops: {agentDir: "${DATA}/ops"}, qa: {agentDir: "${NONE}/qa"}}}}'
    config = parse_config(raw, {"DATA": "/data"})
    assert config is not None
    assert config.agents == (Agent("ops", "/data/ops"), Agent("qa", None))
