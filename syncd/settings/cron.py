"""Five-field cron expressions, read into plain sets of numbers.

Not a scheduler: the sets are handed to one. Weekdays are 0 = Sunday to 6 = Saturday as in
crontab(5), also where the scheduler counts otherwise; 7 is read as Sunday.
"""

from typing import Final, NamedTuple

MONTH_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun",
                      "jul", "aug", "sep", "oct", "nov", "dec")  # fmt: skip
WEEKDAY_NAMES: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
LONGEST_MONTH: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Cron(NamedTuple):
    """When both days and weekdays are restricted, either one is enough, as in crontab(5)."""

    text: str
    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]


class _Field(NamedTuple):
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()


_FIELDS: Final = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day", 1, 31),
    _Field("month", 1, 12, MONTH_NAMES),
    _Field("weekday", 0, 7, WEEKDAY_NAMES),
)


def parse_cron(text: str) -> Cron:
    """Raises ValueError with a reason made for the person who wrote the expression."""
    words = text.lower().split()
    if len(words) != len(_FIELDS):
        raise ValueError(f"a cron expression has five fields (minute hour day month weekday), not {len(words)}")
    minutes, hours, days, months, weekdays = (_numbers(word, field) for word, field in zip(words, _FIELDS, strict=True))
    weekdays = frozenset(day % 7 for day in weekdays)
    if len(weekdays) == 7 and not any(day <= LONGEST_MONTH[month - 1] for month in months for day in days):
        raise ValueError("this date never comes: no such day in the months given")
    return Cron(" ".join(words), minutes, hours, days, months, weekdays)


def _numbers(word: str, field: _Field) -> frozenset[int]:
    found: set[int] = set()
    for part in word.split(","):
        span, slash, step_text = part.partition("/")
        step = _number(step_text, field) if slash else 1
        if step < 1:
            raise ValueError(f"{field.name}: the step in {part!r} must be at least 1")
        if span == "*":
            low, high = field.low, field.high
        else:
            low_text, dash, high_text = span.partition("-")
            low = _value(low_text, field)
            # "5/15" means from 5 on, as cron implementations read it.
            high = _value(high_text, field) if dash else (field.high if slash else low)
        if low > high:
            raise ValueError(f"{field.name}: {span!r} runs backwards")
        found.update(range(low, high + 1, step))
    return frozenset(found)


def _value(text: str, field: _Field) -> int:
    if text in field.names:
        return field.names.index(text) + field.low
    number = _number(text, field)
    if not field.low <= number <= field.high:
        raise ValueError(f"{field.name}: {number} is not within {field.low}-{field.high}")
    return number


def _number(text: str, field: _Field) -> int:
    # isascii first: isdigit alone takes digits that int() refuses.
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise ValueError(f"{field.name}: {text!r} is not a number")
    return int(text)
