"""Rows made from lines: the loop of every catch-up. Pure: bytes in, rows out, no I/O.

Usual lines go straight through orjson; what it refuses goes to the second parser; lines of megabytes are lightened.
Raise VERSION when the same line would give other rows: transcripts made by an older version are then derived anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from syncd.ledger.entry_rows import add_entry
from syncd.openclaw.heavy_lines import HEAVY_BYTES, lighten, restore
from syncd.openclaw.lines import Undecodable, decode_line, is_blank
from syncd.openclaw.messages import message_of, message_text

if TYPE_CHECKING:
    from syncd.ledger.rows import Rows
    from syncd.ledger.transcripts import Transcript

VERSION = 1
QUARANTINE_RAW_BYTES = 64 * 1024


def project_lines(rows: Rows, transcript: Transcript, data: bytes) -> None:
    """Rows for `data`, whole lines that start at the transcript's cursor; moves the cursor past them.

    Only an archive's last line may lack its newline.
    """
    offset, line_no = transcript.bytes, transcript.lines
    lines = [data] if len(data) > HEAVY_BYTES and data.find(b"\n") in (-1, len(data) - 1) else data.split(b"\n")
    if not lines[-1]:
        lines.pop()  # what follows the last newline
    end = offset + len(data)
    loads, add = orjson.loads, add_entry
    for raw in lines:
        line_no += 1
        length = min(len(raw) + 1, end - offset)
        if length > HEAVY_BYTES:
            _project_heavy(rows, transcript, raw, offset, length, line_no)
            offset += length
            continue
        try:
            value = loads(raw)
        except orjson.JSONDecodeError:
            value = None
        if value.__class__ is dict:
            add(rows, transcript, value, offset, length, line_no, None, 0)
        else:
            _project_tolerantly(rows, transcript, raw, offset, length, line_no)
        offset += length
    transcript.lines = line_no
    transcript.bytes = end


def quarantine_line(rows: Rows, transcript: Transcript, reason: str, head: bytes, length: int) -> None:
    """The row of a line at the cursor that is kept but not read; does not move the cursor."""
    _quarantine(rows, transcript, head, transcript.bytes, length, transcript.lines + 1, reason)


def _quarantine(
    rows: Rows, transcript: Transcript, raw: bytes, offset: int, length: int, line_no: int, reason: str
) -> None:
    row = (transcript.id, line_no, offset, length, transcript.generation, reason, raw[:QUARANTINE_RAW_BYTES])
    rows.quarantine.append(row)


def _project_tolerantly(rows: Rows, transcript: Transcript, raw: bytes, offset: int, length: int, line_no: int) -> None:
    """A line that orjson refuses: the second parser, or quarantine with what can be salvaged."""
    if is_blank(raw):
        return
    result = decode_line(raw)
    if not isinstance(result, Undecodable):
        add_entry(rows, transcript, result.value, offset, length, line_no, ",".join(result.flags) or None, 0)
        return
    _quarantine(rows, transcript, raw, offset, length, line_no, result.reason)
    for found in result.salvaged:
        start, size = offset + found.start, found.end - found.start
        add_entry(rows, transcript, found.value, start, size, line_no, None, 1)


def _project_heavy(rows: Rows, transcript: Transcript, raw: bytes, offset: int, length: int, line_no: int) -> None:
    """A line of megabytes, in bounded memory. Nothing is salvaged from one that cannot be read."""
    if is_blank(raw):
        return
    light = lighten(raw)
    if light is None:
        _quarantine(rows, transcript, raw, offset, length, line_no, "too_many_values")
        return
    result = decode_line(light.line)
    if isinstance(result, Undecodable):
        _quarantine(rows, transcript, raw, offset, length, line_no, result.reason)
        return
    messages, calls = len(rows.messages), len(rows.tool_calls)
    typed = {table: len(found) for table, found in rows.typed.items()}
    add_entry(rows, transcript, result.value, offset, length, line_no, ",".join(result.flags) or None, 0)
    if not light.giants:
        return
    for index in range(messages, len(rows.messages)):
        rows.messages[index] = _restored_message(rows.messages[index], result.value, light.giants)
    for call in rows.tool_calls[calls:]:
        call[:] = [restore(cell, light.giants) or cell if isinstance(cell, str) else cell for cell in call]
    for table, found in rows.typed.items():
        for index in range(typed.get(table, 0), len(found)):
            found[index] = tuple(_restored_text(cell, light.giants) for cell in found[index])


def _restored_message(row: tuple[Any, ...], entry: dict[str, Any], giants: tuple[bytes, ...]) -> tuple[Any, ...]:
    """The row with its giant texts back, as bytes: the statement makes them TEXT without a Python string between."""
    cells = [restore(cell, giants) or cell if isinstance(cell, str) else cell for cell in row]
    text = cells[_TEXT]
    if text is None and (unread := message_text(message_of(entry).get("content"))) is not None:
        text = restore(unread, giants) or unread.encode()  # a tool result: only its length is kept
    cells[_TEXT_BYTES] = len(text.encode() if isinstance(text, str) else text or b"")
    return tuple(cells)


_TEXT, _TEXT_BYTES = 4, 5  # places in a message's row


def _restored_text(cell: object, giants: tuple[bytes, ...]) -> object:
    found = restore(cell, giants) if isinstance(cell, str) else None
    return cell if found is None else found.decode("utf-8", "replace")
