"""Opening the ledger: pragmas, modes, version gate, permissions.

Driver: apsw, which carries its own SQLite and so is free of the WAL-reset bug of SQLite before 3.51.3. One driver per
process: nothing here or elsewhere opens the ledger's files another way, which would drop SQLite's POSIX locks.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import apsw

from syncd.ledger.faults import absent, cut_short, translated, unusable
from syncd.ledger.migrate import migrate, refuse_foreign, refuse_newer, refuse_older
from syncd.ledger.replacing import finish_replacing, is_cut_short
from syncd.ledger.row_checksums import keep_checksums, know_checksums
from syncd.paths import make_dirs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

APPLICATION_ID = 0x53594E43  # "SYNC"
BUSY_SECONDS = 10
PAGE_BYTES = 16384  # measured: 16 KiB pages cost two thirds of the CPU of 4 KiB ones here
_CACHE_KIB = 8 * 1024
_WAL_LIMIT_BYTES = 64 * 1024 * 1024

_WRITER_PRAGMAS = (
    f"PRAGMA page_size = {PAGE_BYTES}",
    "PRAGMA journal_mode = WAL",
    # A commit that was reported must survive a power cut: OpenClaw prunes what we would have to read again.
    "PRAGMA synchronous = FULL",
    f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}",
)
_COMMON_PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    f"PRAGMA cache_size = -{_CACHE_KIB}",
    "PRAGMA mmap_size = 0",
    # What undoes one statement, at most the pages of a batch: SQLite would write each of them to a file.
    "PRAGMA temp_store = MEMORY",
)


class _Loan:
    """The connection is another thread's until this is done: the driver lets no second one wait for long."""

    def __init__(self) -> None:
        self.until: Future[None] | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """An open ledger."""

    path: Path
    _connection: apsw.Connection
    _loan: _Loan = field(default_factory=_Loan)

    @property
    def connection(self) -> apsw.Connection:
        """The driver's own, for the hot path. While it is lent, whoever asks waits; its faults are the borrower's."""
        if self._loan.until is not None:
            from concurrent.futures import wait

            wait([self._loan.until])
        return self._connection

    def lend(self, until: Future[None]) -> None:
        """To a thread that has kept the connection from before."""
        self._loan.until = until

    def take_back(self) -> None:
        self._loan.until = None

    def execute(self, sql: str, bindings: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """Run one statement; its faults come as LedgerError."""
        with translated(self.path):
            yield from self.connection.execute(sql, bindings)

    def run(self, sql: str, bindings: tuple[Any, ...] = ()) -> None:
        """Run one statement for its effect."""
        with translated(self.path):
            self.connection.execute(sql, bindings)

    def row(self, sql: str, bindings: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        """The first row of a query, or None."""
        with translated(self.path):
            return next(iter(self.connection.execute(sql, bindings)), None)

    def close(self) -> None:
        with translated(self.path):
            self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_for_writing(path: Path, busy_seconds: float = BUSY_SECONDS) -> Ledger:
    """The ledger in its present schema: made, or backed up and migrated. The caller holds the writer lock.

    What was purged at this place is not in it, also where an older one was put there.
    `busy_seconds`: how long SQLite waits, deaf to signals, for another program's transaction.
    """
    finish_replacing(path)
    _make_private(path)
    ledger = _connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE, busy_seconds)
    try:
        refuse_foreign(ledger.connection, path, APPLICATION_ID)
        refuse_newer(ledger.connection, path)
        with translated(path):
            for pragma in _WRITER_PRAGMAS:
                ledger.connection.execute(pragma)
            if ledger.connection.pragma("application_id") == 0:
                ledger.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(ledger.connection, path)
        with translated(path):
            keep_checksums(ledger.connection)
        _keep_purged_out(ledger)
    except BaseException:
        ledger.close()
        raise
    return ledger


def _keep_purged_out(ledger: Ledger) -> None:
    """Most ledgers never purge: they pay for one look at a name. Those that do, for the tombstones and no hash."""
    from syncd.ledger.burial_note import note_path, tells_more_than  # as below: not for those who only read

    if os.path.exists(note_path(ledger.path)) and tells_more_than(ledger):
        from syncd.ledger.burials import heed_note

        heed_note(ledger, time.time_ns() // 1_000_000)


def open_for_reading(path: Path, busy_seconds: float = BUSY_SECONDS) -> Ledger:
    """The ledger as it stands; never created, never written."""
    refuse_absent(path)
    ledger = _connect(path, apsw.SQLITE_OPEN_READONLY, busy_seconds)
    try:
        refuse_foreign(ledger.connection, path, APPLICATION_ID)
        refuse_newer(ledger.connection, path)
        refuse_older(ledger.connection, path)
        with translated(path):
            ledger.connection.execute("PRAGMA query_only = ON")
            know_checksums(ledger.connection)
    except BaseException:
        ledger.close()
        raise
    return ledger


def refuse_absent(path: Path) -> None:
    """Also one behind a door that is closed to this user, of which nobody knows whether it is there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise (cut_short(path) if is_cut_short(path) else absent(path)) from None
    except OSError as error:
        raise unusable(path, error) from None


def _connect(path: Path, flags: int, busy_seconds: float = BUSY_SECONDS) -> Ledger:
    with translated(path):
        connection = apsw.Connection(str(path), flags=flags)
        try:
            connection.set_busy_timeout(round(busy_seconds * 1000))
            for pragma in _COMMON_PRAGMAS:
                connection.execute(pragma)
        except BaseException:
            connection.close()
            raise
    return Ledger(path, connection)


def _make_private(path: Path) -> None:
    """The file exists with mode 0600 before SQLite, whose sidecars copy its mode, first opens it."""
    try:
        make_dirs(path.parent)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise unusable(path, error) from error
