"""Are a transcript's rows those that its raw bytes make? Derived again in a second ledger, and compared.

Finds what no check of SQLite's does: a letter, a number or a flag that a disk changed inside a row. Only reads; live
lines may come meanwhile, since all is of one moment.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from syncd.clock import SystemClock
from syncd.errors import LedgerCorrupt
from syncd.ledger import raw, transcripts
from syncd.ledger.counts import is_miscounted
from syncd.ledger.dropping import dropped_past
from syncd.ledger.projection import VERSION
from syncd.ledger.restore import RowsCare
from syncd.ledger.second_ledger import SecondLedger
from syncd.ledger.snapshot import snapshot
from syncd.mirror.mend import Mender
from syncd.mirror.rebuild import derive
from syncd.openclaw.file_kinds import RAW_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger

_ABOUT = "SELECT kind, projection, generation, lines FROM transcripts WHERE id = ? AND is_tree_due = 0"


def has_wrong_rows(ledger: Ledger, second: SecondLedger, transcript_id: int, max_line_bytes: int) -> bool:
    """Bytes that are damaged themselves tell nothing, nor do rows that are to be derived anyway: others find those.

    Of lines whose bytes retention dropped, the rows say more than those.
    """
    with snapshot(ledger):
        if is_miscounted(ledger, transcript_id):
            return True
        row = ledger.row(_ABOUT, (transcript_id,))
        if row is None or row[1] != VERSION:
            return False
        if row[0] in RAW_KINDS:
            return _has_other_lines(ledger, transcript_id, *row[2:])
        second.take(ledger, transcript_id)
        mender = Mender(second.ledger, SystemClock())
        try:
            is_derived = derive(second.ledger, transcripts.load(second.ledger, transcript_id), max_line_bytes, mender)
        except LedgerCorrupt:
            return False
        try:
            dropped = dropped_past(ledger, transcript_id)
            return is_derived and not mender.lost and not second.has_rows_of(ledger, transcript_id, dropped)
        except LedgerCorrupt:
            return True  # a text that is none any more


def _has_other_lines(ledger: Ledger, transcript_id: int, generation: int, lines: int) -> bool:
    """Of what has no rows, the count of lines is all there is."""
    try:
        return raw.count_lines(ledger, transcript_id, generation) != lines
    except LedgerCorrupt:
        return False


@contextmanager
def rows_care(max_line_bytes: int) -> Iterator[RowsCare]:
    """The audit, and what puts right what it finds, for those who know nothing of deriving."""
    with closing(SecondLedger()) as second:

        def is_wrong(ledger: Ledger, transcript_id: int) -> bool:
            return has_wrong_rows(ledger, second, transcript_id, max_line_bytes)

        yield RowsCare(is_wrong, partial(_derive_anew, max_line_bytes))


def _derive_anew(max_line_bytes: int, ledger: Ledger, transcript_ids: Iterable[int]) -> None:
    mender = Mender(ledger, SystemClock())
    for transcript_id in transcript_ids:
        derive(ledger, transcripts.load(ledger, transcript_id), max_line_bytes, mender)
