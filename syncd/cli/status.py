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
from syncd.daemon.health import Alarm, alarms_of, unreadable, vitals
from syncd.ledger.database import open_for_reading
from syncd.ledger.figures import LedgerFigures, ledger_figures
from syncd.ledger.lock import lock_path, writer_pid
from syncd.mirror.freshness import Freshness, freshness
from syncd.sources.scan import state_dir_problem
from syncd.sources.state_dirs import find_state_dirs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STOPPED, DEGRADED = 3, 4


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
    has_ledger = app.ledger_path.exists()
    if not has_ledger:
        figures, fresh = LedgerFigures(0, 0, 0, 0, 0, 0, 0), Freshness()
    else:
        left_at = round(_last_write(app) * 1000) if pid is None else None  # before a look leaves its traces
        with open_for_reading(app.ledger_path) as ledger:
            figures = ledger_figures(ledger)
            fresh = freshness(ledger, found, app.settings.openclaw.agents, app.environ, clock.now_ms(), left_at)
    if beat is not None:
        fresh.waits_at_least(beat.behind)
    alarms = [*alarms_of(beat, fresh, _silent_seconds(app, beat)), *_absent(wanted, beat)] if pid is not None else []
    document = {
        "state": "stopped" if pid is None else "running",
        "pid": pid,
        **vitals(figures, fresh, alarms),
        "jobs": [],
        "locks": fresh.locks,
        "daemon": beat,
    }
    code = STOPPED if pid is None else DEGRADED if alarms else 0
    lines = _text(app, document, fresh, beat)
    if not found:
        what = "what the ledger holds stays" if figures.transcripts else "nothing to mirror yet"
        lines[1] = f"freshness   no OpenClaw state directory at {', '.join(wanted)}: {what}"
    if not has_ledger:
        lines[2] = f"ledger      {app.ledger_path}, not made yet"
    return Report(document, lines, code)


def _absent(wanted: Iterable[str], beat: Beat | None) -> Iterator[Alarm]:
    """State dirs that are gone since the daemon's last beat, which names the others."""
    named = {item["path"] for item in beat.problems} if beat is not None else set()
    for path in wanted:
        if path not in named and (problem := state_dir_problem(path)) is not None:
            yield unreadable(problem.path, problem.reason, problem.hint)


def _silent_seconds(app: App, beat: Beat | None) -> float:
    """Since the daemon last did anything: a completed pass, or a commit, as of a long backlog or the first catch-up."""
    since_write = max(0.0, time.time() - _last_write(app))
    return since_write if beat is None else min(since_write, boot_seconds() - beat.boot_seconds)


def _last_write(app: App) -> float:
    wal = app.ledger_path.with_name(app.ledger_path.name + "-wal")
    files = [path.stat() for path in (app.ledger_path, wal, lock_path(app.ledger_path)) if path.exists()]
    return max((file.st_mtime for file in files if file.st_size), default=0.0)  # a reader leaves an empty WAL


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
        seen = f"{beat.missed_events} missed events, {beat.rescans} rescans"
        lines.append(f"watching    by {beat.watch_mode}; {seen}; append to commit {speed}")
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
    counts = ", ".join(f"{document[name]} {name}" for name in names)
    return f"{counts}, {document['rewrites']} rewrites, {document['quarantined']} lines in quarantine"
