"""How the last turn of a transcript stands: asked once it is quiet, and at once where an answer came under its lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.mirror.at_rest import judge_each

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.daemon.unread import Unread
    from syncd.ledger.files import FileTable
    from syncd.ledger.writer import Writer

_MOST = 1000
"""So many are asked for; the rest is left to the next rescan."""


class Quiet:
    """Of one installation."""

    def __init__(self, writer: Writer, files: FileTable, unread: Unread, settle_seconds: float) -> None:
        self._writer = writer
        self._files = files
        self._unread = unread
        self._settle_seconds = settle_seconds
        self._at: dict[str, float] = {}  # paths whose turn may have ended, and when to ask

    def next_at(self) -> float | None:
        return min(self._at.values(), default=None)

    def ask_later(self, path: str) -> None:
        """Something was written, or a lock came or went."""
        if path in self._at or len(self._at) < _MOST:
            self._at[path] = self._writer.clock.monotonic() + self._settle_seconds

    def judge(self, now: float) -> None:
        due = [path for path, at in self._at.items() if at <= now]
        if not due:
            return
        self._writer.flush()
        paths: dict[int, str] = {}
        for path in due:
            del self._at[path]
            known = self._files.get(path)
            if known is not None and known.transcript_id is not None:
                paths[known.transcript_id] = path
        for transcript_id in judge_each(self._writer, self._files, paths, self._settle_seconds):
            self.ask_later(paths[transcript_id])

    def judge_locked(self, paths: Iterable[str]) -> None:
        """An answer that ends a turn does not end it while the lock is held: not even until the file is quiet."""
        locked = (self._files.get(path) for path in paths if f"{path}.lock" in self._unread.locks)
        found = [known.transcript_id for known in locked if known is not None and known.transcript_id is not None]
        if found:
            judge_each(self._writer, self._files, found, self._settle_seconds)
