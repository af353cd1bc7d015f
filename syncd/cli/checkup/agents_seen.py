"""Who lives in OpenClaw's house: each agent with its era, its release as near as can be told, and what it has written.

By names, indexes and what its databases say of themselves; no transcript is opened.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.openclaw.release_traces import release_by_names, release_by_schema
from syncd.openclaw.state_dirs import agents_dir
from syncd.sources.index_file import Index, look_at_index
from syncd.sources.index_places import index_places
from syncd.sources.openclaw_config import home_of
from syncd.sources.scan import is_wanted
from syncd.sources.store_paths import is_stored
from syncd.sources.store_places import store_places
from syncd.sources.store_presence import store_presence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from syncd.openclaw.config_file import OpenClawConfig
    from syncd.records import ListedFile
    from syncd.sources.scan import Scan

_COPIES = frozenset({"import_archive"})
_LAST_WITHOUT_SESSIONS = "2026.7.1"
"""The last release that had such a database for other things."""


@dataclass(slots=True)
class AgentSeen:
    """`era`: `jsonl`, `sqlite`, or None where it has written nothing; `release`: as near as can be told.

    `unread`: its database, where that cannot be read: then era, release and sessions are not known.
    """

    state_dir: str
    agent_id: str
    era: str | None = None
    release: str | None = None
    sessions: int = 0
    transcripts: int = 0
    bytes: int = 0
    unread: str | None = None


def agents_seen(
    state_dir: str, globs: tuple[str, ...], scan: Scan, config: OpenClawConfig, environ: Mapping[str, str]
) -> list[AgentSeen]:
    ids = [*listed(agents_dir(state_dir)), *(item.agent_id for item in scan.directories)]
    found = {name: AgentSeen(state_dir, name) for name in sorted({name for name in ids if is_wanted(name, globs)})}
    names: dict[str, set[str]] = {}
    for item in scan.changed:
        found.setdefault(item.agent_id, AgentSeen(state_dir, item.agent_id))
        if not is_stored(item.path):
            names.setdefault(item.agent_id, set()).add(item.name)
    for item in _transcripts(scan.changed):
        agent = found[item.agent_id]
        agent.era = "jsonl"
        agent.transcripts += 1
        agent.bytes += item.stat.size
    with suppress(SourceError):  # agents that cannot be listed: the scan has said it
        for place in index_places(state_dir, config, globs, home_of(environ)):
            index = look_at_index(place.path) if not place.is_store else None
            for key in index.entries if isinstance(index, Index) else ():
                if (agent_id := place.agent_of(key)) in found:
                    found[agent_id].sessions += 1
                    found[agent_id].era = "jsonl"
    stores: dict[str, list[str]] = {}
    for store in store_places(state_dir, config, globs, home_of(environ)):
        stores.setdefault(store.agent_id, []).append(store.path)
    closed = {problem.path for problem in scan.problems}
    for agent in found.values():
        agent.release = release_by_names(names.get(agent.agent_id, ()))
        _look_into_stores(agent, stores.get(agent.agent_id, []), closed)
    return list(found.values())


def listed(directory: str) -> list[str]:
    """The directories in it; none where it cannot be listed, which the scan says."""
    try:
        return [name for name in os.listdir(directory) if os.path.isdir(os.path.join(directory, name))]
    except OSError:
        return []


def _transcripts(files: Iterable[ListedFile]) -> Iterator[ListedFile]:
    """Each once: what a migration put into its archive is a copy of what the database holds now."""
    named = [(item, classify(item.name)) for item in files if item.is_regular]
    kept = {(item.agent_id, name.session_id) for item, name in named if name.kind in TRANSCRIPT_KINDS - _COPIES}
    for item, name in named:
        if name.kind in TRANSCRIPT_KINDS and not (name.kind in _COPIES and (item.agent_id, name.session_id) in kept):
            yield item


def _look_into_stores(agent: AgentSeen, paths: list[str], closed: set[str]) -> None:
    """An index in JSON beside them says that OpenClaw has gone back to files, whatever they still hold."""
    looked = [store for path in paths if path not in closed and (store := store_presence(path)) is not None]
    holding = [store for store in looked if store.has_sessions]
    if holding and agent.sessions == 0:
        newest = max(holding, key=lambda store: store.schema_version)
        agent.era, agent.sessions = "sqlite", sum(store.sessions or 0 for store in holding)
        agent.release = newest.app_version or release_by_schema(newest.schema_version)
    elif looked and not holding:
        agent.release = looked[0].app_version or _LAST_WITHOUT_SESSIONS
    unread = next((path for path in paths if path in closed), None)
    if unread is not None and not holding and agent.sessions == 0:
        agent.era, agent.release, agent.unread = None, None, unread
