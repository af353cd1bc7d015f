"""The loop: wait, look, commit, and now and then look at everything. One thread does all reading and writing.

Order of a start: caught up by the caller, then watching, then READY. Order of a stop: the look in hand is finished and
committed, then the watcher ends. A ledger that cannot be written is a pause, not an end: the files are the queue.
Timers run on monotonic time: the wall clock may step.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from syncd.allocator import give_back_freed_memory
from syncd.daemon.caring import care_if_due, leave_care, seconds_to_care
from syncd.daemon.dirty import Crowd, Dirt, DirtySet
from syncd.daemon.figures import Figures
from syncd.daemon.following import Following
from syncd.daemon.keeping import Keeping
from syncd.daemon.log import Log
from syncd.daemon.messages import message_of_error
from syncd.daemon.notify import Signs
from syncd.daemon.put_off import wait_after
from syncd.daemon.recovering import recover
from syncd.daemon.self_watch import SelfWatch, end_process
from syncd.daemon.serving import serve
from syncd.daemon.shortage import shortage_of
from syncd.daemon.watch import Watcher
from syncd.errors import AlreadyRunning, LedgerCorrupt, LedgerError, LedgerGone, LedgerNewer, SyncdError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.daemon.caring import Care
    from syncd.daemon.door import Door
    from syncd.daemon.follow import Follower
    from syncd.daemon.index_follow import IndexFollower
    from syncd.daemon.notify import Notifier
    from syncd.daemon.orders import Orders
    from syncd.daemon.recovering import PutRight
    from syncd.ledger.database import Ledger
    from syncd.ledger.hold import Hold

ACTIVE_LOOK_SECONDS = 0.25
WATCH_CHECK_SECONDS = 5.0
POLL_SECONDS = 2.0
SOON_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 5.0
MAX_DEAF_RESCANS = 3
MAX_TOLD = 20
RETRY_SECONDS = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Loop:
    """Runs until `stop`. `on_beat` is called after completed passes, at most every `beat_seconds` when idle.

    `reread`: the configuration as it is now, for `reload`; it raises SyncdError where it makes no sense.
    """

    def __init__(
        self, open_ledger: Callable[[], Ledger], clock: Clock, orders: Orders, notifier: Notifier,
        *, reread: Callable[[], Orders] | None = None, door: Door | None = None, log: Log | None = None,
        care: Care | None = None, put_right: PutRight | None = None, hold: Hold | None = None,
    ) -> None:  # fmt: skip
        self.clock = clock
        self.log = log if log is not None else Log()
        self.dirty = DirtySet()
        self._crowd = Crowd()
        self.figures = Figures()
        self.following: Following | None = None
        self._gone: Following | None = None  # its ledger is nowhere but in what it has open
        self.troubles: dict[str, dict[str, str]] = {}
        """What is wrong with us, by its code: `status` shows it."""
        self.is_stopping = False
        self.options = orders.options
        self.watcher = Watcher(self.dirty, ())
        self._open_ledger = open_ledger
        self._find_state_dirs = orders.find_state_dirs
        self._reread = reread
        self._door = door
        self.care = care
        self._put_right = put_right
        self._lock = Keeping(hold, clock, self._on_renewed)
        self._kept_as: Path | None = None
        self._lost_by: LedgerError | None = None
        self.self_watch = SelfWatch(self._is_work_waiting, self._end_hanging, notifier)
        self._notifier = notifier
        self._feed_watchdog = Signs(notifier, clock, "WATCHDOG=1")
        self._state_dirs: tuple[str, ...] = ()
        self._is_reload_wanted = self._is_ready = False
        self._failures = self._deaf_rescans = 0
        self._told_mode: tuple[str, str | None] | None = None
        self._told_problems, self._told_overflows = set[str](), 0
        self._beaten_problems: dict[str, str] = {}
        self._last: tuple[list[Follower], list[IndexFollower]] = ([], [])
        self._on_beat: Callable[[Loop], None] = lambda _: None
        self._next_rescan = self._next_check = self._next_active = self._next_beat = self._beaten_at = clock.monotonic()

    @property
    def state_dirs(self) -> tuple[str, ...]:
        """Those that are meant, there or not."""
        return self._state_dirs

    @property
    def followers(self) -> list[Follower]:
        return self._last[0]

    @property
    def indexes(self) -> list[IndexFollower]:
        return self._last[1]

    def beat_at_once(self) -> None:
        """After the pass in hand: something is to be told that nobody should wait for."""
        self._next_beat = self.clock.monotonic()

    def stop(self) -> None:
        """From a signal handler or another thread: end after the look in hand."""
        self.is_stopping = True
        self.dirty.wake()

    def reload(self) -> None:
        """From a signal handler or another thread: read the configuration again at the next border."""
        self._is_reload_wanted = True
        self.dirty.wake()

    def run(self, on_beat: Callable[[Loop], None] = lambda _: None) -> None:
        """Watch and follow. Returns when stopped; raises what cannot be borne: a ledger damaged, newer or another's."""
        self._on_beat = on_beat
        if self._door is not None:
            self._door.on_visit = self.dirty.wake
        self.self_watch.start()
        try:
            self._aim()
            while not self.is_stopping:
                self._live()
                self._beat()
            if self.following is not None:
                self._beat()
                leave_care(self)
        except AlreadyRunning as owner:
            self._concede(owner)
        finally:
            self._end()

    def _end(self) -> None:
        """Also when there is no patience left for the watcher, the ledger is let go of."""
        try:
            self.log.say("stopping")
            self._notifier.send("STOPPING=1")
            self.self_watch.stop()
            self.watcher.stop()
            if self.care is not None:
                self.care.stop()
        finally:
            self._let_go()
            if self._gone is not None:
                self._gone.drop_at_last(self.log)

    def _is_to_stop(self) -> bool:
        """Asked between any two files: a pass over thousands of new ones is long, but no hang."""
        self.self_watch.sign()
        self._feed_watchdog()
        return self.is_stopping or self._lock.is_lost()  # then the next pass does not begin

    def _is_work_waiting(self) -> bool:
        """On another thread. A look at everything that is overdue is work, too."""
        is_due = self.clock.monotonic() >= self._next_rescan
        return is_due or self.dirty.has_any or (self._door is not None and self._door.has_waiting)

    def _end_hanging(self, seconds: float) -> None:
        self.log.say("stalled", seconds=seconds, hint="ends, so that the service manager starts it again")
        end_process()

    def turn(self, longest_wait: float) -> None:
        """One pass, for one who does something else in between."""
        self._pass(self.dirty.take(min(longest_wait, self._seconds_to_wait())))
        self._beat()

    # A ledger that can be used, or not

    def _live(self) -> None:
        try:
            if self._is_reload_wanted:
                self._reload()
            if self.following is None:
                self._begin()
            else:
                dirt = self._lock.take(self.dirty, min(self._seconds_to_wait(), seconds_to_care(self)))
                if (wait := self._crowd.seconds_to_wait(dirt.paths, self.clock.monotonic())) > 0:
                    self.clock.sleep(wait)
                    dirt = dirt.with_more(self.dirty.take(0.0))
                self._pass(dirt)
                visitor = self._door.next_visitor() if self._door is not None else None
                if visitor is not None:
                    with self.self_watch.long_act():
                        serve(self, visitor)
                    self.following.find_stale()
                    self.dirty.wake()  # another may wait
                elif self.following.stale:
                    with self.self_watch.long_act():
                        self.following.derive_next()
                elif not care_if_due(self):
                    self._let_go()
                self._failures = 0
        except LedgerNewer:
            raise
        except LedgerCorrupt as damage:
            self._recover(damage)
        except LedgerError as error:
            self._pause(error)
        except OSError as error:
            self._pause(shortage_of(error))

    def _begin(self) -> None:
        """Take the ledger up, follow what is there, and look at everything."""
        if self._gone is not None:
            self._gone.drop(self.log)  # LedgerGone: before it is back, no other may begin in its place
            self._gone = None
        ledger = self._lock.opened(self._open_ledger)
        self.following = Following(ledger, self.clock, self.options, self.figures, self._is_to_stop, self._lock.hold,
                                   self.self_watch.long_act)  # fmt: skip
        self._last = (self.following.followers, self.following.indexes)
        self.following.adopt(self._state_dirs)
        self.following.find_stale()
        self._look_at_everything(counts_missed=False)
        self._check_watcher()  # now it is known what lies outside the trees
        if self.care is not None:
            self.care.begin(ledger, self.troubles, self.dirty.wake)
        if self._failures:
            self.log.say("resumed", attempts=self._failures)
            self.beat_at_once()
        self.troubles.pop("ledger", None)
        self._tell()
        self._tell_changes()

    def _recover(self, damage: LedgerCorrupt) -> None:
        """What the files have is read again from the cursors of the ledger that takes the damaged one's place."""
        self._let_go()
        self._lock.keep()
        self.troubles["ledger"] = {
            "code": damage.type, "path": "", "reason": f"damaged, and being put right: {damage}", "hint": damage.hint,
        }  # fmt: skip
        self.beat_at_once()
        self._beat()
        try:
            with self.self_watch.long_act():
                recover(self._put_right, damage, self.clock, self.log, self._notifier)
        except LedgerCorrupt:
            raise
        except LedgerError as error:
            self._pause(error)
        self.beat_at_once()

    def _pause(self, error: SyncdError) -> None:
        """Nothing is lost: what was not committed is read again, from the ledger's cursors, once it can be written."""
        kept = self._let_go()
        seconds = wait_after(self._failures, RETRY_SECONDS)
        self._failures += 1
        reason = f"{error}; the former one is kept as {kept}" if kept is not None else str(error)
        self.troubles["ledger"] = {
            "code": error.type, "path": "", "reason": f"paused: {reason}", "hint": error.hint,
        }  # fmt: skip
        self.log.say("paused", reason=reason, type=error.type, attempt=self._failures, retry_seconds=seconds)
        self._notifier.send(f"STATUS=paused: {str(error)[:200]}")
        self.beat_at_once()
        self._beat()
        until = self.clock.monotonic() + seconds
        while not self.is_stopping and not self._is_reload_wanted and (left := until - self.clock.monotonic()) > 0:
            self._lock.take(self.dirty, min(left, LONGEST_WAIT_SECONDS))
            self._refuse_visitors(error)
            self.self_watch.sign()

    def _let_go(self) -> Path | None:
        """Of the ledger; what was not committed is read again from its cursors. One that is gone is held on to.

        Gives what has become of one that another took the place of.
        """
        if (following := self.following) is None:
            return None
        try:
            following.drop(self.log)
        except LedgerGone:
            self._gone = following
        self.following = None
        self._note_end_of(following)
        return following.kept_as

    def _note_end_of(self, following: Following) -> None:
        self._kept_as, self._lost_by = following.kept_as or self._kept_as, following.lost_by or self._lost_by

    def _on_renewed(self) -> None:
        self.log.say("lock_renewed", hint="leave the files beside the ledger alone while syncd runs")
        if self._door is not None:
            self._door.renew()
        self._next_check = self.clock.monotonic()
        self.beat_at_once()
        self.dirty.wake()

    def _concede(self, owner: AlreadyRunning) -> None:
        """Nothing is written any more: neither to the other's ledger, nor over it."""
        self._let_go()
        if (gone := self._gone) is not None:
            self._gone = None
            gone.drop_at_last(self.log)
            self._note_end_of(gone)
        also = f"; {self._lost_by}" if self._lost_by is not None else ""
        also += f"; the former ledger, which only it had open, is kept as {self._kept_as}" if self._kept_as else ""
        title = f"{owner.title}, which was removed under this one (pid {os.getpid()}): it ends{also}"
        raise AlreadyRunning(title, owner.hint, pid=owner.pid) from owner

    def _refuse_visitors(self, error: SyncdError) -> None:
        while self._door is not None and (visitor := self._door.next_visitor()) is not None:
            visitor.say(message_of_error(error))

    # What to follow, and how

    def _aim(self) -> None:
        """Watch what the orders name. The observer of before, if there was one, ends."""
        self._state_dirs = self._find_state_dirs()
        self.watcher.stop()
        self.watcher = Watcher(self.dirty, self._state_dirs)
        if self.options.mode != "poll":
            self.watcher.start()

    def _reload(self) -> None:
        """As Type=notify-reload asks: RELOADING with the time, READY when it is done, also when nothing came of it."""
        self._is_reload_wanted = False
        if self._reread is None:
            return
        self._notifier.send("RELOADING=1", f"MONOTONIC_USEC={int(self.clock.monotonic() * 1e6)}")
        try:
            orders = self._reread()
        except SyncdError as error:
            self._config_trouble(f"the configuration was not taken over: {error}", error.hint)
        else:
            self.troubles.pop("config", None)
            if orders.refused is not None:
                self._config_trouble(orders.refused, "restart syncd for that")
            self._take_over(orders)
            self.log.say("reloaded", state_dirs=list(self._state_dirs))
        self.beat_at_once()
        self._is_ready = False
        if self.following is not None:
            self._tell()
        else:  # whom we follow is told once they are, which is next
            self._notifier.send("READY=1", "STATUS=reloaded")

    def _config_trouble(self, reason: str, hint: str) -> None:
        self.troubles["config"] = {"code": "config", "path": "", "reason": reason, "hint": hint}
        self.log.say("config_refused", reason=reason)

    def _take_over(self, orders: Orders) -> None:
        is_other_mode = orders.options.mode != self.options.mode
        self.options, self._find_state_dirs = orders.options, orders.find_state_dirs
        if is_other_mode or self._find_state_dirs() != self._state_dirs:
            self._aim()
        self._let_go()  # all is committed here: begin anew, by the new rules

    def _adopt(self) -> None:
        """A state dir that was not there may have come."""
        is_any_there = any(os.path.isdir(follower.state_dir) for follower in self.followers)
        is_one_moved = any(map(os.path.islink, self._state_dirs))  # they are real paths: OpenClaw leaves a link
        if (is_one_moved or not is_any_there) and self._find_state_dirs() != self._state_dirs:
            self._aim()  # OpenClaw's rules choose among several names by what is there
        if self._hands.adopt(self._state_dirs):
            self.dirty.add_everything()
            self._is_ready = False
            self._tell()

    def _tell(self) -> None:
        """READY, once, and what we do from now on."""
        followed = [follower.state_dir for follower in self.followers]
        absent = list(self.awaited)
        words = [f"following {', '.join(followed)}"] if followed else []
        words += [f"waiting for {', '.join(absent)}"] if absent else []
        fields = [] if self._is_ready else ["READY=1"]
        self._notifier.send(*fields, f"STATUS={'; '.join(words)}")
        if not self._is_ready and followed:
            self.log.say("following", state_dirs=followed)
        if not self._is_ready and absent:
            hint = "start OpenClaw once, or name its place with OPENCLAW_STATE_DIR; `make demo` needs none"
            self.log.say("waiting", state_dirs=absent, hint=hint)
        self._is_ready = True

    # Passes

    @property
    def _hands(self) -> Following:
        assert self.following is not None  # without a ledger there is a pause, and no pass
        return self.following

    def _pass(self, dirt: Dirt) -> None:
        self._lock.keep()
        now = self.clock.monotonic()
        if self.care is not None and now >= self._next_check and self.care.heed_clocks() > 0:
            dirt = dirt._replace(everything=True)
        if dirt.everything or now >= self._next_check:
            self._hands.refuse_moved_ledger()
            if self._door is not None:
                self._door.renew()
            self._adopt()
            self._check_watcher()
            self._tell_changes()
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
        self.self_watch.sign()

    def _check_watcher(self) -> None:
        self._next_check = self.clock.monotonic() + WATCH_CHECK_SECONDS
        if self.options.mode != "poll":
            self.watcher.check(path for follower in self.followers for path in follower.directories)

    @property
    def awaited(self) -> tuple[str, ...]:
        """State dirs that were named and are not there yet; they are followed once they are."""
        followed = {follower.state_dir for follower in self.followers}
        return tuple(path for path in self._state_dirs if path not in followed)

    def _look_at_everything(self, *, counts_missed: bool) -> None:
        usual = POLL_SECONDS if self.watcher.mode == "poll" else self.options.rescan_seconds
        # Jitter: several mirrors on one machine should not list all at the same moment.
        self._next_rescan = self.clock.monotonic() + usual * random.uniform(0.75, 1.25)  # noqa: S311 - no secret
        missed_before = self.figures.missed_events
        for follower, index in zip(self.followers, self.indexes, strict=True):
            follower.look_at_everything(counts_missed=counts_missed)
            index.look()
            index.look_at_logs()
            index.look_at_trajectories()
        self._hands.writer.place_due_trees()
        self._hands.ledger.run("PRAGMA shrink_memory")  # the pages in its cache, which the system caches too
        give_back_freed_memory()
        if counts_missed:
            self._deaf_rescans = self._deaf_rescans + 1 if self.figures.missed_events > missed_before else 0
        if self._deaf_rescans >= MAX_DEAF_RESCANS:
            self._deaf_rescans = 0
            self.watcher.give_up(f"events were missed in {MAX_DEAF_RESCANS} rescans in a row")

    def _tell_changes(self) -> None:
        told = (self.watcher.mode, self.watcher.reason)
        if told != self._told_mode:
            self._told_mode = told
            self.log.say("watching", mode=self.watcher.mode, reason=self.watcher.reason)
        if (bursts := self.dirty.overflows - self._told_overflows) > 0:
            self._told_overflows += bursts
            self.log.say("events_lost", bursts=bursts, hint="everything was looked at instead: nothing is lost")
        problems = self._problems()
        for path in [path for path in problems if path not in self._told_problems][:MAX_TOLD]:
            self.log.say("unreadable", path=path, reason=problems[path])
        self._told_problems = set(problems)

    def _problems(self) -> dict[str, str]:
        problems = {path: item.reason for follower in self.followers for path, item in follower.problems.items()}
        return problems | {item.path: item.reason for index in self.indexes for item in index.degraded}

    def _beat(self) -> None:
        """Fed by completed passes only: a loop that hangs sends none. What became wrong, or right, is told soon."""
        now, problems = self.clock.monotonic(), self._problems()
        if problems != self._beaten_problems:
            self._next_beat = min(self._next_beat, self._beaten_at + SOON_SECONDS)
        if now >= self._next_beat or self.is_stopping:
            self._next_beat = now + self.options.beat_seconds
            self._beaten_at, self._beaten_problems = now, problems
            self._notifier.send("WATCHDOG=1")
            try:
                self._on_beat(self)
            except OSError as error:
                shortage_of(error)  # then `status` sees an old beat, which is the truth

    def _seconds_to_wait(self) -> float:
        now = self.clock.monotonic()
        if self.following is not None and self.following.stale:
            return 0.0
        moments = [self._next_rescan, self._next_beat, now + LONGEST_WAIT_SECONDS]
        for follower, index in zip(self.followers, self.indexes, strict=True):
            moments += [due for due in (follower.next_due_at(), index.next_due_at()) if due is not None]
            if follower.has_active:
                moments.append(self._next_active)
        return max(0.0, min(moments) - now)
