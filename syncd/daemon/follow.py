"""Following one state dir: what there is to look at, because an event named it or because it should have.

How a file is looked at is `looks`' matter. The safety net runs on monotonic time: files written lately every quarter
second, all of them now and then.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.daemon.figures import Figures
from syncd.daemon.looks import UNPROVEN, Looks
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
from syncd.mirror.taking import rank
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.openclaw.state_dirs import state_database
from syncd.path_text import printable
from syncd.records import FileProblem
from syncd.sources.openclaw_config import CONFIG_NAMES, home_of, read_openclaw_config
from syncd.sources.opening import NotThereError, problem_of
from syncd.sources.owners import Owners
from syncd.sources.scan import list_one
from syncd.sources.store_opening import handles_kept
from syncd.sources.store_places import store_places
from syncd.sources.store_scan import newer_schema
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from syncd.daemon.looks import Places
    from syncd.ledger.files import FileTable
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import CatchUpOptions
    from syncd.mirror.freshness import Freshness
    from syncd.records import ListedFile
    from syncd.sources.openclaw_config import ConfigRead
    from syncd.sources.scan import Scan
    from syncd.sources.store_places import StorePlace

MISSED_AFTER_SECONDS = 2.0
SLICE_BYTES = 4 * 1024 * 1024
STORE_RETRY_SECONDS = (0.05, 0.2, 1.0, 2.0, 5.0, 10.0, 30.0)
_BRIEF_FAILURES = 3
"""So often a database may be busy before that is told."""
_NS = 1_000_000_000


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
        self._stores = Stores(state_database(state_dir))
        self._ingest.tally = self.figures.taken
        self._agents: dict[str, str] = {}
        self._put_off = PutOff(writer.clock)
        self._unread = Unread(writer.clock, last_taken(writer.ledger))
        self._quiet = Quiet(writer, self._ingest.files, self._unread, options.settle_seconds)
        self._looks = Looks(
            writer, self._ingest, self._stores, self._put_off, self._unread, self._quiet, self.figures,
            options.settle_seconds, is_stopping, self._owners_at,
        )  # fmt: skip

    @property
    def files(self) -> FileTable:
        return self._ingest.files

    @property
    def problems(self) -> dict[str, FileProblem]:
        """What cannot be read, by path."""
        return self._looks.problems

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
        return bool(self._looks.lately) or self._stores.has_active(self._clock.monotonic())

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
        self._looks.at([(agent_id, path) for path, agent_id in known], thorough=False)

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
        self._looks.at(looks, thorough=False)
        self._looks.at(proofs, thorough=True)
        self._looks.lose_all(found.missing)
        if not self._is_stopping():
            self._ingest.take_last_lines()  # all archives that could have gone on with them were looked at
        self._writer.flush()
        note_era(self._writer, self.files, found.directories)
        self._ingest.forget()
        if not self._is_stopping():
            judge_unfinished(self._writer, self.files, sorted(self._unread.locks), self._options.settle_seconds)

    def look_at_active(self) -> None:
        """Files written a moment ago, whether or not an event came."""
        self._looks.lately.forget_old()
        changed = [path for path in self._looks.lately.moved() if path not in self._put_off]
        self.look_at([*changed, *self._stores.moved(self._clock.monotonic())])

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
                (proofs if reason in UNPROVEN else due)[path] = agent_id
            elif self.files.get(path) is not None:
                unfollowed.append(path)  # where nothing is looked for any more; what is gone there is gone
        if unfollowed:
            self._looks.lose_all(unfollowed)
        self._looks.at([(agent_id, path) for path, agent_id in due.items()], thorough=False)
        self._looks.at([(agent_id, path) for path, agent_id in proofs.items()], thorough=True)
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
        return self._unread.freshness(self._agents, self.files, (*self.deferred, *self._looks.lately.moved()))

    # What is due

    def _adopt(self, found: Scan) -> None:
        # What could not be listed this time keeps its agents: events of their files may still come.
        kept = self._agents if found.problems else {}
        self._agents = {**kept, **{directory.path: directory.agent_id for directory in found.directories}}
        put_off = {path: problem for path, problem in self.problems.items() if path in self._put_off}
        self._looks.problems = {**put_off, **{problem.path: problem for problem in found.problems}}
        self.notes = found.notes
        for problem in found.problems:
            if self._stores.named_by(problem.path) is not None:
                self._retry_store(problem)
        self._unread.adopt(found)

    def _to_look_at(self, changed: list[ListedFile], *, counts_missed: bool) -> tuple[Places, Places]:
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
            self._looks.at(news, thorough=False)

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

    def _is_configured_anew(self) -> bool:
        before, self._config = self._config, self._read_config()
        return before is None or before.config != self._config.config

    def _owners_at(self, state_dir: str) -> Owners:
        return self._ingest.owners if state_dir == self.state_dir else Owners(state_dir, self._options.environ)

    def _read_config(self) -> ConfigRead:
        return read_openclaw_config(self.state_dir, self._options.environ, self._config)

    def _agent_of(self, path: str) -> str | None:
        return self._agents.get(os.path.dirname(path))
