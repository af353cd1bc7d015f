"""Opening a file of OpenClaw's so that OpenClaw never notices: read-only, no lock, no atime, no link followed.

A FIFO cannot block us, a symlink cannot lead us out. .zst archives are opened as their decompressed bytes.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, cast

from syncd.errors import SourceError
from syncd.records import FileProblem, FileStat
from syncd.sources.store_paths import is_stored, is_stored_archive

if TYPE_CHECKING:
    from collections.abc import Iterator

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NO_ATIME = getattr(os, "O_NOATIME", 0)
_TRANSIENT = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EINTR, errno.EAGAIN}
_ATTEMPTS = 5
_PIECE_BYTES = 256 * 1024
_KINDS = (
    (stat.S_ISLNK, "a symlink"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_REFUSED_HINT = "only regular files are read; it is left alone"


class NotThereError(SourceError):
    """The file vanished between being listed and being opened: ordinary, not a fault."""


class RefusedError(SourceError):
    """Not a plain file: a symlink, FIFO, directory, socket or device under a transcript's name."""


class DamagedError(Exception):
    """What is here cannot be decompressed."""


BUSY_CODE = "store_busy"
"""OpenClaw is at work in its database: whoever waits a little can read it."""
BUSY_POLL_SECONDS = 0.1


class StoreError(SourceError):
    """Why a database of OpenClaw's cannot be read now; `code` is the public name of that state."""

    def __init__(self, code: str, path: str, reason: str, hint: str) -> None:
        super().__init__(f"{path} {reason}", hint, path=path)
        self.code = code


class DoubtedError(StoreError):
    """Where the bytes of a session lie was remembered, and is forgotten now: opened once more, it can be read."""


def problem_of(error: SourceError, path: str) -> FileProblem:
    """The same as a value, of the path that was looked at: another one that is to blame is named."""
    if not isinstance(error, StoreError):
        return FileProblem(path, error.reason, error.hint)
    reason = error.reason if error.path == path else error.title
    return FileProblem(path, reason, error.hint, error.code)


def open_source(path: str, *, is_zst: bool = False) -> BinaryIO:
    """The file's bytes, unbuffered; a .zst archive's decompressed ones, a session's events in OpenClaw's database."""
    if is_stored(path):
        return _open_stored(path)
    try:
        descriptor = open_plain(path)
    except OSError as error:
        raise _fault(path, error) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _refusal(path)
    plain = os.fdopen(descriptor, "rb", buffering=0)
    if not is_zst:
        return cast("BinaryIO", plain)
    from syncd.sources.archive import ArchiveFile  # brings a decompressor, and `status` is to be quick

    return cast("BinaryIO", ArchiveFile(plain))


def _open_stored(path: str) -> BinaryIO:
    if is_stored_archive(path):
        from syncd.sources.store_archives import StoredArchiveFile

        return cast("BinaryIO", StoredArchiveFile(path))
    from syncd.sources.store_file import StoreFile

    return cast("BinaryIO", StoreFile(path))


def stat_of(source: BinaryIO) -> FileStat:
    """What tells a change of an open source."""
    stored: FileStat | None = getattr(source, "stat", None)
    return stored if stored is not None else FileStat.of(os.fstat(source.fileno()))


def doubt(source: BinaryIO) -> None:
    """Bytes of it are not what they were. DoubtedError: they may only be elsewhere."""
    if (of_store := getattr(source, "doubt", None)) is not None:
        of_store()


def flaw_of(source: BinaryIO) -> StoreError | None:
    """What could not be made out of what was read so far, though what follows it could."""
    return cast("StoreError | None", getattr(source, "flaw", None))


def unknown_in(source: BinaryIO) -> list[tuple[int, int]]:
    """From where to where the bytes read so far are only stand-ins."""
    return cast("list[tuple[int, int]]", getattr(source, "unknown", []))


def stat_at(path: str) -> FileStat | None:
    """The same of what is at a path; None: nothing is, or it cannot be looked at."""
    if is_stored(path):
        try:
            with open_source(path) as source:
                return stat_of(source)
        except SourceError:
            return None
    try:
        return FileStat.of(os.lstat(path))
    except OSError:
        return None


def problem_at(path: str) -> FileProblem | None:
    """What keeps it from being opened; None: nothing does, or it is not there."""
    try:
        open_source(path).close()
    except (NotThereError, RefusedError):
        return None
    except SourceError as error:
        return problem_of(error, path)
    return None


def is_there(path: str) -> bool:
    """Is anything at this path, by that very name? A database that cannot be read just now still has its sessions."""
    if not is_stored(path):
        return os.path.lexists(path) and not is_another_spelling(path)
    try:
        open_source(path).close()
    except (NotThereError, RefusedError):
        return False
    except SourceError:
        return True
    return True


