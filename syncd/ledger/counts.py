"""What a transcript's row counts, and can be counted again: bytes in open blocks, bytes of the line that has not ended.

An append moves both, so no checksum is of them. And which blocks may be open: of the present, without a hole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.ledger import raw
from syncd.ledger.codec import DROPPED

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

MOST_KEPT_TAIL_BYTES = 16 * 1024 * 1024
"""Of a longer line that has not ended nothing is kept but its length."""
_MAY_NOT_BE_OPEN = f"is_open != 0 AND (is_open != 1 OR superseded_in IS NOT NULL OR codec = {DROPPED})"
_IS_MISCOUNTED = f"""SELECT 1 FROM transcripts LEFT JOIN _tails ON _tails.transcript_id = transcripts.id
    WHERE transcripts.id = ?1 AND (iif(data IS NULL, tail_bytes != 0 AND tail_bytes <= {MOST_KEPT_TAIL_BYTES},
      tail_bytes != length(data))
    OR open_bytes != (SELECT total(byte_length) FROM _blocks WHERE transcript_id = ?1 AND is_open = 1)
    OR EXISTS (SELECT 1 FROM _blocks WHERE transcript_id = ?1 AND {_MAY_NOT_BE_OPEN}))"""
_CLOSE = f"UPDATE _blocks SET is_open = 0 WHERE transcript_id = ? AND {_MAY_NOT_BE_OPEN}"


def is_miscounted(ledger: Ledger, transcript_id: int) -> bool:
    return ledger.row(_IS_MISCOUNTED, (transcript_id,)) is not None


def count_again(ledger: Ledger, transcript: Transcript) -> None:
    """In the caller's transaction, which stores the transcript."""
    ledger.run(_CLOSE, (transcript.id,))
    transcript.open_bytes = raw.open_bytes(ledger, transcript.id)
    kept = ledger.row("SELECT length(data) FROM _tails WHERE transcript_id = ?", (transcript.id,))
    if kept is not None:
        transcript.tail_bytes = int(kept[0])
    elif transcript.tail_bytes <= MOST_KEPT_TAIL_BYTES:
        transcript.tail_bytes = 0
