"""Trajectories of OpenClaw's own database compared: what was changed is found and becomes a generation, and what
OpenClaw only let go is no change.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from syncd.jobs import scrub
from syncd.mirror.catchup import CatchUp, CatchUpOptions
from syncd.mirror.index_look import IndexOptions
from tests.jobs.at_work import done, tools_for
from tests.mirror.household import Household, household
from tests.mirror.stores import database, put_store, written
from tests.mirror_checks import Row, assert_sound, exported, query, transcripts
from tests.mirror_fixtures import genuine

SESSION = "3f7dc843-62a8-4396-bd33-5ecf882d7d96"
CHANGE = """UPDATE trajectory_runtime_events SET event_json = replace(event_json, 'session.started', 'session.stXrted')
    WHERE seq = (SELECT min(seq) FROM trajectory_runtime_events)"""
NEW = """INSERT INTO trajectory_runtime_events (session_id, seq, run_id, event_json, created_at)
    SELECT session_id, max(seq) + 1, 'another', '{"new":' || (max(seq) + 1) || '}', 1 FROM trajectory_runtime_events"""


def options(house: Household, **more: Any) -> CatchUpOptions:
    return CatchUpOptions(index=IndexOptions({"HOME": str(house.state_dir.parent)}), **more)


def take_in(house: Household) -> CatchUp:
    result = house.catch_up(options(house))
    assert result.problems == []
    assert_sound(house.ledger_path)
    return result


def change(house: Household, *statements: str) -> None:
    with written(database(house)) as connection:
        for statement in statements:
            connection.execute(statement)


def stored(house: Household) -> bytes:
    with written(database(house)) as connection:
        rows = connection.execute("SELECT event_json FROM trajectory_runtime_events ORDER BY seq").fetchall()
    return b"".join(text.encode() + b"\n" for (text,) in rows)


def trajectory(house: Household) -> Row:
    (row,) = transcripts(house.ledger_path, "kind = 'trajectory'")
    return row


def live(house: Household) -> bytes:
    row = trajectory(house)
    return exported(house.ledger_path, row.id, row.generation)


def differences(house: Household) -> list[tuple[int, int, str]]:
    found = house.verify(options(house, settle_seconds=0.0))
    assert found.in_progress == []
    assert all(each.path.endswith(f"openclaw-agent.sqlite/{SESSION}.trajectory.jsonl") for each in found.differences)
    return [(each.generation, each.offset, each.reason) for each in found.differences]


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = genuine(tmp_path, "2026.9.6")
    take_in(made)
    return made


def test_what_a_run_reads_of_it_counts(tmp_path: Path) -> None:
    house = household(tmp_path)
    put_store(house)
    change(house, "DELETE FROM transcript_events", "DELETE FROM session_transcript_archives")
    result = take_in(house)
    assert (result.transcripts, result.lines, result.bytes) == (1, 48, len(stored(house)))
    change(house, NEW)
    result = take_in(house)
    assert (result.transcripts, result.lines, result.bytes) == (1, 1, len(b'{"new":48}\n'))
    assert take_in(house).transcripts == 0


def test_verify_compares_it(house: Household) -> None:
    without = house.verify(options(house, session_ids=frozenset({"another"})))
    found = house.verify(options(house, session_ids=frozenset({SESSION})))
    session_bytes = sum(row.bytes for row in transcripts(house.ledger_path, "session_id = ?", SESSION))
    assert (without.transcripts, without.bytes) == (0, 0)
    assert (found.transcripts, found.bytes) == (2, session_bytes)


def test_a_changed_event_is_found_and_becomes_a_generation(house: Household) -> None:
    before = stored(house)
    change(house, CHANGE)
    assert differences(house) == [(1, before.index(b"session.started") + len(b"session.st"), "bytes differ")]
    take_in(house)
    row = trajectory(house)
    assert (row.generation, row.lines) == (2, 48)
    assert exported(house.ledger_path, row.id, 1) == before
    assert live(house) == stored(house) != before
    assert differences(house) == []
    take_in(house)
    assert trajectory(house) == row


def test_one_that_is_shorter_is_found_and_becomes_a_generation(house: Household) -> None:
    before = stored(house)
    change(house, "DELETE FROM trajectory_runtime_events WHERE seq > 40")
    after = stored(house)
    assert differences(house) == [(1, len(after), "the trajectory is shorter")]
    take_in(house)
    row = trajectory(house)
    assert (row.generation, live(house)) == (2, after)
    assert exported(house.ledger_path, row.id, 1) == before
    kinds = query(house.ledger_path, "SELECT kind FROM sync_events WHERE transcript_id = ?", row.id)
    assert ("truncation",) in kinds
    change(house, NEW)
    assert differences(house) == [(2, len(after), "the trajectory is longer")]
    take_in(house)
    assert (trajectory(house).generation, live(house)) == (2, stored(house))


def test_numbers_that_are_given_again_are_no_known_events(house: Household) -> None:
    before = stored(house)
    change(house, "DELETE FROM trajectory_runtime_events WHERE seq > 40", *[NEW] * 12)
    take_in(house)
    row = trajectory(house)
    assert (row.generation, live(house)) == (2, stored(house))
    assert exported(house.ledger_path, row.id, 1) == before


@pytest.mark.parametrize("gone", ["seq < 20", "seq BETWEEN 10 AND 20", "seq < 5 OR seq BETWEEN 30 AND 31", "seq >= 0"])
def test_what_openclaw_lets_go_is_no_change(house: Household, gone: str) -> None:
    """The oldest events of a session go, or those of a whole run, wherever they stand."""
    before, row = stored(house), trajectory(house)
    change(house, f"DELETE FROM trajectory_runtime_events WHERE {gone}")
    assert differences(house) == []
    take_in(house)
    assert trajectory(house) == row._replace(state="live" if stored(house) else "gone")
    assert live(house) == before


def test_a_change_behind_what_was_let_go_is_found_where_it_is(house: Household) -> None:
    before = stored(house).splitlines(keepends=True)
    change(house, "DELETE FROM trajectory_runtime_events WHERE seq < 5 OR seq BETWEEN 10 AND 20")
    change(house, "UPDATE trajectory_runtime_events SET event_json = '{}' WHERE seq = 21")
    assert differences(house) == [(1, len(b"".join(before[:21])) + len(b"{"), "bytes differ")]
    take_in(house)
    assert live(house) == b"".join([*before[:21], b"{}\n", *before[22:]])
    assert differences(house) == []


def test_what_is_counted_anew_past_the_old_numbers_is_taken_from_its_beginning(house: Household) -> None:
    before = stored(house)
    change(house, "UPDATE trajectory_runtime_events SET event_json = json_object('other', seq)", *[NEW] * 3)
    take_in(house)
    assert live(house) == before + stored(house)
    assert differences(house) == []


def scrubbed(house: Household) -> Mapping[str, Any]:
    with tools_for(house) as tools:
        outcome, _ = done(scrub.run, tools)
    assert outcome.ok, outcome
    return outcome.summary


def test_a_scrub_finds_a_change_that_nothing_tells_of(house: Household) -> None:
    assert scrubbed(house)["changed"] == 0
    change(house, CHANGE)
    assert scrubbed(house)["changed"] == 1
    assert live(house) == stored(house)
    assert differences(house) == []


def test_one_that_was_not_taken_in_is_a_difference(house: Household) -> None:
    change(
        house,
        """INSERT INTO trajectory_runtime_events (session_id, seq, run_id, event_json, created_at)
        SELECT 'other', seq, run_id, event_json, created_at FROM trajectory_runtime_events""",
    )
    found = house.verify(options(house, settle_seconds=0.0))
    assert [(each.generation, each.reason) for each in found.differences] == [(0, "not taken in yet")]
    assert found.differences[0].path.endswith("/other.trajectory.jsonl")
