"""Optimize: the ledger's own upkeep. The search index merged, statistics for the planner, the log emptied, and free
pages given back to the system where there are many.

All in small steps but the last, for which live lines wait some seconds: it is done only where it is worth that.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from syncd.jobs.job import Outcome
from syncd.ledger.faults import translated
from syncd.ledger.figures import free_bytes, page_bytes
from syncd.ledger.temporary_files import temporary_files
from syncd.ledger.transaction import writing

if TYPE_CHECKING:
    from syncd.jobs.job import Tools
    from syncd.ledger.database import Ledger

_MERGE_PAGES = 64
_MERGE_STEPS = 100_000
"""More than any index needs; it ends when there is nothing left to merge."""
_ROWS_ANALYSED = 400
STEPS_BETWEEN_LOOKS = 100_000
_WORTHWHILE_SHARE = 0.2
"""Of free pages, and at least so many bytes: else giving them back is not worth the wait."""
WORTHWHILE_BYTES = 16 * 1024 * 1024


def run(tools: Tools) -> Outcome:
    ledger = tools.ledger
    tools.writer.flush()
    before = page_bytes(ledger)
    merged = _merge_search(tools)
    with translated(ledger.path):
        ledger.connection.execute(f"PRAGMA analysis_limit = {_ROWS_ANALYSED}")
        ledger.connection.execute("PRAGMA optimize = 0x10002")
    tools.pace.at_border()
    free = free_bytes(ledger)
    is_compacted = _is_worth_it(ledger, free) and _compact(tools)
    tools.pace.at_border()
    is_emptied = _empty_wal(ledger)
    after = page_bytes(ledger)
    return Outcome(summary={
        "search_steps": merged, "free_bytes": free, "compacted": is_compacted, "wal_emptied": is_emptied,
        "bytes_before": before, "bytes_after": after,
    })  # fmt: skip


def _merge_search(tools: Tools) -> int:
    """Steps that had something to merge. The first, negative, says that all of it is to become one."""
    pages = -_MERGE_PAGES
    for step in range(_MERGE_STEPS):
        with writing(tools.ledger) as connection:
            changes = connection.total_changes()
            connection.execute("INSERT INTO search(search, rank) VALUES ('merge', ?)", (pages,))
            is_done = connection.total_changes() - changes < 2  # as FTS5 says it: one change is the statement itself
        if is_done:
            return step
        pages = _MERGE_PAGES
        tools.pace.at_border()
    return _MERGE_STEPS


def _is_worth_it(ledger: Ledger, free: int) -> bool:
    used = page_bytes(ledger)
    has_room = shutil.disk_usage(ledger.path.parent).free > 2 * used  # the new pages pass through the log
    return free >= WORTHWHILE_BYTES and free >= _WORTHWHILE_SHARE * used and has_room


def _compact(tools: Tools) -> bool:
    """All or nothing: a stop in its midst leaves the ledger as it was."""
    ledger = tools.ledger

    def goes_on() -> bool:
        tools.pace.within_file()  # which may raise
        return False

    with translated(ledger.path):
        ledger.connection.set_progress_handler(goes_on, STEPS_BETWEEN_LOOKS)
        try:
            with temporary_files(ledger.connection):
                ledger.connection.execute("VACUUM")
        finally:
            ledger.connection.set_progress_handler(None)
    return True


def _empty_wal(ledger: Ledger) -> bool:
    """False: somebody reads in it; the next one will."""
    row = ledger.row("PRAGMA wal_checkpoint(TRUNCATE)")
    return row is not None and row[0] == 0
