"""Time as an argument: whoever needs the hour or a pause is given a `Clock`.

Not a scheduler. Wall time is for stamps that people read, monotonic time for every wait, because
the wall clock may step; tests pass a clock that is wound by hand.
"""

import time
from typing import Final, Protocol

# Linux' monotonic clock stands still in a suspend, macOS' does not; Python's own time.monotonic does on both.
_BOOT_CLOCK: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Clock(Protocol):
    def now_ms(self) -> int:
        """Wall time in epoch milliseconds, UTC: the unit of every `*_at` column."""
        ...

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never steps back."""
        ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        # A deadline that has passed already is a wait of nothing, not a fault.
        if seconds > 0:
            time.sleep(seconds)


def utc_stamp(at_ms: int) -> str:
    """`20261116T041831.250Z`: for names of files, which sort by it."""
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(at_ms // 1000))}.{at_ms % 1000:03d}Z"


def boot_seconds() -> float:
    """Seconds since the boot, those in which the machine slept included; the same for every process, and never set."""
    return time.clock_gettime(_BOOT_CLOCK)
