"""Is a turn under way in a session of OpenClaw's own SQLite? There are no lock files there: the session's row says it.

Only as long as somebody has the database open, and not for ever: a turn that a crash ended leaves its row as it was.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.sources.locks import is_write_locked
from syncd.sources.store_opening import read_store
from syncd.sources.store_paths import is_stored, session_id_of, store_of

if TYPE_CHECKING:
    from syncd.sources.store_opening import Store

_LONGEST_MS = 30 * 60 * 1000  # as OpenClaw's own locks: what is older is left over
_SESSIONS = (("session_nodes", "current_session_id"), ("session_entries", "session_id"))


def is_turn_under_way(path: str, now_ms: int) -> bool:
    """Of a file, by its lock."""
    if not is_stored(path):
        return is_write_locked(path, now_ms)
    store_path = store_of(path)
    if not os.path.exists(f"{store_path}-wal"):
        return False  # it was closed
    try:
        since = read_store(store_path, partial(_running_since, session_id=session_id_of(path)))
    except SourceError:
        return False
    return since is not None and now_ms - since < _LONGEST_MS


def _running_since(store: Store, session_id: str) -> int | None:
    for table, column in _SESSIONS:
        if {column, "status", "updated_at"} <= store.columns(table):
            query = f"SELECT max(updated_at) FROM {table} WHERE {column} = ? AND status = 'running'"
            row = store.row(query, (session_id,))
            return row[0] if row is not None else None
    return None
