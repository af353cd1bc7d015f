"""Whose an agent's database of OpenClaw's is, where its path does not say it: it says so itself (`schema_meta`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.openclaw.state_dirs import normal_agent_id
from syncd.sources.store_opening import read_store
from syncd.sources.store_sessions import store_inode

if TYPE_CHECKING:
    from syncd.sources.store_opening import Store

_OWNER = "SELECT CAST(agent_id AS BLOB) FROM schema_meta WHERE role = 'agent' AND agent_id IS NOT NULL LIMIT 1"
_known: dict[str, tuple[int, str]] = {}


def owner_of(store_path: str) -> str | None:
    """None: it does not say so, or cannot be asked and never could. Asked once: it stays what it is."""
    inode, known = store_inode(store_path), _known.get(store_path)
    if known is not None and known[0] == inode:
        return known[1]
    try:
        owner = read_store(store_path, _told)
    except SourceError:
        return known[1] if known is not None else None
    if owner is not None:
        _known[store_path] = (inode, owner)
    return owner


def _told(store: Store) -> str | None:
    if not {"role", "agent_id"} <= store.columns("schema_meta"):
        return None
    row = store.row(_OWNER)
    return normal_agent_id(row[0].decode(errors="replace")) if row is not None and row[0] else None
