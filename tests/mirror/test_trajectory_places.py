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

ONE = session_id(1)
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
