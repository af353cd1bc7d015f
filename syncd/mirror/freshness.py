"""How far the ledger is behind OpenClaw, seen from outside: by the stats of files and what databases tell of sessions.

Judged by data: bytes that a file has and the ledger has not taken in. Whether a process is alive is another question.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import SourceError
from syncd.mirror.installation import known_files
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.path_text import printable
from syncd.sources.index_places import index_places
from syncd.sources.known_places import NOWHERE
from syncd.sources.locks import read_lock_file
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.store_places import store_places
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.openclaw.locks import LockKind
    from syncd.records import FileProblem, ListedFile
    from syncd.sources.store_places import StorePlace


class SeenLock(NamedTuple):
    """A lock file of OpenClaw's."""

    path: str
    kind: str
    pid: int | None
    since: int | None
    stale: bool
    reason: str


@dataclass(slots=True)
class AgentFreshness:
    """`behind_seconds`: age of the oldest write that is not in the ledger, as far as can be told.

    `last_write_at`: when OpenClaw last wrote a transcript, `last_taken_at`: when the ledger last took something in.
    """

    agent_id: str
    behind_bytes: int = 0
    behind_seconds: float = 0.0
    last_write_at: int | None = None
    last_taken_at: int | None = None

    def waits(self, unread_bytes: int, seconds: float) -> None:
        self.behind_bytes += unread_bytes
        self.behind_seconds = max(self.behind_seconds, round(seconds, 3))

    def wrote(self, at_ms: int | None) -> None:
        self.last_write_at = max(filter(None, (self.last_write_at, at_ms)), default=None)

    def took(self, at_ms: int | None) -> None:
        self.last_taken_at = max(filter(None, (self.last_taken_at, at_ms)), default=None)


