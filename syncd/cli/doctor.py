"""`syncd doctor`: looks at everything the mirror needs and says what is wrong, why it matters and what to do.

Judges nothing by itself: each thing has its file in `checkup`. With --fix the safe remedies are done, on syncd's own
files only: whatever lies in OpenClaw's house, or is reached through it, is refused here once more.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.checkup.finding import Finding
from syncd.cli.output import MISCONFIGURED, UNHEALTHY, AsItIs, Report, closing, counted, line_of, reports
from syncd.errors import SyncdError
from syncd.paths import is_within

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from syncd.cli.checkup.agents_seen import AgentSeen
    from syncd.service import ServiceState

_MARKS = {"ok": ("ok", "green"), "note": ("note", "cyan"), "warning": ("warning", "yellow"), "error": ("error", "red")}
_INDENT = " " * 9
_AGENTS_SHOWN = 20


@dataclass(slots=True)
class Checkup:
    findings: list[Finding] = field(default_factory=list)
    agents: list[AgentSeen] = field(default_factory=list)
    state_dirs: tuple[str, ...] = ()

    def count(self, severity: str) -> int:
        return sum(finding.severity == severity for finding in self.findings)


@click.command(
    epilog=closing(
        "syncd doctor",
        "syncd doctor --fix",
        "syncd --profile work doctor",
        "syncd doctor --json | jq -r '.findings[] | select(.severity == \"error\").remedy'",
        exits={0: "nothing is in the mirror's way", 4: "something is; it is named", 78: "the configuration has faults"},
    )
)
@click.option("--fix", is_flag=True, help="Do what is safe: modes, directories and leftovers of syncd's own. Lists it.")
@reports
def doctor(app: App, *, fix: bool) -> Report:
    """Find what is in the mirror's way, and say what to do about it.

    Looks at the configuration, OpenClaw and its agents, permissions, syncd's own files, disk, SQLite, the kernel's
    watch limits, the service and freshness. Each finding says what is so, why it matters and what to do. Nothing of
    OpenClaw's is ever changed.
    """
    checkup = examine(app)
    fixed, failed = apply_fixes(checkup) if fix else ([], [])
    if fixed or failed:
        checkup = examine(app)
    errors = checkup.count("error")
    is_misconfigured = any(each.code == "config" and each.severity == "error" for each in checkup.findings)
    document: dict[str, Any] = {
        "ok": not errors,
        "findings": [finding.document() for finding in checkup.findings],
        "agents": [asdict(agent) for agent in checkup.agents],
        "state_dirs": checkup.state_dirs,
        "fixed": fixed,
        "not_fixed": failed,
    }
    code = MISCONFIGURED if is_misconfigured else UNHEALTHY if errors else 0
    return Report(document, _text(checkup, fixed, failed), code)


def examine(app: App) -> Checkup:
    from syncd.cli.checkup.configuration import check_configuration
    from syncd.cli.checkup.machine import check_programs, check_user
    from syncd.ledger.info import sqlite_version

    found = Checkup()
    found.findings += [*check_programs(sqlite_version()), *check_user(app.environ), *check_configuration(app)]
    if not found.count("error"):
        _examine_mirror(app, found)
    return found


def _examine_mirror(app: App, found: Checkup) -> None:
    from syncd.cli.catching_up import state_dirs
    from syncd.cli.checkup.machine import check_watching
    from syncd.cli.checkup.openclaw_house import look_at_house
    from syncd.cli.checkup.own_files import check_own_files, check_socket
    from syncd.cli.checkup.service import check_service
    from syncd.cli.service import judged
    from syncd.ledger.lock import writer_pid
    from syncd.service.systemd_state import system_unit_of

    openclaw, watch_mode = app.settings.openclaw, app.settings.watch.mode
    found.state_dirs = state_dirs(app)
    house = look_at_house(found.state_dirs, openclaw.agents, app.environ, watch_mode)
    found.agents = house.agents
    pid = writer_pid(app.ledger_path)
    service, troubles = judged(app)
    found.findings += house.findings
    found.findings += check_watching(house.directories, watch_mode)
    found.findings += check_own_files(app)
    found.findings += _of_the_ledger(app, house.bytes, service, {finding.path for finding in house.findings})
    found.findings += check_socket(app.ledger_path, pid)
    found.findings += check_service(service, troubles, pid, system_unit_of(pid))


def _of_the_ledger(app: App, source_bytes: int, service: ServiceState, told: Container[str]) -> Iterator[Finding]:
    from syncd.cli.checkup.mirror import check_freshness, check_locks, check_place, check_space
    from syncd.cli.look import look
    from syncd.ledger.surroundings import surroundings

    yield from check_place(app)
    yield from check_space(surroundings(app.ledger_path), source_bytes, str(app.ledger_path))
    try:
        seen = look(app)
    except (SyncdError, OSError) as error:
        what, remedy = (str(error), error.hint) if isinstance(error, SyncdError) else (str(error), "see what is named")
        why = "it can be neither read nor written as it is"
        yield Finding("ledger", "error", what, why, remedy, path=str(app.ledger_path))
        return
    yield from check_freshness(seen, str(app.ledger_path), service, told)
    yield from check_locks(seen)


def apply_fixes(checkup: Checkup) -> tuple[list[str], list[str]]:
    """What was done, and what could not be."""
    done, failed = [], []
    for finding in checkup.findings:
        if (fix := finding.fix) is None:
            continue
        if any(is_within(os.path.realpath(fix.path), state_dir) for state_dir in checkup.state_dirs):
            failed.append(f"{fix.path}: lies in OpenClaw's state directory, which is left alone")
            continue
        try:
            fix.act()
            done.append(fix.does)
        except OSError as error:
            failed.append(f"{fix.path}: {error.strerror or error}")
    return done, failed


def _text(checkup: Checkup, fixed: list[str], failed: list[str]) -> Iterator[str]:
    for words in fixed:
        yield f"{'fixed':<9}{words}"
    for words in failed:
        yield f"{'unfixed':<9}{words}"
    for finding in checkup.findings:
        word, color = _MARKS[finding.severity]
        yield AsItIs(click.style(f"{word:<9}", fg=color) + line_of(finding.what))
        if finding.why:
            yield f"{_INDENT}why: {finding.why}"
        if finding.remedy:
            yield f"{_INDENT}do:  {finding.remedy}"
        if finding.code == "openclaw":
            yield from _agent_lines(checkup.agents, finding.path)
    yield _sum(checkup)


def _agent_lines(agents: list[AgentSeen], state_dir: str) -> Iterator[str]:
    own = [agent for agent in agents if agent.state_dir == state_dir]
    for agent in own[:_AGENTS_SHOWN]:
        era = {"jsonl": "files", "sqlite": "OpenClaw's SQLite", None: "nothing written yet"}[agent.era]
        counts = f"{counted(agent.sessions, 'session')}, {counted(agent.transcripts, 'transcript')}"
        if agent.unread is not None:
            era = f"not known, since {agent.unread} cannot be read"
            counts = f"{counted(agent.transcripts, 'transcript')} beside it"
        release = f", release {agent.release}" if agent.release else ""
        yield f"{_INDENT}{agent.agent_id}: {era}{release}; {counts}, {agent.bytes} bytes"
    if len(own) > _AGENTS_SHOWN:
        yield f"{_INDENT}and {len(own) - _AGENTS_SHOWN} more"


def _sum(checkup: Checkup) -> str:
    errors, warnings = checkup.count("error"), checkup.count("warning")
    fixable = sum(finding.fix is not None for finding in checkup.findings)
    if not errors and not warnings:
        words = "nothing is in the mirror's way"
    else:
        words = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    return words + (f"; `syncd doctor --fix` puts {fixable} of these right" if fixable else "")
