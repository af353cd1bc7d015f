"""OpenClaw's own databases, followed live: which there are, and which of their sessions moved since the last look.

A quick look asks for no more than each session's watermark, and for archives that came. Not for what has changed in a
session: that is the follower's, as with files. Events name the database or the files beside it; their stats are looked
at as well.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.sources.cold_archive import archive_directory
from syncd.sources.opening import problem_of
from syncd.sources.store_archives import NO_ARCHIVE, archives_since
from syncd.sources.store_looks import changed_sessions, moments_of
from syncd.sources.store_paths import STORE_SUFFIX, store_named, stored_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.records import FileProblem
    from syncd.sources.store_archives import NewestArchive
    from syncd.sources.store_looks import Moments
    from syncd.sources.store_places import StorePlace

ACTIVE_SECONDS = 120.0
AGAIN_SECONDS = (0.003, 0.01, 0.04, 0.2, 1.0)
"""A write to the log is seen before what it commits can be read: nothing tells of that moment, so it is looked for."""
_AFTER_CHANGE = 3
"""From which step on, once the change was found: another commit may have come with the same write."""
_QUICK_STEPS = 3
MANY = 500
"""Sessions: of more, only what was written lately is looked at, until a look has the time for all of them."""
_LATELY_MS = 60_000
_Traces = tuple[tuple[int, int, int] | None, ...]


class Stores:
    """Of one state dir. `shared`: a database of OpenClaw's that is written often and holds no sessions."""

    def __init__(self, shared: str = "") -> None:
        self._shared = shared
        self._agents: dict[str, str] = {}
        self._moments: dict[str, Moments] = {}
        self._archives: dict[str, NewestArchive] = {}
        self.flaws: dict[str, FileProblem] = {}
        """Of databases whose sessions can be followed, and whose archives cannot be read."""
        self._traces: dict[str, tuple[float, _Traces]] = {}
        self._again: dict[str, tuple[float, int]] = {}

    def adopt(self, places: Iterable[StorePlace], now: float) -> None:
        """Before everything is listed: whatever changes from now on shows as a change."""
        self._agents = {place.path: place.agent_id for place in places}
        self._traces = {path: seen for path, seen in self._traces.items() if path in self._agents}
        self._again = {path: again for path, again in self._again.items() if path in self._agents}
        self.flaws = {path: flaw for path, flaw in self.flaws.items() if path in self._agents}
        for path in self._agents:
            self._see(path, now)
            self._moments[path] = {}
            self._archives[path] = NO_ARCHIVE
            with suppress(SourceError):  # whoever lists it says what is wrong
                _, self._archives[path] = archives_since(path, None)
            with suppress(SourceError):
                self._moments[path] = moments_of(path) or {}

    def named_by(self, path: str) -> str | None:
        """The database that an event speaks of, if it is one of ours."""
        store = store_named(path)
        return store if store in self._agents else None

    def is_unknown(self, path: str) -> bool:
        """Might it be a database that was not there before?"""
        store = store_named(path)
        return store.endswith(STORE_SUFFIX) and store not in self._agents and store != self._shared

    def twins_of(self, archive: str) -> list[str]:
        """Where a file that OpenClaw made of an archive lies in a database, as long as the file is not there."""
        directory, name = os.path.split(archive)
        return [f"{store}/{name}" for store in self._agents if archive_directory(store) == directory]

    def moved_sessions(self, path: str, now: float) -> list[tuple[str, str]] | None:
        """Agent and path of each session that may have changed, and of each archive that came; None: only a listing
        tells. SourceError: not now.
        """
        self.flaws.pop(path, None)
        inode_before = self._inode_seen(path)
        is_written = self._see(path, now)
        before = self._moments.get(path, {})
        # A look that fails is made again by whoever asked for it.
        _, step = self._again.pop(path, (now, len(AGAIN_SECONDS) if before else 0))
        if inode_before != self._inode_seen(path):  # whatever it holds, it is another to those that know its sessions
            return None
        is_quick = len(before) > MANY and (is_written or step <= _QUICK_STEPS)
        found = changed_sessions(path, before, _lately(before, self._traces[path][1]) if is_quick else None)
        if found is None:
            return None
        changed, self._moments[path] = found
        archives = self._archives_that_came(path)  # after the sessions: one that is seen gone is in its archive by then
        if changed or archives:
            step = _AFTER_CHANGE  # seen; each look is one that a closing OpenClaw may find in its way
        elif is_written:
            step = 0
        if step < len(AGAIN_SECONDS):
            self._again[path] = (now + AGAIN_SECONDS[step], step + 1)
        names = (*(stored_path(path, session_id) for session_id in changed), *(f"{path}/{name}" for name in archives))
        return [(self._agents[path], name) for name in names]

    def _archives_that_came(self, path: str) -> list[str]:
        try:
            names, self._archives[path] = archives_since(path, self._archives.get(path, NO_ARCHIVE))
        except SourceError as error:
            self.flaws[path] = problem_of(error, path)
            return []
        return names

    def next_at(self) -> float | None:
        return min((at for at, _ in self._again.values()), default=None)

    def due(self, now: float) -> list[str]:
        return [path for path, (at, _) in self._again.items() if at <= now]

    def has_active(self, now: float) -> bool:
        return any(now - since <= ACTIVE_SECONDS for since, _ in self._traces.values())

    def moved(self, now: float) -> list[str]:
        """Databases that were written lately, and again since they were last looked at."""
        return [
            path for path, (since, _) in self._traces.items() if now - since <= ACTIVE_SECONDS and self.is_written(path)
        ]

    def is_written(self, path: str) -> bool:
        """Since it was last looked at?"""
        known = self._traces.get(path)
        return known is None or traces_of(path) != known[1]

    def may_be_mended(self, path: str, problem: FileProblem | None) -> bool:
        """What is busy only waits; anything else that is wrong with a database may be gone with the next write."""
        return problem is not None and problem.code != "store_busy" and self.is_written(path)

    def _inode_seen(self, path: str) -> int | None:
        """Which file the database was when it was last looked at."""
        known = self._traces.get(path)
        trace = known[1][0] if known is not None else None
        return trace[2] if trace is not None else None

    def _see(self, path: str, now: float) -> bool:
        """Look at it now: was it written since the last time?"""
        traces = traces_of(path)
        known = self._traces.get(path)
        if known is not None and known[1] == traces:
            return False
        self._traces[path] = (now, traces)
        return True


def _lately(moments: Moments, traces: _Traces) -> int:
    """A while before the last write that is known. In milliseconds, by OpenClaw's clock.

    The clock may have been ahead once, and a session keeps such a time: none is later than the files were written.
    """
    told = max((moment for moment, _ in moments.values() if isinstance(moment, int)), default=0)
    written = max((trace[1] // 1_000_000 for trace in traces if trace is not None), default=told)
    return min(told, written) - _LATELY_MS


def directory_of(place: str) -> str:
    """What is watched of a place that was listed; of a database, also one that is followed no more, where it lies."""
    return os.path.dirname(place) if place.endswith(STORE_SUFFIX) and not os.path.isdir(place) else place


def traces_of(path: str) -> _Traces:
    """What a write leaves: of the database and of its log, size, time and inode."""
    return tuple(_trace(name) for name in (path, f"{path}-wal"))


def _trace(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino
