"""Does the place of a transcript say whose it is? By OpenClaw's layout, by its configuration, or by its own name.

Where agents share a directory or a database, it does not: what lies there may turn out to be another agent's than was
known. So it is with a place that the configuration names no more, unless its name tells.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.openclaw.state_dirs import IMPORT_ARCHIVE
from syncd.sources.index_places import configured_places
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.scan import session_directories
from syncd.sources.store_paths import STORE_SUFFIX
from syncd.sources.store_places import store_places

if TYPE_CHECKING:
    from collections.abc import Mapping


class Owners:
    """Of the places of one state dir, as they are when they are first asked for."""

    def __init__(self, state_dir: str, environ: Mapping[str, str]) -> None:
        self._state_dir = state_dir
        self._environ = environ
        self._configured: dict[str, set[str | None]] | None = None

    def forget(self) -> None:
        """The configuration may be another by now."""
        self._configured = None

    def is_anybodys(self, path: str, agent_id: str) -> bool:
        """May this transcript be another agent's than that?"""
        place = os.path.dirname(path)
        if f"/agents/{agent_id}/" in path:
            return False
        if self._configured is None:
            self._configured = self._places()
        beside = os.path.dirname(place) if os.path.basename(place) == IMPORT_ARCHIVE else place
        if (found := self._configured.get(beside)) is not None:
            return found != {agent_id}
        return not _is_named_after(place, agent_id)

    def _places(self) -> dict[str, set[str | None]]:
        """By directory or database, whose sessions may lie there; None: any agent's."""
        found: dict[str, set[str | None]] = {}
        config, home = read_openclaw_config(self._state_dir, self._environ).config, home_of(self._environ)
        for store in store_places(self._state_dir, config, ("*",), home):
            found.setdefault(store.path, set()).add(None if store.is_shared else store.agent_id)
        for index in configured_places(self._state_dir, config, self._agents(), home):
            found.setdefault(os.path.dirname(index.path), set()).add(index.agent_id)
        return found

    def _agents(self) -> set[str]:
        try:
            return {item.agent_id for item in session_directories(self._state_dir, ("*",))}
        except SourceError:
            return set()  # not for us to list: those that the configuration names are known all the same


def _is_named_after(place: str, agent_id: str) -> bool:
    """As OpenClaw names the databases of agents that would share one."""
    return re.search(rf"\.{re.escape(agent_id)}(\.[1-9][0-9]*)?{re.escape(STORE_SUFFIX)}$", place) is not None
