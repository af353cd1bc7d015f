"""Following the session indexes and cron logs of one state dir: looked at when written, and when they ask for it."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from syncd.daemon.put_off import RETRY_SECONDS, wait_after
from syncd.mirror.cron_logs import sync_cron_logs
from syncd.mirror.cron_store import CronMemory
from syncd.mirror.index_look import Degraded
from syncd.mirror.index_memory import IndexMemory
from syncd.mirror.index_sync import sync_index
from syncd.mirror.trajectory_store import TrajectoryMemory, follow_trajectories, sync_trajectories
from syncd.openclaw.config_file import is_sqlite_store
from syncd.openclaw.state_dirs import agent_database, state_database
from syncd.sources.index_places import INDEX_NAME
from syncd.sources.openclaw_config import CONFIG_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.daemon.figures import Figures
    from syncd.ledger.tally import Tally
    from syncd.ledger.writer import Writer
    from syncd.mirror.index_look import IndexOptions

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
_RUN_LOGS = f"{os.sep}cron{os.sep}runs{os.sep}"


class IndexFollower:
    """Keeps what the two-reads rule needs between looks."""

    def __init__(
        self, writer: Writer, installation_id: int, state_dir: str, options: IndexOptions, figures: Figures
    ) -> None:
        self._figures = figures
        self._place = (writer, installation_id, state_dir, writer.clock)
        self._state_database = state_database(state_dir)
        self._clock = writer.clock
        self._options = options
        self._index_memory = IndexMemory()
        self._cron_memory = CronMemory()
        self._due_at: float | None = None
        self._logs_due_at: float | None = None
        self._failed_log_looks = 0
        self._degraded_indexes: tuple[Degraded, ...] = ()
        self._degraded_logs: tuple[Degraded, ...] = ()
        self._trajectory_memory = TrajectoryMemory()
        self._written_stores: dict[str, float] = {}  # and when to look what was recorded there
        self._rested_at = 0.0  # from when on databases may be looked at again

    @property
    def degraded(self) -> tuple[Degraded, ...]:
        """What could not be read at the last look."""
        return self._degraded_indexes + self._degraded_logs

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
        problems = outcome.problems
        self._degraded_logs = tuple(Degraded("cron_log_unreadable", each.path, each.reason) for each in problems)
        self._logs_due_at = self._in(outcome.retry_after)
        if not problems:
            self._failed_log_looks = 0
        elif self._logs_due_at is None:
            self._logs_due_at = self._in(wait_after(self._failed_log_looks, RETRY_SECONDS))
            self._failed_log_looks += 1

    def look_at_trajectories(self, tally: Tally | None = None, *, compares_all: bool = False) -> None:
        """Of OpenClaw's databases, all of them. `tally`: of one who asked for it."""
        counted = tally if tally is not None else self._figures.taken
        memory = self._trajectory_memory
        sync_trajectories(*self._place[:3], self._options, memory, counted, compares_all=compares_all)

    def look_if_due(self) -> None:
        now = self._clock.monotonic()
        if self._due_at is not None and self._due_at <= now:
            self.look()
        if self._logs_due_at is not None and self._logs_due_at <= now:
            self.look_at_logs()
        for path in [path for path, at in self._written_stores.items() if at <= now]:
            del self._written_stores[path]
            if not follow_trajectories(*self._place[:3], path, self._trajectory_memory, self._figures.taken):
                self._written_stores[path] = now  # the rest, when others had their turn

    def next_due_at(self) -> float | None:
        moments = (self._due_at, self._logs_due_at, *self._written_stores.values())
        return min((at for at in moments if at is not None), default=None)

    def _in(self, seconds: float | None) -> float | None:
        return self._clock.monotonic() + max(seconds, 0.01) if seconds is not None else None
