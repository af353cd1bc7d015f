"""The time in which the loop has no ledger that it could use: a pause until it is tried again, or a repair.

Nothing is lost meanwhile: the files are the queue, and what was not committed is read again from the ledger's cursors.
How a damaged ledger is put right is handed in (`recovering`); taking it up again is the loop's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.daemon.messages import message_of_error
from syncd.daemon.put_off import wait_after
from syncd.daemon.timers import LONGEST_WAIT_SECONDS
from syncd.errors import LedgerCorrupt, LedgerError, SyncdError

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.clock import Clock
    from syncd.daemon.dirty import DirtySet
    from syncd.daemon.door import Door
    from syncd.daemon.grip import Grip
    from syncd.daemon.keeping import Keeping
    from syncd.daemon.self_watch import SelfWatch
    from syncd.daemon.telling import Telling

RETRY_SECONDS = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Pausing:
    """`mend` puts a ledger right, or raises. `is_asked`: somebody wants something that ends a pause."""

    def __init__(
        self, clock: Clock, grip: Grip, lock: Keeping, dirty: DirtySet, door: Door | None, telling: Telling,
        self_watch: SelfWatch, *, mend: Callable[[LedgerCorrupt], None], is_asked: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._clock, self._grip, self._lock, self._dirty, self._door = clock, grip, lock, dirty, door
        self._telling, self._self_watch = telling, self_watch
        self._mend, self._is_asked = mend, is_asked
        self.failures = 0
        """In a row, since the last pass that went well."""

    def went_well(self) -> None:
        self.failures = 0

    def pause(self, error: SyncdError) -> None:
        """Later each time; ends sooner if somebody asks for something."""
        kept_as = self._grip.let_go()
        seconds = wait_after(self.failures, RETRY_SECONDS)
        self.failures += 1
        self._telling.paused(error, kept_as, self.failures, seconds)
        until = self._clock.monotonic() + seconds
        while not self._is_asked() and (left := until - self._clock.monotonic()) > 0:
            self._lock.take(self._dirty, min(left, LONGEST_WAIT_SECONDS))
            self._refuse_visitors(error)
            self._self_watch.sign()

    def recover(self, damage: LedgerCorrupt) -> None:
        """What the files have is read again from the cursors of the ledger that takes the damaged one's place."""
        self._grip.let_go()
        self._lock.keep()
        self._telling.damaged(damage)
        try:
            with self._self_watch.long_act():
                self._mend(damage)
        except LedgerCorrupt:
            raise
        except LedgerError as error:
            self.pause(error)
        self._telling.beat_at_once()

    def _refuse_visitors(self, error: SyncdError) -> None:
        while self._door is not None and (visitor := self._door.next_visitor()) is not None:
            visitor.say(message_of_error(error))
