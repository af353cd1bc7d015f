"""What `run`, `resync` and `verify` share: which state dirs, with which options, and how the outcome is told."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.cli.output import NAMED_AT_MOST, counted, named, note
from syncd.errors import ConfigError, SyncdError
from syncd.ledger.surroundings import file_system, is_network
from syncd.mirror.catchup import CatchUpOptions, Pace
from syncd.mirror.index_look import IndexOptions
from syncd.openclaw.state_dirs import agents_dir, old_sessions_dir
from syncd.paths import is_within
from syncd.sources.state_dirs import find_state_dirs
from syncd.sources.store_scan import NEWER_CODE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.cli.app import App
    from syncd.clock import Clock
    from syncd.ledger.hold import Hold
    from syncd.mirror.catchup import CatchUp
    from syncd.records import FileProblem

_CHECK_SECONDS = 0.1
_LOCK_LOOK_SECONDS = 1.0


def state_dirs(app: App) -> tuple[str, ...]:
    return find_state_dirs(app.settings.openclaw.state_dirs, app.environ, app.profile)


def state_dirs_to_mirror(app: App) -> tuple[str, ...]:
    """All that are meant, if at least one is there; what is missing of several is a problem of its own."""
    refuse_ledger_inside(app)
    wanted = state_dirs(app)
    if not any(os.path.isdir(path) for path in wanted):
        raise SyncdError(
            f"no OpenClaw state directory at {', '.join(wanted)}",
            "start OpenClaw once, or name its place with OPENCLAW_STATE_DIR or openclaw.state_dirs in config.yaml;"
            " `syncd doctor` looks for it, and `make demo` in a clone needs none",
        )
    for path in wanted:
        if os.path.isdir(path) and not any(
            os.path.lexists(place) for place in (agents_dir(path), old_sessions_dir(path))
        ):
            note(f"{path} holds no agents: is it OpenClaw's state directory? `syncd doctor` says more")
    return wanted


def refuse_ledger_inside(app: App) -> None:
    """Nothing of ours is ever made below a state dir of OpenClaw's, wherever links lead."""
    refuse_inside(app, "ledger", app.ledger_path, "`ledger.path` in config.yaml or $SYNCD_LEDGER")
    _refuse_network(app.ledger_path)


def _refuse_network(ledger_path: Path) -> None:
    kind = file_system(ledger_path)
    if is_network(kind):
        raise ConfigError(
            f"the ledger {ledger_path} lies on a network file system ({kind}), where SQLite's log is not safe",
            hint="name a place on a local disk with `ledger.path` in config.yaml or $SYNCD_LEDGER;"
            " `syncd ledger backup` can copy it to the network",
        )


def refuse_log_inside(app: App) -> None:
    refuse_inside(app, "health log", app.health_log_path, "`health.log_path` in config.yaml")
    if app.prometheus_path is not None:
        what = "file for Prometheus"
        refuse_inside(app, what, app.prometheus_path, "`health.prometheus_path` in config.yaml")


def refuse_inside(app: App, what: str, path: Path, named_by: str) -> None:
    real = os.path.realpath(path)
    for state_dir in state_dirs(app):
        if is_within(real, state_dir):
            where = "" if real == str(path) else f" (really {real})"
            raise ConfigError(
                f"the {what} {path}{where} lies in OpenClaw's state directory {state_dir}",
                hint=f"nothing is written there: name another place with {named_by}",
            )


def catch_up_options(app: App, lock_wait: float) -> CatchUpOptions:
    """For a catch-up of everything."""
    settings = app.settings
    return CatchUpOptions(
        agents=settings.openclaw.agents,
        settle_seconds=settings.watch.settle_seconds,
        max_line_bytes=settings.limits.max_line_bytes,
        lock_wait_seconds=lock_wait,
        index=index_options(app),
        environ=app.environ,
    )


def index_options(app: App) -> IndexOptions:
    watch = app.settings.watch
    return IndexOptions(
        app.environ, app.settings.openclaw.agents, watch.confirm_removal_seconds, idle_seconds=watch.idle_seconds
    )


class CheckedPace(Pace):
    """Of one who has the process to himself, and the writer lock: it ends where `check` raises, or that is lost."""

    def __init__(self, clock: Clock, check: Callable[[], None], hold: Hold) -> None:
        super().__init__(clock)
        self._check_caller, self._hold = check, hold
        self._looks_at = clock.monotonic()

    def _check(self) -> None:
        self._check_caller()
        if (now := self._clock.monotonic()) >= self._looks_at:
            self._looks_at = now + _LOCK_LOOK_SECONDS
            self._hold.keep()

    def at_border(self) -> None:
        self._check()

    def within_file(self) -> None:
        self._check()

    def wait(self, seconds: float) -> None:
        for _ in range(int(seconds / _CHECK_SECONDS)):
            super().wait(_CHECK_SECONDS)
            self._check()
        super().wait(seconds % _CHECK_SECONDS)


def document(result: CatchUp) -> dict[str, object]:
    return {
        "ok": result.is_complete,
        "transcripts": result.transcripts,
        "lines": result.lines,
        "bytes": result.bytes,
        "quarantined": result.quarantined,
        "sessions": result.sessions,
        "seconds": round(result.seconds, 6),
        "problems": result.problems,
        "lost": result.lost,
        "in_progress": [{"path": item.path, "reason": item.reason} for item in result.in_progress],
        "degraded": [item._asdict() for item in result.degraded],
        **refused_document(result.refused),
        "unknown_files": len(result.unknown),
    }


def refused_document(refused: list[FileProblem]) -> dict[str, object]:
    return {"refused": refused[:NAMED_AT_MOST], "refused_count": len(refused)}


def refused_text(refused: list[FileProblem]) -> list[str]:
    title = f"{len(refused)} left alone, since only regular files are read"
    return _named(title, [f"{item.path} {item.reason}" for item in refused])


def text(result: CatchUp, ledger_path: str) -> list[str]:
    counts = ((result.transcripts, "transcript"), (result.lines, "line"), (result.bytes, "byte"))
    what = ", ".join(counted(*each) for each in counts)
    lines = [f"{what} taken in in {result.seconds:.2f} s; ledger {ledger_path}"]
    if result.quarantined:
        which = counted(result.quarantined, "line")
        lines.append(f"{which} could not be understood; see the table quarantine")
    if result.sessions:
        lines.append(f"{counted(result.sessions, 'session')} of OpenClaw's index new or changed")
    unread = {item.path for item in result.problems}
    told = [item for item in result.degraded if item.path not in unread]
    newer = [f"{item.path} {item.reason}; upgrade syncd" for item in told if item.code == NEWER_CODE]
    lines += _named("of a release that is newer than this syncd", newer)
    faults = [f"{item.path}: {item.reason}" for item in told if item.code != NEWER_CODE]
    lines += _named("gone or not understood, last known state kept", faults)
    lines += refused_text(result.refused)
    title = f"{len(result.unknown)} left alone, since OpenClaw gives no transcript such a name"
    lines += _named(title, [item.path for item in result.unknown])
    lines += _named("still being written", [f"{item.path} ({item.reason})" for item in result.in_progress])
    lines += _named("lost", [f"{item.path}: {item.reason}" for item in result.lost])
    lines += _named("could not be read", [_with_hint(item) for item in result.problems])
    return lines


def _with_hint(problem: FileProblem) -> str:
    return f"{problem.path}: {problem.reason}" + (f"; {problem.hint}" if problem.hint else "")


def _named(title: str, items: list[str]) -> list[str]:
    return [f"{title}:", *named(items)] if items else []
