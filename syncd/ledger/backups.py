"""The backups beside the ledger: which there are, the newest first, and which of the scheduled ones may go.

Those that a person made (`ledger backup`) are never removed here. Not how one is made: that is `backup`.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.clock import utc_stamp
from syncd.ledger.backup import usual_place

if TYPE_CHECKING:
    from pathlib import Path

KEPT_BACKUPS = 7
"""Of the scheduled ones: with one a day, a week to notice what went wrong."""
BACKUP_NAME = re.compile(r"(?:ledger|scheduled)-(\d{8}T\d{6}\.\d{3}Z)\.db")
"""As `usual_place` and `scheduled_place` give it, with the time as its group."""
_SCHEDULED = "scheduled-"


@dataclass(frozen=True, slots=True)
class KeptBackup:
    path: Path
    bytes: int
    mtime_ns: int
    is_scheduled: bool


def scheduled_place(ledger_path: Path, now_ms: int) -> Path:
    """`backups/scheduled-<UTC time>.db`: by its name, one that a later one may replace."""
    by_hand = usual_place(ledger_path, now_ms)
    return by_hand.with_name(by_hand.name.replace("ledger-", _SCHEDULED, 1))


def kept_backups(ledger_path: Path) -> list[KeptBackup]:
    """The newest first: by the time in the name, which a copy from another disk keeps, else by the file's own."""
    folder = usual_place(ledger_path, 0).parent
    found: list[tuple[str, KeptBackup]] = []
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return []
    for entry in entries:
        try:
            facts = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISREG(facts.st_mode) and entry.name.endswith(".db") and not entry.name.startswith("."):
            named = BACKUP_NAME.fullmatch(entry.name)
            when = named[1] if named else utc_stamp(max(facts.st_mtime_ns, 0) // 1_000_000)
            is_scheduled = named is not None and entry.name.startswith(_SCHEDULED)  # else a person named it so
            kept = KeptBackup(folder / entry.name, facts.st_size, facts.st_mtime_ns, is_scheduled)
            found.append((when, kept))
    return [kept for _, kept in sorted(found, key=lambda item: (item[0], item[1].path), reverse=True)]


def surplus(ledger_path: Path) -> list[KeptBackup]:
    """Scheduled ones beyond the newest that are kept."""
    return [item for item in kept_backups(ledger_path) if item.is_scheduled][KEPT_BACKUPS:]


def date_back(ledger_path: Path, now_ms: int) -> None:
    """Before one is made: those that a clock which was ahead has dated later than now are older than it all the same.

    They get names of the last milliseconds, in their order.
    """
    latest = utc_stamp(now_ms)
    ahead = [kept.path for kept in kept_backups(ledger_path)
             if (named := BACKUP_NAME.fullmatch(kept.path.name)) and named[1] >= latest]  # fmt: skip
    moment = now_ms
    for path in ahead:
        while (place := path.with_name(f"{path.name.partition('-')[0]}-{utc_stamp(moment := moment - 1)}.db")).exists():
            pass
        path.rename(place)


def is_cut_to_nothing(ledger_path: Path) -> bool:
    """An empty file in the place of a ledger of which there are backups: a new one would hide what was lost."""
    try:
        return os.stat(ledger_path).st_size == 0 and bool(kept_backups(ledger_path))
    except OSError:
        return False
