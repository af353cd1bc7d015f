"""Moments as OpenClaw writes them, turned into epoch milliseconds (UTC).

Entries carry ISO-8601 strings, messages millisecond numbers; very old and foreign lines carry
neither, or junk, which is None here and never an exception. The raw value stays in the raw bytes.
A result is always a moment JavaScript can hold (|ms| <= 8.64e15), hence an int64.
"""

import re
from typing import Final

MAX_EPOCH_MS: Final = 8_640_000_000_000_000  # JavaScript's last moment, in the year 275760
# No OpenClaw moment lies before March 1973: a number in this range can only be seconds.
_SECONDS_FROM: Final = 1_000_000_000
SECONDS_TO: Final = 100_000_000_000

# Compiled when first needed: the usual form is not read with it.
_ISO: Final = (
    r"([+-]\d{6}|\d{4})-(\d\d)-(\d\d)"
    r"(?:[Tt ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d\d(?::?\d\d)?)?)?"
)
_DIGITS: Final = r"\d{10,16}"
_DAYS_IN_MONTH: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


# The usual form is "YYYY-MM-DDT" + "HH:MM:" + "SS." + "mmmZ": four look-ups, no arithmetic on digits.
# Neighbouring lines share their day; the table is emptied when it has grown too large.
_DAYS: dict[str, int] = {}
_MAX_DAYS: Final = 4096
_MINUTES: Final = {f"{n // 60:02d}:{n % 60:02d}:": n * 60_000 for n in range(1440)}
_SECONDS: Final = {f"{n:02d}.": n * 1000 for n in range(60)}
_MILLIS: Final = {f"{n:03d}Z": n for n in range(1000)}


def to_epoch_ms(value: object) -> int | None:
    """Epoch milliseconds of an ISO string or a number of ms (or s, told by its size), else None.

    A time without a zone is read as UTC: what zone the writer was in nobody knows any more.
    """
    if type(value) is str:
        try:
            return _DAYS[value[:11]] + _MINUTES[value[11:17]] + _SECONDS[value[17:20]] + _MILLIS[value[20:]]
        except KeyError:
            return _from_text(value)
    if type(value) is int or type(value) is float:
        return _from_number(value)
    return None


def _from_text(text: str) -> int | None:
    if len(text) > 64:
        return None
    text = text.strip()
    match = re.fullmatch(_ISO, text, re.ASCII)
    if match is not None:
        result = _from_match(match)
        if result is not None and _is_usual_form(text):
            if len(_DAYS) >= _MAX_DAYS:
                _DAYS.clear()
            _DAYS[text[:11]] = result - result % 86_400_000
        return result
    return _from_number(int(text)) if re.fullmatch(_DIGITS, text, re.ASCII) else None


def _is_usual_form(text: str) -> bool:
    return text[10:11] == "T" and text[11:17] in _MINUTES and text[17:20] in _SECONDS and text[20:] in _MILLIS


def _from_number(number: float) -> int | None:
    # Written so that NaN fails the test as well.
    if not -MAX_EPOCH_MS <= number <= MAX_EPOCH_MS:
        return None
    if _SECONDS_FROM <= number < SECONDS_TO:
        return round(number * 1000)
    return int(number)


def _from_match(match: re.Match[str]) -> int | None:
    year_text, month_text, day_text, hour_text, minute_text, second_text, fraction, zone = match.groups()
    year, month, day = int(year_text), int(month_text), int(day_text)
    if not (1 <= month <= 12 and 1 <= day <= _DAYS_IN_MONTH[month - 1]):
        return None
    if month == 2 and day == 29 and (year % 4 != 0 or (year % 100 == 0 and year % 400 != 0)):
        return None
    hour, minute, second = int(hour_text or 0), int(minute_text or 0), int(second_text or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    ms = int((fraction or "0").ljust(3, "0")[:3])
    seconds = _days_since_epoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    result = (seconds - _zone_seconds(zone)) * 1000 + ms
    return result if -MAX_EPOCH_MS <= result <= MAX_EPOCH_MS else None


def _zone_seconds(zone: str | None) -> int:
    if zone is None or zone in "Zz":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:]) * 60
    return -seconds if zone[0] == "-" else seconds


def _days_since_epoch(year: int, month: int, day: int) -> int:
    """Proleptic Gregorian days since 1970-01-01; datetime ends at the year 9999, JavaScript not."""
    # Years counted from March, so that the leap day is the last of its year.
    year -= month <= 2
    era_days = year * 365 + year // 4 - year // 100 + year // 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era_days + day_of_year - 719_468
