"""The entries behind rows, decoded from the raw bytes: everything OpenClaw wrote, tool results too.

One read transaction around it all (`snapshot`). A line that cannot be decoded any more is an empty entry of its type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncd.ledger.entry_bytes import EntryBytes
from syncd.openclaw.lines import Decoded, decode_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.reading.outline import EntryRow

Json = dict[str, Any]
_DROPPED_TEXT = "[dropped by retention]"


def decoded(ledger: Ledger, transcript_id: int, rows: Iterable[EntryRow]) -> Iterator[tuple[EntryRow, Json]]:
    """Each row with its entry, in the order of the rows, as they are asked for."""
    lines = EntryBytes(ledger)
    for row in rows:
        yield row, entry_of(lines, transcript_id, row)


def entry_of(lines: EntryBytes, transcript_id: int, row: EntryRow) -> Json:
    """For whoever asks for one after the other: `lines` remembers what it unpacked."""
    raw = lines.at(transcript_id, row.byte_offset, row.byte_length, row.generation)
    line = decode_line(raw) if raw is not None else None
    entry = line.value if isinstance(line, Decoded) else {"type": row.type}
    message = entry.get("message") if lines.is_cut else None
    if isinstance(message, dict) and message.get("role") == "toolResult":
        entry = {**entry, "message": {**message, "content": [{"type": "text", "text": _DROPPED_TEXT}]}}
    return entry
