"""The service: whether syncd starts by itself, and whether what it would start is still there.

What is wrong with it is judged in one place, service_status; here it gets its weight, and why it matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from syncd.cli.checkup.finding import Finding, Severity, well

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from syncd.cli.service_status import Trouble
    from syncd.service import ServiceState

_WEIGHTS: Final[dict[str, tuple[str, Severity, str]]] = {
    "unreachable": ("service_unknown", "note", "whether it runs is not known from there"),
    "not_installed": (
        "service_missing", "note",
        "after a logout or a restart nothing is mirrored until you start it, and OpenClaw prunes meanwhile",
    ),
    "interpreter_gone": (
        "service_interpreter", "error", "an upgrade or a removed environment took it away: the next start fails",
    ),
    "foreign": ("service_foreign", "note", "what it starts, and with which rights, is not known here"),
    "outdated": (
        "service_outdated", "warning", "it may mean other files than you do here, or may not write where it must",
    ),
    "not_enabled": ("service_disabled", "warning", "nothing is mirrored from then on"),
    "not_running": ("service_stopped", "error", "nothing is mirrored"),
    "failing": ("service_failing", "error", "nothing is mirrored meanwhile; after some failed starts it is given up"),
    "no_linger": ("linger", "note", "until your next login nothing is mirrored, should OpenClaw go on"),
}  # fmt: skip
"""By the codes of service_status. `config` is not here: doctor tells of the configuration by itself."""
_SERVES: Final = frozenset({"no_linger", "not_enabled"})
"""With these it works at this moment."""


def check_service(
    state: ServiceState, found: Sequence[Trouble], running_pid: int | None, system_unit: str | None
) -> Iterator[Finding]:
    """`running_pid`: of the daemon that holds the ledger; `system_unit`: that of an administrator in which it runs."""
    if state.manager is None:
        return
    if system_unit is not None and not state.active:
        yield well("service", f"{system_unit}, a system-wide unit, runs syncd, pid {running_pid}")
        return
    for trouble in found:
        if trouble.code == "not_running" and running_pid is not None:
            yield _beside(state, trouble, running_pid)
        elif (weight := _WEIGHTS.get(trouble.code)) is not None:
            code, severity, why = weight
            path = state.file if state.installed else ""
            yield Finding(code, severity, f"{state.name}: {trouble.message}", why, trouble.hint, path=path)
    if state.active and {trouble.code for trouble in found} <= _SERVES:
        yield well("service", f"{state.name}: {state.phase or 'active'}")


def _beside(state: ServiceState, trouble: Trouble, running_pid: int) -> Finding:
    return Finding(
        "service_beside", "note",
        f"{state.name}: {trouble.message}; syncd runs outside of it, pid {running_pid}",
        "that one ends with your session", "stop it, then `syncd service start`", path=state.file,
    )  # fmt: skip
