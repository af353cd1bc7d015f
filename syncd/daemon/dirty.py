"""Paths to look at: a bounded set that any thread may add to. Too many of them are simply "look at everything".

Not a queue: a path that is written a hundred times is looked at once, and nothing here knows what a path is.
"""

from __future__ import annotations

import os
import select
import threading
from contextlib import suppress
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
    """Filled by the watcher's thread, emptied by the loop's.

    The bell is a pipe: a signal handler may ring it at any moment, and the kernel's own, before Python's is called
    (signal.set_wakeup_fd). An Event's lock would not let the handler in; a SimpleQueue can wait for ever where its
    timeout passed before it slept; and none of them wakes where a signal came just before the sleep.
    """

    def __init__(self, max_paths: int = MAX_PATHS) -> None:
        self._max_paths = max_paths
        self._lock = threading.Lock()
        self._ear, self.bell = os.pipe()
        for descriptor in (self._ear, self.bell):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(self._ear, select.POLLIN)
        self._paths: set[str] = set()
        self._everything = False
        self.overflows = 0

    def __del__(self) -> None:
        """Not sooner: whoever could still ring would ring at whatever has the number by then."""
        for descriptor in (self._ear, self.bell):
            os.close(descriptor)

    def add(self, path: str) -> None:
        with self._lock:
            is_rung = bool(self._paths) or self._everything  # then `take` is still to come, and finds what is added
            self._paths.add(path)
            if len(self._paths) > self._max_paths:
                self._paths.clear()
                self._everything = True
                self.overflows += 1
        if not is_rung:
            self.wake()

    def add_everything(self) -> None:
        with self._lock:
            self._everything = True
        self.wake()

    @property
    def has_any(self) -> bool:
        return bool(self._paths) or self._everything

    def wake(self) -> None:
        """Let a waiting `take` return at once, with whatever there is. Also from a signal handler."""
        with suppress(BlockingIOError):  # full: it has been rung often enough
            os.write(self.bell, b"\0")

    def take(self, timeout_seconds: float) -> Dirt:
        """What was added since the last call; waits for it, but no longer than this."""
        if self._poll.poll(max(0.0, timeout_seconds) * 1000):
            with suppress(BlockingIOError):
                while os.read(self._ear, 4096):
                    pass
        with self._lock:
            taken = Dirt(frozenset(self._paths), self._everything)
            self._paths.clear()
            self._everything = False
        return taken
