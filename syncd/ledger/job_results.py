"""How the scheduled jobs last ended, read from `job_runs`. Not when they run next: that is not the ledger's to know."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

# The newest run of each job, by the index on (job, started_at).
_NEWEST = """WITH RECURSIVE names(job) AS (SELECT min(job) FROM job_runs
    UNION ALL SELECT (SELECT min(job) FROM job_runs WHERE job > names.job) FROM names WHERE names.job IS NOT NULL)
    SELECT job, (SELECT id FROM job_runs WHERE job = names.job AND {} ORDER BY id DESC LIMIT 1)
    FROM names WHERE job IS NOT NULL"""
_RUN = "SELECT job, started_at, finished_at, ok, summary_json FROM job_runs WHERE id = ?"


class JobRun(NamedTuple):
    """One that has come to an end. `reason`: why it failed, in the job's own words."""

    job: str
    started_at: int
    finished_at: int | None
    ok: bool
    reason: str


def last_ended_runs(ledger: Ledger) -> tuple[JobRun, ...]:
    """The newest run of each job that has come to an end."""
    ids = [run for _, run in ledger.execute(_NEWEST.format("ok IS NOT NULL")) if run is not None]
    rows = [row for run in ids if (row := ledger.row(_RUN, (run,))) is not None]
    return tuple(
        JobRun(job, started_at, finished_at, bool(ok), _reason(summary))
        for job, started_at, finished_at, ok, summary in rows
    )


def _reason(summary: str) -> str:
    try:
        said: Any = json.loads(summary)
    except ValueError:
        return ""
    return str(said.get("reason") or "") if isinstance(said, dict) else ""
