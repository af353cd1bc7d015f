"""syncd under systemd's user manager: `systemctl --user`, no sudo. The system-wide unit is only printed.

Relies on systemctl's documented properties (systemd_state), not on what it prints for people.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.errors import ServiceError
from syncd.service.keeper import (
    FORCED_INSTALL,
    FORCED_UNINSTALL,
    Changes,
    check_command,
    make_own_dirs,
    own,
    refuse_failed_start,
    refuse_foreign,
    remove_service_file,
    settled,
    write_service_file,
)
from syncd.service.names import unit_name
from syncd.service.systemd_state import SYSTEMCTL, systemd_state
from syncd.service.unit import unit_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.clock import Clock
    from syncd.service.order import Order
    from syncd.service.record import ServiceState
    from syncd.service.runner import Done, Run


@dataclass(frozen=True, slots=True)
class Systemd:
    profile: str | None
    environ: Mapping[str, str]
    run: Run
    clock: Clock

    @property
    def name(self) -> str:
        return unit_name(self.profile)

    def text(self, order: Order) -> str:
        return unit_text(order, self.name)

    def state(self) -> ServiceState:
        return systemd_state(self.profile, self.environ, self.run)

    def install(self, order: Order, *, starts: bool, force: bool = False, renews: bool = False) -> Changes:
        before = self._reached()
        if not force:
            refuse_foreign(before, FORCED_INSTALL)
        check_command(order, self.run)
        make_own_dirs(order)
        done: list[str] = []
        is_new = write_service_file(before.file, self.text(order))
        if is_new:
            self._do("daemon-reload")
            done.append(f"wrote {before.file}")
        if not before.enabled:
            self._enable(before)
            done.append(f"{self.name} starts with your login")
        if starts:
            is_up = bool(before.active) and not before.is_failing
            done += self._start_anew() if not is_up or is_new or renews else ()
        return tuple(done)

    def uninstall(self, *, force: bool = False) -> Changes:
        found = self._reached()
        if not force:
            refuse_foreign(found, FORCED_UNINSTALL)
        if not found.installed and not found.active and not found.enabled:
            return ()
        if found.enabled or found.active:  # else systemd may not know it at all
            self._do("disable", "--now", self.name)
        remove_service_file(found.file)
        self._do("daemon-reload")
        self.run([*SYSTEMCTL, "reset-failed", self.name])  # fails where nothing had failed
        drop_ins = f"{found.file}.d"
        kept = (f"your drop-ins in {drop_ins} stay",) if os.path.isdir(drop_ins) else ()
        return (f"stopped {self.name}, removed {found.file}", *kept)

    def start(self) -> Changes:
        found = self._installed()
        if found.active and not found.is_failing:
            return ()
        return self._start_anew()

    def stop(self) -> Changes:
        found = self._installed()
        if not found.active:
            return ()
        self._do("stop", self.name)
        return (f"stopped {self.name}",)

    def restart(self) -> Changes:
        self._installed()
        return self._start_anew()

    def logs(self, lines: int, *, follow: bool) -> Done:
        # Not `journalctl --user`: where the journal is not kept on disk, that finds none.
        args = ["journalctl", f"--user-unit={self.name}", f"--lines={lines}", "--no-pager", "--output=short-iso"]
        return self.run([*args, "--no-hostname", "--quiet", *(["--follow"] if follow else [])], shown=follow)

    def _start_anew(self) -> Changes:
        """Stopped first: what is seen afterwards is of this start, and one that waits for its restart waits no more."""
        self._do("stop", self.name)
        self.run([*SYSTEMCTL, "reset-failed", self.name])  # failures that were looked at count no more
        self._do("start", "--no-block", self.name)
        return (self._started(),)

    def _started(self) -> str:
        found = settled(self.state, self.clock, lambda seen: seen.phase not in _MOVING)
        if not found.active or found.is_failing:
            refuse_failed_start(found)
        if found.phase in _MOVING:
            return f"started {self.name}, pid {found.pid}; it still catches up (`syncd service status`)"
        return f"started {self.name}, pid {found.pid}"

    def _enable(self, before: ServiceState) -> None:
        asked = self.run([*SYSTEMCTL, "enable", self.name])
        if asked.code == 0:
            return
        if not before.installed:  # nothing is left half done
            remove_service_file(before.file)
            self._do("daemon-reload")
        raise ServiceError(
            f"systemd does not take {before.file}: {asked.words}",
            "`systemctl --user show --property=UnitPath` says where it looks; XDG_CONFIG_HOME says where that is",
        )

    def _do(self, *args: str) -> None:
        done = self.run([*SYSTEMCTL, *args])
        if done.code != 0:
            raise ServiceError(
                f"systemctl --user {' '.join(args)} failed: {done.words or f'exit {done.code}'}",
                f"`systemctl --user status {self.name}` says more",
            )

    def _reached(self) -> ServiceState:
        found = self.state()
        if found.problem is not None:
            raise ServiceError(
                f"systemd's user manager cannot be reached: {found.problem}",
                "log in as this user (not by su or sudo), or set XDG_RUNTIME_DIR=/run/user/$(id -u);"
                " where there is no systemd, let what starts your other services run `syncd run`",
            )
        return found

    def _installed(self) -> ServiceState:
        return own(self._reached(), f"systemctl --user stop {self.name}")


_MOVING = (
    "activating (start)",
    "activating (start-pre)",
    "deactivating (stop-sigterm)",
    "deactivating (stop)",
    "inactive (dead)",
)
"""On the way to something else; `inactive` right after a start that does not wait is its queue."""
