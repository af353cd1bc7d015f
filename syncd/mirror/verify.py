"""The proof: every source read again and compared, byte for byte, with the ledger.

Complete lines are what is compared, and the last line of an archive; of what no file has any more, that the ledger's
own bytes are whole. Not the rows made from them: that is ledger/check. Reads only, on both sides. A file that is being
written while we look is named in progress; that is no difference.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncd.allocator import give_back_large_buffers
from syncd.ledger import transcripts
from syncd.ledger.damage import damage_of
from syncd.ledger.snapshot import snapshot
from syncd.mirror.departures import STALE
from syncd.mirror.difference import SHORTER, Busy, Damaged, Difference, damaged, unread
from syncd.mirror.installation import known_files
from syncd.mirror.kept_out import without_kept_out
from syncd.mirror.selection import is_path_of_sessions
from syncd.mirror.settling import Settling
from syncd.mirror.verify_files import FileComparison
from syncd.mirror.verify_trajectories import Trajectories
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.path_text import printable
from syncd.records import FileProblem
from syncd.sources.locks import is_write_locked
from syncd.sources.opening import BUSY_CODE, BUSY_POLL_SECONDS, problem_at, refused_file
from syncd.sources.scan import is_wanted, list_one
from syncd.sources.store_opening import handles_kept, let_go_of_handles
from syncd.sources.store_paths import is_stored
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.mirror.catchup import CatchUpOptions, Progress
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile
    from syncd.sources.scan import Scan

_THREADS = 2
_GONE = "the file is gone since it was taken in"

_Suspect = tuple[str, str, "FileName"]
"""Agent id, path, and what the name says."""


@dataclass(slots=True)
class Verification:
    """What a verify found."""

    transcripts: int = 0
    bytes: int = 0
    differences: list[Difference] = field(default_factory=list)
    in_progress: list[FileProblem] = field(default_factory=list)
    refused: list[FileProblem] = field(default_factory=list)
    """No regular files: nothing of them is in the ledger, nor will be."""
    stale: list[FileProblem] = field(default_factory=list)
    """Files, or sessions of a database, whose transcript goes on elsewhere: nothing is compared with them."""
    kept_out: int = 0
    """Files of purged sessions: passed over."""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.differences

    @property
    def has_damage(self) -> bool:
        return any(isinstance(item, Damaged) for item in self.differences)


def verify(
    ledger: Ledger, clock: Clock, state_dirs: Iterable[str], options: CatchUpOptions, progress: Progress
) -> Verification:
    """Compare every source with the ledger."""
    started = clock.monotonic()
    give_back_large_buffers()
    result = Verification()
    with ThreadPoolExecutor(_THREADS, "syncd-verify") as pool:
        for state_dir in state_dirs:
            _Verifier(ledger, clock, known_files(ledger, state_dir), options, pool, result).compare_all(progress)
    result.seconds = clock.monotonic() - started
    return result


@dataclass(slots=True)
class _Verifier:
    ledger: Ledger
    clock: Clock
    files: FileTable
    options: CatchUpOptions
    pool: ThreadPoolExecutor
    result: Verification
    comparison: FileComparison = field(init=False)
    settling: Settling = field(init=False)
    waited: float = 0.0
    """Of the lock wait: how much of it databases took that OpenClaw was at work in."""

    def __post_init__(self) -> None:
        self.comparison = FileComparison(self.ledger, self.files, self.options.session_ids, self.pool)
        self.settling = Settling(self.clock, self.options.settle_seconds)

    def compare_all(self, progress: Progress) -> None:
        found = self._scan()
        for problem in found.problems:
            path = printable(problem.path)
            if problem.code == BUSY_CODE:
                self.result.in_progress.append(FileProblem(path, problem.reason))
            else:
                self.result.differences.append(Difference(path, 0, 0, f"{problem.reason}; {problem.hint}"))
        changed = without_kept_out(self.files, found.changed)
        self.result.kept_out += len(found.changed) - len(changed)
        listed = [(item, name) for item in changed if (name := classify(item.name)).kind in TRANSCRIPT_KINDS]
        wanted = self.options.session_ids
        self.result.refused += [
            refused_file(item.path)
            for item, name in sorted(listed, key=lambda each: each[0].path)
            if not item.is_regular and (wanted is None or name.session_id in wanted)
        ]
        progress.expect(sum(item.stat.size for item, _ in listed))
        suspects = [("", path, classify(os.path.basename(path))) for path in found.missing if self._is_gone(path)]
        with handles_kept():
            for item, name in listed:
                if not is_stored(item.path):
                    let_go_of_handles()
                if self.comparison.compare(item, name) is not None:
                    suspects.append((item.agent_id, item.path, name))
                progress.advance(item.stat.size)
        self._look_again(suspects)
        self.result.stale += [_stale(path, place) for path, place in self.comparison.goes_on_in.items()]
        self._look_at_trajectories()
        self._look_at_the_rest()
        self.result.transcripts += len(self.comparison.transcript_ids)
        self.result.bytes += sum(self.comparison.equal_bytes.values())

    def _scan(self) -> Scan:
        """What there is, once OpenClaw lets its databases be read."""
        options, began = self.options, self.clock.monotonic()
        while True:
            how = (options.agents, options.environ, dict.fromkeys(self.files.stats()))
            found = scan_state_dir(self.files.state_dir, *how, places=self.files)
            self.waited = self.clock.monotonic() - began
            is_busy = any(problem.code == BUSY_CODE for problem in found.problems)
            if not is_busy or self.waited + BUSY_POLL_SECONDS > options.lock_wait_seconds:
                return found
            self.clock.sleep(BUSY_POLL_SECONDS)

    def _deadline(self) -> float:
        return self.clock.monotonic() + self.options.lock_wait_seconds - self.waited

    def _look_again(self, suspects: list[_Suspect]) -> None:
        """Files that differed: at once, since another process may have taken them in, then until they rest."""
        deadline = self._deadline()
        while suspects:
            is_late = self.clock.monotonic() >= deadline
            self.files.stats()
            again = []
            for agent_id, path, name in suspects:
                listed = list_one(agent_id, path)
                if listed is not None:
                    difference = self.comparison.compare(listed, name)
                else:
                    difference = unread(problem_at(path)) or self._is_gone(path)
                if difference is None:
                    continue
                if not self._is_moving(path, listed, difference):
                    self.result.differences.append(difference)
                elif is_late:
                    self.result.in_progress.append(FileProblem(difference.path, difference.reason))
                else:
                    again.append((agent_id, path, name))
            suspects = again
            if suspects:
                self.clock.sleep(self.options.settle_seconds or 0.1)

    def _look_at_trajectories(self) -> None:
        """Those of OpenClaw's own SQLite, of which the ledger has more than there is."""
        deadline = self._deadline()
        trajectories = Trajectories(self.ledger, self.clock, self.files, self.options)
        while True:
            held = list(trajectories.held())
            moving = [each for each in held if each.parting is not None and each.is_moving]
            pause = self.options.settle_seconds or 0.1
            if not moving or self.clock.monotonic() + pause > deadline:
                break
            self.clock.sleep(pause)
        told = {item.path for item in self.result.differences} | {item.path for item in self.result.in_progress}
        for each in held:
            path = printable(each.path)
            if path in told:
                continue  # a database: whoever listed its sessions could not read it either
            told.add(path)
            if each.transcript_id is not None:
                self.comparison.equal_bytes[path] = each.bytes
                self.comparison.transcript_ids.add(each.transcript_id)
            if each.goes_on_in is not None:
                self.result.stale.append(_stale(path, each.goes_on_in))
            if each in moving:
                self.result.in_progress.append(FileProblem(path, each.parting[2] if each.parting else ""))
            elif each.parting is not None:
                self.result.differences.append(Difference(path, *each.parting))

    def _is_moving(self, path: str, listed: ListedFile | None, difference: Difference) -> bool:
        """Written or removed a moment ago, or cut short while a turn is under way: what is missing may yet come."""
        if isinstance(difference, Damaged):
            return False
        if isinstance(difference, Busy):
            return True
        if listed is None:
            return self.settling.unrested_absence(path) is not None
        age = self.clock.now_ms() / 1000 - listed.stat.ctime_ns / 1e9
        if age < self.options.settle_seconds:
            return True
        return difference.reason == SHORTER and is_write_locked(path, self.clock.now_ms())

    def _is_gone(self, path: str) -> Difference | None:
        """A file that the ledger has as being there. One that it knows to be gone is no difference."""
        known = self.files.get(path)
        if known is None or not known.is_present or known.transcript_id is None or known.role in ("refused", STALE):
            return None
        wanted = self.options.session_ids
        if wanted is not None and not is_path_of_sessions(self.ledger, wanted, self.files, path):
            return None
        transcript = transcripts.load(self.ledger, known.transcript_id)
        if not is_wanted(transcript.agent_id, self.options.agents):
            return None
        return Difference(printable(path), transcript.generation, 0, _GONE)

    def _look_at_the_rest(self) -> None:
        """What only the ledger has: earlier generations, and transcripts that no file was equal to."""
        query = "SELECT id, agent_id, session_id, path, generation FROM transcripts WHERE installation_id = ?"
        wanted = self.options.session_ids
        for transcript_id, agent_id, session_id, path, generation in list(
            self.ledger.execute(query, (self.files.installation_id,))
        ):
            is_live, is_past = transcript_id not in self.comparison.proven, generation > 1
            if not is_live and not is_past:
                continue
            if not is_wanted(agent_id, self.options.agents) or (wanted is not None and session_id not in wanted):
                continue
            with snapshot(self.ledger):
                damage = damage_of(self.ledger, transcript_id, is_live=is_live, is_past=is_past)
            self.result.differences += [
                damaged(path, item.generation, item.start, item.reason, transcript_id) for item in damage
            ]


def _stale(path: str, goes_on_in: str) -> FileProblem:
    return FileProblem(path, f"is no longer written; its session goes on in {goes_on_in}")
