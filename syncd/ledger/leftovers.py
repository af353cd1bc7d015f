"""Half-made copies that a killed process left behind: they hold sessions as any backup does, and nobody needs them."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

from syncd.ledger.backup import usual_place

if TYPE_CHECKING:
    from pathlib import Path

_BY_HAND_SECONDS = 3600.0
_HALF_MADE = re.compile(r"\..*\.(?:partial|cleaning)(?:-journal|-wal|-shm)?", re.DOTALL)
_MAY_BE_GROWING = re.compile(r"\.(?!scheduled-).*\.partial(?:-journal|-wal|-shm)?", re.DOTALL)
"""`ledger backup` needs no writer lock: what it writes may be under way."""


def remove_leftovers(ledger_path: Path, growing_seconds: float = _BY_HAND_SECONDS) -> int:
    """The caller holds the writer lock, and makes none meanwhile. How many there were.

    `growing_seconds`: backups by hand that were written to within this time stay. After a purge none may: one that was
    begun before it would bring back what went; its maker is told that it has gone.
    """
    real, removed = ledger_path.resolve(), 0
    for directory, start in ((real.parent, f".{real.name}."), (usual_place(real, 0).parent, ".")):
        try:
            entries = list(os.scandir(directory))
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(start) and _HALF_MADE.fullmatch(entry.name) and not _grows(entry, growing_seconds):
                try:
                    os.unlink(entry.path)
                except FileNotFoundError:
                    continue
                removed += 1
    return removed


def _grows(entry: os.DirEntry[str], seconds: float) -> bool:
    if not _MAY_BE_GROWING.fullmatch(entry.name):
        return False
    try:
        return abs(time.time() - entry.stat(follow_symlinks=False).st_mtime) < seconds
    except FileNotFoundError:
        return True
