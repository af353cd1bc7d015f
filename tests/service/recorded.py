"""Service managers that record what they are told, and answer as the real ones do: a unit is what was last reloaded,
an agent what was last bootstrapped. What the daemon does when it is started is the test's to say (`exits`)."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from syncd.service.runner import Done

_QUESTIONS = ("show", "print", "print-disabled", "show-user", "--version")


@dataclass
class Recorded:
    """`exits`: with which code the daemon ends at once; None: it runs."""

    calls: list[tuple[str, ...]] = field(default_factory=list)
    exits: int | None = None
    pid: int = 0
    is_reachable: bool = True
    can_start_syncd: bool = True
    log: str = ""

    @property
    def acts(self) -> list[str]:
        """What was told, without what was only asked."""
        return [" ".join(call) for call in self.calls if not set(call) & set(_QUESTIONS)]

    def __call__(self, args: Sequence[str], *, shown: bool = False) -> Done:
        self.calls.append(tuple(args))
        if args[0] == "env":
            return Done(0, "syncd 1\n") if self.can_start_syncd else Done(1, err="No module named syncd")
        if not self.is_reachable:
            return Done(1, err="Failed to connect to bus: No medium found\n")
        return self.answer(list(args))

    def answer(self, args: list[str]) -> Done:
        raise NotImplementedError


@dataclass
class RecordedSystemd(Recorded):
    file: Path = Path()
    linger: str = "no"
    loaded: str | None = None
    is_enabled: bool = False
    active: str = "inactive (dead)"
    last_exit: int | None = None
    is_interrupted: bool = False
    """Somebody types Ctrl-C while the journal is shown."""
    is_blind: bool = False
    """It does not look where the unit is."""
    other: Path | None = None
    """A unit of that name elsewhere, which it goes by as long as there is none here."""

    def answer(self, args: list[str]) -> Done:
        if args[0] == "loginctl":
            return Done(0, f"{self.linger}\n")
        if args[0] == "journalctl":
            if self.is_interrupted:
                raise KeyboardInterrupt
            return Done(0, self.log)
        assert args[:2] == ["systemctl", "--user"]
        match [word for word in args[2:] if not word.startswith("--")]:
            case ["show"]:
                home = self.file.parent.parent
                return Done(
                    0, f"{home}/user.control /run/user/1000/systemd/transient {self.file.parent} /etc/systemd/user\n"
                )
            case ["show", _]:
                return Done(0, self._shown())
            case ["daemon-reload"]:
                self.loaded = self.file.read_text() if self.file.exists() and not self.is_blind else None
            case ["enable", name]:
                if self.loaded is None:
                    return Done(1, err=f"Failed to enable unit: Unit file {name} does not exist.\n")
                self.is_enabled = True
            case ["disable", name]:
                if self.loaded is None and not self.is_enabled:
                    return Done(1, err=f"Failed to disable unit: Unit file {name} does not exist.\n")
                self.is_enabled, self.pid, self.active = False, 0, "inactive (dead)"
            case ["start" | "restart", _]:
                self._start()
            case ["stop", _]:
                self.active = "inactive (dead)"
            case ["reset-failed", name] if not self.active.startswith("failed"):
                return Done(1, err=f"Failed to reset failed state of unit {name}: Unit {name} not loaded.\n")
        return Done(0)

    def _start(self) -> None:
        self.last_exit = self.exits
        if self.exits is None:
            self.pid, self.active = self.pid + 100, "active (running)"
        else:
            never_again = self.exits in (75, 78)
            self.pid, self.active = 0, "failed (failed)" if never_again else "activating (auto-restart)"

    def _shown(self) -> str:
        state, _, sub = self.active.partition(" ")
        code = 0 if self.last_exit is None else 1
        words = {
            "LoadState": "loaded" if self.loaded is not None else "not-found",
            "ActiveState": state,
            "SubState": sub.strip("()"),
            "UnitFileState": "enabled" if self.is_enabled else "disabled" if self.loaded else "",
            "MainPID": str(self.pid if self.active == "active (running)" else 0),
            "ExecMainCode": str(code),
            "ExecMainStatus": str(self.last_exit or 0),
            "NeedDaemonReload": "no",
            "FragmentPath": str(self.file if self.loaded is not None else self.other or ""),
        }
        return "".join(f"{name}={value}\n" for name, value in words.items())


PRINTED = """\
{target} = {{
	active count = {count}
	path = {file}
	type = LaunchAgent
	state = {state}

	program = /usr/bin/python3
	domain = gui/501 [100002]
	minimum runtime = 30
	exit timeout = 20
	runs = 1
{more}
	spawn type = background (5)
	endpoints = {{
		"another" = {{
			state = active
			pid = 1
		}}
	}}
}}
"""


@dataclass
class RecordedLaunchd(Recorded):
    file: Path = Path()
    is_loaded: bool = False
    is_disabled: bool = False
    refusals: int = 0
    """So many bootstraps fail: the one before is still being taken down."""
    lingering: int = 0
    """So many looks after a bootout still see it; the bootout itself says then that it is on its way."""

    def answer(self, args: list[str]) -> Done:
        if args[0] == "tail":
            return Done(0, self.log)
        assert args[0] == "launchctl"
        match args[1:]:
            case ["print", target]:
                return self._printed(target)
            case ["print-disabled", _]:
                state = "disabled" if self.is_disabled else "enabled"
                return Done(0, f'\tdisabled services = {{\n\t\t"local.syncd" => {state}\n\t}}\n')
            case ["enable", _]:
                self.is_disabled = False
            case ["bootstrap", domain, file]:
                assert domain == f"gui/{os.getuid()}"
                assert file == str(self.file)
                if self.is_disabled:
                    return Done(119, err="Bootstrap failed: 119: Service is disabled\n")
                if self.is_loaded or self.refusals > 0:
                    self.refusals -= 1
                    return Done(5, err="Bootstrap failed: 5: Input/output error\n")
                self.is_loaded = True
                self.pid = 0 if self.exits is not None else self.pid + 100
            case ["bootout", _]:
                if not self.is_loaded:
                    return Done(3, err="Boot-out failed: 3: No such process\n")
                self.pid = 0
                if self.lingering:
                    return Done(36, err="Boot-out failed: 36: Operation now in progress\n")
                self.is_loaded = False
            case ["kickstart", *_]:
                self.pid += 100
        return Done(0)

    def _printed(self, target: str) -> Done:
        if self.lingering and not self.pid:
            self.lingering -= 1
            self.is_loaded = self.lingering > 0
        if not self.is_loaded:
            return Done(113, err=f'Bad request.\nCould not find service "{target}" in domain for user gui: 501\n')
        more = f"\tpid = {self.pid}" if self.pid else f"\tlast exit code = {self.exits or 0}: EX"
        state = "running" if self.pid else "not running"
        return Done(0, PRINTED.format(target=target, count=int(self.pid > 0), file=self.file, state=state, more=more))
