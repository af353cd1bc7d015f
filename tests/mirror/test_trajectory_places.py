"""A database that is put elsewhere goes on with the trajectories that the ledger has of it: nothing of them twice."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mirror.household import Household, message, session_id, transcript
from tests.mirror.indexed import indexed
from tests.mirror.recorder import Recorder
from tests.mirror.test_store import caught_up, store_path
from tests.mirror_checks import Row, events, exported, query, transcripts
from tests.openclaw_store import AgentStore

ONE, TWO = session_id(1), session_id(2)
FLIGHTS = [b'{"flight":%d}\n' % number for number in range(9)]


def recorded(house: Household) -> list[Row]:
    return transcripts(house.ledger_path, "kind = 'trajectory'")


def content(house: Household, row: Row) -> bytes:
    return exported(house.ledger_path, row.id, row.generation)


def put_elsewhere(house: Household, how: str) -> Path:
    """As `agentDir` or `session.store` say from now on; nothing lies there yet."""
    there = house.state_dir.parent / "elsewhere"
    there.mkdir()
    config, name = {
        "agentDir": ({"agents": {"entries": {"main": {"agentDir": str(there)}}}}, "openclaw-agent.sqlite"),
        "store": ({"session": {"store": f"{there}/foo.json"}}, "foo.sqlite"),
    }[how]
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))
    return there / name


@pytest.fixture
def taken(house: Household) -> Household:
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 3))
        store.record(ONE, *FLIGHTS[:3])
        caught_up(house)
    return house


@pytest.mark.parametrize("how", ["agentDir", "store"])
def test_a_database_that_is_moved_keeps_its_trajectories(taken: Household, how: str) -> None:
    (before,) = recorded(taken)
    there = put_elsewhere(taken, how)
    store_path(taken).rename(there)
    caught_up(taken)
    (row,) = recorded(taken)
    assert row == before._replace(path=f"{there}/{ONE}.trajectory.jsonl")
    with AgentStore(there) as store:
        store.record(ONE, *FLIGHTS[3:5])
        caught_up(taken)
    (row,) = recorded(taken)
    assert (content(taken, row), row.generation, row.state) == (b"".join(FLIGHTS[:5]), 1, "live")
    assert query(taken.ledger_path, "SELECT path, mtime_ns FROM _files WHERE role = 'log'") == [
        (f"{there}/{ONE}.trajectory.jsonl".encode(), 4)
    ]
    assert events(taken.ledger_path) == ["migration", "migration"]  # of the transcript, and of the trajectory


def test_a_database_that_is_copied_has_nothing_new_until_it_goes_on(taken: Household) -> None:
    (before,) = recorded(taken)
    there = put_elsewhere(taken, "store")
    shutil.copyfile(store_path(taken), there)
    caught_up(taken)
    assert recorded(taken) == [before]
    assert [item.path for item in taken.verify().stale if "trajectory" in item.path] == [
        f"{there}/{ONE}.trajectory.jsonl"
    ]
    with AgentStore(there) as store:
        store.record(ONE, FLIGHTS[3])
        assert f"{there}/{ONE}.trajectory.jsonl" in {each.path for each in taken.verify().differences}
        caught_up(taken)
    (row,) = recorded(taken)
    assert (content(taken, row), row.path) == (b"".join(FLIGHTS[:4]), f"{there}/{ONE}.trajectory.jsonl")
    assert [item.path for item in taken.verify().stale if "trajectory" in item.path] == [before.path]


def test_an_older_copy_of_a_database_has_a_part_and_nothing_else(taken: Household) -> None:
    there = put_elsewhere(taken, "store")
    shutil.copyfile(store_path(taken), there)
    with AgentStore(store_path(taken)) as store:
        store.record(ONE, *FLIGHTS[3:6])
        caught_up(taken)
    (row,) = recorded(taken)
    assert (content(taken, row), row.path.startswith(f"{store_path(taken)}/")) == (b"".join(FLIGHTS[:6]), True)


def test_two_databases_that_went_different_ways_are_both_kept(taken: Household) -> None:
    there = put_elsewhere(taken, "store")
    shutil.copyfile(store_path(taken), there)
    with AgentStore(store_path(taken)) as here, AgentStore(there) as other:
        here.record(ONE, FLIGHTS[3])
        other.record(ONE, FLIGHTS[4])
        for _ in range(2):
            caught_up(taken)
    assert {content(taken, row) for row in recorded(taken)} == {
        b"".join(FLIGHTS[:4]),
        b"".join([*FLIGHTS[:3], FLIGHTS[4]]),
    }
    assert {row.generation for row in recorded(taken)} == {1}


def test_a_session_of_the_same_id_that_begins_anew_elsewhere_is_another_one(taken: Household) -> None:
    with AgentStore(put_elsewhere(taken, "store")) as store:
        store.import_lines(ONE, transcript(1, 3) + message(4))
        store.record(ONE, *FLIGHTS[5:7])
        caught_up(taken)
    assert [content(taken, row) for row in recorded(taken)] == [b"".join(FLIGHTS[:3]), b"".join(FLIGHTS[5:7])]


def test_another_agents_trajectory_of_the_same_id_is_another_one(taken: Household) -> None:
    shutil.copytree(store_path(taken).parent, store_path(taken, "ops").parent)
    store_path(taken).unlink()
    caught_up(taken)
    assert [(row.state, content(taken, row)) for row in recorded(taken)] == [
        ("gone", b"".join(FLIGHTS[:3])),
        ("live", b"".join(FLIGHTS[:3])),
    ]


FLIGHTS_OF = {ONE: FLIGHTS[:3], TWO: FLIGHTS[3:6]}


def shared(house: Household) -> Path:
    """Of two agents, in one database."""
    place = house.state_dir.parent / "data" / "all.sqlite"
    configure(house, place)
    with AgentStore(place) as store:
        store.import_lines(ONE, transcript(1, 3), "agent:main:main")
        store.import_lines(TWO, transcript(2, 3), "agent:ops:main")
        for session, flights in FLIGHTS_OF.items():
            store.record(session, *flights)
    return place


def configure(house: Household, place: Path) -> None:
    config = {"session": {"store": str(place)}, "agents": {"list": [{"id": "main", "default": True}, {"id": "ops"}]}}
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))


def part(house: Household, place: Path) -> Path:
    """The other agent's database, beside that of the default agent; what was all agents' is gone."""
    configure(house, place.with_name("foo.json"))
    for session, number, name in ((ONE, 1, "foo.sqlite"), (TWO, 2, "foo.ops.sqlite")):
        with AgentStore(place.with_name(name)) as store:
            store.import_lines(session, transcript(number, 3))
            store.record(session, *FLIGHTS_OF[session])
    place.unlink()
    return place.with_name("foo.ops.sqlite")


def whose(house: Household) -> set[tuple[str, str, str, int, bytes]]:
    found = recorded(house)
    return {(row.agent_id, row.session_id, row.state, row.generation, content(house, row)) for row in found}


def test_trajectories_of_a_shared_database_go_on_in_those_of_their_agents(house: Household) -> None:
    place = shared(house)
    caught_up(house)
    part(house, place)
    caught_up(house)
    theirs = {("main", ONE, "live", 1, b"".join(FLIGHTS[:3])), ("ops", TWO, "live", 1, b"".join(FLIGHTS[3:6]))}
    assert whose(house) == theirs
    assert "gone" not in events(house.ledger_path)


def test_other_events_of_the_same_id_in_the_database_of_one_agent_are_another_trajectory(house: Household) -> None:
    place = shared(house)
    caught_up(house)
    with AgentStore(part(house, place)) as store:
        store.connection.execute("DELETE FROM trajectory_runtime_events")
        store.record(TWO, *FLIGHTS[7:])
    caught_up(house)
    parted = {("main", TWO, "gone", 1, b"".join(FLIGHTS[3:6])), ("ops", TWO, "live", 1, b"".join(FLIGHTS[7:]))}
    assert whose(house) == parted | {("main", ONE, "live", 1, b"".join(FLIGHTS[:3]))}


def test_while_the_shared_database_still_has_it_each_has_its_own(house: Household) -> None:
    place = shared(house)
    caught_up(house)
    configure(house, place.with_name("foo.json"))
    shutil.copyfile(place, place.with_name("foo.ops.sqlite"))
    caught_up(house)
    assert {(row.agent_id, row.session_id, row.state) for row in recorded(house)} == {
        ("main", ONE, "live"), ("main", TWO, "live"), ("ops", ONE, "live"), ("ops", TWO, "live"),
    }  # fmt: skip


def test_what_comes_from_an_agents_own_database_into_a_shared_one_stays_its(house: Household) -> None:
    with AgentStore(store_path(house, "ops")) as store:
        store.import_lines(TWO, transcript(2, 3))
        store.record(TWO, *FLIGHTS[3:6])
    caught_up(house)
    store_path(house, "ops").unlink()
    shared(house)
    caught_up(house)
    theirs = {("main", ONE, "live", 1, b"".join(FLIGHTS[:3])), ("ops", TWO, "live", 1, b"".join(FLIGHTS[3:6]))}
    assert whose(house) == theirs


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    with indexed(tmp_path) as index:
        yield Recorder(index)


def test_a_copy_goes_on_where_the_database_goes_away(recorder: Recorder) -> None:
    recorder.record(1, 2, 3)
    recorder.look()
    there = put_elsewhere(recorder.index.house, "store")
    shutil.copyfile(recorder.path, there)
    recorder.look()
    recorder.path.unlink()
    for _ in range(2):
        assert recorder.look() == b"".join(recorder.ever)
    assert recorder.state() == "live"


def test_what_a_copy_records_is_followed_live(recorder: Recorder) -> None:
    recorder.record(1, 2, 3)
    recorder.look()
    there = put_elsewhere(recorder.index.house, "store")
    shutil.copyfile(recorder.path, there)
    recorder.look()
    recorder.path = there
    recorder.record(4)
    assert recorder.follow() is None
    assert recorder.content() == b"".join(recorder.ever)
