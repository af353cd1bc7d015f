"""Following the session indexes and cron logs of one state dir: looked at when written, and when they ask for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.mirror.cron_logs import CronMemory, sync_cron_logs
from syncd.mirror.index_memory import IndexMemory
from syncd.mirror.index_sync import sync_index
from syncd.sources.index_places import INDEX_NAME
from syncd.sources.openclaw_config import CONFIG_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.writer import Writer
    from syncd.mirror.index_look import Degraded, IndexOptions

_NAMES = frozenset((INDEX_NAME, INDEX_NAME + ".lock", *CONFIG_NAMES))
_RUN_LOGS = f"{os.sep}cron{os.sep}runs{os.sep}"


class IndexFollower:
    """Keeps what the two-reads rule needs between looks."""

    def __init__(self, writer: Writer, installation_id: int, state_dir: str, options: IndexOptions) -> None:
        self._place = (writer, installation_id, state_dir, writer.clock)
        self._clock = writer.clock
        self._options = options
        self._index_memory = IndexMemory()
        self._cron_memory = CronMemory()
        self._due_at: float | None = None
        self.degraded: tuple[Degraded, ...] = ()

    def look_if_named(self, paths: Iterable[str]) -> None:
        """Look where one of these paths is an index, its lock, or a log."""
        stores = self._index_memory.stores
        if any(path.removesuffix(".lock") in stores or os.path.basename(path) in _NAMES for path in paths):
            self.look()
        if any(_RUN_LOGS in path for path in paths):
            self.look_at_logs()

    def look(self) -> None:
        outcome = sync_index(*self._place, self._options, self._index_memory)
        self.degraded = outcome.degraded
        wait = outcome.retry_after
        self._due_at = self._clock.monotonic() + max(wait, 0.01) if wait is not None else None

    def look_at_logs(self) -> None:
        sync_cron_logs(*self._place, self._options.environ, self._cron_memory)

    def look_if_due(self) -> None:
        if self._due_at is not None and self._due_at <= self._clock.monotonic():
            self.look()

    def next_due_at(self) -> float | None:
        return self._due_at
