"""What OpenClaw calls a session: label, display name, subject, the first words of the user, or its id and day. Pure.

Releases before 2026.7.1 take no notice of the label; which one writes an index shows by the fields of its entries.
The first words are sought where OpenClaw seeks them: in the first ten lines of a transcript's first 8 KiB.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import orjson

from syncd.openclaw.javascript_text import collapsed, trimmed, utf16_head, utf16_length
from syncd.openclaw.letter_case import folded
from syncd.openclaw.messages import message_of, message_text

HEAD_BYTES: Final = 8192
HEAD_LINES: Final = 10
MAX_LENGTH: Final = 60
MAX_MENTIONS: Final = 2000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_DAY_MS: Final = 253_402_300_799_999
# Orders to the channel that stand inside a text and are not shown.
_DIRECTIVES: Final = re.compile(
    r"\[\[\s*(?:audio_as_voice|reply_to_current|reply_to\s*:\s*[^\]\n]+)\s*\]\]", re.IGNORECASE
)
# Vowel signs and accents of their own belong to their word, which Python does not count them to.
_NO_WORD: Final = re.compile(r"[^\w.~\-\u0300-\u036f\u0900-\u109f\u1780-\u17ff]+")
_FIELDS_SINCE_LABELS: Final = frozenset(
    {
        "ambientTranscriptWatermarks", "archivedAt", "category", "contextBudgetStatus", "goal", "inheritedToolAllow",
        "inheritedToolDeny", "lastActivityAt", "lastReadAt", "lifecycleRevision", "markedUnreadAt", "pinnedAt",
        "quotaSuspension", "restartRecoveryRuns", "route", "usageFamilyKey", "usageFamilySessionIds",
    }
)  # fmt: skip
"""Of index entries: those that came with 2026.7.1, and are not only set when something goes wrong."""
_TEXT_BLOCKS: Final = ("text", "output_text", "input_text")


class Opening(NamedTuple):
    """What the first words of the user in a transcript tell of it."""

    title: str | None = None
    """As they stand in a title."""
    mentions: str | None = None
    """Their words without case, each between two spaces: names of projects are found among them."""

    def with_message(self, message: dict[str, Any], *, has_cwd: bool = False) -> "Opening":
        """And of one more message of the user, in the head. `has_cwd`: no words are needed to find the project."""
        if has_cwd:
            return self if self.title is not None else Opening(first_words(message), self.mentions)
        words = _NO_WORD.sub(" ", folded(message_text(message.get("content")) or "")).strip(" ")
        mentions = f"{self.mentions or ' '}{words} "[:MAX_MENTIONS] if words else self.mentions
        return Opening(self.title if self.title is not None else first_words(message), mentions)


def is_in_head(line_no: int, offset: int, length: int) -> bool:
    """Does OpenClaw look at this line for the first words? `length` has the newline in it."""
    return line_no <= HEAD_LINES and offset + length - 1 <= HEAD_BYTES


def first_words(message: dict[str, Any]) -> str | None:
    """What a user message gives as a title; None where OpenClaw passes it over."""
    provenance = message.get("provenance")
    if type(provenance) is dict and provenance.get("kind") == "inter_session":
        return None
    content = message.get("content")
    if type(content) is str:
        return _cut(content)
    for block in content if type(content) is list else ():
        if type(block) is dict and block.get("type") in _TEXT_BLOCKS and type(block.get("text")) is str:
            words = _cut(block["text"])
            if words is not None:
                return words
    return None


def opening_of_lines(lines: Iterable[bytes], *, has_cwd: bool = False) -> Opening:
    """Of a transcript in whose head these lines stand."""
    opening = Opening()
    for line in lines:
        try:
            message = message_of(orjson.loads(line))
        except orjson.JSONDecodeError:
            continue
        if message.get("role") == "user":
            opening = opening.with_message(message, has_cwd=has_cwd)
    return opening


def is_called_by_label(entry: object) -> bool:
    """Was this entry of the index written by a release that calls sessions by their label?"""
    return type(entry) is dict and not _FIELDS_SINCE_LABELS.isdisjoint(entry)


def session_title(names: Iterable[str | None], words: str | None, session_id: str | None, at: int | None) -> str | None:
    """`names`: label, display name and subject; `words`: the first ones; `at`: the entry's updatedAt."""
    for name in names:
        if name is not None and (title := trimmed(name)):
            return title
    if words is not None or session_id is None:
        return words
    day = _day(at) if at is not None and at > 0 else None
    return session_id[:8] if day is None else f"{session_id[:8]} ({day})"


def _cut(text: str) -> str | None:
    words = collapsed(_DIRECTIVES.sub("", text) if "[[" in text else text)
    if utf16_length(words) <= MAX_LENGTH:
        return words or None
    head = utf16_head(words, MAX_LENGTH - 1)
    space = head.rfind(" ")
    return (head[:space] if utf16_length(head[: max(space, 0)]) > MAX_LENGTH * 0.6 else head) + "…"


def _day(at: int) -> str | None:
    """In UTC; None beyond the year 9999."""
    return None if at > _LAST_DAY_MS else (_EPOCH + timedelta(milliseconds=at)).date().isoformat()
