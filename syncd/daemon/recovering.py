"""The daemon with a damaged ledger: it is put right on the loop's thread, and followed on from its cursors.

How that is done is no concern of the daemon's: it is handed in. Meanwhile the service manager is told that this takes
its time, and who asks at the door is told why nothing can be done now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.daemon.notify import Signs
from syncd.errors import LedgerCorrupt, LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from syncd.clock import Clock
    from syncd.daemon.log import Log
    from syncd.daemon.notify import Notifier

    PutRight = Callable[[LedgerCorrupt, Callable[[], None]], Mapping[str, object]]
    """Puts the ledger right, calling the second now and then, and says what was done; LedgerError: not now."""

MORE_TIME_USEC = 60_000_000


def recover(put_right: PutRight | None, damage: LedgerCorrupt, clock: Clock, log: Log, notifier: Notifier) -> None:
    """LedgerCorrupt: it cannot be put right; LedgerError: not now, but later perhaps."""
    if put_right is None:
        raise damage
    log.say("damaged", reason=str(damage))
    notifier.send("STATUS=the ledger is damaged and is put right")
    started = clock.monotonic()
    try:
        done = put_right(damage, Signs(notifier, clock, "WATCHDOG=1", f"EXTEND_TIMEOUT_USEC={MORE_TIME_USEC}"))
    except LedgerError as error:
        log.say("recovery_failed", reason=str(error), type=error.type)
        raise
    log.say("recovered", **{**done, "seconds": round(clock.monotonic() - started, 3)})
