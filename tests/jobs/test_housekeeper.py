"""Jobs in the daemon's real loop: on its thread, between live files, whatever they do."""
# ruff: noqa: N802  the fault's id stands in the test's name

import errno
import json
import os
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from syncd.clock import SystemClock
from syncd.daemon import timers
from syncd.errors import LedgerFull, SyncdError
from syncd.jobs import housekeeper
from syncd.jobs.clock_steps import ClockSteps
from syncd.jobs.housekeeper import Housekeeper
from syncd.jobs.job import Job, Outcome, Tools
from syncd.jobs.runs import CUT_SHORT, REASON
from syncd.jobs.schedule import Schedule
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.faults import absent
from syncd.ledger.job_results import last_ended_runs
from syncd.ledger.lock import writer_lock
from syncd.ledger.transaction import begin
from syncd.settings import Duration, Settings
from syncd.settings.schema import JobSettings
from tests.daemon.live import NEVER_SECONDS, Live, following, wait_for
from tests.jobs.test_clock_steps import Clocks
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import exported, query, transcripts

NAME = name_of(1)
RETRIES = housekeeper.RETRY_SECONDS


@pytest.fixture
def house(tmp_path: Any) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    return made


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tenths of seconds instead of seconds and minutes."""
    monkeypatch.setattr(housekeeper, "RETRY_SECONDS", (0.1, 0.2))
    monkeypatch.setattr(housekeeper, "LATEST_START_SECONDS", 0.05)
    monkeypatch.setattr(timers, "WATCH_CHECK_SECONDS", 0.1)
    monkeypatch.setattr(timers, "LONGEST_WAIT_SECONDS", 0.1)


class Said:
    """The daemon's log."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, event: str, **fields: Any) -> None:
        self.events.append((event, fields))

    def count(self, event: str) -> int:
        return [name for name, _ in self.events].count(event)


def caring(jobs: dict[str, Job], *, every: Any = 0.1, said: Said | None = None, **more: Any) -> Housekeeper:
    """`every`: seconds, shorter ones than a configuration can name."""
    chosen = Settings(jobs=JobSettings(**dict.fromkeys(jobs, Duration(every, f"{every}s"))))
    return Housekeeper(SystemClock(), chosen, said or Said(), find_job=jobs.__getitem__, names=tuple(jobs), **more)


def runs(house: Household, job: str = "scrub") -> list[tuple[Any, ...]]:
    sql = f"SELECT ok, finished_at IS NOT NULL, summary_json FROM job_runs WHERE job = '{job}' ORDER BY id"
    return query(house.ledger_path, sql)


def ended(house: Household, count: int, job: str = "scrub") -> Callable[[], bool]:
    return lambda: sum(is_over for _, is_over, _ in runs(house, job)) >= count


def last_result(house: Household) -> bool:
    """Of the one job that ran, as `status` and the health log take it."""
    with open_for_reading(house.ledger_path) as ledger:
        (run,) = last_ended_runs(ledger)
    return run.ok


def test_a_job_runs_on_the_loops_thread_and_is_written_down(house: Household) -> None:
    threads = set()

    def job(tools: Tools) -> Outcome:
        threads.add(threading.current_thread().name)
        assert [home.state_dir for home in tools.homes] == [str(house.state_dir)]
        return Outcome(summary={"bytes": 7})

    with following(house, care=caring({"scrub": job})):
        wait_for(ended(house, 2))
    assert threads == {"loop"}
    assert {run for run in runs(house) if run[1]} == {(1, 1, '{"bytes": 7}')}


def test_live_lines_are_read_at_the_borders_of_a_job(house: Household) -> None:
    begun, release = threading.Event(), threading.Event()

    def job(tools: Tools) -> Outcome:
        begun.set()
        while not release.is_set():
            tools.pace.at_border()
        return Outcome()

    with following(house, care=caring({"scrub": job})) as live:
        assert begun.wait(60)
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        assert runs(house)[-1][:2] == (None, 0)  # and it is still at work
        release.set()
        wait_for(ended(house, 1))


