"""Trajectories of OpenClaw's own database: raw in the ledger, each event once, also when OpenClaw lets old ones go."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from syncd.jobs.policies import Policies
from syncd.sources import store_opening
from syncd.sources.store_trajectories import NO_ROW, last_events, recorded_after
from tests.cli.reading import take_in
from tests.jobs.old_sessions import DAY, retained
from tests.jobs.test_repair import found, repaired
from tests.mirror.household import Household, session_id
from tests.mirror.indexed import indexed
from tests.mirror.recorder import SESSION, Recorder
from tests.mirror.stores import database, written
from tests.mirror_checks import assert_sound, exported, transcripts
from tests.mirror_fixtures import genuine
from tests.openclaw_store import AgentStore


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    with indexed(tmp_path) as index:
        yield Recorder(index)


def test_the_genuine_trajectory_is_kept_as_it_is(tmp_path: Path) -> None:
    house: Household = genuine(tmp_path, "2026.9.6")
    take_in(house)
    with written(database(house)) as connection:
        rows = connection.execute("SELECT event_json FROM trajectory_runtime_events ORDER BY seq").fetchall()
    (row,) = transcripts(house.ledger_path, "kind = 'trajectory'")
    assert (row.session_id, row.lines, len(rows)) == (SESSION, 48, 48)
    assert exported(house.ledger_path, row.id, 1) == b"".join(text.encode() + b"\n" for (text,) in rows)
    take_in(house)
    assert transcripts(house.ledger_path, "kind = 'trajectory'") == [row]
    assert house.verify().differences == []
    assert_sound(house.ledger_path)


def test_new_events_follow_what_was_taken(recorder: Recorder) -> None:
    recorder.record(1, 2, 3)
    assert recorder.look() == b"".join(recorder.ever)
    recorder.record(4, 5)
    assert recorder.look() == b"".join(recorder.ever)
    recorder.restart()
    recorder.record(6)
    assert recorder.look() == b"".join(recorder.ever)
    recorder.restart()
    assert recorder.look() == b"".join(recorder.ever)


def test_what_openclaw_lets_go_stays_and_nothing_comes_twice(recorder: Recorder) -> None:
    recorder.record(*range(1, 20))
    recorder.look()
    for number in range(20, 40):
        recorder.let_go(number - 10)
        recorder.record(number)
        if number % 5 == 0:
            recorder.restart()
        assert recorder.look() == b"".join(recorder.ever)


def test_events_go_on_even_if_the_last_one_taken_was_let_go(recorder: Recorder) -> None:
    recorder.record(1, 2, 3)
    recorder.look()
    recorder.record(4)
    recorder.let_go(2)
    recorder.restart()
    assert recorder.look() == b"".join(recorder.ever)


def test_what_begins_anew_is_taken_from_its_beginning(recorder: Recorder) -> None:
    recorder.record(*range(1, 9))
    recorder.look()
    recorder.let_go(100)
    recorder.record(21, 22, 23)
    for _ in range(2):
        assert recorder.look() == b"".join(recorder.ever)
        recorder.restart()


def test_what_retention_dropped_does_not_come_back(tmp_path: Path) -> None:
    house: Household = genuine(tmp_path, "2026.9.6")
    path = database(house)
    with written(path) as connection:  # a window whose first events were let go before anybody looked
        connection.execute("UPDATE trajectory_runtime_events SET seq = seq + 1000")
    take_in(house)
    (before,) = transcripts(house.ledger_path, "kind = 'trajectory'")
    assert retained(house, Policies(trajectories=DAY), days=400).removed["trajectories"].bytes == before.bytes
    with written(path) as connection:
        connection.execute(
            """INSERT INTO trajectory_runtime_events (session_id, seq, run_id, event_json, created_at)
            SELECT session_id, max(seq) + 1, run_id, '{"new":1}', created_at FROM trajectory_runtime_events"""
        )
    take_in(house)
    (after,) = transcripts(house.ledger_path, "kind = 'trajectory'")
    assert after.lines == before.lines + 1
    kept = exported(house.ledger_path, after.id, 1)
    assert kept.strip() == b'{"new":1}'


def test_a_repair_finds_nothing_amiss_in_it(tmp_path: Path) -> None:
    house: Household = genuine(tmp_path, "2026.9.6")
    take_in(house)
    (before,) = transcripts(house.ledger_path, "kind = 'trajectory'")
    assert found(house) == {}
    repaired(house)
    take_in(house)
    assert transcripts(house.ledger_path, "kind = 'trajectory'") == [before]


def test_a_database_that_cannot_be_read_leaves_all_as_it_was(recorder: Recorder) -> None:
    recorder.record(1, 2)
    recorder.look()
    recorder.path.write_bytes(b"no database" * 1000)
    assert recorder.look() == b"".join(recorder.ever)
    assert [(each.code, each.path) for each in recorder.unread] == [("store_corrupt", str(recorder.path))]


def test_a_database_with_more_sessions_than_a_page_holds_is_read_in_several(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with AgentStore(recorder.path) as store:
        for number in range(1, 8):
            store.add_session(session_id(900 + number))
            store.record(session_id(900 + number), *[b"{}"] * number)
    monkeypatch.setattr(store_opening, "PAGE_SECONDS", 0.0)
    found = {each: newest.seq for each, newest in last_events(str(recorder.path)).items()}
    assert found == {session_id(900 + number): number - 1 for number in range(1, 8)}
    first = recorded_after(str(recorder.path), NO_ROW)
    assert (first.newest, first.is_all) == ({session_id(901): 0}, False)
    recorder.record(1, 2, 3)
    assert recorder.look() == b"".join(recorder.ever)
    recorder.record(4, 5)
    assert [recorder.follow(), recorder.follow(), recorder.follow()] == [0.0, 0.0, None]
    assert recorder.content() == b"".join(recorder.ever)
