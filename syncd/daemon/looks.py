"""Looking at files of one state dir that are due, one at a time: stat, take in, or lose.

The same act as a catch-up's. What is to be looked at, and when, the follower knows; a look that must wait (settling,
locked, unreadable) is put off, and never delays another file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.daemon.lately import Lately
from syncd.mirror.lineage import is_linking_due, link_parents
from syncd.mirror.settling import Deferred
from syncd.mirror.taking import rank
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.records import FileProblem
from syncd.sources.opening import is_there
from syncd.sources.scan import list_one
from syncd.sources.store_opening import handles_kept, let_go_of_handles
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from syncd.daemon.figures import Figures
    from syncd.daemon.put_off import PutOff
    from syncd.daemon.quiet import Quiet
    from syncd.daemon.stores import Stores
    from syncd.daemon.unread import Unread
    from syncd.ledger.writer import Writer
    from syncd.mirror.ingest import Ingest
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile
    from syncd.sources.owners import Owners

Places = list[tuple[str, str]]
"""Agent and path of each."""
_Agents = dict[str, str]
_Listed = dict[str, tuple["ListedFile", "FileName"]]
"""Both by path."""
UNPROVEN = frozenset({"racy", "unproven"})
"""Put off not because of what was seen, but because it is to be proven when it is at rest."""
TURN_SECONDS = 0.1
"""Between two turns that files which are written to have, while a crowd of others is looked at."""


class Looks:
    """`owners_at`: whose the places of a state dir are."""

    def __init__(
        self, writer: Writer, ingest: Ingest, stores: Stores, put_off: PutOff, unread: Unread, quiet: Quiet,
        figures: Figures, settle_seconds: float, is_stopping: Callable[[], bool], owners_at: Callable[[str], Owners],
    ) -> None:  # fmt: skip
        self.problems: dict[str, FileProblem] = {}
        self.lately = Lately(writer.clock)
        self._writer, self._clock, self._ingest, self._stores = writer, writer.clock, ingest, stores
        self._put_off, self._unread, self._quiet, self._figures = put_off, unread, quiet, figures
        self._settle_seconds, self._is_stopping, self._owners_at = settle_seconds, is_stopping, owners_at
        self._last_turn_at = writer.clock.monotonic()

    def at(self, items: Places, *, thorough: bool) -> None:
        """At these files, and at archives that may have taken over what is gone from there."""
        listed: _Listed = {}
        self._last_turn_at = self._clock.monotonic()
        missing: _Agents = {}
        replaced: _Agents = {}
        with handles_kept():  # OpenClaw may put thousands into its database at once, or let go of them
            for agent_id, path in items:
                if self._is_stopping():
                    return
                self._list(agent_id, path, listed, missing, replaced)
        for found, name in self._archives_of({**missing, **replaced}):
            listed.setdefault(found.path, (found, name))
        self._take_all(sorted(listed.values(), key=lambda each: (rank(each[1]), each[0].path)), thorough=thorough)
        self.lose_all(missing)  # last: an archive that has their bytes must have been seen by then
        self._writer.flush()

    def _list(self, agent_id: str, path: str, listed: _Listed, missing: _Agents, replaced: _Agents) -> None:
        name = classify(os.path.basename(path))
        if name.kind == "lock":
            self._unread.note_lock(path)
        if name.kind == "lock" and path.endswith(".jsonl.lock"):
            self._hasten(path.removesuffix(".lock"))
            self._quiet.ask_later(path.removesuffix(".lock"))
        if name.kind not in TRANSCRIPT_KINDS:
            return
        found = list_one(agent_id, path)
        if found is not None:
            listed[path] = (found, name)
            # The very file, grown or not, that was read there a moment ago?
            is_last_read = self.lately.is_same_file(path, found.stat)
            known = None if is_stored(path) or is_last_read else self._ingest.files.get(path)
            if known is not None and known.stat[:2] != found.stat[:2]:
                replaced[path] = agent_id
        elif self._ingest.files.get(path) is not None:
            missing[path] = agent_id
        for twin in self._stores.twins_of(path) if rank(name) == 0 else ():
            if found is None and (stored := list_one(agent_id, twin)) is not None:
                listed[twin] = (stored, name)
            elif found is not None and (known := self._ingest.files.get(twin)) is not None and known.is_present:
                missing[twin] = agent_id

    def _archives_of(self, missing: dict[str, str]) -> Iterable[tuple[ListedFile, FileName]]:
        """Archives beside files that are gone, or others now: they may hold their bytes, event or not."""
        for directory in {os.path.dirname(path) for path in missing if not is_stored(path)}:
            try:
                names = os.listdir(directory)
            except OSError:
                continue  # gone as a whole, or closed to us: then nothing is there to be found
            for each in names:
                name, path = classify(each), f"{directory}/{each}"
                agent_id = missing.get(f"{directory}/{name.of}")
                is_archive = name.kind in TRANSCRIPT_KINDS and rank(name) == 0
                if not is_archive or agent_id is None or self._ingest.files.get(path) is not None:
                    continue
                if (found := list_one(agent_id, path)) is not None:
                    yield found, name

    def _take_all(self, listed: list[tuple[ListedFile, FileName]], *, thorough: bool) -> None:
        self._ingest.thorough = thorough
        taken: list[ListedFile] = []
        with handles_kept():
            for item, name in listed:
                if self._is_stopping():
                    break  # the files are the queue: the next start goes on from here
                if not is_stored(item.path):
                    let_go_of_handles()
                if self._take(item, name):
                    taken.append(item)
                self._let_live_lines_in()
        self._tell_of(taken)
        for item, name in listed:
            known = self._ingest.files.get(item.path) if rank(name) == 0 else None
            if known is not None and not known.is_proven:
                # An archive's last line needs no newline, but is taken in only when it is at rest.
                self._put_off.wait(item.path, "unproven", self._settle_seconds)
        if listed and is_linking_due(self._writer.ledger):
            link_parents(self._writer.ledger, self._owners_at)

    def _tell_of(self, taken: list[ListedFile]) -> None:
        self._writer.flush()
        self._quiet.judge_locked([item.path for item in taken])
        now_ms = self._clock.now_ms()
        for item in taken:
            self._figures.latencies.add(now_ms - item.stat.ctime_ns / 1e6)
            self._unread.took(item, now_ms)

    def _let_live_lines_in(self) -> None:
        """Of files that were read a moment ago and have only grown: they wait for no crowd of others to be done."""
        if self._clock.monotonic() - self._last_turn_at < TURN_SECONDS:
            return
        is_thorough, self._ingest.thorough = self._ingest.thorough, False
        grown = [item for item in self.lately.grown() if item.path not in self._put_off]
        taken = [item for item in grown if self._take(item, classify(item.name))]
        if grown:
            self._tell_of(taken)
        self._ingest.thorough = is_thorough
        self._last_turn_at = self._clock.monotonic()

    def _take(self, listed: ListedFile, name: FileName) -> bool:
        """One look; True when it brought new lines."""
        self._figures.looks += 1
        before = self._ingest.lines_read
        outcome = self._ingest.take(listed, name)
        path = listed.path
        if outcome is None or outcome.reason in UNPROVEN:
            self._unread.is_read(path)
        else:
            self._unread.waits(path)
        if isinstance(outcome, Deferred):
            self._put_off.wait(path, outcome.reason, outcome.seconds)
        elif isinstance(outcome, FileProblem):
            self.problems[path] = outcome
            self._put_off.retry(path, outcome.reason)
        else:
            self.problems.pop(path, None)
            self._put_off.went_well(path)
            if not is_stored(path):
                self.lately.note(listed)
        self._put_off_due()
        has_news = self._ingest.lines_read > before
        if has_news or rank(name) == 0:  # a turn may have been under way when it was archived
            self._quiet.ask_later(path)
        return has_news

    def lose_all(self, paths: Iterable[str]) -> None:
        self._writer.flush()
        with handles_kept():
            for path in paths:
                if self._is_stopping():
                    return
                if not is_stored(path):
                    let_go_of_handles()
                self._lose(path)
                self._let_live_lines_in()

    def _lose(self, path: str) -> None:
        """Not there. An archive may be taking its bytes over at this very moment: believed only after a while."""
        self.lately.forget(path)
        if path in self.problems and not is_there(path):
            del self.problems[path]  # nothing is wrong with what is not there, and its next try would be late
            self._put_off.forget(path)
        deferred = self._ingest.lose_if_missing(path, is_flushed=True)
        if deferred is not None:
            self._put_off.wait(path, deferred.reason, deferred.seconds)
        self._put_off_due()

    def _put_off_due(self) -> None:
        """What a look at one path has made due at another, after all that this pass looks at. One that waits already
        keeps its reason, which others may know it by.
        """
        while self._ingest.due:
            path = self._ingest.due.pop()
            if path in self._put_off:
                self._put_off.hasten(path)
            else:
                self._put_off.wait(path, "due", 0.0)

    def _hasten(self, path: str) -> None:
        """Its lock came or went: what waited for that is due."""
        if self._put_off.reasons.get(path) == "locked":
            self._put_off.hasten(path)
