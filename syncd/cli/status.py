"""`syncd status`: one screen, quick, whether the daemon is up, down or stuck."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.output import Report, reports
from syncd.clock import SystemClock
from syncd.daemon.beat import Beat, boot_seconds, read_beat
from syncd.ledger.database import open_for_reading
from syncd.ledger.figures import LedgerFigures, ledger_figures
from syncd.ledger.lock import lock_path, writer_pid
from syncd.mirror.freshness import Freshness, freshness
from syncd.sources.state_dirs import find_state_dirs

if TYPE_CHECKING:
    from collections.abc import Iterator

STOPPED, DEGRADED = 3, 4
# A daemon that is well beats every ten seconds and is never minutes behind.
STALLED_SECONDS = 60.0


@click.command()
@reports
def status(app: App) -> Report:
    """State, freshness and counts on one screen.

    Exit 0: running and well. Exit 3: stopped. Exit 4: running, but degraded; what and why is named.
    """
    clock = SystemClock()
    wanted = find_state_dirs(app.settings.openclaw.state_dirs, app.environ, app.profile)
    found = [path for path in wanted if os.path.isdir(path)]
    pid = writer_pid(app.ledger_path)
    beat = read_beat(app.ledger_path)
    if beat is not None and beat.pid != pid:
        beat = None  # of a daemon that has ended
    if not app.ledger_path.exists():
        figures, fresh = LedgerFigures(0, 0, 0, 0, 0, 0), Freshness()
    else:
        with open_for_reading(app.ledger_path) as ledger:
            figures = ledger_figures(ledger)
            fresh = freshness(ledger, found, app.settings.openclaw.agents, app.environ, clock.now_ms())
    degraded = list(_degraded(app, pid, beat, fresh))
    document = _document(pid, beat, figures, fresh, degraded)
    code = STOPPED if pid is None else DEGRADED if degraded else 0
    return Report(document, _text(app, document, fresh, beat), code)


def _silent_seconds(app: App, beat: Beat | None) -> float:
    """How long ago the daemon last did anything: a pass, or, while it catches up at the start, a commit."""
    if beat is not None:
        return boot_seconds() - beat.boot_seconds
    wal = app.ledger_path.with_name(app.ledger_path.name + "-wal")
    written = [path.stat().st_mtime for path in (app.ledger_path, wal, lock_path(app.ledger_path)) if path.exists()]
    return time.time() - max(written, default=0.0)


def _degraded(app: App, pid: int | None, beat: Beat | None, fresh: Freshness) -> Iterator[dict[str, str]]:
    if pid is None:
        return
    if fresh.behind_bytes > 0 and _silent_seconds(app, beat) > STALLED_SECONDS:
        yield {
            "code": "stalled",
            "reason": "work waits and no pass was completed for a minute",
            "hint": "restart syncd",
        }
    elif fresh.behind_seconds > STALLED_SECONDS and beat is not None and not beat.problems:
        reason = f"{fresh.behind_bytes} bytes wait, the oldest for {fresh.behind_seconds:.0f} s"
        yield {"code": "behind", "reason": reason, "hint": "look again in a minute; restart syncd if it stays so"}
    if beat is None:
        return
    if beat.watch_reason:
        hint = "raise fs.inotify.max_user_watches and max_user_instances with sysctl"
        yield {"code": "watch_limit", "reason": beat.watch_reason, "hint": hint}
    for item in beat.degraded:
        yield {**item, "hint": "the last good state is kept; look at the file named"}
    for item in beat.problems:
        yield {"code": "unreadable", "hint": "look at the file named", **item}


def _document(
    pid: int | None, beat: Beat | None, figures: LedgerFigures, fresh: Freshness, degraded: list[dict[str, str]]
) -> dict[str, Any]:
    return {
        "state": "stopped" if pid is None else "running",
        "pid": pid,
        "behind_bytes": fresh.behind_bytes,
        "behind_seconds": fresh.behind_seconds,
        "transcripts": figures.transcripts,
        "sessions": figures.sessions,
        "entries": figures.entries,
        "quarantined": figures.quarantined,
        "ledger_bytes": figures.ledger_bytes,
        "wal_bytes": figures.wal_bytes,
        "jobs": [],
        "locks": fresh.locks,
        "degraded": degraded,
        "agents": list(fresh.agents.values()),
        "daemon": beat,
    }


def _text(app: App, document: dict[str, Any], fresh: Freshness, beat: Beat | None) -> list[str]:
    is_running = document["state"] == "running"
    who = f"running, pid {document['pid'] or 'unknown'}" if is_running else "stopped (start it with `syncd run`)"
    behind = document["behind_bytes"]
    lag = (
        f"{behind} bytes behind, the oldest for {document['behind_seconds']:.1f} s"
        if behind
        else "level with the files"
    )
    lines = [
        f"syncd       {who}",
        f"freshness   {lag}",
        f"ledger      {app.ledger_path}, {document['ledger_bytes']} bytes, WAL {document['wal_bytes']} bytes",
        f"holds       {_counts(document)}",
    ]
    if beat is not None:
        speed = (
            f"p50 {beat.latency_p50_ms} ms, p99 {beat.latency_p99_ms} ms" if beat.latency_p50_ms is not None else "-"
        )
        lines.append(f"watching    by {beat.watch_mode}; {beat.missed_events} missed events; append to commit {speed}")
    lines += [
        f"behind      {item.agent_id}: {item.behind_bytes} bytes" for item in fresh.agents.values() if item.behind_bytes
    ]
    lines += [
        f"lock        {item.path}, pid {item.pid}, {'stale: ' if item.stale else ''}{item.reason}"
        for item in fresh.locks
    ]
    lines += [f"degraded    {_degraded_line(item)}" for item in document["degraded"]]
    return lines


def _degraded_line(item: dict[str, str]) -> str:
    where = f"{item['path']}: " if item.get("path") else ""
    return f"{item['code']}: {where}{item['reason']}; {item['hint']}"


def _counts(document: dict[str, Any]) -> str:
    names = ("transcripts", "sessions", "entries")
    return ", ".join(f"{document[name]} {name}" for name in names) + f", {document['quarantined']} lines in quarantine"
