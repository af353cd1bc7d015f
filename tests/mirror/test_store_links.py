"""OpenClaw's own SQLite behind links: directories are followed as those of files are, and keep the names they have."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mirror.household import Household, household, message, session_id, transcript
from tests.mirror.indexed import indexed
from tests.mirror.test_store import caught_up, live, store_path
from tests.mirror_checks import query, transcripts
from tests.openclaw_store import AgentStore

ONE = session_id(1)
KEY = "agent:sym:main"
NAME = "openclaw-agent.sqlite"


def configure(house: Household, **config: object) -> None:
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))


def agent_directory(house: Household, real: Path) -> tuple[Path, Path]:
    (house.state_dir / "agents" / "sym").mkdir()
    (house.state_dir / "agents" / "sym" / "agent").symlink_to(real)
    return real / NAME, store_path(house, "sym")


def agents_own(house: Household, real: Path) -> tuple[Path, Path]:
    (house.state_dir / "agents" / "sym").symlink_to(real)
    return real / "agent" / NAME, store_path(house, "sym")


def all_agents(house: Household, real: Path) -> tuple[Path, Path]:
    (house.state_dir / "agents").rename(real / "agents")
    (house.state_dir / "agents").symlink_to(real / "agents")
    return real / "agents" / "sym" / "agent" / NAME, store_path(house, "sym")


def configured_directory(house: Household, real: Path) -> tuple[Path, Path]:
    link = real.with_name("link")
    link.symlink_to(real)
    configure(house, agents={"entries": {"sym": {"agentDir": str(link / "d")}}})
    return real / "d" / NAME, link / "d" / NAME


def configured_without_the_link(house: Household, real: Path) -> tuple[Path, Path]:
    agent_directory(house, real)
    configure(house, agents={"entries": {"sym": {"agentDir": str(real)}}})
    return real / NAME, real / NAME


def configured_store(house: Household, real: Path) -> tuple[Path, Path]:
    link = real.with_name("link")
    link.symlink_to(real)
    configure(house, session={"store": str(link / "foo.sqlite")})
    return real / "foo.sqlite", link / "foo.sqlite"


WAYS = [
    agent_directory,
    agents_own,
    all_agents,
    configured_directory,
    configured_without_the_link,
    configured_store,
]


@pytest.mark.parametrize("way", WAYS)
def test_a_store_behind_linked_directories_is_mirrored_open_and_closed(
    tmp_path: Path, way: Callable[[Household, Path], tuple[Path, Path]]
) -> None:
    house, real = household(tmp_path), tmp_path / "real"
    real.mkdir()
    there, known_as = way(house, real)
    with AgentStore(there) as store:
        store.own("sym")
        store.import_lines(ONE, transcript(1, 3), KEY)
        caught_up(house)
        store.append(ONE, message(4))
        caught_up(house)
    house.catch_up()
    assert house.verify().ok
    assert live(house, ONE) == transcript(1, 4)
    (row,) = transcripts(house.ledger_path)
    assert (row.agent_id, row.path) == ("sym", f"{known_as}/{ONE}.jsonl")
    with indexed(tmp_path, house) as index:
        assert index.settle().degraded == ()
        assert [(each["agent_id"], each["session_id"]) for each in index.sessions().values()] == [("sym", ONE)]


@pytest.mark.parametrize("alias", ["alias", "zz"])
def test_another_name_of_an_agents_directory_takes_nothing_from_it(tmp_path: Path, alias: str) -> None:
    house = household(tmp_path)
    with AgentStore(store_path(house, "ops")) as store:
        store.import_lines(ONE, transcript(1, 3), "agent:ops:main")
        caught_up(house)
        (house.state_dir / "agents" / alias).symlink_to("ops")
        store.append(ONE, message(4))
        caught_up(house)
    assert live(house, ONE) == transcript(1, 4)
    assert [row.agent_id for row in transcripts(house.ledger_path)] == ["ops"]
    with indexed(tmp_path, house) as index:
        assert index.settle().degraded == ()
        assert [each["agent_id"] for each in index.sessions().values()] == ["ops"]


def test_a_session_behind_a_link_keeps_its_rows_when_openclaw_moves_it_into_its_store(tmp_path: Path) -> None:
    house, real = household(tmp_path), tmp_path / "real"
    (real / "sessions").mkdir(parents=True)
    (house.state_dir / "agents" / "sym").symlink_to(real)
    file = real / "sessions" / f"{ONE}.jsonl"
    file.write_bytes(transcript(1, 3))
    caught_up(house)
    before = query(house.ledger_path, "SELECT id FROM entries ORDER BY id")
    with AgentStore(real / "agent" / NAME) as store:
        store.import_lines(ONE, file.read_bytes(), KEY)
        archived = house.import_archive("sym") / f"agent_sym_main.{ONE}.jsonl.imported-1794802732071"
        file.rename(archived)
        store.append(ONE, message(4))
        caught_up(house)
    assert query(house.ledger_path, "SELECT id FROM entries ORDER BY id")[:4] == before
    (row,) = transcripts(house.ledger_path)
    assert row.path == f"{store_path(house, 'sym')}/{ONE}.jsonl"
