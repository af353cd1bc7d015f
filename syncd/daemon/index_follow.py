"""Following the session indexes and cron logs of one state dir: looked at when written, and when they ask for it."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from syncd.daemon.put_off import RETRY_SECONDS, wait_after
from syncd.mirror.companions import busy_stores
from syncd.mirror.cron_logs import sync_cron_logs
from syncd.mirror.cron_store import CronMemory
from syncd.mirror.freshness import add_trajectories
from syncd.mirror.index_look import Degraded
from syncd.mirror.index_memory import IndexMemory
from syncd.mirror.index_sync import sync_index
from syncd.mirror.trajectory_store import Scope, TrajectoryMemory, follow_trajectories, may_wait, sync_trajectories
from syncd.openclaw.config_file import is_sqlite_store
from syncd.openclaw.state_dirs import agent_database, state_database
from syncd.sources.index_places import INDEX_NAME
from syncd.sources.openclaw_config import CONFIG_NAMES
from syncd.sources.opening import BUSY_CODE, BUSY_POLL_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.daemon.figures import Figures
    from syncd.ledger.files import FileTable
    from syncd.ledger.tally import Tally
    from syncd.ledger.writer import Writer
    from syncd.mirror.freshness import Freshness
    from syncd.mirror.index_look import IndexOptions
    from syncd.records import FileProblem

_NAMES = frozenset((INDEX_NAME, INDEX_NAME + ".lock", *CONFIG_NAMES))
FIRST_STORE_LOOK_SECONDS = 0.01
"""After a write to a database that was left alone: one thing that happens is several writes."""
STORE_LOOK_SECONDS = 0.05
"""From one look at a database to the next, however much is written."""
STORE_LOOK_SHARE = 0.05
"""Of the time, at most: the index of a database is read as a whole, and may be long."""
_LONGEST_REST_SECONDS = 5.0
STATE_LOOK_SECONDS = 1.0
"""A database is written many times for one thing that happens."""
_STORE_NAME = os.path.basename(agent_database("", ""))
"""One that is not known yet takes over from a sessions.json."""
_WAITED_FOR = frozenset({BUSY_CODE, "store_without_shm"})
_RUN_LOGS = f"{os.sep}cron{os.sep}runs{os.sep}"


class IndexFollower:
    """Keeps what the two-reads rule needs between looks."""

    def __init__(self, writer: Writer, files: FileTable, options: IndexOptions, figures: Figures) -> None:
        self._figures = figures
        self._place = (writer, files.installation_id, files.state_dir, writer.clock)
        self._state_database = state_database(files.state_dir)
        self._clock = writer.clock
        self._options = options
        self._index_memory = IndexMemory()
        self._cron_memory = CronMemory()
        self._due_at: float | None = None
        self._logs_due_at: float | None = None
        self._failed_log_looks = 0
        self._degraded_indexes: tuple[Degraded, ...] = ()
        self._degraded_logs: tuple[Degraded, ...] = ()
        self._degraded_trajectories: tuple[Degraded, ...] = ()
        self.busy_log: FileProblem | None = None
        self._scope = Scope(options.agents, options.environ, known_places=files)
        self._trajectory_memory = TrajectoryMemory()
        self._trajectories_due_at: float | None = None
        self._written_stores: dict[str, float] = {}  # and when to look what was recorded there
        self._rested_at = 0.0  # from when on databases may be looked at again

    @property
    def degraded(self) -> tuple[Degraded, ...]:
        """What could not be read at the last look."""
        return self._degraded_indexes + self._degraded_logs + self._degraded_trajectories

    def busy(self) -> list[str]:
        """Databases in which OpenClaw was at work when their sessions were to be read."""
        return busy_stores(self._index_memory)

    def look_again_at(self, paths: Iterable[str]) -> int:
        """For one who waits for it: not when the next look is due, but now."""
        for path in paths:
            store = self._index_memory.store(path)
            store.forget_fault()
            store.next_reading = 0.0
        return self.look()

    def look_if_named(self, paths: Iterable[str]) -> None:
        """Look where one of these paths is an index, its lock, or a log; soon, where it is a database or its log."""
        indexes, now = self._index_memory.stores, self._clock.monotonic()
        named = [path.removesuffix(".lock").removesuffix("-wal") for path in paths]
        if any((path in indexes and not is_sqlite_store(path)) or os.path.basename(path) in _NAMES for path in named):
            self.look()
        elif any(path in indexes or os.path.basename(path) == _STORE_NAME for path in named):
            self._due_at = min(self._due_at or math.inf, max(now + FIRST_STORE_LOOK_SECONDS, self._rested_at))
        for path in named:
            if path in indexes and is_sqlite_store(path):
                self._written_stores.setdefault(path, now + STORE_LOOK_SECONDS)
        if any(_RUN_LOGS in path for path in named):
            self.look_at_logs()
        elif self._state_database in named:
            self._logs_due_at = min(self._logs_due_at or math.inf, now + STATE_LOOK_SECONDS)

    def look(self) -> int:
        """How many sessions changed."""
        begun = self._clock.monotonic()
        outcome = sync_index(*self._place, self._options, self._index_memory)
        self._degraded_indexes = outcome.degraded
        now = self._clock.monotonic()
        rest = max((now - begun) / STORE_LOOK_SHARE, STORE_LOOK_SECONDS)
        self._rested_at = now + min(rest, _LONGEST_REST_SECONDS)
        self._due_at = self._in(outcome.retry_after)
        self._figures.sessions += outcome.changed
        return outcome.changed

    def look_at_logs(self) -> None:
        outcome = sync_cron_logs(*self._place, self._options.environ, self._cron_memory)
        problems, self.busy_log = outcome.problems, outcome.busy
        self._degraded_logs = tuple(Degraded("cron_log_unreadable", each.path, each.reason) for each in problems)
        self._logs_due_at = self._in(outcome.retry_after)
        if not problems:
            self._failed_log_looks = 0
        elif self._logs_due_at is None:
            self._logs_due_at = self._in(wait_after(self._failed_log_looks, RETRY_SECONDS))
            self._failed_log_looks += 1

    def look_at_trajectories(self) -> None:
        """Of OpenClaw's databases, all of them."""
        self._note_unread(
            sync_trajectories(*self._place[:3], self._scope, self._trajectory_memory, self._figures.taken)
        )

    def compare_trajectories(self, scope: Scope, tally: Tally) -> list[FileProblem]:
        """For one who asked for it: those that are meant, with all that was taken of them."""
        problems = sync_trajectories(*self._place[:3], scope, self._trajectory_memory, tally, compares_all=True)
        if scope == self._scope:
            self._note_unread(problems)
        return problems

    def add_waiting(self, found: Freshness, files: FileTable) -> None:
        """Count the events of trajectories that are not in the ledger, as `status` does."""
        is_in_doubt = bool(self._degraded_trajectories) or self._trajectories_due_at is not None
        memory = self._trajectory_memory
        places = [place for place in memory.places.values() if is_in_doubt or may_wait(place.path, memory)]
        if places:
            add_trajectories(found, self._place[0].ledger, files, places)

    def _note_unread(self, problems: Iterable[FileProblem]) -> None:
        """A database that is only busy is looked at again; whoever lists its sessions says that it is."""
        self._degraded_trajectories = tuple(
            Degraded(each.code, each.path, each.reason) for each in problems if each.code not in _WAITED_FOR
        )
        for each in problems:
            if each.code == BUSY_CODE:
                self._trajectories_due_at = self._clock.monotonic() + BUSY_POLL_SECONDS

    def look_if_due(self) -> None:
        now = self._clock.monotonic()
        if self._due_at is not None and self._due_at <= now:
            self.look()
        if self._logs_due_at is not None and self._logs_due_at <= now:
            self.look_at_logs()
        unread = {item.path for item in self._degraded_trajectories}
        for path in [path for path, at in self._written_stores.items() if at <= now]:
            del self._written_stores[path]
            if path in unread:  # it may be well again, and nothing else looks at it before the next rescan
                self._trajectories_due_at = min(self._trajectories_due_at or math.inf, now + STATE_LOOK_SECONDS)
            memory, taken = self._trajectory_memory, self._figures.taken
            rest = follow_trajectories(*self._place[:3], path, self._scope, memory, taken)
            if rest is not None:
                self._written_stores[path] = now + rest  # when others had their turn, or it is not locked any more
        if self._trajectories_due_at is not None and self._trajectories_due_at <= now:
            self._trajectories_due_at = None
            self.look_at_trajectories()

    def next_due_at(self) -> float | None:
        moments = (self._due_at, self._logs_due_at, self._trajectories_due_at, *self._written_stores.values())
        return min((at for at in moments if at is not None), default=None)

    def _in(self, seconds: float | None) -> float | None:
        return self._clock.monotonic() + max(seconds, 0.01) if seconds is not None else None
