"""What the service is called, and where its file lies, by platform and profile. Nothing is looked at."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.service.record import Manager


def manager_of(platform: str) -> Manager | None:
    """`platform` as sys.platform."""
    return "systemd" if platform.startswith("linux") else "launchd" if platform == "darwin" else None


def unit_name(profile: str | None) -> str:
    return f"syncd{_dashed(profile)}.service"


def label(profile: str | None) -> str:
    """A domain that nobody can own, and not OpenClaw's."""
    return f"local.syncd{_dashed(profile).replace('-', '.', 1)}"


def unit_dir(environ: Mapping[str, str], unit_path: str) -> str:
    """Where the manager looks (`unit_path`, in its words): its XDG_CONFIG_HOME need not be that of this shell.

    The list is not quoted, but begins with what `systemctl edit` and its like write, in the same config home.
    """
    usual = os.path.join(config_home(environ), "systemd", "user")
    own, found, _ = unit_path.partition("/systemd/user.control ")
    return usual if not found or f" {usual} " in f"{unit_path} " else f"{own}/systemd/user"


def agent_file(profile: str | None, environ: Mapping[str, str]) -> str:
    return os.path.join(home_of(environ), "Library", "LaunchAgents", f"{label(profile)}.plist")


def config_home(environ: Mapping[str, str]) -> str:
    named = environ.get("XDG_CONFIG_HOME", "")
    return named if os.path.isabs(named) else os.path.join(home_of(environ), ".config")


def home_of(environ: Mapping[str, str]) -> str:
    return environ.get("HOME") or os.path.expanduser("~")


def is_default(profile: str) -> bool:
    """OpenClaw's own name for having none."""
    return profile.lower() == "default"


def _dashed(profile: str | None) -> str:
    return "" if profile is None or is_default(profile) else f"-{profile}"
