"""The daemon's reports on itself, made by the loop's thread after completed passes: the beat, and the health log.

A line of the log every `interval_seconds` of monotonic time, and one for each change of state: started, degraded,
recovered, stopped.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from syncd.daemon.beat import beat_of, write_beat
from syncd.daemon.health import alarms_of, live_figures, vitals
from syncd.daemon.health_log import write_line
from syncd.daemon.program import this_program
from syncd.daemon.prometheus import write_figures
from syncd.errors import LedgerError, SyncdError
from syncd.ledger.database import open_for_reading
from syncd.ledger.figures import LedgerFigures, ledger_figures
from syncd.ledger.job_results import last_ended_runs
from syncd.ledger.surroundings import surroundings
from syncd.mirror.freshness import Freshness, freshness

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.daemon.codes import Alarm
    from syncd.daemon.health_log import HealthLog
    from syncd.daemon.loop import Loop
    from syncd.ledger.job_results import JobRun


BUSY_SECONDS = 0.1
"""For a look into a ledger that cannot be written: a stop may not wait for it."""


class Reporter:
    """To be called with the loop after its passes."""

    def __init__(self, ledger_path: Path, clock: Clock, log: HealthLog) -> None:
        self._ledger_path, self._clock, self._log = ledger_path, clock, log
        self._figures, self._fresh = LedgerFigures(0, 0, 0, 0, 0, 0, 0), Freshness()
        self._started_at, self._program = clock.now_ms(), this_program()
        self._next_line = clock.monotonic()
        self._codes: frozenset[str] | None = None  # of the alarms last told; None = nothing was told yet
        self._log_problem: str | None = None
        self._prometheus_problem: str | None = None
        self._behind_since: dict[str, float] = {}  # by agent, in a pause
        self._runs: tuple[JobRun, ...] = ()

    def __call__(self, loop: Loop) -> None:
        if loop.options.health_log not in (None, self._log):
            self._log, self._next_line = loop.options.health_log, self._clock.monotonic()
        fresh = self._look(loop)
        beat = beat_of(loop, self._started_at)
        if self._prometheus_problem is not None:
            fault = {"code": "prometheus", "reason": self._prometheus_problem}
            beat = beat._replace(degraded=(*beat.degraded, fault))
        beat = beat._replace(
            log_problem=self._log_problem,
            behind={each.agent_id: each.behind_seconds for each in fresh.agents.values() if each.behind_bytes},
            taken_at={each.agent_id: each.last_taken_at for each in fresh.agents.values() if each.last_taken_at},
            version=self._program.version,
            files=self._program.files,
        )
        around = surroundings(self._ledger_path)
        runs = [run for run in self._job_runs(loop) if loop.care is None or loop.care.is_wanted(run.job)]
        alarms = alarms_of(beat, fresh, 0.0, around, runs)
        code = self._change(alarms)
        if code is None and self._clock.monotonic() >= self._next_line:
            code = "figures"
        if code is not None:
            self._next_line = self._clock.monotonic() + self._log.interval_seconds
            self._count(loop)
            jobs = {"job_results": [run._asdict() for run in self._runs]}
            self._write(code, {**vitals(self._figures, fresh, around, alarms), **live_figures(beat), **jobs})
        write_beat(self._ledger_path, beat._replace(log_problem=self._log_problem))

    def _look(self, loop: Loop) -> Freshness:
        if loop.following is not None:
            self._behind_since.clear()
            with suppress(LedgerError):  # as below; it must not end because of what it was to tell
                self._fresh = loop.following.freshness()
        else:
            self._look_beside(loop)
        return self._fresh

    def _look_beside(self, loop: Loop) -> None:
        """While the ledger cannot be written: by reading it, or as last seen. Who is behind stays so meanwhile."""
        asked = loop.options.catch_up
        present = [path for path in loop.state_dirs if os.path.isdir(path)]
        with suppress(LedgerError), open_for_reading(self._ledger_path, BUSY_SECONDS) as ledger:
            taken = {each.agent_id: each.last_taken_at for each in self._fresh.agents.values() if each.last_taken_at}
            self._fresh = freshness(ledger, present, asked.agents, asked.environ, self._clock.now_ms())
            self._fresh.took(taken)
        now = self._clock.monotonic()
        for agent in self._fresh.agents.values():
            if agent.behind_bytes:
                self._behind_since.setdefault(agent.agent_id, now - agent.behind_seconds)
        self._fresh.waits_at_least({agent_id: now - since for agent_id, since in self._behind_since.items()})

    def _job_runs(self, loop: Loop) -> tuple[JobRun, ...]:
        with suppress(LedgerError):  # a ledger that cannot be read just now: the loop will meet that itself
            if loop.following is not None:
                self._runs = last_ended_runs(loop.following.ledger)
        return self._runs

    def _count(self, loop: Loop) -> None:
        with suppress(LedgerError):
            if loop.following is not None:
                self._figures = ledger_figures(loop.following.ledger)

    def stopped(self, reason: str, message: str = "") -> None:
        self._write("stopped", {"reason": reason, "message": message})

    def _change(self, alarms: list[Alarm]) -> str | None:
        """What became of the state since the last line; None: nothing."""
        codes, before = frozenset(alarm["code"] for alarm in alarms), self._codes
        self._codes = codes
        if before is None:
            return "started"
        if codes == before:
            return None
        return "degraded" if codes else "recovered"

    def _write(self, code: str, fields: dict[str, object]) -> None:
        line = {"at": self._clock.now_ms(), "code": code, "pid": os.getpid(), **fields}
        self._log_problem = write_line(self._log.path, line)
        path = self._log.prometheus_path
        self._prometheus_problem = write_figures(path, line) if path is not None else None


@contextmanager
def reporting(ledger_path: Path, clock: Clock, log: HealthLog) -> Iterator[Reporter]:
    """A reporter whose last word is how the block ended."""
    reporter = Reporter(ledger_path, clock, log)
    reason, message = "interrupted", ""
    try:
        yield reporter
        reason = "asked"
    except SyncdError as error:
        reason, message = error.type, error.title
        raise
    except Exception:
        reason = "internal"
        raise
    finally:
        reporter.stopped(reason, message)
