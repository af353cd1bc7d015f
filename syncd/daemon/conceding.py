"""Another syncd has this one's ledger by now: is it here to stay?

Where it is, this one ends with 75, and no service manager starts it again. Who only passes, as `run --once` does,
leaves nobody behind who mirrors: then it ends with 1, to be started again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.daemon.beat import read_beat
from syncd.errors import LedgerMoved
from syncd.ledger.lock import writer_pid

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.errors import AlreadyRunning, SyncdError

PASSING_SECONDS = 60.0
"""Who holds the ledger for longer is believed to stay. A daemon is known at once by its beat."""
_LOOK_SECONDS = 0.2


def end_of(conceded: AlreadyRunning, ledger_path: Path, clock: Clock, is_asked: Callable[[], bool]) -> SyncdError:
    """What a daemon ends with that has let go of everything. `is_asked`: to end now."""
    until = clock.monotonic() + PASSING_SECONDS
    while not is_asked() and clock.monotonic() < until:
        pid = writer_pid(ledger_path)
        if pid is None:
            hint = "start syncd again, as a service manager does: it goes on with the ledger that is there now"
            return LedgerMoved(f"{conceded.title}; the other has ended since", hint, is_another=True)
        beat = read_beat(ledger_path)
        if beat is not None and beat.pid == pid:
            break
        clock.sleep(_LOOK_SECONDS)
    return conceded
