"""Beginning a write transaction: the one wait that other programs can make us do.

SQLite waits BUSY_SECONDS by itself; a few more tries with jitter follow, then LedgerBusy.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from syncd.errors import LedgerError
from syncd.ledger.faults import translated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger

ATTEMPTS = 3


@contextmanager
def writing(ledger: Ledger) -> Iterator[apsw.Connection]:
    """One write transaction: committed at the end, rolled back when anything goes wrong."""
    begin(ledger)
    try:
        with translated(ledger.path):
            yield ledger.connection
            ledger.connection.execute("COMMIT")
    except BaseException:
        rollback(ledger)
        raise


class Alone:
    """Nobody else writes to this ledger, and whoever numbers rows may rely on it: here it is found out where not.

    SQLite counts the commits of all other connections; it is asked only where a row of ours met another.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._path, self._connection = ledger.path, ledger.connection
        self._others = self._connection.pragma("data_version")

    @contextmanager
    def translated(self) -> Iterator[None]:
        """As `translated`; LedgerError, too, where rows are there that another writer put there meanwhile."""
        try:
            with translated(self._path):
                yield
        except apsw.ConstraintError as fault:
            if self._connection.pragma("data_version") == self._others:
                raise
            raise LedgerError(
                f"another program has written to the ledger {self._path} meanwhile, where only one may: {fault}",
                "see who has it open (`syncd status`), and end what is not syncd; nothing is lost, what was not"
                " committed is read again",
            ) from fault


@contextmanager
def synced_at_the_end(ledger: Ledger) -> Iterator[None]:
    """Many commits that reach the disk together: in order at any time, safe from a power cut when this ends.

    For a catch-up, which reports only then and could read everything again.
    """
    connection = ledger.connection
    before = connection.total_changes()
    with translated(ledger.path):
        connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            connection.execute("PRAGMA synchronous = FULL")
            if connection.total_changes() != before and not connection.in_transaction:
                # A commit of its own, the smallest there is: it syncs the log with all that went before.
                connection.execute(f"PRAGMA user_version = {connection.pragma('user_version')}")


def rollback(ledger: Ledger) -> None:
    """Give up the open transaction, if there is one: SQLite ends it by itself on some faults."""
    if ledger.connection.in_transaction:
        ledger.connection.execute("ROLLBACK")


def begin(ledger: Ledger) -> None:
    """BEGIN IMMEDIATE, patiently."""
    with translated(ledger.path):
        try:
            _begin(ledger.connection)
        except apsw.BusyError:
            _begin_patiently(ledger.connection)


def _begin(connection: apsw.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")


def _begin_patiently(connection: apsw.Connection) -> None:
    # Loaded only when somebody is in the way: tenacity brings asyncio with it, which every start would pay for.
    from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

    is_busy, wait = retry_if_exception_type(apsw.BusyError), wait_random_exponential(multiplier=0.1, max=2)
    Retrying(retry=is_busy, stop=stop_after_attempt(ATTEMPTS - 1), wait=wait, reraise=True)(_begin, connection)
