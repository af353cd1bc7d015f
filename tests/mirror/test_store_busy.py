"""OpenClaw holds a database of its own for seconds: a catch-up and `verify` wait for it, within the lock wait."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd.mirror import catchup, trajectory_store, verify_trajectories
from syncd.mirror.catchup import CatchUpOptions
from syncd.mirror.index_look import IndexOptions
from syncd.sources import store_opening, store_trajectories, transcript_dirs
from tests.mirror.household import HandClock, Household, household, message, session_id, transcript
from tests.mirror.stores import database
from tests.mirror_checks import exported, transcripts
from tests.openclaw_store import AgentStore

ONE = session_id(1)


class WritersClock(HandClock):
    """Whoever waits so long gives OpenClaw the time to be done."""

    def __init__(self, seconds: float, commit: Callable[[], object]) -> None:
        super().__init__()
        self._seconds, self._commit = seconds, commit

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        if self.slept >= self._seconds:
            self._commit()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Household:
    monkeypatch.setattr(store_opening, "_BUSY_MS", 1)
    made = household(tmp_path)
    with AgentStore(database(made)) as store:
        store.import_lines(ONE, transcript(1, 3))
    assert made.catch_up(options(made)).problems == []
    return made


def options(house: Household, **more: Any) -> CatchUpOptions:
    return CatchUpOptions(index=IndexOptions({"HOME": str(house.state_dir.parent)}), **more)


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[WritersClock]:
    """Written and held alone, as where a log cannot be."""
    with AgentStore(path) as store:
        store.use_journal()
        store.append(ONE, message(4))
        store.connection.execute("BEGIN EXCLUSIVE")

        def commit() -> None:
            if store.connection.in_transaction:
                store.connection.execute("COMMIT")

        yield WritersClock(seconds, commit)
        commit()


def test_a_catch_up_goes_on_when_the_database_is_free(house: Household) -> None:
    with locked(database(house), 4.0) as clock:
        result = house.catch_up(options(house), clock)
    assert (result.problems, result.in_progress, result.lines) == ([], [], 1)
    assert 4.0 <= clock.slept < 5.0
    (row,) = transcripts(house.ledger_path, "session_id = ?", ONE)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 4)


def test_a_catch_up_waits_no_longer_than_the_lock_wait(house: Household) -> None:
    with locked(database(house), 60.0) as clock:
        result = house.catch_up(options(house, lock_wait_seconds=3.0), clock)
    assert [problem.code for problem in result.problems] == ["store_busy"]
    assert 2.5 <= clock.slept < 9.0  # an index has a wait of its own
    assert house.catch_up(options(house)).lines == 1


def test_verify_goes_on_when_the_database_is_free(house: Household) -> None:
    with AgentStore(database(house)) as store:
        store.append(ONE, message(4))
    house.catch_up(options(house))
    with AgentStore(database(house)) as store:
        store.use_journal()
        store.connection.execute("BEGIN EXCLUSIVE")
        clock = WritersClock(4.0, lambda: store.connection.execute("ROLLBACK") if clock.slept < 4.2 else None)
        found = house.verify(options(house), clock)
    assert (found.differences, found.in_progress) == ([], [])
    assert (found.transcripts, found.bytes) == (1, len(transcript(1, 4)))


def test_verify_calls_what_stays_locked_in_progress(house: Household) -> None:
    with locked(database(house), 60.0) as clock:
        found = house.verify(options(house, lock_wait_seconds=3.0), clock)
    assert found.ok
    assert [(each.path, each.reason) for each in found.in_progress] == [(str(database(house)), "is locked by OpenClaw")]
    assert 2.5 <= clock.slept < 3.05


def test_a_session_that_is_locked_once_it_is_listed_is_waited_for(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    with AgentStore(database(house)) as store:
        store.use_journal()
        store.append(ONE, message(4))

        def commit() -> None:
            if store.connection.in_transaction:
                store.connection.execute("COMMIT")

        clock, scan = WritersClock(2.0, commit), transcript_dirs.scan_state_dir

        def listed_then_locked(*arguments: Any, **named: Any) -> Any:
            found = scan(*arguments, **named)
            if not clock.slept:
                store.connection.execute("BEGIN EXCLUSIVE")
            return found

        monkeypatch.setattr(catchup, "scan_state_dir", listed_then_locked)
        result = house.catch_up(options(house), clock)
    assert (result.problems, result.in_progress, result.lines) == ([], [], 1)


def test_the_index_and_the_cron_runs_are_waited_for_too(house: Household) -> None:
    path = house.state_dir / "state" / "openclaw.sqlite"
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE cron_run_logs (store_key TEXT, job_id TEXT, seq INTEGER, ts INTEGER)")
    connection.execute("BEGIN EXCLUSIVE")
    clock = WritersClock(7.0, lambda: connection.execute("COMMIT") if connection.in_transaction else None)
    result = house.catch_up(options(house), clock)
    assert [problem.code for problem in result.problems if problem.code == "store_busy"] == []
    assert clock.slept >= 7.0
    connection.close()


@contextmanager
def locked_behind_the_sessions(house: Household, patch: pytest.MonkeyPatch, seconds: float) -> Iterator[WritersClock]:
    """Its sessions are read; when its trajectories are to be, OpenClaw holds it alone."""
    with AgentStore(database(house)) as store:
        store.use_journal()
        store.record(ONE, b'{"event":1}')

        def commit() -> None:
            if store.connection.in_transaction:
                store.connection.execute("COMMIT")

        clock, last_events = WritersClock(seconds, commit), store_trajectories.last_events

        def held_then_read(path: str) -> object:
            if clock.slept < seconds and not store.connection.in_transaction:
                store.connection.execute("BEGIN EXCLUSIVE")
            return last_events(path)

        for module in (trajectory_store, verify_trajectories):
            patch.setattr(module, "last_events", held_then_read)
        yield clock
        commit()


def test_a_trajectory_is_waited_for(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    with locked_behind_the_sessions(house, monkeypatch, 4.0) as clock:
        result = house.catch_up(options(house), clock)
        assert (result.problems, result.lines) == ([], 1)
        assert house.verify(options(house), clock).differences == []


def test_a_trajectory_that_stays_locked_is_not_passed_over_in_silence(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    with locked_behind_the_sessions(house, monkeypatch, 60.0) as clock:
        wanted = options(house, lock_wait_seconds=3.0, session_ids=frozenset({ONE}))
        result = house.catch_up(replace(wanted, index=None), clock)
        found = house.verify(wanted, clock)
    assert [(each.path, each.code) for each in result.problems] == [(str(database(house)), "store_busy")]
    assert not result.is_complete
    assert found.ok
    assert [(each.path, each.reason) for each in found.in_progress] == [(str(database(house)), "is locked by OpenClaw")]
