"""The health log: JSON lines in a file of bounded size with a bounded number of older ones beside it, 0600.

Written a line at a time by the loop's thread, so nothing here waits; what cannot be written is a reason that the caller
reports, never the end of the mirror. Read by `syncd health`.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.errors import SyncdError
from syncd.paths import make_private_dir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.clock import Clock

MAX_BYTES = 1024 * 1024
OLDER_FILES = 4
FOLLOW_SECONDS = 0.25
# Not through a link, and never waiting for the reader of a FIFO.
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class HealthLog(NamedTuple):
    """Where it lies, and how often there is a line without an occasion.

    `prometheus_path`: where each line is kept for Prometheus, if it is.
    """

    path: Path
    interval_seconds: float
    prometheus_path: Path | None = None


def write_line(path: Path, line: dict[str, Any], max_bytes: int = MAX_BYTES) -> str | None:
    """Append one line, rotating first where it would not fit. Returns why it could not, or None."""
    encoded = json.dumps(line).encode() + b"\n"
    try:
        make_private_dir(path.parent)
        with suppress(FileNotFoundError):
            if 0 < os.lstat(path).st_size > max_bytes - len(encoded):
                _rotate(path)
        _append(path, encoded)
    except OSError as error:
        return f"cannot write {path}: {error.strerror or error}"
    except SyncdError as error:
        return error.title
    return None


def _append(path: Path, encoded: bytes) -> None:
    descriptor = os.open(path, _FLAGS, 0o600)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if os.write(descriptor, encoded) < len(encoded):  # the disk is full
            os.ftruncate(descriptor, before.st_size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)


def _rotate(path: Path) -> None:
    for number in range(OLDER_FILES, 0, -1):
        with suppress(FileNotFoundError):
            (_older(path, number - 1) if number > 1 else path).replace(_older(path, number))


def _older(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")


def log_files(path: Path) -> list[Path]:
    """All that there may be, the newest first."""
    return [path, *(_older(path, number) for number in range(1, OLDER_FILES + 1))]


def last_lines(path: Path, count: int) -> list[bytes]:
    """The newest complete lines, oldest first, from as many files as it takes."""
    found: list[bytes] = []
    for file in log_files(path):
        if len(found) >= count:
            break
        with suppress(FileNotFoundError):
            *lines, _torn = file.read_bytes().split(b"\n")
            found = lines + found
    return found[-count:] if count else []


def lines_to_come(path: Path, clock: Clock) -> Iterator[bytes]:
    """Every line written from now on, whichever file it goes to; ends only from outside."""
    return _new_lines(_Reader(path), clock)  # the place is taken now, not when the first line is asked for


def _new_lines(reader: _Reader, clock: Clock) -> Iterator[bytes]:
    while True:
        yield from reader.new_lines()
        clock.sleep(FOLLOW_SECONDS)


class _Reader:
    """A place in the log, at first its end, that outlives its rotation."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inode = self._offset = 0
        with suppress(FileNotFoundError):
            status = os.stat(path)
            self._inode, self._offset = status.st_ino, status.st_size

    def new_lines(self) -> Iterator[bytes]:
        for file in self._files_from_here():
            with suppress(FileNotFoundError), file.open("rb") as log:
                inode = os.fstat(log.fileno()).st_ino
                if inode != self._inode:
                    self._inode, self._offset = inode, 0
                log.seek(self._offset)
                for line in log:
                    if not line.endswith(b"\n"):
                        break  # being written
                    self._offset += len(line)
                    yield line.rstrip(b"\n")

    def _files_from_here(self) -> list[Path]:
        """The file that was read last, wherever it was moved, and all newer ones; oldest first."""
        newest_first: list[Path] = []
        for file in log_files(self._path):
            with suppress(FileNotFoundError):
                newest_first.append(file)
                if os.stat(file).st_ino == self._inode:
                    return newest_first[::-1]
        return [self._path]
