"""Following one state dir: looking at what is dirty, and at what should have been.

The same act as a catch-up, one path at a time. A look that must wait (settling, locked, unreadable) is put off and
never delays another file. The safety net runs on monotonic time: files written lately every quarter second, all of
them now and then.
"""

from __future__ import annotations

import heapq
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncd.daemon.latency import Latencies
from syncd.ledger.transcripts import TRANSCRIPT_KINDS
from syncd.mirror.at_rest import judge, judge_unfinished
from syncd.mirror.catchup import rank
from syncd.mirror.enrolment import enrol
from syncd.mirror.freshness import AgentFreshness, Freshness, add_behind
from syncd.mirror.ingest import Ingest, Tally
from syncd.mirror.lineage import is_linking_due, link_parents
from syncd.mirror.path_text import printable
from syncd.mirror.settling import Deferred
from syncd.openclaw.file_kinds import classify
from syncd.records import FileProblem, FileStat
from syncd.sources.openclaw_config import CONFIG_NAMES, read_openclaw_config
from syncd.sources.scan import list_one
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from syncd.ledger.files import FileTable
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import CatchUpOptions
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile
    from syncd.sources.openclaw_config import ConfigRead

ACTIVE_SECONDS = 120.0
MISSED_AFTER_SECONDS = 2.0
MAX_ACTIVE = 1000
SLICE_BYTES = 4 * 1024 * 1024
RETRY_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)
_NS = 1_000_000_000
_UNPROVEN = frozenset({"racy", "unproven"})
"""Put off not because of what was seen, but because it is to be proven when it is at rest."""


@dataclass(slots=True)
class Figures:
    """What happened since the start."""

    looks: int = 0
    missed_events: int = 0
    rescans: int = 0
    latencies: Latencies = field(default_factory=Latencies)
    read: Tally = field(default_factory=Tally)
    sessions: int = 0
    """Changes of sessions that OpenClaw's indexes told."""


