"""How long a process holds a lock on OpenClaw's files: the kernel's own list of locks, looked at all the time.

A look costs some hundred microseconds. Between two looks that are far apart, since the machine had others to serve,
nobody knows whether a lock was held on: such a gap ends what is counted as one time.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCKS = Path("/proc/locks")
LONGEST_GAP_SECONDS = 0.05
_PAUSE_SECONDS = 0.0005
_Lock = tuple[str, ...]
"""Kind, mode, file, from where to where."""


class HeldLocks:
    def __init__(self, pid: int, top: Path) -> None:
        self.looks = 0
        self.gaps = 0
        self.times: list[float] = []
        """Each time that something was locked on a file below `top`, in seconds."""
        self.is_listed = False
        """Does the kernel list this process at all? It holds a lock on its ledger for as long as it runs."""
        self._pid, self._top = str(pid), top
        self._since: dict[_Lock, tuple[float, float]] = {}

    @property
    def longest_ms(self) -> float:
        return max(self.times, default=0.0) * 1000

    def look(self) -> None:
        now, held = time.monotonic(), set()
        lines = [line.split() for line in LOCKS.read_text().splitlines()]
        ours = [words for words in lines if words[1] != "->" and words[4] == self._pid]
        self.is_listed = self.is_listed or bool(ours)
        if ours:
            theirs = self._inodes()
            held = {(*words[1:4], *words[5:]) for words in ours if words[5].rpartition(":")[2] in theirs}
        for lock in list(self._since):
            begun, last = self._since[lock]
            if lock not in held or now - last > LONGEST_GAP_SECONDS:
                self.times.append(last - begun)
                self.gaps += lock in held
                del self._since[lock]
        for lock in held:
            self._since[lock] = (self._since.get(lock, (now, now))[0], now)
        self.looks += 1

    def end(self) -> None:
        self.times += [last - begun for begun, last in self._since.values()]
        self._since.clear()

    def _inodes(self) -> set[str]:
        found = set()
        for place in (*self._top.glob("agents/*/agent/*.sqlite*"), *self._top.glob("state/*.sqlite*")):
            try:
                found.add(str(os.lstat(place).st_ino))
            except FileNotFoundError:
                continue  # a log goes with the last who has it open
        return found


@contextmanager
def locks_of(pid: int, top: Path) -> Iterator[HeldLocks]:
    held, is_over = HeldLocks(pid, top), threading.Event()

    def watch() -> None:
        while not is_over.wait(_PAUSE_SECONDS):
            held.look()

    watcher = threading.Thread(target=watch, name="held-locks")
    watcher.start()
    try:
        yield held
    finally:
        is_over.set()
        watcher.join()
        held.end()
