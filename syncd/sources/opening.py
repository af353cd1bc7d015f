"""Opening a file of OpenClaw's so that OpenClaw never notices: read-only, no lock, no atime, no link followed.

A FIFO cannot block us, a symlink cannot lead us out. .zst archives are opened as their decompressed bytes.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, BinaryIO, cast

from syncd.errors import SourceError
from syncd.records import FileProblem
from syncd.sources.archive import ArchiveFile, DamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NO_ATIME = getattr(os, "O_NOATIME", 0)
_TRANSIENT = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EINTR, errno.EAGAIN}
_ATTEMPTS = 5
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


def open_source(path: str, *, is_zst: bool = False) -> BinaryIO:
    """The file's bytes, unbuffered; a .zst archive's decompressed ones."""
    try:
        descriptor = _open(path)
    except OSError as error:
        raise _fault(path, error) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _refusal(path)
    plain = os.fdopen(descriptor, "rb", buffering=0)
    if not is_zst:
        return cast("BinaryIO", plain)
    return cast("BinaryIO", ArchiveFile(plain))


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
    try:
        return os.pread(source.fileno(), end - start, start)
    except OSError as error:
        raise _read_fault(error) from error


def _read_fault(error: OSError) -> SourceError:
    return SourceError(*reason_and_hint("read", error))


def _open(path: str) -> int:
    try:
        return os.open(path, _FLAGS | _NO_ATIME)
    except PermissionError:
        return os.open(path, _FLAGS)  # O_NOATIME is the owner's privilege
    except OSError as error:
        if error.errno not in _TRANSIENT:
            raise
    return _open_patiently(path)


def _open_patiently(path: str) -> int:
    # tenacity is loaded only when something is wrong: it costs as much as all else we import here.
    from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

    is_transient = retry_if_exception(lambda error: isinstance(error, OSError) and error.errno in _TRANSIENT)
    wait = wait_random_exponential(multiplier=0.05, max=1)
    retrying = Retrying(retry=is_transient, stop=stop_after_attempt(_ATTEMPTS), wait=wait, reraise=True)
    return retrying(os.open, path, _FLAGS)


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
