"""Lines of many megabytes, read in bounded memory: their giant strings are taken out before the rest is parsed.

A parser turns a 16 MiB text into up to 64 MiB of Python string, and 16 MiB of small values into half a gigabyte. Here
each giant string is replaced by a short marker and put back, as UTF-8 bytes, only where a row needs it.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import orjson

from syncd.openclaw.json_repair import repaired

HEAVY_BYTES: Final = 1024 * 1024
GIANT_BYTES: Final = 64 * 1024
MAX_STRINGS: Final = 200_000
MAX_VALUES: Final = 400_000
_SLICE_BYTES: Final = 256 * 1024
_LONGEST_ESCAPE: Final = 12  # a surrogate pair

_MARKER: Final = "syncd-giant-"
# A string is consumed whole, an unfinished one to the end. Possessive: nothing is remembered for backtracking.
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_MARKED: Final = re.compile("(\\x00|\\\\u0000)" + _MARKER + r"(\d+)~")


class Light(NamedTuple):
    """A line without its giant strings. `giants` are their bodies as written, escapes and all."""

    line: bytes
    giants: tuple[bytes, ...]


def lighten(raw: bytes) -> Light | None:
    """The line with a marker in place of each giant string; None when it holds more values than memory should."""
    quotes = raw.count(b'"') - raw.count(b'\\"')
    if quotes // 2 > MAX_STRINGS:
        return None
    giants: list[bytes] = []

    def marked(match: re.Match[bytes]) -> bytes:
        start, end = match.span()
        if end - start < GIANT_BYTES or raw[end - 1 : end] != b'"':
            return match[0]
        giants.append(raw[start + 1 : end - 1])
        return b'"\\u0000%s%d~"' % (_MARKER.encode(), len(giants) - 1)

    line = _STRING.sub(marked, raw)
    values = line.count(b",") + line.count(b"{") + line.count(b"[")
    return Light(line, tuple(giants)) if values <= MAX_VALUES else None


def restore(cell: str, giants: tuple[bytes, ...]) -> bytes | None:
    """The UTF-8 bytes of a text or JSON text with its giant strings back in place; None if it holds none of them."""
    parts: list[bytes] = []
    position = 0
    for match in _MARKED.finditer(cell):
        number = int(match[2])
        if number >= len(giants):
            continue
        parts.append(cell[position : match.start()].encode())
        # Inside JSON text the body stands as it was written; as a text it is what the escapes mean.
        parts.append(giants[number] if match[1] == "\\u0000" else unescaped(giants[number]))
        position = match.end()
    if not parts:
        return None
    parts.append(cell[position:].encode())
    return b"".join(parts) if len(parts) > 1 else parts[0]


def unescaped(body: bytes) -> bytes:
    """What a JSON string's body means, in UTF-8; slice by slice, so that no wide string is made."""
    out = bytearray()
    start = 0
    while start < len(body):
        end = _safe_cut(body, start, min(start + _SLICE_BYTES, len(body)))
        out += _unescaped_slice(body[start:end])
        start = end
    return bytes(out)


def _unescaped_slice(part: bytes) -> bytes:
    quoted = b'"' + part + b'"'
    try:
        text = orjson.loads(quoted)
    except orjson.JSONDecodeError:
        try:
            text = orjson.loads(repaired(quoted)[0])
        except orjson.JSONDecodeError:
            return part.decode("utf-8", "replace").encode()  # control characters and the like: as they stand
    return str(text).encode()


def _safe_cut(body: bytes, start: int, end: int) -> int:
    """The last place up to `end` that splits neither an escape nor a character."""
    if end == len(body):
        return end
    cut = end
    while cut > start:
        window = body[max(start, cut - _LONGEST_ESCAPE) : cut]
        is_inside_character = body[cut] & 0xC0 == 0x80
        if b"\\" not in window and not is_inside_character:
            return cut
        cut -= 1
    return len(body)  # escapes only: rather one wide slice than a wrong cut
