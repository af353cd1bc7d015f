"""What happened since the daemon began to follow: counts, and how long after its append a line was committed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from syncd.ledger.tally import Tally

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


@dataclass(slots=True)
class Figures:
    looks: int = 0
    missed_events: int = 0
    rescans: int = 0
    latencies: Latencies = field(default_factory=Latencies)
    taken: Tally = field(default_factory=Tally)
    sessions: int = 0
    """Changes of sessions that OpenClaw's indexes told."""
