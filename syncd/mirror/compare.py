"""Are the file's bytes the ledger's bytes? The proof behind every judgement, `verify` included.

Content proves, inode and times only hint. Reads in blocks, so memory does not depend on the file.
"""

from __future__ import annotations

from hashlib import blake2b, sha256
from io import FileIO
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import LedgerCorrupt
from syncd.ledger import raw
from syncd.ledger.codec import UnpackError, holes_of, unpack
from syncd.ledger.damage import UNREADABLE
from syncd.sources.opening import read_at, read_pieces, unknown_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.codec import Hole
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

HEAD_BYTES = 1024
MARK_BYTES = 256
_WINDOW_BYTES = 64 * 1024

Found = tuple[int, str]
"""Offset, and what is wrong with the ledger there; nothing is where the bytes only differ."""


def first_difference(ledger: Ledger, transcript: Transcript, source: BinaryIO) -> int | None:
    """Offset of the first byte in which the file differs from what was taken in; where it ends, if it is shorter.

    None: the file begins with all of it. Bytes that the ledger has lost are equal to none; of those that the source
    itself cannot make out, nothing says that they are others than before.
    """
    source.seek(0)
    position = 0
    try:
        for offset, expected, holes in raw.pieces(ledger, transcript.id, transcript.generation):
            if offset != position:
                return min(offset, position)
            if holes:
                found = b"".join(read_pieces(source, offset, offset + len(expected), len(expected)))
                if (parted := parting(found, expected, holes)) is not None:
                    return offset + parted
                position += len(expected)
                continue
            for piece in read_pieces(source, offset, offset + len(expected), len(expected)):
                known = expected if len(piece) == len(expected) else expected[position - offset :][: len(piece)]
                if piece != known and (found := _as_known(source, position, piece, known)) != known:
                    return position + differing_index(found, known)
                position += len(piece)
            if position < offset + len(expected):
                return position
    except LedgerCorrupt:
        return position
    return position if position != transcript.bytes else None


def _as_known(source: BinaryIO, position: int, piece: bytes, known: bytes) -> bytes:
    """What was read at this position, with the known bytes where the source has only stand-ins."""
    filled = bytearray(piece)
    for start, end in unknown_in(source):
        first, last = max(0, start - position), min(len(piece), end - position)
        if first < last:
            filled[first:last] = known[first:last]
    return bytes(filled)


def parting(found: bytes, known: bytes, holes: Iterable[Hole]) -> int | None:
    """Where a file's bytes and a block with holes part; None: they do not.

    A file that ends inside a line's hole ends there; of a hole of many lines nothing is known but all of it.
    """
    masked = bytearray(found)
    for start, end, digest in holes:
        if len(found) <= start:
            break
        blanks = known[start:end]
        if len(found) < end and b"\n" not in blanks:
            masked[start:] = blanks[: len(found) - start]
        elif sha256(found[start:end]).digest() == digest:
            masked[start:end] = blanks
        else:
            before = bytes(masked[:start])
            return differing_index(before, known[:start]) if before != known[:start] else start
    return None if masked == known else differing_index(bytes(masked), known)


def block_difference(source: BinaryIO, offset: int, length: int, codec: int, data: bytes) -> Found | None:
    """Where the block and the file's bytes part; None if they are equal."""
    try:
        known = unpack(codec, data)
    except UnpackError:
        return offset, UNREADABLE
    if len(known) != length:
        return offset, UNREADABLE
    if isinstance(source, FileIO):
        piece = read_at(source, offset, offset + length)
    else:
        piece = b"".join(read_pieces(source, offset, offset + length, raw.PIECE_BYTES))
    if holes := holes_of(codec, data):
        parted = parting(piece, known, holes)
        return None if parted is None else (offset + parted, "")
    if piece == known:
        return None
    return offset + differing_index(piece, known), ""


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
