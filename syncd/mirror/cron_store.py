"""Cron runs of OpenClaw's own database brought into cron_runs, each once, wherever else it was read before.

Releases moved the history twice: from log files into a table, and from there into another. The same run is OpenClaw's
own rule: the same job and run id or, where one side has no run id, the same end. Never waits.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.ledger import cron_runs
from syncd.ledger.cron_runs import LogState
from syncd.ledger.transaction import writing
from syncd.mirror.settling import RACY_SECONDS, is_racy
from syncd.openclaw.cron_runs import cron_run, run_id_of
from syncd.openclaw.state_dirs import state_database
from syncd.records import FileProblem
from syncd.sources.cron_store import stored_runs
from syncd.sources.opening import NotThereError, StoreError, problem_of
from syncd.sources.store_index import store_stat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from syncd.clock import Clock
    from syncd.ledger.writer import Writer
    from syncd.openclaw.cron_runs import CronRun
    from syncd.records import FileStat
    from syncd.sources.cron_store import RowName
    from syncd.sources.openclaw_config import ConfigRead

_MAX_ROWS_REMEMBERED = 200_000
_REST_PER_READING = 20.0
"""Others write this database too: after each reading, so many times as long is left until the next."""
_LONGEST_REST_SECONDS = 5.0


@dataclass(slots=True)
class CronMemory:
    """What is remembered between two calls."""

    config: ConfigRead | None = None
    proven: dict[str, FileStat] = field(default_factory=dict)
    rows: set[RowName] = field(default_factory=set)
    """Of OpenClaw's database: those that were read."""
    next_reading: float = 0.0
    """Of OpenClaw's database: not before then."""


@dataclass(frozen=True, slots=True)
class CronOutcome:
    added: int = 0
    """Lines that were new."""
    problems: tuple[FileProblem, ...] = ()
    retry_after: float | None = None
    is_unfinished: bool = False
    """Is there more that could be read at once?"""
    busy: FileProblem | None = None
    """What OpenClaw is at work in: for who does not come again."""


def take_stored_runs(
    writer: Writer,
    installation_id: int,
    state_dir: str,
    clock: Clock,
    memory: CronMemory,
    kept: Callable[[Iterable[CronRun]], list[CronRun]],
) -> CronOutcome:
    """Take in what is new. `kept`: runs without those of purged sessions."""
    path = state_database(state_dir)
    stat = store_stat(path)
    if stat is None or stat == memory.proven.get(path):
        return CronOutcome()
    if clock.monotonic() < memory.next_reading:
        return CronOutcome(retry_after=memory.next_reading - clock.monotonic())
    began = time.monotonic()
    if len(memory.rows) > _MAX_ROWS_REMEMBERED:
        memory.rows.clear()
    try:
        found = stored_runs(path, memory.rows)
    except NotThereError:
        return CronOutcome()
    except StoreError as error:
        if error.code == "store_busy":
            return CronOutcome(retry_after=_LONGEST_REST_SECONDS, busy=problem_of(error, path))
        return CronOutcome(problems=(problem_of(error, path),))
    except SourceError as error:
        return CronOutcome(problems=(FileProblem(path, error.reason, error.hint),))
    read = kept(cron_run(item.line, item.job_id) for item in found.runs if item.line is not None)
    writer.flush()
    new = list(unmatched(lambda *moment: cron_runs.runs_at(writer.ledger, installation_id, None, *moment), read))
    if new:
        with writing(writer.ledger) as connection:
            state = LogState(0, 0, b"", stat, is_proven=False)
            cron_runs.write_runs(connection, installation_id, path, state, new)
    memory.rows.update(item.row for item in found.runs)
    memory.next_reading = clock.monotonic() + min((time.monotonic() - began) * _REST_PER_READING, _LONGEST_REST_SECONDS)
    if found.is_whole and not is_racy(stat, clock.now_ms()):
        memory.proven[path] = stat
        return CronOutcome(len(new))
    return CronOutcome(len(new), retry_after=RACY_SECONDS, is_unfinished=not found.is_whole)


def unmatched(known_at: Callable[[str, int | None], list[str]], runs: Iterable[CronRun]) -> Iterator[CronRun]:
    """The runs that are not known. `known_at`: of a job, the runs that ended at a moment, as the ledger has them.

    One that says no moment is told from others by its text alone.
    """
    left: dict[tuple[str, int | None], list[str | None]] = {}
    for run in runs:
        moment = (run.job_id, run.at)
        if moment not in left:
            texts = known_at(*moment)
            left[moment] = [run_id_of(text) for text in texts] if run.at is not None else [*texts]
        mine, known = run_id_of(run.raw_json) if run.at is not None else run.raw_json, left[moment]
        same = [place for place, other in enumerate(known) if mine is None or other is None or mine == other]
        if same:
            known.pop(next((place for place in same if known[place] == mine), same[0]))
        else:
            yield run
