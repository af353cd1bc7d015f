"""Files that were read a moment ago, and as what: they are looked at without an event, too, since none may come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.sources.opening import stat_at

if TYPE_CHECKING:
    from syncd.clock import Clock
    from syncd.records import FileStat, ListedFile

ACTIVE_SECONDS = 120.0
MAX_ACTIVE = 1000


class Lately:
    """Of so many the oldest is forgotten first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._read: dict[str, tuple[float, ListedFile]] = {}

    def __bool__(self) -> bool:
        return bool(self._read)

    def note(self, listed: ListedFile) -> None:
        if len(self._read) >= MAX_ACTIVE and listed.path not in self._read:
            del self._read[next(iter(self._read))]
        self._read[listed.path] = (self._clock.monotonic(), listed)

    def forget(self, path: str) -> None:
        self._read.pop(path, None)

    def forget_old(self) -> None:
        now = self._clock.monotonic()
        for path, (since, _) in list(self._read.items()):
            if now - since > ACTIVE_SECONDS:
                del self._read[path]

    def is_same_file(self, path: str, stat: FileStat) -> bool:
        """The very file, grown or not, that was read there?"""
        return path in self._read and self._read[path][1].stat[:2] == stat[:2]

    def moved(self) -> list[str]:
        """Those that are not as they were read."""
        return [path for path, (_, listed) in self._read.items() if stat_at(path) != listed.stat]

    def grown(self) -> list[ListedFile]:
        """As they are now, those that only have more than was read."""
        found = []
        for path, (_, listed) in self._read.items():
            now = stat_at(path)
            if now is not None and now[:2] == listed.stat[:2] and now.size > listed.stat.size:
                found.append(listed._replace(stat=now))
        return found
