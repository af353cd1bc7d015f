"""Raw bytes that are not what was taken in: blocks that are gone, that cannot be unpacked, or that lie over others.

Every byte ever taken in belongs to one layer: the present one, from 0 to the cursor, or what a rewrite superseded, from
and to where its event in `sync_events` says. The blocks of a layer tile it; where they do not, it is damaged.
Only reads, inside the caller's transaction. What to do about damage is mirror/mend's.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.codec import UnpackError, is_intact, unpack
from syncd.ledger.faults import damaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from syncd.ledger.database import Ledger

_BLOCKS = """SELECT superseded_in, id, byte_offset, byte_length FROM _blocks WHERE transcript_id = ?
    ORDER BY byte_offset, id"""
_REWRITES = """SELECT detail ->> 'generation' AS generation, detail ->> 'offset', detail ->> 'superseded_bytes'
    FROM (SELECT iif(json_valid(detail_json), detail_json, '{}') AS detail FROM sync_events
    WHERE transcript_id = ? AND kind IN ('rewrite', 'truncation')) ORDER BY generation"""
_BLOCKS_AT_ONCE = 200
_LIVE = 0  # no generation's number
_LIVE_BLOCKS_AT = """SELECT id, byte_length FROM _blocks WHERE transcript_id = ?1 AND superseded_in IS NULL
    AND byte_offset <= ?2 AND byte_offset + byte_length > ?2"""
MISSING = "raw bytes are missing"
UNREADABLE = "raw bytes are damaged"
DOUBLE = "raw bytes are there twice"


class Damage(NamedTuple):
    """Bytes [start, end) of `generation`, the last one that has them. `superseded_in` None: the present one."""

    generation: int
    superseded_in: int | None
    start: int
    end: int
    reason: str
    block_id: int | None = None


class Rewrite(NamedTuple):
    """`generation` superseded the bytes [start, end) of the one before it."""

    generation: int
    start: int
    end: int


class _Block(NamedTuple):
    id: int
    start: int
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


def damage_of(
    ledger: Ledger, transcript_id: int, *, is_live: bool = True, is_past: bool = True, reads_bytes: bool = True
) -> list[Damage]:
    """What is wrong with the raw bytes of the present (`is_live`) and of earlier generations (`is_past`)."""
    row = ledger.row("SELECT generation, bytes FROM transcripts WHERE id = ?", (transcript_id,))
    if row is None:
        return []
    present, cursor = row
    blocks: dict[int, list[_Block]] = defaultdict(list)
    for superseded_in, *block in ledger.execute(_BLOCKS, (transcript_id,)):
        blocks[superseded_in or _LIVE].append(_Block._make(block))
    live = blocks.pop(_LIVE, [])
    found: list[Damage] = []
    if is_live:
        whole = Damage(present, None, 0, cursor, "")
        found += _damage_in(ledger, whole, live, reads_bytes=reads_bytes)
    if is_past:
        extents = {item.generation: (item.start, item.end) for item in rewrites(ledger, transcript_id)}
        for generation in sorted(extents.keys() | blocks.keys()):
            layer = blocks[generation]
            start, end = extents.get(generation) or (layer[0].start, layer[-1].end)
            whole = Damage(generation - 1, generation, start, end, "")
            found += _damage_in(ledger, whole, layer, reads_bytes=reads_bytes)
    return found


def rewrites(ledger: Ledger, transcript_id: int) -> list[Rewrite]:
    """Every new generation of the transcript, in order."""
    found = list(ledger.execute(_REWRITES, (transcript_id,)))
    if not all(isinstance(value, int) for row in found for value in row):
        raise damaged(ledger.path, f"an event of transcript {transcript_id} does not say what was rewritten")
    return [Rewrite(generation, start, start + lost) for generation, start, lost in found]


def _damage_in(ledger: Ledger, whole: Damage, blocks: list[_Block], *, reads_bytes: bool) -> Iterator[Damage]:
    position = whole.start
    for block in blocks:
        if block.start < position or block.end > whole.end:
            yield whole._replace(start=block.start, end=block.end, reason=DOUBLE, block_id=block.id)
            continue
        if block.start > position:
            yield whole._replace(start=position, end=block.start, reason=MISSING)
        if reads_bytes and not is_readable(ledger, block.id, block.length):
            yield whole._replace(start=block.start, end=block.end, reason=UNREADABLE, block_id=block.id)
        position = block.end
    if position < whole.end:
        yield whole._replace(start=position, end=whole.end, reason=MISSING)


def is_damaged_at(ledger: Ledger, transcript_id: int, offset: int) -> bool:
    """Has the present generation no block, or no readable one, at this byte? At the cost of one block."""
    found = list(ledger.execute(_LIVE_BLOCKS_AT, (transcript_id, offset)))
    return len(found) != 1 or not is_readable(ledger, *found[0])


def is_readable(ledger: Ledger, block_id: int, length: int) -> bool:
    row = ledger.row("SELECT codec, data FROM _blocks WHERE id = ?", (block_id,))
    try:
        return row is not None and len(unpack(*row)) == length
    except UnpackError:
        return False


def torn_blocks(ledger: Ledger, between: Callable[[], None] = lambda: None) -> Iterator[int]:
    """Ids of raw blocks whose checksum does not fit; `between` is called now and then."""
    last_id = 0
    query = "SELECT id, codec, data FROM _blocks WHERE id > ? ORDER BY id LIMIT ?"
    while rows := list(ledger.execute(query, (last_id, _BLOCKS_AT_ONCE))):
        yield from (row_id for row_id, codec, data in rows if not is_intact(codec, data))
        last_id = rows[-1][0]
        between()
