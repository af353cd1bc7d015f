"""The soak's own parts: an order of faults that leaves none out, what is flat, who may write, who is started again."""

import os
import random
import signal
import threading
from itertools import islice
from pathlib import Path

import pytest

from syncd.ledger.database import open_for_writing
from tests.daemon.live import wait_for
from tests.fault_catalogue import FAULTS as CATALOGUE
from tests.mirror.household import Household, name_of, session_id, transcript
from tests.mirror.stores import database
from tests.openclaw_store import AgentStore
from tests.soak import faults_of_stores
from tests.soak.faults_of_the_ledger import empty_log
from tests.soak.figures import Met, Report, Sample, courses
from tests.soak.gate import Gate
from tests.soak.supervisor import Supervisor
from tests.soak.trial import FAULTS, in_turn, jobs_without_success
from tests.soak.witness import Witness


def test_every_fault_comes_once_before_one_comes_again_and_a_seed_is_an_order() -> None:
    first = list(islice(in_turn(random.Random(7)), len(FAULTS)))
    assert sorted(fault.about for fault in first) == sorted(fault.about for fault in FAULTS)
    assert first == list(islice(in_turn(random.Random(7)), len(FAULTS)))
    assert {fault.id for fault in islice(in_turn(random.Random(7), ("F5", "A1")), 9)} == {"F5", "A1"}
    of_stores = {fault.id for fault in faults_of_stores.FAULTS}
    assert {part for fault in FAULTS for part in fault.id.split("-")} - of_stores <= CATALOGUE.keys()


def test_flat_is_what_the_last_third_does_not_use_more_of() -> None:
    steady = [Sample(1, at, 50 + at % 7, 4, 20) for at in range(300)]
    leaking = [Sample(1, at, 50 + at / 4, 4, 20) for at in range(300)]
    assert all(course.is_flat for course in courses(steady).values())
    assert [name for name, course in courses(leaking).items() if not course.is_flat] == ["rss_mib"]
    assert courses([]) == {}


