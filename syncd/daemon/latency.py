"""How long after its append a line was committed: the last thousand of them."""

from __future__ import annotations

from collections import deque

KEPT = 1000


class Latencies:
    """Milliseconds, newest last; bounded."""

    def __init__(self, kept: int = KEPT) -> None:
        self._values: deque[float] = deque(maxlen=kept)

    def add(self, milliseconds: float) -> None:
        self._values.append(max(0.0, milliseconds))

    def percentile(self, share: float) -> float | None:
        """The value that this share (0 to 1) of all does not exceed; None while there are none."""
        if not self._values:
            return None
        ordered = sorted(self._values)
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)
