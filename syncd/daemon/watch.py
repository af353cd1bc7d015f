"""watchdog's events turned into dirty paths, and watchdog itself watched.

It drops events on overflow with no more than a log line, loses directories beyond the kernel's limit in silence, and
its threads can die while it says it is alive: all of that is looked for here and answered by "look at everything" and a
new observer. Where no events can be had at all, `mode` is "poll" and the loop looks by itself.
"""

from __future__ import annotations

import logging
import os
import warnings
from contextlib import suppress
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

from syncd.openclaw.state_dirs import agents_dir, old_import_archive_dir, old_sessions_dir, state_database

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
# It watches a directory twice that was made while it looked, and says so on stderr; that does no harm.
warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)
# What it logs would come to stderr as it is, between lines of JSON: the loop says what of it matters.
logging.getLogger("watchdog").addHandler(logging.NullHandler())
_OVERFLOW_LOGGER = "watchdog.observers.inotify_c"
_STOP_SECONDS = 2.0
_CHECKS_TO_RETRY = 12


class Watcher:
    """Watches directory trees; `check` now and then."""

    def __init__(self, dirty: DirtySet, state_dirs: Iterable[str]) -> None:
        self._dirty = dirty
        self._roots = {root: is_recursive for each in state_dirs for root, is_recursive in _roots(each).items()}
        self._observer: BaseObserver | None = None
        self._seen: dict[str, tuple[int, int] | None] = {}
        self._unwatched: frozenset[str] = frozenset()
        self._outliers: frozenset[str] = frozenset()
        self._checks_to_retry = 0
        self._log = _OverflowHandler(dirty)
        self.mode = "poll"
        self.reason: str | None = None
        self.code = "watch_limit"
        """What of `codes` the reason is: the kernel's limits, or a file system without events."""
        self.rebuilds = 0

    def start(self) -> None:
        """Begin to watch, as far as the system lets us."""
        logging.getLogger(_OVERFLOW_LOGGER).addHandler(self._log)
        self._start_observer()

    def stop(self) -> None:
        logging.getLogger(_OVERFLOW_LOGGER).removeHandler(self._log)
        self._stop_observer()

    def check(self, needed: Iterable[str] = ()) -> None:
        """Is everything that should be watched still watched? If not, begin anew and look at everything.

        `needed`: directories that must be among what is watched.
        """
        wanted = tuple(needed)
        outliers = self._outliers_of(wanted)
        if not self._is_sound() or (self._observer is not None and outliers != self._outliers):
            self._outliers = outliers
            self._rebuild()
        elif self._observer is not None and (unwatched := self._unwatched_of(wanted)) != self._unwatched:
            if unwatched:
                self._rebuild()
                unwatched = self._unwatched_of(wanted)
            self._note_unwatched(unwatched)

    def _outliers_of(self, directories: Iterable[str]) -> frozenset[str]:
        """Those beside a configured store, or behind a link: watching a tree does not follow links, and an event names
        a file by the path of what is watched, wherever that leads.
        """
        trees = {root: os.path.realpath(root) for root, is_recursive in self._roots.items() if is_recursive}
        behind = {path for path in directories if not self._is_watched_with(path, trees)}
        # What comes beside one is behind the same link, as the database of an agent whose files are moved into it.
        beside = {os.path.dirname(path) for path in behind if any(path.startswith(root + os.sep) for root in trees)}
        return frozenset(behind | {path for path in beside if not self._is_watched_with(path, trees)})

    def _is_watched_with(self, path: str, trees: Mapping[str, str]) -> bool:
        """Is it a root, or in one of these trees, by path, and what that really is, without a link on the way there?"""
        return path in self._roots or any(
            path.startswith(root + os.sep) and os.path.realpath(path) == real + path.removeprefix(root)
            for root, real in trees.items()
        )

    def give_up(self, reason: str) -> None:
        """Events do not come, though nothing can be seen to be wrong: some file systems have none. Tried anew later."""
        self._stop_observer()
        self.mode, self.reason, self._checks_to_retry = "poll", reason, _CHECKS_TO_RETRY
        self.code = "no_events"
        self._dirty.add_everything()

    def _rebuild(self) -> None:
        self.rebuilds += 1
        self._stop_observer()
        self._start_observer()
        self._dirty.add_everything()

    def _unwatched_of(self, directories: Iterable[str]) -> frozenset[str]:
        watched = _watched_inodes()
        if not all(identity is None or identity[1] in watched for identity in self._seen.values()):
            return frozenset()  # the roots are watched for sure: this file system's inodes go by other numbers there
        found = {path: _identity(path) for path in directories}
        return frozenset(path for path, at in found.items() if at is not None and at[1] not in watched)

    def _note_unwatched(self, unwatched: frozenset[str]) -> None:
        """Beyond the kernel's limit watchdog goes on without a word: those directories are polled."""
        if self._observer is None:
            return
        self._unwatched = unwatched
        self.mode, self.reason = "events", None
        if unwatched:
            self.mode = "poll"
            self.reason = f"no events for {len(unwatched)} directories, such as {min(unwatched)}"

    def _is_sound(self) -> bool:
        observer = self._observer
        if {root: _identity(root) for root in self._roots} != self._seen:
            return False  # one of them came, went, or is another directory now
        if observer is None:
            self._checks_to_retry -= 1
            return self._checks_to_retry > 0 or not any(self._seen.values())
        return observer.is_alive() and all(emitter.is_alive() for emitter in observer.emitters)

    def _start_observer(self) -> None:
        self._seen = {root: _identity(root) for root in self._roots}
        self.mode, self.reason, self._unwatched = "poll", None, frozenset()
        self.code = "watch_limit"
        self._checks_to_retry = _CHECKS_TO_RETRY
        present = [root for root, identity in self._seen.items() if identity is not None]
        if not present:
            return
        handler = _Handler(self._dirty, self._roots)
        observer: BaseObserver | None = None
        try:
            observer = Observer()  # takes the kernel's instance already here
            for root in present:
                observer.schedule(handler, _through_links(root), recursive=self._roots[root], event_filter=_EVENTS)
            observer.start()
        except OSError as error:
            self.reason = f"no events: {error.strerror or error}"
            if observer is not None:
                _stop(observer)
            return
        for path in self._outliers:
            with suppress(OSError):  # gone, or beyond the kernel's limit: `check` finds that out
                observer.schedule(handler, _through_links(path), event_filter=_EVENTS)
        self._observer, self.mode = observer, "events"

    def _stop_observer(self) -> None:
        if self._observer is not None:
            _stop(self._observer)
            self._observer = None


