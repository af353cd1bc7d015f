"""The rows of `job_runs`: one for each run, begun when it starts. Knows nothing of jobs, only their names.

A row without an end is of a run under way, or of one that a crash cut short.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from syncd.ledger.database import Ledger

KEPT = 1000
"""Rows of one job: ten days of the most frequent one, years of the others."""
REASON = "reason"
"""In a summary: why it ended as it did."""
CUT_SHORT = "cut short: syncd ended before it did"

# By the order of the rows: their times are those of a clock that may have been set since.
_LATEST = """SELECT id, job, started_at, finished_at, ok, summary_json FROM job_runs
    WHERE id IN (SELECT max(id) FROM job_runs GROUP BY job)"""
_END = "UPDATE job_runs SET finished_at = ?, ok = ?, summary_json = ? WHERE id = ? AND job = ? AND finished_at IS NULL"
_FORGET = """DELETE FROM job_runs WHERE job = ?1 AND id <= (
    SELECT id FROM job_runs WHERE job = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)"""


class Run(NamedTuple):
    """A row. `ok` None: it has not ended, or was stopped before its end."""

    id: int
    job: str
    started_at: int
    finished_at: int | None = None
    ok: bool | None = None
    summary: Mapping[str, object] = {}


def latest_runs(ledger: Ledger) -> dict[str, Run]:
    """The last run of each job, by its name."""
    return {run.job: run for run in map(_run_of, ledger.execute(_LATEST))}


def open_runs(ledger: Ledger) -> list[Run]:
    """Those without an end."""
    query = "SELECT id, job, started_at, finished_at, ok, summary_json FROM job_runs WHERE finished_at IS NULL"
    return list(map(_run_of, ledger.execute(query)))


def was_cut_short_before(ledger: Ledger, run: Run) -> bool:
    """Was the run of this job before that one cut short, too?"""
    query = "SELECT summary_json FROM job_runs WHERE job = ? AND id < ? ORDER BY id DESC LIMIT 1"
    row = ledger.row(query, (run.job, run.id))
    return row is not None and _object_of(row[0]).get(REASON) == CUT_SHORT


def times_of_runs(ledger: Ledger) -> list[int]:
    """When runs began, in the order in which they did, whatever the clock said; of the latest ones."""
    query = "SELECT started_at FROM job_runs ORDER BY id DESC LIMIT ?"
    return [row[0] for row in ledger.execute(query, (KEPT,))][::-1]


def begin_run(ledger: Ledger, job: str, now_ms: int) -> Run:
    with _writing(ledger) as connection:
        connection.execute(_FORGET, (job, KEPT))
        connection.execute("INSERT INTO job_runs (job, started_at) VALUES (?, ?)", (job, now_ms))
        return Run(connection.last_insert_rowid(), job, now_ms)


def note_run(ledger: Ledger, run: Run) -> None:
    """What it has done so far, for whoever goes on after a crash."""
    text = json.dumps(run.summary)
    with _writing(ledger) as connection:
        connection.execute("UPDATE job_runs SET summary_json = ? WHERE id = ? AND job = ?", (text, run.id, run.job))


def end_run(ledger: Ledger, run: Run, now_ms: int, *, ok: bool | None) -> None:
    """With its summary. A ledger that was put back meanwhile may not know the run: then it gets its row now."""
    text = json.dumps(run.summary)
    with _writing(ledger) as connection:
        connection.execute(_END, (now_ms, ok, text, run.id, run.job))
        if connection.changes() == 0:
            row = (run.job, run.started_at, now_ms, ok, text)
            query = "INSERT INTO job_runs (job, started_at, finished_at, ok, summary_json) VALUES (?, ?, ?, ?, ?)"
            connection.execute(query, row)


def _writing(ledger: Ledger) -> AbstractContextManager[Any]:
    from syncd.ledger.transaction import writing  # not for `status`, which only reads and is quick

    return writing(ledger)


def _run_of(row: tuple[Any, ...]) -> Run:
    run_id, job, started_at, finished_at, ok, text = row
    return Run(run_id, job, started_at, finished_at, None if ok is None else bool(ok), _object_of(text))


def _object_of(text: str) -> dict[str, object]:
    """Others may write to the ledger too: what makes no sense is no summary."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
