"""Lines of many megabytes, read in bounded memory: their giant strings are taken out before the rest is parsed.

A parser turns a 16 MiB text into up to 64 MiB of Python string, and 16 MiB of small values into half a gigabyte. Here
each giant string is replaced by a short marker and put back, as UTF-8 bytes, only where a row needs it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import orjson

from syncd.openclaw.json_repair import Flag, has_lone_surrogate, repaired

HEAVY_BYTES: Final = 1024 * 1024
GIANT_BYTES: Final = 64 * 1024
MAX_STRINGS: Final = 200_000
MAX_VALUES: Final = 400_000
_SLICE_BYTES: Final = 256 * 1024

_MARKER: Final = "syncd-giant-"
# A string is consumed whole, an unfinished one to the end. Possessive: nothing is remembered for backtracking.
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BODY: Final = re.compile(rb'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+')
# A high surrogate is whole only with what follows it in sight.
_WHOLE_SIGNS: Final = re.compile(
    rb"(?:[^\\]++|\\[^u]"
    rb"|\\u(?![dD][89abAB])[0-9a-fA-F]{4}"
    rb"|\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?=[^\\]|\\[^u]|\\u(?![dD][c-fC-F])[0-9a-fA-F]{4}))"
    rb")*+",
    re.DOTALL,
)
_UNREADABLE: Final = b'"\x01"'  # in place of a giant that no parser takes: refused as the giant would be
_TREE: Final = "syncd-tree-"
# A giant as a text, a giant inside JSON text, a large value in JSON text.
_MARKED: Final = re.compile(
    rf"\x00{_MARKER}(?P<text>\d+)~|\\u0000{_MARKER}(?P<string>\d+)~"
    rf'|[\[{{]"\\u0000{_TREE}(?P<tree>\d+)~"(?:\]|:0\}})'
)


class Light(NamedTuple):
    """A line without its giant strings. `giants` are their bodies as written, escapes and all."""

    line: bytes
    giants: tuple[bytes, ...]
    flags: frozenset[Flag] = frozenset()
    """What must be mended that the line without them does not show."""


def lighten(raw: bytes) -> Light | None:
    """The line with a marker in place of each giant string; None when it is one for `dense_lines`."""
    quotes = raw.count(b'"') - raw.count(b'\\"')
    if quotes // 2 > MAX_STRINGS:
        return None
    giants: list[bytes] = []
    flags: set[Flag] = set()
    if b"\0" in raw and (without := raw.replace(b"\0", b"")).strip():
        raw = without
        flags.add("nul_stripped")

    def marked(match: re.Match[bytes]) -> bytes:
        start, end = match.span()
        # A short one may look like a marker itself, if it has an escape such as the marker begins with.
        if raw[end - 1 : end] != b'"' or (end - start < GIANT_BYTES and b"\\u00" not in match[0]):
            return match[0]
        if not is_readable(raw, start + 1, end - 1):
            return _UNREADABLE
        giants.append(raw[start + 1 : end - 1])
        flags.update(faults_of(giants[-1]))
        return orjson.dumps(marker(len(giants) - 1))

    line = _STRING.sub(marked, raw)
    values = line.count(b",") + line.count(b"{") + line.count(b"[")
    return Light(line, tuple(giants), frozenset(flags)) if values <= MAX_VALUES else None


def restore(cell: str, giants: tuple[bytes, ...]) -> bytes | None:
    """The UTF-8 bytes of a text or JSON text with its giant strings back in place; None if it holds none of them."""
    parts: list[bytes] = []
    position = 0
    for match in _MARKED.finditer(cell):
        kind = match.lastgroup or ""
        number = int(match[kind])
        if number >= len(giants):
            continue
        parts.append(cell[position : match.start()].encode())
        # Inside JSON text it stands as our parser writes it; as a text it is what the escapes mean.
        parts.append(_MEANINGS[kind](giants[number]))
        position = match.end()
    if not parts:
        return None
    parts.append(cell[position:].encode())
    return b"".join(part for part in parts if part)  # no copy where there is but one


def marker(number: int) -> str:
    """Stands for the giant string of that number."""
    return f"\0{_MARKER}{number}~"


def tree(number: int, *, is_list: bool) -> list[Any] | dict[str, Any]:
    """Stands for the list or object whose JSON text has that number among the giants."""
    name = f"\0{_TREE}{number}~"
    return [name] if is_list else {name: 0}


def unescaped(body: bytes) -> bytes:
    """What a JSON string's body means, in UTF-8; slice by slice, so that no wide string is made."""
    return b"".join(text.encode() for text in _texts(body))


def rewritten(body: bytes) -> bytes:
    """A JSON string's body as our parser writes it."""
    return b"".join(orjson.dumps(text)[1:-1] for text in _texts(body))


_MEANINGS: Final[dict[str, Callable[[bytes], bytes]]] = {"text": unescaped, "string": rewritten, "tree": bytes}


def _texts(body: bytes) -> Iterator[str]:
    start = 0
    while start < len(body):
        end = _safe_cut(body, start, min(start + _SLICE_BYTES, len(body)))
        yield _text(body[start:end])
        start = end


def _text(part: bytes) -> str:
    quoted = b'"' + part + b'"'
    try:
        return str(orjson.loads(quoted))
    except orjson.JSONDecodeError:
        return str(orjson.loads(repaired(quoted)[0]))


def is_readable(raw: bytes, start: int, end: int) -> bool:
    """Would a parser take the bytes between as a string's body, once they are mended?"""
    return _BODY.fullmatch(raw, start, end) is not None


def faults_of(body: bytes) -> Iterator[Flag]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(body), _SLICE_BYTES):
            decoder.decode(body[start : start + _SLICE_BYTES], start + _SLICE_BYTES >= len(body))
    except UnicodeDecodeError:
        yield "invalid_utf8"
    if has_lone_surrogate(body):
        yield "surrogate"


def _safe_cut(body: bytes, start: int, end: int) -> int:
    """The last place up to `end` that splits neither an escape, nor a surrogate pair, nor a character."""
    if end == len(body):
        return end
    whole = _WHOLE_SIGNS.match(body, start, end)
    cut = whole.end() if whole is not None else start
    while cut > start and body[cut] & 0xC0 == 0x80:
        cut -= 1
    return cut if cut > start else len(body)  # broken beyond cutting: rather one wide slice than none
