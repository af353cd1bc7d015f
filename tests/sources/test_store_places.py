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


@pytest.mark.parametrize("alias", ["alias", "zz"])
@pytest.mark.parametrize("agents", ["agents", "elsewhere"])
def test_an_agent_is_found_under_its_own_name_whichever_link_leads_to_it(
    tmp_path: Path, alias: str, agents: str
) -> None:
    path = tmp_path / "agents" / "ops" / "agent" / "openclaw-agent.sqlite"
    if agents != "agents":
        (tmp_path / agents).mkdir()
        (tmp_path / "agents").symlink_to(agents)
    made(path)
    (tmp_path / "agents" / alias).symlink_to("ops")
    assert store_places(str(tmp_path), OpenClawConfig(), ("*",), "/") == (StorePlace("ops", str(path)),)


def test_a_way_that_ends_with_a_link_is_the_last_choice(tmp_path: Path) -> None:
    """A linked file is not read; what a linked directory holds is."""
    real = tmp_path / "data" / "openclaw-agent.sqlite"
    made(real)
    (tmp_path / "link").symlink_to("data")
    ops = tmp_path / "agents" / "ops" / "agent"
    ops.mkdir(parents=True)
    (ops / real.name).symlink_to(real)
    config = OpenClawConfig(agents=(Agent("ops", str(tmp_path / "link")),))
    (found,) = store_places(str(tmp_path), config, ("*",), "/")
    assert found == StorePlace("ops", str(tmp_path / "link" / real.name))


def test_an_agents_directory_configured_without_the_link_that_leads_to_it_counts(tmp_path: Path) -> None:
    path = made(tmp_path / "data" / "openclaw-agent.sqlite")
    (tmp_path / "agents" / "ops").mkdir(parents=True)
    (tmp_path / "agents" / "ops" / "agent").symlink_to(tmp_path / "data")
    config = OpenClawConfig(agents=(Agent("ops", str(tmp_path / "data")),))
    assert store_places(str(tmp_path), config, ("*",), "/") == (StorePlace("ops", path),)


@pytest.mark.parametrize("is_usual", [False, True], ids=["elsewhere", "where one of them usually has it"])
def test_a_directory_that_is_given_to_several_agents_is_shared_by_them(tmp_path: Path, is_usual: bool) -> None:
    directory = tmp_path / "agents" / "ops" / "agent" if is_usual else tmp_path / "data"
    path = made(directory / "openclaw-agent.sqlite", "ops")
    (tmp_path / "link").symlink_to(directory)
    own = made(tmp_path / "qa" / "openclaw-agent.sqlite")
    given = {
        "main": str(directory),
        "ops": f"{directory}/",
        "guest": str(tmp_path / "link"),
        "qa": str(tmp_path / "qa"),
    }
    config = OpenClawConfig(agents=tuple(Agent(agent, place) for agent, place in given.items()))
    found = store_places(str(tmp_path), config, ("*",), "/")
    assert set(found) == {StorePlace("ops", path, is_shared=True), StorePlace("qa", own)}
    (only,) = store_places(str(tmp_path), config, ("main",), "/")
    assert only == StorePlace("main", path, is_shared=True)
    (place,) = [each for each in index_places(str(tmp_path), config, ("*",), "/") if each.path == path]
    assert [place.agent_of(key) for key in ("agent:ops:main", "agent:guest:main")] == ["ops", "guest"]


def test_an_agents_directory_may_be_named_by_a_variable() -> None:
    raw = b'{agents: {entries: {ops: {agentDir: "${DATA}/ops"}, qa: {agentDir: "${NONE}/qa"}}}}'
    config = parse_config(raw, {"DATA": "/data"})
    assert config is not None
    assert config.agents == (Agent("ops", "/data/ops"), Agent("qa", None))


class Known:
    """What a ledger tells: places, and whose they are."""

    def __init__(self, **agents: str) -> None:
        self.agents = agents

    def places(self) -> list[str]:
        return list(self.agents)

    def agent_at(self, place: str) -> str | None:
        return self.agents[place] or None


def test_what_the_ledger_knows_comes_behind_what_is_configured_and_each_once(data: Path) -> None:
    main, former = made(data / "foo.sqlite", "main"), made(data / "former.sqlite")
    (data / "link.sqlite").symlink_to(data / "foo.sqlite")
    (data / "files").mkdir()
    known = Known(**{
        former: "ops", main: "ops", f"{data}/link.sqlite": "main", f"{data}/gone.sqlite": "ops", f"{data}/files": "ops",
    })  # fmt: skip
    config = OpenClawConfig(store=f"{data}/foo.json")
    state_dir = str(data.parent / "state")
    found = store_places(state_dir, config, ("*",), str(data), known)
    assert found == (StorePlace("main", main), StorePlace("ops", former))
    assert store_places(state_dir, config, ("main",), str(data), known) == (StorePlace("main", main),)
    assert store_places(state_dir, config, ("ops",), str(data), known) == (StorePlace("ops", former),)
    known.agents[former] = ""  # its transcripts are elsewhere by now
    assert store_places(state_dir, config, ("*",), str(data), known) == (StorePlace("main", main),)
