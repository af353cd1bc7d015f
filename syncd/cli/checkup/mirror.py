"""The mirror itself: where the ledger lies, room for it, whether it is sound to the eye, fresh, and followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.cli.checkup.finding import Finding, Severity, well
from syncd.cli.look import held_by
from syncd.cli.readable import local_time
from syncd.daemon.health import LOW_DISK_BYTES
from syncd.errors import ConfigError
from syncd.sources.opening import BUSY_CODE
from syncd.sources.store_scan import NEWER_CODE

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from syncd.cli.app import App
    from syncd.cli.look import Look
    from syncd.ledger.surroundings import Surroundings
    from syncd.service import ServiceState

_LEDGER_SHARE = 0.7
"""Of OpenClaw's bytes, which a new ledger needs at most, its log included."""
_WARNINGS = frozenset({"behind", "disk_low", "job_failed", "no_events", "prometheus", "wal_large", "watch_limit"})
"""Codes of degraded reasons with which every line still arrives."""
_NOTES: dict[str, tuple[Severity, str]] = {
    "restart_needed": ("warning", "what the upgrade mends is not mended in what runs"),
    "command_older": ("note", "this one may not understand all that the newer one writes"),
}


def check_place(app: App) -> Iterator[Finding]:
    """What `run` refuses, before it does."""
    from syncd.cli.catching_up import refuse_ledger_inside, refuse_log_inside

    for refuse in (refuse_ledger_inside, refuse_log_inside):
        try:
            refuse(app)
        except ConfigError as error:
            why = "`syncd run` refuses to start"
            yield Finding("ledger_place", "error", error.title, why, error.hint, path=str(app.ledger_path))


def check_space(around: Surroundings, source_bytes: int, ledger_path: str) -> Iterator[Finding]:
    """`source_bytes`: of OpenClaw's transcripts."""
    free, held = around.disk_free_bytes, around.ledger_bytes
    if free is None:
        return
    needed = LOW_DISK_BYTES + (round(source_bytes * _LEDGER_SHARE) if not held else 0)
    if free < needed:
        yield Finding(
            "disk_low", "error", f"{free >> 20} MiB are left on the disk of {ledger_path}; {needed >> 20} are needed",
            "a full disk stops the mirror, though nothing is lost while OpenClaw keeps its files",
            "free some, or put the ledger on another disk with `ledger.path` in config.yaml", path=ledger_path,
        )  # fmt: skip
    elif free < held:
        yield Finding(
            "disk_small", "warning", f"{free >> 20} MiB are left on the disk of {ledger_path}, which has {held >> 20}",
            "a backup, and putting a damaged ledger right, need room for a second one",
            "free some, or switch backups off with jobs.backup: false", path=ledger_path,
        )  # fmt: skip
    else:
        yield well("disk", f"{free >> 20} MiB left on the ledger's disk")


def check_freshness(
    seen: Look, ledger_path: str, service: ServiceState, told: Container[str] = ()
) -> Iterator[Finding]:
    """`told`: paths of which it was said already that they cannot be read."""
    if not seen.has_ledger and seen.pid is None:
        why = "nothing has been mirrored"
        yield Finding(
            "no_ledger", "warning", f"no ledger at {ledger_path} yet", why, "`syncd run --once`, then look again"
        )
        return
    severity: Severity
    for alarm in seen.alarms:
        if alarm["code"] in ("disk_low", NEWER_CODE):
            continue  # said by those who know more of it
        if alarm["code"] == "unreadable" and alarm.get("path") in seen.wanted and alarm.get("path") not in seen.found:
            continue  # likewise: there is no OpenClaw
        where = f"{alarm['path']}: " if alarm.get("path") else ""
        severity = "warning" if alarm["code"] in _WARNINGS else "error"
        yield Finding(
            alarm["code"], severity, f"{where}{alarm['reason']}", "the running syncd is degraded by it",
            alarm["hint"], path=alarm.get("path", ""),
        )  # fmt: skip
    if seen.pid is None:  # else it is among the alarms
        for problem in seen.fresh.problems:
            if problem.path not in told and problem.code != BUSY_CODE:
                what, why = (
                    f"{problem.path} {problem.reason}",
                    "the ledger had something of it, and can take in no more",
                )
                yield Finding("unreadable", "error", what, why, problem.hint, path=problem.path)
    for note in seen.notes:
        severity, why = _NOTES[note["code"]]
        yield Finding(note["code"], severity, note["reason"], why, note["hint"])
    yield from _running(seen, service)


def _running(seen: Look, service: ServiceState) -> Iterator[Finding]:
    behind = seen.document["behind_bytes"]
    if seen.pid is None:
        late = ", and the ledger is level"
        if behind:
            late = f"; {behind} bytes of OpenClaw's are not in the ledger"
        elif seen.fresh.problems:
            late = "; not everything could be looked at, so whether the ledger is level is not known"
        why = "OpenClaw deletes old sessions: what is not mirrored by then is lost"
        what, remedy = "syncd does not run", "`syncd service start`, or `syncd run` here"
        if service.active:
            what = f"{service.name} does not write this ledger"
            remedy = "`syncd service status` says how it stands; `syncd service install` lets it mean the same files"
        elif service.foreign is not None:
            remedy = f"as {service.name} is not syncd's own, start it as its owner does, or `syncd run` here"
        elif not service.installed:
            remedy = "`syncd service install`, or `syncd run` here"
        yield Finding("not_running", "warning", f"{what}{late}", why, remedy)
    elif not seen.found:
        yield well("fresh", f"syncd runs, pid {seen.pid}, and waits for OpenClaw")
    elif not behind and seen.fresh.problems:
        yield well("fresh", f"syncd runs, pid {seen.pid}; not everything could be looked at just now")
    elif not behind:
        written = [agent["last_write_at"] for agent in seen.document["agents"] if agent["last_write_at"] is not None]
        last = f"; OpenClaw last wrote {local_time(max(written), seconds=True)}" if written else ""
        yield well("fresh", f"syncd runs, pid {seen.pid}, level with the files{last}")
    else:
        yield well("fresh", f"syncd runs, pid {seen.pid}, {behind} bytes behind at this moment")


def check_locks(seen: Look) -> Iterator[Finding]:
    """Who holds what of OpenClaw's, since when, and what was left behind."""
    for lock in seen.fresh.locks:
        if lock.stale:
            yield Finding(
                "stale_lock", "note", f"{lock.path} ({held_by(lock)}) is stale: {lock.reason}",
                "syncd passes it over, and never removes one; OpenClaw may wait for it",
                "OpenClaw removes it at the next write; `openclaw doctor` at once", path=lock.path,
            )  # fmt: skip
        else:
            yield well("lock", f"{lock.path} is held by {held_by(lock)}: {lock.reason}", path=lock.path)
