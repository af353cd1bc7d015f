"""Whose a transcript is that lies where no name tells: by OpenClaw's configuration, not by what a path looks like."""

import json
from pathlib import Path

import pytest

from tests.mirror.household import RESET_TIME, Household, header, name_of
from tests.mirror.shared_places import (
    LINES,
    MAIN,
    OPS,
    configure,
    counted,
    databases,
    deleted_into_an_archive,
    owners,
    parted,
    put_away,
    shared_database,
    shared_files,
    shared_house,
)
from tests.mirror.test_store import caught_up
from tests.openclaw_store import AgentStore
from tests.usage_corpus import answer

OF_EACH = {"main": 2, "ops": 2}
TWO_OF_ONE_ID = [(MAIN, "main", "live", 1), (MAIN, "ops", "live", 1)]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def house(home: Path) -> Household:
    return shared_house(home)


@pytest.fixture(params=["main", "agents/main"])
def main_house(home: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Household:
    """All that is shared lies below a directory that happens to be named as the default agent's is."""
    place = home / request.param
    monkeypatch.setenv("HOME", str(place))
    place.mkdir(parents=True)
    return shared_house(place)


def configure_agents(house: Household, ops: dict[str, str]) -> None:
    agents = [{"id": "main", "default": True}, {"id": "ops", **ops}]
    (house.state_dir / "openclaw.json").write_text(json.dumps({"agents": {"list": agents}}))


def a_copy_for_ops(path: Path, *, goes_on: bool) -> None:
    with AgentStore(path) as store:
        store.own("ops")
        store.import_lines(MAIN, LINES[MAIN])
        if goes_on:
            store.append(MAIN, answer(7))


def test_a_shared_index_below_a_directory_of_an_agents_name_is_shared(main_house: Household) -> None:
    shared_files(main_house)
    caught_up(main_house)
    parted(main_house)
    put_away(main_house)
    caught_up(main_house)
    assert owners(main_house) == [(MAIN, "main", "live", 1), (OPS, "ops", "live", 1)]
    assert counted(main_house) == OF_EACH


def test_a_shared_database_below_a_directory_of_an_agents_name_is_shared(main_house: Household) -> None:
    place = shared_database(main_house)
    caught_up(main_house)
    configure(main_house, str(place.with_name("foo.json")))
    parted(main_house)
    place.unlink()
    caught_up(main_house)
    assert counted(main_house) == OF_EACH


@pytest.mark.parametrize("goes_on", [False, True])
def test_an_agent_dir_is_its_agents_though_it_does_not_bear_its_name(house: Household, *, goes_on: bool) -> None:
    other = house.state_dir.parent / "elsewhere" / "x"
    configure_agents(house, {"agentDir": str(other)})
    house.write(name_of(1), LINES[MAIN])
    caught_up(house)
    a_copy_for_ops(other / "openclaw-agent.sqlite", goes_on=goes_on)
    caught_up(house)
    house.append(name_of(1), answer(9))
    caught_up(house)
    assert sorted(owners(house)) == TWO_OF_ONE_ID


@pytest.mark.parametrize(
    ("store", "database"),
    [("foo.json", "foo.ops.sqlite"), ("foo.json", "foo.ops.2.sqlite"), ("{agentId}.json", "ops.sqlite")],
)
def test_a_database_that_openclaw_named_after_an_agent_is_that_agents(
    house: Household, store: str, database: str
) -> None:
    data = house.state_dir.parent / "data"
    configure(house, str(data / store))
    house.write(name_of(1), LINES[MAIN])
    caught_up(house)
    a_copy_for_ops(data / database, goes_on=True)
    caught_up(house)
    assert sorted(owners(house)) == TWO_OF_ONE_ID


def test_files_that_go_from_a_shared_directory_to_those_of_their_agents_are_counted_once(house: Household) -> None:
    shared_files(house)
    caught_up(house)
    configure_agents(house, {})
    data = house.state_dir.parent / "data"
    for number, agent in ((1, "main"), (2, "ops")):
        directory = house.state_dir / "agents" / agent / "sessions"
        directory.mkdir(parents=True, exist_ok=True)
        (data / name_of(number)).rename(directory / name_of(number))
    (data / "foo.json").unlink()
    caught_up(house)
    assert sum(counted(house).values()) == 4


def test_a_line_that_the_import_repairs_is_counted_once_though_its_agent_is_known_now(house: Household) -> None:
    shared_files(house)
    caught_up(house)
    for session, path in databases(house).items():
        with AgentStore(path) as store:
            store.import_lines(session, LINES[session].replace(b'"parentId":null', b'"parentId": null', 1))
    put_away(house)
    caught_up(house)
    assert sum(counted(house).values()) == 4


def test_what_was_rewritten_just_before_its_import_is_counted_once(house: Household) -> None:
    shared_files(house)
    caught_up(house)
    kept_lines = LINES[OPS].splitlines(keepends=True)[:-1]
    rewritten = house.state_dir.parent / "data" / name_of(2)
    rewritten.write_bytes(b"".join(kept_lines) + answer(9))
    contents = {MAIN: LINES[MAIN], OPS: rewritten.read_bytes()}
    for session, path in databases(house).items():
        with AgentStore(path) as store:
            store.import_lines(session, contents[session])
    put_away(house)
    caught_up(house)
    assert sum(counted(house).values()) == 5  # the line that went is an answer, too


def test_a_file_that_stayed_and_is_reset_after_its_import_is_counted_once(house: Household) -> None:
    shared_files(house)
    caught_up(house)
    parted(house)
    caught_up(house)
    stayed = house.state_dir.parent / "data" / name_of(2)
    stayed.rename(stayed.with_name(f"{stayed.name}.reset.{RESET_TIME}"))
    caught_up(house)
    assert sum(counted(house).values()) == 4


def test_what_is_parted_and_archived_at_once_is_counted_once_though_its_file_stays(house: Household) -> None:
    shared_files(house)
    caught_up(house)
    parted(house)
    deleted_into_an_archive(house)
    caught_up(house)
    assert sum(counted(house).values()) == 4


def test_a_shared_database_that_is_left_behind_counts_nothing_twice(house: Household) -> None:
    place = shared_database(house)
    caught_up(house)
    configure(house, str(place.with_name("foo.json")))
    parted(house)
    caught_up(house)
    assert sum(counted(house).values()) == 4


def in_one_database(house: Household) -> None:
    place = house.state_dir.parent / "data" / "all.sqlite"
    configure(house, str(place))
    with AgentStore(place) as store:
        for agent, (session, content) in zip(OF_EACH, LINES.items(), strict=True):
            store.import_lines(session, content, key=f"agent:{agent}:main")
            store.record(session, b'{"event":1}', b'{"event":2}')


def test_what_was_known_as_an_agents_stays_so_in_a_database_that_names_none(house: Household) -> None:
    data = house.state_dir.parent / "data"
    configure(house, str(data / "{agentId}" / "sessions.json"))
    for agent, (session, content) in zip(OF_EACH, LINES.items(), strict=True):
        with AgentStore(data / agent / "openclaw-agent.sqlite") as store:
            store.own(agent)
            store.import_lines(session, content, key=f"agent:{agent}:main")
            store.record(session, b'{"event":1}', b'{"event":2}')
    caught_up(house)
    before = sorted(owners(house))
    in_one_database(house)
    for agent in OF_EACH:
        (data / agent / "openclaw-agent.sqlite").unlink()
    caught_up(house)
    assert sorted(owners(house)) == before
    assert counted(house) == OF_EACH


def test_files_that_were_known_as_an_agents_stay_so_in_a_database_that_names_none(house: Household) -> None:
    data = house.state_dir.parent / "data"
    configure(house, str(data / "{agentId}" / "sessions.json"))
    places = [data / agent / name_of(number) for number, agent in enumerate(OF_EACH, 1)]
    for place, content in zip(places, LINES.values(), strict=True):
        place.parent.mkdir()
        place.write_bytes(content)
    caught_up(house)
    in_one_database(house)
    for place in places:
        place.unlink()
    caught_up(house)
    assert counted(house) == OF_EACH


def test_an_archive_in_an_agents_own_directory_is_that_agents(house: Household) -> None:
    shared_files(house)
    caught_up(house)
    configure_agents(house, {})
    shared = house.state_dir.parent / "data" / name_of(2)
    shared.rename(house.sessions("ops") / f"{name_of(2)}.reset.{RESET_TIME}")
    caught_up(house)
    assert counted(house) == OF_EACH


@pytest.mark.parametrize("begun", [header(1), LINES[MAIN]])
def test_what_another_agent_began_with_the_same_lines_is_its_own_once_it_goes_another_way(
    house: Household, begun: bytes
) -> None:
    shared_files(house)
    shared = house.state_dir.parent / "data" / name_of(1)
    with shared.open("ab") as file:
        file.write(answer(5))
    caught_up(house)
    with AgentStore(house.state_dir / "agents" / "ops" / "agent" / "openclaw-agent.sqlite") as store:
        store.import_lines(MAIN, begun)
        caught_up(house)
        assert len(owners(house)) == 2
        store.append(MAIN, answer(7))
    caught_up(house)
    with shared.open("ab") as file:
        file.write(answer(6))
    caught_up(house)
    assert sorted(owners(house)) == sorted([*TWO_OF_ONE_ID, (OPS, "main", "live", 1)])


def test_a_stale_file_that_is_seen_empty_in_a_rewrite_begins_no_transcript_of_its_own(house: Household) -> None:
    shared_files(house)
    shared = house.state_dir.parent / "data" / name_of(1)
    with AgentStore(house.state_dir / "agents" / "ops" / "agent" / "openclaw-agent.sqlite") as store:
        caught_up(house)
        store.import_lines(MAIN, LINES[MAIN] + answer(7))
        caught_up(house)
        before = owners(house)
        assert len(before) == 2
        shared.write_bytes(b"")
        caught_up(house)
        assert owners(house) == before
        shared.write_bytes(LINES[MAIN])
        caught_up(house)
        assert owners(house) == before
