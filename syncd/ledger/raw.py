"""The raw bytes: blocks of whole lines, by transcript, offset and generation.

A block is sealed at about 512 KiB and packed; the newest lines stay in open blocks until there are enough to seal.
Longer lines get blocks of their own, in pieces of 1 MiB. A rewrite splits at most one block: blocks follow
the same rule of generations as entries. Reading them back is byte-exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.errors import LedgerCorrupt
from syncd.ledger import codec
from syncd.ledger.codec import UnpackError, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger

BLOCK_BYTES = 512 * 1024
PIECE_BYTES = 1024 * 1024
MENDING_HINT = (
    "`syncd resync --rebuild` takes them from OpenClaw's file again, if that still has them;"
    " else put back a copy made by `syncd ledger backup`"
)


class TornBlock(LedgerCorrupt):
    """A block of raw bytes is not what was stored, which is no damage of the file: all else can be read and written."""


INSERT_BLOCK = """INSERT INTO _blocks (transcript_id, byte_offset, byte_length, generation, is_open, codec, data)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""

INSERT_SEALED_BLOCK = """INSERT INTO _blocks (transcript_id, byte_offset, byte_length, generation, superseded_in,
    is_open, codec, data) VALUES (?, ?, ?, ?, ?, 0, ?, ?)"""
"""For bytes that are put back where they were, perhaps of an earlier generation."""

_GENERATION = "generation <= ?2 AND (superseded_in IS NULL OR superseded_in > ?2)"