def test_a_failing_job_is_retried_and_reported_and_the_mirror_goes_on(house: Household) -> None:
    attempts, may_succeed = list[int](), threading.Event()
    said = Said()

    def job(_: Tools) -> Outcome:
        attempts.append(1)
        if len(attempts) <= 2 or not may_succeed.is_set():
            raise SyncdError("no room for that", "make some")
        return Outcome(summary={"done": 1})

    with following(house, care=caring({"scrub": job}, every=1, said=said)) as live:
        wait_for(lambda: "job scrub" in live.loop.troubles)
        told = live.loop.troubles["job scrub"]
        assert (told["code"], told["hint"]) == ("job_failed", "make some")
        assert "no room for that" in told["reason"]
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        may_succeed.set()
        wait_for(lambda: "job scrub" not in live.loop.troubles)
    outcomes = [run[0] for run in runs(house)]
    assert outcomes[:2] == [0, 0]
    assert 1 in outcomes
    assert "no room for that" in runs(house)[0][2]
    assert said.count("job_failed") == outcomes.count(0)


def test_A7_a_job_that_the_system_gives_no_descriptor_is_no_fault_of_syncds_own(house: Household) -> None:
    def job(_: Tools) -> Outcome:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), "/secret/words")

    with following(house, care=caring({"scrub": job}, every=1)) as live:
        wait_for(lambda: "job scrub" in live.loop.troubles)
        told = live.loop.troubles["job scrub"]
        assert told["reason"].endswith(f": {os.strerror(errno.EMFILE)}")
        assert "ulimit -n" in told["hint"]


@pytest.mark.parametrize("fault", [ValueError("secret words"), LedgerFull("full"), RecursionError()])
def test_whatever_a_job_raises_in_the_midst_of_a_transaction_the_loop_goes_on(
    house: Household, fault: Exception
) -> None:
    said = Said()
    attempts = []

    def job(tools: Tools) -> Outcome:
        attempts.append(1)
        if len(attempts) == 1:
            begin(tools.ledger)
            tools.ledger.run("DELETE FROM transcripts WHERE 0")
            raise fault
        return Outcome()

    with following(house, care=caring({"scrub": job}, said=said)) as live:
        wait_for(ended(house, 2))
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
        wait_for(lambda: not live.loop.troubles)
    assert runs(house)[0][:2] == (0, 1)
    assert "secret" not in str(said.events) + str(runs(house))


def test_a_job_that_finds_what_it_cannot_mend_says_so_and_need_not_be_tried_again_at_once(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeper, "RETRY_SECONDS", RETRIES)

    def job(_: Tools) -> Outcome:
        return Outcome(ok=False, summary={"reason": "three bytes are lost", "hint": "see"}, retries=False)

    care = caring({"scrub": job})
    with following(house, care=care) as live:
        wait_for(lambda: "three bytes are lost" in live.loop.troubles["job scrub"]["reason"])
        care.take_over(Settings(jobs=JobSettings(scrub=Duration(86_400, "1d"))))
        wait_for(lambda: not care._due)
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)  # one that had begun is over
        count = len(runs(house))
        house.append(NAME, message(7))
        live.has_lines(NAME, 8)
        assert len(runs(house)) == count


@pytest.mark.parametrize(
    ("retries", "pauses"), [(True, [60, 300, 900, 3600, 3600]), (False, [3600, 14_400, 43_200, 43_200])]
)
def test_the_pauses_before_a_failed_job_is_tried_again_grow_and_are_bounded(
    house: Household, monkeypatch: pytest.MonkeyPatch, *, retries: bool, pauses: list[float]
) -> None:
    asked: list[float] = []

    def again(_: Schedule, name: str, seconds: float) -> None:
        assert name == "scrub"
        asked.append(seconds)

    monkeypatch.setattr(housekeeper, "RETRY_SECONDS", RETRIES)
    monkeypatch.setattr(Schedule, "again", again)
    failing: Job = lambda _: Outcome(ok=False, summary={"reason": "no"}, retries=retries)  # noqa: E731
    with following(house, care=caring({"scrub": failing}, every=0.05)):
        wait_for(lambda: len(asked) >= len(pauses))
    assert asked[: len(pauses)] == pauses


