"""Is the search index what the texts make? FTS5's own check, beside a writer, and the index made anew.

That check is a statement that writes, though it changes nothing, so it is asked of a copy of the index in SQLite's own
temporary database, over the texts of the ledger itself: no lock is held, live lines go on. A second for each 80 MB of
text, more or less. SQLite's `integrity_check` compares no text with the index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from syncd.errors import LedgerCorrupt, LedgerFull
from syncd.ledger.faults import translated
from syncd.ledger.snapshot import snapshot
from syncd.ledger.temporary_files import temporary_files
from syncd.ledger.transaction import writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from syncd.ledger.database import Ledger

_STEPS_BETWEEN_LOOKS = 20_000
_COPY = (
    "CREATE TEMP VIEW _looked_at AS SELECT id, text FROM main._searchable",
    "CREATE VIRTUAL TABLE temp._look USING fts5(text, content='_looked_at', content_rowid='id')",
    *(
        statement
        for part in ("config", "docsize", "idx", "data")
        for statement in (
            f"DELETE FROM temp._look_{part}",
            f"INSERT INTO temp._look_{part} SELECT * FROM main.search_{part}",
        )
    ),
)
_LOOK = "INSERT INTO temp._look (_look, rank) VALUES ('integrity-check', 1)"
_WORDS_OF_FTS5 = ("fts5:", "malformed inverted index", "unable to validate the inverted index")
UNASKABLE = "invalid fts5 file format"
"""As FTS5 says it of a version that it does not know: nothing can be asked of the index then, nor of the file."""
_VERSION = "INSERT OR REPLACE INTO search_config (k, v) VALUES ('version', 4)"


def unindexed_messages(ledger: Ledger) -> Iterator[int]:
    """Those that cannot be found, though they should be."""
    return (row[0] for row in ledger.execute("SELECT id FROM _searchable EXCEPT SELECT id FROM search_docsize"))


def needlessly_indexed(ledger: Ledger) -> Iterator[int]:
    """What the index holds, and is no message to be found."""
    return (row[0] for row in ledger.execute("SELECT id FROM search_docsize EXCEPT SELECT id FROM _searchable"))


class GivenUp(Exception):
    """Nobody waits for the answer any more."""


def search_fault(ledger: Ledger, is_given_up: Callable[[], bool] = lambda: False) -> str | None:
    """What is wrong with the search index; None: nothing. Outside of a transaction; GivenUp where that was asked for.

    LedgerFull: there is no space for temporary files.
    """
    connection = ledger.connection
    is_query_only = connection.pragma("query_only")
    with translated(ledger.path):
        connection.execute("PRAGMA query_only = OFF")  # it forbids temporary tables too
        try:
            with temporary_files(connection):  # a fifth of the texts
                return _looked_at(ledger, is_given_up)
        finally:
            connection.execute(f"PRAGMA query_only = {is_query_only}")


def _looked_at(ledger: Ledger, is_given_up: Callable[[], bool]) -> str | None:
    connection = ledger.connection
    connection.set_progress_handler(is_given_up, _STEPS_BETWEEN_LOOKS, id=search_fault)
    try:
        with snapshot(ledger):
            return _fault(ledger)
    except apsw.InterruptError as end:
        raise GivenUp from end
    finally:
        connection.set_progress_handler(None, id=search_fault)


def _fault(ledger: Ledger) -> str | None:
    connection = ledger.connection
    with translated(ledger.path):
        try:
            for statement in _COPY:
                connection.execute(statement)
        except (apsw.FullError, apsw.CantOpenError) as fault:
            raise LedgerFull(
                f"no space for a look at the search index of {ledger.path}: {fault}",
                "free some space in the directory for temporary files, or name another with $SQLITE_TMPDIR",
            ) from fault
        except apsw.ConstraintError as fault:  # a value that lost its type
            return f"the search index is damaged: {fault}"
        try:
            connection.execute(_LOOK)
        except (apsw.CorruptError, apsw.SQLError, UnicodeDecodeError) as fault:
            return f"the search index is damaged: {fault}"
    return None


def page_fault(connection: apsw.Connection, pragma: str) -> str | None:
    """The first thing that `quick_check` or `integrity_check` says of anything else than the search index' words."""
    for (said,) in connection.execute(f"PRAGMA {pragma}(2)"):  # of virtual tables last, and once of each
        if said != "ok" and not is_of_the_index(str(said)):
            return " ".join(str(said).split())
    return None


def is_of_the_index(said: str) -> bool:
    """In the words of SQLite's check: FTS5's own finding, and no page's."""
    return said.startswith(_WORDS_OF_FTS5)


def mend_search(ledger: Ledger) -> None:
    """Every word of every message in its place, in one transaction: what follows takes documents out by their words."""
    make_askable(ledger)
    with writing(ledger) as connection:
        connection.execute("INSERT INTO search (search) VALUES ('rebuild')")


def make_askable(ledger: Ledger) -> None:
    """FTS5 answers again, if only that it is damaged."""
    try:
        ledger.row("SELECT 1 FROM search WHERE rowid = 0")
    except LedgerCorrupt as fault:
        if UNASKABLE in fault.title:
            ledger.run(_VERSION)


def mend_search_of_copy(ledger: Ledger) -> None:
    """Of a ledger that nobody else has open, where it is wrong."""
    if search_fault(ledger) is not None:
        mend_search(ledger)
