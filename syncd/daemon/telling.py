"""What the loop says of itself, and when: to the service manager, in the log, and by its beat.

Each thing once, or when it changes. What `status` and the health log make of a beat is `reporting`'s; nothing is done
here but told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.daemon.shortage import shortage_of
from syncd.errors import LedgerBusy, LedgerFull

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.daemon.aiming import Aiming
    from syncd.daemon.dirty import DirtySet
    from syncd.daemon.grip import Grip
    from syncd.daemon.log import Log
    from syncd.daemon.notify import Notifier
    from syncd.daemon.timers import Timers
    from syncd.errors import LedgerCorrupt, SyncdError

MAX_TOLD = 20


class Telling:
    """`is_stopping`: then the beat does not wait for its time."""

    def __init__(
        self, log: Log, notifier: Notifier, clock: Clock, timers: Timers, dirty: DirtySet, grip: Grip, aiming: Aiming,
        is_stopping: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._log, self._notifier, self._clock, self._timers = log, notifier, clock, timers
        self._dirty, self._grip, self._aiming, self._is_stopping = dirty, grip, aiming, is_stopping
        self.troubles: dict[str, dict[str, str]] = {}
        """What is wrong with us, by its code: `status` shows it."""
        self.on_beat: Callable[[], None] = lambda: None
        self._is_ready = False
        self._told_mode: tuple[str, str | None] | None = None
        self._told_problems, self._told_overflows = set[str](), 0
        self._beaten_problems: dict[str, str] = {}

    # Following

    def tell(self) -> None:
        """READY, once, and what we do from now on."""
        followed = [follower.state_dir for follower in self._grip.followers]
        absent = list(self._aiming.awaited)
        words = [f"following {', '.join(followed)}"] if followed else []
        words += [f"waiting for {', '.join(absent)}"] if absent else []
        fields = [] if self._is_ready else ["READY=1"]
        self._notifier.send(*fields, f"STATUS={'; '.join(words)}")
        if not self._is_ready and followed:
            self._log.say("following", state_dirs=followed)
        if not self._is_ready and absent:
            hint = "start OpenClaw once, or name its place with OPENCLAW_STATE_DIR; `make demo` needs none"
            self._log.say("waiting", state_dirs=absent, hint=hint)
        self._is_ready = True

    def tell_anew(self) -> None:
        self._is_ready = False
        self.tell()

    def tell_changes(self) -> None:
        watcher = self._aiming.watcher
        told = (watcher.mode, watcher.reason)
        if told != self._told_mode:
            self._told_mode = told
            self._log.say("watching", mode=watcher.mode, reason=watcher.reason)
        if (bursts := self._dirty.overflows - self._told_overflows) > 0:
            self._told_overflows += bursts
            self._log.say("events_lost", bursts=bursts, hint="everything was looked at instead: nothing is lost")
        problems = self._problems()
        for path in [path for path in problems if path not in self._told_problems][:MAX_TOLD]:
            self._log.say("unreadable", path=path, reason=problems[path])
        self._told_problems = set(problems)

    def beat_at_once(self) -> None:
        self._timers.beat_at_once()

    def beat(self) -> None:
        """Fed by completed passes only: a loop that hangs sends none. What became wrong, or right, is told soon."""
        now, problems = self._clock.monotonic(), self._problems()
        if problems != self._beaten_problems:
            self._timers.beat_soon()
        if self._timers.is_beat_due(now) or self._is_stopping():
            self._timers.beat_begins(now, self._aiming.options.beat_seconds)
            self._beaten_problems = problems
            self._notifier.send("WATCHDOG=1")
            try:
                self.on_beat()
            except OSError as error:
                shortage_of(error)  # then `status` sees an old beat, which is the truth

    def _problems(self) -> dict[str, str]:
        problems = {path: item.reason for one in self._grip.followers for path, item in one.problems.items()}
        return problems | {item.path: item.reason for index in self._grip.indexes for item in index.degraded}

    # The ledger

    def damaged(self, damage: LedgerCorrupt) -> None:
        self.troubles["ledger"] = {
            "code": damage.type, "path": "", "reason": f"damaged, and being put right: {damage}", "hint": damage.hint,
        }  # fmt: skip
        self.beat_at_once()
        self.beat()

    def paused(self, error: SyncdError, kept_as: Path | None, attempt: int, retry_seconds: float) -> None:
        reason = f"{error}; the former one is kept as {kept_as}" if kept_as is not None else str(error)
        # What these say to do is for one who gave a command: nobody has to try anything again here.
        hint = "" if isinstance(error, LedgerBusy | LedgerFull) else error.hint
        self.troubles["ledger"] = {
            "code": error.type, "path": "", "reason": f"paused: {reason}", "hint": hint,
        }  # fmt: skip
        self._log.say("paused", reason=reason, type=error.type, attempt=attempt, retry_seconds=retry_seconds)
        self._notifier.send(f"STATUS=paused: {str(error)[:200]}")
        self.beat_at_once()
        self.beat()

    def taken_up(self, attempts: int) -> None:
        """After so many in vain; what is followed now is still to be told."""
        if attempts:
            self._log.say("resumed", attempts=attempts)
            self.beat_at_once()
        self.troubles.pop("ledger", None)

    # The configuration

    def reload_begins(self) -> None:
        """As Type=notify-reload asks: RELOADING with the time, READY when it is done, also when nothing came of it."""
        self._notifier.send("RELOADING=1", f"MONOTONIC_USEC={int(self._clock.monotonic() * 1e6)}")

    def config_refused(self, reason: str, hint: str) -> None:
        self.troubles["config"] = {"code": "config", "path": "", "reason": reason, "hint": hint}
        self._log.say("config_refused", reason=reason)

    def config_accepted(self) -> None:
        self.troubles.pop("config", None)

    def taken_over(self) -> None:
        self._log.say("reloaded", state_dirs=list(self._aiming.state_dirs))

    def reload_ends(self) -> None:
        self.beat_at_once()
        self._is_ready = False
        if self._grip.following is not None:
            self.tell()
        else:  # whom we follow is told once they are, which is next
            self._notifier.send("READY=1", "STATUS=reloaded")

    # The end

    def stopping(self) -> None:
        self._log.say("stopping")
        self._notifier.send("STOPPING=1")
