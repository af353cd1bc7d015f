"""FAULTS.md A13-A15: the wall clock steps, the machine sleeps. Jobs come on time, once each, and lines at any time."""
# ruff: noqa: N802  the fault's id stands in the test's name

import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.live import wait_for
from tests.daemon.process import Daemon, daemon, in_ledger, syncd
from tests.faults.shifted_clock import HOUR, ShiftedClock
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, query

NAME = name_of(1)
TEN_YEARS = 10 * 365 * 24 * HOUR
HOURS = {"backup": 3, "optimize": 2, "repair": 1, "retention": 4, "scrub": 1}
"""Every job, and how often it comes where all of them do."""
OFF = dict.fromkeys(HOURS, "false")


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    return made


@pytest.fixture
def clocks(tmp_path: Path) -> ShiftedClock:
    return ShiftedClock(tmp_path)


def configure(house: Household, rescan_seconds: float = 1, more: str = "", **jobs: str) -> None:
    told = ", ".join(f"{name}: {when}" for name, when in (OFF | jobs).items())
    watch = f"watch: {{settle_seconds: 0.2, rescan_seconds: {rescan_seconds}, confirm_removal_seconds: 5}}\n"
    text = f"{watch}jobs: {{{told}}}\nhealth: {{interval_seconds: 0.5}}\n{more}"
    (house.state_dir.parent / "config.yaml").write_text(text)


def runs(house: Household, job: str = "scrub") -> list[int]:
    """When those that have ended began."""
    sql = "SELECT started_at FROM job_runs WHERE job = ? AND finished_at IS NOT NULL ORDER BY id"
    return [at for (at,) in query(house.ledger_path, sql, job)]


def has_run_before(house: Household, job: str, at: int) -> bool:
    return any(each < at for each in runs(house, job))


def beat(house: Household) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(house.ledger_path.with_name("ledger.db.beat.json").read_bytes())
    return found


def hours_to_next(house: Household, ahead: int) -> dict[str, int]:
    """Its clock is so many hours ahead of ours."""
    coming = beat(house)["next_runs"].items()
    return {name: round((at / 1000 - time.time()) / HOUR) - ahead for name, at in coming}


def goes_on(house: Household, running: Daemon, number: int) -> None:
    """Lines are taken in, rescans are made, and `status` finds nothing wrong."""
    rescans = beat(house)["rescans"]
    house.append(NAME, message(number))
    wait_for(in_ledger(house, NAME, number + 1))
    wait_for(lambda: beat(house)["rescans"] > rescans)
    assert running.process.poll() is None


def ended(house: Household, running: Daemon) -> list[str]:
    """The events of its log."""
    running.process.terminate()
    _, said = running.process.communicate(timeout=60)
    assert running.process.returncode == 0
    assert_mirrors(house)
    return [json.loads(line)["event"] for line in said.splitlines()]


def test_A13_a_clock_set_back_by_an_hour_keeps_no_job_waiting(house: Household, clocks: ShiftedClock) -> None:
    configure(house, scrub="3s", backup="4s", repair="4s")
    with daemon(house, prefix=clocks.prefix) as running:
        running.is_following()
        wait_for(lambda: len(runs(house)) >= 1)
        clocks.step(-HOUR)
        count = len(runs(house))
        wait_for(lambda: len(runs(house)) >= count + 2)
        for job in ("backup", "repair"):
            wait_for(partial(has_run_before, house, job, runs(house)[0]))
        assert runs(house)[-1] < runs(house)[0]  # by the clock as it is now
        goes_on(house, running, 6)
        (job,) = [job for job in syncd(house, "status", prefix=clocks.prefix)[1]["jobs"] if job["name"] == "scrub"]
        assert abs(job["next_run_at"] - job["last_started_at"]) < 60_000  # no hour away; either may be told late
        events = ended(house, running)
    assert events.count("clock_stepped") == 1


def test_A14_a_clock_set_forward_by_ten_years_makes_no_storm(house: Household, clocks: ShiftedClock) -> None:
    aged = "retention: {removed_sessions: {purge_after: 30d}, tool_results: {drop_after: 30d}}\n"
    configure(house, scrub="2s", optimize="'* * * * *'", retention="3s", backup="1h", more=aged)
    house.write(name_of(2), transcript(2, 2))
    house.catch_up()
    house.path(name_of(2)).unlink()
    with daemon(house, prefix=clocks.prefix) as running:
        running.is_following()
        wait_for(lambda: len(runs(house)) >= 1)
        clocks.step(TEN_YEARS)
        started, count = time.monotonic(), len(runs(house))
        wait_for(lambda: len(runs(house)) >= count + 4)
        allowed = (time.monotonic() - started) / 2 + 3  # one that fell due by the step, and two at the borders
        assert len(runs(house)) - count <= allowed
        assert len(runs(house, "optimize")) <= 3
        assert len(runs(house, "backup")) <= 1
        goes_on(house, running, 6)
        events = ended(house, running)
    assert events.count("clock_stepped") == 1
    assert query(house.ledger_path, "SELECT state FROM transcripts ORDER BY session_id") == [("live",), ("gone",)]
    assert query(house.ledger_path, "SELECT count(*) FROM tombstones") == [(0,)]


def test_A15_a_sleep_of_eight_hours_is_one_rescan_and_one_run_of_each_job(
    house: Household, clocks: ShiftedClock
) -> None:
    configure(house, 3600, **{name: f"{hours}h" for name, hours in HOURS.items()})
    with daemon(house, prefix=clocks.prefix) as running:
        running.is_following()
        wait_for(lambda: beat(house)["next_runs"])
        rescans = beat(house)["rescans"]
        clocks.suspend(8 * HOUR)
        wait_for(lambda: len(runs(house)) == 1)
        wait_for(lambda: beat(house)["rescans"] == rescans + 1)
        counts = "SELECT job, count(*) FROM job_runs WHERE ok = 1 GROUP BY job ORDER BY job"
        wait_for(lambda: query(house.ledger_path, counts) == [(name, 1) for name in HOURS])
        house.append(NAME, message(6))
        wait_for(in_ledger(house, NAME, 7))
        wait_for(lambda: hours_to_next(house, 8) == HOURS)
        events = ended(house, running)
    assert (events.count("slept"), events.count("clock_stepped")) == (1, 0)
    assert query(house.ledger_path, counts) == [(name, 1) for name in HOURS]
    assert len(list(house.ledger_path.parent.glob("backups/scheduled-*.db"))) == 1
    assert beat(house)["rescans"] == rescans + 1
