"""The jobs as the daemon's loop sees them: is one due, take a step of it, how does it go.

A job that fails is tried again, later each time, is a reason for `status` to call the mirror degraded, and never ends
the daemon. Only the loop's thread is here, but for `_ring`. What jobs do is theirs, when they are due is `schedule`'s.
"""

from __future__ import annotations

import threading
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.errors import LedgerAbsent, LedgerCorrupt, LedgerNewer, SyncdError
from syncd.jobs.clock_steps import ClockSteps
from syncd.jobs.doubt import Doubt
from syncd.jobs.job import Tools
from syncd.jobs.runs import (
    CUT_SHORT,
    REASON,
    Run,
    begin_run,
    end_run,
    latest_runs,
    note_run,
    open_runs,
    times_of_runs,
    was_cut_short_before,
)
from syncd.jobs.table import JOBS, REMOVING, job_named
from syncd.ledger.tombstones import unscoured
from syncd.settings import Duration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from syncd.clock import Clock
    from syncd.jobs.job import Job, Outcome
    from syncd.jobs.schedule import Schedule
    from syncd.ledger.database import Ledger
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import CatchUpOptions, Home, Pace
    from syncd.settings import Cron, Settings

    Troubles = dict[str, dict[str, str]]

RETRY_SECONDS = (60.0, 300.0, 900.0, 3600.0)
"""After a first, second, third and any later failure in a row."""
FOUND_RETRY_SECONDS = (3600.0, 14_400.0, 43_200.0)
"""Likewise, of a job that found what it could not mend: somebody may have mended it by hand meanwhile."""
_NOTE_SECONDS = 30.0
"""A run of many steps stores this often how far it is."""
LATEST_START_SECONDS = 5.0
"""The schedule is loaded, which takes a tenth of a second, when the mirror is well under way."""
STOPPED = "stopped: syncd was asked to end"
_GOES_ON = "goes_on"
_REFUSED_HINT = (
    "it is tried again; if it stays so, look at the disk, the limit of open files (ulimit -n) and free memory"
)


@dataclass(slots=True)
class _Going:
    """A run between two of its steps."""

    run: Run
    next_at: float
    noted_at: float


