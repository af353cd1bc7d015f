"""The scheduled backup: a verified copy of the ledger beside it, and the oldest scheduled ones removed.

Written by a thread of its own, which only reads the ledger: the copy is one long statement, and live lines do not wait
for it. A copy that could not be made removes none of the former ones.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.errors import LedgerAbsent, LedgerCorrupt, LedgerFull, SyncdError
from syncd.jobs.beside import read_beside
from syncd.jobs.job import Outcome
from syncd.ledger.backup import back_up
from syncd.ledger.backups import date_back, kept_backups, scheduled_place, surplus
from syncd.ledger.figures import free_bytes, page_bytes
from syncd.ledger.leftovers import remove_leftovers

if TYPE_CHECKING:
    from pathlib import Path

    from syncd.jobs.job import Tools
    from syncd.ledger.database import Ledger

_SPARE_BYTES = 64 * 1024 * 1024
"""What a backup leaves free: a full disk would stop the mirror itself."""


def run(tools: Tools) -> Outcome:
    tools.writer.flush()
    path = tools.ledger.path.absolute()
    remove_leftovers(path)
    now_ms = tools.clock.now_ms()
    target = scheduled_place(path, now_ms)
    try:
        _refuse_without_space(tools.ledger, target.parent)
        date_back(path, now_ms)
        made = read_beside(path, tools.pace, lambda ledger, is_given_up: back_up(ledger, target, is_given_up))
    except (LedgerAbsent, LedgerCorrupt):
        raise  # not this copy's fault: the ledger is to be put right first
    except SyncdError as error:
        return Outcome(False, {"reason": error.title, "hint": error.hint})
    removed = 0
    for item in surplus(path):
        item.path.unlink(missing_ok=True)
        removed += 1
    kept = len(kept_backups(path))
    summary: dict[str, object] = {
        "path": str(made.path), "bytes": made.bytes, "torn_blocks": made.torn_blocks, "removed": removed, "kept": kept,
    }  # fmt: skip
    tools.writer.event("backup", None, **summary)
    tools.writer.flush()
    return Outcome(True, summary)


def _refuse_without_space(ledger: Ledger, directory: Path) -> None:
    """It may be on another disk than the ledger."""
    needed = page_bytes(ledger) - free_bytes(ledger) + _SPARE_BYTES
    status = os.statvfs(directory if directory.exists() else directory.parent)
    free = status.f_bavail * status.f_frsize
    if free < needed:
        raise LedgerFull(
            f"no space for a backup of {ledger.path}: it needs {needed} bytes, {free} are free",
            "free some disk space; the mirror itself goes on",
        )
