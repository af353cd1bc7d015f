"""When a change is believed: a file, or its absence, must have been at rest, and no live turn may hold its lock.

Times of files tell how long; where they lie in the future (a clock that was set back), our own watching does.
Not a judge of what changed: ingest is.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.sources.locks import is_write_locked
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from syncd.clock import Clock
    from syncd.records import FileStat

RACY_SECONDS = 0.1
"""A write within this time of our stat may share its timestamp with the next one on a coarse clock."""
_KEPT_SECONDS = 600.0
MOST_SETTLES = 10
"""So many settle times and no longer may other bytes move about before they are judged."""


@dataclass(frozen=True, slots=True)
class Deferred:
    """Not to be judged yet: look again in `seconds`, because of `reason`: settling, locked, racy, missing, backlog or
    other_side.
    """

    reason: str
    seconds: float


class Settling:
    """What was seen unsettled, and since when."""

    def __init__(self, clock: Clock, settle_seconds: float) -> None:
        self._clock = clock
        self._settle_seconds = settle_seconds
        self._seen: dict[str, tuple[FileStat, float]] = {}
        self._missing_since: dict[str, float] = {}
        self._changes: dict[str, tuple[tuple[int, bytes] | None, float, float]] = {}

    def is_racy(self, path: str, stat: FileStat) -> bool:
        return self._rested_seconds(path, stat) < RACY_SECONDS

    def is_young(self, path: str, stat: FileStat) -> bool:
        return self._rested_seconds(path, stat) < self._settle_seconds

    def unrested(self, path: str, stat: FileStat, *, waits_for_lock: bool) -> Deferred | None:
        """Is the file still being written, or, where that matters, a turn under way?"""
        return self._unrested("settling", self._rested_seconds(path, stat), path if waits_for_lock else None)

    def unrested_change(
        self, path: str, stat: FileStat, difference: int, byte: bytes, *, waits_for_lock: bool
    ) -> Deferred | None:
        """Have the bytes that differ been at rest? Appends behind them do not make the wait begin anew, nor do others
        without end: a file that is changed again and again is judged all the same. Not one that only became shorter
        (`byte` is empty), which may yet come back: it has to rest.
        """
        now = self._clock.monotonic()
        change, since, first = self._changes.get(path, (None, now, now))
        if change != (difference, byte):
            since = now
        self._changes[path] = ((difference, byte), since, first)
        rested = self._rested_seconds(path, stat)
        if byte:
            is_endless = now - first >= MOST_SETTLES * self._settle_seconds
            rested = self._settle_seconds if is_endless else max(rested, now - since)
        return self._unrested("settling", rested, path if waits_for_lock else None)

    def is_judged(self, path: str) -> None:
        """There is no difference any more that would have to rest: the next one is another."""
        self._changes.pop(path, None)

    def unrested_absence(self, path: str) -> Deferred | None:
        """Has it been missing for long enough? The directory's time tells when names last changed in it."""
        now = self._clock.monotonic()
        since = self._missing_since.setdefault(path, now)
        age = self._clock.now_ms() / 1000 - _names_changed_at(os.path.dirname(path))
        return self._unrested("missing", max(now - since, age), path)

    def is_back(self, path: str) -> None:
        self._missing_since.pop(path, None)

    def forget_old(self) -> None:
        """What was last seen unsettled long ago: a daemon runs for months, and files come and go."""
        before = self._clock.monotonic() - max(_KEPT_SECONDS, 10 * self._settle_seconds)
        self._seen = {path: seen for path, seen in self._seen.items() if seen[1] > before}
        self._missing_since = {path: since for path, since in self._missing_since.items() if since > before}
        self._changes = {path: seen for path, seen in self._changes.items() if seen[1] > before}

    def _unrested(self, reason: str, rested: float, locked_path: str | None) -> Deferred | None:
        if rested < self._settle_seconds:
            return Deferred(reason, min(self._settle_seconds - rested, self._settle_seconds))
        if locked_path is not None and is_write_locked(locked_path, self._clock.now_ms()):
            return Deferred("locked", self._settle_seconds)
        return None

    def _rested_seconds(self, path: str, stat: FileStat) -> float:
        if is_stored(path):
            return math.inf  # what a database shows is whole at any moment
        age = (self._clock.now_ms() * 1_000_000 - stat.ctime_ns) / 1e9
        if age >= max(self._settle_seconds, RACY_SECONDS):
            return age  # at rest: nothing to remember
        now = self._clock.monotonic()
        seen, since = self._seen.get(path, (None, now))
        if seen != stat:
            since = now
            self._seen[path] = (stat, since)
        return max(now - since, age)


def is_racy(stat: FileStat, now_ms: int) -> bool:
    """Too young to prove that the bytes are still those that were read. For what is looked at without a memory."""
    return abs(now_ms - max(stat.mtime_ns, stat.ctime_ns) // 1_000_000) < RACY_SECONDS * 1000


def _names_changed_at(directory: str) -> float:
    """When a name last came to or went from the directory, or from the one in which it was itself."""
    while True:
        try:
            return os.stat(directory).st_mtime
        except OSError:
            directory = os.path.dirname(directory)
