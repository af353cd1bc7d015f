"""The files of OpenClaw's own SQLite as SQLite sees them here: nothing of them can be created, changed or removed.

Links among the directories above them are followed, as those above any file of OpenClaw's; one in a file's own place
is not.

Opened with `UNLOCKED`, the main file of a database with a log is not locked either: who closes it as the last one tries
once to have it alone, and would leave its log behind if we were there. What that lock is for must then be found out
afterwards, which is what a LogFile notes. Not here: who may ask what.
"""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import suppress
from typing import Final

import apsw

from syncd.paths import is_utf8
from syncd.sources.opening import NO_ATIME, open_plain

UNLOCKED: Final = "unlocked"
VFS_NAME: Final = "syncd-reads-only"
_NOT_WANTED: Final = apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_DELETEONCLOSE
_FORMAT_AT: Final = 18
_WITH_LOG: Final = b"\x02\x02"
"""Where the head of a database tells how it is written, and what it says there."""
_COMMIT_AT: Final = slice(4, 8)
_NO_COMMIT: Final = bytes(4)
"""Of a frame in the log, which is one page: the size of the database if a commit ends with it."""


_LOG_HEAD_BYTES: Final = 32
_PAGE_BYTES_AT: Final = slice(8, 12)
_LOG_SALT_AT: Final = slice(16, 24)
_FRAME_HEAD_BYTES: Final = 24
_SALT_AT: Final = slice(8, 16)
"""Of a log and of a frame: what tells that they belong together."""


class _ReadsOnly(apsw.VFS):
    """The usual file system, without a way to create, change or remove anything."""

    def __init__(self) -> None:
        super().__init__(VFS_NAME, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's
        wanted = [(flags[0] & ~_NOT_WANTED) | apsw.SQLITE_OPEN_READONLY, flags[1]]
        file: _ReadFile
        if wanted[0] & apsw.SQLITE_OPEN_WAL:
            # Under its own name SQLite would, as root, set a log's owner anew; this kind of file it leaves as it is.
            wanted[0] ^= apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_SUPER_JOURNAL
            file = _opening.log = LogFile("", name, wanted)
        elif isinstance(name, apsw.URIFilename) and name.uri_boolean(UNLOCKED, False):
            file = _UnlockedFile("", name, wanted)
            _opening.log = None
        else:
            file = _ReadFile("", name, wanted)
        flags[1] = wanted[1]
        return file

    def xFullPathname(self, name: str) -> str:  # noqa: N802 - SQLite's
        """The real directory, so that all files of a database are of one, whatever becomes of a link meanwhile.

        SQLite's own answer tells of a link too, which the driver takes for a fault. That none stands in a file's own
        place is seen to where it is opened: SQLite never follows one there.
        """
        directory, file = os.path.split(name)
        real = os.path.realpath(directory)
        return os.path.join(real if is_utf8(real) else directory, file)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's
        raise apsw.ReadOnlyError("nothing is removed here")


class _ReadFile(apsw.VFSFile):
    def __init__(self, vfs: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        descriptor = _next_descriptor()
        super().__init__(vfs, name, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is not None:
            _leave_atime(descriptor, path)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's
        raise apsw.ReadOnlyError("nothing is written here")

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's
        raise apsw.ReadOnlyError("nothing is written here")


def _next_descriptor() -> int:
    """The number that the next file has that this process opens; another thread may come first."""
    descriptor = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    os.close(descriptor)
    return descriptor


def _leave_atime(descriptor: int, path: str) -> None:
    """SQLite cannot be told to open a file with O_NOATIME; before it reads, that can still be set, by the owner."""
    with suppress(OSError):  # a thread came first, and closed its file again; or it is not ours
        opened, there = os.fstat(descriptor), os.lstat(path)
        if (opened.st_dev, opened.st_ino) == (there.st_dev, there.st_ino):
            fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | NO_ATIME)


class _UnlockedFile(_ReadFile):
    def xLock(self, level: int) -> None:  # noqa: N802 - SQLite's
        if self.xRead(len(_WITH_LOG), _FORMAT_AT) != _WITH_LOG:
            super().xLock(level)  # without a log it is what keeps a reader from half a write


class LogFile(_ReadFile):
    """Notes what SQLite finds when it goes through the log: size, head, and the frame that it went to.

    That is the one behind the last commit, and does not belong to this log, unless a commit was only begun.
    """

    _size: int | None = None
    _head = b""
    _end = (0, b"")
    _is_behind_commit = True
    _has_begun = False

    def xFileSize(self) -> int:  # noqa: N802 - SQLite's
        size = super().xFileSize()
        if self._size is None:
            self._size = size
        return size

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's
        data = super().xRead(amount, offset)
        if offset > self._end[0]:
            is_commit = data[_COMMIT_AT] != _NO_COMMIT and data[_SALT_AT] == self._head[_LOG_SALT_AT]
            self._has_begun = not self._is_behind_commit and not is_commit
            self._is_behind_commit = is_commit
            self._end = offset, data
        elif offset == 0:
            self._head = data
        return data

    @property
    def has_same_head(self) -> bool:
        """Did it not begin anew? The head is written first then."""
        return super().xRead(len(self._head), 0) == self._head if self._head else True

    @property
    def is_as_it_was(self) -> bool:
        """Was nothing committed since?

        An empty log does not tell: something may have come and gone. Nor does one with several frames behind the last
        commit: more may have followed them, or others may have taken the place of some.
        """
        if not self._head or self._has_begun:
            return False
        offset, data = self._end
        return super().xFileSize() == self._size and self.has_same_head and super().xRead(len(data), offset) == data


def is_long(log_path: str, frames: int) -> bool:
    """Does a log have so many frames? It may once have had, and begun anew: what it had then lies behind still."""
    try:
        log = open_plain(log_path)
    except OSError:
        return False  # whoever opens it says what is wrong
    try:
        head = os.pread(log, _LOG_HEAD_BYTES, 0)
        page_bytes = int.from_bytes(head[_PAGE_BYTES_AT])
        last = os.pread(log, _FRAME_HEAD_BYTES, _LOG_HEAD_BYTES + (frames - 1) * (_FRAME_HEAD_BYTES + page_bytes))
        return last[_SALT_AT] == head[_LOG_SALT_AT] != b""
    finally:
        os.close(log)


_opening = threading.local()
_registered: list[_ReadsOnly] = []
_registering = threading.Lock()


def reading_vfs() -> _ReadsOnly:
    """Made once in a process: SQLite knows it by its name from then on."""
    with _registering:
        if not _registered:
            _registered.append(_ReadsOnly())
        return _registered[0]


def last_opened_log() -> LogFile | None:
    """By this thread, since it last opened a database unlocked."""
    log: LogFile | None = getattr(_opening, "log", None)
    return log
