"""`syncd status`: one screen, quick, whether the daemon is up, down or stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.job_lines import job_lines
from syncd.cli.look import held_by, look
from syncd.cli.output import NOT_RUNNING, UNHEALTHY, Report, closing, reports
from syncd.cli.readable import local_time
from syncd.clock import SystemClock

if TYPE_CHECKING:
    from syncd.daemon.beat import Beat
    from syncd.mirror.freshness import Freshness


@click.command(
    epilog=closing(
        "syncd status",
        "syncd status --json | jq '.behind_bytes, .degraded'",
        "syncd status > /dev/null || syncd doctor",
        exits={0: "running and well", 3: "stopped", 4: "running, but degraded; what and why is named"},
    )
)
@reports
def status(app: App) -> Report:
    """State, freshness and counts on one screen, whether syncd runs or not.

    Freshness is told by OpenClaw's files against the ledger, never by what the daemon believes of itself. What is
    degraded comes with a code (`syncd health --codes`) and what to do about it. A note, as that the running syncd is
    older than what is installed, changes no exit code.
    """
    seen = look(app)
    lines = _text(app, seen.document, seen.fresh, seen.beat)
    if not seen.has_ledger:
        is_running = seen.pid is not None
        lines[1] = f"freshness   {'not known: the ledger is not there' if is_running else 'nothing is mirrored yet'}"
        lines[2] = f"ledger      {app.ledger_path}, {'not there now' if is_running else 'not made yet'}"
    if not seen.is_read:
        lines[3] = "holds       not known"
    if not seen.found:
        what = "what the ledger holds stays" if seen.document["transcripts"] else "nothing to mirror yet"
        lines[1] = f"freshness   no OpenClaw state directory at {', '.join(seen.wanted)}: {what}; try `syncd doctor`"
    code = NOT_RUNNING if seen.pid is None else UNHEALTHY if seen.alarms else 0
    return Report(seen.document, lines, code)


def _text(app: App, document: dict[str, Any], fresh: Freshness, beat: Beat | None) -> list[str]:
    is_running = document["state"] == "running"
    who = f"running, pid {document['pid'] or 'unknown'}" if is_running else "stopped (start it with `syncd run`)"
    sizes = f"{document['ledger_bytes']} bytes, WAL {document['wal_bytes']} bytes{_left(document)}"
    lines = [
        f"syncd       {who}",
        f"freshness   {_freshness(document, fresh)}",
        f"ledger      {app.ledger_path}, {sizes}",
        f"holds       {_counts(document)}",
    ]
    if beat is not None:
        speed = (
            f"p50 {beat.latency_p50_ms} ms, p99 {beat.latency_p99_ms} ms" if beat.latency_p50_ms is not None else "-"
        )
        seen = f"{beat.missed_events} missed events, {beat.rescans} rescans"
        lines.append(f"watching    by {beat.watch_mode}; {seen}; append to commit {speed}")
        lines.append(f"taken in    {beat.taken_lines} lines, {beat.taken_bytes} bytes since it follows")
    lines += [
        f"behind      {item.agent_id}: {item.behind_bytes} bytes" for item in fresh.agents.values() if item.behind_bytes
    ]
    lines += [
        f"lock        {item.path}, {held_by(item)}, {'stale: ' if item.stale else ''}{item.reason}"
        for item in fresh.locks
    ]
    lines += job_lines(document["jobs"], SystemClock().now_ms())
    lines += [
        f"in use by   {item['program'] or 'a program'}, pid {item['pid']}: {item['does']}"
        for item in document["ledger_holders"]
    ]
    lines += [f"degraded    {_degraded_line(item)}" for item in document["degraded"]]
    lines += [f"note        {_degraded_line(item)}" for item in document["notes"]]
    return lines


def _freshness(document: dict[str, Any], fresh: Freshness) -> str:
    if fresh.problems:
        first = fresh.problems[0]
        more = f" (and {len(fresh.problems) - 1} more)" if len(fresh.problems) > 1 else ""
        return f"not known: {first.path} {first.reason}{more}; {first.hint}"
    if document["behind_bytes"]:
        return f"{document['behind_bytes']} bytes behind, the oldest for {document['behind_seconds']:.1f} s"
    written = [agent["last_write_at"] for agent in document["agents"] if agent["last_write_at"] is not None]
    if not written:
        return "level with the files"
    is_moving = any(agent["state"] == "moving" for agent in document["agents"])
    manner = "move" if is_moving else f"are silent since {local_time(max(written), seconds=True)}"
    return f"level with the files, which {manner}"


def _left(document: dict[str, Any]) -> str:
    free = document["disk_free_bytes"]
    return f", {free >> 20} MiB left on its disk" if free is not None else ""


def _degraded_line(item: dict[str, str]) -> str:
    where = f"{item['path']}: " if item.get("path") else ""
    return f"{item['code']}: {where}{item['reason']}; {item['hint']}"


def _counts(document: dict[str, Any]) -> str:
    names = ("transcripts", "sessions", "entries")
    counts = ", ".join(f"{document[name]} {name}" for name in names)
    return f"{counts}, {document['rewrites']} rewrites, {document['quarantined']} lines in quarantine"
