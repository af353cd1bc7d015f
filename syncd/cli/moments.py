"""Moments and time zones as people type them: a day, a date with a time, or how long ago.

A day is a whole day of the given zone: as an end it is included. What cannot be read is a UserError that says what can.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

import click

from syncd.clock import SystemClock
from syncd.errors import UserError

_AGO: Final = re.compile(r"([0-9]{1,6})([mhdw])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_WORDS: Final = {"today": 0, "yesterday": 1}
_HINT: Final = (
    "write a day (2026-03-29), a day with a time (2026-03-29T14:30), today, yesterday, or how long ago (7d, 24h)"
)


class Moment(click.ParamType[int]):
    """An option's moment, in the local time zone: epoch milliseconds. `is_end`: as `moment` says."""

    name = "when"

    def __init__(self, *, is_end: bool = False) -> None:
        self._is_end = is_end

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return moment(str(value), _Local(), SystemClock().now_ms(), is_end=self._is_end)
        except UserError as error:
            self.fail(f"{error}: {error.hint}", param, ctx)


def zone_of(name: str) -> tzinfo:
    """The zone of that IANA name; `local` is this machine's."""
    if name.lower() == "utc":
        return UTC
    if name.lower() == "local":
        return _Local()
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # unknown, no name at all, or one that would leave the zones' directory
        raise UserError(
            f"there is no time zone {name!r}", "write an IANA name such as Europe/Berlin, or `local`, or UTC"
        ) from None


def day_of(at_ms: int, zone: tzinfo) -> str | None:
    """The local day of an instant; None where no calendar has one."""
    try:
        return datetime.fromtimestamp(at_ms // 1000, zone).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return None


def moment(text: str, zone: tzinfo, now_ms: int, *, is_end: bool = False) -> int:
    """Epoch milliseconds. `is_end`: of a day, the moment after its last."""
    now = datetime.fromtimestamp(now_ms / 1000, zone)
    try:
        if (ago := _AGO.fullmatch(text.lower())) is not None:
            return _ms(now.astimezone(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])}))
        day = now.date() - timedelta(days=_WORDS[text]) if text in _WORDS else _day(text)
        if day is not None:
            return _ms(datetime.combine(day + timedelta(days=is_end), time(), zone))
        found = datetime.fromisoformat(text)
        return _ms(found if found.tzinfo is not None else found.replace(tzinfo=zone))
    except (ValueError, OverflowError, OSError):
        raise UserError(f"{text!r} is no moment in time", _HINT) from None


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) else None


def _ms(moment: datetime) -> int:
    return round(moment.astimezone(UTC).timestamp() * 1000)


class _Local(tzinfo):
    """This machine's zone, with all its changes of the clock: Python has no object for it."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return None if moment is None else moment.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, _moment: datetime | None) -> timedelta | None:
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        return None if moment is None else moment.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, moment: datetime) -> datetime:
        return moment.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)
