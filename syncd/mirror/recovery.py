"""Putting a damaged ledger right where OpenClaw's files are at hand: what a file has need not be saved.

Not the catching up that must follow: every caller does that anyway.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.ledger.raw import PIECE_BYTES
from syncd.ledger.recovery import recover as put_right
from syncd.openclaw.file_kinds import classify
from syncd.sources.opening import open_source, read_pieces

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.errors import LedgerCorrupt
    from syncd.ledger.recovery import Recovered


def recover(
    ledger_path: Path, damage: LedgerCorrupt, clock: Clock, is_alive: Callable[[], None] = lambda: None
) -> Recovered:
    return put_right(ledger_path, damage, clock.now_ms(), holds, is_alive)


def holds(path: str, start: int, data: bytes) -> bool:
    """Has the file of OpenClaw's these bytes there?"""
    try:
        with open_source(path, is_zst=classify(os.path.basename(path)).is_zst) as source:
            return b"".join(read_pieces(source, start, start + len(data), PIECE_BYTES)) == data
    except SourceError:
        return False
