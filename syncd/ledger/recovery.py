"""A damaged ledger put right: the newest sound backup, what only the damaged one still has, and that one moved aside.

All of it is made beside the ledger and put in place in one step; a crash before that leaves everything as it was. What
has come since, catching up reads in OpenClaw's files: every one of them is compared afterwards. The caller holds the
writer lock, and has closed the ledger.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.errors import LedgerCorrupt, LedgerError, LedgerFull, LedgerNewer
from syncd.ledger.backups import kept_backups
from syncd.ledger.burials import keep_buried_out, leave_unfinished
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.events import note_event
from syncd.ledger.foreign import LOOK_BYTES, SQLITE, is_of_a_ledger, no_ledger
from syncd.ledger.past_mending import mend_copy
from syncd.ledger.remains import remains_of
from syncd.ledger.replacing import (
    DAMAGED,
    aside_place,
    finish_replacing,
    moved_aside,
    put_in_place,
    remove_scratch,
    scratch_place,
)
from syncd.ledger.restore import copy_to_scratch, distrust_files, is_usable
from syncd.ledger.salvage import salvage
from syncd.ledger.salvage_bytes import Salvaged
from syncd.ledger.schema_text import mend_schema
from syncd.ledger.search_index import UNASKABLE, make_askable, mend_search, page_fault, search_fault
from syncd.ledger.soundness import refuse_unsound

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.ledger.salvage_bytes import Holds

_TOO_OFTEN = 3
_TOO_OFTEN_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Recovered:
    moved_aside: Path | None
    restored_from: Path | None
    """None: no backup could be used, and the ledger began anew."""
    salvaged: Salvaged
    refused_backups: tuple[str, ...]
    is_search_mended: bool = False
    """Only the search index was damaged: it was made anew in the ledger, which stayed where it is."""
    is_schema_mended: bool = False
    """Only the text of the schema was: it is as our migrations made it again."""

    def summary(self) -> dict[str, object]:
        return {
            "moved_aside": str(self.moved_aside) if self.moved_aside is not None else None,
            "restored_from": str(self.restored_from) if self.restored_from is not None else None,
            "transcripts": self.salvaged.transcripts,
            "fragments": self.salvaged.fragments,
            "rows": self.salvaged.rows,
            "lost": len(self.salvaged.lost),
            "refused_backups": len(self.refused_backups),
            "search_mended": self.is_search_mended,
            "schema_mended": self.is_schema_mended,
        }


def recover(
    ledger_path: Path, damage: LedgerCorrupt, now_ms: int, holds: Holds, is_alive: Callable[[], None] = lambda: None
) -> Recovered:
    """LedgerCorrupt: the file was never a ledger. LedgerError: it is damaged time and again.

    `holds` tells whether a file of OpenClaw's has some bytes; `is_alive` is called now and then.
    """
    finish_replacing(ledger_path)
    refuse_not_ours(ledger_path)
    if _is_schema_mended(ledger_path, now_ms, damage):
        return Recovered(None, None, Salvaged(), (), is_schema_mended=True)
    if _is_search_mended(ledger_path, now_ms, damage):
        return Recovered(None, None, Salvaged(), (), is_search_mended=True)
    _refuse_too_often(ledger_path, now_ms, damage)
    try:
        source, refused = _newest_usable(ledger_path, is_alive)
        scratch = scratch_place(ledger_path)
        with open_for_writing(scratch) as ledger:
            columns = tuple(str(row[1]) for row in ledger.execute("PRAGMA table_info(transcripts)"))
            remains = remains_of(ledger_path, columns, is_alive)
            try:
                salvaged = salvage(ledger, remains, holds, is_alive)
            finally:
                remains.close()
        unfinished = keep_buried_out(scratch, ledger_path, now_ms)
        with open_for_writing(scratch) as ledger:
            # Which no bytes make again. What neither has is lost: a repair tells of it, once.
            copies = [ledger_path, *(kept.path for kept in kept_backups(ledger_path))]
            mend_copy(ledger, copies, now_ms, only_proven=True)
            distrust_files(ledger)
            leave_unfinished(ledger, unfinished)
            done = Recovered(aside_place(ledger_path, now_ms, DAMAGED), source, salvaged, tuple(refused))
            detail = {**done.summary(), "reason": damage.title}
            note_event(ledger, now_ms, "recovery", None, detail)
        put_in_place(ledger_path, now_ms, DAMAGED)
    finally:
        remove_scratch(ledger_path)
    return done


def _is_schema_mended(ledger_path: Path, now_ms: int, damage: LedgerCorrupt) -> bool:
    """Were some letters of the schema all that is damaged? Right they are in any case: what follows reads by them."""
    try:
        names = mend_schema(ledger_path)
        if not names:
            return False
        with open_for_writing(ledger_path) as ledger:
            refuse_unsound(ledger)
            note_event(ledger, now_ms, "repair", None, {"action": "schema", "names": names, "reason": damage.title})
            return True
    except LedgerCorrupt:
        return False


def _is_search_mended(ledger_path: Path, now_ms: int, damage: LedgerCorrupt) -> bool:
    """Was the search index all that is damaged, and is it right now? Nothing is written where a page is unsound."""
    if not _is_search_alone_damaged(ledger_path):
        return False
    try:
        with open_for_writing(ledger_path) as ledger:
            make_askable(ledger)
            refuse_unsound(ledger)
            mend_search(ledger)
            if search_fault(ledger) is not None:
                return False
            detail = {"action": "search", "reason": damage.title}
            note_event(ledger, now_ms, "repair", None, detail)
            return True
    except LedgerCorrupt:
        return False


def _is_search_alone_damaged(ledger_path: Path) -> bool:
    try:
        with open_for_reading(ledger_path) as ledger:
            refuse_unsound(ledger)
            return search_fault(ledger) is not None
    except LedgerCorrupt as fault:
        return UNASKABLE in fault.title  # SQLite looks at nothing then
    except LedgerError:
        return False


def refuse_not_ours(ledger_path: Path) -> None:
    """LedgerCorrupt: nothing tells that this was ever a ledger. What is somebody else's is not to be moved."""
    try:
        with ledger_path.open("rb") as file:
            head = file.read(LOOK_BYTES)
    except OSError as error:
        raise no_ledger(ledger_path) from error
    if is_of_a_ledger(head):
        return
    is_blank = bool(head) and not head.strip(b"\0")  # what a power cut makes of a file; there is nothing to be moved
    was_ours = not head.startswith(SQLITE) and bool(kept_backups(ledger_path))
    if not is_blank and not was_ours:
        raise no_ledger(ledger_path)


