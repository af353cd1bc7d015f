"""A transcript to read: the conversation as it stands, any branch, any generation, or what the model would be given.

Entries come decoded from the raw bytes, with what a reader sees of each (`openclaw/passages`). The plain reading is
made as it is asked for; the model's context and the repaired order need the whole path at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from syncd.ledger.reading.lines import decoded
from syncd.ledger.reading.outline import active_path, outline
from syncd.ledger.transcripts import generation_asked_for
from syncd.openclaw.context import is_given, model_context
from syncd.openclaw.messages import message_of, message_text
from syncd.openclaw.passages import Passage, message_passages, passages_of
from syncd.openclaw.replay import replayed
from syncd.openclaw.timestamps import to_epoch_ms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.reading.outline import EntryRow
    from syncd.ledger.transcripts import Transcript

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """What to read of a transcript. `everything`: all entries in file order, also those beside the path."""

    generation: int | None = None
    branch: str | None = None
    everything: bool = False
    context: bool = False
    repaired: bool = False
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """An entry to read; `row` is None for a tool result that OpenClaw would make up."""

    row: EntryRow | None
    type: str
    role: str | None
    at: int | None
    text: str | None
    message: Json
    passages: list[Passage]


def conversation(ledger: Ledger, transcript: Transcript, wanted: Reading) -> Iterator[Said]:
    """To be used inside one read transaction. UserError for a branch or generation that is not there."""
    rows = rows_to_read(ledger, transcript, wanted)
    if not wanted.context and not wanted.repaired:
        shown = rows if wanted.last is None else rows[max(0, len(rows) - wanted.last) :]
        return (_said(row, entry) for row, entry in decoded(ledger, transcript.id, shown))
    pairs = list(decoded(ledger, transcript.id, rows))
    said = _context(pairs) if wanted.context else [_said(row, entry) for row, entry in pairs]
    said = _repaired(said) if wanted.repaired else said
    return iter(said if wanted.last is None else said[max(0, len(said) - wanted.last) :])


def rows_to_read(ledger: Ledger, transcript: Transcript, wanted: Reading) -> list[EntryRow]:
    generation = generation_asked_for(transcript, wanted.generation)
    if wanted.everything:
        return outline(ledger, transcript, generation).rows
    if wanted.branch is not None:
        drawn = outline(ledger, transcript, generation)
        return drawn.path(drawn.place_of(wanted.branch))
    if generation != transcript.generation:
        drawn = outline(ledger, transcript, generation)
        return drawn.path() or drawn.rows
    # A file without a tree, as the oldest run logs are, is read as it stands.
    return active_path(ledger, transcript) or outline(ledger, transcript).rows


def _said(row: EntryRow, entry: Json) -> Said:
    message = message_of(entry)
    role = message.get("role")
    own_at = to_epoch_ms(message.get("timestamp"))
    return Said(
        row,
        row.type,
        role if isinstance(role, str) else None,
        row.at if own_at is None else own_at,
        _text(entry, message),
        message,
        passages_of(entry),
    )


def _text(entry: Json, message: Json) -> str | None:
    kind = entry.get("type")
    if kind == "message":
        text = message_text(message.get("content"))
        return text if text is not None or message.get("role") != "bashExecution" else str(message.get("command"))
    if kind == "custom_message":
        return message_text(entry.get("content"))
    summary = entry.get("summary")
    return summary if isinstance(summary, str) else None


def _context(pairs: list[tuple[EntryRow, Json]]) -> list[Said]:
    found = []
    for place, message in model_context([entry for _, entry in pairs]):
        row, entry = pairs[place]
        if not is_given(message):
            continue
        if row.type == "message":
            found.append(_said(row, entry))
        else:
            text = message.get("summary") if "summary" in message else message_text(message.get("content"))
            passages = list(message_passages(message))
            text = text if isinstance(text, str) else None
            found.append(Said(row, row.type, message["role"], message["timestamp"], text, message, passages))
    return found


def _repaired(said: list[Said]) -> list[Said]:
    """The same in the order in which OpenClaw would send it."""
    found = []
    for place, message in replayed([each.message for each in said]):
        was = said[place] if place is not None else None
        if was is not None and message is was.message:
            found.append(was)
            continue
        text, passages = message_text(message.get("content")), list(message_passages(message))
        row, at = (was.row, was.at) if was is not None else (None, None)
        found.append(Said(row, "message", message["role"], at, text, message, passages))
    return found
