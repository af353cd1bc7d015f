"""Finds whole records in a line that is none: glued together, or behind a record cut short.

Only objects that stand where a record can stand are taken: at the line's start, right after another whole one, or where
a cut record breaks off, and then only with nothing but the end or another record after them. Where a block of a torn
message could stand just as well, its fields must be those of an entry. Offsets are bytes.
Relies on `json` for where an object ends or breaks off. Work is bounded: tries, and bytes looked at.
"""

import json
import re
from typing import Any, Final, NamedTuple

from syncd.openclaw.entries import ENTRY_TYPES, is_run_event

MAX_SALVAGED: Final = 10_000
_MAX_FAILED_TRIES: Final = 64
_MAX_PASSES: Final = 8  # over the line's bytes, all tries together
_WORK_OF_A_TRY: Final = 256  # what a try costs beside its bytes
_FREE_WORK: Final = 1 << 20  # so that a short line is searched in full

_BOM: Final = "\xef\xbb\xbf"
_BLANK: Final = re.compile(r"[ \t\r\n\v\f\0]*")
# Records of OpenClaw begin with their type; other first keys are tried when none of these was one.
_LIKELY_START: Final = re.compile(
    r'\{[ \t]*"(?:type"[ \t]*:[ \t]*"(?:' + "|".join(sorted(ENTRY_TYPES)) + r')"|runId"[ \t]*:)'
)
_ANY_START: Final = re.compile(r'\{[ \t]*"')
# What is left of a number, a word or an escape that was cut, up to the record behind the cut.
_CUT_VALUE: Final = re.compile(r"\\?[-+.0-9A-Za-z]{0,24}[ \t\r\n\v\f\0]*(?=\{)")
# Or the record's first quote has ended a string that was cut.
_CUT_STRING: Final = re.compile(r'\{[ \t]*"[ \t\r\n]*\Z')
_LONGEST_BLANK: Final = 64
_BLOCK_TYPES: Final = frozenset(
    {"text", "thinking", "image", "toolCall", "toolUse", "functionCall", "input_image", "image_url"}
)


class Found(NamedTuple):
    records: tuple[tuple[int, int], ...]
    """Start and end of each whole object that is an entry."""
    is_all_objects: bool
    """True where the line, as far as it was searched, is two or more whole objects in a row."""


class _Object(NamedTuple):
    start: int
    end: int
    is_surely_a_record: bool


class _Broken(NamedTuple):
    """No whole object: where it breaks off."""

    at: int


class _Budget:
    """What the search may still spend; it ends early rather than late."""

    def __init__(self, length: int) -> None:
        self.tries = _MAX_FAILED_TRIES
        self.work = _FREE_WORK + length * _MAX_PASSES

    def spend(self, work: int, tries: int = 0) -> None:
        self.work -= work + _WORK_OF_A_TRY
        self.tries -= tries

    def is_spent(self) -> bool:
        return self.tries <= 0 or self.work <= 0


def find_records(line: bytes) -> Found:
    """Where whole records lie in a line that did not parse as one."""
    # One character per byte, so that positions are byte offsets; JSON's own signs are all ASCII.
    text = line.decode("latin-1")
    budget = _Budget(len(text))
    start = _skip_blank(text, 0)
    if text.startswith(_BOM, start):
        start = _skip_blank(text, start + len(_BOM))
    row, broken = _objects_in_a_row(text, start, budget)
    end = row[-1].end if row else start
    follows = _skip_blank(text, end)
    if row and (follows == len(text) or len(row) >= MAX_SALVAGED):
        return Found(_spans(row), len(row) > 1)
    # The rest of a torn record would go on with one of these.
    records = _spans(row) if text[follows : follows + 1] not in ("]", "}", ",") else _sure_spans(row)
    if broken is not None:
        records += _records_where_it_breaks(text, broken.at, budget)
    for pattern in (_LIKELY_START, _ANY_START):
        found = _records_behind_cuts(text, max(end, start + 1), budget, pattern)
        if found:
            records += found
            break
    return Found(_apart(records)[:MAX_SALVAGED], is_all_objects=False)


