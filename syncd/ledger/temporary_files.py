"""What SQLite needs for a while put into files, not into memory: as large as the ledger, or a part of it.

The one place that may change this: with the setting goes all that is temporary, the triggers of checksums first of all.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from syncd.ledger.row_checksums import keep_checksums

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw


@contextmanager
def temporary_files(connection: apsw.Connection) -> Iterator[None]:
    """Outside of a transaction."""
    seals = connection.execute("SELECT 1 FROM temp.sqlite_master WHERE type = 'trigger' LIMIT 1").get is not None
    connection.execute("PRAGMA temp_store = FILE")
    try:
        yield
    finally:
        connection.execute("PRAGMA temp_store = MEMORY")
        if seals:
            keep_checksums(connection)
