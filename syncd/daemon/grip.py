"""The loop's grip on its ledger: taken up, let go of, or lost. What it does with it is `following`'s.

One that is gone from its place is nowhere but in what is open: it is held on to until it is back, and before that no
other begins. Not the lock beside the ledger (`keeping`), nor how long to wait for a ledger (`pausing`).
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from syncd.errors import AlreadyRunning, LedgerError, LedgerGone

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.daemon.follow import Follower
    from syncd.daemon.following import Following
    from syncd.daemon.index_follow import IndexFollower
    from syncd.daemon.keeping import Keeping
    from syncd.daemon.log import Log
    from syncd.ledger.database import Ledger


class Grip:
    """`follow` makes the hands for a ledger that was opened."""

    def __init__(
        self, open_ledger: Callable[[], Ledger], follow: Callable[[Ledger], Following], lock: Keeping, log: Log
    ) -> None:
        self._open_ledger, self._follow, self._lock, self._log = open_ledger, follow, lock, log
        self.following: Following | None = None
        self._last: tuple[list[Follower], list[IndexFollower]] = ([], [])
        self._gone: Following | None = None
        self._kept_as: Path | None = None
        self._lost_by: LedgerError | None = None

    @property
    def hands(self) -> Following:
        assert self.following is not None  # without a ledger there is a pause, and no pass
        return self.following

    @property
    def followers(self) -> list[Follower]:
        """In a pause those of before: what they found wrong is still so."""
        return self._last[0]

    @property
    def indexes(self) -> list[IndexFollower]:
        return self._last[1]

    def take_up(self) -> Following:
        """LedgerGone: the former one is not back yet."""
        if (gone := self._gone) is not None:
            gone.drop(self._log)
            self._gone = None
            self._note_end_of(gone)
        ledger = self._lock.opened(self._open_ledger)
        try:
            following = self.following = self._follow(ledger)
        except BaseException:  # damaged, perhaps: whoever puts it right moves its file
            with suppress(LedgerError):
                ledger.close()
            raise
        self._last = (following.followers, following.indexes)
        return following

    def let_go(self) -> Path | None:
        """What was not committed is read again from its cursors. One that is gone is held on to.

        Gives what has become of one that another took the place of.
        """
        if (following := self.following) is None:
            return None
        try:
            following.drop(self._log)
        except LedgerGone:
            self._gone = following
        self.following = None
        self._note_end_of(following)
        return following.kept_as

    def let_go_at_last(self) -> None:
        """The daemon ends, whatever becomes of a ledger that is gone."""
        self.let_go()
        if self._gone is not None:
            self._gone.drop_at_last(self._log)

    def concede(self, owner: AlreadyRunning) -> AlreadyRunning:
        """Nothing is written any more: neither to the other's ledger, nor over it. Gives what is to be said of it."""
        self.let_go()
        if (gone := self._gone) is not None:
            self._gone = None
            gone.drop_at_last(self._log)
            self._note_end_of(gone)
        also = f"; {self._lost_by}" if self._lost_by is not None else ""
        also += f"; the former ledger, which only it had open, is kept as {self._kept_as}" if self._kept_as else ""
        title = f"{owner.title}, which was removed under this one (pid {os.getpid()}): it ends{also}"
        return AlreadyRunning(title, owner.hint, pid=owner.pid)

    def _note_end_of(self, following: Following) -> None:
        self._kept_as, self._lost_by = following.kept_as or self._kept_as, following.lost_by or self._lost_by
