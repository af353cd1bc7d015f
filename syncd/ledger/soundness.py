"""Is the file itself sound? SQLite's own check of every page, within a time that may be bounded.

For whoever writes to it, before it does and now and then; the thorough look, also at raw bytes and rows, is `check`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import apsw

from syncd.ledger.backups import is_cut_to_nothing
from syncd.ledger.database import BUSY_SECONDS, open_for_writing
from syncd.ledger.faults import damaged, translate
from syncd.ledger.schema_text import flipped_rows
from syncd.ledger.search_index import page_fault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.ledger.database import Ledger

START_SECONDS = 0.25
"""At a start nobody waits longer for this: a larger ledger is looked at whole by the first repair."""
_STEPS_BETWEEN_LOOKS = 20_000


def refuse_unsound(ledger: Ledger, is_given_up: Callable[[], bool] = lambda: False, *, is_quick: bool = True) -> bool:
    """LedgerCorrupt where a page is damaged. False: given up before all of it was looked at.

    The search index is another matter: it can be made anew.
    """
    pragma = "quick_check" if is_quick else "integrity_check"
    connection = ledger.connection
    connection.set_progress_handler(is_given_up, _STEPS_BETWEEN_LOOKS)
    try:
        found = _schema_fault(connection) or page_fault(connection, pragma)
    except apsw.InterruptError:
        return False
    except (apsw.Error, UnicodeDecodeError) as fault:
        raise translate(fault, ledger.path) or fault from fault
    finally:
        connection.set_progress_handler(None)
    if found is not None:
        raise damaged(ledger.path, found)
    return True


def _schema_fault(connection: apsw.Connection) -> str | None:
    flipped = flipped_rows(connection)
    return f"bytes of its schema have changed: {flipped[0].name}" if flipped else None


def open_soundly(path: Path, busy_seconds: float = BUSY_SECONDS) -> Ledger:
    """As `open_for_writing`, and looked at for as long as nobody minds."""
    if is_cut_to_nothing(path):
        raise damaged(path, "it was cut to nothing, and there are backups of it")
    ledger = open_for_writing(path, busy_seconds)
    until = time.monotonic() + START_SECONDS
    try:
        refuse_unsound(ledger, lambda: time.monotonic() > until)
    except BaseException:
        ledger.close()
        raise
    return ledger
