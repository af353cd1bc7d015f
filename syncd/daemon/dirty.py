"""Paths to look at: a bounded set that any thread may add to. Too many of them are simply "look at everything".

Not a queue: a path that is written a hundred times is looked at once, and nothing here knows what a path is.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

MAX_PATHS = 20_000


class Dirt(NamedTuple):
    """What there is to look at. `everything`: list all directories again."""

    paths: frozenset[str]
    everything: bool


class DirtySet:
    """Filled by the watcher's thread, emptied by the loop's."""

    def __init__(self, max_paths: int = MAX_PATHS) -> None:
        self._max_paths = max_paths
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._paths: set[str] = set()
        self._everything = False
        self.overflows = 0

    def add(self, path: str) -> None:
        with self._lock:
            self._paths.add(path)
            if len(self._paths) > self._max_paths:
                self._paths.clear()
                self._everything = True
                self.overflows += 1
        self._woken.set()

    def add_everything(self) -> None:
        with self._lock:
            self._everything = True
        self._woken.set()

    def wake(self) -> None:
        """Let a waiting `take` return at once, with whatever there is."""
        self._woken.set()

    def take(self, timeout_seconds: float) -> Dirt:
        """What was added since the last call; waits for it, but no longer than this."""
        self._woken.wait(timeout_seconds)
        with self._lock:
            self._woken.clear()
            taken = Dirt(frozenset(self._paths), self._everything)
            self._paths.clear()
            self._everything = False
        return taken