def _roots(state_dir: str) -> dict[str, bool]:
    """What is watched, and whether all below it: not the whole state dir, in which workspaces and caches lie too."""
    inner = (agents_dir(state_dir), old_sessions_dir(state_dir), old_import_archive_dir(state_dir))
    shallow = (state_dir, os.path.dirname(state_database(state_dir)))
    return {**dict.fromkeys(shallow, False), **dict.fromkeys((*inner, os.path.join(state_dir, "cron")), True)}


def _through_links(path: str) -> str:
    """Left alone, watchdog watches a link itself, not what it leads to."""
    return path + os.sep if os.path.islink(path) else path


def _stop(observer: BaseObserver) -> None:
    """Also one that did not come to run: its thread that reads from the kernel is there from the beginning."""
    is_running = observer.is_alive()
    observer.stop()
    if is_running:
        observer.join(_STOP_SECONDS)


def _watched_inodes() -> set[int]:
    """Of all directories that the kernel watches for this process; empty where it does not tell."""
    inodes: set[int] = set()
    with suppress(OSError):
        for name in os.listdir("/proc/self/fd"):
            with suppress(OSError, ValueError, IndexError):  # other threads open and close files meanwhile
                if os.readlink(f"/proc/self/fd/{name}") == "anon_inode:inotify":
                    with open(f"/proc/self/fdinfo/{name}", encoding="ascii") as file:
                        inodes.update(int(line.split(" ino:")[1].split()[0], 16) for line in file if " ino:" in line)
    return inodes


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class _Handler(FileSystemEventHandler):
    """Marks and returns. An exception here would end watchdog's thread for good."""

    def __init__(self, dirty: DirtySet, roots: Mapping[str, bool]) -> None:
        self._dirty = dirty
        self._roots = frozenset(roots)
        self._trees = tuple(root + os.sep for root, is_recursive in roots.items() if is_recursive)

    def dispatch(self, event: FileSystemEvent) -> None:
        try:
            self._mark(event)
        except Exception:  # noqa: BLE001 - whatever it was, all that is lost is which file to look at
            self._dirty.add_everything()

    def _mark(self, event: FileSystemEvent) -> None:
        paths = [os.fsdecode(path).rstrip(os.sep) for path in (event.src_path, event.dest_path) if path]
        for path in paths:
            if not event.is_directory:
                self._dirty.add(path)
            elif path in self._roots or path.startswith(self._trees):
                self._dirty.add_everything()


class _OverflowHandler(logging.Handler):
    """The kernel's queue ran over: watchdog only logs it."""

    def __init__(self, dirty: DirtySet) -> None:
        super().__init__(logging.WARNING)
        self._dirty = dirty

    def emit(self, record: logging.LogRecord) -> None:
        self._dirty.overflows += 1
        self._dirty.add_everything()
