"""One transcript out of a damaged ledger: every byte of every generation that a checksum, or the backup, vouches for.

Where blocks are torn the backup's own fill the gap. Behind a gap that nothing fills the transcript ends, and catching
up reads on in the file; what lies behind it and no file has becomes a transcript of its own, of kind `corrupt`. Inside
the caller's transaction, with foreign keys off.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from syncd.ledger import raw
from syncd.ledger.codec import DROPPED, UnpackError, has_hole_across, pack, part_of, unpack
from syncd.ledger.damage import damage_of, rewrites
from syncd.ledger.events import note_event
from syncd.ledger.remains import rows_of
from syncd.ledger.row_checksums import COLUMN as CHECKSUM
from syncd.openclaw.file_kinds import classify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from syncd.ledger.damage import Damage
    from syncd.ledger.database import Ledger
    from syncd.ledger.remains import Piece, Remains

    Holds = Callable[[str, int, bytes], bool]
    """Has the file of this path these bytes at this offset?"""

_PUT_ASIDE = "UPDATE _blocks SET transcript_id = -?1 WHERE transcript_id = ?1"
_ASIDE = """SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE transcript_id = -?1 AND generation = ?2
    AND byte_offset <= ?3 AND byte_offset + byte_length > ?3 LIMIT 1"""
_NEXT_ASIDE = """SELECT min(byte_offset) FROM _blocks WHERE transcript_id = -?1 AND generation = ?2
    AND byte_offset > ?3"""
_PLACE_COLUMNS = ("transcript_id", "role", "installation_id", "path")
# What the rows derived from its lines will say again.
_FORGOTTEN: dict[str, Any] = {
    "parent_transcript_id": None, "lineage_id": 0, "leaf_entry_id": None, "append_entry_id": None, "is_tree_due": 0,
    "tip_turn_id": None, "session": None, "open_bytes": 0,
}  # fmt: skip


@dataclass(slots=True)
class Salvaged:
    transcripts: int = 0
    """Taken over, since the backup had less of them."""
    fragments: int = 0
    """What lay behind a gap, kept as transcripts of their own."""
    rows: int = 0
    """Of tables that cannot be derived."""
    lost: list[tuple[int, Damage]] = field(default_factory=list)
    """Transcript ids, and bytes of earlier generations that are nowhere any more."""
    next_id: int = 1
    """For transcripts that were none before."""


class _Segment(NamedTuple):
    """Bytes [start, end) that were born in one generation and superseded together."""

    start: int
    end: int
    born: int
    superseded_in: int | None


class _Filled(NamedTuple):
    start: int
    end: int
    ends_line: bool
    newlines: int


def facts_of(ledger: Ledger, remains: Remains, transcript_id: int, files: dict[int, Place]) -> dict[str, Any] | None:
    """Its row there, as it was written; else as the backup knows it; else as its file's name and its own bytes tell."""
    found = remains.transcripts.get(transcript_id)
    if found is None:
        row = ledger.row(f"SELECT {', '.join(remains.columns)} FROM transcripts WHERE id = ?", (transcript_id,))
        found = dict(zip(remains.columns, row, strict=False)) if row is not None else None
        doubtful = remains.doubtful.get(transcript_id) if transcript_id not in files else None
        found = found or doubtful or _unnamed(ledger, remains, transcript_id, files)
        if found is None:
            return None
        spans = remains.rewrites.get(transcript_id, {})
        born = [generation for owner, generation in remains.pieces if owner == transcript_id]
        latest = found["generation"] = max([1, *born, *spans])
        ends = [piece.start + piece.length for piece in remains.pieces.get((transcript_id, latest), ())]
        found["bytes"] = max([*ends, spans[latest][0] if latest in spans else 0])
    row = ledger.row("SELECT 1 FROM installations WHERE id = ?", (found["installation_id"],))
    return dict(found) if row is not None else None


class Place(NamedTuple):
    installation_id: int
    path: str


