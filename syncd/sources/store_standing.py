"""How a database of OpenClaw's stands, by the stats of its files: may two looks at it be of different states?

Not here: reading it.
"""

from __future__ import annotations

import os
import stat
import time
from dataclasses import dataclass, field
from typing import Final

from syncd.sources.opening import NotThereError, StoreError, reason_and_hint, refused_file

_TICK_NS: Final = 20_000_000
"""Two writes of one moment may leave the same time."""
_COARSE_TICK_NS: Final = 2_000_000_000
_REFUSED_HINT: Final = (
    "only a regular file is read, and no link followed, so nothing new of it is mirrored; what is known is kept: "
    "put the database itself there, or name its directory as agentDir in OpenClaw's configuration"
)


@dataclass(frozen=True, slots=True)
class Standing:
    main: tuple[int, int, int, int, int]
    log: tuple[int, int, int, int, int] | None
    has_shared_memory: bool
    at_ns: int = field(compare=False)

    @property
    def is_fresh(self) -> bool:
        """Was the main file written just now? Then its next write might not show."""
        return _is_within_tick(self.main[3], self.at_ns)

    @property
    def has_fresh_log(self) -> bool:
        return self.log is not None and _is_within_tick(self.log[3], self.at_ns)

    @property
    def inodes(self) -> tuple[object, ...]:
        return self.main[:2], self.log[:2] if self.log is not None else None, self.has_shared_memory

    @property
    def has_log(self) -> bool:
        return self.log is not None and self.log[2] > 0


def _is_within_tick(written_ns: int, now_ns: int) -> bool:
    """A time far ahead is none: the next write has another."""
    has_seconds_only = written_ns % 1_000_000_000 == 0  # as some file systems; of FAT, two
    return abs(now_ns - written_ns) < (_COARSE_TICK_NS if has_seconds_only else _TICK_NS)


def standing_of(path: str) -> Standing:
    """The database and what lies beside it, by their stats."""
    now_ns = time.time_ns()
    try:
        main = os.lstat(path)
        if not stat.S_ISREG(main.st_mode):
            raise StoreError("store_unreadable", path, refused_file(path).reason, _REFUSED_HINT)
        log, shared = _lstat(f"{path}-wal"), _lstat(f"{path}-shm")
    except FileNotFoundError as error:
        raise NotThereError(f"{path} is gone", "nothing to do", path=path) from error
    except OSError as error:
        reason, hint = reason_and_hint("read", error)
        raise StoreError("store_unreadable", path, reason, hint) from error
    return Standing(_facts(main), _facts(log) if log is not None else None, shared is not None, now_ns)


def _lstat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None


def _facts(status: os.stat_result) -> tuple[int, int, int, int, int]:
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
