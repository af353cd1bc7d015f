"""When jobs are due, by the real APScheduler."""

import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from syncd.jobs.schedule import At, Every, LastRun, Schedule, first_due
from syncd.settings.cron import parse_cron
from syncd.settings.kinds import Duration, duration
from tests.daemon.live import wait_for

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)  # a Monday
DAY = Duration(86_400, "24h")


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


# The first time after a start


def test_a_job_that_never_ran_waits_for_a_part_of_its_interval() -> None:
    assert first_due(DAY, None, NOW) == after(3600)
    assert first_due(duration("15m"), None, NOW) == after(900)
    assert first_due(duration("1s"), None, NOW) == after(1)


def test_a_job_goes_on_with_its_interval_over_a_restart() -> None:
    assert first_due(DAY, LastRun(ms(after(-7200)), ok=True), NOW) == after(86_400 - 7200)


def test_what_is_overdue_at_the_start_is_due_once_a_minute_later() -> None:
    assert first_due(DAY, LastRun(ms(after(-10 * 86_400)), ok=True), NOW) == after(60)
    assert first_due(duration("5s"), LastRun(ms(after(-10 * 86_400)), ok=True), NOW) == after(5)


@pytest.mark.parametrize("ok", [False, None])
def test_what_failed_or_was_cut_short_is_due_soon_after_a_start(ok: bool | None) -> None:
    assert first_due(DAY, LastRun(ms(after(-5)), ok), NOW) == after(60)
    nightly = parse_cron("0 3 * * *")
    assert first_due(nightly, LastRun(ms(after(-5)), ok), NOW) == after(60)


def test_a_last_run_in_the_future_delays_no_longer_than_an_interval() -> None:
    assert first_due(DAY, LastRun(ms(after(400 * 86_400)), ok=True), NOW) == after(86_400)


@pytest.mark.parametrize("bit", [47, 62])
def test_a_last_run_of_a_year_that_no_calendar_has_is_long_ago(bit: int) -> None:
    """As one bit of its row makes it, which a repair is to find: the daemon may not end over it before that."""
    for at in (ms(NOW) - (1 << bit), ms(NOW) + (1 << bit + 1)):
        assert first_due(DAY, LastRun(at, ok=True), NOW) == after(60)
        assert first_due(parse_cron("0 3 * * *"), LastRun(at, ok=True), NOW) == after(60)


def test_a_cron_time_that_passed_while_nobody_was_there_is_made_up_for_once() -> None:
    nightly = parse_cron("0 3 * * *")
    at_three = NOW.replace(hour=3)
    assert first_due(nightly, LastRun(ms(at_three - timedelta(days=1)), ok=True), NOW) == after(60)
    assert first_due(nightly, LastRun(ms(at_three), ok=True), NOW) == at_three + timedelta(days=1)
    assert first_due(nightly, None, NOW) == at_three + timedelta(days=1)


# Cron expressions, and times that passed unseen


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 12 * * *", "2026-11-16T12:30"),
        ("0 0 * * 0", "2026-11-22T00:00"),  # Sunday
        ("0 0 * * 1", "2026-11-23T00:00"),
        ("0 0 * * sat", "2026-11-21T00:00"),
        ("0 0 20 * 2", "2026-11-17T00:00"),  # either is enough: Tuesday comes before the 20th
        ("0 0 29 feb *", "2028-02-29T00:00"),
        ("*/20 12 * * *", "2026-11-16T12:00"),
    ],
)
def test_cron_expressions_mean_what_crontab_means_in_utc(text: str, expected: str) -> None:
    assert At(parse_cron(text)).get_next_fire_time(None, NOW) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


def test_ten_years_that_passed_unseen_are_one_run() -> None:
    much_later = after(10 * 365 * 86_400)
    for trigger in (Every(1), At(parse_cron("* * * * *"))):
        due = trigger.get_next_fire_time(NOW, much_later)
        assert due is not None
        assert much_later < due <= much_later + timedelta(minutes=1)


# The thread that rings


class Bell:
    def __init__(self) -> None:
        self.rung: list[tuple[str, float]] = []
        self.threads: set[str] = set()

    def __call__(self, name: str) -> None:
        self.rung.append((name, time.monotonic()))
        self.threads.add(threading.current_thread().name)

    def count(self, name: str) -> int:
        return [rung for rung, _ in self.rung].count(name)


@pytest.fixture
def bell() -> Bell:
    return Bell()


@pytest.fixture
def schedule(bell: Bell) -> Iterator[Schedule]:
    made = Schedule(bell)
    yield made
    made.stop()


def test_jobs_ring_again_and_again_on_another_thread(schedule: Schedule, bell: Bell) -> None:
    began = time.monotonic()
    schedule.set({"scrub": duration("1s"), "backup": DAY, "repair": None}, {})
    assert schedule.next_runs().keys() == {"scrub", "backup"}
    wait_for(lambda: bell.count("scrub") >= 3)
    assert bell.count("backup") == 0
    assert bell.threads == {"APScheduler"}
    assert bell.rung[2][1] - began > 2.9  # any of them may come late, none early


def test_a_new_configuration_moves_only_what_it_changes(schedule: Schedule, bell: Bell) -> None:
    schedule.set({"scrub": DAY, "backup": DAY, "repair": DAY}, {})
    before = schedule.next_runs()
    schedule.set({"scrub": DAY, "backup": duration("1s"), "repair": None}, {})
    assert schedule.next_runs()["scrub"] == before["scrub"]
    assert "repair" not in schedule.next_runs()
    wait_for(lambda: bell.count("backup") >= 1)


def test_a_retry_comes_before_the_regular_time_and_not_after_it(schedule: Schedule, bell: Bell) -> None:
    schedule.set({"scrub": DAY, "backup": duration("30s")}, {})
    regular = schedule.next_runs()["backup"]
    schedule.again("backup", 60)
    schedule.again("scrub", 0.1)
    schedule.again("unknown", 0.1)
    assert schedule.next_runs()["backup"] == regular
    wait_for(lambda: bell.count("scrub") == 1)
    assert schedule.next_runs()["scrub"] > ms(datetime.now(UTC) + timedelta(hours=23))


def test_a_clock_that_was_set_moves_intervals_with_it_but_never_beyond_one(schedule: Schedule) -> None:
    schedule.set({"scrub": DAY}, {})
    before = schedule.next_runs()["scrub"]
    schedule.shift(-1800)
    assert schedule.next_runs()["scrub"] == before - 1_800_000
    schedule.shift(1800)
    assert schedule.next_runs()["scrub"] == before
    schedule.shift(3650 * 86_400)
    assert schedule.next_runs()["scrub"] <= ms(datetime.now(UTC) + timedelta(days=1))


def test_a_clock_set_back_brings_cron_times_nearer_again(schedule: Schedule) -> None:
    """It was ten years ahead when the next time was worked out."""
    schedule.set({"scrub": parse_cron("0 3 * * *")}, {})
    timer = schedule._timers.get_job("scrub")
    right = timer.next_run_time
    timer.modify(next_run_time=right + timedelta(days=3650))
    schedule.shift(-3650 * 86_400)
    assert schedule.next_runs()["scrub"] == ms(right)
