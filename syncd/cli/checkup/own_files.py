"""syncd's own files and directories: there, this user's, private, writable; and what a dead daemon left behind."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from syncd.cli.checkup.finding import Finding, Fix, Severity
from syncd.cli.checkup.rights import may
from syncd.daemon.health_log import log_files
from syncd.daemon.messages import socket_path
from syncd.ledger.hold import lock_path
from syncd.paths import make_dirs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from syncd.cli.app import App

_OTHERS = 0o077
_WHY_PRIVATE = "others on this machine can read what was said in your sessions"
_WHY_CLOSED = "it says where your ledger is and what is kept; syncd keeps all of its own to its user"
_WHY_OWNER = "it cannot be written, so nothing can be mirrored; a run with sudo leaves such files"


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """`is_ours`: named for syncd, so that its mode is ours to set; a directory that somebody chose is not."""

    path: Path
    is_directory: bool
    is_ours: bool = True
    is_needed: bool = False
    is_written: bool = True
    """False: it need only be read, by whomever it was put there."""
    has_words: bool = True
    """Whether something that was said can be in it."""


def own_places(app: App) -> Iterator[OwnPlace]:
    ledger, log, config = app.ledger_path, app.health_log_path, app.paths.config
    defaults = {app.paths.ledger.parent, app.paths.health_log.parent, app.paths.state_dir}
    for directory in dict.fromkeys((ledger.parent, log.parent)):
        yield OwnPlace(directory, is_directory=True, is_ours=directory in defaults, is_needed=True)
    if app.paths.config_origin == "default":
        yield OwnPlace(config.parent, is_directory=True, is_written=False, has_words=False)
        yield OwnPlace(config, is_directory=False, is_written=False, has_words=False)
    real = ledger.resolve()
    backups = real.parent / "backups"
    yield OwnPlace(backups, is_directory=True)
    beside = (f"{real.name}{suffix}" for suffix in ("", "-wal", "-shm", ".beat.json"))
    for file in (*(real.with_name(name) for name in beside), lock_path(ledger), *log_files(log)):
        yield OwnPlace(file, is_directory=False)
    if os.path.isdir(backups) and may(backups, os.R_OK | os.X_OK):
        for file in sorted(backups.glob("*.db")):
            yield OwnPlace(file, is_directory=False)


def check_own_files(app: App) -> Iterator[Finding]:
    """What lies in a directory that is closed to us is not judged: that it is closed is said once."""
    closed: set[Path] = set()
    for place in own_places(app):
        if place.path.parent in closed:
            continue
        yield from _judged(place)
        if place.is_directory and not may(place.path, os.X_OK):
            closed.add(place.path)


def check_socket(ledger_path: Path, running_pid: int | None) -> Iterator[Finding]:
    """A daemon that was killed leaves its socket; the next one takes its place, and verbs find nobody behind it."""
    path = socket_path(ledger_path)
    if running_pid is None and _is_socket(path):
        fix = Fix(f"removed the socket {path}", str(path), partial(path.unlink, missing_ok=True))
        yield Finding(
            "stale_socket", "note", f"{path} is of a syncd that has ended", "it does no harm, and nobody answers there",
            "remove it, or start syncd, which replaces it", path=str(path), fix=fix,
        )  # fmt: skip


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except OSError:
        return False


def _judged(place: OwnPlace) -> Iterator[Finding]:
    path = place.path
    try:
        status = path.lstat()
    except FileNotFoundError:
        if place.is_needed:
            yield _absent(path)
        return
    except OSError as error:
        shut = next((up for up in reversed(path.parents) if not may(up, os.X_OK)), path.parent)
        yield Finding(
            "own_unreachable", "error", f"{path} cannot be looked at: {error.strerror}", _WHY_OWNER,
            f"name another place in config.yaml, or let the owner of '{shut}' open it for you", path=str(path),
        )  # fmt: skip
        return
    if stat.S_ISLNK(status.st_mode):
        return  # somebody laid it elsewhere: whatever is there is theirs
    if place.is_directory != stat.S_ISDIR(status.st_mode):
        kind = "a directory" if place.is_directory else "a file"
        remedy = "move it away, or name another place in config.yaml"
        yield Finding("own_kind", "error", f"{path} is not {kind}", "syncd keeps its own there", remedy, path=str(path))
    elif os.geteuid() not in (0, status.st_uid) and place.is_ours and place.is_written:
        # -R only on what is named for syncd; a file that the settings named may be anybody's.
        chown = f"sudo chown {'-R ' if place.is_directory else ''}{os.geteuid()} '{path}'"
        remedy = f"if syncd made it, give it back: {chown}; else name another place in config.yaml"
        yield Finding(
            "own_owner", "error", f"{path} belongs to user {status.st_uid}", _WHY_OWNER, remedy, path=str(path)
        )
    elif place.is_written and not may(path, os.W_OK | (os.X_OK if place.is_directory else 0)):
        mode = 0o700 if place.is_directory else 0o600
        fix = _chmod(path, mode) if status.st_uid == os.geteuid() and place.is_ours else None
        remedy = f"chmod {mode:o} '{path}'" if fix else "name another place in config.yaml, or make it writable for you"
        yield Finding("own_unwritable", "error", f"{path} may not be written", _WHY_OWNER, remedy, str(path), fix)
    elif status.st_mode & _OTHERS and place.is_ours and os.geteuid() in (0, status.st_uid):
        mode = 0o700 if place.is_directory else 0o600
        what = f"{path} is open to others (mode {stat.S_IMODE(status.st_mode):o})"
        fix = _chmod(path, mode)
        severity: Severity = "warning" if place.has_words else "note"
        why = _WHY_PRIVATE if place.has_words else _WHY_CLOSED
        yield Finding("own_mode", severity, what, why, f"chmod {mode:o} '{path}'", str(path), fix)


def _absent(path: Path) -> Finding:
    above = next((up for up in path.parents if os.path.exists(up)), path.parent)
    if not may(above, os.W_OK | os.X_OK):
        return Finding(
            "own_missing", "error", f"{path} is not there and cannot be made in {above}", _WHY_OWNER,
            "make it writable for you, or name another place in config.yaml", path=str(path),
        )  # fmt: skip
    fix = Fix(f"made the directory {path}", str(path), partial(make_dirs, path))
    why = "the first run makes it; a hardened service may not"
    return Finding("own_missing", "note", f"{path} is not there yet", why, "`syncd doctor --fix`", str(path), fix)


def _chmod(path: Path, mode: int) -> Fix:
    return Fix(f"set {path} to mode {mode:o}", str(path), partial(os.chmod, path, mode, follow_symlinks=True))
