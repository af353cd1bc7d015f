"""What both service managers can do for syncd, and what they share: the file that is written, the wait for a start.

Each act returns what it changed, in words for people; nothing changed is an empty tuple. ServiceError says what is
wrong and what to do.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Protocol

from syncd.errors import ServiceError
from syncd.paths import make_private_dir, write_private_file
from syncd.service.unit import MARK

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.clock import Clock
    from syncd.service.order import Order
    from syncd.service.record import ServiceState
    from syncd.service.runner import Done, Run

START_WAIT_SECONDS: Final = 15.0
_LOOK_SECONDS: Final = 0.2
_MAX_FILE_BYTES: Final = 1024 * 1024

Changes = tuple[str, ...]


class Keeper(Protocol):
    """systemd's user manager, or launchd."""

    def text(self, order: Order) -> str:
        """The file that `install` writes for this order."""
        ...

    def state(self) -> ServiceState: ...

    def install(self, order: Order, *, starts: bool, force: bool = False, renews: bool = False) -> Changes:
        """`renews`: what runs is older than what is installed, and is restarted also where the file stays."""
        ...

    def uninstall(self, *, force: bool = False) -> Changes: ...

    def start(self) -> Changes: ...

    def stop(self) -> Changes: ...

    def restart(self) -> Changes: ...

    def logs(self, lines: int, *, follow: bool) -> Done: ...


def write_service_file(file: str, text: str) -> bool:
    """False: it says so already."""
    if read_service_file(file) == text:
        return False
    write_private_file(file, text.encode(), replace=True)
    return True


def foreign_of(*files: str) -> str | None:
    """The first of these that is there and not by syncd: where ours would be, and what the manager goes by."""
    return next((file for file in files if _is_foreign(file)), None)


def _is_foreign(file: str) -> bool:
    found = read_service_file(file)
    return found is not None and MARK.removeprefix("# ") not in found


def has_no_box(file: str) -> bool:
    """A unit of ours that was installed without the sandbox."""
    found = read_service_file(file)
    return found is not None and not _is_foreign(file) and "\nExecStart=" in found and "\nProtectSystem=" not in found


def refuse_foreign(found: ServiceState, remedy: str) -> None:
    if found.foreign is not None:
        raise ServiceError(f"{found.foreign} was not written by syncd", f"look at it; {remedy}")


def own(found: ServiceState, by_hand: str) -> ServiceState:
    """The state of a service that is ours to start and stop; `by_hand`: what does that to one that is not."""
    refuse_foreign(found, f"`{by_hand}` acts on it, `syncd service install --force` replaces it")
    if not found.installed:
        raise ServiceError(f"{found.name} is not installed", "`syncd service install` installs and starts it")
    return found


FORCED_INSTALL: Final = "`syncd service install --force` puts syncd's in its place"
FORCED_UNINSTALL: Final = "`syncd service uninstall --force` stops it, and removes it where syncd's would be"


def read_service_file(file: str) -> str | None:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:
            return opened.read(_MAX_FILE_BYTES)
    except OSError:
        return None


def remove_service_file(file: str) -> None:
    try:
        os.unlink(file)
    except FileNotFoundError:
        return
    except OSError as fault:
        raise ServiceError(f"cannot remove {file}: {fault.strerror}", "look at the rights of its directory") from None


def make_own_dirs(order: Order) -> None:
    """A sandbox can only open what is there."""
    for place in order.writable:
        make_private_dir(place)


def check_command(order: Order, run: Run) -> None:
    """That the program starts without what this shell knows: an agent of a manager has none of it."""
    *start, _ = order.command  # without `run`
    tried = run(["env", "-u", "PYTHONPATH", "-u", "PYTHONHOME", *start, "--version"])
    if tried.code != 0:
        raise ServiceError(
            f"{order.command[0]} cannot start syncd: {tried.words or f'exit {tried.code}'}",
            "install syncd there (`pip install .`, `pipx install .`, `uv tool install .`) and call it from there",
        )


def settled(look: Callable[[], ServiceState], clock: Clock, is_settled: Callable[[ServiceState], bool]) -> ServiceState:
    """The state once it is what it will be, or what it is after a while: a first catch-up may take minutes."""
    until = clock.monotonic() + START_WAIT_SECONDS
    while not is_settled(found := look()) and clock.monotonic() < until:
        clock.sleep(_LOOK_SECONDS)
    return found


def explained(last_exit: int | None) -> tuple[str, str]:
    """Why a process ended, and what to do about it; systemd's own codes (203 and above) are of its preparations."""
    if last_exit is not None and last_exit > _SIGNALS and last_exit not in _REASONS:
        return f"signal {last_exit - _SIGNALS} ended it", _LOGS
    return _REASONS.get(last_exit or 0, ("it ended at once", _LOGS))


def refuse_failed_start(found: ServiceState) -> None:
    """Of one that is neither running nor starting."""
    why, hint = explained(found.last_exit)
    ended = f" (exit {found.last_exit})" if found.last_exit is not None else ""
    raise ServiceError(f"{found.name} did not start: {why}{ended}", hint)


_SIGNALS: Final = 128
_LOGS: Final = "`syncd service logs` says why; `syncd run` shows it here"
_NO_NAMESPACES: Final = (
    "this machine does not let its sandbox be made",
    (
        "`syncd service logs` names the step; `syncd service install --no-sandbox` does without user namespaces, or let"
        " an administrator allow them (sysctl kernel.unprivileged_userns_clone=1,"
        " kernel.apparmor_restrict_unprivileged_userns=0)"
    ),
)
_REASONS: Final = {
    75: (
        "another syncd holds the ledger",
        "`syncd status` names its pid; stop that one, then `syncd service start`",
    ),
    78: (
        "the configuration is faulty, or the ledger is a newer syncd's",
        "`syncd config check` and `syncd service logs` tell which; then `syncd service start`",
    ),
    203: ("its program is not there any more", "`syncd service install` names the one that you run now"),
    217: _NO_NAMESPACES,
    218: _NO_NAMESPACES,
    226: _NO_NAMESPACES,
}
