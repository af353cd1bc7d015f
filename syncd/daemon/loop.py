"""The loop: wait, look, commit, and now and then look at everything. One thread does all reading and writing.

Order of a start: caught up by the caller, then watching, then READY. Order of a stop: the look in hand is finished and
committed, then the watcher ends. A ledger that cannot be written is a pause, not an end: the files are the queue.

Here is only what comes after what. Passes are in `passes`, their times in `timers`, the ledger that is had or not in
`grip` and `pausing`, what is followed and by which rules in `aiming` and `reloading`, what is said in `telling`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from syncd.daemon.aiming import Aiming
from syncd.daemon.caring import care_if_due, leave_care, seconds_to_care
from syncd.daemon.conceding import end_of
from syncd.daemon.dirty import Crowd, Dirt, DirtySet
from syncd.daemon.figures import Figures
from syncd.daemon.following import Following
from syncd.daemon.grip import Grip
from syncd.daemon.keeping import Keeping
from syncd.daemon.log import Log
from syncd.daemon.notify import Signs
from syncd.daemon.passes import Passes
from syncd.daemon.pausing import Pausing
from syncd.daemon.recovering import recover
from syncd.daemon.reloading import Reloading
from syncd.daemon.self_watch import SelfWatch, end_process
from syncd.daemon.serving import serve
from syncd.daemon.shortage import shortage_of
from syncd.daemon.telling import Telling
from syncd.daemon.timers import Timers
from syncd.errors import AlreadyRunning, LedgerCorrupt, LedgerError, LedgerNewer

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.clock import Clock
    from syncd.daemon.caring import Care
    from syncd.daemon.door import Door
    from syncd.daemon.follow import Follower
    from syncd.daemon.index_follow import IndexFollower
    from syncd.daemon.notify import Notifier
    from syncd.daemon.orders import LoopOptions, Orders
    from syncd.daemon.recovering import PutRight
    from syncd.daemon.watch import Watcher
    from syncd.errors import SyncdError
    from syncd.ledger.database import Ledger
    from syncd.ledger.hold import Hold


class Loop:
    """Runs until `stop`. `on_beat` is called after completed passes, at most every `beat_seconds` when idle.

    `reread`: the configuration as it is now, for `reload`; it raises SyncdError where it makes no sense.
    """

    def __init__(
        self, open_ledger: Callable[[], Ledger], clock: Clock, orders: Orders, notifier: Notifier,
        *, reread: Callable[[], Orders] | None = None, door: Door | None = None, log: Log | None = None,
        care: Care | None = None, put_right: PutRight | None = None, hold: Hold | None = None,
    ) -> None:  # fmt: skip
        self.clock, self.care = clock, care
        self.log = log if log is not None else Log()
        self.dirty, self.figures = DirtySet(), Figures()
        self.is_stopping = False
        self.self_watch = SelfWatch(self._is_work_waiting, self._end_hanging, notifier)
        self._crowd, self._door = Crowd(), door
        self._feed_watchdog = Signs(notifier, clock, "WATCHDOG=1")
        self._timers = Timers(clock)
        self._lock = Keeping(hold, clock, self._on_renewed)
        self._grip = Grip(open_ledger, self._follow, self._lock, self.log)
        self._aiming = Aiming(orders, self.dirty, self._grip)
        self._telling = Telling(self.log, notifier, clock, self._timers, self.dirty, self._grip, self._aiming,
                                lambda: self.is_stopping)  # fmt: skip
        self._passes = Passes(clock, self._timers, self._grip, self._aiming, self._telling, self.figures, care, door)
        self._reloading = Reloading(reread, self._aiming, self._telling)
        mend = partial(recover, put_right, clock=clock, log=self.log, notifier=notifier)
        self._pausing = Pausing(clock, self._grip, self._lock, self.dirty, door, self._telling, self.self_watch,
                                mend=mend, is_asked=self._is_asked)  # fmt: skip

    # What others see

    @property
    def options(self) -> LoopOptions:
        return self._aiming.options

    @property
    def state_dirs(self) -> tuple[str, ...]:
        return self._aiming.state_dirs

    @property
    def awaited(self) -> tuple[str, ...]:
        return self._aiming.awaited

    @property
    def watcher(self) -> Watcher:
        return self._aiming.watcher

    @property
    def following(self) -> Following | None:
        return self._grip.following

    @property
    def followers(self) -> list[Follower]:
        return self._grip.followers

    @property
    def indexes(self) -> list[IndexFollower]:
        return self._grip.indexes

    @property
    def troubles(self) -> dict[str, dict[str, str]]:
        return self._telling.troubles

    # What others ask for

    def beat_at_once(self) -> None:
        """After the pass in hand: something is to be told that nobody should wait for."""
        self._telling.beat_at_once()

    def stop(self) -> None:
        """From a signal handler or another thread: end after the look in hand."""
        self.is_stopping = True
        self.dirty.wake()

    def reload(self) -> None:
        """From a signal handler or another thread: read the configuration again at the next border."""
        self._reloading.is_wanted = True
        self.dirty.wake()

    def turn(self, longest_wait: float) -> None:
        """One pass, for one who does something else in between."""
        self._pass(self.dirty.take(min(longest_wait, self._passes.seconds_to_next())))
        self._telling.beat()

    def run(self, on_beat: Callable[[Loop], None] = lambda _: None) -> None:
        """Watch and follow. Returns when stopped; raises what cannot be borne: a ledger damaged, newer or another's."""
        self._telling.on_beat = partial(on_beat, self)
        if self._door is not None:
            self._door.on_visit = self.dirty.wake
        self.self_watch.start()
        try:
            self._aiming.aim()
            while not self.is_stopping:
                self._live()
                self._telling.beat()
            if self.following is not None:
                self._telling.beat()
                leave_care(self)
        except AlreadyRunning as owner:
            raise self._end_by(self._grip.concede(owner)) from owner
        finally:
            self._end()

    def _end_by(self, conceded: AlreadyRunning) -> SyncdError:
        hold = self._lock.hold
        if self._door is not None:
            self._door.close()  # nobody is to wait here meanwhile for what is not done any more
        return end_of(conceded, hold.ledger_path, self.clock, self._is_asked_to_end) if hold is not None else conceded

    def _end(self) -> None:
        """Also when there is no patience left for the watcher, the ledger is let go of."""
        try:
            self._telling.stopping()
            self.self_watch.stop()
            self.watcher.stop()
            if self.care is not None:
                self.care.stop()
        finally:
            self._grip.let_go_at_last()

    # Life, with a ledger or without

    def _live(self) -> None:
        try:
            self._reloading.reload_if_wanted()
            if self.following is None:
                self._begin()
            else:
                self._go_on(self.following)
                self._pausing.went_well()
        except LedgerNewer:
            raise
        except LedgerCorrupt as damage:
            self._pausing.recover(damage)
        except LedgerError as error:
            self._pausing.pause(error)
        except OSError as error:
            self._pausing.pause(shortage_of(error))

    def _begin(self) -> None:
        """Take the ledger up, follow what is there, and look at everything."""
        following = self._grip.take_up()
        following.adopt(self.state_dirs)
        following.find_stale()
        self._passes.first()
        if self.care is not None:
            self.care.begin(following.ledger, self.troubles, self.dirty.wake)
        self._telling.taken_up(self._pausing.failures)
        self._telling.tell()
        self._telling.tell_changes()
        if following.stale:
            self.log.say("deriving", transcripts=len(following.stale), hint="another version made their rows")

    def _follow(self, ledger: Ledger) -> Following:
        return Following(ledger, self.clock, self.options, self.figures, self._is_to_stop, self._lock.hold,
                         self.self_watch.long_act)  # fmt: skip

    def _go_on(self, following: Following) -> None:
        """Wait and look, then one thing of all that is not following."""
        dirt = self._lock.take(self.dirty, min(self._passes.seconds_to_next(), seconds_to_care(self)))
        if (wait := self._crowd.seconds_to_wait(dirt.paths, self.clock.monotonic())) > 0:
            self.clock.sleep(wait)
            dirt = dirt.with_more(self.dirty.take(0.0))
        self._pass(dirt)
        visitor = self._door.next_visitor() if self._door is not None else None
        if visitor is not None:
            with self.self_watch.long_act():
                serve(self, visitor)
            following.find_stale()
            self.dirty.wake()  # another may wait
        elif following.stale:
            with self.self_watch.long_act():
                following.derive_next()
            if not following.stale:
                self.log.say("derived")
        elif not care_if_due(self):
            self._grip.let_go()

    def _pass(self, dirt: Dirt) -> None:
        self._lock.keep()
        self._passes.one(dirt)
        self.self_watch.sign()

    # Asked and told by others

    def _is_asked(self) -> bool:
        return self.is_stopping or self._reloading.is_wanted

    def _is_to_stop(self) -> bool:
        """Asked between any two files: a pass over thousands of new ones is long, but no hang."""
        return self._is_asked_to_end() or self._lock.is_lost()  # then the next pass does not begin

    def _is_asked_to_end(self) -> bool:
        self.self_watch.sign()
        self._feed_watchdog()
        return self.is_stopping

    def _on_renewed(self) -> None:
        self.log.say("lock_renewed", hint="leave the files beside the ledger alone while syncd runs")
        if self._door is not None:
            self._door.renew()
        self._timers.check_at_once()
        self.beat_at_once()
        self.dirty.wake()

    def _is_work_waiting(self) -> bool:
        """On another thread. A look at everything that is overdue is work, too."""
        is_due = self._timers.is_rescan_due(self.clock.monotonic())
        return is_due or self.dirty.has_any or (self._door is not None and self._door.has_waiting)

    def _end_hanging(self, seconds: float) -> None:
        self.log.say("stalled", seconds=seconds, hint="ends, so that the service manager starts it again")
        end_process()
