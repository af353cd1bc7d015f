"""When the loop does what comes back: looks at everything, at files written lately, at its watcher, and beats.

All on monotonic time: the wall clock may step. What is done then is not known here, nor when a single file is due:
that is `put_off`'s, and a job's time is its schedule's.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.clock import Clock

ACTIVE_LOOK_SECONDS = 0.25
WATCH_CHECK_SECONDS = 5.0
POLL_SECONDS = 2.0
SOON_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 5.0


class Timers:
    """`now` is the one moment that a pass goes by, however long it takes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._next_rescan = self._next_check = self._next_active = self._next_beat = self._beaten_at = clock.monotonic()

    def is_rescan_due(self, now: float) -> bool:
        return now >= self._next_rescan

    def is_check_due(self, now: float) -> bool:
        return now >= self._next_check

    def is_active_look_due(self, now: float) -> bool:
        return now >= self._next_active

    def is_beat_due(self, now: float) -> bool:
        return now >= self._next_beat

    def rescan_begins(self, rescan_seconds: float, *, is_polling: bool) -> None:
        usual = POLL_SECONDS if is_polling else rescan_seconds
        # Jitter: several mirrors on one machine should not list all at the same moment.
        self._next_rescan = self._clock.monotonic() + usual * random.uniform(0.75, 1.25)  # noqa: S311 - no secret

    def check_begins(self) -> None:
        self._next_check = self._clock.monotonic() + WATCH_CHECK_SECONDS

    def active_look_begins(self, now: float) -> None:
        self._next_active = now + ACTIVE_LOOK_SECONDS

    def beat_begins(self, now: float, beat_seconds: float) -> None:
        self._next_beat, self._beaten_at = now + beat_seconds, now

    def check_at_once(self) -> None:
        self._next_check = self._clock.monotonic()

    def beat_at_once(self) -> None:
        self._next_beat = self._clock.monotonic()

    def beat_soon(self) -> None:
        """But not again and again."""
        self._next_beat = min(self._next_beat, self._beaten_at + SOON_SECONDS)

    def seconds_to_wait(self, dues: Iterable[float], *, has_active: bool) -> float:
        """Until the first of all; `dues` are the moments of single files. A check finds its time within any wait."""
        now = self._clock.monotonic()
        moments = [self._next_rescan, self._next_beat, now + LONGEST_WAIT_SECONDS, *dues]
        if has_active:
            moments.append(self._next_active)
        return max(0.0, min(moments) - now)
