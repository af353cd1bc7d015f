"""The loop: wait, look, commit, and now and then look at everything. One thread does all reading and writing.

Order of a start: caught up by the caller, then watching, then READY. Order of a stop: the look in hand is finished and
committed, then the watcher ends. Timers run on monotonic time: the wall clock may step.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.allocator import give_back_freed_memory
from syncd.daemon.dirty import Dirt, DirtySet
from syncd.daemon.follow import Follower
from syncd.daemon.index_follow import IndexFollower
from syncd.daemon.watch import Watcher
from syncd.ledger.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.clock import Clock
    from syncd.daemon.notify import Notifier
    from syncd.ledger.database import Ledger
    from syncd.mirror.catchup import CatchUpOptions
    from syncd.mirror.index_look import IndexOptions

ACTIVE_LOOK_SECONDS = 0.25
WATCH_CHECK_SECONDS = 5.0
POLL_SECONDS = 2.0
BEAT_SECONDS = 10.0
LONGEST_WAIT_SECONDS = 5.0
MAX_DEAF_RESCANS = 3


@dataclass(frozen=True, slots=True)
class LoopOptions:
    catch_up: CatchUpOptions
    index: IndexOptions
    rescan_seconds: float = 60.0
    mode: str = "auto"
    """auto or events: events, with polling where there are none; poll: polling only."""
    beat_seconds: float = BEAT_SECONDS


class Loop:
    """Runs until `stop`. `on_beat` is called after completed passes, at most every `beat_seconds`."""

    def __init__(
        self, ledger: Ledger, clock: Clock, state_dirs: tuple[str, ...], options: LoopOptions, notifier: Notifier
    ) -> None:
        self.dirty = DirtySet()
        self.watcher = Watcher(self.dirty, state_dirs)
        self._clock = clock
        self._options = options
        self._notifier = notifier
        self._writer = Writer(ledger, clock)
        self._is_stopping = False
        self._deaf_rescans = 0
        self._awaited = list(state_dirs)
        self.followers: list[Follower] = []
        self.indexes: list[IndexFollower] = []
        self._follow_those_that_are_there()
        self._next_rescan = self._next_check = self._next_active = self._next_beat = clock.monotonic()

    def stop(self) -> None:
        """From a signal handler or another thread: end after the look in hand."""
        self._is_stopping = True
        self.dirty.wake()

    def run(self, on_beat: Callable[[Loop], None] = lambda _: None) -> None:
        """Watch and follow. Returns when stopped; raises what the ledger cannot bear."""
        try:
            if self._options.mode != "poll":
                self.watcher.start()
            self._writer.ledger.give_back_pages()
            self._look_at_everything(counts_missed=False)
            self._notifier.send("READY=1", f"STATUS=following {len(self.followers)} state directories")
            self._beat(on_beat)  # `status` asks for one from the first moment on
            while not self._is_stopping:
                self._pass(self.dirty.take(self._seconds_to_wait()))
                self._beat(on_beat)
        finally:
            self._notifier.send("STOPPING=1")
            self.watcher.stop()
            self._writer.close()

    def _pass(self, dirt: Dirt) -> None:
        now = self._clock.monotonic()
        if (dirt.everything or now >= self._next_check) and self._options.mode != "poll":
            self._next_check = now + WATCH_CHECK_SECONDS
            self.watcher.check(path for follower in self.followers for path in follower.directories)
        if dirt.everything or now >= self._next_rescan:
            self._look_at_everything(counts_missed=not dirt.everything and self.watcher.mode == "events")
        for follower, index in zip(self.followers, self.indexes, strict=True):
            if dirt.paths:
                follower.look_at(dirt.paths)
                index.look_if_named(dirt.paths)
            follower.look_at_due()
            index.look_if_due()
        if now >= self._next_active:
            self._next_active = now + ACTIVE_LOOK_SECONDS
            for follower in self.followers:
                follower.look_at_active()

    @property
    def awaited(self) -> tuple[str, ...]:
        """State dirs that were named and never yet seen; they are followed once they are there."""
        return tuple(self._awaited)

    def _follow_those_that_are_there(self) -> None:
        come = [path for path in self._awaited if os.path.isdir(path)]
        self._awaited = [path for path in self._awaited if path not in come]
        for state_dir in come:
            follower = Follower(self._writer, state_dir, self._options.catch_up, lambda: self._is_stopping)
            self.followers.append(follower)
            place = (self._writer, follower.installation_id, state_dir)
            self.indexes.append(IndexFollower(*place, self._options.index))

    def _look_at_everything(self, *, counts_missed: bool) -> None:
        self._follow_those_that_are_there()
        usual = POLL_SECONDS if self.watcher.mode == "poll" else self._options.rescan_seconds
        # Jitter: several mirrors on one machine should not list all at the same moment.
        self._next_rescan = self._clock.monotonic() + usual * random.uniform(0.75, 1.25)  # noqa: S311 - no secret
        missed_before = self._missed_events()
        for follower, index in zip(self.followers, self.indexes, strict=True):
            follower.look_at_everything(counts_missed=counts_missed)
            index.look()
            index.look_at_logs()
        give_back_freed_memory()
        if counts_missed:
            self._deaf_rescans = self._deaf_rescans + 1 if self._missed_events() > missed_before else 0
        if self._deaf_rescans >= MAX_DEAF_RESCANS:
            self._deaf_rescans = 0
            self.watcher.give_up(f"events were missed in {MAX_DEAF_RESCANS} rescans in a row")

    def _missed_events(self) -> int:
        return sum(follower.figures.missed_events for follower in self.followers)

    def _beat(self, on_beat: Callable[[Loop], None]) -> None:
        """Fed by completed passes only: a loop that hangs sends none."""
        now = self._clock.monotonic()
        if now >= self._next_beat or self._is_stopping:
            self._next_beat = now + self._options.beat_seconds
            self._notifier.send("WATCHDOG=1")
            on_beat(self)

    def _seconds_to_wait(self) -> float:
        now = self._clock.monotonic()
        moments = [self._next_rescan, self._next_beat, now + LONGEST_WAIT_SECONDS]
        for follower, index in zip(self.followers, self.indexes, strict=True):
            moments += [due for due in (follower.next_due_at(), index.next_due_at()) if due is not None]
            if follower.has_active:
                moments.append(self._next_active)
        return max(0.0, min(moments) - now)
