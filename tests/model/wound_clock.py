"""A clock wound by hand: waiting costs nothing, and moves both clocks.

File times come from the real disk, so the wall clock starts at the real hour at every catch-up: what was just written
is young then, and at rest after the waits that the product asks for.
"""

import time
from collections.abc import Callable


class WoundClock:
    def __init__(self) -> None:
        self._slept = 0.0
        self._ahead = 0.0
        self.at_next_sleep: Callable[[], None] | None = None
        """What happens on the disk while the product waits."""

    def now_ms(self) -> int:
        return int((time.time() + self._ahead) * 1000)

    def monotonic(self) -> float:
        return time.monotonic() + self._slept

    def sleep(self, seconds: float) -> None:
        self._slept += seconds
        self._ahead += seconds
        if self.at_next_sleep is not None:
            act, self.at_next_sleep = self.at_next_sleep, None
            act()

    def set_to_real_hour(self, *, ahead: float = 0.0) -> None:
        self._ahead = ahead
