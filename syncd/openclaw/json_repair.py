"""Makes bytes that are nearly JSON acceptable to the parser, and says what it changed.

Node writes lone surrogates, crashes leave runs of NUL, other tools write a byte order mark, NaN or
broken UTF-8. Each is mended on the bytes, so that one parser with one set of limits reads all of
them. Not a fixer of torn or glued records: that is `salvage`. Every step is linear in the length.
"""

import math
import re
from typing import Final, Literal, get_args

Flag = Literal["bom", "nul_stripped", "invalid_utf8", "surrogate", "not_finite"]
FLAGS: Final[tuple[Flag, ...]] = get_args(Flag)

_BOM: Final = b"\xef\xbb\xbf"
_EDGE: Final = b" \t\r\n\v\f\0"
# Every escape is consumed whole, so that `\\ud800` (a backslash, then letters) is left alone.
_ESCAPE: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\.",
    re.DOTALL,
)
_MAY_BE_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
# Strings are consumed whole, an unfinished one to the end: else each quote would start anew.
_STRING_OR_NUMBER: Final = re.compile(
    rb'"[^"\\]*(?:\\.[^"\\]*)*+"?'
    rb"|(-?(?:NaN|Infinity)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)",
    re.DOTALL,
)
_MAY_BE_NOT_FINITE: Final = re.compile(rb"NaN|Infinity|[eE]\+?\d{3}|\d{309}")


def repaired(raw: bytes) -> tuple[bytes, tuple[Flag, ...]]:
    """`raw` with each known fault mended, and the flags of those that were there.

    NULs vanish, a lone surrogate and each broken UTF-8 sequence become U+FFFD, a number that no
    double can hold becomes null (as JavaScript itself would write it back).
    """
    flags: list[Flag] = []
    body = raw.strip(_EDGE)
    if body.startswith(_BOM):
        flags.append("bom")
        body = body[len(_BOM) :].strip(_EDGE)
    if b"\0" in raw:
        flags.append("nul_stripped")
        body = body.replace(b"\0", b"")
    if not _is_utf8(body):
        flags.append("invalid_utf8")
        body = body.decode("utf-8", "replace").encode()
    if _MAY_BE_SURROGATE.search(body):
        mended = _ESCAPE.sub(_without_lone_surrogate, body)
        if mended != body:
            flags.append("surrogate")
            body = mended
    if _MAY_BE_NOT_FINITE.search(body):
        mended = _STRING_OR_NUMBER.sub(_finite_or_null, body)
        if mended != body:
            flags.append("not_finite")
            body = mended
    return body, tuple(flags)


def has_lone_surrogate(body: bytes) -> bool:
    """Is there an escape that `repaired` would replace?"""
    if not _MAY_BE_SURROGATE.search(body):
        return False
    return any(match[1] is not None for match in _ESCAPE.finditer(body))


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _without_lone_surrogate(match: re.Match[bytes]) -> bytes:
    return b"\\ufffd" if match[1] is not None else match[0]


def _finite_or_null(match: re.Match[bytes]) -> bytes:
    number = match[1]
    return match[0] if number is None or math.isfinite(float(number)) else b"null"
