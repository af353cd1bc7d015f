"""The laws of one transcript: raw blocks gapless in every generation, every line of the present one in its row.

Only reads, inside the caller's read transaction. Memory holds the list of blocks and one block's bytes, however long
the transcript or its lines are. A generation is the one before it with its end cut off and new blocks put there, so
one walk over the blocks proves all of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from hashlib import sha256
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.codec import UnpackError, unpack
from syncd.ledger.damage import damage_of
from syncd.ledger.past_seals import broken_seals
from syncd.ledger.raw import holes
from syncd.openclaw.file_kinds import RAW_KINDS
from syncd.openclaw.lines import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger

PAST_ROWS = "past_rows"
_TRANSCRIPT = "SELECT id, kind, generation, bytes, lines, tail_bytes, file_sha256 FROM transcripts WHERE id = ?"
_BLOCKS = """SELECT id, byte_offset, byte_length, generation, superseded_in FROM _blocks WHERE transcript_id = ?
    ORDER BY generation, byte_offset"""
# A salvaged row sorts after the quarantined line that holds it, also where both start at the same byte.
_LIVE_ROWS = """SELECT byte_offset, byte_length, line_no, salvaged FROM entries
    WHERE transcript_id = ?1 AND superseded_in IS NULL UNION ALL
    SELECT byte_offset, byte_length, line_no, 0 FROM quarantine
    WHERE transcript_id = ?1 AND superseded_in IS NULL ORDER BY byte_offset, salvaged"""
_PAST_ROWS = """SELECT generation, superseded_in, max(byte_offset + byte_length) FROM (
    SELECT generation, superseded_in, byte_offset, byte_length FROM entries WHERE transcript_id = ?1 UNION ALL
    SELECT generation, superseded_in, byte_offset, byte_length FROM quarantine WHERE transcript_id = ?1)
    WHERE superseded_in IS NOT NULL GROUP BY generation, superseded_in"""


class Fault(NamedTuple):
    kind: str
    message: str


class _Facts(NamedTuple):
    id: int
    kind: str
    generation: int
    bytes: int
    lines: int
    tail_bytes: int
    file_sha256: str | None


class _Block(NamedTuple):
    id: int
    start: int
    length: int
    generation: int
    superseded_in: int | None

    @property
    def end(self) -> int:
        return self.start + self.length


class _Line(NamedTuple):
    start: int
    length: int
    number: int


def faults_of(ledger: Ledger, transcript_id: int, *, reads_bytes: bool) -> Iterator[Fault]:
    """What is wrong with the transcript; `reads_bytes`: unpack every block and hold its lines against the rows."""
    row = ledger.row(_TRANSCRIPT, (transcript_id,))
    if row is None:
        return
    facts = _Facts._make(row)
    blocks = [_Block._make(block) for block in ledger.execute(_BLOCKS, (transcript_id,))]
    ends: dict[int, int] = {}
    block_faults = list(_block_faults(facts, blocks, ends))
    yield from block_faults or _lost_past_faults(ledger, facts)
    yield from _past_row_faults(ledger, facts, ends)
    yield from _live_row_faults(ledger, facts)
    if reads_bytes:
        yield from _damaged_past_blocks(ledger, blocks)
        yield from _byte_faults(ledger, facts, blocks)
        for generation in broken_seals(ledger, facts.id):
            yield Fault(PAST_ROWS, f"rows of the dropped lines that generation {generation} superseded have changed")


def _block_faults(facts: _Facts, blocks: list[_Block], ends: dict[int, int]) -> Iterator[Fault]:
    """Walks the generations that blocks speak of; `ends` receives where the bytes end from each one on."""
    born: dict[int, list[_Block]] = defaultdict(list)
    lost: dict[int, int] = defaultdict(int)
    for block in blocks:
        born[block.generation].append(block)
        if block.superseded_in is not None:
            lost[block.superseded_in] += 1
    standing: list[_Block] = []
    for generation in sorted({1, *born, *lost}):
        if generation > facts.generation:
            yield Fault(
                "cursor", f"raw blocks tell of generation {generation}, the transcript is at {facts.generation}"
            )
            break
        while standing and standing[-1].superseded_in == generation:
            standing.pop()
            lost[generation] -= 1
        for block in born.get(generation, ()):
            end = standing[-1].end if standing else 0
            if block.start != end:
                kind = "gap" if block.start > end else "overlap"
                first, last = min(end, block.start), max(end, block.start)
                yield Fault(kind, f"raw bytes of generation {generation}: {kind} from {first} to {last}")
            standing.append(block)
        ends[generation] = standing[-1].end if standing else 0
        if lost[generation]:
            yield Fault("gap", f"raw blocks superseded in generation {generation} do not end the one before it")
    if (end := _end_at(list(ends), ends, facts.generation)) != facts.bytes:
        yield Fault("cursor", f"{facts.bytes} bytes taken in, but the raw bytes end at {end}")


def _lost_past_faults(ledger: Ledger, facts: _Facts) -> Iterator[Fault]:
    """The end of an earlier generation is told by the event of the rewrite that superseded it, and by nothing else."""
    for damage in damage_of(ledger, facts.id, is_live=False, reads_bytes=False):
        which = f"raw bytes of generation {damage.generation}"
        yield Fault("gap", f"{which}: gap from {damage.start} to {damage.end}")


def _end_at(named: list[int], ends: dict[int, int], generation: int) -> int:
    """`named` are the keys of `ends` in order; a generation it does not name ends as the one before it."""
    place = bisect_right(named, generation)
    return ends[named[place - 1]] if place else 0


def _past_row_faults(ledger: Ledger, facts: _Facts, ends: dict[int, int]) -> Iterator[Fault]:
    named = list(ends)
    for born, superseded_in, end in ledger.execute(_PAST_ROWS, (facts.id,)):
        if not 1 <= born < superseded_in <= facts.generation:
            yield Fault(
                "row", f"rows of generation {born} superseded in {superseded_in}: the transcript has {facts.generation}"
            )
        elif end > min(_end_at(named, ends, born), _end_at(named, ends, superseded_in - 1)):
            yield Fault("row", f"rows of generation {born} reach to {end}, beyond its raw bytes")


def _live_row_faults(ledger: Ledger, facts: _Facts) -> Iterator[Fault]:
    """Rows inside the bytes, without overlap; of many wrong ones the first is told."""
    line_start = line_end = 0
    for start, length, number, salvaged in ledger.execute(_LIVE_ROWS, (facts.id,)):
        end = start + length
        if salvaged:
            if start < line_start or end > line_end:
                yield Fault("row", f"salvaged row at {start} (line {number}) lies in no quarantined line")
                return
            continue
        if start < line_end:
            yield Fault(
                "overlap", f"row at {start} (line {number}) begins before {line_end}, where the one before it ends"
            )
            return
        if length <= 0 or end > facts.bytes:
            yield Fault("row", f"row at {start} (line {number}) ends at {end}, outside of {facts.bytes} raw bytes")
            return
        line_start, line_end = start, end


def _damaged_past_blocks(ledger: Ledger, blocks: list[_Block]) -> Iterator[Fault]:
    for block in blocks:
        if block.superseded_in is not None:
            raw = _bytes_of(ledger, block)
            if isinstance(raw, Fault):
                yield raw


def _byte_faults(ledger: Ledger, facts: _Facts, blocks: list[_Block]) -> Iterator[Fault]:
    """The present generation, line by line, against its rows, its count of lines and, of an archive, its hash."""
    live = sorted((block for block in blocks if block.superseded_in is None), key=lambda block: block.start)
    hash_known = (
        facts.file_sha256 is not None and facts.tail_bytes == 0 and not holes(ledger, facts.id, facts.generation)
    )
    scan = _LineScan(ledger, live, hashes=hash_known)
    lines = (line for line in scan.lines() if facts.kind not in RAW_KINDS)
    rows = (_Line(*row[:3]) for row in ledger.execute(_LIVE_ROWS, (facts.id,)) if not row[3])
    told = False
    for line, row in zip_longest(lines, rows):
        if line != row and not told and scan.damage is None:
            told = True  # what follows is shifted; the scan goes on for the count and the hash
            yield Fault("row", _mismatch(line, row))
    if scan.damage is not None:
        yield scan.damage
        return
    if scan.count != facts.lines:
        yield Fault("lines", f"{facts.lines} lines taken in, but the raw bytes hold {scan.count}")
    if hash_known and scan.digest.hexdigest() != facts.file_sha256:
        yield Fault("sha256", f"raw bytes have not the archive's sha256 {facts.file_sha256}")


def _mismatch(line: _Line | None, row: _Line | None) -> str:
    if row is None or (line is not None and line.start < row.start):
        assert line is not None
        return f"line {line.number} at {line.start} has no row"
    if line is None or line.start > row.start:
        return f"row at {row.start} (line {row.number}) is no line of the raw bytes"
    return (
        f"row at {row.start} says line {row.number}, {row.length} bytes; it is line {line.number}, {line.length} bytes"
    )


class _LineScan:
    """One pass over live blocks: its lines that are not blank, and what the pass came to."""

    def __init__(self, ledger: Ledger, live: list[_Block], *, hashes: bool) -> None:
        self._ledger = ledger
        self._hashes = hashes
        self._live = live
        self.count = 0
        self.digest = sha256()
        self.damage: Fault | None = None

    def lines(self) -> Iterator[_Line]:
        start = position = 0
        has_content = False
        for block in self._live:
            raw = _bytes_of(self._ledger, block)
            if isinstance(raw, Fault):
                self.damage = raw
                return
            if self._hashes:
                self.digest.update(raw)
            *whole, rest = raw.split(b"\n")
            for part in whole:
                self.count += 1
                position += len(part) + 1
                if has_content or not is_blank(part):
                    yield _Line(start, position - start, self.count)
                start, has_content = position, False
            position += len(rest)
            has_content = has_content or not is_blank(rest)
        if position > start:  # an archive's last line may lack its newline
            self.count += 1
            if has_content:
                yield _Line(start, position - start, self.count)


def _bytes_of(ledger: Ledger, block: _Block) -> bytes | Fault:
    row = ledger.row("SELECT codec, data FROM _blocks WHERE id = ?", (block.id,))
    assert row is not None  # the same transaction has just listed it
    try:
        raw = unpack(*row)
    except UnpackError:
        return Fault("damaged", f"raw bytes at {block.start} (generation {block.generation}) cannot be unpacked")
    if len(raw) != block.length:
        return Fault("damaged", f"raw bytes at {block.start}: {len(raw)} where {block.length} should be")
    return raw
