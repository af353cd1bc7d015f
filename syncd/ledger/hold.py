"""The writer lock in hand, for as long as its owner lives: files can be deleted under whoever has them locked.

A lock file that is gone from its path locks nobody out, so it is taken anew there; who looks often leaves others little
time in between. The ledger's own file is locked too, where the system allows it: who holds that cannot be displaced by
one who found no lock file. Where another has both, this process is no longer the writer, and never becomes it again.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import orjson

from syncd.errors import AlreadyRunning
from syncd.paths import make_dirs, put_where_nothing_is

if TYPE_CHECKING:
    from pathlib import Path

_MAX_OWNER_BYTES = 4096
_BOOT_ID = "/proc/sys/kernel/random/boot_id"
_ATTEMPTS = 10
_AGAIN_SECONDS = 0.005
Identity = tuple[int, int]
"""Device and inode."""


class Hold:
    """To be closed when no ledger is open any more in this process.

    AlreadyRunning: another is the writer. OSError: the place cannot be used.
    """

    def __init__(self, ledger_path: Path) -> None:
        self._named = ledger_path
        self.ledger_path = ledger_path.resolve()
        """Where it is, whatever becomes of a link that leads there: who holds it opens it by this one."""
        self._path = lock_path(ledger_path)
        self._file: int | None = None
        self._strays: list[int] = []
        self._lost: AlreadyRunning | None = None
        make_dirs(self._path.parent)
        self._lock = self._locked(os.O_CREAT)
        try:
            self._identity = _identity(self._lock)
            self._disk = os.stat(self._path.parent).st_dev
            self.keep_file()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        for descriptor in (self._lock, self._file, *self._strays):
            if descriptor is not None:
                os.close(descriptor)

    def keep(self) -> bool:
        """One look at the lock file; True where it was gone, and is taken anew. AlreadyRunning: from now on always."""
        if self._lost is not None:
            raise self._lost
        return identity_at(self._path) != self._identity and self._take_anew()

    def is_kept(self) -> bool:
        """Does the lock lie at its path, so that nobody else can have the ledger there?"""
        return self._lost is None and identity_at(self._path) == self._identity

    def keep_file(self) -> None:
        """Lock the ledger's own file, by which one knows it who has it by another path, or finds no lock file.

        Not before it is made, and again wherever another has taken its place. Linux only: there this lock and SQLite's,
        of another kind, know nothing of each other. What is locked already is not opened twice: closing any descriptor
        of an open ledger would drop SQLite's locks.
        """
        if sys.platform != "linux" or self._has_file_at_its_path():
            return
        try:
            descriptor = os.open(self.ledger_path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return  # not made yet, or not for us: opening it tells
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._strays.append(descriptor)
            title = f"another syncd holds the ledger {self._named}, under another path"
            self._lost = AlreadyRunning(title, how_to_let_it(None))
            raise self._lost from error
        except OSError:
            self._strays.append(descriptor)  # the system does not allow it; closed with the rest, see above
            return
        former, self._file = self._file, descriptor
        if former is not None:
            os.close(former)

    def adopt(self, copy: Path, place: Path) -> None:
        """Make this copy of the ledger the one at its place, locked from its first moment there. Nobody has it open.

        FileExistsError: there is one, which is another's.
        """
        descriptor = os.open(copy, os.O_RDONLY | os.O_CLOEXEC)
        try:
            if sys.platform == "linux":  # as above
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            put_where_nothing_is(copy, place)
        except BaseException:
            os.close(descriptor)
            raise
        former, self._file = self._file, descriptor
        if former is not None:
            os.close(former)

    def is_deleted(self) -> bool:
        """Has nothing of what is locked a name any more? What merely went elsewhere, as with its disk, has."""
        held = [descriptor for descriptor in (self._lock, self._file) if descriptor is not None]
        return not any(os.fstat(descriptor).st_nlink for descriptor in held)

    def has_deleted(self, identity: Identity | None) -> bool:
        """Is the ledger of this device and inode deleted? Also where nobody can tell."""
        return self._file is None or _identity(self._file) != identity or self.knows_deleted(identity)

    def knows_deleted(self, identity: Identity | None) -> bool:
        """Is it known to be deleted?"""
        if self._file is None or _identity(self._file) != identity:
            return False
        return os.fstat(self._file).st_nlink == 0

    def may_make(self) -> bool:
        """May files be made at the ledger's place now? Its directory is made anew where it was deleted.

        Not where it went with its disk: what lies at its path then is another disk's.
        """
        directory, is_deleted = self._path.parent, self.is_deleted()
        try:
            return os.stat(directory).st_dev == self._disk or is_deleted
        except FileNotFoundError:
            above = next(place for place in directory.parents if place.exists())
            if not is_deleted or os.stat(above).st_dev != self._disk:
                return False
        make_dirs(directory)
        return True

    def _take_anew(self) -> bool:
        """A disk that comes back under another number has one already; none is made on what may be another disk."""
        try:
            descriptor = self._locked(os.O_CREAT if self.may_make() else 0)
            try:
                disk = os.stat(self._path.parent).st_dev
            except OSError:
                os.close(descriptor)
                raise
        except OSError:
            return False  # tried again at the next look
        except AlreadyRunning as error:
            if self._has_file_at_its_path() or self._is_own():
                return False  # who asks for it just now will find the ledger itself locked
            self._lost = error
            raise
        former, self._lock = self._lock, descriptor
        os.close(former)  # not before: there is no moment without one
        self._identity, self._disk = _identity(descriptor), disk
        return True

    def _has_file_at_its_path(self) -> bool:
        return self._file is not None and identity_at(self.ledger_path) == _identity(self._file)

    def _is_own(self) -> bool:
        """Is it ours after all? A look can fail once, and there are file systems that give a file another number each
        time.
        """
        try:
            return identity_at(self._path) == self._identity or self._path.read_bytes() == _owner_line()
        except OSError:
            return False

    def _locked(self, or_create: int) -> int:
        """A descriptor of the lock file that lies at the path, locked, with our name in it."""
        for _ in range(_ATTEMPTS):
            descriptor = os.open(self._path, os.O_RDWR | or_create | os.O_CLOEXEC, 0o600)
            try:
                if self._is_locked_by(descriptor):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)
            time.sleep(_AGAIN_SECONDS)
        raise OSError(errno.EAGAIN, f"{self._path} cannot be locked")

    def _is_locked_by(self, descriptor: int) -> bool:
        """False: to be opened again. It was removed before it was locked, or somebody only looks who has it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if not is_exclusive(descriptor):
                return False
            pid = holder_pid(descriptor)
            who = f"syncd with pid {pid}" if pid else "another syncd"
            raise AlreadyRunning(f"{who} holds the ledger {self._named}", how_to_let_it(pid), pid=pid) from error
        if identity_at(self._path) != _identity(descriptor):
            return False
        with suppress(OSError):  # a full disk: only information is missing, and the ledger itself tells of it
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, _owner_line(), 0)
        return True


