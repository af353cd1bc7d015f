"""OpenClaw's house: whether it is there, who lives in it, of which era, and what of it cannot be read.

Only looks, and never has a fix: nothing in there is syncd's to change.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from syncd.cli.checkup.agents_seen import AgentSeen, agents_seen, listed
from syncd.cli.checkup.finding import Finding, well
from syncd.cli.checkup.openclaw_release import installed_release
from syncd.cli.checkup.rights import may
from syncd.cli.output import counted
from syncd.errors import SourceError
from syncd.ledger.surroundings import file_system, is_network
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.openclaw.state_dirs import STATE_DIR_NAME, agents_dir
from syncd.sources.index_places import index_places
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.opening import BUSY_CODE, why_unreadable
from syncd.sources.scan import state_dir_problem
from syncd.sources.store_paths import is_stored
from syncd.sources.store_scan import NEWER_CODE
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from syncd.openclaw.config_file import OpenClawConfig
    from syncd.sources.scan import Scan

_NAMED = 3
_RIGHTS = "run syncd as the user whose OpenClaw it is, or give this one the right to read"
_NO_NEW_LINES = "what is in there, and what is added to it, does not reach the ledger"


@dataclass(slots=True)
class House:
    """`directories`: those that are to be watched."""

    findings: list[Finding] = field(default_factory=list)
    agents: list[AgentSeen] = field(default_factory=list)
    directories: list[str] = field(default_factory=list)
    bytes: int = 0


def look_at_house(
    state_dirs: Iterable[str], globs: tuple[str, ...], environ: Mapping[str, str], watch_mode: str
) -> House:
    house = House()
    for state_dir in state_dirs:
        problem = state_dir_problem(state_dir)
        if problem is not None:
            house.findings.append(_missing(state_dir, problem.reason, environ))
            continue
        if not may(state_dir, os.R_OK | os.X_OK):
            what, remedy = f"{state_dir} may not be entered", f"{_RIGHTS} it"
            house.findings.append(Finding("unreadable", "error", what, _NO_NEW_LINES, remedy, path=state_dir))
            continue
        if (outer := _around(state_dir)) is not None:
            what, why = f"{state_dir} is a part of OpenClaw's state directory", "only the whole can be mirrored"
            remedy = f"name {outer} instead, in openclaw.state_dirs or OPENCLAW_STATE_DIR"
            house.findings.append(Finding("not_a_state_dir", "error", what, why, remedy, path=state_dir))
            continue
        _look_at(house, state_dir, globs, environ)
        house.findings += _far_away(state_dir, watch_mode)
    return house


def _far_away(state_dir: str, watch_mode: str) -> Iterator[Finding]:
    kind = file_system(Path(state_dir))
    if is_network(kind) and watch_mode != "poll":
        yield Finding(
            "openclaw_network", "note", f"{state_dir} lies on a network file system ({kind})",
            "the kernel tells of no change that another machine makes there; all is looked at instead",
            "watch.mode: poll in config.yaml, if OpenClaw runs on another machine", path=state_dir,
        )  # fmt: skip


def _look_at(house: House, state_dir: str, globs: tuple[str, ...], environ: Mapping[str, str]) -> None:
    read = read_openclaw_config(state_dir, environ)
    closed = why_unreadable(read.path) if read.problem is not None and read.path is not None else None
    if closed is not None:
        what = f"{closed.path} {closed.reason}"
        why = "OpenClaw's usual places are looked at: sessions that it keeps elsewhere are not seen"
        house.findings.append(Finding("unreadable", "error", what, why, closed.hint, path=closed.path))
    elif read.problem is not None:
        why = "OpenClaw's usual places are looked at: sessions that it keeps elsewhere are not seen"
        remedy = "`openclaw doctor` says what is wrong with it"
        house.findings.append(Finding("openclaw_config", "warning", read.problem, why, remedy, path=read.path or ""))
    scan = scan_state_dir(state_dir, globs, environ, {}, read.config)
    house.directories += [state_dir, *(item.path for item in scan.directories)]
    agents = agents_seen(state_dir, globs, scan, read.config, environ)
    house.agents += agents
    house.bytes += sum(agent.bytes for agent in agents)
    house.findings += _unreadable(scan)
    house.findings += _closed_indexes(state_dir, globs, scan, read.config, environ)
    for note in scan.notes:
        what, why = f"{note.path} {note.reason}", "what a newer release keeps in new ways does not reach the ledger"
        house.findings.append(Finding(NEWER_CODE, "warning", what, why, note.hint, path=note.path))
    if agents:
        transcripts = sum(agent.transcripts for agent in agents)
        sizes = f"{counted(len(agents), 'agent')}, {counted(transcripts, 'transcript')}"
        installed = installed_release(environ)
        release = f"; OpenClaw {installed} is installed" if installed else ""
        house.findings.append(well("openclaw", f"OpenClaw at {state_dir}: {sizes}{release}", path=state_dir))
    elif not scan.problems:
        house.findings.append(_nobody(state_dir, globs))


def _closed_indexes(
    state_dir: str, globs: tuple[str, ...], scan: Scan, config: OpenClawConfig, environ: Mapping[str, str]
) -> Iterator[Finding]:
    told = {problem.path for problem in scan.problems}
    with suppress(SourceError):  # agents that cannot be listed: the scan has said it
        for place in index_places(state_dir, config, globs, home_of(environ)):
            if place.is_store or os.path.dirname(place.path) in told:
                continue
            if (problem := why_unreadable(place.path)) is not None:
                what, why = f"{problem.path} {problem.reason}", "which session is whose does not reach the ledger"
                yield Finding("unreadable", "error", what, why, problem.hint, path=problem.path)


def _missing(state_dir: str, reason: str, environ: Mapping[str, str]) -> Finding:
    home = home_of(environ)
    prefix = f"{STATE_DIR_NAME}-"
    profiles = sorted(name.removeprefix(prefix) for name in listed(home) if name.startswith(prefix))
    remedy = "start OpenClaw once; or name its place with openclaw.state_dirs in config.yaml or OPENCLAW_STATE_DIR"
    if profiles:
        remedy += f"; for a profile of OpenClaw's: `syncd --profile {profiles[0]} doctor`"
    why = "there is nothing to mirror; `syncd run` waits for it"
    return Finding("openclaw_missing", "error", f"no OpenClaw at {state_dir}: {reason}", why, remedy, path=state_dir)


def _nobody(state_dir: str, globs: tuple[str, ...]) -> Finding:
    why = "there is nothing to mirror in it"
    others = sorted(listed(agents_dir(state_dir)))
    if others:
        what = f"openclaw.agents ({', '.join(globs)}) matches none of the agents in {state_dir}: {', '.join(others)}"
        return Finding("no_agent", "error", what, why, "correct openclaw.agents in config.yaml", path=state_dir)
    remedy = (
        "talk to an agent once; or correct openclaw.state_dirs in config.yaml, if OpenClaw's sessions are elsewhere"
    )
    return Finding("openclaw_empty", "warning", f"{state_dir} holds no agents", why, remedy, path=state_dir)


def _around(path: str) -> str | None:
    """The state dir, where this is its `agents`, an agent's directory or its `sessions`, as people name them."""
    if os.path.isdir(agents_dir(path)):
        return None
    name, parent = os.path.basename(path), os.path.dirname(path)
    if name == "sessions" and os.path.basename(os.path.dirname(parent)) == "agents":
        return os.path.dirname(os.path.dirname(parent))
    if os.path.basename(parent) == "agents" and os.path.isdir(os.path.join(path, "sessions")):
        return os.path.dirname(parent)
    if name == "agents" and any(os.path.isdir(os.path.join(path, each, "sessions")) for each in listed(path)):
        return parent
    return None


def _unreadable(scan: Scan) -> Iterator[Finding]:
    for problem in scan.problems:
        what = f"{problem.path} {problem.reason}"
        if problem.code == BUSY_CODE:
            why = "it is read when OpenClaw lets go of it: what is in there is not known at this moment"
            yield Finding(BUSY_CODE, "note", what, why, problem.hint, path=problem.path)
        else:
            yield Finding("unreadable", "error", what, _NO_NEW_LINES, problem.hint, path=problem.path)
    transcripts = (item for item in scan.changed if item.is_regular and classify(item.name).kind in TRANSCRIPT_KINDS)
    # Of those in a database the scan has read more than their names: no right to it is a problem above.
    closed = [item.path for item in transcripts if not is_stored(item.path) and not may(item.path, os.R_OK)]
    if closed:
        named = ", ".join(closed[:_NAMED]) + (f" and {len(closed) - _NAMED} more" if len(closed) > _NAMED else "")
        yield Finding(
            "unreadable", "error", f"{counted(len(closed), 'transcript')} may not be read: {named}", _NO_NEW_LINES,
            f"{_RIGHTS} them", path=closed[0],
        )  # fmt: skip
