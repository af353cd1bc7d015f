"""The hands of the loop: an open ledger, its one writer, and a follower for each state dir that is there.

Dropped as a whole when the ledger cannot be used, and made anew from its cursors. Not the figures: they are the loop's.
"""

from __future__ import annotations

import os
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING

from syncd.allocator import give_back_freed_memory
from syncd.daemon.follow import Follower
from syncd.daemon.index_follow import IndexFollower
from syncd.errors import AlreadyRunning, LedgerError, LedgerGone, LedgerMoved
from syncd.ledger import transcripts
from syncd.ledger.derived import stale_transcripts
from syncd.ledger.projection import VERSION
from syncd.ledger.standing import keep_displaced, refuse_moved, standing
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import Home, add_problems
from syncd.mirror.companions import left_for_later
from syncd.mirror.freshness import merged
from syncd.mirror.mend import Mender
from syncd.mirror.rebuild import derive
from syncd.sources.opening import BUSY_POLL_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.daemon.figures import Figures
    from syncd.daemon.log import Log
    from syncd.daemon.orders import LoopOptions
    from syncd.ledger.database import Ledger
    from syncd.ledger.hold import Hold
    from syncd.mirror.catchup import CatchUp
    from syncd.mirror.companions import Wait
    from syncd.mirror.freshness import Freshness