def _newest_usable(ledger_path: Path, is_alive: Callable[[], None]) -> tuple[Path | None, list[str]]:
    """The scratch file is that backup then, or does not exist. Torn blocks are no reason to refuse one."""
    refused: list[str] = []
    copies = [kept.path for kept in kept_backups(ledger_path)]
    real = ledger_path.resolve()
    copies += sorted(real.parent.glob(f"{real.name}.schema-*.bak"), reverse=True)  # made before a migration
    for copy in copies:
        if not os.access(copy, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
            refused.append(f"{copy} cannot be read by this user")
            continue
        try:
            found = copy_to_scratch(ledger_path, copy, is_quick=True, is_alive=is_alive)
            if is_usable(found) and _has_sound_indexes(scratch_place(ledger_path)):
                return copy, refused
            refused.append(f"{copy} is damaged")
        except LedgerFull:
            raise
        except (LedgerCorrupt, LedgerNewer) as error:
            refused.append(error.title)
    remove_scratch(ledger_path)
    return None, refused


def _has_sound_indexes(copy: Path) -> bool:
    """SQLite copies an index as it is: damage that nobody had noticed yet is in the newest backups too."""
    with open_for_reading(copy) as ledger:
        return page_fault(ledger.connection, "integrity_check") is None


def _refuse_too_often(ledger_path: Path, now_ms: int, damage: LedgerCorrupt) -> None:
    """A disk that fails again and again: no copy would last, and each costs its size."""
    young = 0
    for file in moved_aside(ledger_path):
        if f".{DAMAGED}-" in file.name:
            young += 0 <= now_ms / 1000 - file.stat().st_ctime < _TOO_OFTEN_SECONDS
    if young >= _TOO_OFTEN:
        raise LedgerError(
            f"the ledger {ledger_path} was damaged {young} times within an hour: {damage.title}",
            "look at the disk's and the memory's health before anything is put back; the copies beside it"
            f" (*.{DAMAGED}-*) and `backups` hold what there is",
        )
