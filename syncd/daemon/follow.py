"""Following one state dir: looking at what is dirty, and at what should have been.

The same act as a catch-up, one path at a time. A look that must wait (settling, locked, unreadable) is put off and
never delays another file. The safety net runs on monotonic time: files written lately every quarter second, all of
them now and then.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.daemon.figures import Figures
from syncd.daemon.put_off import PutOff
from syncd.daemon.quiet import Quiet
from syncd.daemon.stores import Stores, directory_of
from syncd.daemon.unread import Unread
from syncd.errors import SourceError
from syncd.mirror.at_rest import judge_unfinished
from syncd.mirror.enrolment import enrol
from syncd.mirror.era import note_era
from syncd.mirror.freshness import last_taken
from syncd.mirror.ingest import Ingest
from syncd.mirror.kept_out import without_kept_out
from syncd.mirror.lineage import is_linking_due, link_parents
from syncd.mirror.settling import Deferred
from syncd.mirror.taking import rank
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.path_text import printable
from syncd.records import FileProblem
from syncd.sources.openclaw_config import CONFIG_NAMES, home_of, read_openclaw_config
from syncd.sources.opening import NotThereError, is_there, problem_of, stat_at
from syncd.sources.owners import Owners
from syncd.sources.scan import list_one
from syncd.sources.store_opening import handles_kept, let_go_of_handles
from syncd.sources.store_paths import is_stored
from syncd.sources.store_places import store_places
from syncd.sources.store_scan import newer_schema
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from syncd.ledger.files import FileTable
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import CatchUpOptions
    from syncd.mirror.freshness import Freshness
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import FileStat, ListedFile
    from syncd.sources.openclaw_config import ConfigRead
    from syncd.sources.scan import Scan
    from syncd.sources.store_places import StorePlace

ACTIVE_SECONDS = 120.0
MISSED_AFTER_SECONDS = 2.0
MAX_ACTIVE = 1000
SLICE_BYTES = 4 * 1024 * 1024
STORE_RETRY_SECONDS = (0.05, 0.2, 1.0, 2.0, 5.0, 10.0, 30.0)
_BRIEF_FAILURES = 3
"""So often a database may be busy before that is told."""
_NS = 1_000_000_000
_Places = list[tuple[str, str]]
"""Agent and path of each."""
_Agents = dict[str, str]
_Listed = dict[str, tuple["ListedFile", "FileName"]]
"""Both by path."""
_UNPROVEN = frozenset({"racy", "unproven"})
"""Put off not because of what was seen, but because it is to be proven when it is at rest."""


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
        self.notes: list[FileProblem] = []
        self._writer = writer
        self._clock = writer.clock
        self._options = options
        self._ingest = Ingest(
            writer,
            enrol(writer, state_dir),
            writer.clock,
            options.environ,
            settle_seconds=options.settle_seconds,
            max_line_bytes=options.max_line_bytes,
            thorough=False,
            slice_bytes=SLICE_BYTES,
        )
        self._config: ConfigRead | None = None
        self._stores = Stores()
        self._ingest.tally = self.figures.taken
        self._agents: dict[str, str] = {}
        self._active: dict[str, tuple[float, FileStat]] = {}
        self._put_off = PutOff(writer.clock)
        self._unread = Unread(writer.clock, last_taken(writer.ledger))
        self._quiet = Quiet(writer, self._ingest.files, self._unread, options.settle_seconds)

    @property
    def files(self) -> FileTable:
        return self._ingest.files

    @property
    def deferred(self) -> Mapping[str, str]:
        """Paths whose look must wait, and why."""
        return self._put_off.reasons

    @property
    def directories(self) -> Iterable[str]:
        """Where transcripts may come to be, as far as the last listing found; of a database, where it lies."""
        return [directory_of(path) for path in self._agents]

    @property
    def has_active(self) -> bool:
        """Files that were written lately: they are looked at without an event."""
        return bool(self._active) or self._stores.has_active(self._clock.monotonic())

    # What there is to look at

    def look_at(self, paths: Iterable[str]) -> None:
        """Look at files that an event named."""
        if any(os.path.basename(path) in CONFIG_NAMES for path in paths) and self._is_configured_anew():
            self.look_at_everything(counts_missed=False)  # transcripts may lie elsewhere now
        if any(map(self._stores.is_unknown, paths)) and self._has_new_store():
            self.look_at_everything(counts_missed=False)
        for store in sorted({store for path in paths if (store := self._stores.named_by(path)) is not None}):
            if store not in self._put_off or self._stores.may_be_mended(store, self.problems.get(store)):
                self._look_at_store(store)
        known = [(path, agent_id) for path in paths if (agent_id := self._agent_of(path)) is not None]
        self._look([(agent_id, path) for path, agent_id in known], thorough=False)

    def look_at_everything(self, *, counts_missed: bool) -> None:
        """List all directories; look at what changed, and prove what grew since it was last proven."""
        self.figures.rescans += 1
        self._config = self._read_config()
        self._ingest.owners.adopt(self._config)
        chosen = (self._options.agents, self._options.environ, self.files.stats(), self._config.config, self.files)
        self._stores.adopt(self._store_places(), self._clock.monotonic())
        found = scan_state_dir(self.state_dir, *chosen)
        found.changed = without_kept_out(self.files, found.changed)
        self._adopt(found)
        looks, proofs = self._to_look_at(found.changed, counts_missed=counts_missed)
        self._look(looks, thorough=False)
        self._look(proofs, thorough=True)
        self._lose_all(found.missing)
        if not self._is_stopping():
            self._ingest.take_last_lines()  # all archives that could have gone on with them were looked at
        self._writer.flush()
        note_era(self._writer, self.files, found.directories)
        self._ingest.forget()
        if not self._is_stopping():
            judge_unfinished(self._writer, self.files, sorted(self._unread.locks), self._options.settle_seconds)

    def look_at_active(self) -> None:
        """Files written a moment ago, whether or not an event came."""
        now = self._clock.monotonic()
        changed = []
        for path, (since, stat) in list(self._active.items()):
            if now - since > ACTIVE_SECONDS:
                del self._active[path]
            elif stat_at(path) != stat and path not in self._put_off:
                changed.append(path)
        self.look_at([*changed, *self._stores.moved(now)])

    def look_at_due(self) -> None:
        """What was put off until now."""
        now = self._clock.monotonic()
        for store in self._stores.due(now):
            self._look_at_store(store)
        due: dict[str, str] = {}
        proofs: dict[str, str] = {}
        unfollowed: list[str] = []
        while (found := self._put_off.pop_due(now)) is not None:
            path, reason = found
            if self._stores.named_by(path) is not None:
                self._look_at_store(path)
            agent_id = self._agent_of(path)
            if agent_id is not None:
                (proofs if reason in _UNPROVEN else due)[path] = agent_id
            elif self.files.get(path) is not None:
                unfollowed.append(path)  # where nothing is looked for any more; what is gone there is gone
        if unfollowed:
            self._lose_all(unfollowed)
        self._look([(agent_id, path) for path, agent_id in due.items()], thorough=False)
        self._look([(agent_id, path) for path, agent_id in proofs.items()], thorough=True)
        if not self._is_stopping():
            self._quiet.judge(now)

    def next_due_at(self) -> float | None:
        """Monotonic time of the next look that was put off."""
        moments = (self._quiet.next_at(), self._put_off.next_at(), self._stores.next_at())
        return min((at for at in moments if at is not None), default=None)

    def freshness(self) -> Freshness:
        """Bytes that are not in the ledger, by the files' stats of this moment.

        Asked are the files that the last listing found ahead, those put off and those that moved since they were read.
        """
        moved = (path for path, (_, stat) in self._active.items() if stat_at(path) != stat)
        return self._unread.freshness(self._agents, self.files, (*self.deferred, *moved))

    # Looking

    def _adopt(self, found: Scan) -> None:
        # What could not be listed this time keeps its agents: events of their files may still come.
        kept = self._agents if found.problems else {}
        self._agents = {**kept, **{directory.path: directory.agent_id for directory in found.directories}}
        put_off = {path: problem for path, problem in self.problems.items() if path in self._put_off}
        self.problems = {**put_off, **{problem.path: problem for problem in found.problems}}
        self.notes = found.notes
        for problem in found.problems:
            if self._stores.named_by(problem.path) is not None:
                self._retry_store(problem)
        self._unread.adopt(found)

    def _to_look_at(self, changed: list[ListedFile], *, counts_missed: bool) -> tuple[_Places, _Places]:
        """What an event should have named, and what was read already and is to be proven now that it is at rest."""
        now_ns = self._clock.now_ms() * 1_000_000
        looks, proofs, missed = [], [], []
        for item in changed:
            if classify(item.name).kind not in TRANSCRIPT_KINDS or item.path in self._put_off:
                continue
            known = self.files.get(item.path)
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
        return looks, proofs

    def _look_at_store(self, store: str) -> None:
        try:
            moved = self._stores.moved_sessions(store, self._clock.monotonic())
        except NotThereError:
            moved = None
        except SourceError as error:
            self._retry_store(problem_of(error, store))
            return
        if (flaw := self._stores.flaws.get(store)) is not None:
            self._retry_store(flaw)
        else:
            self.problems.pop(store, None)
            self._put_off.forget(store)
        self.notes = [note for note in self.notes if note.path != store] + newer_schema(store)
        if moved is None:
            self.look_at_everything(counts_missed=False)
        else:
            with handles_kept():
                news = [place for place in moved if not self._is_known_archive(*place)]
            self._look(news, thorough=False)

    def _is_known_archive(self, agent_id: str, path: str) -> bool:
        """Was it taken in as it is? Its hash is in its stat: it need not be read for that."""
        known = self.files.get(path) if rank(classify(os.path.basename(path))) == 0 else None
        found = list_one(agent_id, path) if known is not None and known.is_present else None
        return found is not None and known is not None and found.stat == known.stat

    def _retry_store(self, problem: FileProblem) -> None:
        failures = self._put_off.retry(problem.path, problem.reason, STORE_RETRY_SECONDS)
        if problem.code != "store_busy" or failures >= _BRIEF_FAILURES:
            self.problems[problem.path] = problem
        else:
            self.problems.pop(problem.path, None)

    def _store_places(self) -> tuple[StorePlace, ...]:
        config, environ = self._config or self._read_config(), self._options.environ
        return store_places(self.state_dir, config.config, self._options.agents, home_of(environ), self.files)

    def _has_new_store(self) -> bool:
        return any(self._stores.named_by(place.path) is None for place in self._store_places())

    def _look(self, items: _Places, *, thorough: bool) -> None:
        listed: _Listed = {}
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
        self._lose_all(missing)  # last: an archive that has their bytes must have been seen by then
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
            is_last_read = path in self._active and self._active[path][1][:2] == found.stat[:2]
            known = None if is_stored(path) or is_last_read else self.files.get(path)
            if known is not None and known.stat[:2] != found.stat[:2]:
                replaced[path] = agent_id
        elif self.files.get(path) is not None:
            missing[path] = agent_id
        for twin in self._stores.twins_of(path) if rank(name) == 0 else ():
            if found is None and (stored := list_one(agent_id, twin)) is not None:
                listed[twin] = (stored, name)
            elif found is not None and (known := self.files.get(twin)) is not None and known.is_present:
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
                if not is_archive or agent_id is None or self.files.get(path) is not None:
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
        self._writer.flush()
        self._quiet.judge_locked([item.path for item in taken])
        now_ms = self._clock.now_ms()
        for item in taken:
            self.figures.latencies.add(now_ms - item.stat.ctime_ns / 1e6)
            self._unread.took(item, now_ms)
        for item, name in listed:
            known = self.files.get(item.path) if rank(name) == 0 else None
            if known is not None and not known.is_proven:
                # An archive's last line needs no newline, but is taken in only when it is at rest.
                self._put_off.wait(item.path, "unproven", self._options.settle_seconds)
        if listed and is_linking_due(self._writer.ledger):
            link_parents(self._writer.ledger, self._owners_at)

    def _take(self, listed: ListedFile, name: FileName) -> bool:
        """One look; True when it brought new lines."""
        self.figures.looks += 1
        before = self._ingest.lines_read
        outcome = self._ingest.take(listed, name)
        path = listed.path
        if outcome is None or outcome.reason in _UNPROVEN:
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
                self._remember_active(path, listed.stat)
        self._put_off_due()
        has_news = self._ingest.lines_read > before
        if has_news or rank(name) == 0:  # a turn may have been under way when it was archived
            self._quiet.ask_later(path)
        return has_news

    def _lose_all(self, paths: Iterable[str]) -> None:
        self._writer.flush()
        with handles_kept():
            for path in paths:
                if self._is_stopping():
                    return
                if not is_stored(path):
                    let_go_of_handles()
                self._lose(path)

    def _lose(self, path: str) -> None:
        """Not there. An archive may be taking its bytes over at this very moment: believed only after a while."""
        self._active.pop(path, None)
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

    def _remember_active(self, path: str, stat: FileStat) -> None:
        if len(self._active) >= MAX_ACTIVE and path not in self._active:
            del self._active[next(iter(self._active))]
        self._active[path] = (self._clock.monotonic(), stat)

    def _hasten(self, path: str) -> None:
        """Its lock came or went: what waited for that is due."""
        if self.deferred.get(path) == "locked":
            self._put_off.hasten(path)

    def _is_configured_anew(self) -> bool:
        before, self._config = self._config, self._read_config()
        return before is None or before.config != self._config.config

    def _owners_at(self, state_dir: str) -> Owners:
        return self._ingest.owners if state_dir == self.state_dir else Owners(state_dir, self._options.environ)

    def _read_config(self) -> ConfigRead:
        return read_openclaw_config(self.state_dir, self._options.environ, self._config)

    def _agent_of(self, path: str) -> str | None:
        return self._agents.get(os.path.dirname(path))
