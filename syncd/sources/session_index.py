"""Reading sessions.json for one question: which session id stands behind a key. Nothing else of it is kept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.openclaw.index import session_ids_by_key
from syncd.sources.index_places import index_places
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.opening import open_source, read_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_INDEX_BYTES = 64 * 1024 * 1024
_PIECE_BYTES = 1024 * 1024


def sessions_behind(state_dir: str, key: str) -> Iterator[tuple[str, str]]:
    """(agent id, session id) of each index below the state dir that knows the key."""
    config = read_openclaw_config(state_dir, os.environ).config
    try:
        places = index_places(state_dir, config, ("*",), home_of(os.environ))
    except SourceError:
        return
    for place in places:
        session_id = _index_at(place.path).get(key)
        if session_id is not None:
            yield place.agent_of(key), session_id


def _index_at(path: str) -> dict[str, str]:
    try:
        with open_source(path) as source:
            raw = b"".join(read_pieces(source, 0, MAX_INDEX_BYTES, _PIECE_BYTES))
    except SourceError:
        return {}
    return session_ids_by_key(raw) or {}
