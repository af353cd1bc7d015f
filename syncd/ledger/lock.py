"""One writer per ledger: an flock beside it, held for the writer's life.

The flock is the truth; pid, start time and boot id in the file are only information for people. Keyed by the ledger's
real path, so a symlink does not make a second writer; a ledger with a second hard link, which would, is refused, and
so is one whose file is locked itself. The lock file is never removed: another may be waiting on it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from contextlib import contextmanager, suppress
from stat import S_ISREG
from typing import TYPE_CHECKING

import orjson

from syncd.errors import AlreadyRunning, LedgerError
from syncd.ledger.faults import unusable
from syncd.ledger.foreign import refuse_other_file
from syncd.paths import make_dirs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MAX_OWNER_BYTES = 4096
_BOOT_ID = "/proc/sys/kernel/random/boot_id"


def lock_path(ledger_path: Path) -> Path:
    real = ledger_path.resolve()
    return real.with_name(real.name + ".lock")


@contextmanager
def writer_lock(ledger_path: Path) -> Iterator[None]:
    """Be the one writer, or raise AlreadyRunning with the holder's pid."""
    path = lock_path(ledger_path)
    refuse_other_file(ledger_path, path)
    _refuse_second_name(ledger_path)
    try:
        make_dirs(path.parent)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        # What a service meets, too, that was installed for another place.
        as_service = "; as a service, `syncd service install` lets it write there"
        raise unusable(ledger_path, error, as_service if error.errno == errno.EROFS else "") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            pid = _holder_pid(descriptor)
            who = f"syncd with pid {pid}" if pid else "another syncd"
            title = f"{who} holds the ledger {ledger_path}"
            raise AlreadyRunning(title, _let_it(pid), pid=pid) from error
        with suppress(OSError):  # a full disk: only information is missing, and the ledger itself tells of it
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, orjson.dumps(_owner()) + b"\n", 0)
        with _the_file_itself(ledger_path):
            yield
    finally:
        os.close(descriptor)


@contextmanager
def _the_file_itself(ledger_path: Path) -> Iterator[None]:
    """The same for one who knows the ledger's file by another path, as a mount of that file alone gives it.

    Linux only, where this lock and SQLite's, of another kind, know nothing of each other. Whoever holds it has no
    ledger open before, nor after: closing any descriptor of that file would drop SQLite's locks.
    """
    try:
        descriptor = os.open(ledger_path, os.O_RDONLY | os.O_CLOEXEC) if sys.platform == "linux" else None
    except OSError:
        descriptor = None  # not made yet, or not for us: opening it tells
    if descriptor is None:
        yield
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            title = f"another syncd holds the ledger {ledger_path}, under another path"
            raise AlreadyRunning(title, _let_it(None)) from error
        yield
    finally:
        os.close(descriptor)


def _let_it(pid: int | None) -> str:
    by_hand = f"`kill {pid}`" if pid else "Ctrl-C where it was started"
    return f"let it do the work (`syncd status` tells how it is); or stop it first: `syncd service stop`, or {by_hand}"


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

    Takes nothing: a shared lock is tried and dropped.
    """
    try:
        descriptor = os.open(lock_path(ledger_path), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder_pid(descriptor) or 0
    finally:
        os.close(descriptor)
    return None


def _holder_pid(descriptor: int) -> int | None:
    try:
        owner = orjson.loads(os.pread(descriptor, _MAX_OWNER_BYTES, 0))
        return int(owner["pid"])
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None


def _owner() -> dict[str, object]:
    stat = _first_line(f"/proc/{os.getpid()}/stat")
    started = stat.rpartition(")")[2].split()[19] if stat is not None else None  # field 22 of proc(5)
    return {"pid": os.getpid(), "started": started, "boot": _first_line(_BOOT_ID)}


def _first_line(path: str) -> str | None:
    """None where /proc does not tell."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return None