def test_after_a_new_configuration_a_failed_job_is_tried_soon_and_one_switched_off_is_no_reason_any_more(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeper, "FOUND_RETRY_SECONDS", (3600.0,))
    is_mended = threading.Event()

    def job(_: Tools) -> Outcome:
        return Outcome(ok=is_mended.is_set(), summary={"reason": "the cap cannot be held"}, retries=False)

    care = caring({"retention": job, "scrub": job}, every=1)
    hourly = Duration(3600, "1h")
    with following(house, care=care) as live:
        wait_for(lambda: {"job retention", "job scrub"} <= live.loop.troubles.keys())
        care.take_over(Settings(jobs=JobSettings(retention=hourly, scrub=None)))
        assert not care.is_wanted("scrub")
        wait_for(lambda: live.loop.troubles.keys() == {"job retention"})
        is_mended.set()
        care.take_over(Settings(jobs=JobSettings(retention=hourly, scrub=None)))
        wait_for(lambda: not live.loop.troubles)


def test_a_run_that_a_crash_cut_short_gets_its_end_at_the_next_start_and_is_tried_again_soon(house: Household) -> None:
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        ledger.run("INSERT INTO job_runs (job, started_at, finished_at, ok) VALUES ('scrub', 900, 950, 1)")
        ledger.run("INSERT INTO job_runs (job, started_at) VALUES ('scrub', 1000)")
    care = caring({"scrub": lambda _: Outcome()}, every=3600)
    with following(house, care=care):
        wait_for(ended(house, 2))
        wait_for(lambda: "scrub" in care.next_runs())
        assert care.next_runs()["scrub"] / 1000 < time.time() + 600, "not an hour later"
    row = runs(house)[-1]
    assert row[:2] == (None, 1)
    assert "cut short" in row[2]
    assert last_result(house) is True, "a kill is no failure of a job"


def test_a_job_that_is_cut_short_again_and_again_has_failed(house: Household) -> None:
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        ledger.run("INSERT INTO job_runs (job, started_at, finished_at, summary_json) VALUES (?, 1, 2, ?)",
                   ("scrub", json.dumps({REASON: CUT_SHORT})))  # fmt: skip
        ledger.run("INSERT INTO job_runs (job, started_at) VALUES ('scrub', 1000)")
    with following(house, care=caring({"scrub": lambda _: Outcome()}, every=3600)):
        wait_for(ended(house, 2))
    assert last_result(house) is False


def test_a_job_that_finds_the_ledger_moved_away_asks_nobody_to_begin_one(house: Household) -> None:
    def job(tools: Tools) -> Outcome:
        raise absent(tools.ledger.path)

    with following(house, care=caring({"scrub": job})) as live:
        wait_for(lambda: "job scrub" in live.loop.troubles)
        told = live.loop.troubles["job scrub"]
    assert "moved or deleted" in told["reason"]
    assert "tried again" in told["hint"]


def test_a_job_of_many_steps_lets_others_come_between_and_goes_on_after_a_restart(house: Household) -> None:
    order, last_step = list[str](), {"before the restart": 3}

    def long(tools: Tools) -> Outcome:
        at = int(str(tools.so_far.get("at", 0))) + 1
        order.append(f"step {at}")
        pause = NEVER_SECONDS if at in last_step.values() else 0.05
        return Outcome(summary={"at": at}, goes_on_after=pause if at < 6 else None)

    def short(_: Tools) -> Outcome:
        order.append("short")
        return Outcome()

    jobs: dict[str, Job] = {"scrub": long, "optimize": short}
    with following(house, care=caring(jobs)):
        wait_for(lambda: "step 3" in order and "short" in order)
    stopped = runs(house)[-1]
    assert stopped[:2] == (None, 1)
    assert "stopped" in stopped[2]
    before = [each for each in order if each != "short"]
    order.clear()
    last_step.clear()
    with following(house, care=caring(jobs)):
        wait_for(ended(house, 2))
    after = [each for each in order if each != "short"]
    assert before + after[: 6 - len(before)] == [f"step {number}" for number in range(1, 7)]
    assert (1, 1, '{"at": 6}') in runs(house)


