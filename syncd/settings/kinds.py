"""The kinds of value a key may have: each reads what YAML gave, or says what would be right.

Not the keys themselves (schema.py), nor the file (document.py). A kind is a function from a plain
value to a typed one that raises ValueError with a message for the person who wrote the file.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from reprlib import Repr
from typing import Final, TypeVar

from syncd.settings.cron import Cron, parse_cron

T = TypeVar("T")
Kind = Callable[[object], T]

UNIT_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
LONGEST_DURATION_DAYS: Final = 36500
_DURATION: Final = re.compile(r"([0-9]{1,10})([smhd])")
_brief: Final = Repr()
_brief.maxlevel, _brief.maxstring, _brief.maxother, _brief.maxlong = 2, 60, 60, 40


@dataclass(frozen=True, slots=True)
class Duration:
    """A span of time, with the words it was written in."""

    seconds: int
    text: str


Schedule = Duration | Cron | None  # None: the job is switched off


def shown(raw: object) -> str:
    """A value for a message: short, however large it is."""
    if isinstance(raw, int) and raw.bit_length() > 128:
        return "a number of more than 38 digits"  # Python itself refuses to print the longest
    return "nothing" if raw is None else _brief.repr(raw)


def choice(*words: str) -> Kind[str]:
    def read(raw: object) -> str:
        if isinstance(raw, str) and raw in words:
            return raw
        raise ValueError(f"must be one of {', '.join(words)}, not {shown(raw)}")

    return read


def seconds(low: float, high: float) -> Kind[float]:
    def read(raw: object) -> float:
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            raise ValueError(f"must be a number of seconds, not {shown(raw)}")
        if not low <= raw <= high:  # so neither NaN nor infinity comes through
            raise ValueError(f"must be within {low:g} and {high:g} seconds, not {shown(raw)}")
        return float(raw)

    return read


def byte_count(high: int) -> Kind[int]:
    def read(raw: object) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int):
            raise ValueError(f"must be a whole number of bytes, not {shown(raw)}")
        if not 1 <= raw <= high:
            raise ValueError(f"must be within 1 and {high} bytes, not {shown(raw)}")
        return raw

    return read


class ItemsError(ValueError):
    """Some values of a list are not right: each by its number, counted from 0, with what would be."""

    def __init__(self, faults: Sequence[tuple[int, str]]) -> None:
        super().__init__("; ".join(f"[{number}] {message}" for number, message in faults))
        self.faults = tuple(faults)


def or_none(kind: Kind[T], word: str) -> Kind[T | None]:
    """The value of another kind, or None for `word` and for YAML's own null."""

    def read(raw: object) -> T | None:
        if raw is None or raw == word:
            return None
        try:
            return kind(raw)
        except ItemsError:
            raise  # `word` stands for a whole list, not in one
        except ValueError as fault:
            raise ValueError(f"{fault}; or write {word}") from None

    return read


def file_path(raw: object) -> str:
    if not isinstance(raw, str) or not raw.strip() or "\0" in raw:
        raise ValueError(f"must be a path, not {shown(raw)}")
    path = os.path.expanduser(raw)
    if path.startswith("~"):
        raise ValueError(f"there is no such home directory: {shown(raw)}")
    return path


def list_of(kind: Kind[T]) -> Kind[tuple[T, ...]]:
    def read(raw: object) -> tuple[T, ...]:
        if not isinstance(raw, list) or not raw:
            raise ValueError(f"must be a list with at least one value, not {shown(raw)}")
        found: list[T] = []
        faults: list[tuple[int, str]] = []
        for number, item in enumerate(raw):
            try:
                found.append(kind(item))
            except ValueError as fault:
                faults.append((number, str(fault)))
        if faults:
            raise ItemsError(faults)
        return tuple(found)

    return read


def glob(raw: object) -> str:
    if not isinstance(raw, str) or not raw:
        raise ValueError(f'must be a name or a glob such as "main" or "*", not {shown(raw)}')
    return raw


def duration(raw: object) -> Duration:
    match = _DURATION.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if match is None:
        raise ValueError(f"must be a time such as 30s, 15m, 24h or 7d, not {shown(raw)}")
    span = int(match[1]) * UNIT_SECONDS[match[2]]
    if not 1 <= span <= LONGEST_DURATION_DAYS * UNIT_SECONDS["d"]:
        raise ValueError(f"must be within 1s and {LONGEST_DURATION_DAYS}d, not {shown(raw)}")
    return Duration(span, match[0])


def schedule(raw: object) -> Schedule:
    if raw is False:
        return None
    if isinstance(raw, str) and len(raw.split()) > 1:
        return parse_cron(raw)
    try:
        return duration(raw)
    except ValueError:
        raise ValueError(
            f"must be an interval such as 15m, a five-field cron expression in quotes, or false, not {shown(raw)}"
        ) from None


def keep_or_after(*verbs: str) -> Kind[Duration | None]:
    """`keep`, which is None, or a map of one of these verbs to an age: {purge_after: 30d}."""

    def read(raw: object) -> Duration | None:
        if raw == "keep":
            return None
        wanted = f"must be keep or a map such as {{{verbs[0]}: 30d}}"
        if not isinstance(raw, Mapping):
            raise ValueError(f"{wanted}, not {shown(raw)}")
        if len(raw) != 1 or next(iter(raw)) not in verbs:
            keys = ", ".join(shown(key) for key in list(raw)[:3]) or "nothing"
            raise ValueError(f"{wanted}, not a map of {keys}")
        verb, age = next(iter(raw.items()))
        try:
            return duration(age)
        except ValueError as fault:
            raise ValueError(f"{verb} {fault}") from None

    return read
