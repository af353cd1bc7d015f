"""The scheduled jobs, as the loop sees them. What they are and when they are due is no concern of the daemon's."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from syncd.daemon.serving import SharedPace
from syncd.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.daemon.loop import Loop
    from syncd.ledger.database import Ledger
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import CatchUpOptions, Home, Pace


class Care(Protocol):
    """Called on the loop's thread only."""

    def begin(self, ledger: Ledger, troubles: dict[str, dict[str, str]], wake: Callable[[], None]) -> None:
        """The ledger was opened. What goes wrong is put into `troubles`; `wake`, on any thread, when a job is due."""
        ...

    def due_at(self) -> float | None:
        """Monotonic time of the next step; None: `wake` tells."""
        ...

    def take_step(
        self, ledger: Ledger, writer: Writer, homes: tuple[Home, ...], pace: Pace, options: CatchUpOptions
    ) -> bool:
        """False: ledger and writer may be in any state now."""
        ...

    def heed_clocks(self) -> float:
        """Seconds for which the machine slept since the last call."""
        ...

    def is_wanted(self, name: str) -> bool:
        """Is this job to run at all?"""
        ...

    def next_runs(self) -> dict[str, int]: ...

    def leave(self, ledger: Ledger) -> None:
        """The daemon ends in good order: what is between two steps goes on after the next start."""
        ...

    def stop(self) -> None:
        """However it ends: no thread stays."""
        ...


def seconds_to_care(loop: Loop) -> float:
    due = loop.care.due_at() if loop.care is not None else None
    return max(0.0, due - loop.clock.monotonic()) if due is not None else math.inf


def care_if_due(loop: Loop) -> bool:
    """A step of a job, if it is time. False: the loop must take its ledger up anew."""
    care, following = loop.care, loop.following
    if care is None or following is None or seconds_to_care(loop) > 0:
        return True
    hands = (following.ledger, following.writer, tuple(following.homes()))
    was_scheduled = bool(care.next_runs())
    with loop.self_watch.long_act():
        is_sound = care.take_step(*hands, SharedPace(loop), loop.options.catch_up)
    if not was_scheduled:
        loop.beat_at_once()  # now it is known when each job runs
    if is_sound:
        following.find_stale()
    return is_sound


def leave_care(loop: Loop) -> None:
    if loop.care is None or loop.following is None:
        return
    with suppress(LedgerError):  # then the next start finds it without an end
        loop.following.writer.flush()
        loop.care.leave(loop.following.ledger)
