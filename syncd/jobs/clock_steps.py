"""Was the clock set, or did the machine sleep? Three clocks compared now and then.

The wall clock can be set; the boot clock cannot, and counts on while the machine sleeps; the monotonic clock stands
still meanwhile. Slow corrections add up, and are a step once they are large enough.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from syncd.clock import boot_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

_NOTICED_SECONDS = 2.0


class Moment(NamedTuple):
    wall: float
    monotonic: float
    boot: float


class Change(NamedTuple):
    """In seconds. `stepped`: how far the wall clock was set, backwards below 0. `slept`: how long the machine did."""

    stepped: float
    slept: float


def now() -> Moment:
    return Moment(time.time(), time.monotonic(), boot_seconds())


class ClockSteps:
    def __init__(self, read: Callable[[], Moment] = now) -> None:
        self._read = read
        self._last = read()

    def look(self) -> Change | None:
        """What happened since it was last told; None: nothing."""
        before, after = self._last, self._read()
        elapsed = after.boot - before.boot
        stepped, slept = after.wall - before.wall - elapsed, elapsed - (after.monotonic - before.monotonic)
        if abs(stepped) < _NOTICED_SECONDS and slept < _NOTICED_SECONDS:
            return None
        self._last = after
        return Change(stepped if abs(stepped) >= _NOTICED_SECONDS else 0.0, slept if slept >= _NOTICED_SECONDS else 0.0)
