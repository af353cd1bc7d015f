"""Trajectories of OpenClaw's own database: raw in the ledger, each event once, also when OpenClaw lets old ones go."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from syncd.jobs.policies import Policies
from syncd.ledger.tally import Tally
from syncd.mirror.trajectory_store import TrajectoryMemory, follow_trajectories, sync_trajectories
from syncd.sources import store_opening
from syncd.sources.store_trajectories import last_events, recorded_after
from tests.cli.reading import take_in
from tests.jobs.old_sessions import DAY, retained
from tests.jobs.test_repair import found, repaired
from tests.mirror.household import Household, session_id
from tests.mirror.indexed import Indexed, indexed
from tests.mirror.stores import database, put_store, written
from tests.mirror_checks import assert_sound, exported, transcripts
from tests.mirror_fixtures import genuine
from tests.openclaw_store import AgentStore

SESSION = "3f7dc843-62a8-4396-bd33-5ecf882d7d96"


class Recorder:
    """OpenClaw's flight recorder of one session, and what the ledger has of it."""

    def __init__(self, index: Indexed) -> None:
        self.index = index
        self.path = put_store(index.house)
        self.memory = TrajectoryMemory()
        self.ever: list[bytes] = []
        with written(self.path) as connection:
            connection.execute("DELETE FROM trajectory_runtime_events")

    def record(self, *numbers: int) -> None:
        with written(self.path) as connection:
            for number in numbers:
                event = json.dumps({"traceSchema": "openclaw-trajectory", "seq": number, "data": "x" * (number % 7)})
                connection.execute(
                    """INSERT INTO trajectory_runtime_events (session_id, seq, run_id, event_json, created_at)
                    SELECT ?1, coalesce(max(seq) + 1, 0), 'run', ?2, 1 FROM trajectory_runtime_events""",
                    (SESSION, event),
                )
                self.ever.append(event.encode() + b"\n")

    def let_go(self, through: int) -> None:
        with written(self.path) as connection:
            connection.execute("DELETE FROM trajectory_runtime_events WHERE seq <= ?", (through,))

    def look(self) -> bytes:
        """What the ledger has of it then."""
        index = self.index
        place = (index.writer, index.installation_id, str(index.house.state_dir))
        sync_trajectories(*place, index.options, self.memory, Tally())
        return self.content()

    def follow(self) -> bool:
        index = self.index
        place = (index.writer, index.installation_id, str(index.house.state_dir), str(self.path))
        return follow_trajectories(*place, self.memory, Tally())

    def content(self) -> bytes:
        index = self.index
        rows = index.rows("SELECT id FROM transcripts WHERE kind = 'trajectory' AND session_id = ?", SESSION)
        return b"".join(exported(index.house.ledger_path, row[0], 1) for row in rows)

    def restart(self) -> None:
        self.memory = TrajectoryMemory()


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


def test_a_database_with_more_sessions_than_a_page_holds_is_read_in_several(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with AgentStore(recorder.path) as store:
        for number in range(1, 8):
            store.add_session(session_id(900 + number))
            store.record(session_id(900 + number), *[b"{}"] * number)
    monkeypatch.setattr(store_opening, "PAGE_SECONDS", 0.0)
    assert last_events(str(recorder.path)) == {session_id(900 + number): number - 1 for number in range(1, 8)}
    first = recorded_after(str(recorder.path), 0)
    assert (first.newest, first.is_all) == ({session_id(901): 0}, False)
    recorder.record(1, 2, 3)
    assert recorder.look() == b"".join(recorder.ever)
    recorder.record(4, 5)
    assert [recorder.follow(), recorder.follow(), recorder.follow()] == [False, False, True]
    assert recorder.content() == b"".join(recorder.ever)
