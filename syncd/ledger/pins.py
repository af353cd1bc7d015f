"""Pinned sessions: retention leaves them alone, and a purge asks for the pin to be taken out first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from syncd.ledger.database import Ledger

# Of a pinned session every id it ever had; else the id itself.
_PINNED_IDS = """SELECT session_ids.session_id FROM pins JOIN session_ids ON session_ids.session = pins.session
    UNION SELECT sessions.session_id FROM pins JOIN sessions ON sessions.id = pins.session
    WHERE sessions.session_id IS NOT NULL UNION SELECT session_id FROM pins WHERE session_id IS NOT NULL"""

_THIS = "installation_id = ? AND session IS ? AND session_id IS ?"


class Pin(NamedTuple):
    """A session with all its ids, or, where no index knows one, a session id."""

    installation_id: int
    session: int | None = None
    session_id: str | None = None


def pinned_ids(ledger: Ledger) -> frozenset[str]:
    """Every session id that nothing may be taken from."""
    return frozenset(row[0] for row in ledger.execute(_PINNED_IDS))


def pin(connection: apsw.Connection, pins: Iterable[Pin], now_ms: int) -> int:
    """How many were not pinned before. Inside a write transaction."""
    new = 0
    for each in pins:
        if not connection.execute(f"SELECT count(*) FROM pins WHERE {_THIS}", each).get:
            connection.execute(
                "INSERT INTO pins (installation_id, session, session_id, at) VALUES (?, ?, ?, ?)", (*each, now_ms)
            )
            new += 1
    return new


def unpin(connection: apsw.Connection, pins: Iterable[Pin]) -> int:
    """How many were pinned. Inside a write transaction."""
    before = connection.total_changes()
    for each in pins:
        connection.execute(f"DELETE FROM pins WHERE {_THIS}", each)
    return connection.total_changes() - before
