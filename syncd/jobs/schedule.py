"""When jobs are due: the one home of APScheduler, whose thread does nothing but ring.

Intervals are counted from start to start, cron expressions are UTC. What was missed while nobody was there is due once,
soon after the start; nothing is lost, nothing comes twice. APScheduler goes by the wall clock: whoever notices that it
was set calls `shift`, and after a sleep of the machine `wake`.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from apscheduler.executors.debug import DebugExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.combining import OrTrigger
from apscheduler.triggers.cron import CronTrigger

from syncd.settings import Duration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from apscheduler.job import Job as Timer

    from syncd.settings import Cron

START_SECONDS = 60.0
"""What is overdue at the start waits for so long: first the mirror, then its care. Shorter intervals wait for less."""
_FIRST_SECONDS = 900.0
_FIRST_SHARE = 1 / 24
"""What never ran waits for this share of its interval, but at least so long: all was read a moment ago."""
_INSTANT = timedelta(microseconds=1)


class LastRun(NamedTuple):
    """Of a job; `ok` None: it never ended."""

    started_at: int
    ok: bool | None


class Every(BaseTrigger):  # type: ignore[misc]  # no type information of its own
    """So long after it last rang, however late that was."""

    def __init__(self, seconds: float) -> None:
        self.span = timedelta(seconds=seconds)

    def get_next_fire_time(self, _previous: datetime | None, now: datetime) -> datetime:
        return now + self.span


class At(BaseTrigger):  # type: ignore[misc]  # as above
    """The next time that a cron expression names. Those that passed unseen are not gone through: there may be years."""

    def __init__(self, cron: Cron) -> None:
        hours: dict[str, str] = {
            "second": "0",
            "minute": _listed(cron.minutes),
            "hour": _listed(cron.hours),
            "month": _listed(cron.months),
        }
        days = {"day": _listed(cron.days)}
        weekdays = {"day_of_week": _listed({(day + 6) % 7 for day in cron.weekdays})}  # there, 0 is Monday
        if len(cron.days) < 31 and len(cron.weekdays) < 7:  # either is enough, as in crontab(5)
            self._inner = OrTrigger([CronTrigger(**hours, **each, timezone=UTC) for each in (days, weekdays)])
        else:
            self._inner = CronTrigger(**hours, **days, **weekdays, timezone=UTC)

    def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime | None:
        found: datetime | None = self._inner.get_next_fire_time(None, now if previous is None else now + _INSTANT)
        return found


def _listed(numbers: set[int] | frozenset[int]) -> str:
    return ",".join(map(str, sorted(numbers)))


def _trigger_of(chosen: Duration | Cron) -> Every | At:
    return Every(chosen.seconds) if isinstance(chosen, Duration) else At(chosen)


def first_due(chosen: Duration | Cron, last: LastRun | None, now: datetime) -> datetime | None:
    """When it is due for the first time after a start. None: never (again)."""
    trigger = _trigger_of(chosen)
    if isinstance(trigger, Every):
        if last is None:
            return now + min(trigger.span, max(trigger.span * _FIRST_SHARE, timedelta(seconds=_FIRST_SECONDS)))
        soon = now + min(trigger.span, timedelta(seconds=START_SECONDS))
        if not last.ok:
            return soon
        # A last run in the future is one of a clock that went wrong: no wait is longer than the interval.
        return min(max(_moment(last.started_at) + trigger.span, soon), now + trigger.span)
    regular = trigger.get_next_fire_time(None, now)
    if last is None or regular is None:
        return regular
    missed = trigger.get_next_fire_time(None, _moment(last.started_at) + timedelta(minutes=1))
    if not last.ok or (missed is not None and missed <= now):
        return min(regular, now + timedelta(seconds=START_SECONDS))
    return regular


def _moment(at: int) -> datetime:
    """A bit that turned over can make it a year that no calendar has: then it was long ago."""
    try:
        return datetime.fromtimestamp(at / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


class Schedule:
    """`ring` is called with a job's name, on another thread, when that is due."""

    def __init__(self, ring: Callable[[str], None]) -> None:
        self._ring = ring
        # A warning of it would come to stderr as it is, between lines of JSON.
        logging.getLogger("apscheduler").addHandler(logging.NullHandler())
        defaults = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        self._timers = BackgroundScheduler(
            timezone=UTC, executors={"default": DebugExecutor()}, job_defaults=defaults, daemon=True
        )
        self._timers.start()

    def set(self, wanted: Mapping[str, Duration | Cron | None], last: Mapping[str, LastRun]) -> None:
        """These and no others. One whose time is as it was goes on."""
        kept = {timer.id: timer for timer in self._timers.get_jobs()}
        now = datetime.now(UTC)
        for name, chosen in wanted.items():
            timer = kept.pop(name, None)
            if timer is not None and timer.name == _told(chosen):
                continue
            due = first_due(chosen, last.get(name), now) if chosen is not None else None
            if chosen is not None and due is not None:
                self._timers.add_job(self._ring, _trigger_of(chosen), (name,), id=name, name=_told(chosen),
                                     next_run_time=due, replace_existing=True)  # fmt: skip
            elif timer is not None:
                timer.remove()
        for timer in kept.values():
            timer.remove()

    def again(self, name: str, seconds: float) -> None:
        """Once more in so many seconds, unless its regular time comes first."""
        timer = self._timers.get_job(name)
        soon = datetime.now(UTC) + timedelta(seconds=seconds)
        if timer is not None and timer.next_run_time > soon:
            timer.modify(next_run_time=soon)

    def shift(self, seconds: float) -> None:
        """The wall clock was set by so much. Intervals last as long as before; a time that it skipped has come."""
        now = datetime.now(UTC)
        for timer in self._timers.get_jobs():
            timer.modify(next_run_time=_shifted(timer, timedelta(seconds=seconds), now))

    def wake(self) -> None:
        """Have the times compared with the clock: the machine may have slept, and the thread does not know."""
        self._timers.wakeup()

    def next_runs(self) -> dict[str, int]:
        """By job, in epoch milliseconds."""
        return {timer.id: round(timer.next_run_time.timestamp() * 1000) for timer in self._timers.get_jobs()}

    def stop(self) -> None:
        self._timers.shutdown(wait=False)


def _shifted(timer: Timer, step: timedelta, now: datetime) -> datetime:
    due: datetime = timer.next_run_time
    trigger: Every | At = timer.trigger
    if isinstance(trigger, Every):
        return min(max(due + step, now), now + trigger.span)
    regular = trigger.get_next_fire_time(None, now)
    return min(due, regular) if regular is not None else due


def _told(chosen: Duration | Cron | None) -> str:
    return chosen.text if chosen is not None else ""
