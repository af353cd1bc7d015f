"""One line of a transcript, decoded: an object, or the reason why it is none.

Bad data is a value here and never an exception; the caller keeps the raw bytes either way. Not
about what an entry means (`entries`, `messages`). orjson reads; what it refuses is mended by
`json_repair` and read again, and whole records in the rest are found by `salvage`.
All strings can be bound to SQLite; integers are exact, whatever their size (`exact_integers`).
"""

import re
from typing import Any, Final, Literal, NamedTuple

import orjson

from syncd.openclaw.exact_integers import made_exact
from syncd.openclaw.json_repair import Flag, repaired
from syncd.openclaw.salvage import find_records

Reason = Literal[
    "blank",  # whitespace only; callers ask is_blank first, blank lines are no faults
    "nul",  # nothing but NULs
    "not_object",  # JSON, but a number, a list, ...
    "too_deep",  # nested deeper than MAX_NESTING
    "several_objects",  # whole objects without a newline between them
    "splice",  # a whole record glued to a cut one, or to other bytes
    "not_json",
]
MAX_NESTING: Final = 1024  # orjson's own limit

_WHITESPACE_AND_NUL: Final = b" \t\r\n\v\f\0"
_STRING_OR_BRACKET: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*+"?|[\[{]|[\]}]', re.DOTALL)
_MAX_BRACKETS_SCANNED: Final = 1_000_000


class Decoded(NamedTuple):
    value: dict[str, Any]
    flags: tuple[Flag, ...] = ()


class Salvaged(NamedTuple):
    """A whole object inside the line, which `decode_line` reads: a line may hold more of them than memory."""

    start: int
    """Byte offset in the line."""
    end: int


class Undecodable(NamedTuple):
    reason: Reason
    salvaged: tuple[Salvaged, ...] = ()


def is_blank(raw: bytes) -> bool:
    """Only whitespace: OpenClaw ignores such a line, and so does the mirror."""
    return not raw or raw.isspace()


def decode_line(raw: bytes) -> Decoded | Undecodable:
    """The object on this line (with or without its newline), or why there is none."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        return _decode_refused(raw, error)
    if type(value) is dict:
        return Decoded(made_exact(raw, value))
    return Undecodable("not_object")


def _decode_refused(raw: bytes, error: orjson.JSONDecodeError) -> Decoded | Undecodable:
    if not raw.strip(_WHITESPACE_AND_NUL):
        return Undecodable("nul" if b"\0" in raw else "blank")
    body, flags = repaired(raw)
    if flags:
        try:
            value = orjson.loads(body)
        except orjson.JSONDecodeError as second_error:
            error = second_error
        else:
            return Decoded(made_exact(body, value), flags) if type(value) is dict else Undecodable("not_object")
    if error.msg.startswith("depth limit"):
        return Undecodable("too_deep")
    found = find_records(raw)
    salvaged = tuple(Salvaged(start, end) for start, end in found.records if _is_object(raw[start:end]))
    if found.is_all_objects:
        return Undecodable("several_objects", salvaged)
    if salvaged:
        return Undecodable("splice", salvaged)
    return Undecodable("too_deep" if is_too_deep(body) else "not_json")


def _is_object(piece: bytes) -> bool:
    body, _ = repaired(piece)
    try:
        return type(orjson.loads(body)) is dict
    except orjson.JSONDecodeError:
        return False


def is_too_deep(body: bytes) -> bool:
    """For what orjson refused on other grounds before it came to the depth, as unclosed nests."""
    if body.count(b"[") + body.count(b"{") <= MAX_NESTING:
        return False
    depth = 0
    for count, match in enumerate(_STRING_OR_BRACKET.finditer(body)):
        sign = match[0]
        if sign in (b"[", b"{"):
            depth += 1
            if depth > MAX_NESTING:
                return True
        elif sign in (b"]", b"}"):
            depth -= 1
        if count >= _MAX_BRACKETS_SCANNED:
            break
    return False
