"""What is left in a damaged ledger: raw blocks whose checksum fits, transcripts, events, and rows of other tables.

The first three are carved out of the pages, so that no broken tree hides them; the others are asked for in SQL, as far
as that goes. Only reads. What becomes of it is `salvage`'s.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw
import orjson

from syncd.ledger.carving import Pages, Record, Types
from syncd.ledger.codec import UnpackError, unpack
from syncd.ledger.row_checksums import COLUMN, OUTDATED, UNGUARDED, row_checksum
from syncd.ledger.row_correction import correction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

_MOST_QUERIES = 20_000
_HIGHEST_ID = 1 << 40
_REWRITES = ("rewrite", "truncation")
_SPAN = ("generation", "offset", "superseded_bytes")


class Piece(NamedTuple):
    """A raw block, whose bytes are read when they are needed."""

    start: int
    length: int
    record: Record


@dataclass(slots=True)
class Remains:
    path: Path
    pages: Pages
    columns: tuple[str, ...]
    """Of `transcripts`, in order."""
    pieces: dict[tuple[int, int], list[Piece]] = field(default_factory=lambda: defaultdict(list))
    """By transcript and generation."""
    transcripts: dict[int, dict[str, Any]] = field(default_factory=dict)
    doubtful: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Rows of transcripts that are not as they were written."""
    events: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    rewrites: dict[int, dict[int, tuple[int, int]]] = field(default_factory=lambda: defaultdict(dict))
    """By transcript and the new generation: where it began, and how many bytes it superseded."""

    def unpacked(self, piece: Piece) -> tuple[int, bytes, bytes] | None:
        """(codec, data, raw bytes); None where a byte of it is not what was stored."""
        values = self.pages.values(piece.record)
        if values is None:
            return None
        codec, data = values[7], values[8]
        if not isinstance(codec, int) or not isinstance(data, bytes):
            return None
        try:
            raw = unpack(codec, data)
        except UnpackError:
            return None
        return (codec, data, raw) if len(raw) == piece.length else None

    def close(self) -> None:
        self.pages.close()


def remains_of(path: Path, columns: tuple[str, ...], is_alive: Callable[[], None] = lambda: None) -> Remains:
    """`columns`: of `transcripts` in the present schema; rows from before a column was added are shorter."""
    found = Remains(path, Pages(str(path)), columns)
    looked_at = 0
    for record in found.pages.records(lambda types: _is_block(types) or _is_event(types) or _is_transcript(types)):
        if record.page != looked_at:
            looked_at = record.page
            is_alive()
        values = found.pages.values(record, blobs=not _is_block(record.types))
        if values is None:
            continue
        if _is_block(record.types):
            _note_block(found, record, values)
        elif _is_event(record.types):
            _note_event(found, record, values)
        else:
            _note_transcript(found, record, values)
    for pieces in found.pieces.values():
        pieces.sort(key=lambda piece: (piece.start, -piece.length))
    return found


def rows_of(
    path: Path, table: str, columns: tuple[str, ...], defaults: Mapping[str, str] | None = None
) -> Iterator[tuple[Any, ...]]:
    """Rows of a table, those that can be had; none of one that the file does not know.

    Of a column that it does not know, being of an older schema: what `defaults` says in SQL, else null.
    """
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return
    with closing(connection), suppress(apsw.Error, UnicodeDecodeError):
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA writable_schema = ON")  # else one wrong letter in it hides every table
        listed = next(connection.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (table,)), None)
        if listed is None:
            return
        known = {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}
        names = ", ".join(name if name in known else (defaults or {}).get(name, "NULL") for name in columns)
        if listed[0]:  # without ids: as far as the first damage
            yield from connection.execute(f"SELECT {names} FROM {table}")
            return
        query = f"SELECT {names} FROM {table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
        yield from _readable(connection, query, 0, _HIGHEST_ID, [_MOST_QUERIES])


def _readable(
    connection: apsw.Connection, query: str, low: int, high: int, left: list[int]
) -> Iterator[tuple[Any, ...]]:
    """Halved wherever it fails, so that one bad page costs no more than its own rows."""
    left[0] -= 1
    if left[0] < 0:
        return
    try:
        rows = list(connection.execute(query, (low, high)))
    except (apsw.Error, UnicodeDecodeError):
        if low < high:
            middle = (low + high) // 2
            yield from _readable(connection, query, low, middle, left)
            yield from _readable(connection, query, middle + 1, high, left)
        return
    yield from rows