def places(ledger: Ledger, remains: Remains) -> dict[int, Place]:
    """Of each transcript the file that held it, as far as that is known."""
    state_dirs = dict(ledger.execute("SELECT id, state_dir FROM installations"))
    found: dict[int, Place] = {}
    for owner, role, installation_id, path in rows_of(remains.path, "_files", _PLACE_COLUMNS):
        if owner is not None and role == "place" and installation_id in state_dirs:
            absolute = os.path.join(state_dirs[installation_id], path.decode("utf-8", "replace"))
            found[owner] = Place(installation_id, absolute)
    return found


def _unnamed(ledger: Ledger, remains: Remains, transcript_id: int, files: dict[int, Place]) -> dict[str, Any] | None:
    """Of its row nothing is left. Without a known file it is a fragment, whose header may say of what."""
    first = next(iter(remains.pieces.get((transcript_id, 1), ())), None)
    content = remains.unpacked(first) if first is not None and first.start == 0 else None
    session_id = _header_id(content[2]) if content is not None else None
    facts: dict[str, Any] = {"id": transcript_id, "lines": 0, "tail_bytes": 0, "projection": 1, "first_seen_at": 0,
                             "changed_at": 0}  # fmt: skip
    if (place := files.get(transcript_id)) is not None:
        name = classify(os.path.basename(place.path))
        is_live = name.kind in ("primary", "trajectory") and name.archive_reason is None
        parts = place.path.split("/")
        agent_id = parts[-3] if len(parts) > 3 and parts[-4] == "agents" else "main"
        return facts | {
            "installation_id": place.installation_id, "agent_id": agent_id, "path": place.path, "kind": name.kind,
            "session_id": session_id or name.session_id or parts[-1], "state": "live" if is_live else "archived",
        }  # fmt: skip
    installation = ledger.row("SELECT min(id) FROM installations")
    if installation is None or installation[0] is None:
        return None
    session_id = session_id or f"salvaged-{transcript_id}"
    return facts | {
        "installation_id": installation[0], "agent_id": "main", "session_id": session_id,
        "path": f"{session_id}.jsonl", "kind": "corrupt", "state": "gone",
    }  # fmt: skip


def _header_id(content: bytes) -> str | None:
    try:
        header = orjson.loads(content.split(b"\n", 1)[0])
    except orjson.JSONDecodeError:
        return None
    found = header.get("id") if isinstance(header, dict) and header.get("type") == "session" else None
    return found if isinstance(found, str) else None


def is_further(ledger: Ledger, transcript_id: int, facts: dict[str, Any]) -> bool:
    """Did it come further than the backup has it, or are the backup's own bytes not whole?"""
    row = ledger.row("SELECT generation, bytes FROM transcripts WHERE id = ?", (transcript_id,))
    if row is None:
        return True
    if (facts["generation"], facts["bytes"]) == row:
        return bool(damage_of(ledger, transcript_id))
    return (facts["generation"], facts["bytes"]) > row


def take_transcript(
    ledger: Ledger, remains: Remains, facts: dict[str, Any], holds: Holds, done: Salvaged, *, is_new: bool
) -> None:
    transcript_id = facts["id"]
    ledger.run(_PUT_ASIDE, (transcript_id,))
    spans = {item.generation: (item.start, item.end - item.start) for item in rewrites(ledger, transcript_id)}
    spans |= remains.rewrites.get(transcript_id, {})
    live, fragments = list[_Filled](), list[list[_Filled]]()
    for segment in _segments(facts["generation"], facts["bytes"], spans):
        filled = list(_fill(ledger, remains, transcript_id, segment))
        if segment.superseded_in is None:
            _sort_in(filled, live, fragments)
    ledger.run("DELETE FROM _blocks WHERE transcript_id = -?", (transcript_id,))
    end = _end_of(live, facts["bytes"])
    _keep_fragments(ledger, facts, end, [*live, *(part for run in fragments for part in run)], holds, done)
    ledger.run("DELETE FROM _blocks WHERE transcript_id = ? AND superseded_in IS NULL AND byte_offset >= ?",
               (transcript_id, end))  # fmt: skip
    is_whole = end == facts["bytes"]
    lines = sum(part.newlines for part in live if part.end <= end)
    has_open_line = is_whole and bool(live) and not live[-1].ends_line
    changed = {**_FORGOTTEN, "bytes": end, "lines": lines + has_open_line, "projection": -abs(facts["projection"] or 1)}
    changed |= {} if is_whole else {"tail_bytes": 0, "file_sha256": None}
    _store(ledger, facts | changed, is_new=is_new)
    if not is_whole:
        detail = {"offset": end, "bytes": facts["bytes"] - end, "generation": facts["generation"]}
        note_event(ledger, facts["changed_at"], "gap", transcript_id, detail)
    done.transcripts += 1
    done.lost += [(transcript_id, item) for item in damage_of(ledger, transcript_id, reads_bytes=False)]


