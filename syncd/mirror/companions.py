"""What lies beside the transcripts, and is read after them: session indexes and cron runs.

What became of a session shows in its transcript, so that one comes first. For a catch-up; the daemon follows each of
them by itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from syncd.mirror.cron_logs import sync_cron_logs
from syncd.mirror.cron_store import CronMemory
from syncd.mirror.index_look import Degraded
from syncd.mirror.index_memory import IndexMemory, StoreMemory
from syncd.mirror.index_sync import sync_index, sync_index_patiently
from syncd.records import FileProblem
from syncd.sources.opening import BUSY_CODE, BUSY_POLL_SECONDS, why_unreadable

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from syncd.ledger.writer import Writer
    from syncd.mirror.index_look import IndexOptions


STORE_FAULTS = frozenset({"store_corrupt", "store_unknown", "store_unreadable"})
"""Of OpenClaw's database: not only degraded, but a failure of the one who reads."""
_STORE_HINT = "its sessions are kept as they were last read; `openclaw doctor` may help, and it is tried again"

Wait = Callable[[float], bool]
"""Waits so many seconds, if there is so much left of the lock wait; else False, at once."""


def closed_among(faults: Iterable[Degraded], named: Container[str]) -> Iterator[FileProblem]:
    """Those files that nobody lets us read. What only cannot be understood now is no failure of the one who reads.

    `named`: what is told already; a directory that is closed stands for all that is in it.
    """
    for fault in faults:
        if fault.code in STORE_FAULTS and fault.path not in named:
            yield FileProblem(fault.path, fault.reason, _STORE_HINT, fault.code)
        is_index = fault == Degraded("index_unreadable", fault.path, "unreadable")
        if (is_index or fault.code == "config_unreadable") and os.path.dirname(fault.path) not in named:
            problem = why_unreadable(fault.path)
            if problem is not None:
                yield problem


def read_companions(
    writer: Writer,
    installation_id: int,
    state_dir: str,
    options: IndexOptions,
    wait: Wait,
    *,
    is_patient: bool,
) -> tuple[int, list[Degraded], list[FileProblem]]:
    """Sessions changed, what is degraded, what could not be read. `is_patient`: may it wait for an index?"""
    place = (writer, installation_id, state_dir, writer.clock)
    sync = sync_index_patiently if is_patient else sync_index
    indexes = IndexMemory()
    outcome = sync(*place, options, indexes)
    changed = outcome.changed
    while (busy := busy_stores(indexes)) and wait(BUSY_POLL_SECONDS):
        for path in busy:
            indexes.stores[path] = StoreMemory()
        outcome = sync(*place, options, indexes)
        changed += outcome.changed
    unread = [left_for_later(path) for path in busy]
    memory = CronMemory()
    logs = sync_cron_logs(*place, options.environ, memory)
    read = 0
    while logs.is_unfinished and len(memory.rows) > read:
        read, memory.next_reading = len(memory.rows), 0.0
        logs = sync_cron_logs(*place, options.environ, memory)
    while logs.busy is not None and wait(BUSY_POLL_SECONDS):
        logs = sync_cron_logs(*place, options.environ, memory)
    unread += [*logs.problems, *([logs.busy] if logs.busy is not None else [])]
    return changed, list(outcome.degraded), unread


def left_for_later(path: str) -> FileProblem:
    return FileProblem(path, "is locked by OpenClaw", "it is read the next time", BUSY_CODE)


def busy_stores(indexes: IndexMemory) -> list[str]:
    """Databases in which OpenClaw was at work; not those that only a start of OpenClaw puts in order."""
    busy = [path for path, store in indexes.stores.items() if store.fault == "busy"]
    return [path for path in busy if os.path.exists(f"{path}-wal") == os.path.exists(f"{path}-shm")]