def blocks(
    ledger: Ledger, transcript_id: int, generation: int, start: int = 0, end: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """(offset, bytes) of one generation in order, cut to [start, end)."""
    last = end if end is not None else 2**62
    query = f"""SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE transcript_id = ?1 AND {_GENERATION}
        AND byte_offset < ?4 AND byte_offset + byte_length > ?3 ORDER BY byte_offset"""
    for offset, length, *packed in ledger.execute(query, (transcript_id, generation, start, last)):
        raw = unpacked(ledger, transcript_id, offset, length, *packed)
        if offset >= start and offset + len(raw) <= last:
            yield offset, raw
        else:
            yield max(offset, start), raw[max(0, start - offset) : last - offset]


def count_lines(ledger: Ledger, transcript_id: int, generation: int) -> int:
    """The last one may lack its newline."""
    count, last = 0, b"\n"
    for _, part in blocks(ledger, transcript_id, generation):
        count, last = count + part.count(b"\n"), part or last
    return count + (not last.endswith(b"\n"))


class Piece(NamedTuple):
    """A block as it is stored: blanks in `raw` where the holes are."""

    offset: int
    raw: bytes
    holes: list[codec.Hole]


def pieces(ledger: Ledger, transcript_id: int, generation: int, start: int = 0) -> Iterator[Piece]:
    """Blocks of one generation in order, from the one with the byte at `start` on, for whoever must tell holes from
    bytes.
    """
    query = f"""SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE transcript_id = ?1 AND {_GENERATION}
        AND byte_offset + byte_length > ?3 ORDER BY byte_offset"""
    for offset, length, packed_by, data in ledger.execute(query, (transcript_id, generation, start)):
        raw = unpacked(ledger, transcript_id, offset, length, packed_by, data)
        yield Piece(offset, raw, codec.holes_of(packed_by, data))


def start_of_last_lines(ledger: Ledger, transcript_id: int, generation: int, count: int) -> int:
    """Where the last so many lines begin. Reads no more than those, from the end on; all of them end with a newline."""
    query = f"""SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE transcript_id = ?1 AND {_GENERATION}
        ORDER BY byte_offset DESC"""
    newlines = count + 1  # up to the one that ends the line before
    for offset, length, *packed in ledger.execute(query, (transcript_id, generation)):
        raw = unpacked(ledger, transcript_id, offset, length, *packed)
        found = raw.count(b"\n")
        if found >= newlines:
            position = len(raw)
            for _ in range(newlines):
                position = raw.rfind(b"\n", 0, position)
            return int(offset) + position + 1
        newlines -= found
    return 0


class DroppedSpan(NamedTuple):
    """A hole by its place in the transcript, not in its block."""

    offset: int
    length: int
    sha256: str


def holes(ledger: Ledger, transcript_id: int, generation: int) -> list[DroppedSpan]:
    """Where retention dropped bytes of a generation."""
    query = f"""SELECT byte_offset, codec, data FROM _blocks WHERE transcript_id = ?1 AND {_GENERATION}
        AND codec = {codec.DROPPED} ORDER BY byte_offset"""
    return [
        DroppedSpan(offset + start, end - start, digest.hex())
        for offset, packed_by, data in ledger.execute(query, (transcript_id, generation))
        for start, end, digest in codec.holes_of(packed_by, data)
    ]


def unpacked(ledger: Ledger, transcript_id: int, offset: int, length: int, packed_by: int, data: bytes) -> bytes:
    try:
        raw = unpack(packed_by, data)
    except UnpackError as error:
        raise _damaged(ledger, transcript_id, offset) from error
    if len(raw) != length:
        raise _damaged(ledger, transcript_id, offset)
    return raw


def _damaged(ledger: Ledger, transcript_id: int, offset: int) -> TornBlock:
    return TornBlock(f"raw bytes of transcript {transcript_id} in {ledger.path} are damaged at {offset}", MENDING_HINT)


def block_spans(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """(start, end, is_own) spans of blocks for `data`, whole lines: up to BLOCK_BYTES each, longer lines alone."""
    start, size = 0, len(data)
    while size - start > BLOCK_BYTES:
        end = data.rfind(b"\n", start, start + BLOCK_BYTES) + 1
        if end > start:
            yield start, end, False
        else:
            end = data.find(b"\n", start) + 1 or size
            for piece in range(start, end, PIECE_BYTES):
                yield piece, min(piece + PIECE_BYTES, end), True
        start = end
    if start < size:
        yield start, size, False


def supersede_from(ledger: Ledger, transcript_id: int, offset: int, generation: int) -> None:
    """Blocks from `offset` on belong to the past from `generation` on; one that straddles it is split."""
    query = """SELECT id, generation, is_open, byte_offset, byte_length, codec, data FROM _blocks
        WHERE transcript_id = ? AND superseded_in IS NULL AND byte_offset < ? AND byte_offset + byte_length > ?"""
    straddling: list[tuple[Any, ...]] = list(ledger.execute(query, (transcript_id, offset, offset)))
    for row_id, born, is_open, start, *packed in straddling:
        raw = unpacked(ledger, transcript_id, start, *packed)
        ledger.run("DELETE FROM _blocks WHERE id = ?", (row_id,))
        border, dropped = offset - start, codec.holes_of(*packed[-2:])  # no hole lies across the start of a line
        before = [hole for hole in dropped if hole.start < border]
        after = [
            hole._replace(start=hole.start - border, end=hole.end - border) for hole in dropped if hole.start >= border
        ]
        for first, part, kept in ((start, raw[:border], before), (offset, raw[border:], after)):
            stored = codec.cut(part, kept, ()) if kept else pack(part)
            ledger.run(INSERT_BLOCK, (transcript_id, first, len(part), born, is_open, *stored))
    ledger.run(
        """UPDATE _blocks SET superseded_in = ?, is_open = 0
           WHERE transcript_id = ? AND superseded_in IS NULL AND byte_offset >= ?""",
        (generation, transcript_id, offset),
    )


@dataclass(slots=True)
class _OpenRun:
    """Open blocks that follow each other."""

    offset: int
    generation: int
    parts: list[bytes]
    row_ids: list[int]

    def goes_on_with(self, offset: int, generation: int) -> bool:
        return generation == self.generation and offset == self.offset + sum(map(len, self.parts))


def seal(ledger: Ledger, transcript_id: int) -> None:
    """Merge the open blocks of a transcript into one packed block; sealed for good once it is full.

    One that is damaged, or has a hole, stays as it is, and keeps what is before it apart from what follows.
    """
    query = """SELECT id, byte_offset, generation, byte_length, codec, data FROM _blocks
        WHERE transcript_id = ? AND is_open = 1 AND superseded_in IS NULL AND codec != ? ORDER BY byte_offset"""
    runs: list[_OpenRun] = []
    for row_id, offset, generation, length, *packed in ledger.execute(query, (transcript_id, codec.DROPPED)):
        try:
            raw = unpacked(ledger, transcript_id, offset, length, *packed)
        except LedgerCorrupt:
            continue
        if runs and runs[-1].goes_on_with(offset, generation):
            runs[-1].parts.append(raw)
            runs[-1].row_ids.append(row_id)
        else:
            runs.append(_OpenRun(offset, generation, [raw], [row_id]))
    for run in runs:
        merged = b"".join(run.parts)
        is_open = int(run is runs[-1] and len(merged) < BLOCK_BYTES)
        if len(run.row_ids) == 1 and is_open:
            continue
        marks = ", ".join("?" * len(run.row_ids))
        ledger.run(f"DELETE FROM _blocks WHERE id IN ({marks})", tuple(run.row_ids))
        ledger.run(INSERT_BLOCK, (transcript_id, run.offset, len(merged), run.generation, is_open, *pack(merged)))


def open_bytes(ledger: Ledger, transcript_id: int) -> int:
    """Raw bytes in open blocks."""
    query = "SELECT coalesce(sum(byte_length), 0) FROM _blocks WHERE transcript_id = ? AND is_open = 1"
    row = ledger.row(query, (transcript_id,))
    return int(row[0]) if row else 0


def count_open(ledger: Ledger, transcript_id: int) -> int:
    """The same, after blocks were merged, cut or put back: kept with the transcript, in the caller's transaction."""
    found = open_bytes(ledger, transcript_id)
    ledger.run("UPDATE transcripts SET open_bytes = ? WHERE id = ?", (found, transcript_id))
    return found