def _is_integer(kind: int) -> bool:
    return 1 <= kind <= 6 or kind in (8, 9)


def _is_block(types: Types) -> bool:
    """_blocks: id, transcript, offset, length, generation, superseded_in, is_open, codec, data."""
    return (
        len(types) == 9
        and types[0] == 0
        and all(_is_integer(kind) for kind in (*types[1:5], *types[6:8]))
        and (types[5] == 0 or _is_integer(types[5]))
        and types[8] >= 12
        and types[8] % 2 == 0
    )


def _is_event(types: Types) -> bool:
    """sync_events: id, at, kind, transcript_id, detail_json, and since there is one its checksum."""
    return (
        (len(types) == 5 or (len(types) == 6 and (types[5] == 0 or _is_integer(types[5]))))
        and types[0] == 0
        and _is_integer(types[1])
        and types[2] > 12
        and types[2] % 2 == 1
        and (types[3] == 0 or _is_integer(types[3]))
        and types[4] > 12
        and types[4] % 2 == 1
    )


def _is_transcript(types: Types) -> bool:
    """transcripts: id, installation_id, agent_id, session_id, topic_id, path, kind, ...."""
    return (
        24 <= len(types) <= 48  # as many as the first schema had
        and types[0] == 0
        and _is_integer(types[1])
        and all(kind > 12 and kind % 2 == 1 for kind in (types[2], types[3], types[5], types[6]))
    )


def _note_block(found: Remains, record: Record, values: list[Any]) -> None:
    _, transcript_id, start, length, generation, _superseded_in, _is_open, _codec = values
    if transcript_id > 0 and start >= 0 and length > 0 and generation > 0:
        found.pieces[transcript_id, generation].append(Piece(start, length, record))


def _note_event(found: Remains, record: Record, values: list[Any]) -> None:
    _, at, kind, transcript_id, detail_json, *rest = values
    try:
        detail = orjson.loads(detail_json)
    except orjson.JSONDecodeError:
        return
    if not isinstance(detail, dict):
        return
    found.events[record.row_id] = (record.row_id, at, kind, transcript_id, detail_json, *(rest or [None]))
    span = [value for name in _SPAN if isinstance(value := detail.get(name), int)]
    if kind in _REWRITES and transcript_id is not None and len(span) == len(_SPAN):
        found.rewrites[transcript_id][span[0]] = (span[1], span[2])


def _note_transcript(found: Remains, record: Record, values: list[Any]) -> None:
    facts = dict(zip(found.columns, values, strict=False)) | {"id": record.row_id}
    numbers = [facts.get(name) for name in ("generation", "bytes", "lines", "tail_bytes", "changed_at", "projection")]
    if not all(isinstance(each, int) and abs(each) < 1 << 60 for each in numbers):
        return
    if facts["generation"] < 1 or facts["bytes"] < 0 or facts.get("state") not in ("live", "archived", "gone"):
        return  # another table's, or damaged
    rows = found.transcripts if _is_as_written(found.columns, facts) else found.doubtful
    known = rows.get(record.row_id)
    if known is None or _age(known) < _age(facts):
        rows[record.row_id] = facts


def _is_as_written(columns: tuple[str, ...], facts: dict[str, Any]) -> bool:
    """By its checksum; also where it has none. One damaged byte is undone."""
    ours = columns[: columns.index(COLUMN)]  # those that people added come behind
    names = [name for name in ours if name not in UNGUARDED["transcripts"]]
    checksum = facts.get(COLUMN)
    if not isinstance(checksum, int) or any(name not in facts for name in names):
        return True
    values = tuple(value.encode() if isinstance(value := facts[name], str) else value for name in names)
    if row_checksum(*values) == checksum & 0xFFFFFFFF:
        return True
    right = correction(values, checksum & 0xFFFFFFFF) if checksum != OUTDATED else None
    if right is None:
        return False
    try:
        facts[names[right.column]] = right.value.decode() if isinstance(right.value, bytes) else right.value
    except UnicodeDecodeError:
        return False
    return True


def _age(facts: dict[str, Any]) -> tuple[int, int, int]:
    return facts["generation"], facts["changed_at"], facts["bytes"]
