"""The loop and its writer lock: looked at before every pass and while it waits, so that a lock file that was removed is
back before many find it missing, and nothing is written once another is the writer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.errors import AlreadyRunning, LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.clock import Clock
    from syncd.daemon.dirty import Dirt, DirtySet
    from syncd.ledger.database import Ledger
    from syncd.ledger.hold import Hold

LOOK_SECONDS = 2.0
"""So long, at most, can one be let in who finds neither lock file nor ledger."""
_HINT = "see that its directory is there, on its own disk, and writable for you; it goes on by itself"


class Keeping:
    """`on_renewed`: the lock was gone and is taken anew, and all that lay beside it may be gone too.

    AlreadyRunning, from now on always: another is the writer. Without a hold nothing is looked at.
    """

    def __init__(self, hold: Hold | None, clock: Clock, on_renewed: Callable[[], None]) -> None:
        self.hold = hold
        self._clock, self._on_renewed = clock, on_renewed
        self._next_look = clock.monotonic()

    def keep(self) -> None:
        if self.hold is None:
            return
        self._next_look = self._clock.monotonic() + LOOK_SECONDS
        if self.hold.keep():
            self._on_renewed()

    def is_lost(self) -> bool:
        """Asked between any two files of a long pass; a look only where one is due."""
        if self._clock.monotonic() < self._next_look:
            return False
        try:
            self.keep()
        except AlreadyRunning:
            return True
        return False

    def take(self, dirty: DirtySet, longest_wait: float) -> Dirt:
        """As the dirty set's own, with looks at the lock: to wait is no pass, and costs nothing else."""
        until = self._clock.monotonic() + longest_wait
        while True:
            left = until - self._clock.monotonic()
            dirt = dirty.take(min(left, LOOK_SECONDS))
            is_woken = self._clock.monotonic() < until - max(0.0, left - LOOK_SECONDS)
            self.keep()  # which takes its time where the lock file cannot be had
            if dirt.paths or dirt.everything or is_woken or left <= LOOK_SECONDS:
                return dirt

    def opened(self, open_ledger: Callable[[], Ledger]) -> Ledger:
        """Not where the lock is not at its place: whatever ledger is there then may be another's."""
        if self.hold is None:
            return open_ledger()
        self.keep()
        if not self.hold.is_kept():
            raise LedgerError("the lock beside the ledger is gone, and cannot be taken anew", _HINT)
        ledger = open_ledger()
        try:
            self.hold.keep_file()
        except AlreadyRunning:
            ledger.close()
            raise
        return ledger