def test_a_leak_is_not_hidden_by_the_kills_that_give_all_back() -> None:
    leaking = [Sample(at // 100, at, 50, 4, 20 + at % 100 // 5) for at in range(600)]
    assert [name for name, course in courses(leaking).items() if not course.is_flat] == ["fds"]
    warming_up = [Sample(at // 100, at, min(70, 30 + 5 * (at % 100)), 4, 20) for at in range(600)]
    assert all(course.is_flat for course in courses(warming_up).values())


def test_the_table_has_each_fault_with_its_times_and_every_problem() -> None:
    report = Report(
        1, 60, 8, "2026.7.1", [Met("A1", "SIGKILL", 1.0, 2.5), Met("A1", "SIGKILL", 9.0, None)], problems=["it burns"]
    )
    table = report.as_table()
    assert "2.5 s, never" in table
    assert report.never_felt() == []
    report.met = [Met("F1", "disk full", 1.0, 2.5, is_felt=False), Met("F3", "locked", 9.0, 1.0, is_felt=False)]
    report.met.append(Met("F3", "locked", 20.0, 1.0))
    assert report.never_felt() == ["F1 disk full"]
    assert "1.0 s (not felt), 1.0 s" in report.as_table()
    assert "PROBLEM: it burns" in table
    assert report.as_document()["ok"] is False


def test_nobody_writes_in_the_stillness_and_nobody_takes_away_what_is_to_be_kept() -> None:
    gate, done = Gate(), []

    def write(*, loses: bool) -> None:
        with gate.writing(loses=loses):
            done.append(loses)

    with gate.keeping():
        loser = threading.Thread(target=write, kwargs={"loses": True})
        loser.start()
        write(loses=False)
        assert done == [False]
    loser.join(10)
    with gate.stillness():
        writer = threading.Thread(target=write, kwargs={"loses": False})
        writer.start()
        assert done == [False, True]
    writer.join(10)
    assert done == [False, True, False]


def test_a_killed_daemon_is_started_again_and_a_stopped_one_is_not(house: Household, tmp_path: Path) -> None:
    supervisor = Supervisor(house, (), tmp_path / "log")
    supervisor.start()
    try:
        first = supervisor.running
        first.is_following()
        supervisor.kill()
        wait_for(lambda: supervisor.pid not in (None, first.pid))
        supervisor.running.is_following()
        with supervisor.held():
            assert supervisor.pid is None
        supervisor.running.is_following()
        assert supervisor.stop() == 0
    finally:
        supervisor.abandon()
    assert supervisor.exits == {-9: 2, 0: 1}
    assert supervisor.odd_exits == []


@pytest.mark.parametrize("ends", [signal.SIGKILL, signal.SIGTERM])
def test_an_end_that_nobody_asked_for_is_odd_however_it_looks(
    house: Household, tmp_path: Path, ends: signal.Signals
) -> None:
    """Killed where memory is short, or ended as if it had been told to."""
    supervisor = Supervisor(house, (), tmp_path / "log")
    supervisor.start()
    try:
        supervisor.running.is_following()
        os.kill(supervisor.running.pid, ends)
        wait_for(lambda: supervisor.odd_exits)
    finally:
        supervisor.abandon()
    assert supervisor.odd_exits == [-ends if ends == signal.SIGKILL else 0]


def test_an_end_that_is_for_good_is_not_followed_by_a_start(house: Household, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("nonsense: 1\n")
    supervisor = Supervisor(house, (), tmp_path / "log")
    supervisor.start()
    wait_for(lambda: supervisor.given_up == 78)
    supervisor.abandon()
    assert (supervisor.exits, supervisor.odd_exits) == ({78: 1}, [78])


def test_the_witness_misses_a_line_that_the_ledger_had(house: Household) -> None:
    house.write(name_of(1), transcript(1, 5))
    house.catch_up()
    witness = Witness(house)
    witness._look()
    assert (witness.lines, witness.missing()) == (6, [])
    house.path(name_of(1)).unlink()
    house.catch_up()
    assert witness.missing() == [], "the ledger keeps it"
    house.ledger_path.unlink()
    house.catch_up()
    assert len(witness.missing()) == 6


def test_the_witness_misses_a_line_of_a_store_that_the_ledger_had(house: Household) -> None:
    with AgentStore(database(house)) as store:
        store.import_lines(session_id(1), transcript(1, 5))
        house.catch_up()
        witness = Witness(house)
        witness._look()
        assert (witness.lines, witness.missing()) == (6, [])
        store.replace(session_id(1), transcript(1, 2))
        house.catch_up()
        assert witness.missing() == [], "the ledger keeps it"
        house.ledger_path.unlink()
        house.catch_up()
        assert len(witness.missing()) == 3


def test_a_job_that_never_went_well_is_named(house: Household) -> None:
    house.catch_up()
    with open_for_writing(house.ledger_path) as ledger:
        for job, ok in (("scrub", 1), ("repair", 0), ("repair", 1), ("backup", 0)):
            ledger.run("INSERT INTO job_runs (job, started_at, finished_at, ok) VALUES (?, 1, 2, ?)", (job, ok))
    assert jobs_without_success(house) == ["backup", "optimize", "retention"]


def test_an_emptied_log_leaves_everything_in_the_ledgers_own_file(house: Household) -> None:
    """Beside whoever writes: a fault that removes the log next must not remove what only the ledger has."""
    with open_for_writing(house.ledger_path) as ledger:
        ledger.run("INSERT INTO sync_events (at, kind) VALUES (1, 'missed_event')")
        log = house.ledger_path.with_name(f"{house.ledger_path.name}-wal")
        assert log.stat().st_size > 0
        empty_log(house.ledger_path)
        assert log.stat().st_size == 0
