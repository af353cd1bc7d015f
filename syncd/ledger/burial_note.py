"""The hashes of what was purged, once more, in a small file beside the ledger: for the day on which no page of that can
be read and no copy is there. No name, no text: what the tombstones themselves have.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from syncd.ledger.tombstones import COLUMNS, KINDS, Burials, burials_of
from syncd.paths import write_private_file

if TYPE_CHECKING:
    from pathlib import Path

    from syncd.ledger.database import Ledger

_SESSION = "session"
"""What a tombstone in the note is of."""
_HASHES = b'"hashes":'
"""Behind all else in the note."""


def note_path(ledger_path: Path) -> Path:
    real = ledger_path.resolve()
    return real.with_name(f"{real.name}.kept-out.json")


def write_note(ledger: Ledger) -> None:
    """As the ledger has it now; nothing where nothing was ever purged."""
    if (burials := burials_of(ledger)) is None:
        return
    note = {
        "key": burials.key.hex(),
        "tombstones": [[number, *row] for number, row in burials.tombstones.items()],
        "hashes": [[digest.hex(), *rest] for digest, *rest in burials.hashes],
    }
    write_private_file(note_path(ledger.path), json.dumps(note).encode() + b"\n", replace=True)


def tells_more_than(ledger: Ledger) -> bool:
    """Is there a tombstone in the note that the ledger has not, though it has no other key?

    Asked at every opening: the hashes, which are many times as much, are not made out for it.
    """
    try:
        head, _, _ = note_path(ledger.path).read_bytes().partition(_HASHES)
        note: Any = json.loads(head.rstrip(b", ") + b"}")
        noted_key, noted = bytes.fromhex(note["key"]), {_tombstone(row)[:3] for _, *row in note["tombstones"]}
    except (OSError, ValueError, TypeError, KeyError):
        return False
    key = ledger.row("SELECT key FROM _hash_key")
    if key is not None and key[0] != noted_key:
        return False
    return not noted <= set(ledger.execute("SELECT at, what, why FROM tombstones WHERE what = 'session'"))


def noted_burials(ledger_path: Path) -> Burials | None:
    """None: there is no note, or none that makes sense."""
    try:
        note: Any = json.loads(note_path(ledger_path).read_bytes())
        tombstones = {int(number): _tombstone(row) for number, *row in note["tombstones"]}
        hashes = [
            (bytes.fromhex(digest), _kind(kind), int(number), int(forks))
            for digest, kind, number, forks in note["hashes"]
        ]
        return Burials(bytes.fromhex(note["key"]), tombstones, hashes)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _tombstone(row: list[Any]) -> tuple[Any, ...]:
    """ValueError: no ledger would take it."""
    at, what, why, *counts, scoured_at = row
    is_whole = len(row) == len(COLUMNS) and what == _SESSION and isinstance(why, str)
    numbers = (at, *counts, 0 if scoured_at is None else scoured_at)
    if not is_whole or not all(type(number) is int for number in numbers):
        raise ValueError(row)
    return tuple(row)


def _kind(value: object) -> str:
    """ValueError: as above."""
    return KINDS[KINDS.index(str(value))]