def lock_path(ledger_path: Path) -> Path:
    real = ledger_path.resolve()
    return real.with_name(real.name + ".lock")


def is_exclusive(descriptor: int) -> bool:
    """Does another have the lock for himself? It is shared with us until the descriptor is closed, else."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def holder_pid(descriptor: int) -> int | None:
    try:
        owner = orjson.loads(os.pread(descriptor, _MAX_OWNER_BYTES, 0))
        return int(owner["pid"])
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None


def how_to_let_it(pid: int | None) -> str:
    by_hand = f"`kill {pid}`" if pid else "Ctrl-C where it was started"
    return f"let it do the work (`syncd status` tells how it is); or stop it first: `syncd service stop`, or {by_hand}"


def _owner_line() -> bytes:
    stat = _first_line(f"/proc/{os.getpid()}/stat")
    started = stat.rpartition(")")[2].split()[19] if stat is not None else None  # field 22 of proc(5)
    return orjson.dumps({"pid": os.getpid(), "started": started, "boot": _first_line(_BOOT_ID)}) + b"\n"


def _first_line(path: str) -> str | None:
    """None where /proc does not tell."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return None


def _identity(descriptor: int) -> Identity:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def identity_at(path: str | Path) -> Identity | None:
    """None: nothing that could be looked at."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
