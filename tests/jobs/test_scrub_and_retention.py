"""Scrub and repair beside retention's holes: what was dropped is no difference, and is not read again."""

import pytest

from syncd.jobs import backup, repair, scrub
from syncd.jobs.policies import Policies
from syncd.jobs.purge import plan_purge, purge
from syncd.ledger.database import open_for_reading
from tests.conftest import Cli
from tests.jobs.at_work import done, tools_for
from tests.jobs.old_sessions import (
    BODY,
    DAY,
    WORD,
    LateClock,
    call,
    hands_of,
    retained,
    settle,
    sound,
    talk,
    tool_result,
)
from tests.jobs.test_scrub import change_unnoticed, rot
from tests.jobs.traces import places_with
from tests.mirror.household import Household, header, line, message, name_of, session_id, transcript
from tests.mirror_checks import mirrored, query

STATE = """SELECT transcript_id, byte_offset, byte_length, generation, superseded_in, codec, data FROM _blocks
    ORDER BY id"""
EVENTS = "SELECT count(*) FROM sync_events WHERE kind != 'backup'"


@pytest.fixture
def holed(house: Household) -> Household:
    """1: bodies of tool results gone. 2: an earlier generation gone. 3: a trajectory gone. 4: purged."""
    house.write(name_of(1), talk(1))
    house.write(name_of(2), header(2) + message(1, WORD) + call(2) + tool_result(3, BODY))
    house.write(f"{session_id(3)}.trajectory.jsonl", line({"seq": 1, "said": WORD}) * 2000)
    house.write(name_of(4), header(4) + message(1, WORD))
    house.write(name_of(5), transcript(5, 20))
    settle(house)
    house.write(name_of(2), header(2) + message(1, "another beginning"))
    settle(house)
    mirrored(house)
    everything = Policies(tool_results=DAY, superseded=DAY, trajectories=DAY)
    assert set(retained(house, everything, days=400).removed) == {"tool_results", "superseded", "trajectories"}
    with open_for_reading(house.ledger_path) as ledger:
        plan = plan_purge(ledger, session_id(4), with_forks=False)
    with hands_of(house, LateClock(0)) as hands:
        assert purge(hands.writer, hands.homes, hands.pace, plan.wanted).ok
    assert places_with(house.ledger_path.parent, WORD) == []
    return house


def scrubbed(house: Household) -> dict[str, object]:
    with tools_for(house) as tools:
        outcome, _ = done(scrub.run, tools)
    assert outcome.ok, outcome
    return dict(outcome.summary)


def test_holes_are_no_difference_and_stay_holes(holed: Household, cli_in_process: Cli) -> None:
    before, told = query(holed.ledger_path, STATE), query(holed.ledger_path, EVENTS)
    for _ in range(2):
        found = scrubbed(holed)
        assert [found[name] for name in ("not_at_rest", "unreadable", "changed", "mended", "lost")] == [0] * 5
        assert found["transcripts"] == 4
        with tools_for(holed) as tools:
            assert repair._repaired(tools, is_thorough=True).summary["found"] == {}
    assert query(holed.ledger_path, STATE) == before
    assert query(holed.ledger_path, EVENTS) == told
    assert places_with(holed.ledger_path.parent, WORD) == []
    sound(holed, cli_in_process)


def test_a_file_that_changed_inside_a_hole_is_found(holed: Household) -> None:
    path = holed.path(name_of(1))
    changed = path.read_bytes().replace(b"wolpertinger", b"wolpertingel", 1)
    change_unnoticed(holed, name_of(1), changed)
    assert scrubbed(holed)["changed"] == 1
    assert holed.verify().ok


def test_a_block_that_rotted_beside_holes_is_taken_from_its_file_and_nothing_else_is(holed: Household) -> None:
    with tools_for(holed) as tools:
        assert backup.run(tools).ok
    rot(holed, 5)
    assert scrubbed(holed)["mended"] == 1
    assert holed.verify().ok
    assert places_with(holed.ledger_path.parent, WORD) == []


def test_scrub_looks_for_no_file_of_a_purged_session(holed: Household) -> None:
    """Its file is still there, and stays unread."""
    assert holed.path(name_of(4)).exists()
    scrubbed(holed)
    settle(holed)
    assert query(holed.ledger_path, "SELECT count(*) FROM transcripts WHERE session_id = ?", session_id(4)) == [(0,)]
    assert places_with(holed.ledger_path.parent, WORD) == []
