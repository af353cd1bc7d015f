"""The bytes of one entry's line, of any generation, straight from the raw blocks.

For random access by entries.id; whole transcripts are read by `raw.blocks`. The last few blocks stay unpacked, because
queries walk a transcript in order. Blocks are known by their row id: use one EntryBytes inside one read transaction.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.codec import Hole, holes_of
from syncd.ledger.raw import unpacked
from syncd.openclaw.json_repair import repaired

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

_KEPT_BLOCKS = 4

_ENTRY = "SELECT transcript_id, byte_offset, byte_length, generation, flags, salvaged FROM entries WHERE id = ?"
_IN_GENERATION = "transcript_id = ?1 AND generation <= ?2 AND (superseded_in IS NULL OR superseded_in > ?2)"
_HOLDING = f"""SELECT id, byte_offset, byte_length FROM _blocks WHERE {_IN_GENERATION} AND byte_offset <= ?3
    ORDER BY byte_offset DESC LIMIT 1"""
_FOLLOWING = f"""SELECT id, byte_offset, byte_length FROM _blocks WHERE {_IN_GENERATION} AND byte_offset >= ?3
    AND byte_offset < ?4 ORDER BY byte_offset"""


class _Entry(NamedTuple):
    transcript_id: int
    offset: int
    length: int
    generation: int
    flags: str | None
    salvaged: int


class EntryBytes:
    """Finds lines by entries.id."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._unpacked: OrderedDict[int, bytes] = OrderedDict()
        self._holes: dict[int, list[Hole]] = {}
        self.is_cut = False
        """Did retention drop some of the line that was read last? Blanks stand there."""

    def line(self, entry_id: int) -> bytes | None:
        """The line with its newline, byte for byte; of a salvaged entry its own part of it. None: no such entry."""
        entry = self._entry(entry_id)
        return None if entry is None else self._read(entry)

    def json(self, entry_id: int) -> str | None:
        """The line as JSON text that SQLite's functions take: what had to be mended to read it is mended here too."""
        entry = self._entry(entry_id)
        line = None if entry is None else self._read(entry)
        if entry is None or line is None:
            return None
        body = repaired(line)[0] if entry.flags or entry.salvaged else line.strip()
        return body.decode("utf-8", "replace") or None  # nothing but blanks: retention dropped the line

    def _entry(self, entry_id: int) -> _Entry | None:
        row = self._ledger.row(_ENTRY, (entry_id,))
        return None if row is None else _Entry._make(row)

    def _read(self, entry: _Entry) -> bytes | None:
        return self.at(entry.transcript_id, entry.offset, entry.length, entry.generation)

    def at(self, transcript_id: int, offset: int, length: int, generation: int) -> bytes | None:
        """The line at this place of a generation, for whoever has its row already."""
        end, self.is_cut = offset + length, False
        first = self._ledger.row(_HOLDING, (transcript_id, generation, offset))
        if first is None:
            return None
        block_id, start, block_length = first
        parts = [self._part(transcript_id, block_id, offset - start, end - start)]
        if start + block_length < end:
            following = (transcript_id, generation, start + block_length, end)
            for block_id, start, _ in list(self._ledger.execute(_FOLLOWING, following)):
                parts.append(self._part(transcript_id, block_id, 0, end - start))
        line = b"".join(parts)
        return line if len(line) == length else None

    def _part(self, transcript_id: int, block_id: int, first: int, last: int) -> bytes:
        block = self._block(transcript_id, block_id)
        holes = self._holes.get(block_id, ())
        self.is_cut = self.is_cut or any(hole.start < last and hole.end > first for hole in holes)
        return block[first:last]

    def _block(self, transcript_id: int, block_id: int) -> bytes:
        if block_id in self._unpacked:
            self._unpacked.move_to_end(block_id)
            return self._unpacked[block_id]
        row = self._ledger.row("SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE id = ?", (block_id,))
        assert row is not None  # the same transaction has just seen it
        if holes := holes_of(*row[2:]):
            self._holes[block_id] = holes
        raw = unpacked(self._ledger, transcript_id, *row)
        self._unpacked[block_id] = raw
        if len(self._unpacked) > _KEPT_BLOCKS:
            self._holes.pop(self._unpacked.popitem(last=False)[0], None)
        return raw
