"""Figures of a ledger of any size that are quick to have: counts for one screen, and how large it is.

Each count is read from an index, and no row is: of the largest, that of entries, only how many rows each page of its
narrow index has, some milliseconds a million.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.surroundings import size_of

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

COUNTS = """SELECT (SELECT count(*) FROM transcripts), (SELECT count(*) FROM sessions WHERE status = 'live'),
    (SELECT count(*) FROM entries), (SELECT count(*) FROM quarantine WHERE superseded_in IS NULL),
    (SELECT coalesce(sum(generation - 1), 0) FROM transcripts WHERE generation > 1)"""


class LedgerFigures(NamedTuple):
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
    sizes = (size_of(ledger.path), size_of(f"{ledger.path}-wal"))
    return LedgerFigures(transcripts, sessions, entries, quarantined, rewrites, *sizes)


def page_bytes(ledger: Ledger) -> int:
    """Of all pages, those that are only in the log yet included."""
    return number(ledger, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")


def free_bytes(ledger: Ledger) -> int:
    """Of pages that hold nothing any more, and wait to be used again."""
    return number(ledger, "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")


def number(ledger: Ledger, query: str) -> int:
    """What a query answers that has but one number."""
    row = ledger.row(query)
    return int(row[0]) if row else 0