def _segments(generation: int, size: int, spans: dict[int, tuple[int, int]]) -> Iterator[_Segment]:
    """Every byte that was ever taken in, in order: the present ones first, then what each rewrite superseded."""
    layers: list[tuple[int | None, int, int]] = [(None, 0, size)]
    layers += [
        (later, start, start + length) for later, (start, length) in sorted(spans.items()) if later <= generation
    ]
    for superseded_in, start, end in layers:
        limit = superseded_in if superseded_in is not None else generation + 1
        begins = [(first, born) for born, (first, _) in spans.items() if born < limit]
        position = start
        while position < end:
            born = max((number for first, number in begins if first <= position), default=1)
            border = min([end, *(first for first, _ in begins if first > position)])
            yield _Segment(position, border, born, superseded_in)
            position = border


def _fill(ledger: Ledger, remains: Remains, transcript_id: int, segment: _Segment) -> Iterator[_Filled]:
    """Blocks for as much of the segment as either side has."""
    position = segment.start
    pieces = remains.pieces.get((transcript_id, segment.born), [])
    before: _Found | None = None
    while position < segment.end:
        backed_up = _backed_up(ledger, transcript_id, segment.born, position, segment.end)
        beside = [each for each in (before, backed_up) if each is not None]
        found = _carved(remains, pieces, position, segment.end, beside) or backed_up
        if found is None:
            later = [piece.start for piece in pieces if piece.start > position]
            row = ledger.row(_NEXT_ASIDE, (transcript_id, segment.born, position))
            later += [row[0]] if row is not None and row[0] is not None else []
            position = min([segment.end, *later])
            continue
        start, codec, data, content = found
        before = found
        end = min(start + len(content), segment.end)
        if start != position or end != start + len(content):
            content, (codec, data) = part_of(content, codec, data, position - start, end - start)
        row = (transcript_id, position, len(content), segment.born, segment.superseded_in, codec, data)
        ledger.run(raw.INSERT_SEALED_BLOCK, row)
        yield _Filled(position, end, content.endswith(b"\n"), content.count(b"\n"))
        position = end


_Found = tuple[int, int, bytes, bytes]
"""Where a block starts, its codec, its packed and its raw bytes."""


def _carved(remains: Remains, pieces: list[Piece], position: int, end: int, beside: Iterable[_Found]) -> _Found | None:
    """The checksum is of the bytes alone: where they belong may have rotted too, so they must agree with others."""
    begun = takewhile(lambda piece: piece.start <= position, pieces)
    covering = [piece for piece in begun if piece.start + piece.length > position]
    for piece in sorted(covering, key=lambda piece: piece.start + piece.length > end):
        unpacked = remains.unpacked(piece)
        if unpacked is not None:
            found = (piece.start, *unpacked)
            if _can_part(found, position, end) and all(_agree(found, each) for each in beside):
                return found
    return None


def _agree(one: _Found, other: _Found) -> bool:
    """The bytes at an offset of a generation never change: those that both have are the same, unless they went."""
    (start, codec, _, mine), (other_start, other_codec, _, theirs) = one, other
    first, last = max(start, other_start), min(start + len(mine), other_start + len(theirs))
    if last <= first or DROPPED in (codec, other_codec):
        return True
    return mine[first - start : last - start] == theirs[first - other_start : last - other_start]


