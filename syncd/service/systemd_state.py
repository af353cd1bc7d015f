"""What systemd's user manager says of the unit, and what the unit's file says of its interpreter. Changes nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from syncd.service.keeper import foreign_of, read_service_file
from syncd.service.names import home_of, unit_dir, unit_name
from syncd.service.record import ServiceState
from syncd.service.unit_words import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.service.runner import Run

SYSTEMCTL: Final = ("systemctl", "--user")
PROPERTIES: Final = "ActiveState,SubState,UnitFileState,MainPID,ExecMainCode,ExecMainStatus,FragmentPath"
_MAX_FILE_BYTES: Final = 1024 * 1024
_EXITED: Final = "1"  # CLD_EXITED; the others are ends by a signal


def systemd_state(profile: str | None, environ: Mapping[str, str], run: Run) -> ServiceState:
    name, file = unit_name(profile), unit_file(profile, environ, run)
    interpreter = _interpreter(file, home_of(environ))
    asked = run([*SYSTEMCTL, "show", name, f"--property={PROPERTIES}"])
    found = dict(line.split("=", 1) for line in asked.out.splitlines() if "=" in line) if asked.code == 0 else {}
    is_known = "ActiveState" in found
    return ServiceState(
        manager="systemd",
        name=name,
        file=file,
        installed=os.path.isfile(file),
        foreign=foreign_of(file, found.get("FragmentPath", "")),
        enabled=found.get("UnitFileState", "").startswith("enabled") if is_known else None,
        active=found["ActiveState"] in ("active", "activating", "reloading") if is_known else None,
        phase=f"{found['ActiveState']} ({found.get('SubState', '')})" if is_known else None,
        pid=_number(found.get("MainPID")) or None,
        last_exit=_last_exit(found),
        interpreter=interpreter,
        interpreter_exists=None if interpreter is None else os.access(interpreter, os.X_OK),
        linger=lingers(run),
        problem=None if is_known else asked.words or f"systemctl ended with {asked.code}",
    )


def unit_file(profile: str | None, environ: Mapping[str, str], run: Run) -> str:
    asked = run([*SYSTEMCTL, "show", "--property=UnitPath", "--value"])
    return os.path.join(unit_dir(environ, asked.out.strip() if asked.code == 0 else ""), unit_name(profile))


def system_unit_of(pid: int | None) -> str | None:
    """The system-wide unit in which a process runs, by the kernel's word; None: in none, or in a user's own."""
    try:
        with open(f"/proc/{pid}/cgroup", encoding="utf-8", errors="surrogateescape") as groups:
            path = groups.read(_MAX_FILE_BYTES).rstrip("\n").rpartition("::")[2]
    except OSError:
        return None
    name = path.rpartition("/")[2]
    return name if name.startswith("syncd") and name.endswith(".service") and "/user@" not in path else None


def lingers(run: Run) -> bool | None:
    """None: logind does not say."""
    asked = run(["loginctl", "show-user", str(os.getuid()), "--property=Linger", "--value"])
    return {"yes": True, "no": False}.get(asked.out.strip()) if asked.code == 0 else None


def _last_exit(found: Mapping[str, str]) -> int | None:
    code, status = found.get("ExecMainCode", "0"), _number(found.get("ExecMainStatus"))
    if code == "0" or status is None:
        return None
    return status if code == _EXITED else 128 + status


def _interpreter(file: str, home: str) -> str | None:
    lines = (read_service_file(file) or "").splitlines()
    starts = [line.partition("=")[2].strip() for line in lines if line.startswith("ExecStart=")]
    words = words_of(starts[-1], home) if starts else []
    return words[0] if words else None


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None