class Housekeeper:
    """`say` writes to the daemon's log."""

    def __init__(
        self, clock: Clock, settings: Settings, say: Callable[..., None], *,
        find_job: Callable[[str], Job] = job_named, names: tuple[str, ...] = tuple(JOBS),
        steps: ClockSteps | None = None, forget_in_logs: Callable[[Ledger], object] = lambda _: None,
    ) -> None:  # fmt: skip
        self._clock, self._settings, self._say = clock, settings, say
        self._find_job, self._names, self._steps = find_job, names, steps or ClockSteps()
        self._doubt = Doubt(clock)
        self._forget_in_logs = forget_in_logs
        self._schedule: Schedule | None = None
        self._start_at: float | None = None
        self._wake: Callable[[], None] = lambda: None
        self._troubles: Troubles = {}
        self._lock = threading.Lock()
        self._due: dict[str, None] = {}  # in the order in which they fell due
        self._going: dict[str, _Going] = {}
        self._went_on = False
        self._last: dict[str, Run] = {}
        self._failures: dict[str, int] = {}
        self._reasons: dict[int, str] = {}  # why runs ended that could not be told to the ledger

    # For the loop

    def begin(self, ledger: Ledger, troubles: Troubles, wake: Callable[[], None]) -> None:
        """The ledger was opened, perhaps again. Runs without an end that are not between two steps get theirs."""
        self._troubles, self._wake = troubles, wake
        open_ids = {going.run.id for going in self._going.values()}
        for run in open_runs(ledger):
            if run.id in self._reasons:
                self._end(ledger, run, ok=False, reason=self._reasons[run.id])
            elif run.id not in open_ids:  # A kill is no failure of the job's own; a second one in its midst may be.
                ok = False if was_cut_short_before(ledger, run) else None
                self._end(ledger, run, ok=ok, reason=CUT_SHORT)
        self._reasons.clear()
        self._last = latest_runs(ledger)
        if unscoured(ledger) and self._wanted().get("retention") is not None:
            self._due.setdefault("retention")  # a removal was cut short: what is left of it goes soon
        if self._schedule is None and self._start_at is None:
            self._doubt.note_past(times_of_runs(ledger))
            spans = [chosen.seconds for chosen in self._wanted().values() if isinstance(chosen, Duration)]
            self._start_at = self._clock.monotonic() + min([LATEST_START_SECONDS, *spans])

    def due_at(self) -> float | None:
        """Monotonic time of the next step; None: `wake` will be called."""
        if self._schedule is None:
            return self._start_at
        with self._lock:
            if self._due:
                return self._clock.monotonic()
        return min((going.next_at for going in self._going.values()), default=None)

    def take_step(
        self, ledger: Ledger, writer: Writer, homes: tuple[Home, ...], pace: Pace, options: CatchUpOptions
    ) -> bool:
        """One step of one job that is due. False: it failed, and ledger and writer may be in any state."""
        if self._schedule is None:
            self._start()
        if (name := self._next()) is None:
            return True
        going = self._going.pop(name, None)
        run = going.run if going is not None else None
        try:
            writer.flush()
            run = run if run is not None else self._begin(ledger, name)
            job = self._find_job(name)
            tools = Tools(ledger, writer, self._clock, self._settings, homes, pace, options, run.summary,
                          self._forget_in_logs)  # fmt: skip
            outcome = job(tools)
            writer.flush()
            self._settle(ledger, run, outcome, going)
        except (LedgerCorrupt, LedgerNewer) as error:
            self._fail(name, run, str(error), error.hint)
            raise
        except SyncdError as error:
            if error.type == "interrupted" and run is not None:  # at a border: nothing is half done
                writer.flush()
                self._end(ledger, run, ok=None, reason=STOPPED)
                return True
            self._fail(name, run, *_why(error))
            return False
        except OSError as error:
            self._fail(name, run, error.strerror or _told(error), _REFUSED_HINT)
            return False
        except Exception as error:  # noqa: BLE001 - whatever it is, the mirror goes on without this job
            self._fail(name, run, _told(error), "this is a fault of syncd: please report it; the mirror goes on")
            return False
        return True

    def heed_clocks(self) -> float:
        """To be called now and then, so that jobs come in time though the clock was set. How long the machine slept."""
        if (change := self._steps.look()) is None:
            return 0.0
        if change.stepped:
            self._say("clock_stepped", seconds=round(change.stepped, 3))
            self._doubt.note_step(change.stepped)
        if change.slept:
            self._say("slept", seconds=round(change.slept, 3))
        if self._schedule is not None:
            if change.stepped:
                self._schedule.shift(change.stepped)
            self._schedule.wake()
        return change.slept

    def take_over(self, settings: Settings, forget_in_logs: Callable[[Ledger], object] | None = None) -> None:
        """The configuration was read again."""
        self._settings, self._forget_in_logs = settings, forget_in_logs or self._forget_in_logs
        if self._schedule is not None:
            self._set()
        for name in list(self._failures):
            if not self.is_wanted(name):
                del self._failures[name]
                self._troubles.pop(_key(name), None)
            elif self._schedule is not None:  # the cause may have gone with the old configuration
                self._schedule.again(name, RETRY_SECONDS[0])

    def is_wanted(self, name: str) -> bool:
        """Is it to run at all? One that is switched off, or of another syncd, is nobody's worry."""
        return self._wanted().get(name) is not None

    def next_runs(self) -> dict[str, int]:
        """By job, in epoch milliseconds."""
        return self._schedule.next_runs() if self._schedule is not None else {}

    def leave(self, ledger: Ledger) -> None:
        """Runs between two steps end as stopped; the next start goes on with them."""
        for going in self._going.values():
            self._end(ledger, going.run, ok=None, reason=STOPPED)
        self._going.clear()

    def stop(self) -> None:
        if self._schedule is not None:
            self._schedule.stop()

    # When

    def _start(self) -> None:
        from syncd.jobs.schedule import Schedule  # APScheduler: a tenth of a second, and megabytes

        self._schedule = Schedule(self._ring)
        self._set()

    def _set(self) -> None:
        from syncd.jobs.schedule import LastRun

        assert self._schedule is not None
        last = {name: LastRun(run.started_at, run.ok) for name, run in self._last.items()}
        self._schedule.set(self._wanted(), last)

    def _wanted(self) -> dict[str, Duration | Cron | None]:
        return {name: getattr(self._settings.jobs, name) for name in self._names}

    def _ring(self, name: str) -> None:
        """On the schedule's thread."""
        with self._lock:
            self._due.setdefault(name)
        self._wake()

    def _next(self) -> str | None:
        """What is due and what is to go on take turns: neither keeps the other waiting for ever."""
        now = self._clock.monotonic()
        ready = next((name for name, going in self._going.items() if going.next_at <= now), None)
        with self._lock:
            for under_way in self._going:
                self._due.pop(under_way, None)  # one at a time
            name = next(iter(self._due), None)
            if ready is not None and (name is None or not self._went_on):
                self._went_on = True
                return ready
            self._went_on = False
            self._due.pop(name or "", None)
        wait = self._doubt.seconds_left() if name in REMOVING else 0.0
        if name is not None and wait > 0 and self._schedule is not None:
            self._say("job_waits", job=name, reason="the clock is in doubt", seconds=round(wait))
            self._schedule.again(name, wait)
            return None
        return name

    # What becomes of it

    def _begin(self, ledger: Ledger, name: str) -> Run:
        before = self._last.get(name)
        run = begin_run(ledger, name, self._clock.now_ms())
        if before is not None and not before.ok and before.summary.get(_GOES_ON):
            run = run._replace(summary=_without(before.summary, _GOES_ON, REASON))
        self._last[name] = run
        return run

    def _settle(self, ledger: Ledger, run: Run, outcome: Outcome, going: _Going | None) -> None:
        run, now = run._replace(summary=outcome.summary), self._clock.monotonic()
        if outcome.goes_on_after is not None:
            run = run._replace(summary={**outcome.summary, _GOES_ON: True})
            noted_at = going.noted_at if going is not None else now
            if now - noted_at >= _NOTE_SECONDS:
                note_run(ledger, run)
                noted_at = now
            self._last[run.job] = run
            self._going[run.job] = _Going(run, now + outcome.goes_on_after, noted_at)
            return
        self._end(ledger, run, ok=outcome.ok)
        if outcome.ok:
            self._failures.pop(run.job, None)
            self._troubles.pop(_key(run.job), None)
        else:
            reason = str(outcome.summary.get(REASON, "it found what it could not mend"))
            hint = str(outcome.summary.get("hint", "see `syncd health` and the table job_runs"))
            self._report(run.job, reason, hint, retries=outcome.retries)

    def _fail(self, name: str, run: Run | None, reason: str, hint: str) -> None:
        """It was raised: the ledger may not be asked now. `begin` writes it down."""
        if run is not None:
            self._reasons[run.id] = reason
        self._report(name, reason, hint, retries=True)

    def _report(self, name: str, reason: str, hint: str, *, retries: bool) -> None:
        failures = self._failures.get(name, 0) + 1
        self._failures[name] = failures
        self._say("job_failed", job=name, reason=reason, attempt=failures)
        times = f" {failures} times in a row" if failures > 1 else ""
        told = {"code": "job_failed", "path": "", "reason": f"{name} failed{times}: {reason}", "hint": hint}
        if self.is_wanted(name):
            self._troubles[_key(name)] = told
        if self._schedule is not None:
            pauses = RETRY_SECONDS if retries else FOUND_RETRY_SECONDS
            self._schedule.again(name, pauses[min(failures, len(pauses)) - 1])

    def _end(self, ledger: Ledger, run: Run, *, ok: bool | None, reason: str | None = None) -> None:
        summary = {**run.summary, **({REASON: reason} if reason is not None else {})}
        if ok:
            summary = _without(summary, _GOES_ON)
        now_ms = self._clock.now_ms()
        ended = run._replace(summary=summary, finished_at=now_ms, ok=ok)
        end_run(ledger, ended, now_ms, ok=ok)
        self._last[run.job] = ended
        counts = {name: value for name, value in summary.items() if isinstance(value, bool | int | float | str)}
        self._say("job_ended", **{**counts, "job": run.job, "ok": ok, "ms": now_ms - run.started_at})


def _key(name: str) -> str:
    return f"job {name}"


def _without(summary: Mapping[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in summary.items() if name not in names}


def _why(error: SyncdError) -> tuple[str, str]:
    """Reason and hint. Nobody has to begin a ledger that a daemon had open a moment ago: the loop makes it whole."""
    if isinstance(error, LedgerAbsent):
        return "the ledger was moved or deleted meanwhile", "it is made whole at its path, and the job is tried again"
    return str(error), error.hint


def _told(error: Exception) -> str:
    """Where, and of which type: what it says might repeat what was said in a session."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "syncd" in frame.filename]
    place = f" in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
