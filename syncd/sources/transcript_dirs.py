"""Every directory that may hold transcripts: those of the state dir, those beside a configured store, and those that
the ledger knows.

OpenClaw keeps transcripts in the directory of their index. A directory that several agents share counts as the default
agent's: a transcript does not say whose it is.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.records import FileProblem
from syncd.sources.index_places import configured_places
from syncd.sources.known_places import NOWHERE, known_beside, known_names
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.scan import (
    Scan,
    SessionDirectory,
    directories_of,
    is_wanted,
    may_be_directory,
    scan,
    session_directories,
    state_dir_problem,
)
from syncd.sources.store_paths import STORE_SUFFIX
from syncd.sources.store_places import store_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from syncd.openclaw.config_file import OpenClawConfig
    from syncd.sources.known_places import KnownPlaces
    from syncd.sources.scan import KnownStats


def scan_state_dir(
    state_dir: str,
    agent_globs: Iterable[str],
    environ: Mapping[str, str],
    known: KnownStats,
    config: OpenClawConfig | None = None,
    places: KnownPlaces = NOWHERE,
) -> Scan:
    """`scan` of all that can be listed. What cannot be is a problem, and nothing is taken for gone then.

    `places`: those that are looked at as well, as long as they are there.
    """
    if (problem := state_dir_problem(state_dir)) is not None:
        return Scan(problems=[problem])
    globs = tuple(agent_globs)
    config = config if config is not None else read_openclaw_config(state_dir, environ).config
    try:
        found = scan(transcript_directories(state_dir, globs, environ, config, places), known)
    except SourceError as error:
        found = scan(directories_of(state_dir, [], globs), known)
        found.missing = []
        found.problems.insert(0, FileProblem(error.path, error.reason, error.hint))
        return found
    if stores := store_places(state_dir, config, globs, home_of(environ), places):
        from syncd.sources.store_scan import add_stores  # much, and not needed by households without a database

        add_stores(found, stores, known)
    return found


def transcript_directories(
    state_dir: str,
    agent_globs: Iterable[str],
    environ: Mapping[str, str],
    config: OpenClawConfig | None = None,
    places: KnownPlaces = NOWHERE,
) -> list[SessionDirectory]:
    """Each directory once. `config` where the caller has it at hand. SourceError: the agents cannot be listed."""
    globs = tuple(agent_globs)
    found = list(session_directories(state_dir, globs))
    config = config if config is not None else read_openclaw_config(state_dir, environ).config
    listed = {item.path for item in found}
    if config.store is None and all(place in listed or place.endswith(STORE_SUFFIX) for place in places.places()):
        return found
    usual = list(session_directories(state_dir, ("*",)))
    seen = {os.path.realpath(item.path) for item in usual}
    agents = {item.agent_id for item in usual}
    beside: dict[str, SessionDirectory] = {}
    names = known_names(places, are_stores=False)
    for place in configured_places(state_dir, config, agents, home_of(environ)):
        path = os.path.dirname(place.path)
        real = os.path.realpath(path)
        agent = place.agent_id if place.agent_id is not None and real not in beside else config.default_agent
        if real not in seen and may_be_directory(path):
            beside[real] = SessionDirectory(agent, names.get(real, path))
    found += [item for item in beside.values() if is_wanted(item.agent_id, globs)]
    others = known_beside(places, names, globs, seen.union(beside))
    return found + [item for item in others if may_be_directory(item.path)]
