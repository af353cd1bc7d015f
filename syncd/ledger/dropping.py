"""Dropping raw bytes in place: a hole stays, with length, lines and sha256, and every row that counts something.

Bodies of tool results inside their lines, lines of the past, whole trajectories. What is said in a row goes with the
bytes it was made from; ids, times and usage stay, since money spent stays spent. Decides nothing: jobs/retention does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger import raw
from syncd.ledger.codec import IS_GONE, cut, holes_of, left_of
from syncd.ledger.entry_bytes import EntryBytes
from syncd.ledger.raw import TornBlock
from syncd.openclaw.result_bodies import body_spans

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.database import Ledger

_MOST_AT_ONCE = 500
"""Results dropped in one transaction."""
WITH_BODY = """messages.role = 'toolResult' AND entries.salvaged = 0 AND NOT EXISTS (SELECT 1 FROM _cut_results
    WHERE _cut_results.transcript_id = entries.transcript_id
    AND _cut_results.byte_offset = entries.byte_offset AND _cut_results.generation = entries.generation)"""
"""Tool results that were not looked at before: whatever body they have is there."""
# `at` null: as old as the transcript's last change.
_RESULTS = f"""SELECT entries.byte_offset, entries.byte_length, entries.generation FROM entries
    JOIN messages ON messages.id = entries.id JOIN transcripts ON transcripts.id = entries.transcript_id
    WHERE entries.transcript_id = ?1 AND (entries.byte_offset, entries.generation) > (?3, ?4)
    AND coalesce(messages.at, transcripts.changed_at) < ?2 AND {WITH_BODY}
    ORDER BY entries.byte_offset, entries.generation LIMIT ?5"""
_OVERLAPPING = """SELECT id, byte_offset, byte_length FROM _blocks WHERE transcript_id = ?1 AND generation = ?2
    AND byte_offset < ?4 AND byte_offset + byte_length > ?3"""
_NOTE = """INSERT OR IGNORE INTO _cut_results (transcript_id, byte_offset, generation, text_bytes, says_error,
    result_fault) SELECT entries.transcript_id, byte_offset, generation, text_bytes, says_error, result_fault
    FROM entries JOIN messages ON messages.id = entries.id WHERE role = 'toolResult' AND salvaged = 0
    AND entries.transcript_id = ?1 AND """
_NOTED_AT_ALL = """SELECT entries.byte_offset, byte_length, entries.generation FROM entries
    JOIN _cut_results AS told ON told.transcript_id = entries.transcript_id
      AND told.byte_offset = entries.byte_offset AND told.generation = entries.generation
    WHERE entries.transcript_id = ?1 AND salvaged = 0"""
_NOTED = f"""{_NOTED_AT_ALL} AND entries.superseded_in IS ?4
    AND entries.byte_offset < ?3 AND entries.byte_offset + byte_length > ?2"""
_UNNOTE = "DELETE FROM _cut_results WHERE transcript_id = ? AND byte_offset = ? AND generation = ?"
_PAST_LINES = "(SELECT id FROM entries WHERE transcript_id = ?1 AND superseded_in = ?2)"
_SAID = {
    "messages": "text = NULL, thinking = NULL, error_message = NULL",
    "compactions": "summary = NULL, details_json = NULL",
    "branch_summaries": "summary = NULL, details_json = NULL",
    "custom_entries": "data_json = NULL",
    "custom_messages": "text = NULL, details_json = NULL",
    "session_infos": "name = NULL",
    "labels": "label = NULL",
    "run_events": "data_json = NULL",
}
_RESTORE = """UPDATE messages SET text_bytes = told.text_bytes, says_error = told.says_error,
    result_fault = iif(told.result_fault = 'synthetic', 'synthetic', messages.result_fault)
    FROM _cut_results AS told JOIN entries ON entries.transcript_id = told.transcript_id
      AND entries.byte_offset = told.byte_offset AND entries.generation = told.generation AND entries.salvaged = 0
    WHERE messages.id = entries.id AND told.transcript_id = ?"""


Line = tuple[int, int]
"""Where one begins, and its generation."""
BEFORE_ALL: Line = (-1, 0)


class Dropped(NamedTuple):
    entries: int = 0
    bytes: int = 0


class _Range(NamedTuple):
    start: int
    end: int
    generation: int


def drop_results(ledger: Ledger, transcript_id: int, before_ms: int, after: Line) -> tuple[Dropped, Line | None]:
    """Some bodies of tool results older than `before_ms`, in one transaction of the caller's.

    What went, and the line to go on behind; None: there are no more. What is torn waits until it is mended.
    """
    found = list(ledger.execute(_RESULTS, (transcript_id, before_ms, *after, _MOST_AT_ONCE)))
    lines, ranges, entries = EntryBytes(ledger), list[_Range](), 0
    for offset, length, generation in found:
        try:
            line = lines.at(transcript_id, offset, length, generation)
        except TornBlock:
            continue
        spans = body_spans(line) if line is not None else []
        ranges += [_Range(offset + start, offset + end, generation) for start, end in spans]
        entries += bool(spans)
        ledger.run(f"{_NOTE} byte_offset = ?2 AND generation = ?3", (transcript_id, offset, generation))
    _cut_out(ledger, transcript_id, ranges)
    went = Dropped(entries, sum(each.end - each.start for each in ranges))
    return went, (found[-1][0], found[-1][2]) if len(found) == _MOST_AT_ONCE else None


def _cut_out(ledger: Ledger, transcript_id: int, ranges: Iterable[_Range]) -> None:
    """Holes in place of these ranges."""
    inside: dict[int, list[tuple[int, int]]] = {}
    for each in ranges:
        for row_id, offset, length in ledger.execute(_OVERLAPPING, (transcript_id, each.generation, *each[:2])):
            span = (max(0, each.start - offset), min(length, each.end - offset))
            inside.setdefault(row_id, []).append(span)
    for row_id, spans in inside.items():
        _cut_block(ledger, transcript_id, row_id, spans)
    raw.count_open(ledger, transcript_id)


def _cut_block(ledger: Ledger, transcript_id: int, row_id: int, spans: list[tuple[int, int]]) -> None:
    query = "SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE id = ?"
    row = ledger.row(query, (row_id,))
    assert row is not None  # listed in this transaction
    stored = cut(raw.unpacked(ledger, transcript_id, *row), holes_of(*row[2:]), spans)
    # Closed: merging it with what follows would make real blanks of the holes.
    ledger.run("UPDATE _blocks SET codec = ?, data = ?, is_open = 0 WHERE id = ?", (*stored, row_id))


def drop_blocks(ledger: Ledger, transcript_id: int, superseded_in: int | None = None) -> int:
    """All bytes of all generations, or only those that one of them superseded; how many went. In a transaction."""
    query = """SELECT id, byte_length, codec, data FROM _blocks
        WHERE transcript_id = ?1 AND (?2 IS NULL OR superseded_in = ?2)"""
    went = 0
    for row_id, length, *packed in list(ledger.execute(query, (transcript_id, superseded_in))):
        left = list(left_of(length, holes_of(*packed)))
        if left:
            _cut_block(ledger, transcript_id, row_id, left)
            went += sum(end - start for start, end in left)
    raw.count_open(ledger, transcript_id)
    return went


def drop_past_lines(ledger: Ledger, transcript_id: int, superseded_in: int) -> Dropped:
    """What one rewrite superseded: its bytes, and what its rows say. In a transaction."""
    which = (transcript_id, superseded_in)
    ledger.run(f"{_NOTE} superseded_in = ?2", which)
    forget = f"""INSERT INTO search (search, rowid, text) SELECT 'delete', id, text FROM _searchable
        WHERE id IN {_PAST_LINES}"""
    ledger.run(forget, which)
    for table, nothing in _SAID.items():
        ledger.run(f"UPDATE {table} SET {nothing} WHERE id IN {_PAST_LINES}", which)
    ledger.run(f"UPDATE tool_calls SET arguments_json = NULL WHERE message_id IN {_PAST_LINES}", which)
    ledger.run("UPDATE quarantine SET raw = x'' WHERE transcript_id = ? AND superseded_in = ?", which)
    count = ledger.row(f"SELECT count(*) FROM {_PAST_LINES}", which)
    return Dropped(int(count[0]) if count else 0, drop_blocks(ledger, transcript_id, superseded_in))


def dropped_past(ledger: Ledger, transcript_id: int) -> set[int]:
    """Generations in which lines were superseded whose rows cannot be made again."""
    query = f"SELECT superseded_in FROM _blocks WHERE transcript_id = ? AND superseded_in IS NOT NULL AND {IS_GONE}"
    return {row[0] for row in ledger.execute(query, (transcript_id,))}


def forget_dropped(ledger: Ledger, transcript_id: int, start: int, end: int, superseded_in: int | None = None) -> None:
    """What was dropped in [start, end) is there again, taken from elsewhere: retention will see to it anew.

    Of the present, or of what a generation superseded. A line in which a hole is left is still a dropped one.
    """
    lines = EntryBytes(ledger)
    for offset, length, generation in list(ledger.execute(_NOTED, (transcript_id, start, end, superseded_in))):
        try:
            is_whole = lines.at(transcript_id, offset, length, generation) is not None and not lines.is_cut
        except TornBlock:
            continue  # another part of it is not there yet
        if is_whole:
            ledger.run(_UNNOTE, (transcript_id, offset, generation))


def forget_undropped(ledger: Ledger, transcript_id: int) -> None:
    """The same wherever a body is there though it is noted, as where a recovery took its bytes from an older backup."""
    lines = EntryBytes(ledger)
    for offset, length, generation in list(ledger.execute(_NOTED_AT_ALL, (transcript_id,))):
        try:
            line = lines.at(transcript_id, offset, length, generation)
        except TornBlock:
            continue
        if line is not None and not lines.is_cut and body_spans(line):
            ledger.run(_UNNOTE, (transcript_id, offset, generation))


def restore_facts(ledger: Ledger, transcript_id: int) -> None:
    """Into rows that were made anew: how long dropped results were, and whether they told of an error."""
    ledger.run(_RESTORE, (transcript_id,))
