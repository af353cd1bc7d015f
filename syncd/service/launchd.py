"""syncd under launchd: a LaunchAgent of this user's login, by bootstrap, bootout and kickstart; no sudo.

launchctl's words change between releases, its exit codes less: only these are judged.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

from syncd.errors import ServiceError
from syncd.paths import make_private_dir
from syncd.service.agent import agent_text
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
from syncd.service.launchd_state import domain, is_disabled, launchd_state, target
from syncd.service.names import agent_file, label
from syncd.service.runner import Done

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.clock import Clock
    from syncd.service.order import Order
    from syncd.service.record import ServiceState
    from syncd.service.runner import Run

NOT_LOADED_PHASE: Final = "not loaded"
# A bootout returns before all is gone (36 says so), and while that lasts a bootstrap is refused (5, 37): for as long as
# the agent's ExitTimeOut and some seconds.
_TRIES, _TRY_SECONDS = 60, 0.5
_GONE: Final = (3, 113)
_GOING: Final = 36


@dataclass(frozen=True, slots=True)
class Launchd:
    profile: str | None
    environ: Mapping[str, str]
    run: Run
    clock: Clock
    log_file: str

    @property
    def name(self) -> str:
        return label(self.profile)

    @property
    def file(self) -> str:
        return agent_file(self.profile, self.environ)

    def text(self, order: Order) -> str:
        return agent_text(order, self.name)

    def state(self) -> ServiceState:
        return launchd_state(self.profile, self.environ, self.run)

    def install(self, order: Order, *, starts: bool, force: bool = False, renews: bool = False) -> Changes:
        before = self._reached()
        if not force:
            refuse_foreign(before, FORCED_INSTALL)
        check_command(order, self.run)
        make_own_dirs(order)
        make_private_dir(os.path.dirname(order.log_file))
        done: list[str] = []
        is_new = write_service_file(self.file, self.text(order))
        if is_new:
            done.append(f"wrote {self.file}")
        if is_disabled(self.profile, self.run):  # by somebody, some time: no file undoes that
            self._do("enable", target(self.profile))
            done.append(f"{self.name} starts with your login")
        if starts and (is_new or renews) and before.phase != NOT_LOADED_PHASE:
            self._bootout()
        if starts:
            done += self.start()
        return tuple(done)

    def uninstall(self, *, force: bool = False) -> Changes:
        found = self._reached()
        if not force:
            refuse_foreign(found, FORCED_UNINSTALL)
        is_loaded = found.phase != NOT_LOADED_PHASE
        if not found.installed and not is_loaded:
            return ()
        if is_loaded:
            self._bootout()
        remove_service_file(self.file)
        return (f"stopped {self.name}, removed {self.file}",)

    def start(self) -> Changes:
        found = self._installed()
        if found.active:
            return ()
        if found.phase == NOT_LOADED_PHASE:
            self._bootstrap()
        else:
            self._do("kickstart", target(self.profile))
        return (self._started(),)

    def stop(self) -> Changes:
        if self._installed().phase == NOT_LOADED_PHASE:
            return ()
        self._bootout()
        return (f"stopped {self.name}; it starts again with your next login",)

    def restart(self) -> Changes:
        if self._installed().phase == NOT_LOADED_PHASE:
            self._bootstrap()
        else:
            self._do("kickstart", "-k", target(self.profile))
        return (self._started(),)

    def logs(self, lines: int, *, follow: bool) -> Done:
        if not os.path.exists(self.log_file) and not follow:
            return Done(0)
        return self.run(["tail", "-n", str(lines), *(["-F"] if follow else []), self.log_file], shown=follow)

    def _bootout(self) -> None:
        done = self.run(["launchctl", "bootout", target(self.profile)])
        if done.code in (0, *_GONE):
            return
        if done.code != _GOING:
            self._refuse(("bootout", target(self.profile)), done)
        for _ in range(_TRIES):
            if self.state().phase == NOT_LOADED_PHASE:
                return
            self.clock.sleep(_TRY_SECONDS)
        self._refuse(("bootout", target(self.profile)), done)

    def _bootstrap(self) -> None:
        for tried in range(1, _TRIES + 1):
            done = self.run(["launchctl", "bootstrap", domain(), self.file])
            if done.code == 0:
                return
            if done.code not in (5, 37) or tried == _TRIES:
                break
            self.clock.sleep(_TRY_SECONDS)
        raise ServiceError(
            f"launchd does not take {self.file}: {done.words or f'exit {done.code}'}",
            f"`plutil -lint '{self.file}'` looks at the file; `launchctl print {domain()}` at the login",
        )

    def _started(self) -> str:
        found = settled(self.state, self.clock, lambda seen: bool(seen.active) or seen.last_exit not in (None, 0))
        if not found.active:
            refuse_failed_start(found)
        return f"started {self.name}, pid {found.pid}"

    def _do(self, *args: str) -> None:
        done = self.run(["launchctl", *args])
        if done.code != 0:
            self._refuse(args, done)

    def _refuse(self, args: tuple[str, ...], done: Done) -> NoReturn:
        raise ServiceError(
            f"launchctl {' '.join(args)} failed: {done.words or f'exit {done.code}'}",
            f"`launchctl print {target(self.profile)}` says more",
        )

    def _reached(self) -> ServiceState:
        found = self.state()
        if found.problem is not None:
            raise ServiceError(
                f"launchd cannot be asked: {found.problem}",
                "an agent belongs to a login at the Mac's screen: log in there once as this user, then try again",
            )
        return found

    def _installed(self) -> ServiceState:
        return own(self._reached(), f"launchctl bootout {target(self.profile)}")
