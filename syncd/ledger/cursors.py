"""Cursors that are not where the raw bytes end, though these are all there: the bytes are the record, not the number.

Only where nothing else explains it: the blocks are whole and without a gap from the first byte on, and go on behind
the cursor, or a file that was proven ends where they do. Bytes that are missing are no matter of the cursor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.ledger.damage import is_readable

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

_UNEVEN = """SELECT transcripts.id, bytes, tail_bytes FROM transcripts LEFT JOIN (SELECT transcript_id,
    sum(byte_length) AS size FROM _blocks WHERE superseded_in IS NULL GROUP BY transcript_id) AS live
    ON live.transcript_id = transcripts.id WHERE coalesce(live.size, 0) != bytes"""
_LIVE_BLOCKS = """SELECT id, byte_offset, byte_length FROM _blocks WHERE transcript_id = ? AND superseded_in IS NULL
    ORDER BY byte_offset, id"""
_PROVEN_END = """SELECT 1 FROM _files WHERE transcript_id = ? AND role = 'place' AND present = 1 AND is_proven = 1
    AND size = ? AND substr(path, -4) != CAST('.zst' AS BLOB) LIMIT 1"""


def misplaced_cursors(ledger: Ledger) -> dict[int, int]:
    """Transcript -> where its raw bytes end."""
    found: dict[int, int] = {}
    for transcript_id, cursor, tail in list(ledger.execute(_UNEVEN)):
        end = _whole_end(ledger, transcript_id)
        if end and (end > cursor or ledger.row(_PROVEN_END, (transcript_id, end + tail)) is not None):
            found[transcript_id] = end
    return found


def _whole_end(ledger: Ledger, transcript_id: int) -> int:
    """0: they are not whole."""
    end = 0
    for block_id, start, length in list(ledger.execute(_LIVE_BLOCKS, (transcript_id,))):
        if start != end or not is_readable(ledger, block_id, length):
            return 0
        end += length
    return end
