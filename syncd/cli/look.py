"""One look at daemon, ledger and files from outside: what `status` prints and `doctor` judges. Changes nothing."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from syncd.cli.job_lines import job_documents
from syncd.cli.readable import local_time
from syncd.clock import SystemClock
from syncd.daemon.beat import Beat, awake_seconds, living_pid, read_beat
from syncd.daemon.health import alarms_of, unreadable, vitals
from syncd.daemon.program import Note, note_of, this_program
from syncd.errors import LedgerAbsent, LedgerError, LedgerNewer
from syncd.ledger.database import open_for_reading
from syncd.ledger.figures import LedgerFigures, ledger_figures
from syncd.ledger.hold import lock_path
from syncd.ledger.job_results import JobRun, last_ended_runs
from syncd.ledger.lock import writer_pid
from syncd.ledger.surroundings import surroundings
from syncd.mirror.freshness import Freshness, freshness, last_taken
from syncd.records import FileProblem
from syncd.sources.scan import state_dir_problem
from syncd.sources.state_dirs import find_state_dirs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from syncd.cli.app import App
    from syncd.daemon.codes import Alarm
    from syncd.mirror.freshness import SeenLock

T = TypeVar("T")


class Look(NamedTuple):
    """`pid`: of the daemon, None where none runs; `wanted`: the state dirs meant, `found`: those that are there."""

    pid: int | None
    beat: Beat | None
    wanted: tuple[str, ...]
    found: tuple[str, ...]
    has_ledger: bool
    is_read: bool
    """False: whatever is wrong with the ledger, nothing of what it holds is known. The daemon is there all the same."""
    fresh: Freshness
    alarms: list[Alarm]
    notes: list[Note]
    """What is worth knowing of a daemon that mirrors as it should."""
    document: dict[str, Any]


def look(app: App) -> Look:
    clock = SystemClock()
    wanted = find_state_dirs(app.settings.openclaw.state_dirs, app.environ, app.profile)
    found = tuple(path for path in wanted if os.path.isdir(path))
    pid = writer_pid(app.ledger_path)
    beat = read_beat(app.ledger_path)
    if pid is None and beat is not None:
        pid = living_pid(beat)  # the lock went with the ledger, and is not back yet
    if beat is not None and beat.pid != pid:
        beat = None  # of a daemon that has ended
    figures = LedgerFigures(0, 0, 0, 0, 0, 0, 0)
    jobs, runs, has_ledger, is_read = job_documents(None, beat, is_held=False), tuple[JobRun, ...](), True, True
    sources = (found, app.settings.openclaw.agents, app.environ, clock.now_ms())
    left_at = round(_last_write(app) * 1000) if pid is None else None  # before a look leaves its traces
    # The kernel may take 10 ms and more before it lists its locks, all of them idle.
    with _asked_aside(lambda: surroundings(app.ledger_path, own_pid=pid)) as answer:
        try:
            with open_for_reading(app.ledger_path) as ledger:
                figures = ledger_figures(ledger)
                fresh = freshness(ledger, *sources, left_at)
                jobs = job_documents(ledger, beat, is_held=pid is not None)
                fresh.took(beat.taken_at if beat is not None else last_taken(ledger))
                runs = tuple(run for run in last_ended_runs(ledger) if getattr(app.settings.jobs, run.job, None))
        except LedgerAbsent:
            fresh, has_ledger = freshness(None, *sources), False
        except LedgerError as fault:
            if pid is None or isinstance(fault, LedgerNewer):
                raise
            fresh, is_read = Freshness(at_ms=clock.now_ms(), problems=[_closed(app.ledger_path, fault)]), False
        around = answer()
    if beat is not None:
        fresh.waits_at_least(beat.behind)
    alarms: list[Alarm] = []
    if pid is not None:
        alarms = [*alarms_of(beat, fresh, _silent_seconds(app, beat), around, runs), *_absent(wanted, fresh, beat)]
    note = note_of(beat, this_program()) if beat is not None else None
    notes = [note] if note is not None else []
    document = {
        "state": "stopped" if pid is None else "running",
        "pid": pid,
        **vitals(figures, fresh, around, alarms),
        "notes": notes,
        "jobs": jobs,
        "locks": [lock._asdict() for lock in fresh.locks],
        "not_known": fresh.problems,
        "daemon": beat._asdict() if beat is not None else None,
    }
    return Look(pid, beat, wanted, found, has_ledger, is_read, fresh, alarms, notes, document)


def _closed(ledger_path: Path, fault: LedgerError) -> FileProblem:
    reason = fault.title.removeprefix(f"the ledger {ledger_path} ")
    return FileProblem(str(ledger_path), reason, fault.hint, fault.type)


@contextmanager
def _asked_aside(ask: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """On a thread beside what is done meanwhile; gives what waits for the answer. `ask` raises nothing."""
    answers: list[T] = []
    thread = Thread(target=lambda: answers.append(ask()))
    thread.start()

    def answer() -> T:
        thread.join()
        return answers[0]

    try:
        yield answer
    finally:
        thread.join()


def held_by(lock: SeenLock) -> str:
    """Who has a lock of OpenClaw's, and since when."""
    since = f" since {local_time(lock.since, seconds=True)}" if lock.since is not None else ""
    return f"pid {lock.pid if lock.pid is not None else 'unknown'}{since}"


def _absent(wanted: Iterable[str], fresh: Freshness, beat: Beat | None) -> Iterator[Alarm]:
    """What is gone, or closed to us, since the daemon's last beat, which names the others."""
    named = {item["path"] for item in beat.problems} if beat is not None else set()
    has_told = beat is not None and any(item["code"].startswith("ledger") for item in beat.degraded)
    for item in fresh.problems:
        is_brief = item.code == "store_busy"  # if it stays so, the daemon says it
        is_told = has_told and item.code.startswith("ledger")
        if item.path not in named and item.path not in wanted and not is_brief and not is_told:
            yield unreadable(item.path, item.reason, item.hint, item.code)
    for path in wanted:
        if path not in named and (problem := state_dir_problem(path)) is not None:
            yield unreadable(problem.path, problem.reason, problem.hint)


def _silent_seconds(app: App, beat: Beat | None) -> float:
    """Since the daemon last did anything: a completed pass, or a commit, as of a long backlog or the first catch-up."""
    since_write = max(0.0, time.time() - _last_write(app))
    return since_write if beat is None else min(since_write, awake_seconds() - beat.boot_seconds)


def _last_write(app: App) -> float:
    wal = app.ledger_path.with_name(app.ledger_path.name + "-wal")
    files = [path.stat() for path in (app.ledger_path, wal, lock_path(app.ledger_path)) if os.path.exists(path)]
    return max((file.st_mtime for file in files if file.st_size), default=0.0)  # a reader leaves an empty WAL