def is_another_spelling(path: str) -> bool:
    """Where a disk folds case, a file is found by names that it does not have any more."""
    directory, name = os.path.split(path)
    try:
        found, other = os.lstat(path), os.lstat(os.path.join(directory, name.swapcase()))
        return os.path.samestat(found, other) and name not in _names_in(directory, os.stat(directory).st_mtime_ns)
    except OSError:
        return False  # usually there is no such name


@lru_cache(maxsize=16)
def _names_in(directory: str, mtime_ns: int) -> frozenset[str]:  # noqa: ARG001  a rename changes it
    """Where case is folded every look asks: not each append may cost as much as its directory is large."""
    return frozenset(os.listdir(directory))


def is_surely_gone(path: str) -> bool:
    """Not, where nobody lets us look."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False


def why_unreadable(path: str) -> FileProblem | None:
    """Why the bytes at a path cannot be had, through links; None: they can, or there is nothing to be had."""
    try:
        with open_source(os.path.realpath(path)) as source:
            for _ in read_pieces(source, 0, None, _PIECE_BYTES):
                pass
    except (NotThereError, RefusedError):
        return None
    except SourceError as error:
        return FileProblem(path, error.reason, error.hint)
    return None


def read_pieces(source: BinaryIO, start: int, end: int | None, piece_bytes: int) -> Iterator[bytes]:
    """Bytes from `start` up to `end` (None = as far as it goes) in bounded pieces; ends early where the file does."""
    try:
        while end is None or start < end:
            source.seek(start)  # each time: others read the same file in between
            piece = source.read(piece_bytes if end is None else min(piece_bytes, end - start))
            if not piece:
                return
            start += len(piece)
            yield piece
    except DamagedError as error:
        hint = "what stands before the damage is kept; put a whole copy in its place, and it is read on"
        raise SourceError(f"archive is damaged, or not all written yet: {error}", hint) from error
    except OSError as error:
        raise _read_fault(error) from error


def read_at(source: BinaryIO, start: int, end: int) -> bytes:
    """The plain file's bytes in [start, end), wherever others read in it meanwhile; fewer where it ends."""
    if (stored := getattr(source, "read_at", None)) is not None:
        return cast("bytes", stored(start, end))
    try:
        return os.pread(source.fileno(), end - start, start)
    except OSError as error:
        raise _read_fault(error) from error


def _read_fault(error: OSError) -> SourceError:
    return SourceError(*reason_and_hint("read", error))


def open_plain(path: str) -> int:
    """A descriptor. OSError: it cannot be opened."""
    try:
        return _open_once(path)
    except OSError as error:
        if error.errno not in _TRANSIENT:
            raise
    return _open_patiently(path)


def _open_once(path: str) -> int:
    try:
        return os.open(path, _FLAGS | NO_ATIME)
    except PermissionError:
        return os.open(path, _FLAGS)  # O_NOATIME is the owner's privilege


def _open_patiently(path: str) -> int:
    # tenacity is loaded only when something is wrong: it costs as much as all else we import here.
    from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

    is_transient = retry_if_exception(lambda error: isinstance(error, OSError) and error.errno in _TRANSIENT)
    wait = wait_random_exponential(multiplier=0.05, max=1)
    retrying = Retrying(retry=is_transient, stop=stop_after_attempt(_ATTEMPTS), wait=wait, reraise=True)
    return retrying(_open_once, path)


def _fault(path: str, error: OSError) -> SourceError:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return NotThereError(f"{path} is gone", "nothing to do", path=path)
    if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
        return _refusal(path)
    reason, hint = reason_and_hint("read", error)
    return SourceError(f"{path} {reason}", hint, path=path)


def reason_and_hint(done: str, error: OSError) -> tuple[str, str]:
    """Why something of OpenClaw's could not be read, listed, looked at, and what to do."""
    if error.errno in (errno.EACCES, errno.EPERM):
        hint = "give this user the right to read it, or run syncd as its owner; it is tried again"
    elif error.errno in _TRANSIENT:
        hint = "it is tried again; if it stays so, raise the limit of open files (ulimit -n) or free memory"
    else:
        hint = "look at the disk it lies on; it is tried again"
    return f"cannot be {done}: {error.strerror or error}", hint


def refused_file(path: str) -> FileProblem:
    """What stands at a path that cannot be a transcript, whatever its name is."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        mode = 0
    what = next((name for is_it, name in _KINDS if is_it(mode)), "no regular file")
    return FileProblem(path, f"is {what}", _REFUSED_HINT)


def _refusal(path: str) -> RefusedError:
    problem = refused_file(path)
    return RefusedError(f"{path} {problem.reason}", problem.hint, path=path)