class Follower:
    """One installation. Not thread-safe: the loop's thread alone calls it."""

    def __init__(
        self,
        writer: Writer,
        state_dir: str,
        options: CatchUpOptions,
        is_stopping: Callable[[], bool] = lambda: False,
        figures: Figures | None = None,
    ) -> None:
        self.state_dir = state_dir
        self._is_stopping = is_stopping
        self.figures = figures if figures is not None else Figures()
        self.problems: dict[str, FileProblem] = {}
        self.deferred: dict[str, str] = {}
        self._writer = writer
        self._clock = writer.clock
        self._options = options
        self._ingest = Ingest(
            writer,
            enrol(writer, state_dir),
            writer.clock,
            settle_seconds=options.settle_seconds,
            max_line_bytes=options.max_line_bytes,
            thorough=False,
            slice_bytes=SLICE_BYTES,
        )
        self._config: ConfigRead | None = None
        self._ingest.tally = self.figures.read
        self._agents: dict[str, str] = {}
        self._due: list[tuple[float, str]] = []
        self._active: dict[str, tuple[float, FileStat]] = {}
        self._attempts: dict[str, int] = {}
        self._quiet_at: dict[str, float] = {}  # paths whose turn may have ended, and when to ask
        self._ahead: dict[str, float] = {}  # paths with unread bytes, and since when, in monotonic time

    @property
    def files(self) -> FileTable:
        return self._ingest.files

    @property
    def directories(self) -> Iterable[str]:
        """Where transcripts may come to be, as far as the last listing found."""
        return self._agents.keys()

    @property
    def has_active(self) -> bool:
        """Files that were written lately: they are looked at without an event."""
        return bool(self._active)

    # What there is to look at

    def look_at(self, paths: Iterable[str]) -> None:
        """Look at files that an event named."""
        if any(os.path.basename(path) in CONFIG_NAMES for path in paths) and self._is_configured_anew():
            self.look_at_everything(counts_missed=False)  # transcripts may lie elsewhere now
        known = [(path, agent_id) for path in paths if (agent_id := self._agent_of(path)) is not None]
        self._look([(agent_id, path) for path, agent_id in known], thorough=False)

    def look_at_everything(self, *, counts_missed: bool) -> None:
        """List all directories; look at what changed, and prove what grew since it was last proven."""
        self.figures.rescans += 1
        self._config = self._read_config()
        chosen = (self._options.agents, self._options.environ, self._ingest.files.stats(), self._config.config)
        found = scan_state_dir(self.state_dir, *chosen)
        # What could not be listed this time keeps its agents: events of their files may still come.
        kept = self._agents if found.problems else {}
        self._agents = {**kept, **{directory.path: directory.agent_id for directory in found.directories}}
        put_off = {path: problem for path, problem in self.problems.items() if path in self.deferred}
        self.problems = {**put_off, **{problem.path: problem for problem in found.problems}}
        now = self._clock.monotonic()
        self._ahead = {item.path: self._ahead.get(item.path, now) for item in found.changed}
        now_ns = self._clock.now_ms() * 1_000_000
        looks, proofs, missed = [], [], []
        for item in found.changed:
            if classify(item.name).kind not in TRANSCRIPT_KINDS or item.path in self.deferred:
                continue
            known = self._ingest.files.get(item.path)
            if known is not None and known.stat == item.stat and known.transcript_id is not None:
                if now_ns - item.stat.ctime_ns > self._options.settle_seconds * _NS:
                    proofs.append((item.agent_id, item.path))
                continue
            looks.append((item.agent_id, item.path))
            if counts_missed and now_ns - item.stat.ctime_ns > MISSED_AFTER_SECONDS * _NS:
                missed.append(item.path)
        if missed:
            self.figures.missed_events += len(missed)
            self._writer.event("missed_event", None, count=len(missed), path=printable(missed[0]))
        self._look(looks, thorough=False)
        self._look(proofs, thorough=True)
        for path in found.missing:
            if not self._is_stopping():
                self._lose(path)
        if not self._is_stopping():
            self._ingest.take_last_lines()  # all archives that could have gone on with them were looked at
        self._writer.flush()
        self._ingest.forget()
        if not self._is_stopping():
            locks = [item.path for item in found.changed if classify(item.name).kind == "lock"]
            judge_unfinished(self._writer, self.files, locks, self._options.settle_seconds)

    def look_at_active(self) -> None:
        """Files written a moment ago, whether or not an event came."""
        now = self._clock.monotonic()
        changed = []
        for path, (since, stat) in list(self._active.items()):
            if now - since > ACTIVE_SECONDS:
                del self._active[path]
            elif _stat(path) != stat and path not in self.deferred:
                changed.append(path)
        self.look_at(changed)

    def look_at_due(self) -> None:
        """What was put off until now."""
        now = self._clock.monotonic()
        due: dict[str, str] = {}
        proofs: dict[str, str] = {}
        while self._due and self._due[0][0] <= now:
            _, path = heapq.heappop(self._due)
            reason = self.deferred.pop(path, None)
            agent_id = self._agent_of(path)
            if agent_id is not None:
                (proofs if reason in _UNPROVEN else due)[path] = agent_id
        self._look([(agent_id, path) for path, agent_id in due.items()], thorough=False)
        self._look([(agent_id, path) for path, agent_id in proofs.items()], thorough=True)
        self._judge_quiet(now)

    def next_due_at(self) -> float | None:
        """Monotonic time of the next look that was put off."""
        first = self._due[0][0] if self._due else None
        return min([*self._quiet_at.values(), *([first] if first is not None else [])], default=None)

    def freshness(self) -> Freshness:
        """Bytes that are not in the ledger, by the files' stats of this moment.

        Asked are the files that the last listing found ahead, those put off and those that moved since they were read.
        """
        found = Freshness({agent_id: AgentFreshness(agent_id) for agent_id in self._agents.values()})
        now, now_ms = self._clock.monotonic(), self._clock.now_ms()
        moved = (path for path, (_, stat) in self._active.items() if _stat(path) != stat)
        ahead = {}
        for path in {*self._ahead, *self.deferred, *moved}:
            agent_id = self._agent_of(path)
            listed = list_one(agent_id, path) if agent_id is not None else None
            since, files = self._ahead.get(path, now), self._ingest.files
            if listed is not None and add_behind(found, listed, files, now_ms, waited_seconds=now - since):
                ahead[path] = since
        self._ahead = ahead
        return found

    # Looking

    def _look(self, items: list[tuple[str, str]], *, thorough: bool) -> None:
        listed: dict[str, tuple[ListedFile, FileName]] = {}
        missing: dict[str, str] = {}
        replaced: dict[str, str] = {}
        for agent_id, path in items:
            name = classify(os.path.basename(path))
            if name.kind == "lock" and path.endswith(".jsonl.lock"):
                self._hasten(path.removesuffix(".lock"))
                self._ask_when_quiet(path.removesuffix(".lock"))
            if name.kind not in TRANSCRIPT_KINDS:
                continue
            found = list_one(agent_id, path)
            if found is not None:
                listed[path] = (found, name)
                known = None if self._is_last_read(path, found.stat) else self._ingest.files.get(path)
                if known is not None and known.stat[:2] != found.stat[:2]:
                    replaced[path] = agent_id
            elif self._ingest.files.get(path) is not None:
                missing[path] = agent_id
        for found, name in self._archives_of({**missing, **replaced}):
            listed.setdefault(found.path, (found, name))
        self._take_all(sorted(listed.values(), key=lambda each: (rank(each[1]), each[0].path)), thorough=thorough)
        for path in missing:
            self._lose(path)  # last: an archive that has its bytes must have been seen by then
        self._writer.flush()

    def _is_last_read(self, path: str, stat: FileStat) -> bool:
        """Is it the very file, grown or not, that was read there a moment ago?"""
        _, last = self._active.get(path, (0.0, None))
        return last is not None and last[:2] == stat[:2]

    def _archives_of(self, missing: dict[str, str]) -> Iterable[tuple[ListedFile, FileName]]:
        """Archives beside files that are gone, or others now: they may hold their bytes, event or not."""
        for directory in {os.path.dirname(path) for path in missing}:
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
        for item, name in listed:
            if self._is_stopping():
                break  # the files are the queue: the next start goes on from here
            if self._take(item, name):
                taken.append(item)
        self._writer.flush()
        now_ms = self._clock.now_ms()
        for item in taken:
            self.figures.latencies.add(now_ms - item.stat.ctime_ns / 1e6)
        for item, name in listed:
            known = self._ingest.files.get(item.path) if rank(name) == 0 else None
            if known is not None and not known.is_proven:
                # An archive's last line needs no newline, but is taken in only when it is at rest.
                self._put_off(item.path, "unproven", self._options.settle_seconds)
        if listed and is_linking_due(self._writer.ledger):
            link_parents(self._writer.ledger)

    def _take(self, listed: ListedFile, name: FileName) -> bool:
        """One look; True when it brought new lines."""
        self.figures.looks += 1
        before = self._ingest.tally.lines
        outcome = self._ingest.take(listed, name)
        path = listed.path
        if outcome is None or outcome.reason in _UNPROVEN:
            self._ahead.pop(path, None)
        else:
            self._ahead.setdefault(path, self._clock.monotonic())
        if isinstance(outcome, Deferred):
            self._put_off(path, outcome.reason, outcome.seconds)
        elif isinstance(outcome, FileProblem):
            self.problems[path] = outcome
            attempt = self._attempts.get(path, 0)
            self._attempts[path] = attempt + 1
            self._put_off(path, outcome.reason, RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)])
        else:
            self.problems.pop(path, None)
            self._attempts.pop(path, None)
            self._remember_active(path, listed.stat)
        has_news = self._ingest.tally.lines > before
        if has_news or rank(name) == 0:  # a turn may have been under way when it was archived
            self._ask_when_quiet(path)
        return has_news

    def _lose(self, path: str) -> None:
        """Not there. An archive may be taking its bytes over at this very moment: believed only after a while."""
        self._active.pop(path, None)
        deferred = self._ingest.lose_if_missing(path)
        if deferred is not None:
            self._put_off(path, deferred.reason, deferred.seconds)

    def _remember_active(self, path: str, stat: FileStat) -> None:
        if len(self._active) >= MAX_ACTIVE and path not in self._active:
            del self._active[next(iter(self._active))]
        self._active[path] = (self._clock.monotonic(), stat)

    def _put_off(self, path: str, reason: str, seconds: float) -> None:
        if path not in self.deferred:
            heapq.heappush(self._due, (self._clock.monotonic() + max(seconds, 0.01), path))
        self.deferred[path] = reason

    def _hasten(self, path: str) -> None:
        """Its lock came or went: what waited for that is due."""
        if self.deferred.get(path) == "locked":
            heapq.heappush(self._due, (self._clock.monotonic(), path))

    def _ask_when_quiet(self, path: str) -> None:
        """Something was written, or a lock came or went: how the last turn stands is asked once it is quiet."""
        if path in self._quiet_at or len(self._quiet_at) < MAX_ACTIVE:  # the rest is left to the next rescan
            self._quiet_at[path] = self._clock.monotonic() + self._options.settle_seconds

    def _judge_quiet(self, now: float) -> None:
        due = [path for path, at in self._quiet_at.items() if at <= now]
        if not due or self._is_stopping():
            return
        self._writer.flush()
        for path in due:
            del self._quiet_at[path]
            known = self.files.get(path)
            if known is None or known.transcript_id is None:
                continue
            if judge(self._writer, self.files, [known.transcript_id], self._options.settle_seconds) is not None:
                self._ask_when_quiet(path)

    def _is_configured_anew(self) -> bool:
        before, self._config = self._config, self._read_config()
        return before is None or before.config != self._config.config

    def _read_config(self) -> ConfigRead:
        return read_openclaw_config(self.state_dir, self._options.environ, self._config)

    def _agent_of(self, path: str) -> str | None:
        return self._agents.get(os.path.dirname(path))


def _stat(path: str) -> FileStat | None:
    try:
        return FileStat.of(os.lstat(path))
    except OSError:
        return None
