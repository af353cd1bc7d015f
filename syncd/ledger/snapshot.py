"""One moment of the ledger for several reads: what a writer commits meanwhile is not seen.

It keeps SQLite from reusing the WAL as long as it lasts: not for waiting inside.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from syncd.ledger.transaction import rollback

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger


@contextmanager
def snapshot(ledger: Ledger) -> Iterator[None]:
    """A read transaction around a block of reads."""
    ledger.run("BEGIN")
    try:
        yield
    finally:
        rollback(ledger)
