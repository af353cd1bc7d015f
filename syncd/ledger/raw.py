"""The raw bytes: blocks of whole lines, by transcript, offset and generation.

A block is sealed at about 512 KiB and packed; the newest lines stay in open blocks until there are enough to seal.
Longer lines get blocks of their own, in pieces of 1 MiB. A rewrite splits at most one block: blocks follow
the same rule of generations as entries. Reading them back is byte-exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncd.errors import LedgerCorrupt
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

INSERT_BLOCK = """INSERT INTO _blocks (transcript_id, byte_offset, byte_length, generation, is_open, codec, data)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""

_GENERATION = "generation <= ?2 AND (superseded_in IS NULL OR superseded_in > ?2)"


def blocks(
    ledger: Ledger, transcript_id: int, generation: int, start: int = 0, end: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """(offset, bytes) of one generation in order, cut to [start, end)."""
    last = end if end is not None else 2**62
    query = f"""SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE transcript_id = ?1 AND {_GENERATION}
        AND byte_offset < ?4 AND byte_offset + byte_length > ?3 ORDER BY byte_offset"""
    for offset, length, codec, data in ledger.execute(query, (transcript_id, generation, start, last)):
        raw = unpacked(ledger, transcript_id, offset, length, codec, data)
        if offset >= start and offset + len(raw) <= last:
            yield offset, raw
        else:
            yield max(offset, start), raw[max(0, start - offset) : last - offset]


def unpacked(ledger: Ledger, transcript_id: int, offset: int, length: int, codec: int, data: bytes) -> bytes:
    try:
        raw = unpack(codec, data)
    except UnpackError as error:
        raise _damaged(ledger, transcript_id, offset) from error
    if len(raw) != length:
        raise _damaged(ledger, transcript_id, offset)
    return raw


def _damaged(ledger: Ledger, transcript_id: int, offset: int) -> LedgerCorrupt:
    return LedgerCorrupt(
        f"raw bytes of transcript {transcript_id} in {ledger.path} are damaged at {offset}", MENDING_HINT
    )


def cut(data: bytes) -> Iterator[tuple[int, int, bool]]:
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
        for first, part in ((start, raw[: offset - start]), (offset, raw[offset - start :])):
            ledger.run(INSERT_BLOCK, (transcript_id, first, len(part), born, is_open, *pack(part)))
    ledger.run(
        """UPDATE _blocks SET superseded_in = ?, is_open = 0
           WHERE transcript_id = ? AND superseded_in IS NULL AND byte_offset >= ?""",
        (generation, transcript_id, offset),
    )


def seal(ledger: Ledger, transcript_id: int) -> None:
    """Merge the open blocks of a transcript into one packed block; sealed for good once it is full.

    A damaged one stays as it is, and keeps what is before it apart from what follows: appending goes on.
    """
    query = """SELECT id, byte_offset, generation, byte_length, codec, data FROM _blocks
        WHERE transcript_id = ? AND is_open = 1 AND superseded_in IS NULL ORDER BY byte_offset"""
    runs: list[tuple[int, int, list[bytes], list[int]]] = []
    for row_id, offset, generation, length, codec, data in ledger.execute(query, (transcript_id,)):
        try:
            raw = unpacked(ledger, transcript_id, offset, length, codec, data)
        except LedgerCorrupt:
            continue
        if runs and runs[-1][1] == generation and runs[-1][0] + sum(map(len, runs[-1][2])) == offset:
            runs[-1][2].append(raw)
            runs[-1][3].append(row_id)
        else:
            runs.append((offset, generation, [raw], [row_id]))
    for number, (offset, generation, parts, row_ids) in enumerate(runs, 1):
        merged = b"".join(parts)
        is_open = int(number == len(runs) and len(merged) < BLOCK_BYTES)
        if len(row_ids) == 1 and is_open:
            continue
        marks = ", ".join("?" * len(row_ids))
        ledger.run(f"DELETE FROM _blocks WHERE id IN ({marks})", tuple(row_ids))
        ledger.run(INSERT_BLOCK, (transcript_id, offset, len(merged), generation, is_open, *pack(merged)))


def open_bytes(ledger: Ledger, transcript_id: int) -> int:
    """Raw bytes in open blocks."""
    query = "SELECT coalesce(sum(byte_length), 0) FROM _blocks WHERE transcript_id = ? AND is_open = 1"
    row = ledger.row(query, (transcript_id,))
    return int(row[0]) if row else 0