def test_a_job_that_is_always_due_and_one_that_always_goes_on_take_turns(house: Household) -> None:
    steps = {"scrub": 0, "optimize": 0}

    def endless(_: Tools) -> Outcome:
        steps["scrub"] += 1
        return Outcome(goes_on_after=0.0)

    def short(_: Tools) -> Outcome:
        steps["optimize"] += 1
        care._ring("optimize")
        return Outcome()

    care = caring({"scrub": endless, "optimize": short})
    with following(house, care=care) as live:
        wait_for(lambda: min(steps.values()) >= 10)
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)


def test_a_stop_ends_a_job_at_its_next_border(house: Household) -> None:
    begun = threading.Event()

    def endless(tools: Tools) -> Outcome:
        while True:
            begun.set()
            tools.pace.wait(0.01)

    with following(house, care=caring({"scrub": endless})):
        assert begun.wait(60)
    assert runs(house)[0][:2] == (None, 1)


def test_jobs_that_are_due_at_once_run_one_after_another_each_once(house: Household) -> None:
    order: list[str] = []

    def noted(name: str) -> Job:
        def job(_: Tools) -> Outcome:
            order.append(name)
            return Outcome()

        return job

    care = caring({name: noted(name) for name in ("repair", "scrub", "backup")}, every=3600)
    with following(house, care=care):
        wait_for(care.next_runs)
        with care._lock:
            care._due.update(dict.fromkeys(("backup", "scrub", "repair")))
        care._ring("scrub")
        wait_for(lambda: len(order) == 3)
    assert order == ["backup", "scrub", "repair"]


# Clocks


def test_after_a_sleep_everything_is_looked_at_once(house: Household) -> None:
    clocks, said = Clocks(), Said()
    with following(house, care=caring({}, said=said, steps=ClockSteps(clocks))) as live:
        rescans = live.loop.figures.rescans
        clocks.move(8 * 3600, 0, 8 * 3600)
        wait_for(lambda: live.loop.figures.rescans > rescans)
        wait_for(lambda: said.count("slept") == 1)
        assert live.loop.figures.rescans == rescans + 1


def test_nothing_is_removed_by_age_while_the_clock_is_in_doubt(house: Household) -> None:
    clocks, said, ran = Clocks(), Said(), []

    def retention(_: Tools) -> Outcome:
        ran.append(1)
        return Outcome()

    care = caring({"retention": retention}, said=said, steps=ClockSteps(clocks))
    clocks.move(3650 * 86_400, 0, 0)
    care.heed_clocks()
    with following(house, care=care):
        wait_for(lambda: said.count("job_waits") >= 2)
        assert not ran
        clocks.move(-3650 * 86_400, 0, 0)
        wait_for(lambda: ran)
    assert said.count("clock_stepped") == 2


def test_the_loop_is_told_of_no_job_where_none_is_wanted(house: Household) -> None:
    def job(_: Tools) -> Outcome:
        raise AssertionError("not wanted")

    care = caring({"scrub": job})
    care.take_over(Settings(jobs=JobSettings(scrub=None)))
    with following(house, care=care) as live:
        assert isinstance(live, Live)
        wait_for(lambda: care._schedule is not None)
        assert care.next_runs() == {}
    assert runs(house) == []


def test_F6_a_ledger_that_is_gone_when_a_job_fails_is_put_back_and_not_begun_anew(house: Household) -> None:
    """The job is the first to notice, and the loop takes its ledger up again: what only that had must be in it."""
    pruned = transcript(2, 4)
    house.write(name_of(2), pruned)
    house.catch_up()
    house.path(name_of(2)).unlink()
    attempts = []

    def job(_: Tools) -> Outcome:
        attempts.append(1)
        if len(attempts) == 1:
            house.ledger_path.rename(house.ledger_path.with_name("elsewhere.db"))
            raise SyncdError("there is no ledger", "look for it")
        return Outcome()

    with following(house, care=caring({"scrub": job})):
        wait_for(lambda: len(attempts) > 1)
        wait_for(ended(house, 2))
    (kept,) = [row for row in transcripts(house.ledger_path) if row.name == name_of(2)]
    assert exported(house.ledger_path, kept.id, kept.generation) == pruned
