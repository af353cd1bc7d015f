"""No byte of what was removed is left in the ledger's files: the search index merged, every page written anew, no WAL.

SQLite's deletions leave words in old segments of the search index, bytes in the gaps of pages and pages in the WAL.
Takes as long as writing the ledger once; others may read meanwhile, but one who reads for long keeps old pages alive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.ledger.faults import translated
from syncd.ledger.temporary_files import temporary_files
from syncd.ledger.transaction import writing

if TYPE_CHECKING:
    from syncd.clock import Clock
    from syncd.ledger.database import Ledger

_STEPS_BETWEEN_LOOKS = 100_000
_READERS_SECONDS = 3.0


def scour(ledger: Ledger, clock: Clock, *, is_done: bool = True) -> bool:
    """False where a reader held on to old pages to the end: they are still in the files.

    `is_done`: with that, all that the tombstones tell of is gone from everywhere.
    """
    connection = ledger.connection
    with writing(ledger):
        merge_search(ledger)
    with translated(ledger.path):
        # Not to end anything: a signal can be answered only where Python is asked now and then.
        connection.set_progress_handler(lambda: False, _STEPS_BETWEEN_LOOKS)
        try:
            with temporary_files(connection):
                connection.execute("VACUUM")
        finally:
            connection.set_progress_handler(None)
    if not _is_wal_emptied(ledger):
        return False
    if not is_done:
        return True
    with writing(ledger):
        connection.execute("UPDATE tombstones SET scoured_at = ? WHERE scoured_at IS NULL", (clock.now_ms(),))
    return True


def merge_search(ledger: Ledger) -> None:
    """One segment, in which nothing is left of what was taken out. Inside a transaction."""
    ledger.run("INSERT INTO search (search) VALUES ('optimize')")


def _is_wal_emptied(ledger: Ledger) -> bool:
    """All pages in their place and the WAL cut to nothing; waits for readers, not for long."""
    connection = ledger.connection
    patience = connection.pragma("busy_timeout")
    connection.set_busy_timeout(round(_READERS_SECONDS * 1000))
    try:
        row = ledger.row("PRAGMA wal_checkpoint(TRUNCATE)")
        return row is None or row[0] == 0
    finally:
        connection.set_busy_timeout(patience)
