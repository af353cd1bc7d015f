"""How `status` shows the scheduled jobs: when each last ran, how that went, when it runs next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncd.jobs.runs import latest_runs
from syncd.jobs.table import JOBS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.daemon.beat import Beat
    from syncd.ledger.database import Ledger

_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def job_documents(ledger: Ledger | None, beat: Beat | None, *, is_held: bool) -> list[dict[str, Any]]:
    """`next_run_at` is null where no daemon runs, or the job is switched off. `is_held`: somebody has the ledger."""
    last = latest_runs(ledger) if ledger is not None else {}
    coming = beat.next_runs if beat is not None else {}
    return [
        {
            "name": name,
            "last_started_at": last[name].started_at if name in last else None,
            "last_ok": last[name].ok if name in last else None,
            "next_run_at": coming.get(name),
            "running": is_held and name in last and last[name].finished_at is None,
        }
        for name in JOBS
    ]


def job_lines(documents: list[dict[str, Any]], now_ms: int) -> Iterator[str]:
    for item in documents:
        started, coming = item["last_started_at"], item["next_run_at"]
        how = {True: "ok", False: "failed", None: "running" if item["running"] else "stopped"}[item["last_ok"]]
        past = f"{how}, began {_span(now_ms - started)} ago" if started is not None else "never ran yet"
        future = f"; next in {_span(coming - now_ms)}" if coming is not None else ""
        yield f"job         {item['name']}: {past}{future}"


def _span(ms: int) -> str:
    """In its largest unit: more than that nobody needs to know."""
    seconds = max(0, ms // 1000)
    size, name = next((unit for unit in _UNITS if seconds >= unit[0]), _UNITS[-1])
    return f"{seconds // size} {name}"