@dataclass(slots=True)
class Freshness:
    """`at_ms`: when it was looked."""

    agents: dict[str, AgentFreshness] = field(default_factory=dict)
    locks: list[SeenLock] = field(default_factory=list)
    at_ms: int = 0
    problems: list[FileProblem] = field(default_factory=list)
    """What could not be looked at, so that nothing is known of it."""

    def agent(self, agent_id: str) -> AgentFreshness:
        return self.agents.setdefault(agent_id, AgentFreshness(agent_id))

    @property
    def behind_bytes(self) -> int:
        return sum(agent.behind_bytes for agent in self.agents.values())

    @property
    def behind_seconds(self) -> float:
        return max((agent.behind_seconds for agent in self.agents.values()), default=0.0)

    def waits_at_least(self, seconds: Mapping[str, float]) -> None:
        """By agent: what one who looked for longer knows of those who are behind."""
        for agent in self.agents.values():
            if agent.behind_bytes:
                agent.behind_seconds = max(agent.behind_seconds, round(seconds.get(agent.agent_id, 0.0), 3))

    def took(self, taken_ms: Mapping[str, int]) -> None:
        """By agent: when the ledger last took something in."""
        for agent in self.agents.values():
            agent.took(taken_ms.get(agent.agent_id))

    def wrote(self, written_ns: Mapping[str, int]) -> None:
        """By agent: when OpenClaw last wrote. A file's time may lie in the future; what it did does not."""
        for agent in self.agents.values():
            written = written_ns.get(agent.agent_id)
            agent.wrote(min(written // 1_000_000, self.at_ms) if written is not None else None)


def freshness(
    ledger: Ledger | None,
    state_dirs: Iterable[str],
    agent_globs: tuple[str, ...],
    environ: Mapping[str, str],
    now_ms: int,
    left_at_ms: int | None = None,
) -> Freshness:
    """`ledger`: None where there is none yet, and every byte waits for it.

    `left_at_ms`: when the ledger was last written, where nobody writes it now.
    """
    found = Freshness(at_ms=now_ms)
    for state_dir in state_dirs:
        files = known_files(ledger, state_dir) if ledger is not None else None
        config = read_openclaw_config(state_dir, environ).config
        known, places = (files.stats(), files) if files is not None else ({}, NOWHERE)
        listing = scan_state_dir(state_dir, agent_globs, environ, known, config, places)
        with suppress(SourceError):  # agents that cannot be listed; what is behind says enough
            for place in index_places(state_dir, config, agent_globs, home_of(environ)):
                if not place.is_store:
                    add_lock(found, place.path + ".lock", "index")
        for directory in listing.directories:
            found.agent(directory.agent_id)
        found.problems += listing.problems
        found.wrote(listing.written_ns)
        for item in listing.changed:
            if classify(item.name).kind != "lock":
                add_behind(found, item, files, now_ms, left_at_ms=left_at_ms)
            elif item.name.endswith(".jsonl.lock") and not is_lock_of_purged(files, item.path):
                add_lock(found, item.path, "transcript")
        if stores := store_places(state_dir, config, agent_globs, home_of(environ), places):
            add_trajectories(found, ledger, files, stores)
    return found


def add_trajectories(
    found: Freshness, ledger: Ledger | None, files: FileTable | None, places: Iterable[StorePlace]
) -> None:
    """Count what these databases have of trajectories and the ledger has not."""
    from syncd.mirror.trajectory_freshness import waiting_events  # only where there are databases

    for waiting in waiting_events(ledger, files, places):
        age = (found.at_ms - min(waiting.written_ms, found.at_ms)) / 1000
        found.agent(waiting.agent_id).waits(waiting.bytes, age)


def add_behind(
    found: Freshness, item: ListedFile, files: FileTable | None, now_ms: int, *,
    waited_seconds: float = 0.0, left_at_ms: int | None = None,
) -> bool:  # fmt: skip
    """Count what this file, as its stat has it, is ahead of the ledger; False where it is not.

    Its mtime is that of the newest byte. The oldest unread one waits for as long as somebody saw it, `waited_seconds`;
    where nobody looked, it may be as old as the last byte that was read, or as the ledger's last writer is gone.
    """
    if classify(item.name).kind not in TRANSCRIPT_KINDS or not item.is_regular:
        return False
    known = files.get(item.path) if files is not None else None
    if known is not None and known.role != "refused" and known.stat == item.stat:
        return False
    if known is None and files is not None and files.kept_out and _is_purged(files, item):
        return False
    known_size = known.stat.size if known is not None and known.transcript_id is not None else 0
    if item.stat.size <= known_size:
        return False  # touched, rewritten at the same length, or cut short: no byte is known to be missing
    written_ms = item.stat.mtime_ns / 1e6
    if left_at_ms is not None and known is not None and known_size:
        written_ms = min(written_ms, max(known.stat.mtime_ns / 1e6, left_at_ms))
    age = max(0.0, (now_ms - written_ms) / 1000, waited_seconds)
    found.agent(item.agent_id).waits(item.stat.size - known_size, age)
    return True


def _is_purged(files: FileTable, item: ListedFile) -> bool:
    from syncd.mirror.kept_out import is_kept_out  # seldom needed, and `status` is to be quick

    name = classify(item.name)  # which says enough, nearly always
    return files.kept_out.is_session(name.session_id) or is_kept_out(files.kept_out, item.path, name)


def is_lock_of_purged(files: FileTable | None, path: str) -> bool:
    """Nothing is said of what was purged, not even who writes to it."""
    if files is None:
        return False
    return bool(files.kept_out) and files.kept_out.is_session(classify(os.path.basename(path)).session_id)


def merged(parts: Iterable[Freshness], now_ms: int) -> Freshness:
    """Of several state dirs together; an agent's name is the same agent in each."""
    whole = Freshness(at_ms=now_ms)
    for part in parts:
        for each in part.agents.values():
            agent = whole.agent(each.agent_id)
            agent.waits(each.behind_bytes, each.behind_seconds)
            agent.wrote(each.last_write_at)
            agent.took(each.last_taken_at)
        whole.locks += part.locks
        whole.problems += part.problems
    return whole


def last_taken(ledger: Ledger) -> dict[str, int]:
    """By agent: when rows of its transcripts last changed. Reads every transcript's row, so not for each look."""
    # Read through: an index by agent would have it look up row after row.
    return dict(ledger.execute("SELECT agent_id, max(changed_at) FROM transcripts NOT INDEXED GROUP BY agent_id"))


def add_lock(found: Freshness, path: str, kind: LockKind) -> None:
    read = read_lock_file(path, kind, found.at_ms)
    if read is not None:
        payload, verdict = read
        pid, since = (payload.pid, payload.created_at_ms) if payload is not None else (None, None)
        found.locks.append(SeenLock(printable(path), kind, pid, since, verdict.stale, verdict.reason))
