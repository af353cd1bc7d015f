"""Paths to look at: a bounded set that any thread may add to. Too many of them are simply "look at everything".

Not a queue: a path that is written a hundred times is looked at once, and nothing here knows what a path is.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import NamedTuple

MAX_PATHS = 20_000
CROWD_PATHS, CROWD_SECONDS = 8, 0.1
"""So many different files written in this time are a crowd."""
CROWD_PACE_SECONDS = 0.015


class Dirt(NamedTuple):
    """What there is to look at. `everything`: list all directories again."""

    paths: frozenset[str]
    everything: bool

    def with_more(self, later: Dirt) -> Dirt:
        return Dirt(self.paths | later.paths, self.everything or later.everything)


class Crowd:
    """Many files written at once: passes then keep a little apart, so that each of them commits for many.

    A file or a few, however often they are written, wait for nobody.
    """

    def __init__(self) -> None:
        self._paths: set[str] = set()
        self._since = 0.0
        self._is_crowd = False
        self._last_pass = 0.0

    def seconds_to_wait(self, paths: frozenset[str], now: float) -> float:
        """Before the pass over these paths, which is to begin now or then."""
        if now - self._since >= CROWD_SECONDS:
            self._is_crowd = len(self._paths) >= CROWD_PATHS and now - self._since < 2 * CROWD_SECONDS
            self._paths, self._since = set(), now
        self._paths |= paths
        wait = max(0.0, self._last_pass + CROWD_PACE_SECONDS - now) if self._is_crowd and paths else 0.0
        self._last_pass = now + wait
        return wait


class DirtySet:
    """Filled by the watcher's thread, emptied by the loop's."""

    def __init__(self, max_paths: int = MAX_PATHS) -> None:
        self._max_paths = max_paths
        self._lock = threading.Lock()
        # Not an Event: a signal handler must be able to wake a loop that is just about to wait, and an Event's lock
        # would not let it in. `put` of this queue may interrupt itself.
        self._wakes: SimpleQueue[None] = SimpleQueue()
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
        self._wake_once()

    def add_everything(self) -> None:
        with self._lock:
            self._everything = True
        self._wake_once()

    def _wake_once(self) -> None:
        if self._wakes.empty():  # else `take` is still to come, and finds what was added
            self._wakes.put(None)

    def wake(self) -> None:
        """Let a waiting `take` return at once, with whatever there is. Also from a signal handler."""
        self._wakes.put(None)

    def take(self, timeout_seconds: float) -> Dirt:
        """What was added since the last call; waits for it, but no longer than this."""
        with suppress(Empty):
            self._wakes.get(timeout=max(0.0, timeout_seconds))
            while True:
                self._wakes.get_nowait()
        with self._lock:
            taken = Dirt(frozenset(self._paths), self._everything)
            self._paths.clear()
            self._everything = False
        return taken
