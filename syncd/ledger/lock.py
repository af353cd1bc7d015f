"""One writer per ledger: an flock beside it, held for the writer's life.

The flock is the truth; pid, start time and boot id in the file are only information for people. Keyed by the ledger's
real path, so a symlink does not make a second writer; a ledger with a second hard link, which would, is refused, and
so is one whose file is locked itself. The lock file is never removed by us: another may be waiting on it. Where
somebody else removes it, `hold` takes it anew.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from stat import S_ISREG
from typing import TYPE_CHECKING

from syncd.errors import LedgerError
from syncd.ledger.faults import unusable
from syncd.ledger.foreign import refuse_other_file
from syncd.ledger.hold import Hold, holder_pid, is_exclusive, lock_path
from syncd.ledger.surroundings import locker_pid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def writer_lock(ledger_path: Path) -> Iterator[Hold]:
    """Be the one writer, or raise AlreadyRunning with the holder's pid."""
    refuse_other_file(ledger_path, lock_path(ledger_path))
    _refuse_second_name(ledger_path)
    try:
        hold = Hold(ledger_path)
    except OSError as error:
        # What a service meets, too, that was installed for another place.
        as_service = "; as a service, `syncd service install` lets it write there"
        raise unusable(ledger_path, error, as_service if error.errno == errno.EROFS else "") from error
    try:
        yield hold
    finally:
        hold.close()


def _refuse_second_name(ledger_path: Path) -> None:
    """SQLite keeps the WAL by the file's name: under two names two writers would each have one, and ruin the ledger."""
    try:
        status = ledger_path.stat()
    except OSError:
        return  # not there yet, or not for us: opening it tells
    if S_ISREG(status.st_mode) and status.st_nlink > 1:
        names, real = status.st_nlink, ledger_path.resolve()
        raise LedgerError(
            f"the ledger {ledger_path} has {names} names (hard links)",
            f"remove the others (`find DIRECTORY -samefile '{real}'` shows them);"
            " for copies there is `syncd ledger backup`",
        )


def writer_pid(ledger_path: Path) -> int | None:
    """Who writes to the ledger now: 0 where that one does not say, None where nobody does.

    Takes nothing: a shared lock is tried and dropped. A lock file that is gone, or is another by now, says nothing of
    who has locked the ledger itself.
    """
    try:
        descriptor = os.open(lock_path(ledger_path), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return locker_pid(ledger_path)
    try:
        if is_exclusive(descriptor):
            return holder_pid(descriptor) or 0
    finally:
        os.close(descriptor)
    return locker_pid(ledger_path)