def _records_where_it_breaks(text: str, broken_at: int, budget: _Budget) -> tuple[tuple[int, int], ...]:
    """Objects that begin at the very place where the record before them breaks off."""
    records: tuple[tuple[int, int], ...] = ()
    broken: _Broken | None = _Broken(broken_at)
    last_start = 0
    while broken is not None and not budget.is_spent() and len(records) < MAX_SALVAGED:
        start = _start_behind(text, broken.at)
        if start is None or start <= last_start:
            break
        last_start = start
        row, broken = _objects_in_a_row(text, start, budget)
        follows = _skip_blank(text, row[-1].end) if row else start
        if row and (follows == len(text) or broken is not None):
            records += _spans(row)
    return records


def _start_behind(text: str, broken_at: int) -> int | None:
    match = _CUT_VALUE.match(text, broken_at)
    if match is not None:
        return match.end()
    match = _CUT_STRING.search(text[max(0, broken_at - _LONGEST_BLANK) : broken_at])
    return max(0, broken_at - _LONGEST_BLANK) + match.start() if match is not None else None


def _apart(spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """In order, each once, none inside another."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return tuple(found)


def _records_behind_cuts(
    text: str, start: int, budget: _Budget, pattern: re.Pattern[str]
) -> tuple[tuple[int, int], ...]:
    records: tuple[tuple[int, int], ...] = ()
    while not budget.is_spent() and len(records) < MAX_SALVAGED:
        match = pattern.search(text, start)
        if match is None:
            break
        start = match.start() + 1
        row, broken = _objects_in_a_row(text, match.start(), budget)
        if row:
            start = row[-1].end
            # Inside an unfinished record a comma or a bracket would follow.
            if broken is not None or _skip_blank(text, start) == len(text):
                records += _sure_spans(row)
    return records


def _objects_in_a_row(text: str, start: int, budget: _Budget) -> tuple[list[_Object], _Broken | None]:
    """The whole objects from `start` on with nothing but blanks between them, and the broken one that follows."""
    row: list[_Object] = []
    while start < len(text) and text[start] == "{" and len(row) < MAX_SALVAGED:
        found = _object_at(text, start, budget)
        if isinstance(found, _Broken):
            return row, found
        row.append(found)
        start = _skip_blank(text, found.end)
    return row, None


def _outline(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """What tells an entry; what lies deeper is dropped as soon as it is read."""
    return {key: type(value) is str and value for key, value in pairs if key in _TELLING}


_TELLING: Final = frozenset({"type", "id", "timestamp", "runId", "seq", "stream"})
# strict=False: a NUL inside a string must not hide where the object ends.
_decode: Final = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, object_pairs_hook=_outline).raw_decode


def _object_at(text: str, start: int, budget: _Budget) -> _Object | _Broken:
    if budget.is_spent():
        return _Broken(len(text))
    try:
        outline, end = _decode(text, start)
    except json.JSONDecodeError as error:
        # An unfinished string was searched to the line's end, whatever the error's position says.
        stopped = len(text) if error.msg.startswith("Unterminated") else error.pos
        budget.spend(stopped - start, tries=1)
        return _Broken(error.pos)
    except RecursionError:
        budget.spend(len(text) - start, tries=1)
        return _Broken(len(text))
    budget.spend(end - start)
    return _Object(start, end, _is_surely_a_record(outline))


def _skip_blank(text: str, start: int) -> int:
    match = _BLANK.match(text, start)
    return match.end() if match else start


def _spans(row: list[_Object]) -> tuple[tuple[int, int], ...]:
    return tuple((found.start, found.end) for found in row)


def _sure_spans(row: list[_Object]) -> tuple[tuple[int, int], ...]:
    return tuple((found.start, found.end) for found in row if found.is_surely_a_record)


def _is_surely_a_record(outline: dict[str, Any]) -> bool:
    """For a place where a block of a torn message could stand: blocks have types and ids too."""
    kind = outline.get("type")
    if type(kind) is str:
        return kind in ENTRY_TYPES or (kind not in _BLOCK_TYPES and ("timestamp" in outline or "id" in outline))
    return is_run_event(outline)
