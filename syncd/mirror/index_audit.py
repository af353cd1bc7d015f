"""Are sessions what the entries make that they were taken from? Every index is read as if for the first time.

Finds a row that a disk or somebody's hand changed, and a version or a pairing that is gone. Only reads. An entry that
has changed since it was last read is no fault: the next look takes it in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.ledger import sessions
from syncd.ledger.session_history import unpaired_sessions
from syncd.mirror.index_doubt import as_recalled, news, recollection, says
from syncd.mirror.index_plan import columns_now
from syncd.openclaw.config_file import is_sqlite_store
from syncd.openclaw.index import ReadEntry
from syncd.sources.index_file import Index, look_at_index
from syncd.sources.openclaw_config import read_openclaw_config
from syncd.sources.store_index import look_at_store_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from syncd.ledger.database import Ledger
    from syncd.ledger.session_changes import Name


def sessions_amiss(
    ledger: Ledger, installation_id: int, state_dir: str, environ: Mapping[str, str], is_given_up: Callable[[], bool]
) -> Iterator[int]:
    """Of several entries of one session, one that the row is made from is enough."""
    main_key = read_openclaw_config(state_dir, environ).config.main_key
    is_right: dict[int, bool] = {}
    for path, known in sessions.known_indexes(ledger, installation_id).items():
        if is_given_up():
            return
        found = look_at_store_index(path) if is_sqlite_store(path) else look_at_index(path)
        if not isinstance(found, Index):
            continue
        for name, placed in sessions.placed_entries(ledger, known.id).items():
            entry = found.entries.get(name.session_key)
            if isinstance(entry, ReadEntry) and entry.digest == placed.digest:
                is_as_read = _is_as_read(ledger, installation_id, name, entry, main_key)
                is_right[placed.session] = is_as_read or is_right.get(placed.session, False)
    yield from (session for session, is_so in is_right.items() if not is_so)
    yield from unpaired_sessions(ledger)


def _is_as_read(ledger: Ledger, installation_id: int, name: Name, read: ReadEntry, main_key: str) -> bool:
    known = sessions.session_named(ledger, installation_id, name)
    if known is None or not known.is_live:
        return True
    entry, memory = read.value(), recollection(ledger, known.id)
    columns = columns_now(name, known, entry, main_key)
    if not says(known.entry_json, entry) or not sessions.has_made(ledger, installation_id, known.id, name, columns):
        return False
    return not news(as_recalled(known, memory), memory, entry)
