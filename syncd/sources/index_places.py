"""Where session indexes may lie: OpenClaw's own databases, each agent's sessions.json, the configured store, and the
two oldest places.

Only says where to look; what is in a file is for whoever reads it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.openclaw.config_file import AGENT_PLACEHOLDER, is_sqlite_store, store_path
from syncd.openclaw.session_keys import parse_session_key
from syncd.openclaw.state_dirs import normal_agent_id, old_sessions_dir
from syncd.sources.scan import is_wanted, session_directories
from syncd.sources.store_places import store_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.openclaw.config_file import OpenClawConfig

INDEX_NAME = "sessions.json"


class IndexPlace(NamedTuple):
    path: str
    agent_id: str | None
    """Whose sessions it holds; None where each key says it: a store shared by all agents."""
    default_agent: str
    """Whose the keys are that name no agent."""

    @property
    def is_store(self) -> bool:
        """Is it OpenClaw's own database?"""
        return is_sqlite_store(self.path)

    def agent_of(self, key: str) -> str:
        return self.agent_id or parse_session_key(key).agent_id or self.default_agent


def index_places(
    state_dir: str, config: OpenClawConfig, agent_globs: Iterable[str], home: str
) -> tuple[IndexPlace, ...]:
    """Every place of an index, each once, the most authoritative first. SourceError: agents cannot be listed."""
    globs = tuple(agent_globs)
    old_dir = old_sessions_dir(state_dir)
    agent_dirs = {
        item.agent_id: item.path
        for item in session_directories(state_dir, globs)
        if os.path.basename(item.path) == "sessions" and item.path != old_dir
    }
    default = config.default_agent
    # A database comes first: of two entries that are equally old, its one was made from the other.
    stores = store_places(state_dir, config, globs, home)
    found = [IndexPlace(store.path, None if store.is_shared else store.agent_id, default) for store in stores]
    found += configured_places(state_dir, config, agent_dirs, home)
    found += [IndexPlace(os.path.join(path, INDEX_NAME), agent, default) for agent, path in sorted(agent_dirs.items())]
    # Before there were agents; OpenClaw still reads and migrates these.
    found += [IndexPlace(os.path.join(place, INDEX_NAME), None, default) for place in (old_dir, state_dir)]
    places: dict[str, IndexPlace] = {}
    for place in found:
        if place.agent_id is None or is_wanted(place.agent_id, globs):
            places.setdefault(os.path.realpath(os.path.dirname(place.path)) + "/" + os.path.basename(place.path), place)
    return tuple(places.values())


def configured_places(state_dir: str, config: OpenClawConfig, agent_ids: Iterable[str], home: str) -> list[IndexPlace]:
    """Where `session.store` puts the indexes of these agents, of those that the configuration names, and of any other
    whose index is there.
    """
    template, default = config.store, config.default_agent
    if template is None or is_sqlite_store(template):
        return []
    if AGENT_PLACEHOLDER not in template:
        return [IndexPlace(_below(state_dir, store_path(template, default, home)), None, default)]
    agents = {*agent_ids, default, *(agent.agent_id for agent in config.agents)}
    agents.update(_agents_at(template, home))
    return [
        IndexPlace(_below(state_dir, store_path(template, agent, home)), agent, default) for agent in sorted(agents)
    ]


def _agents_at(template: str, home: str) -> Iterator[str]:
    """Whose directories stand where the template has its placeholder, with an index in them: OpenClaw makes one for an
    agent that only a session key names. Not where the placeholder is in a file's name: other files lie there too.
    """
    before, _, after = store_path(template, AGENT_PLACEHOLDER, home).partition(AGENT_PLACEHOLDER)
    base, prefix = os.path.split(before)
    suffix, is_directory, _ = after.partition("/")
    if not is_directory:
        return
    for name in _listed(base):
        agent = name.removeprefix(prefix).removesuffix(suffix)
        if f"{prefix}{agent}{suffix}" == name and agent == normal_agent_id(agent):
            directory, index_name = os.path.split(store_path(template, agent, home))
            if any(each.startswith(index_name) for each in _listed(directory)):  # or what a migration made of it
                yield agent


def _listed(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []  # not there, or not for us: the agents known by name are looked for all the same


def _below(state_dir: str, path: str) -> str:
    """A configuration may name the state dir by the link that is left where it was: the same files, one path."""
    if path.startswith(f"{state_dir}/"):
        return path
    directory, name = os.path.split(path)
    real = os.path.realpath(directory)
    return os.path.join(real, name) if f"{real}/".startswith(f"{state_dir}/") else path