def _can_part(found: _Found, position: int, end: int) -> bool:
    start, codec, data, content = found
    return not has_hole_across(codec, data, position - start, min(end - start, len(content)))


def _backed_up(ledger: Ledger, transcript_id: int, generation: int, position: int, end: int) -> _Found | None:
    row = ledger.row(_ASIDE, (transcript_id, generation, position))
    if row is None:
        return None
    start, length, codec, data = row
    try:
        content = unpack(codec, data)
    except UnpackError:
        return None
    found = (start, codec, data, content)
    return found if len(content) == length and _can_part(found, position, end) else None


def _sort_in(filled: list[_Filled], live: list[_Filled], fragments: list[list[_Filled]]) -> None:
    """What goes on without a gap from the first byte, and runs behind one."""
    for part in filled:
        run = fragments[-1] if fragments else live
        if part.start == (run[-1].end if run else 0):
            run.append(part)
        else:
            fragments.append([part])


def _end_of(live: list[_Filled], size: int) -> int:
    """Where it ends now: behind the last line that is whole, unless nothing is missing."""
    if (live[-1].end if live else 0) == size:
        return size
    return next((part.end for part in reversed(live) if part.ends_line), 0)


def _keep_fragments(
    ledger: Ledger, facts: dict[str, Any], end: int, parts: list[_Filled], holds: Holds, done: Salvaged
) -> None:
    runs = list[list[_Filled]]()
    for part in parts:
        if part.start >= end:
            if runs and runs[-1][-1].end == part.start:
                runs[-1].append(part)
            else:
                runs.append([part])
    for run in runs:
        contents = [_content(ledger, facts["id"], part.start) for part in run]
        if all(holds(facts["path"], part.start, data) for part, data in zip(run, contents, strict=True)):
            continue  # catching up reads it there
        new_id, done.next_id = done.next_id, done.next_id + 1
        size, newlines = sum(map(len, contents)), sum(data.count(b"\n") for data in contents)
        own = {"id": new_id, "kind": "corrupt", "state": "gone", "generation": 1, "bytes": size, "lines": newlines}
        own |= {
            "tail_bytes": 0,
            "file_sha256": None,
            "projection": -abs(facts["projection"] or 1),
            "header_version": None,
        }
        position = 0
        for data in contents:
            for start in range(0, len(data), raw.PIECE_BYTES):
                piece = data[start : start + raw.PIECE_BYTES]
                ledger.run(raw.INSERT_SEALED_BLOCK, (new_id, position, len(piece), 1, None, *pack(piece)))
                position += len(piece)
        _store(ledger, facts | _FORGOTTEN | own, is_new=True)
        detail = {"of": facts["id"], "offset": run[0].start, "bytes": size}
        note_event(ledger, facts["changed_at"], "salvage", new_id, detail)
        done.fragments += 1


def _content(ledger: Ledger, transcript_id: int, start: int) -> bytes:
    query = """SELECT codec, data FROM _blocks WHERE transcript_id = ? AND superseded_in IS NULL AND byte_offset = ?"""
    row = ledger.row(query, (transcript_id, start))
    assert row is not None  # it was written a moment ago
    return unpack(*row)


def _store(ledger: Ledger, facts: dict[str, Any], *, is_new: bool) -> None:
    facts = {name: value for name, value in facts.items() if name != CHECKSUM}  # of what it was
    names = [name for name, value in facts.items() if name != "id" and value is not None]
    empty = [name for name, value in facts.items() if value is None]
    values = tuple(facts[name] for name in names)
    if is_new:
        marks = ", ".join("?" * (len(names) + 1))
        ledger.run(f"INSERT INTO transcripts (id, {', '.join(names)}) VALUES ({marks})", (facts["id"], *values))
    else:
        settings = ", ".join([*(f"{name} = ?" for name in names), *(f"{name} = NULL" for name in empty)])
        ledger.run(f"UPDATE transcripts SET {settings} WHERE id = ?", (*values, facts["id"]))
