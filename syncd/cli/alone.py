"""The ledger for a verb that has it to itself: locked, open for writing, kept in its place, with the one writer."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from syncd.cli.catching_up import CheckedPace
from syncd.cli.signals import raised_at_borders
from syncd.clock import SystemClock
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.standing import kept_in_place
from syncd.mirror.catchup import lone_writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.cli.app import App
    from syncd.ledger.writer import Writer


@contextmanager
def lone_hands(app: App) -> Iterator[tuple[Writer, CheckedPace]]:
    """AlreadyRunning: another has it, who may be the daemon, and can be asked then."""
    clock = SystemClock()
    with (
        raised_at_borders() as check,
        writer_lock(app.ledger_path) as hold,
        open_for_writing(hold.ledger_path) as ledger,
        kept_in_place(ledger, hold, clock),
        lone_writer(ledger, clock) as writer,
    ):
        yield writer, CheckedPace(clock, check, hold)
