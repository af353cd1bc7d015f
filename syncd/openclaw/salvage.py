"""Finds whole records in a line that is none: glued together, or behind a record cut short.

Only records that stand where a record can stand are taken: at the line's start, right after
another whole one, or behind a cut, and then only with nothing but the end or another record after
them, so that no block inside a torn message is mistaken for an entry. Offsets are bytes.
Relies on `json` for where an object ends. Work is bounded: tries, and bytes looked at.
"""

import json
import re
from collections.abc import Callable
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


class Found(NamedTuple):
    records: tuple[tuple[int, int], ...]
    """Start and end of each whole record that looks like an entry."""
    is_all_objects: bool
    """True where the line, as far as it was searched, is two or more whole objects in a row."""


class _Object(NamedTuple):
    start: int
    end: int
    value: dict[str, Any]


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
    row = _objects_in_a_row(text, start, budget)
    end = row[-1].end if row else start
    if row and (_skip_blank(text, end) == len(text) or len(row) >= MAX_SALVAGED):
        return Found(_records(row, _has_type), len(row) > 1)
    records = _records(row, _is_surely_a_record)
    for pattern in (_LIKELY_START, _ANY_START):
        found = _records_behind_cuts(text, max(end, start + 1), budget, pattern)
        if found:
            records += found
            break
    return Found(records[:MAX_SALVAGED], is_all_objects=False)


def _records_behind_cuts(
    text: str, start: int, budget: _Budget, pattern: re.Pattern[str]
) -> tuple[tuple[int, int], ...]:
    records: tuple[tuple[int, int], ...] = ()
    while not budget.is_spent() and len(records) < MAX_SALVAGED:
        match = pattern.search(text, start)
        if match is None:
            break
        start = match.start() + 1
        row = _objects_in_a_row(text, match.start(), budget)
        if row:
            start = row[-1].end
            follows = _skip_blank(text, start)
            # Inside an unfinished record a comma or a bracket would follow.
            if follows == len(text) or text[follows] == "{":
                records += _records(row, _is_surely_a_record)
    return records


def _objects_in_a_row(text: str, start: int, budget: _Budget) -> list[_Object]:
    """The whole objects from `start` on with nothing but blanks between them."""
    row: list[_Object] = []
    while start < len(text) and text[start] == "{" and len(row) < MAX_SALVAGED:
        found = _object_at(text, start, budget)
        if found is None:
            break
        row.append(found)
        start = _skip_blank(text, found.end)
    return row


# strict=False: a NUL inside a string must not hide where the object ends.
_decode: Final = json.JSONDecoder(strict=False, parse_int=str, parse_float=str).raw_decode


def _object_at(text: str, start: int, budget: _Budget) -> _Object | None:
    if budget.is_spent():
        return None
    try:
        value, end = _decode(text, start)
    except json.JSONDecodeError as error:
        # An unfinished string was searched to the line's end, whatever the error's position says.
        stopped = len(text) if error.msg.startswith("Unterminated") else error.pos
        budget.spend(stopped - start, tries=1)
        return None
    except RecursionError:
        budget.spend(len(text) - start, tries=1)
        return None
    budget.spend(end - start)
    return _Object(start, end, value)


def _skip_blank(text: str, start: int) -> int:
    match = _BLANK.match(text, start)
    return match.end() if match else start


def _records(row: list[_Object], is_record: Callable[[dict[str, Any]], bool]) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end, value in row if is_record(value))


def _has_type(value: dict[str, Any]) -> bool:
    return isinstance(value.get("type"), str) or is_run_event(value)


def _is_surely_a_record(value: dict[str, Any]) -> bool:
    """Stricter, for a place where a block of a torn message could stand: blocks have types too."""
    kind = value.get("type")
    if isinstance(kind, str) and (kind in ENTRY_TYPES or "timestamp" in value):
        return True
    return is_run_event(value)
