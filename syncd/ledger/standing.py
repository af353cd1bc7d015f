"""Is an open ledger still the one that lies at its path? Files can be moved or deleted under whoever has them open.

SQLite goes on in files that nobody will find again. Looked for by the files' inodes; nothing is opened.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

from syncd.errors import LedgerGone, LedgerMoved
from syncd.ledger.faults import translated, unusable
from syncd.paths import make_empty_file

if TYPE_CHECKING:
    from pathlib import Path

    from syncd.ledger.database import Ledger

_HINT = "leave the files beside the ledger (-wal, -shm) alone while syncd runs; stop it before moving the ledger"
_GONE_HINT = (
    "free some disk space, or make its directory writable, and let syncd run until then: it has the only copy open, and"
    " puts it back by itself"
)
_SPARE_BYTES = 1024 * 1024
Standing = tuple[tuple[int, int] | None, ...]
"""Device and inode of the ledger, its log and its shared memory."""


def standing(ledger: Ledger) -> Standing:
    """As it is now, of a ledger that was just opened for writing."""
    return tuple(_identity(f"{ledger.path}{suffix}") for suffix in ("", "-wal", "-shm"))


def refuse_moved(ledger: Ledger, opened: Standing) -> None:
    """LedgerMoved where it is no longer as it was opened; by then all of it is in one file again, at its path.

    A ledger that is gone is put back from what is still open; LedgerGone where that cannot be done now. One that
    another file has taken the place of is left to that: somebody has put back a copy.
    """
    if standing(ledger) == opened:
        return
    what = "the files beside it" if standing(ledger)[0] == opened[0] else "it"
    if _is_gone(ledger):
        _put_back(ledger)
    else:
        with translated(ledger.path):
            ledger.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    raise LedgerMoved(f"the ledger {ledger.path} is not as it was opened: {what} changed", _HINT)


def _is_gone(ledger: Ledger) -> bool:
    try:
        os.lstat(ledger.path)
    except FileNotFoundError:
        return True
    except OSError as error:
        # A disk that fails, or was pulled out: to hold on to it would only keep it from coming back.
        raise unusable(ledger.path, error) from error
    return False


def _put_back(ledger: Ledger) -> None:
    scratch = ledger.path.with_name(f"{ledger.path.name}.rescued")
    try:
        scratch.unlink(missing_ok=True)
        _refuse_without_space(ledger)
        make_empty_file(scratch)
        ledger.connection.execute("VACUUM INTO ?", (str(scratch),))
        _keep_log(scratch)
        for suffix in ("-wal", "-shm"):  # they belong to the one that is gone
            ledger.path.with_name(ledger.path.name + suffix).unlink(missing_ok=True)
        scratch.replace(ledger.path)
    except (OSError, apsw.Error) as error:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)  # half a copy would only keep the disk full
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise LedgerGone(f"the ledger {ledger.path} is gone, and cannot be put back: {reason}", _GONE_HINT) from error


def _keep_log(copy: Path) -> None:
    """A copy has no log of its own until it is told to, for which nobody may be reading it any more."""
    connection = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def _refuse_without_space(ledger: Ledger) -> None:
    """Before the rest of the disk is filled with a copy that would have no end."""
    pages = ledger.connection.pragma("page_count") - ledger.connection.pragma("freelist_count")
    needed = pages * ledger.connection.pragma("page_size") + _SPARE_BYTES
    status = os.statvfs(ledger.path.parent)
    free = status.f_bavail * status.f_frsize
    if free < needed:
        raise OSError(errno.ENOSPC, f"it needs {needed} bytes on its disk, {free} are free")


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
