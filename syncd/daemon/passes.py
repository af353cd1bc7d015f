"""One pass of the loop: is all around us as it was, then the looks that are due, in their order.

A pass neither waits nor lets go of the ledger: what goes wrong is raised. What a look is, `following` knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from syncd.clock import Clock
    from syncd.daemon.aiming import Aiming
    from syncd.daemon.caring import Care
    from syncd.daemon.dirty import Dirt
    from syncd.daemon.door import Door
    from syncd.daemon.figures import Figures
    from syncd.daemon.grip import Grip
    from syncd.daemon.telling import Telling
    from syncd.daemon.timers import Timers


class Passes:
    def __init__(
        self, clock: Clock, timers: Timers, grip: Grip, aiming: Aiming, telling: Telling, figures: Figures,
        care: Care | None, door: Door | None,
    ) -> None:  # fmt: skip
        self._clock, self._timers, self._grip, self._aiming, self._telling = clock, timers, grip, aiming, telling
        self._figures, self._care, self._door = figures, care, door

    def first(self) -> None:
        """With a ledger that was just taken up."""
        self._look_at_everything(counts_missed=False)
        self._check_watcher()  # now it is known what lies outside the trees

    def one(self, dirt: Dirt) -> None:
        now, following = self._clock.monotonic(), self._grip.hands
        is_check_due = self._timers.is_check_due(now)
        if self._care is not None and is_check_due and self._care.heed_clocks() > 0:
            dirt = dirt._replace(everything=True)
        if dirt.everything or is_check_due:
            self._check()
        if dirt.everything or self._timers.is_rescan_due(now):
            self._look_at_everything(counts_missed=not dirt.everything and self._aiming.watcher.mode == "events")
        following.look(dirt.paths)
        if self._timers.is_active_look_due(now):
            self._timers.active_look_begins(now)
            following.look_at_active()

    def seconds_to_next(self) -> float:
        following = self._grip.hands
        if following.stale:
            return 0.0
        return self._timers.seconds_to_wait(following.dues(), has_active=following.has_active)

    def _check(self) -> None:
        self._grip.hands.refuse_moved_ledger()
        if self._door is not None:
            self._door.renew()
        if self._aiming.adopt():
            self._telling.tell_anew()
        self._check_watcher()
        self._telling.tell_changes()

    def _check_watcher(self) -> None:
        self._timers.check_begins()
        self._aiming.check_watcher()

    def _look_at_everything(self, *, counts_missed: bool) -> None:
        is_polling = self._aiming.watcher.mode == "poll"
        self._timers.rescan_begins(self._aiming.options.rescan_seconds, is_polling=is_polling)
        missed_before = self._figures.missed_events
        self._grip.hands.look_at_everything(counts_missed=counts_missed)
        if counts_missed:
            self._aiming.note_rescan(found_missed=self._figures.missed_events > missed_before)
