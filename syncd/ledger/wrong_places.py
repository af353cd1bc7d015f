"""Files that are known as the place of another transcript than the one that lies there by its own row.

What is known of a file has no checksum, for the next look makes it anew; but whose bytes it holds is taken on trust
there: by the wrong one's, a rewrite would be found that never was. A transcript's own path has a checksum.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from syncd.ledger.database import Ledger

# Without a time nothing was seen of it yet: such a place is only expected.
_ELSEWHERE = """SELECT _files.id, _files.installation_id, _files.path, state_dir, transcripts.path, state = 'gone'
    FROM _files JOIN installations ON installations.id = _files.installation_id
    JOIN transcripts ON transcripts.id = _files.transcript_id
    WHERE role = 'place' AND present = 1 AND ctime_ns != 0 AND (state = 'gone' OR transcripts.path !=
    iif(substr(_files.path, 1, 1) = x'2f', '', state_dir || '/') || CAST(_files.path AS TEXT))"""
_AT_HOME = "SELECT id FROM transcripts WHERE installation_id = ? AND path = ? AND state != 'gone' LIMIT 2"
_GIVE_BACK = "UPDATE _files SET transcript_id = ?, is_proven = 0, ctime_ns = 0, scanned = 0 WHERE id = ?"


class WrongPlace(NamedTuple):
    file_id: int
    path: str
    """As text for people, and as transcripts have theirs."""
    owner: int | None
    """The transcript that lies there; None: none does, or more than one."""


def wrong_places(ledger: Ledger) -> list[WrongPlace]:
    found = []
    for file_id, installation_id, path, state_dir, other, is_gone in list(ledger.execute(_ELSEWHERE)):
        text = os.fsdecode(path).encode("utf-8", "backslashreplace").decode()
        own = text if text.startswith("/") else f"{state_dir}/{text}"
        if own == other and not is_gone:
            continue  # its bytes are no text
        owners = [row[0] for row in ledger.execute(_AT_HOME, (installation_id, own))]
        found.append(WrongPlace(file_id, own, owners[0] if len(owners) == 1 else None))
    return found


def give_back(connection: apsw.Connection, places: Iterable[WrongPlace]) -> None:
    """To whom it belongs, to be compared at the next look; to nobody, where none is known, to be judged afresh."""
    connection.executemany(_GIVE_BACK, [(place.owner, place.file_id) for place in places])
