"""Is an open ledger still the one that lies at its path? Files can be moved or deleted under whoever has them open.

SQLite goes on in files that nobody will find again. Looked for by the files' inodes; nothing is opened. What is put
back comes under the writer lock, of which the caller says whether it may make files at the ledger's place.
"""

from __future__ import annotations

import errno
import faulthandler
import os
import signal
import threading
from contextlib import contextmanager, suppress
from traceback import clear_frames
from typing import TYPE_CHECKING

import apsw

from syncd.errors import AlreadyRunning, LedgerError, LedgerGone, LedgerMoved
from syncd.ledger.faults import translated, unusable
from syncd.ledger.hold import identity_at
from syncd.ledger.replacing import DISPLACED, aside_place
from syncd.ledger.transaction import rollback
from syncd.paths import make_empty_file, put_on_disk, put_where_nothing_is

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.hold import Hold

_HINT = "leave the files beside the ledger (-wal, -shm) alone while syncd runs; stop it before moving the ledger"
_GONE_HINT = (
    "free some disk space, or make its directory writable, and let syncd run until then: it has the only copy open, and"
    " puts it back by itself"
)
_LOST_HINT = (
    "free some disk space, or make its directory writable; then `syncd ledger restore` puts the newest backup back, and"
    " `syncd run` takes in what OpenClaw still has"
)
_SPARE_BYTES = 1024 * 1024
Standing = tuple[tuple[int, int] | None, ...]
"""Device and inode of the ledger, its log and its shared memory."""


def standing(ledger: Ledger) -> Standing:
    """As it is now, of a ledger that was just opened for writing."""
    return tuple(identity_at(f"{ledger.path}{suffix}") for suffix in ("", "-wal", "-shm"))


def refuse_moved(ledger: Ledger, opened: Standing, hold: Hold | None = None) -> None:
    """LedgerMoved where it is no longer as it was opened; by then all of it is in one file again, at its path.

    A ledger that is gone is put back from what is still open; LedgerGone where that cannot be done now. One that
    another file has taken the place of is left to that: somebody has put back a copy.
    """
    found = standing(ledger)
    if found == opened:
        return
    what = "the files beside it" if found[0] == opened[0] else "it"
    is_another = found[0] != opened[0]
    if _is_gone(ledger, is_deleted=hold is not None and hold.knows_deleted(opened[0])):
        is_another = not _is_put_back(ledger, opened, hold)
    else:
        with translated(ledger.path):
            ledger.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    raise LedgerMoved(f"the ledger {ledger.path} is not as it was opened: {what} changed", _HINT, is_another=is_another)


@contextmanager
def kept_in_place(ledger: Ledger, hold: Hold, clock: Clock) -> Iterator[None]:
    """For one who writes for a while, and keeps the lock meanwhile: the ledger is at its path at the end.

    Also where the work was cut short, by a stop or a fault, which goes on then. Raised instead of it: LedgerGone, where
    the ledger cannot be put back; AlreadyRunning or LedgerMoved, where another is the writer by now, or another ledger
    at its path: this one, where it was deleted, is kept beside that.
    """
    opened = standing(ledger)
    hold.keep_file()
    try:
        yield
    except BaseException as end:
        if standing(ledger) != opened:
            _end_statements(ledger, end)
        try:
            _put_in_place(ledger, hold, opened, clock)
        except (AlreadyRunning, LedgerGone, LedgerMoved):
            raise
        except LedgerError:
            pass  # damaged, or its disk is: what came first says more
        raise
    _put_in_place(ledger, hold, opened, clock)


def _put_in_place(ledger: Ledger, hold: Hold, opened: Standing, clock: Clock) -> None:
    with _unhurried():
        try:
            hold.keep()
            refuse_moved(ledger, opened, hold)
        except LedgerGone as error:
            if not hold.has_deleted(opened[0]):
                raise
            raise LedgerGone(f"{error.title}; what only it had is lost", _LOST_HINT) from error
        except LedgerMoved as error:
            if error.is_another:
                also = _kept(ledger, hold, opened, clock)
                raise LedgerMoved(f"{error.title}{also}", error.hint, is_another=True) from error
        except AlreadyRunning as error:
            if standing(ledger)[0] == opened[0]:
                raise
            also = _kept(ledger, hold, opened, clock)
            raise AlreadyRunning(f"{error.title}{also}", error.hint, pid=error.pid) from error


