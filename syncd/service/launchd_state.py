"""What launchd says of the agent, and what the agent's file says of its interpreter. Changes nothing.

`launchctl print` is made for people; only the few lines that it has had since macOS 10.11 are read.
"""

from __future__ import annotations

import os
import plistlib
import re
from typing import TYPE_CHECKING, Final
from xml.parsers.expat import ExpatError

from syncd.service.keeper import foreign_of
from syncd.service.names import agent_file, label
from syncd.service.record import ServiceState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.service.runner import Done, Run

NOT_LOADED: Final = 113  # "Could not find service"
_LINE: Final = re.compile(r"^\t(path|state|pid|last exit code|last terminating signal) = (.*)$", re.MULTILINE)


def domain() -> str:
    """Of this user's login at the screen: no sudo, and no other user's."""
    return f"gui/{os.getuid()}"


def target(profile: str | None) -> str:
    return f"{domain()}/{label(profile)}"


def launchd_state(profile: str | None, environ: Mapping[str, str], run: Run) -> ServiceState:
    file = agent_file(profile, environ)
    interpreter = _interpreter(file)
    asked = run(["launchctl", "print", target(profile)])
    is_known, is_loaded = asked.code in (0, NOT_LOADED), asked.code == 0
    found = dict(_LINE.findall(asked.out)) if is_loaded else {}
    return ServiceState(
        manager="launchd",
        name=label(profile),
        file=file,
        installed=os.path.isfile(file),
        foreign=foreign_of(file, found.get("path", "")),
        enabled=(os.path.isfile(file) and not is_disabled(profile, run)) if is_known else None,
        active=found.get("state") == "running" if is_known else None,
        phase=(found.get("state") if is_loaded else "not loaded") if is_known else None,
        pid=int(found["pid"]) if found.get("pid", "").isdecimal() else None,
        last_exit=_last_exit(found),
        interpreter=interpreter,
        interpreter_exists=None if interpreter is None else os.access(interpreter, os.X_OK),
        linger=None,
        problem=None if is_known else _why_not(asked),
    )


def is_disabled(profile: str | None, run: Run) -> bool:
    listed = run(["launchctl", "print-disabled", domain()]).out
    name = re.escape(label(profile))
    return re.search(rf'"{name}" => (disabled|true)\b', listed) is not None


def _last_exit(found: Mapping[str, str]) -> int | None:
    """`0`, `78: EX_CONFIG`, `(never exited)`; a signal is a line of its own: `Killed: 9`."""
    signal = re.search(r"(\d+)$", found.get("last terminating signal", ""))
    if signal is not None:
        return 128 + int(signal[1])
    code = re.match(r"\d+", found.get("last exit code", ""))
    return int(code[0]) if code is not None else None


def _interpreter(file: str) -> str | None:
    try:
        with open(file, "rb") as agent:
            arguments = plistlib.load(agent)["ProgramArguments"]
        return str(arguments[0])
    except (OSError, ValueError, ExpatError, KeyError, TypeError, IndexError):
        return None


def _why_not(asked: Done) -> str:
    return asked.words or f"launchctl ended with {asked.code}"
