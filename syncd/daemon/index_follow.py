"""Following the session indexes and cron logs of one state dir: looked at when written, and when they ask for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.mirror.cron_logs import CronMemory, sync_cron_logs
from syncd.mirror.index_look import Degraded
from syncd.mirror.index_memory import IndexMemory
from syncd.mirror.index_sync import sync_index
from syncd.sources.index_places import INDEX_NAME
from syncd.sources.openclaw_config import CONFIG_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.daemon.follow import Figures
    from syncd.ledger.writer import Writer
    from syncd.mirror.index_look import IndexOptions

_NAMES = frozenset((INDEX_NAME, INDEX_NAME + ".lock", *CONFIG_NAMES))
RETRY_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)
_RUN_LOGS = f"{os.sep}cron{os.sep}runs{os.sep}"


class IndexFollower:
    """Keeps what the two-reads rule needs between looks."""

    def __init__(
        self, writer: Writer, installation_id: int, state_dir: str, options: IndexOptions, figures: Figures
    ) -> None:
        self._figures = figures
        self._place = (writer, installation_id, state_dir, writer.clock)
        self._clock = writer.clock
        self._options = options
        self._index_memory = IndexMemory()
        self._cron_memory = CronMemory()
        self._due_at: float | None = None
        self._logs_due_at: float | None = None
        self._failed_log_looks = 0
        self._degraded_indexes: tuple[Degraded, ...] = ()
        self._degraded_logs: tuple[Degraded, ...] = ()

    @property
    def degraded(self) -> tuple[Degraded, ...]:
        """What could not be read at the last look."""
        return self._degraded_indexes + self._degraded_logs

    def look_if_named(self, paths: Iterable[str]) -> None:
        """Look where one of these paths is an index, its lock, or a log."""
        stores = self._index_memory.stores
        if any(path.removesuffix(".lock") in stores or os.path.basename(path) in _NAMES for path in paths):
            self.look()
        if any(_RUN_LOGS in path for path in paths):
            self.look_at_logs()

    def look(self) -> int:
        """How many sessions changed."""
        outcome = sync_index(*self._place, self._options, self._index_memory)
        self._degraded_indexes = outcome.degraded
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
            self._logs_due_at = self._in(RETRY_SECONDS[min(self._failed_log_looks, len(RETRY_SECONDS) - 1)])
            self._failed_log_looks += 1

    def look_if_due(self) -> None:
        now = self._clock.monotonic()
        if self._due_at is not None and self._due_at <= now:
            self.look()
        if self._logs_due_at is not None and self._logs_due_at <= now:
            self.look_at_logs()

    def next_due_at(self) -> float | None:
        return min((at for at in (self._due_at, self._logs_due_at) if at is not None), default=None)

    def _in(self, seconds: float | None) -> float | None:
        return self._clock.monotonic() + max(seconds, 0.01) if seconds is not None else None
