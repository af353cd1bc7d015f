"""Where OpenClaw's own SQLite may lie: each agent's database, and where `session.store` or `agentDir` puts it.

Only says where files of such names are; whether one holds sessions, its tables tell.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.openclaw.config_file import AGENT_PLACEHOLDER, is_sqlite_store, store_path
from syncd.openclaw.state_dirs import agent_database, agents_dir, normal_agent_id
from syncd.sources.scan import is_wanted
from syncd.sources.store_paths import STORE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.openclaw.config_file import OpenClawConfig

DATABASE_NAME = "openclaw-agent.sqlite"


class StorePlace(NamedTuple):
    agent_id: str
    path: str


def store_places(
    state_dir: str, config: OpenClawConfig, agent_globs: Iterable[str], home: str
) -> tuple[StorePlace, ...]:
    """Every database that is there, each once; what lies behind a closed door may be one."""
    globs = tuple(agent_globs)
    found: dict[str, StorePlace] = {}
    agents = _listed(agents_dir(state_dir))
    for place in (*_usual(state_dir, agents), *_in_agent_dirs(config, home), *_configured(config, agents, home)):
        if is_wanted(place.agent_id, globs) and _may_be_there(state_dir, place):
            real = os.path.realpath(place.path)
            if real not in found or (os.path.islink(found[real].path) and not os.path.islink(place.path)):
                found[real] = place  # a link is not followed: it is only another name of what is found without it
    return tuple(found.values())


def _may_be_there(state_dir: str, place: StorePlace) -> bool:
    """Who may not look keeps to what else is to be seen: a sessions.json is of an agent that has its sessions there."""
    if os.path.lexists(place.path):
        return True
    if is_surely_gone(place.path):
        return False
    return not os.path.lexists(os.path.join(agents_dir(state_dir), place.agent_id, "sessions", "sessions.json"))


def is_surely_gone(path: str) -> bool:
    """Not, where nobody lets us look."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False


def _usual(state_dir: str, agents: Iterable[str]) -> Iterator[StorePlace]:
    for agent in sorted(agents):
        yield StorePlace(agent, agent_database(state_dir, agent))


def _in_agent_dirs(config: OpenClawConfig, home: str) -> Iterator[StorePlace]:
    for agent in config.agents:
        if agent.agent_dir is not None:
            directory = store_path(agent.agent_dir, agent.agent_id, home)
            yield StorePlace(agent.agent_id, os.path.join(directory, DATABASE_NAME))


def _configured(config: OpenClawConfig, agents: Iterable[str], home: str) -> Iterator[StorePlace]:
    """`session.store` still names a sessions.json, from which OpenClaw derives the database's name."""
    template = config.store
    if template is None:
        return
    named = {*map(normal_agent_id, agents), config.default_agent, *(agent.agent_id for agent in config.agents)}
    for agent in sorted(named):
        path = _database_for(store_path(template, agent, home))
        yield from _with_variants(path, agent, config.default_agent, is_shared=AGENT_PLACEHOLDER not in template)


def _database_for(path: str) -> str:
    directory, name = os.path.split(path)
    if is_sqlite_store(path):
        return path
    if name != "sessions.json":
        return os.path.join(directory, os.path.splitext(name)[0] + STORE_SUFFIX)
    parent, last = os.path.split(directory)
    if last == "sessions" and os.path.basename(os.path.dirname(parent)) == "agents":
        return os.path.join(parent, "agent", DATABASE_NAME)
    return os.path.join(directory, DATABASE_NAME)


def _with_variants(path: str, agent: str, default_agent: str, *, is_shared: bool) -> Iterator[StorePlace]:
    """Where agents would share a file, OpenClaw gives each its own: `foo.<agent>.sqlite`, `foo.<agent>.2.sqlite`."""
    directory, name = os.path.split(path)
    stem = name.removesuffix(STORE_SUFFIX)
    for each in sorted(_listed(directory)):
        middle = each.removeprefix(f"{stem}.{agent}").removesuffix(STORE_SUFFIX)
        is_variant = each == f"{stem}.{agent}{middle}{STORE_SUFFIX}"
        if is_variant and (not middle or (middle[0] == "." and middle[1:].isdecimal())):
            yield StorePlace(agent, os.path.join(directory, each))
    if not is_shared or agent == default_agent:
        yield StorePlace(agent, path)


def _listed(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []  # not there, or not for us: whoever lists it says so
