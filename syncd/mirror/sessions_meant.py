"""Which sessions a person means whole, to be pinned or purged: by key, id, title, path or file name.

`locate` finds the transcripts; here they are led back to sessions, and what has no transcript yet is found too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.errors import SyncdError
from syncd.ledger.pins import Pin
from syncd.ledger.reading.naming import keyed
from syncd.mirror.locate import ambiguous, transcripts_meant
from syncd.path_text import printable

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

_OF_ID = "SELECT session FROM session_ids WHERE session_id = ?1 UNION SELECT id FROM sessions WHERE session_id = ?1"
_BY_NAME = "SELECT id, installation_id, session_key, session_id FROM sessions WHERE session_key = ?1 OR session_id = ?1"
_IDS = """SELECT session_id FROM session_ids WHERE session = ?1
    UNION SELECT session_id FROM sessions WHERE id = ?1 AND session_id IS NOT NULL"""


@dataclass(frozen=True, slots=True)
class SessionsMeant:
    session_ids: frozenset[str]
    keys: frozenset[str]
    """Of sessions that are meant with all their ids."""
    pins: tuple[Pin, ...]


def sessions_meant(ledger: Ledger, name: str) -> SessionsMeant:
    """By a key, or what leads to one: all ids it ever had; by an id or a file: that id. SyncdError: there is none.

    AmbiguousName: several installations or agents have a session of that key.
    """
    if len(same := keyed(ledger, printable(name))) > 1:
        raise ambiguous(name, same)
    try:
        found = transcripts_meant(ledger, name)
    except SyncdError:
        if (without := _without_transcript(ledger, name)) is not None:
            return without
        raise
    ids = frozenset(item.session_id for item in found)
    whole: dict[int, str] = {}
    alone = {(item.installation_id, item.session_id) for item in found}
    for session_id in ids:
        for (session,) in list(ledger.execute(_OF_ID, (session_id,))):
            own = {row[0] for row in ledger.execute(_IDS, (session,))}
            row = ledger.row("SELECT session_key, installation_id FROM sessions WHERE id = ?", (session,))
            if own <= ids and row is not None:
                whole[session] = row[0]
                alone -= {(row[1], each) for each in own}
    pins = [Pin(_installation(ledger, session), session) for session in whole]
    pins += [Pin(installation, None, session_id) for installation, session_id in sorted(alone)]
    return SessionsMeant(ids, frozenset(whole.values()), tuple(pins))


def _without_transcript(ledger: Ledger, name: str) -> SessionsMeant | None:
    rows = list(ledger.execute(_BY_NAME, (printable(name),)))
    if not rows:
        return None
    ids = {row[0] for session, *_ in rows for row in ledger.execute(_IDS, (session,))}
    pins = tuple(Pin(installation, session) for session, installation, *_ in rows)
    return SessionsMeant(frozenset(ids), frozenset(row[2] for row in rows), pins)


def _installation(ledger: Ledger, session: int) -> int:
    row = ledger.row("SELECT installation_id FROM sessions WHERE id = ?", (session,))
    assert row is not None  # it was just found
    return int(row[0])
