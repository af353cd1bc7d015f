"""What a service manager is told: which program, with what, and where it may write. The same for every manager.

Not the form that it is told in (unit, agent). `shipped_order` is what the files in the repository say: the command
where pip --user, pipx and uv put it, and a home that stands for anybody's.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from syncd.paths import is_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from syncd.service.record import Manager

# What syncd itself reads, and a manager does not know unless it is told.
CARRIED: Final = (
    "SYNCD_LEDGER", "OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR", "OPENCLAW_HOME", "OPENCLAW_CONFIG_PATH",
    "CLAWDBOT_CONFIG_PATH", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
)  # fmt: skip
# The platform's own; where they are the usual ones they need no line.
_USUAL: Final = {"XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state"}


@dataclass(frozen=True, slots=True)
class Order:
    command: tuple[str, ...]
    """An absolute path, and its arguments."""
    writable: tuple[str, ...]
    """Directories, the only ones that the daemon may change."""
    log_file: str
    """For a manager that keeps no journal."""
    environment: tuple[tuple[str, str], ...] = ()
    read_only: tuple[str, ...] = ()
    """Of OpenClaw's, where they lie inside what is writable."""
    scratch: str | None = None
    """A writable directory for temporary files, where a private /tmp would hide what is meant; None: a private one."""
    is_boxed: bool = True
    """False: without the namespaces that some machines do not give to users."""
    user: str | None = None
    """For a system-wide unit: as whom it runs."""
    home: str | None = None
    """What is written as the manager's own word for the home, where it has one; None: every path as it is."""


def carried_environment(environ: Mapping[str, str], home: str) -> tuple[tuple[str, str], ...]:
    """What the shell that installs has set, and the daemon must know to mirror the same."""
    found = ((name, environ.get(name, "").strip()) for name in CARRIED)
    return tuple(
        (name, value if value.startswith("~") else os.path.abspath(value))
        for name, value in found
        if value and value.rstrip("/") != os.path.join(home, _USUAL.get(name, "/"))
    )


def topmost(directories: Iterable[str]) -> tuple[str, ...]:
    """Each once, and none that lies in another of them."""
    kept: list[str] = []
    for place in sorted(map(os.path.normpath, directories)):
        if not any(is_within(place, other) for other in kept):
            kept.append(place)
    return tuple(kept)


def is_temporary(path: str) -> bool:
    """Whether a private /tmp and /var/tmp would hide it, wherever links lead."""
    ways = (os.path.abspath(path), os.path.realpath(path))
    places = {way for place in ("/tmp", "/var/tmp") for way in (place, os.path.realpath(place))}  # noqa: S108
    return any(is_within(way, place) for way in ways for place in places)


def shipped_order(manager: Manager, *, is_system: bool = False) -> Order:
    home = "/home/%i" if is_system else "/home/you" if manager == "systemd" else "/Users/you"
    own = [f"{home}/.local/share/syncd", f"{home}/.local/state/syncd"] if manager == "systemd" else []
    return Order(
        command=(f"{home}/.local/bin/syncd", "run"),
        writable=tuple(own),
        log_file=f"{home}/Library/Logs/syncd/daemon.log",
        user="%i" if is_system else None,
        home=home,
    )
