"""Reading session indexes for one question: which session id stands behind a key, or is it still there at all.

Nothing else of them is kept. Not for bringing them into the ledger.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import SourceError
from syncd.openclaw.index import ReadEntry
from syncd.sources.index_file import Index, Unchanged, Unreadable, look_at_index
from syncd.sources.index_places import index_places
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.store_index import look_at_store_index

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from syncd.records import FileStat
    from syncd.sources.index_file import IndexLook
    from syncd.sources.index_places import IndexPlace


class _Names(NamedTuple):
    stat: FileStat
    names: frozenset[str]
    """Keys and session ids."""


class Standing:
    """What stands in the indexes below these state dirs; asked again and again, it reads only what changed."""

    def __init__(self, state_dirs: Iterable[str]) -> None:
        self._state_dirs = tuple(state_dirs)
        self._read: dict[str, _Names] = {}

    def may_hold(self, names: Collection[str]) -> bool:
        """Is one of these keys or session ids in an index now? Also where one is there and cannot be read."""
        for state_dir in self._state_dirs:
            try:
                places = _places(state_dir)
            except SourceError:
                return True
            if any(self._may_hold(place, names) for place in places):
                return True
        return False

    def _may_hold(self, place: IndexPlace, names: Collection[str]) -> bool:
        known = self._read.get(place.path)
        look = _look(place, known.stat if known is not None else None)
        if isinstance(look, Index):
            listed = {
                key: entry for key, entry in look.entries.items() if key not in look.bare
            }  # what was deleted is bare
            ids = [entry.session_id for entry in listed.values() if isinstance(entry, ReadEntry)]
            known = _Names(look.stat, frozenset((*listed, *filter(None, ids))))
            self._read[place.path] = known
        elif known is None or not isinstance(look, Unchanged):
            return look != Unreadable("absent")
        return not known.names.isdisjoint(names)


def sessions_behind(state_dir: str, key: str) -> Iterator[tuple[str, str]]:
    """(agent id, session id) of each index below the state dir that knows the key."""
    try:
        places = _places(state_dir)
    except SourceError:
        return
    for place in places:
        look = _look(place)
        entry = look.entries.get(key) if isinstance(look, Index) else None
        if isinstance(entry, ReadEntry) and entry.session_id is not None:
            yield place.agent_of(key), entry.session_id


def _places(state_dir: str) -> tuple[IndexPlace, ...]:
    config = read_openclaw_config(state_dir, os.environ).config
    return index_places(state_dir, config, ("*",), home_of(os.environ))


def _look(place: IndexPlace, proven: FileStat | None = None) -> IndexLook:
    return look_at_store_index(place.path, proven) if place.is_store else look_at_index(place.path, proven)
