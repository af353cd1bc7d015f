"""Where OpenClaw's own SQLite may lie: each agent's database, where `session.store` or `agentDir` puts it, or put it.

Only says where files of such names are; whether one holds sessions, its tables tell.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from syncd.openclaw.config_file import AGENT_PLACEHOLDER, is_sqlite_store, store_path
from syncd.openclaw.state_dirs import agent_database, agents_dir, normal_agent_id
from syncd.sources.known_places import NOWHERE, known_beside, known_names
from syncd.sources.links import links_to
from syncd.sources.opening import is_surely_gone
from syncd.sources.scan import is_wanted
from syncd.sources.store_paths import STORE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from syncd.openclaw.config_file import OpenClawConfig
    from syncd.sources.known_places import KnownPlaces

DATABASE_NAME = "openclaw-agent.sqlite"


class StorePlace(NamedTuple):
    agent_id: str
    path: str
    is_shared: bool = False
    """Are the sessions of all agents in it? Then each key says whose it is."""


def store_places(
    state_dir: str,
    config: OpenClawConfig,
    agent_globs: Iterable[str],
    home: str,
    known: KnownPlaces = NOWHERE,
) -> tuple[StorePlace, ...]:
    """Every database that is there, each once; what lies behind a closed door may be one.

    The `known` ones come last: where a session is in two, the one that the configuration names is looked at first.
    """
    globs = tuple(agent_globs)
    found: dict[str, StorePlace] = {}
    named: set[str] = set()
    agents = _listed(agents_dir(state_dir))
    for place in (*_usual(state_dir, agents), *_in_agent_dirs(config, home), *_configured(config, agents, home)):
        if not _may_be_there(state_dir, place):
            continue
        real = os.path.realpath(place.path)
        named.add(real)
        if not is_wanted(place.agent_id, globs):
            continue
        if real not in found or _detour(place.path) < _detour(found[real].path):
            found[real] = place  # where a link leads is only another name of what is found without it
        elif place.is_shared:
            found[real] = found[real]._replace(is_shared=True)
    names = known_names(known, are_stores=True)
    beside = (StorePlace(*each) for each in known_beside(known, names, globs, named))
    return (*(place._replace(path=names.get(real, place.path)) for real, place in found.items()), *beside)


def _detour(path: str) -> tuple[bool, int]:
    """Of several ways to a database the one with the least is taken; one that ends with a link is not followed."""
    return os.path.islink(path), links_to(path)


def _may_be_there(state_dir: str, place: StorePlace) -> bool:
    """Who may not look keeps to what else is to be seen: a sessions.json is of an agent that has its sessions there."""
    if os.path.lexists(place.path):
        return True
    if is_surely_gone(place.path):
        return False
    return not os.path.lexists(os.path.join(agents_dir(state_dir), place.agent_id, "sessions", "sessions.json"))


def _usual(state_dir: str, agents: Iterable[str]) -> Iterator[StorePlace]:
    for agent in sorted(agents):
        yield StorePlace(agent, agent_database(state_dir, agent))


def _in_agent_dirs(config: OpenClawConfig, home: str) -> Iterator[StorePlace]:
    """Agents that are given one directory share what is in it: its owner's comes first."""
    found: dict[str, list[StorePlace]] = {}
    for agent in config.agents:
        if agent.agent_dir is not None:
            path = os.path.join(store_path(agent.agent_dir, agent.agent_id, home), DATABASE_NAME)
            found.setdefault(os.path.realpath(path), []).append(StorePlace(agent.agent_id, path))
    for places in found.values():
        if len(places) == 1:
            yield from places
            continue
        from syncd.sources.store_owner import owner_of  # seldom needed, and `status` is to be quick

        owner = owner_of(places[0].path)
        for place in sorted(places, key=lambda each: each.agent_id != owner):
            yield place._replace(is_shared=True)


def _configured(config: OpenClawConfig, agents: Iterable[str], home: str) -> Iterator[StorePlace]:
    """`session.store` still names a sessions.json, from which OpenClaw derives the database's name."""
    template = config.store
    if template is None:
        return
    named = {*map(normal_agent_id, agents), config.default_agent, *(agent.agent_id for agent in config.agents)}
    if AGENT_PLACEHOLDER not in template:
        yield from _of_all_agents(store_path(template, config.default_agent, home), named, config.default_agent)
        return
    for agent in sorted({*named, *_agents_at(store_path(template, AGENT_PLACEHOLDER, home))}):
        path = _database_for(store_path(template, agent, home))
        yield from (place for place in _variants(path) if place.agent_id == agent)
        yield StorePlace(agent, path)


def _of_all_agents(path: str, named: Container[str], default_agent: str) -> Iterator[StorePlace]:
    """One place for all: a database that they share, where it is named as such, else each has its own beside it.

    Also one that the configuration does not name any more, if its database says that it is its; others are copies.
    """
    from syncd.sources.store_owner import owner_of  # seldom needed, and `status` is to be quick

    database, is_shared = _database_for(path), is_sqlite_store(path)
    for place in _variants(database) if not is_shared else ():
        if place.agent_id in named or owner_of(place.path) == place.agent_id:
            yield place
    yield StorePlace(owner_of(database) or default_agent, database, is_shared)


def _agents_at(path: str) -> Iterator[str]:
    """Whose directories stand where the placeholder is, with a database in them. Not where it is in a file's name."""
    before, _, after = path.partition(AGENT_PLACEHOLDER)
    base, prefix = os.path.split(before)
    suffix, is_directory, _ = after.partition("/")
    for name in _listed(base) if is_directory else ():
        agent = name.removeprefix(prefix).removesuffix(suffix)
        if f"{prefix}{agent}{suffix}" == name and agent == normal_agent_id(agent):
            database = _database_for(path.replace(AGENT_PLACEHOLDER, agent))
            if os.path.lexists(database) or any(place.agent_id == agent for place in _variants(database)):
                yield agent


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


def _variants(path: str) -> Iterator[StorePlace]:
    """Where agents would share a file, OpenClaw gives each its own: `foo.<agent>.sqlite`, `foo.<agent>.2.sqlite`."""
    directory, name = os.path.split(path)
    stem = re.escape(name.removesuffix(STORE_SUFFIX))
    variant = re.compile(rf"{stem}\.([a-z0-9][a-z0-9_-]*)(?:\.[1-9][0-9]*)?{re.escape(STORE_SUFFIX)}", re.ASCII)
    for each in sorted(_listed(directory)):
        if (named := variant.fullmatch(each)) is not None:
            yield StorePlace(named[1], os.path.join(directory, each))


def _listed(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []  # not there, or not for us: whoever lists it says so
