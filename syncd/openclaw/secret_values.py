"""Where a value ends that stands at some place of a text: at its closing quote, or where a word of a program ends.

Knows nothing of names. Looks no further than a bounded reach, so that a value which turns out to be no secret costs
little; the rest of a longer one is found once it is to be masked (`whole_end`).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_REACH: Final = 8192
_WORD_REACH: Final = 256
_OPENING: Final = re.compile(r"(?:[bfru]{1,2}(?=[\"']))?(?P<escape>\\{0,7})(?P<quote>\"\"\"|'''|[\"'`])", re.IGNORECASE)
_BARE_SIGN: Final = (
    r"(?:\[redacted: [a-z ]{1,40}\]|[^\s\"'`&;<>\\]|\\(?![nrtu\"'`\\])|(?<=\w)'(?=\w))"  # don't, but not 'x'
)
_SETTING_SIGN: Final = r"(?:[^\s\"'`]|(?<=\w)['\"](?=\w))"
_BARE: Final = re.compile(rf"{_BARE_SIGN}{{1,{_WORD_REACH}}}+")
_SETTING: Final = re.compile(rf"{_SETTING_SIGN}{{1,{_WORD_REACH}}}+")
_BARE_REST: Final = re.compile(rf"{_BARE_SIGN}*+")
_NEXT_SETTING: Final = re.compile(r"[,;&](?=[A-Za-z_][\w.-]{0,60}[=:])")
_BRACKET_OR_COMMA: Final = re.compile(r"[()\[\]{}]|,(?=[A-Za-z_][\w.-]{0,60}[=:])")


class Value(NamedTuple):
    text: str
    start: int
    end: int
    is_quoted: bool


def value_at(text: str, place: int, *, is_setting: bool = False) -> Value | None:
    """The value that begins here; one in a file of settings may have more signs in it than one in a program."""
    opening = _OPENING.match(text, place)
    if opening is not None:
        start = opening.end()
        end = _closing(text, start, opening["escape"], opening["quote"])
        if end is not None:
            return Value(text[start:end], start, end, is_quoted=True)
        place = start
    found = (_SETTING if is_setting else _BARE).match(text, place)
    if found is None:
        return None
    if is_setting:
        following = _NEXT_SETTING.search(text, place, found.end())
        end = following.start() if following is not None else found.end()
    else:
        end = _end_of_word(text, place, found.end())
    value = text[place:end].rstrip(".,:;")
    return Value(value, place, place + len(value), is_quoted=False) if value else None


def whole_end(text: str, value: Value) -> int:
    """Where the value ends, however long it is."""
    if value.is_quoted or value.end - value.start < _WORD_REACH:
        return value.end
    rest = _BARE_REST.match(text, value.end)
    return rest.end() if rest is not None else value.end


def _closing(text: str, start: int, escape: str, quote: str) -> int | None:
    """Where the quote closes in the same line; one that is escaped once more is part of the value."""
    limit = min(len(text), start + _REACH)
    line_end = text.find("\n", start, limit)
    limit = limit if line_end < 0 or len(quote) == 3 else line_end
    place = start
    while (place := text.find(escape + quote, place, limit)) >= 0:
        before = place
        while before > start and text[before - 1] == "\\":
            before -= 1
        if (place - before) % 2 == 0 if not escape else place == before:
            return place
        place += len(escape + quote)
    return None


def _end_of_word(text: str, start: int, end: int) -> int:
    """Before a bracket that was opened outside, or before the next field."""
    depth = 0
    for found in _BRACKET_OR_COMMA.finditer(text, start, end):
        if found[0] in "([{":
            depth += 1
        elif depth and found[0] != ",":
            depth -= 1
        elif not depth:
            return found.start()
    return end
