"""watchdog's events turned into dirty paths, and watchdog itself watched.

It drops events on overflow with no more than a log line, loses directories beyond the kernel's limit in silence, and
its threads can die while it says it is alive: all of that is looked for here and answered by "look at everything" and a
new observer. Where no events can be had at all, `mode` is "poll" and the loop looks by itself.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from watchdog.observers.api import BaseObserver

    from syncd.daemon.dirty import DirtySet

# Opening and reading a file makes events too: without a filter our own looks would wake us.
_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    DirCreatedEvent,
    DirMovedEvent,
    DirDeletedEvent,
]
_OVERFLOW_LOGGER = "watchdog.observers.inotify_c"
_STOP_SECONDS = 2.0


class Watcher:
    """Watches directory trees; `check` now and then."""

    def __init__(self, dirty: DirtySet, roots: Iterable[str]) -> None:
        self._dirty = dirty
        self._roots = tuple(roots)
        self._observer: BaseObserver | None = None
        self._seen: dict[str, tuple[int, int] | None] = {}
        self._log = _OverflowHandler(dirty)
        self.mode = "poll"
        self.reason: str | None = None
        self.rebuilds = 0

    def start(self) -> None:
        """Begin to watch, as far as the system lets us."""
        logging.getLogger(_OVERFLOW_LOGGER).addHandler(self._log)
        self._start_observer()

    def stop(self) -> None:
        logging.getLogger(_OVERFLOW_LOGGER).removeHandler(self._log)
        self._stop_observer()

    def check(self) -> None:
        """Is everything that should be watched still watched? If not, begin anew and look at everything."""
        if self._is_sound():
            return
        self.rebuilds += 1
        self._stop_observer()
        self._start_observer()
        self._dirty.add_everything()

    def _is_sound(self) -> bool:
        observer = self._observer
        if {root: _identity(root) for root in self._roots} != self._seen:
            return False  # one of them came, went, or is another directory now
        if observer is None:
            return not any(self._seen.values())
        return observer.is_alive() and all(emitter.is_alive() for emitter in observer.emitters)

    def _start_observer(self) -> None:
        self._seen = {root: _identity(root) for root in self._roots}
        self.mode, self.reason = "poll", None
        present = [root for root, identity in self._seen.items() if identity is not None]
        if not present:
            return
        observer = Observer()
        handler = _Handler(self._dirty)
        try:
            for root in present:
                observer.schedule(handler, root, recursive=True, event_filter=_EVENTS)
            observer.start()
        except OSError as error:
            self.reason = f"no events: {error.strerror or error}"
            _stop(observer)
            return
        self._observer, self.mode = observer, "events"

    def _stop_observer(self) -> None:
        if self._observer is not None:
            _stop(self._observer)
            self._observer = None


def _stop(observer: BaseObserver) -> None:
    if observer.is_alive():
        observer.stop()
        observer.join(_STOP_SECONDS)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class _Handler(FileSystemEventHandler):
    """Marks and returns. An exception here would end watchdog's thread for good."""

    def __init__(self, dirty: DirtySet) -> None:
        self._dirty = dirty

    def dispatch(self, event: FileSystemEvent) -> None:
        if event.is_directory:
            self._dirty.add_everything()
            return
        self._dirty.add(os.fsdecode(event.src_path))
        if event.dest_path:
            self._dirty.add(os.fsdecode(event.dest_path))


class _OverflowHandler(logging.Handler):
    """The kernel's queue ran over: watchdog only logs it."""

    def __init__(self, dirty: DirtySet) -> None:
        super().__init__(logging.WARNING)
        self._dirty = dirty

    def emit(self, record: logging.LogRecord) -> None:
        self._dirty.overflows += 1
        self._dirty.add_everything()