class Following:
    def __init__(
        self, ledger: Ledger, clock: Clock, options: LoopOptions, figures: Figures, is_stopping: Callable[[], bool],
        hold: Hold | None = None, long_act: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:  # fmt: skip
        """`long_act`: around what can take minutes with a large ledger, and is no hang."""
        self.ledger = ledger
        self.writer = Writer(ledger, clock, puts_big_trees_off=True)
        self.followers: list[Follower] = []
        self.indexes: list[IndexFollower] = []
        self.stale: list[int] = []
        self._options = options
        self._figures = figures
        self._is_stopping = is_stopping
        self._standing = standing(ledger)
        self._hold, self._long_act = hold, long_act
        self._moved: LedgerMoved | None = None
        self.kept_as: Path | None = None
        """Once it is dropped: where it is, if another ledger has its place."""
        self.lost_by: LedgerError | None = None
        """Or why it is nowhere."""

    def refuse_moved_ledger(self) -> None:
        """LedgerMoved: what we write goes where nobody will look for it. AlreadyRunning: it is another's."""
        if self._moved is not None:
            raise self._moved
        try:
            if self._hold is not None:
                self._hold.keep()
            if standing(self.ledger) != self._standing:
                with self._long_act():
                    refuse_moved(self.ledger, self._standing, self._hold)
        except LedgerMoved as error:
            self._moved = error
            raise

    def adopt(self, state_dirs: Iterable[str]) -> list[str]:
        """Follow those of them that are there and not followed yet; which they are."""
        followed = {follower.state_dir for follower in self.followers}
        new = [path for path in state_dirs if path not in followed and os.path.isdir(path)]
        for path in new:
            follower = Follower(self.writer, path, self._options.catch_up, self._is_stopping, self._figures)
            self._leave(follower.files.installation_id)
            self.followers.append(follower)
            self.indexes.append(IndexFollower(self.writer, follower.files, self._options.index, self._figures))
        return new

    def _leave(self, installation_id: int) -> None:
        """It was moved: what followed it under its former path would take in all that is new a second time."""
        for place in reversed(range(len(self.followers))):
            if self.followers[place].files.installation_id == installation_id:
                del self.followers[place], self.indexes[place]

    # Looks

    def look(self, paths: frozenset[str]) -> None:
        """At these, and at what was put off and is due."""
        for follower, index in zip(self.followers, self.indexes, strict=True):
            if paths:
                follower.look_at(paths)
                index.look_if_named(paths)
            follower.look_at_due()
            index.look_if_due()

    def look_at_active(self) -> None:
        for follower in self.followers:
            follower.look_at_active()

    def look_at_everything(self, *, counts_missed: bool) -> None:
        for follower, index in zip(self.followers, self.indexes, strict=True):
            follower.look_at_everything(counts_missed=counts_missed)
            index.look()
            index.look_at_logs()
            index.look_at_trajectories()
        self.writer.place_due_trees()
        self.ledger.run("PRAGMA shrink_memory")  # the pages in its cache, which the system caches too
        give_back_freed_memory()

    def dues(self) -> list[float]:
        """Moments at which something that was put off is to be looked at again."""
        pairs = zip(self.followers, self.indexes, strict=True)
        moments = [due for follower, index in pairs for due in (follower.next_due_at(), index.next_due_at())]
        return [due for due in moments if due is not None]

    @property
    def has_active(self) -> bool:
        return any(follower.has_active for follower in self.followers)

    def freshness(self) -> Freshness:
        """What OpenClaw has and the ledger has not, in this moment."""
        found = [follower.freshness() for follower in self.followers]
        for each, follower, index in zip(found, self.followers, self.indexes, strict=True):
            index.add_waiting(each, follower.files)
        return merged(found, self.writer.clock.now_ms())

    # For acts between two looks

    def homes(self) -> list[Home]:
        """For a catch-up between two looks: it shares what is known of the files, and reads the indexes as we do."""
        pairs = zip(self.followers, self.indexes, strict=True)
        return [
            Home(one.state_dir, one.files, partial(_read_indexes, index), index.compare_trajectories)
            for one, index in pairs
        ]

    def derive_next(self) -> None:
        """One transcript whose rows a rebuild, of which nobody waits for the end, left undone."""
        transcript = transcripts.load(self.ledger, self.stale.pop())
        if transcript.projection != VERSION:
            mender = Mender.of(self.ledger, self.writer.clock, [one.state_dir for one in self.followers])
            derive(self.ledger, transcript, self._options.catch_up.max_line_bytes, mender)
            self.writer.renumber()

    def find_stale(self) -> None:
        self.stale = stale_transcripts(self.ledger, VERSION)

    # The end

    def drop(self, log: Log) -> None:
        """Let go of the ledger in whatever state it is; what was not committed is still in the files.

        LedgerGone: it is not let go of. Nothing else has what is in it; to be called again.
        """
        with suppress(LedgerError):
            self.writer.close()
        is_displaced = False
        try:
            self.refuse_moved_ledger()  # the last moment in which a ledger that is gone can be put back
        except LedgerGone:
            raise
        except LedgerMoved as error:
            is_displaced = error.is_another
        except AlreadyRunning:
            is_displaced = standing(self.ledger)[0] != self._standing[0]
        except LedgerError:
            pass  # it is damaged, or its disk is
        if is_displaced and (self._hold is None or self._hold.has_deleted(self._standing[0])):
            self._keep_displaced(log)
        with suppress(LedgerError):
            self.ledger.close()

    def _keep_displaced(self, log: Log) -> None:
        """Another ledger has its place: nobody would ever find this one again."""
        try:
            with self._long_act():
                self.kept_as = keep_displaced(self.ledger, self.writer.clock.now_ms())
        except LedgerError as error:
            self.lost_by = error
            log.say("ledger_lost", reason=str(error))
            return
        hint = "`syncd ledger restore FILE` puts it back, where it is the better one"
        log.say("ledger_displaced", kept_as=self.kept_as, hint=hint)

    def drop_at_last(self, log: Log) -> None:
        """The daemon ends, whatever becomes of a ledger that is gone."""
        try:
            self.drop(log)
        except LedgerGone as error:
            self.lost_by = error
            log.say("ledger_lost", reason=str(error))
            with suppress(LedgerError):
                self.ledger.close()


def _read_indexes(index: IndexFollower, result: CatchUp, wait: Wait) -> None:
    """What is busy for longer than the one who asked may wait is looked at again when it is due, and told of."""
    result.sessions = index.look()
    while (busy := index.busy()) and wait(BUSY_POLL_SECONDS):
        result.sessions += index.look_again_at(busy)
    index.look_at_logs()
    while index.busy_log is not None and wait(BUSY_POLL_SECONDS):
        index.look_at_logs()
    result.degraded = list(index.degraded)
    add_problems(result, map(left_for_later, busy))
    add_problems(result, [index.busy_log] if index.busy_log is not None else [])