def _end_statements(ledger: Ledger, end: BaseException) -> None:
    """Those that were cut short, and live on in the frames of what ended them: beside them nothing can be copied."""
    cause: BaseException | None = end
    while cause is not None:
        clear_frames(cause.__traceback__)
        cause = cause.__context__
    with suppress(apsw.Error):
        rollback(ledger)


@contextmanager
def _unhurried() -> Iterator[None]:
    """No alarm strikes that is to make one end who was asked to: a large ledger takes its time."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    faulthandler.cancel_dump_traceback_later()
    former = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, former)


def _kept(ledger: Ledger, hold: Hold, opened: Standing, clock: Clock) -> str:
    if not hold.has_deleted(opened[0]):
        return ""
    try:
        return f"; the former ledger is kept as {keep_displaced(ledger, clock.now_ms())}"
    except LedgerError as fault:
        return f"; {fault.title}"


def keep_displaced(ledger: Ledger, now_ms: int) -> Path:
    """What is open, written out beside the ledger that has its place by now; that one is left alone. LedgerError: no.

    For one whose file is deleted: else it would go with the one who has it open.
    """
    real = ledger.path.resolve()
    place = aside_place(real, now_ms, DISPLACED)
    scratch = place.with_name(f".{place.name}.partial")  # which nobody takes for a copy before it is one
    try:
        _copy(ledger, scratch)
        put_on_disk(scratch)
        scratch.rename(place)
        put_on_disk(place.parent)
    except (OSError, apsw.Error) as error:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
        title = f"what was in the former ledger {ledger.path} could not be kept: {_reason(error)}"
        raise LedgerError(title, "free some disk space, or make its directory writable") from error
    return place


def _is_gone(ledger: Ledger, *, is_deleted: bool) -> bool:
    try:
        os.lstat(ledger.path)
    except FileNotFoundError:
        return True
    except OSError as error:
        if is_deleted:
            return True  # whatever is in the way at its path: nothing else has what is in it
        # A disk that fails, or was pulled out: to hold on to it would only keep it from coming back.
        raise unusable(ledger.path, error) from error
    return False


def _is_put_back(ledger: Ledger, opened: Standing, hold: Hold | None) -> bool:
    """False: another has come to its place meanwhile, and is left alone."""
    scratch = ledger.path.with_name(f".{ledger.path.name}.rescued.partial")  # one of `leftovers`, if this is cut short
    try:
        if hold is not None and not hold.may_make():
            raise OSError(errno.ENOENT, "its directory went elsewhere, perhaps with its disk")
        _copy(ledger, scratch)
        _keep_log(scratch)
        put_on_disk(scratch)
        beside = [ledger.path.with_name(ledger.path.name + suffix) for suffix in ("-wal", "-shm")]
        for file, former in zip(beside, opened[1:], strict=True):
            if identity_at(str(file)) == former:  # first: it would be played into whatever lies beside it
                file.unlink(missing_ok=True)
        if hold is not None:
            hold.adopt(scratch, ledger.path)
        else:
            put_where_nothing_is(scratch, ledger.path)
        for file in beside:  # left behind by whoever came and went meanwhile
            file.unlink(missing_ok=True)
    except FileExistsError:
        scratch.unlink(missing_ok=True)
        return False
    except (OSError, apsw.Error) as error:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)  # half a copy would only keep the disk full
        title = f"the ledger {ledger.path} is gone, and cannot be put back: {_reason(error)}"
        raise LedgerGone(title, _GONE_HINT) from error
    with suppress(OSError):  # it is there, whatever a power cut would leave of its name
        put_on_disk(ledger.path.parent)
    return True


def _copy(ledger: Ledger, place: Path) -> None:
    place.unlink(missing_ok=True)
    _refuse_without_space(ledger)
    make_empty_file(place)
    ledger.connection.execute("VACUUM INTO ?", (str(place),))


def _reason(error: OSError | apsw.Error) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


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
