"""syncd under systemd or launchd, at the user's own level: nothing here needs sudo, and nothing touches the ledger.

Every act goes through one command runner that is passed in. Not the daemon: that is what is started.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from syncd.errors import ServiceError
from syncd.service.keeper import Changes, Keeper
from syncd.service.names import manager_of
from syncd.service.record import Manager, ServiceState
from syncd.service.runner import Done, Run, run_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.clock import Clock

__all__ = [
    "Changes",
    "Done",
    "Keeper",
    "Manager",
    "Run",
    "ServiceState",
    "keeper_of",
    "manager_of",
    "run_command",
    "state",
]


def state(
    profile: str | None, environ: Mapping[str, str], run: Run = run_command, platform: str = sys.platform
) -> ServiceState:
    """How syncd's service stands, of this profile and for this user. Never raises; takes some tens of milliseconds."""
    manager = manager_of(platform)
    if manager == "systemd":
        from syncd.service.systemd_state import systemd_state

        return systemd_state(profile, environ, run)
    if manager == "launchd":
        from syncd.service.launchd_state import launchd_state

        return launchd_state(profile, environ, run)
    return ServiceState(
        manager=None, name="", file="", installed=False, foreign=None, enabled=None, active=None, phase=None, pid=None,
        last_exit=None, interpreter=None, interpreter_exists=None, linger=None,
        problem=f"neither systemd nor launchd is on {platform}",
    )  # fmt: skip


def keeper_of(
    manager: Manager | None, profile: str | None, environ: Mapping[str, str], run: Run, clock: Clock, log_file: str
) -> Keeper:
    """Who keeps the service; `log_file` is for launchd, which keeps no journal."""
    if manager == "systemd":
        from syncd.service.systemd import Systemd

        return Systemd(profile, environ, run, clock)
    if manager == "launchd":
        from syncd.service.launchd import Launchd

        return Launchd(profile, environ, run, clock, log_file)
    raise ServiceError(
        "neither systemd nor launchd is on this platform", "let what starts your other services run `syncd run`"
    )
