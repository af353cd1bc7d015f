"""What is wrong with the installed service, each with what to do, and the few lines that say how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.cli.service_order import order_of
from syncd.errors import ConfigError, ServiceError
from syncd.service.keeper import explained, read_service_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.cli.app import App
    from syncd.service import Keeper, ServiceState

LINGER = "loginctl enable-linger"


@dataclass(frozen=True, slots=True)
class Trouble:
    code: str
    message: str
    hint: str


def troubles(state: ServiceState, drift: Trouble | None) -> list[Trouble]:
    """The one judge, of `service status` and of `doctor`; `drift` is of the file (drift_of)."""
    return list(_found(state, drift))


def _found(state: ServiceState, drift: Trouble | None) -> Iterator[Trouble]:
    if state.problem is not None:
        hint = "log in as this user, not by su or sudo; where there is no such manager, run `syncd run` by other means"
        yield Trouble("unreachable", f"{state.manager} cannot be asked: {state.problem}", hint)
    if not state.installed and state.foreign is None:
        if state.problem is None:
            message = f"it is not installed ({state.file} is not there)"
            yield Trouble("not_installed", message, "`syncd service install` installs and starts it")
        return
    if drift is not None:
        yield drift
    if state.foreign is not None:
        return  # how it stands is for its owner to judge
    if state.enabled is False:
        yield Trouble("not_enabled", "it does not start with your login", "`syncd service install` enables it")
    if state.active is False:
        failed = state.last_exit not in (None, 0)
        why, hint = explained(state.last_exit) if failed else ("it was stopped", "`syncd service start` starts it")
        yield Trouble("not_running", f"{why} (exit {state.last_exit})" if failed else why, hint)
    elif state.is_failing:
        why, hint = explained(state.last_exit)
        yield Trouble("failing", f"it is down, and will be started again: {why} (exit {state.last_exit})", hint)
    if state.linger is False:
        hint = f"`{LINGER}` lets it go on, and start with the machine (an administrator: `sudo {LINGER} USER`)"
        yield Trouble("no_linger", "it ends with your last logout", hint)


def drift_of(app: App, keeper: Keeper, state: ServiceState) -> Trouble | None:
    """How the installed file differs from what `install` would write now."""
    if state.foreign is not None:
        hint = "look at it; `syncd service install --force` puts syncd's in its place"
        return Trouble("foreign", f"{state.foreign} was not written by syncd", hint)
    if not state.installed:
        return None
    if state.interpreter_exists is False:
        message = f"it starts {state.interpreter}, which is not there any more"
        return Trouble("interpreter_gone", message, "`syncd service install` names the one that you run now")
    try:
        texts = [keeper.text(order_of(app, is_boxed=is_boxed)) for is_boxed in (True, False)]
    except (ConfigError, ServiceError) as error:
        return Trouble("config", str(error), error.hint or "`syncd config check` lists all faults")
    if read_service_file(state.file) in texts:
        return None
    hint = "`syncd service install` writes it anew and restarts"
    return Trouble("outdated", f"{state.file} is not what this syncd would write", hint)


def status_lines(state: ServiceState, found: list[Trouble]) -> Iterator[str]:
    pid = f", pid {state.pid}" if state.pid is not None else ""
    yield f"service     {state.name}, {state.manager or 'no service manager'}"
    enabled = ", starts with your login" if state.enabled else ""
    yield f"state       {state.phase or 'unknown'}{pid}{enabled}"
    if state.installed:
        yield f"file        {state.file}"
        yield f"program     {state.interpreter or 'unknown'}"
    for each in found:
        mark = "note" if each.code == "no_linger" else "problem"
        yield f"{mark:<11} {each.message}; {each.hint}"
