"""Sessions of a restored backup, brought to where their versions in the damaged ledger say that they came.

A backup has the entry as it was then; the versions behind it were taken from the damaged ledger. The row that stood
there is believed where its entry is just what they make of the backup's; else only the entry moves on.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import apsw

from syncd.ledger.check_sessions import put_entry
from syncd.ledger.remains import rows_of
from syncd.ledger.row_checksums import COLUMN
from syncd.ledger.session_history import told_entry, versions_of
from syncd.openclaw.session_entries import NOT_AN_OBJECT, entry_of, entry_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.database import Ledger
    from syncd.ledger.remains import Remains

_MOVED = "SELECT DISTINCT session FROM session_versions WHERE id > ?"
_NOT_TAKEN = frozenset({"id", COLUMN})
_PAIRING = """UPDATE session_ids SET last_seen_at = max(last_seen_at, ?), ended_by = coalesce(ended_by, ?)
    WHERE session = ? AND session_id = ? AND session_key = ?"""
_PAIRED = ("last_seen_at", "ended_by", "session", "session_id", "session_key")


def last_version(ledger: Ledger) -> int:
    row = ledger.row("SELECT coalesce(max(id), 0) FROM session_versions")
    return int(row[0]) if row is not None else 0


def bring_forward(ledger: Ledger, remains: Remains, sessions: Iterable[int], since: int) -> None:
    """`since`: the last version that the backup has. `sessions`: those that it has. Inside a transaction."""
    known = frozenset(sessions)
    moved = known.intersection(row[0] for row in ledger.execute(_MOVED, (since,)))
    columns = tuple(str(row[1]) for row in ledger.execute("PRAGMA table_info(sessions)") if row[1] not in _NOT_TAKEN)
    for session, checksum, *values in rows_of(remains.path, "sessions", ("id", COLUMN, *columns)) if moved else ():
        if session in moved and _is_told(ledger, session, values[columns.index("entry_json")], since):
            names = ", ".join(f"{name} = ?" for name in columns)
            with suppress(apsw.ConstraintError):  # a value that lost its type, or a key that another has here
                ledger.connection.execute(f"UPDATE sessions SET {names} WHERE id = ?", (*values, session))
                if checksum is not None:  # what was damaged there stays so here, until a repair finds it
                    ledger.connection.execute(f"UPDATE sessions SET {COLUMN} = ? WHERE id = ?", (checksum, session))
    for session in moved:
        if (entry := _moved_on(ledger, session, since)) is not None:
            put_entry(ledger, session, entry)
    for pairing in rows_of(remains.path, "session_ids", _PAIRED):
        if pairing[2] in known:
            with suppress(apsw.ConstraintError):
                ledger.connection.execute(_PAIRING, pairing)


def _moved_on(ledger: Ledger, session: int, since: int) -> Any | None:
    """The entry after all changes behind `since`, which are also in one that moved on; None: it is no JSON."""
    row = ledger.row("SELECT entry_json FROM sessions WHERE id = ?", (session,))
    try:
        entry = entry_of(row[0]) if row is not None else None
    except (ValueError, RecursionError):
        return None
    fields: dict[str, Any] = dict(entry) if type(entry) is dict else {NOT_AN_OBJECT: entry}
    for _, changed in versions_of(ledger, session, since):
        fields |= changed
    return told_entry(fields)


def _is_told(ledger: Ledger, session: int, text: object, since: int) -> bool:
    """Is this the entry that the versions make of the backup's?"""
    entry = _moved_on(ledger, session, since)
    try:
        return entry is not None and isinstance(text, str) and entry_text(entry_of(text)) == entry_text(entry)
    except (ValueError, RecursionError):
        return False
