"""What OpenClaw has written and the ledger has not, of one installation: kept up between two listings.

Judged by the files' own stats whenever somebody asks. Only who is there all the time knows since when a byte waits.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.mirror.freshness import AgentFreshness, Freshness, add_behind, add_lock, is_lock_of_purged
from syncd.openclaw.file_kinds import classify
from syncd.sources.scan import list_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from syncd.clock import Clock
    from syncd.ledger.files import FileTable
    from syncd.records import ListedFile
    from syncd.sources.scan import Scan

MAX_LOCKS = 100


class Unread:
    def __init__(self, clock: Clock, taken_at: dict[str, int]) -> None:
        """`taken_at`: by agent, when the ledger last took something in."""
        self._clock = clock
        self._taken_at = taken_at
        self._since: dict[str, float] = {}  # paths with unread bytes, and from when on, in monotonic time
        self._written_ns: dict[str, int] = {}  # by agent, the newest write of a transcript
        self.locks: set[str] = set()
        """Lock files that were there when last looked."""

    def adopt(self, found: Scan) -> None:
        now = self._clock.monotonic()
        self._since = {item.path: self._since.get(item.path, now) for item in found.changed}
        self.locks = {item.path for item in found.changed if classify(item.name).kind == "lock"}
        self._written_ns = {**(self._written_ns if found.problems else {}), **found.written_ns}

    def note_lock(self, path: str) -> None:
        """Come or gone: it is read when somebody asks."""
        if len(self.locks) < MAX_LOCKS:
            self.locks.add(path)

    def is_read(self, path: str) -> None:
        self._since.pop(path, None)

    def waits(self, path: str) -> None:
        self._since.setdefault(path, self._clock.monotonic())

    def took(self, item: ListedFile, now_ms: int) -> None:
        self._taken_at[item.agent_id] = now_ms
        self._note_write(item)

    def freshness(self, agents: Mapping[str, str], files: FileTable, moved: Iterable[str]) -> Freshness:
        """`agents`: by directory; `moved`: paths to be asked beside those that the last listing found ahead."""
        now, now_ms = self._clock.monotonic(), self._clock.now_ms()
        found = Freshness({agent_id: AgentFreshness(agent_id) for agent_id in agents.values()}, at_ms=now_ms)
        ahead = {}
        for path in {*self._since, *moved}:
            agent_id = agents.get(os.path.dirname(path))
            listed = list_one(agent_id, path) if agent_id is not None else None
            since = self._since.get(path, now)
            if listed is not None and add_behind(found, listed, files, now_ms, waited_seconds=now - since):
                ahead[path] = since
                self._note_write(listed)
        self._since = ahead
        found.wrote(self._written_ns)
        found.took(self._taken_at)
        told = [path for path in sorted(self.locks) if not is_lock_of_purged(files, path)]
        for path in told[:MAX_LOCKS]:
            add_lock(found, path, "transcript" if path.endswith(".jsonl.lock") else "index")
        return found

    def _note_write(self, item: ListedFile) -> None:
        before = self._written_ns.get(item.agent_id, 0)
        self._written_ns[item.agent_id] = max(before, item.stat.mtime_ns)
