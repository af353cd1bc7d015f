"""The machine: Python, SQLite, who runs it, and how many directories the kernel watches for one user."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from syncd.cli.checkup.finding import Finding, well
from syncd.cli.output import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_INOTIFY: Final = "/proc/sys/fs/inotify"
_ENOUGH_WATCHES, _ENOUGH_INSTANCES = 524288, 512
_IN_MODIFY: Final = 2


class SQLiteBug(NamedTuple):
    name: str
    first: tuple[int, ...]
    fixed: tuple[int, ...]
    branches: tuple[tuple[int, ...], ...]
    """Where it was mended too: from this patch level on, of that minor version."""
    harm: str


KNOWN_BUGS: Final = (
    SQLiteBug(
        "the WAL-reset bug", (3, 7, 0), (3, 51, 3), ((3, 50, 7), (3, 44, 6)),
        "two programs that write or checkpoint at once can damage the ledger",
    ),
    SQLiteBug("a release that was withdrawn", (3, 52, 0), (3, 52, 1), (), "its authors advise against using it"),
)  # fmt: skip


def bugs_of(version: str) -> list[SQLiteBug]:
    """The known bugs that matter here, of an SQLite of this version."""
    number = tuple(int(part) for part in version.split(".") if part.isdecimal())
    return [
        bug
        for bug in KNOWN_BUGS
        if bug.first <= number < bug.fixed
        and not any(number[:2] == branch[:2] and number >= branch for branch in bug.branches)
    ]


def check_programs(sqlite_version: str) -> Iterator[Finding]:
    python = f"Python {sys.version.split()[0]} at {sys.executable}, SQLite {sqlite_version}"
    bugs = bugs_of(sqlite_version)
    for bug in bugs:
        yield Finding(
            "sqlite_bug", "error", f"SQLite {sqlite_version} has {bug.name}", bug.harm,
            "install a newer apsw, which brings its own SQLite: `pip install --upgrade apsw` in syncd's environment",
        )  # fmt: skip
    if not bugs:
        yield well("programs", python)


def check_user(environ: Mapping[str, str]) -> Iterator[Finding]:
    """By sudo, as a rule: root's files in somebody's home, which that somebody can no longer write."""
    home = environ.get("HOME", "")
    with suppress(OSError):
        owner = os.stat(home).st_uid
        if os.geteuid() == 0 and owner != 0:
            yield Finding(
                "root", "warning", f"this is root, in the home of user {owner}: {home}",
                "what root makes there, the ledger above all, its owner can neither read nor write",
                "run syncd as that user, without sudo", path=home,
            )  # fmt: skip


def try_watching(directories: list[str]) -> tuple[int, int | None]:
    """How many could be watched, and the errno of the first that could not."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init1(os.O_CLOEXEC)
    if descriptor < 0:
        return 0, ctypes.get_errno()
    try:
        for count, path in enumerate(directories):
            if libc.inotify_add_watch(descriptor, os.fsencode(path), _IN_MODIFY) < 0:
                fault = ctypes.get_errno()
                if fault not in (errno.ENOENT, errno.ENOTDIR, errno.EACCES):  # told elsewhere
                    return count, fault
    finally:
        os.close(descriptor)
    return len(directories), None


def check_watching(
    directories: Iterable[str], mode: str, watch: Callable[[list[str]], tuple[int, int | None]] = try_watching
) -> Iterator[Finding]:
    """By doing it: every directory is watched for a moment, which nobody notices."""
    wanted = list(directories)
    if not sys.platform.startswith("linux") or mode == "poll" or not wanted:
        return
    watched, fault = watch(wanted)
    limits = {name: _limit(name) for name in ("max_user_watches", "max_user_instances")}
    shown = ", ".join(f"{name} {limit}" for name, limit in limits.items() if limit is not None)
    if fault in (errno.ENOSPC, errno.EMFILE, errno.ENFILE):
        name = "max_user_watches" if fault == errno.ENOSPC else "max_user_instances"
        enough = max(_ENOUGH_WATCHES if fault == errno.ENOSPC else _ENOUGH_INSTANCES, 2 * (limits[name] or 0))
        yield Finding(
            "watch_limit", "warning", f"the kernel watches {watched} of {len(wanted)} directories for you ({shown})",
            "the rest is looked at every two seconds: later, and at more cost",
            f"sudo sysctl fs.inotify.{name}={enough}; to keep it:"
            f" echo fs.inotify.{name}={enough} | sudo tee /etc/sysctl.d/60-syncd.conf",
        )  # fmt: skip
    elif fault is not None:
        yield Finding(
            "no_events", "note", f"the kernel tells of no changes here: {os.strerror(fault)}",
            "files are looked at every two seconds instead", "nothing; watch.mode: poll says it is meant so",
        )  # fmt: skip
    else:
        yield well("watching", f"the kernel watches {counted(len(wanted), 'directory')} ({shown})")


def _limit(name: str) -> int | None:
    try:
        with open(f"{_INOTIFY}/{name}", encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None
