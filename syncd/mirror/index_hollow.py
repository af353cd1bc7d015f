"""Sessions that OpenClaw's database lists without an entry that can be read, held against what the ledger has of them.

A row may be there before its entry is, and stays without one where a session was deleted and its transcripts were kept:
only who knew the session tells these apart. An entry that is no JSON was one, and what was read of it last still holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.openclaw.index import KnownEntry
from syncd.openclaw.session_entries import entry_of
from syncd.sources.store_entries import BARE_FIELDS, BROKEN_FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from syncd.ledger.session_changes import Name
    from syncd.ledger.sessions import KnownSession, PlacedEntry
    from syncd.mirror.index_plan import FoundEntries
    from syncd.sources.index_file import Index


def without_hollow(
    index: Index,
    found: FoundEntries,
    placed: Mapping[Name, PlacedEntry],
    session: Callable[[Name], KnownSession | None],
) -> FoundEntries:
    """What was found, without what only stands in for an entry that was known: that one is gone, or cannot be read."""
    if not index.bare and not index.broken:
        return found
    kept = dict(found)
    for name, entry in found.items():
        if isinstance(entry, KnownEntry):
            continue  # it stood in before
        if name.session_key in index.bare and _had_an_entry(session(name), BARE_FIELDS):
            del kept[name]
        elif name.session_key in index.broken and _had_an_entry(session(name), BROKEN_FIELDS) and name in placed:
            kept[name] = KnownEntry(placed[name].digest)
    return kept


def _had_an_entry(known: KnownSession | None, fields_without: AbstractSet[str]) -> bool:
    """Did the ledger ever read one of it, with more than these fields?"""
    if known is None:
        return False
    try:
        entry = entry_of(known.entry_json)
    except ValueError:
        return True
    return type(entry) is not dict or not entry.keys() <= fields_without
