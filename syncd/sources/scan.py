"""Which files there are: the session directories of a state dir, listed, and what changed in them since last time.

Only lists and stats; nothing is opened. A pass over ten thousand unchanged files is what this is made for.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import SourceError
from syncd.openclaw.state_dirs import (
    agents_dir,
    import_archive_dir,
    old_import_archive_dir,
    old_sessions_dir,
    sessions_dir,
)
from syncd.records import FileProblem, FileStat, ListedFile, StatFields
from syncd.sources.links import links_to
from syncd.sources.opening import is_another_spelling, reason_and_hint, stat_at
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

KnownStats = Mapping[str, StatFields | None]
"""Path -> the stat under which its bytes were last proven equal; None = known, but to be looked at."""

OLDEST_AGENT = "main"  # whose sessions the layout before agents held


class SessionDirectory(NamedTuple):
    agent_id: str
    path: str


@dataclass(slots=True)
class Scan:
    """What one listing found. `directories`: those that it listed, OpenClaw's databases among them; `notes`: what is to
    be said of what could be read; `written_ns`: by agent, the newest write it saw.
    """

    directories: list[SessionDirectory] = field(default_factory=list)
    changed: list[ListedFile] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)
    notes: list[FileProblem] = field(default_factory=list)
    written_ns: dict[str, int] = field(default_factory=dict)


def session_directories(state_dir: str, agent_globs: Iterable[str]) -> Iterator[SessionDirectory]:
    """Every directory below `state_dir` that may hold transcripts, each once. SourceError: agents cannot be listed."""
    return directories_of(state_dir, sorted(_agents(state_dir)), tuple(agent_globs))


def state_dir_problem(state_dir: str) -> FileProblem | None:
    """Why there is nothing to be found in a state dir; None where one is."""
    hint = "start OpenClaw once, or correct openclaw.state_dirs in config.yaml"
    try:
        is_directory = stat.S_ISDIR(os.stat(state_dir).st_mode)
    except FileNotFoundError:
        return FileProblem(state_dir, "there is no such state directory", hint)
    except OSError as error:
        return unlistable(state_dir, error)
    return None if is_directory else FileProblem(state_dir, "is no directory", hint)


def directories_of(state_dir: str, agents: list[str], globs: tuple[str, ...]) -> Iterator[SessionDirectory]:
    """Those of the agents, and the ones from before there were agents."""
    seen: set[str] = set()
    candidates = [
        SessionDirectory(agent, path)
        for agent in agents
        for path in (sessions_dir(state_dir, agent), import_archive_dir(state_dir, agent))
    ]
    candidates += [
        SessionDirectory(OLDEST_AGENT, path)
        for path in (old_sessions_dir(state_dir), old_import_archive_dir(state_dir))
    ]
    candidates.sort(key=lambda item: links_to(f"{item.path}/"))  # a link never stands for the real one
    for directory in candidates:
        if not is_wanted(directory.agent_id, globs) or not may_be_directory(directory.path):
            continue
        real = os.path.realpath(directory.path)
        if real not in seen:
            seen.add(real)
            yield directory


def may_be_directory(path: str) -> bool:
    """Also where we may not look: then the listing says so, and nothing below is taken for gone."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except OSError as error:
        return error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def is_wanted(agent_id: str, agent_globs: Iterable[str]) -> bool:
    return any(fnmatchcase(agent_id, glob) for glob in agent_globs)


def scan(directories: Iterable[SessionDirectory], known: KnownStats) -> Scan:
    """Files that are new or look changed, known ones that are missing, and directories that cannot be listed."""
    found = Scan()
    unseen = dict(known)
    unlisted: list[str] = []
    for directory in directories:
        found.directories.append(directory)
        try:
            # Names are looked up in the open directory: a fifth less than their whole paths cost.
            descriptor = os.open(directory.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        except OSError as error:
            found.problems.append(unlistable(directory.path, error))
            unlisted.append(f"{directory.path}/")
            continue
        try:
            _look_at(list(os.scandir(descriptor)), directory, known, unseen, found)
        except OSError as error:
            found.problems.append(unlistable(directory.path, error))
            unlisted.append(f"{directory.path}/")
        finally:
            os.close(descriptor)
    found.missing = [path for path in unseen if not path.startswith(tuple(unlisted))]
    return found


def _look_at(
    entries: list[os.DirEntry[str]],
    directory: SessionDirectory,
    known: KnownStats,
    unseen: dict[str, StatFields | None],
    found: Scan,
) -> None:
    """What is there is taken out of `unseen`; what looks changed, or cannot be looked at, is added to `found`."""
    prefix = directory.path + "/"
    newest = found.written_ns.get(directory.agent_id, 0)
    while entries:
        entry = entries.pop()  # each keeps its stat: memory that thousands of others can use again
        path = prefix + entry.name
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue  # vanished since it was listed: missing, and looked at next time
        except OSError as error:
            found.problems.append(FileProblem(path, *reason_and_hint("looked at", error)))
            unseen.pop(path, None)
            continue
        written = status.st_mtime_ns
        if written > newest and ".jsonl" in entry.name and not entry.name.endswith(".lock"):
            newest = found.written_ns[directory.agent_id] = written
        facts = (status.st_dev, status.st_ino, status.st_size, written, status.st_ctime_ns)
        if unseen.pop(path, None) == facts:
            continue
        stat_now = FileStat.of(status)
        if known.get(path) == stat_now:  # a name that was listed twice, or more bits than are kept
            continue
        is_regular = stat.S_ISREG(status.st_mode)
        found.changed.append(
            ListedFile(directory.agent_id, directory.path, entry.name, stat_now, status.st_nlink, is_regular)
        )


def list_one(agent_id: str, path: str) -> ListedFile | None:
    """The listing of a single file, None when it is not there by that very name."""
    if is_stored(path):
        stored = stat_at(path)
        return ListedFile(agent_id, *os.path.split(path), stored, 1, is_regular=True) if stored is not None else None
    try:
        status = os.lstat(path)
    except OSError:
        return None
    if is_another_spelling(path):
        return None
    directory, name = os.path.split(path)
    is_regular = stat.S_ISREG(status.st_mode)
    return ListedFile(agent_id, directory, name, FileStat.of(status), status.st_nlink, is_regular)


def _agents(state_dir: str) -> list[str]:
    try:
        return os.listdir(agents_dir(state_dir))
    except FileNotFoundError:
        return []
    except OSError as error:
        # Not an empty household: nothing may be taken for gone because of this.
        path = agents_dir(state_dir)
        reason, hint = reason_and_hint("listed", error)
        raise SourceError(f"{path} {reason}", hint, path=path) from error


def unlistable(path: str, error: OSError) -> FileProblem:
    reason, hint = reason_and_hint("listed", error)
    return FileProblem(path, reason, hint)
