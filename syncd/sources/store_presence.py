"""What an agent's database of OpenClaw's is, in a few figures: of which schema and release, how many sessions.

Releases before 2026.7.2 have the file too, for other things: the table is the evidence, not the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import SourceError
from syncd.sources.store_opening import read_store
from syncd.sources.store_sessions import has_sessions

if TYPE_CHECKING:
    from syncd.sources.store_opening import Store


class StorePresence(NamedTuple):
    """`app_version`: the OpenClaw that last made or migrated it, where it says so; `sessions`: session ids in it."""

    has_sessions: bool
    schema_version: int
    app_version: str | None
    sessions: int | None


def store_presence(path: str) -> StorePresence | None:
    """None: no such database, or none that can be read now."""
    try:
        return read_store(path, _looked)
    except SourceError:
        return None


def _looked(store: Store) -> StorePresence:
    is_store = has_sessions(store)
    windows = next((name for name in ("session_windows", "sessions") if is_store and store.has(name)), None)
    counted = store.row(f"SELECT count(*) FROM {windows}") if windows is not None else None
    told = "app_version" in store.columns("schema_meta")
    version = store.row("SELECT CAST(app_version AS BLOB) FROM schema_meta LIMIT 1") if told else None
    release = version[0].decode(errors="replace") if version is not None and version[0] is not None else None
    return StorePresence(is_store, store.schema_version, release, int(counted[0]) if counted is not None else None)
