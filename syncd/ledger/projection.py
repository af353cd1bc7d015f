"""Rows made from lines: the loop of every catch-up. Pure: bytes in, rows out, no I/O.

Usual lines go straight through orjson; what it refuses goes to the second parser; lines of megabytes are read lightly.
Raise VERSION when the same line would give other rows: transcripts made by an older version are then derived anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from syncd.ledger.entry_rows import add_entry
from syncd.ledger.growth import MOST_ENTRIES, Growth
from syncd.ledger.rows import LONG_COLUMNS
from syncd.openclaw.dense_lines import CALLS_CUT, Digest, digest_line
from syncd.openclaw.heavy_lines import HEAVY_BYTES, Light, lighten, restore
from syncd.openclaw.json_repair import FLAGS
from syncd.openclaw.json_values import json_text
from syncd.openclaw.lines import Undecodable, decode_line, is_blank
from syncd.openclaw.messages import message_of, message_text
from syncd.openclaw.tool_results import says_error
from syncd.openclaw.tree import LEAF_TYPE

if TYPE_CHECKING:
    from syncd.ledger.rows import Rows
    from syncd.ledger.transcripts import Transcript

VERSION = 7
QUARANTINE_RAW_BYTES = 64 * 1024
_FLAGS = (*FLAGS, CALLS_CUT)


def project_lines(rows: Rows, transcript: Transcript, data: bytes) -> None:
    """Rows for `data`, whole lines that start at the transcript's cursor; moves the cursor past them.

    Only an archive's last line may lack its newline.
    """
    offset, line_no = transcript.bytes, transcript.lines
    if offset == 0 and not transcript.is_tree_due:
        transcript.growth = Growth(answers=set() if transcript.generation == 1 else None)
    elif transcript.growth is not None and len(transcript.growth.row_ids) > MOST_ENTRIES:
        transcript.growth = None
    loads, add, find, view = orjson.loads, add_entry, data.find, memoryview(data)
    start, size = 0, len(data)
    while start < size:
        stop = find(b"\n", start)
        if stop < 0:
            stop = size
        line_no += 1
        length = min(stop + 1, size) - start
        if length > HEAVY_BYTES:
            raw = data if length == size else data[start:stop]
            _project_heavy(rows, transcript, raw, offset + start, length, line_no)
            start += length
            continue
        try:
            value = loads(view[start:stop])
        except orjson.JSONDecodeError:
            value = None
        if value.__class__ is dict:
            add(rows, transcript, value, offset + start, length, line_no, None, 0)
            if rows.is_inexact:
                rows.withdraw(rows.next_entry_id - 1)
                transcript.tree_falls_due()  # it has taken the entry in already
                _project_tolerantly(rows, transcript, data[start:stop], offset + start, length, line_no)
        else:
            _project_tolerantly(rows, transcript, data[start:stop], offset + start, length, line_no)
        start += length
    transcript.lines = line_no
    transcript.bytes = offset + size


def quarantine_line(rows: Rows, transcript: Transcript, reason: str, head: bytes, length: int) -> None:
    """The row of a line at the cursor that is kept but not read; does not move the cursor."""
    _quarantine(rows, transcript, head, transcript.bytes, length, transcript.lines + 1, reason)


def _quarantine(
    rows: Rows, transcript: Transcript, raw: bytes, offset: int, length: int, line_no: int, reason: str
) -> None:
    row = (transcript.id, line_no, offset, length, transcript.generation, reason, raw[:QUARANTINE_RAW_BYTES])
    rows.quarantine.append(row)


def _add_exact(
    rows: Rows, transcript: Transcript, value: Any, offset: int, length: int, line_no: int, flags: str | None,
    salvaged: int,
) -> None:  # fmt: skip
    add_entry(rows, transcript, value, offset, length, line_no, flags, salvaged)
    rows.is_inexact = False  # what is still a float now was written as one


def _project_tolerantly(rows: Rows, transcript: Transcript, raw: bytes, offset: int, length: int, line_no: int) -> None:
    """A line that orjson refuses or does not read exactly: the second parser, or quarantine with what is salvaged."""
    if is_blank(raw):
        return
    result = decode_line(raw)
    if isinstance(result, Undecodable):
        _salvage(rows, transcript, raw, offset, length, line_no, result)
    else:
        _add_exact(rows, transcript, result.value, offset, length, line_no, ",".join(result.flags) or None, 0)


def _salvage(
    rows: Rows, transcript: Transcript, raw: bytes, offset: int, length: int, line_no: int, result: Undecodable
) -> None:
    _quarantine(rows, transcript, raw, offset, length, line_no, result.reason)
    for found in result.salvaged:
        entry = _read(raw[found.start : found.end])
        if not isinstance(entry, Undecodable):
            _add_restored(rows, transcript, entry, offset + found.start, found.end - found.start, line_no, 1)


def _project_heavy(rows: Rows, transcript: Transcript, raw: bytes, offset: int, length: int, line_no: int) -> None:
    """A line of megabytes, in bounded memory."""
    if is_blank(raw):
        return
    entry = _read(raw)
    if isinstance(entry, Undecodable):
        _salvage(rows, transcript, raw, offset, length, line_no, entry)
    else:
        _add_restored(rows, transcript, entry, offset, length, line_no, 0)


def _read(raw: bytes) -> Digest | Undecodable:
    light = lighten(raw) if len(raw) >= HEAVY_BYTES else Light(raw, ())
    if light is None:
        return digest_line(raw)
    result = decode_line(light.line)
    if not isinstance(result, Undecodable):
        return Digest(result.value, light.giants, light.flags.union(result.flags))
    # Glued or cut records: where strings begin and end is not known, so the whole line is searched for them.
    again = decode_line(raw)
    return again if isinstance(again, Undecodable) else Digest(again.value, (), frozenset(again.flags))


def _add_restored(
    rows: Rows, transcript: Transcript, entry: Digest, offset: int, length: int, line_no: int, salvaged: int
) -> None:
    """The rows of an entry, with its giants back in their cells."""
    flags = ",".join(sorted(entry.flags, key=_FLAGS.index))
    messages, calls = len(rows.messages), len(rows.tool_calls)
    typed = {table: len(found) for table, found in rows.typed.items()}
    _restore_short_fields(entry.value, entry.giants)
    if entry.giants and entry.value.get("type") == LEAF_TYPE:
        transcript.tree_falls_due()  # which entries it names shows only in its row
    _add_exact(rows, transcript, entry.value, offset, length, line_no, flags or None, salvaged)
    if not entry.giants:
        return
    rows.is_heavy = True
    for index in range(messages, len(rows.messages)):
        rows.messages[index] = _restored_message(rows.messages[index], entry.value, entry.giants)
    for call in rows.tool_calls[calls:]:
        call[_ARGUMENTS] = _restored(call[_ARGUMENTS], entry.giants)
    for table, found in rows.typed.items():
        long_columns = LONG_COLUMNS.get(table, ())
        for index in range(typed.get(table, 0), len(found)):
            cells = [_restored(cell, entry.giants) for cell in found[index]]
            found[index] = tuple(cell if at in long_columns else _as_str(cell) for at, cell in enumerate(cells))


# Ids, names and the like: more than a cell is made from them, so they are put back before any row is made.
_SHORT_TEXTS = ("id", "parentId")
_SHORT_TEXTS_OF_MESSAGE = ("role", "provider", "model", "api", "stopReason", "responseId", "toolCallId", "toolName")
_SHORT_STRINGS = ("type", "version", "cwd", "parentSession")
_SHORT_STRINGS_OF_BLOCK = ("id", "name")
# Places in the rows of a message and of a tool call whose statement makes TEXT of bytes: no wide string stands between.
_TEXT, _TEXT_BYTES, _THINKING, _ERROR_MESSAGE = 4, 5, 6, 11
_SAYS_ERROR = -2
_ARGUMENTS = 4


def _restore_short_fields(entry: dict[str, Any], giants: tuple[bytes, ...]) -> None:
    if not giants:
        return
    message = message_of(entry)
    content = message.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    for holder, names in ((entry, _SHORT_TEXTS), (message, _SHORT_TEXTS_OF_MESSAGE)):
        for name in names:
            value = holder.get(name)
            if isinstance(value, str):
                holder[name] = _as_str(_restored(value, giants))
            elif isinstance(value, dict | list) and (text := restore(json_text(value), giants)) is not None:
                holder[name] = text.decode()  # as JSON, as its cell will have it
    for holder, strings in ((entry, _SHORT_STRINGS), *((block, _SHORT_STRINGS_OF_BLOCK) for block in blocks)):
        for name in strings:
            if isinstance(value := holder.get(name), str):
                holder[name] = _as_str(_restored(value, giants))


def _restored_message(row: tuple[Any, ...], entry: dict[str, Any], giants: tuple[bytes, ...]) -> tuple[Any, ...]:
    cells = list(row)
    for column in (_TEXT, _THINKING, _ERROR_MESSAGE):
        cells[column] = _restored(cells[column], giants)
    text = cells[_TEXT]
    if text is None:  # a tool result: only its length is kept
        text = _restored(message_text(message_of(entry).get("content")), giants)
        if isinstance(text, bytes):
            cells[_SAYS_ERROR] = says_error(text)
    cells[_TEXT_BYTES] = len(text.encode() if isinstance(text, str) else text or b"")
    return tuple(cells)


def _restored(cell: object, giants: tuple[bytes, ...]) -> object:
    """As UTF-8 bytes if there was a giant in it."""
    found = restore(cell, giants) if isinstance(cell, str) else None
    return cell if found is None else found


def _as_str(cell: object) -> object:
    return cell.decode() if isinstance(cell, bytes) else cell
