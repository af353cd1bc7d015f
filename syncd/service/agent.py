"""The LaunchAgent, as plistlib writes it. Pure bytes: nothing is written or asked here.

launchd has no watchdog and no list of exit codes that end it all: syncd's own watch ends a hang, and a start that
cannot succeed (75, 78) is tried again every ThrottleInterval, which is cheap and mends itself once the reason is gone.
"""

from __future__ import annotations

import plistlib
from typing import TYPE_CHECKING, Any, Final

from syncd.service.unit import MARK

if TYPE_CHECKING:
    from syncd.service.order import Order

_MARK: Final = (
    f"<!--{MARK.removeprefix('#')}: `syncd service install` puts it into ~/Library/LaunchAgents, and replaces it. -->\n"
)
_BEFORE: Final = b"<plist "
LOG_BYTES: Final = 4 * 1024 * 1024


def agent_text(order: Order, name: str) -> str:
    document: dict[str, Any] = {
        "Label": name,
        # Absolute: an agent's PATH is not that of your shell.
        "ProgramArguments": list(order.command),
        # With the login.
        "RunAtLoad": True,
        # A crash or a failed start is tried again; a clean stop is one.
        "KeepAlive": {"SuccessfulExit": False, "Crashed": True},
        # Seconds between two starts: what fails at once does not fail all the time.
        "ThrottleInterval": 30,
        # A mirror may wait: macOS may slow its timers and its processor's speed; lines come within a second or so.
        "ProcessType": "Background",
        "LowPriorityIO": True,
        "LowPriorityBackgroundIO": True,
        "Nice": 10,
        # Files 0600, directories 0700.
        "Umask": 0o077,
        # A stop takes a second or two; what is cut off here was not committed, and is read again.
        "ExitTimeOut": 20,
        # launchd's own 256 is little for thousands of sessions.
        "SoftResourceLimits": {"NumberOfFiles": 4096, "Core": 0},  # a core dump would hold what was said
        "StandardOutPath": order.log_file,
        "StandardErrorPath": order.log_file,
    }
    # launchd rotates nothing: the daemon empties its log when it has grown so large. The rest was set in the shell that
    # installed it: the same files are meant here.
    document["EnvironmentVariables"] = {"SYNCD_LOG_BYTES": str(LOG_BYTES), **dict(order.environment)}
    head, mark, rest = plistlib.dumps(document, sort_keys=False).partition(_BEFORE)
    return (head + _MARK.encode() + mark + rest).decode()
