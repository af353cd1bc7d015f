"""What the loop follows and how it hears of it: the orders, the state dirs they name, the watcher over these.

A state dir may come, go, or be another one by OpenClaw's rules; events may not come at all. Looking at files is not
done here, nor is it told here what changed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.daemon.watch import Watcher

if TYPE_CHECKING:
    from syncd.daemon.dirty import DirtySet
    from syncd.daemon.grip import Grip
    from syncd.daemon.orders import Orders

MAX_DEAF_RESCANS = 3


class Aiming:
    def __init__(self, orders: Orders, dirty: DirtySet, grip: Grip) -> None:
        self.options = orders.options
        self.watcher = Watcher(dirty, ())
        self.state_dirs: tuple[str, ...] = ()
        """Those that are meant, there or not."""
        self._find_state_dirs = orders.find_state_dirs
        self._dirty, self._grip = dirty, grip
        self._deaf_rescans = 0

    @property
    def awaited(self) -> tuple[str, ...]:
        """State dirs that were named and are not there yet; they are followed once they are."""
        followed = {follower.state_dir for follower in self._grip.followers}
        return tuple(path for path in self.state_dirs if path not in followed)

    def aim(self) -> None:
        """Watch what the orders name. The observer of before, if there was one, ends."""
        self.state_dirs = self._find_state_dirs()
        self.watcher.stop()
        self.watcher = Watcher(self._dirty, self.state_dirs)
        if self.options.mode != "poll":
            self.watcher.start()

    def take_over(self, orders: Orders) -> None:
        is_other_mode = orders.options.mode != self.options.mode
        self.options, self._find_state_dirs = orders.options, orders.find_state_dirs
        if is_other_mode or self._find_state_dirs() != self.state_dirs:
            self.aim()
        self._grip.let_go()  # all is committed here: begin anew, by the new rules

    def adopt(self) -> bool:
        """A state dir that was not there may have come. True: one did, and everything is to be looked at."""
        is_any_there = any(os.path.isdir(follower.state_dir) for follower in self._grip.followers)
        is_one_moved = any(map(os.path.islink, self.state_dirs))  # they are real paths: OpenClaw leaves a link
        if (is_one_moved or not is_any_there) and self._find_state_dirs() != self.state_dirs:
            self.aim()  # OpenClaw's rules choose among several names by what is there
        if not self._grip.hands.adopt(self.state_dirs):
            return False
        self._dirty.add_everything()
        return True

    def check_watcher(self) -> None:
        if self.options.mode != "poll":
            self.watcher.check(path for follower in self._grip.followers for path in follower.directories)

    def note_rescan(self, *, found_missed: bool) -> None:
        """After a look at everything that events should have left nothing for: too often is deafness."""
        self._deaf_rescans = self._deaf_rescans + 1 if found_missed else 0
        if self._deaf_rescans >= MAX_DEAF_RESCANS:
            self._deaf_rescans = 0
            self.watcher.give_up(f"events were missed in {MAX_DEAF_RESCANS} rescans in a row")
