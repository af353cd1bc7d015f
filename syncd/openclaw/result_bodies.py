"""Where the body of a tool result lies in its line: the bytes inside `message.content` and `message.details`.

By the letters alone, so that a line keeps its length and every other byte when its body is dropped: blanks inside the
brackets or quotes leave JSON that says the same of everything else. What is not surely understood has no body.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import orjson

_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_OPENING: Final = (b"{", b"[")
_CLOSING: Final = (b"}", b"]")
_BODIES: Final = (b'"content"', b'"details"')


class Span(NamedTuple):
    start: int
    end: int


def body_spans(line: bytes) -> list[Span]:
    """Bytes of the line that may become blanks; none where it is no tool result, or has no body any more."""
    found = [span for span in _spans(line) if line[span.start : span.end].strip()]
    return found if found and _is_safe(line, blanked(line, found)) else []


def blanked(line: bytes, spans: list[Span]) -> bytes:
    without = bytearray(line)
    for start, end in spans:
        without[start:end] = b" " * (end - start)
    return bytes(without)


def _spans(line: bytes) -> list[Span]:
    """The insides of the values behind the names in _BODIES, two objects deep, below `message`."""
    found: list[Span] = []
    path: list[bytes] = []  # the name under which each open bracket stands
    name, last, inside = b"", b"", 0
    for match in _TOKEN.finditer(line):
        token = match[0]
        is_value = last == b":"
        if is_value and path == [b"", b'"message"'] and name in _BODIES:
            if token.startswith(b'"'):
                found.append(Span(match.start() + 1, match.end() - 1))
            elif token in _OPENING:
                inside = match.end()
        if token in _OPENING:
            path.append(name if is_value else b"")
        elif token in _CLOSING:
            if not path:
                return []
            closed = path.pop()
            if inside and closed in _BODIES and path == [b"", b'"message"']:
                found.append(Span(inside, match.start()))
                inside = 0
        elif token.startswith(b'"') and not is_value:
            name = token
        last = token
    return found


def _is_safe(line: bytes, without: bytes) -> bool:
    """Does the line, without its body, say of everything else what it said?"""
    try:
        before, after = orjson.loads(line), orjson.loads(without)
    except orjson.JSONDecodeError:
        return False
    return _rest(before) is not None and _rest(before) == _rest(after)


def _rest(value: Any) -> Any:
    message = value.get("message") if type(value) is dict else None
    if type(message) is not dict or message.get("role") != "toolResult":
        return None
    others = {name: each for name, each in message.items() if name not in ("content", "details")}
    return {**value, "message": others}
