"""Times, ages and sizes as people read them. Pure but for the local time zone."""

from datetime import UTC, datetime
from typing import Any


def local_time(at: int | None, *, seconds: bool = False) -> str:
    """In the local time zone; "" where there is none."""
    return _formatted(at, None, "%Y-%m-%d %H:%M:%S" if seconds else "%Y-%m-%d %H:%M")


def utc_time(at: int | None) -> str:
    """For what is read elsewhere."""
    return _formatted(at, UTC, "%Y-%m-%d %H:%M:%S UTC")


def _formatted(at: int | None, zone: Any, form: str) -> str:
    if at is None:
        return ""
    try:
        return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone).strftime(form)
    except (ValueError, OverflowError, OSError):  # a time that no calendar has
        return str(at)


def age(at: int | None, now: int) -> str:
    """`now`, `5 min`, `3 h`, `12 d`; a year and more as its date."""
    if at is None:
        return ""
    seconds = max(0, (now - at) // 1000)
    if seconds < 60:
        return "now"
    for limit, unit, name in ((3600, 60, "min"), (86400, 3600, "h"), (365 * 86400, 86400, "d")):
        if seconds < limit:
            return f"{seconds // unit} {name}"
    return local_time(at)[:10]


def size(count: int) -> str:
    """`812 B`, `1.2 MB`: in powers of 1000, as file managers and disks have them."""
    amount = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"
