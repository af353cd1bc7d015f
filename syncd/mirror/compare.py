"""Are the file's bytes the ledger's bytes? The proof behind every judgement, `verify` included.

Content proves, inode and times only hint. Reads in blocks, so memory does not depend on the file.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import LedgerCorrupt
from syncd.ledger import raw
from syncd.sources.opening import read_at, read_pieces

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

HEAD_BYTES = 1024
MARK_BYTES = 256
_WINDOW_BYTES = 64 * 1024


def first_difference(ledger: Ledger, transcript: Transcript, source: BinaryIO) -> int | None:
    """Offset of the first byte in which the file differs from what was taken in; where it ends, if it is shorter.

    None: the file begins with all of it. Bytes that the ledger has lost are equal to none.
    """
    source.seek(0)
    position = 0
    try:
        for offset, expected in raw.blocks(ledger, transcript.id, transcript.generation):
            if offset != position:
                return min(offset, position)
            for piece in read_pieces(source, offset, offset + len(expected), len(expected)):
                known = expected if len(piece) == len(expected) else expected[position - offset :][: len(piece)]
                if piece != known:
                    return position + differing_index(piece, known)
                position += len(piece)
            if position < offset + len(expected):
                return position
    except LedgerCorrupt:
        return position
    return position if position != transcript.bytes else None


def differing_index(left: bytes, right: bytes) -> int:
    """Index of the first byte in which two different strings differ; the shorter's length if it begins the longer."""
    low, high = 0, min(len(left), len(right))  # equal before low
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def line_start(ledger: Ledger, transcript: Transcript, offset: int) -> int:
    """Where the line that holds `offset` begins, by the bytes that were taken in."""
    end = offset
    while end > 0:
        start = max(0, end - _WINDOW_BYTES)
        window = b"".join(part for _, part in raw.blocks(ledger, transcript.id, transcript.generation, start, end))
        newline = window.rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def ends_with_newline(ledger: Ledger, transcript: Transcript) -> bool:
    """False only for an archive whose last line was taken in without one."""
    end = transcript.bytes
    return end == 0 or all(
        part == b"\n" for _, part in raw.blocks(ledger, transcript.id, transcript.generation, end - 1, end)
    )


def fingerprint(source: BinaryIO, start: int, end: int) -> bytes:
    """A short hash of the plain file's bytes in [start, end)."""
    return blake2b(read_at(source, start, end), digest_size=16).digest()
