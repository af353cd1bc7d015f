"""Does the place of a transcript say whose it is? By OpenClaw's layout, by its configuration, or by its own name.

Where agents share a directory or a database, it does not: what lies there may turn out to be another agent's than was
known. So it is with a place that the configuration names no more, unless its name tells. While the configuration cannot
be read, nothing is taken from anybody.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.openclaw.state_dirs import IMPORT_ARCHIVE
from syncd.path_text import printable
from syncd.sources.index_places import configured_places
from syncd.sources.openclaw_config import ConfigRead, home_of, read_openclaw_config
from syncd.sources.scan import session_directories
from syncd.sources.store_paths import STORE_SUFFIX
from syncd.sources.store_places import store_places

if TYPE_CHECKING:
    from collections.abc import Mapping

_Owners = dict[str, set[str | None]]
"""By directory or database, whose sessions may lie there; None: any agent's."""
OwnersAt = Callable[[str], "Owners"]
"""Of which state dir."""


class Owners:
    """Of the places of one state dir, as they are when they are first asked for. Paths and agents are printable."""

    def __init__(self, state_dir: str, environ: Mapping[str, str]) -> None:
        self._state_dir = state_dir
        self._environ = environ
        self._read: ConfigRead | None = None
        self._configured: _Owners | None = None

    def adopt(self, read: ConfigRead) -> None:
        """The configuration as somebody read it who follows it."""
        self._read = read
        self._configured = None

    def may_be_one(self, path: str, agent_id: str, other_path: str, other_id: str) -> bool:
        """May these two be the same transcript? Of two agents, if one of the places is anybody's."""
        return agent_id == other_id or self._is_anybodys(path, agent_id) or self._is_anybodys(other_path, other_id)

    def is_given(self, former: str, agent_id: str, path: str, owner: str) -> bool:
        """Does a transcript that lay there, and was this agent's, turn out to be the owner's now that it lies here?"""
        return agent_id != owner and self._is_anybodys(former, agent_id) and not self._is_anybodys(path, owner)

    def _is_anybodys(self, path: str, agent_id: str) -> bool:
        if path.startswith(f"{printable(self._state_dir)}/agents/{agent_id}/"):
            return False
        if self._configured is None:
            self._configured = self._places()
        if self._read is not None and self._read.is_guessed:
            return False
        place = os.path.dirname(path)
        beside = os.path.dirname(place) if os.path.basename(place) == IMPORT_ARCHIVE else place
        found = self._configured.get(beside) or self._configured.get(printable(os.path.realpath(beside)))
        if found is not None:
            return found != {agent_id}
        return not _is_named_after(place, agent_id)

    def _places(self) -> _Owners:
        if self._read is None:
            self._read = read_openclaw_config(self._state_dir, self._environ)
        config, home = self._read.config, home_of(self._environ)
        found: _Owners = {}
        for store in store_places(self._state_dir, config, ("*",), home):
            owner = None if store.is_shared else printable(store.agent_id)
            _add(found, store.path, owner)
        for index in configured_places(self._state_dir, config, self._agents(), home):
            owner = None if index.agent_id is None else printable(index.agent_id)
            _add(found, os.path.dirname(index.path), owner)
        return found

    def _agents(self) -> set[str]:
        try:
            return {item.agent_id for item in session_directories(self._state_dir, ("*",))}
        except SourceError:
            return set()  # not for us to list: those that the configuration names are known all the same


def _add(found: _Owners, path: str, owner: str | None) -> None:
    """Under what it is called, and what it is: it may be known by another name."""
    for name in {path, os.path.realpath(path)}:
        found.setdefault(printable(name), set()).add(owner)


def owners_by(environ: Mapping[str, str]) -> OwnersAt:
    """As the configuration is now that is read in this environment."""
    return lambda state_dir: Owners(state_dir, environ)


def _is_named_after(place: str, agent_id: str) -> bool:
    """As OpenClaw names the databases of agents that would share one."""
    return re.search(rf"\.{re.escape(agent_id)}(\.[1-9][0-9]*)?{re.escape(STORE_SUFFIX)}$", place) is not None
