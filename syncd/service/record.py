"""What a service manager says of syncd: the one record that `service status` and `doctor` read.

Not how it was found out (systemd, launchd). None stands for what could not be asked; `problem` says why.
"""

from dataclasses import dataclass
from typing import Literal

Manager = Literal["systemd", "launchd"]


@dataclass(frozen=True, slots=True)
class ServiceState:
    manager: Manager | None
    """None: a platform with neither."""
    name: str
    """The unit (`syncd.service`) or the label (`local.syncd`)."""
    file: str
    """Where the unit or the agent is, or would be."""
    installed: bool
    foreign: str | None
    """The file of that name which the manager goes by, where syncd did not write it: nothing is done to it unasked."""
    enabled: bool | None
    """Whether it starts by itself at the next login (or boot, with linger)."""
    active: bool | None
    """Whether it runs, or is starting."""
    phase: str | None
    """The manager's own words, such as `active (running)`, `activating (auto-restart)`, `failed`."""
    pid: int | None
    last_exit: int | None
    """Exit code of the last process that ended; 128 + n for signal n."""
    interpreter: str | None
    """The program that the installed file starts, as it stands there."""
    interpreter_exists: bool | None
    """False: an upgrade or a removed venv took it away, and the next start fails."""
    linger: bool | None
    """systemd only: whether it outlives the user's last logout."""
    problem: str | None
    """Why the manager could not be asked."""

    @property
    def is_failing(self) -> bool:
        """systemd: waiting to be started again, after an end that was none."""
        return self.phase == "activating (auto-restart)"
