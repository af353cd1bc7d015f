"""The hashes of what was purged, once more, in a small file beside the ledger: for the day on which no page of that can
be read and no copy is there. No name, no text: what the tombstones themselves have.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from syncd.ledger.tombstones import COLUMNS, Burials, burials_of
from syncd.paths import write_private_file

if TYPE_CHECKING:
    from pathlib import Path

    from syncd.ledger.database import Ledger

_SESSION = "session"
"""What a tombstone in the note is of."""


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


def noted_burials(ledger_path: Path) -> Burials | None:
    """None: there is no note, or none that makes sense."""
    try:
        note: Any = json.loads(note_path(ledger_path).read_bytes())
        tombstones = {int(number): _tombstone(row) for number, *row in note["tombstones"]}
        hashes = [
            (bytes.fromhex(digest), str(kind), int(number), int(forks))
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
