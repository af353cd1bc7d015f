"""Counts for one screen, quick on a ledger of any size: each is read from an index, and no row is.

The largest, that of entries, reads only how many rows each page of its narrow index has: some milliseconds a million.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

COUNTS = """SELECT (SELECT count(*) FROM transcripts), (SELECT count(*) FROM sessions WHERE status = 'live'),
    (SELECT count(*) FROM entries), (SELECT count(*) FROM quarantine WHERE superseded_in IS NULL),
    (SELECT coalesce(sum(generation - 1), 0) FROM transcripts WHERE generation > 1)"""


@dataclass(frozen=True, slots=True)
class LedgerFigures:
    """`rewrites`: how often bytes that were taken in turned out changed."""

    transcripts: int
    sessions: int
    entries: int
    quarantined: int
    rewrites: int
    ledger_bytes: int
    wal_bytes: int


def ledger_figures(ledger: Ledger) -> LedgerFigures:
    row = ledger.row(COUNTS)
    transcripts, sessions, entries, quarantined, rewrites = row if row is not None else (0, 0, 0, 0, 0)
    wal = ledger.path.with_name(ledger.path.name + "-wal")
    return LedgerFigures(transcripts, sessions, entries, quarantined, rewrites, _size(ledger.path), _size(wal))


def _size(path: os.PathLike[str]) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
