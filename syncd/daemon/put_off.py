"""Looks that must wait: at which path, why, and until when, in monotonic time. What a look is, the follower knows."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from syncd.clock import Clock

RETRY_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)
_SHORTEST_SECONDS = 0.01


def wait_after(failures: int, steps: Sequence[float]) -> float:
    """How long to wait when it failed so often before; the last step is that of all further failures."""
    return steps[min(failures, len(steps) - 1)]


class PutOff:
    def __init__(self, clock: Clock) -> None:
        self.reasons: dict[str, str] = {}
        self._clock = clock
        self._due: list[tuple[float, str]] = []
        self._failures: dict[str, int] = {}

    def __contains__(self, path: str) -> bool:
        return path in self.reasons

    def wait(self, path: str, reason: str, seconds: float) -> None:
        """One that waits already is not put off any further."""
        if path not in self.reasons:
            heapq.heappush(self._due, (self._clock.monotonic() + max(seconds, _SHORTEST_SECONDS), path))
        self.reasons[path] = reason

    def retry(self, path: str, reason: str, steps: Sequence[float] = RETRY_SECONDS) -> int:
        """It failed: later each time. Returns how often it had failed before."""
        failures = self._failures.get(path, 0)
        self._failures[path] = failures + 1
        self.wait(path, reason, wait_after(failures, steps))
        return failures

    def went_well(self, path: str) -> None:
        self._failures.pop(path, None)

    def hasten(self, path: str) -> None:
        heapq.heappush(self._due, (self._clock.monotonic(), path))

    def forget(self, path: str) -> None:
        self.reasons.pop(path, None)
        self._failures.pop(path, None)

    def pop_due(self, now: float) -> tuple[str, str | None] | None:
        """The next path whose time has come, with its reason; without one where it was hastened or forgotten."""
        if not self._due or self._due[0][0] > now:
            return None
        _, path = heapq.heappop(self._due)
        return path, self.reasons.pop(path, None)

    def next_at(self) -> float | None:
        return self._due[0][0] if self._due else None
