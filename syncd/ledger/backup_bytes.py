"""Raw bytes that the ledger has lost, taken again from a backup of it: those at an offset of a generation never change.

Only a whole gap is filled, and only from a backup in which the transcript is the same. What retention had dropped there
stays dropped, and so do past lines that it dropped since; bodies of results are there again until the next retention.
What no backup has stays lost.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import apsw

from syncd.ledger import raw
from syncd.ledger.codec import UnpackError, cut, has_hole_across, holes_of, left_of, part_of, unpack
from syncd.ledger.damage import DOUBLE, damage_of, rewrites
from syncd.ledger.dropping import forget_dropped
from syncd.ledger.events import note_event
from syncd.ledger.past_seals import kept_seals
from syncd.ledger.transaction import writing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.ledger.codec import PackedBytes
    from syncd.ledger.damage import Damage
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

_SAME = """SELECT 1 FROM transcripts WHERE id = ? AND installation_id = ? AND first_seen_at = ?"""
_AT = """SELECT byte_offset, codec, data FROM _blocks WHERE transcript_id = ?1 AND generation = ?2
    AND byte_offset <= ?3 AND byte_offset + byte_length > ?3"""


class _Part(NamedTuple):
    start: int
    born: int
    length: int
    packed: PackedBytes


def fill_from_backups(ledger: Ledger, transcript: Transcript, clock: Clock, backups: Iterable[Path]) -> list[Damage]:
    """What is still lost afterwards. Nothing of the writer's may wait to be committed."""
    damage = damage_of(ledger, transcript.id)
    for path in backups:
        if not damage:
            break
        try:
            connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        except apsw.Error:
            continue  # an older one may have them
        with closing(connection):
            filled = [item for item in damage if _fill(ledger, connection, transcript, item)]
        if filled:
            size = sum(item.end - item.start for item in filled)
            detail = {"path": str(path), "offset": filled[0].start, "bytes": size, "generation": filled[0].generation}
            with writing(ledger):
                note_event(ledger, clock.now_ms(), "repair", transcript.id, detail)
            damage = damage_of(ledger, transcript.id)
    return damage


def _fill(ledger: Ledger, backup: apsw.Connection, transcript: Transcript, item: Damage) -> bool:
    if item.reason == DOUBLE:
        return False
    begins = [(each.start, each.generation) for each in rewrites(ledger, transcript.id)]
    is_dropped = item.superseded_in in kept_seals(ledger, transcript.id)
    limit = item.superseded_in if item.superseded_in is not None else transcript.generation + 1
    parts: list[_Part] = []
    position = item.start
    try:
        about = (transcript.id, transcript.installation_id, transcript.first_seen_at)
        if backup.execute(_SAME, about).fetchone() is None:
            return False
        while position < item.end:
            born = max((number for start, number in begins if start <= position and number < limit), default=1)
            border = min([item.end, *(start for start, number in begins if start > position and number < limit)])
            found = _part_at(backup, transcript.id, born, position, border, is_dropped=is_dropped)
            if found is None:
                return False
            parts.append(found)
            position += found.length
    except (apsw.Error, UnicodeDecodeError):
        return False  # the backup is damaged itself, or of a schema that knew no such tables
    with writing(ledger) as connection:
        connection.execute("DELETE FROM _blocks WHERE id = ?", (item.block_id,))
        for part in parts:
            row = (transcript.id, part.start, part.length, part.born, item.superseded_in, *part.packed)
            connection.execute(raw.INSERT_SEALED_BLOCK, row)
        forget_dropped(ledger, transcript.id, item.start, item.end, item.superseded_in)
        transcript.open_bytes = raw.count_open(ledger, transcript.id)
    return True


def _part_at(
    backup: apsw.Connection, transcript_id: int, born: int, position: int, end: int, *, is_dropped: bool
) -> _Part | None:  # fmt: skip
    for start, codec, data in backup.execute(_AT, (transcript_id, born, position)):
        try:
            content = unpack(codec, data)
        except UnpackError:
            continue
        which = (position - start, min(end - start, len(content)))
        if has_hole_across(codec, data, *which):
            continue  # an older backup may have the bytes
        found, packed = part_of(content, codec, data, *which)
        if is_dropped:
            holes = holes_of(*packed)
            packed = cut(found, holes, left_of(len(found), holes))
        if found:
            return _Part(position, born, len(found), packed)
    return None
