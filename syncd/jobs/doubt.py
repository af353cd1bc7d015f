"""May the wall clock be wrong? Then nothing is removed because of its age.

A clock that was set forward by an hour or more, and not back since, is believed after a day; so is one that says that
nobody was here for a week, whether or not syncd was started again meanwhile. Steps back make everything younger, and do
no harm.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from syncd.clock import Clock

STEP_SECONDS = 3600.0
ABSENCE_MS = 7 * 86_400_000
DOUBT_SECONDS = 86_400.0


class Doubt:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ahead_seconds = 0.0
        self._until: float | None = None

    def note_step(self, seconds: float) -> None:
        if self._until is not None and self.seconds_left() == 0:  # what was before is believed by now
            self._ahead_seconds, self._until = 0.0, None
        self._ahead_seconds += seconds
        if self._ahead_seconds < STEP_SECONDS:
            self._until = None
        elif self._until is None:
            self._until = self._clock.monotonic() + DOUBT_SECONDS

    def note_past(self, times: Sequence[int]) -> None:
        """When something was done here, the oldest first, by the clock of each time: a leap may be that clock's."""
        now_ms, ahead_ms, since = self._clock.now_ms(), 0, 0
        for before, after in pairwise((*times, now_ms)):
            if after - before > ABSENCE_MS:
                ahead_ms, since = ahead_ms + after - before, after
            elif after < before:
                ahead_ms = max(0, ahead_ms - (before - after))
        left = DOUBT_SECONDS - max(0, now_ms - since) / 1000
        if ahead_ms > ABSENCE_MS and left > 0:
            self._ahead_seconds, self._until = ahead_ms / 1000, self._clock.monotonic() + left

    def seconds_left(self) -> float:
        """0: it is believed."""
        return max(0.0, self._until - self._clock.monotonic()) if self._until is not None else 0.0
