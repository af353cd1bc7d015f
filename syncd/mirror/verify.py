"""The proof: every source read again and compared, byte for byte, with the ledger.

Complete lines are what is compared, and the last line of an archive; of what no file has any more, that the ledger's
own bytes are whole. Not the rows made from them: that is ledger/check. Reads only, on both sides. A file that is being
written while we look is named in progress; that is no difference.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from io import FileIO
from typing import TYPE_CHECKING, BinaryIO

from syncd.allocator import give_back_large_buffers
from syncd.errors import LedgerCorrupt, SourceError
from syncd.ledger import raw, transcripts
from syncd.ledger.codec import UnpackError, holes_of, unpack
from syncd.ledger.damage import MISSING, UNREADABLE, damage_of
from syncd.ledger.snapshot import snapshot
from syncd.mirror.compare import differing_index, parting
from syncd.mirror.departures import STALE
from syncd.mirror.installation import known_files
from syncd.mirror.kept_out import without_kept_out
from syncd.mirror.recognition import is_inode_at
from syncd.mirror.selection import is_of_sessions, is_path_of_sessions
from syncd.mirror.settling import Settling
from syncd.mirror.sides import generation_of
from syncd.mirror.verify_trajectories import NOT_TAKEN, Trajectories
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.path_text import printable
from syncd.records import FileProblem
from syncd.sources.locks import is_write_locked
from syncd.sources.opening import (
    BUSY_CODE,
    BUSY_POLL_SECONDS,
    NotThereError,
    RefusedError,
    flaw_of,
    open_source,
    problem_at,
    problem_of,
    read_at,
    read_pieces,
    refused_file,
)
from syncd.sources.scan import is_wanted, list_one
from syncd.sources.store_opening import handles_kept, let_go_of_handles
from syncd.sources.store_paths import is_stored
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable, KnownFile
    from syncd.ledger.transcripts import Transcript
    from syncd.mirror.catchup import CatchUpOptions, Progress
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile
    from syncd.sources.scan import Scan

_THREADS = 2
_BLOCKS_AHEAD = 8  # bounds the memory: that many blocks are unpacked or waiting to be
_SHORTER = "the file is shorter"
_GONE = "the file is gone since it was taken in"

_Suspect = tuple[str, str, "FileName"]
"""Agent id, path, and what the name says."""
_Found = tuple[int, str]
"""Offset, and what is wrong with the ledger there; nothing is where the bytes only differ."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a file and the ledger part. A `path` whose file is gone names a transcript that only the ledger has."""

    path: str
    generation: int
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class Damaged(Difference):
    """The ledger's own bytes are not what was taken in, whatever the file says."""


@dataclass(frozen=True, slots=True)
class _Busy(Difference):
    """Nothing is known of it yet: OpenClaw is at work in its database."""


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
    compared: dict[str, int] = field(default_factory=dict)
    """Path -> bytes that are equal; a file that is looked at twice counts once."""
    compared_ids: set[int] = field(default_factory=set)
    """Of their transcripts: one of them can have several files."""
    proven: set[int] = field(default_factory=set)
    """Transcripts whose present bytes need no second look: equal to a file, or told to be damaged."""
    told: dict[tuple[int, int], str] = field(default_factory=dict)
    """Damage of the ledger, and the file that showed it."""
    settling: Settling = field(init=False)

    waited: float = 0.0
    """Of the lock wait: how much of it databases took that OpenClaw was at work in."""

    def __post_init__(self) -> None:
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
                if self._compare(item, name) is not None:
                    suspects.append((item.agent_id, item.path, name))
                progress.advance(item.stat.size)
        self._look_again(suspects)
        self._look_at_trajectories()
        self._look_at_the_rest()
        self.result.transcripts += len(self.compared_ids)
        self.result.bytes += sum(self.compared.values())

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
                    difference = self._compare(listed, name)
                else:
                    difference = _unread(problem_at(path)) or self._is_gone(path)
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
                self.compared[path] = each.bytes
                self.compared_ids.add(each.transcript_id)
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
        if isinstance(difference, _Busy):
            return True
        if listed is None:
            return self.settling.unrested_absence(path) is not None
        age = self.clock.now_ms() / 1000 - listed.stat.ctime_ns / 1e9
        if age < self.options.settle_seconds:
            return True
        return difference.reason == _SHORTER and is_write_locked(path, self.clock.now_ms())

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
            is_live, is_past = transcript_id not in self.proven, generation > 1
            if not is_live and not is_past:
                continue
            if not is_wanted(agent_id, self.options.agents) or (wanted is not None and session_id not in wanted):
                continue
            with snapshot(self.ledger):
                damage = damage_of(self.ledger, transcript_id, is_live=is_live, is_past=is_past)
            self.result.differences += [
                _damaged(path, item.generation, item.start, item.reason, transcript_id) for item in damage
            ]

    def _compare(self, listed: ListedFile, name: FileName) -> Difference | None:
        with snapshot(self.ledger):  # a writer may be at work: the transcript and its blocks must be of one moment
            return self._compare_now(listed, name)

    def _compare_now(self, listed: ListedFile, name: FileName) -> Difference | None:
        path = printable(listed.path)
        known = self.files.get(listed.path)
        try:
            with open_source(listed.path, is_zst=name.is_zst) as source:
                if not is_of_sessions(self.ledger, self.options.session_ids, name, known, source):
                    return None
                if known is None or known.transcript_id is None:
                    return None if self._is_second_link(listed, known) else self._compare_unknown(path, source, listed)
                transcript = transcripts.load(self.ledger, known.transcript_id)
                if known.role == STALE or self._is_outgrown(listed, name, source, known, transcript):
                    return self._note_stale(path, listed, known, transcript)
                self.compared[path] = 0
                self.compared_ids.add(transcript.id)
                difference = self._compare_known(path, source, transcript, known)
                if (flaw := flaw_of(source)) is not None and not isinstance(difference, Damaged):
                    raise flaw
                return difference
        except (NotThereError, RefusedError):
            return None
        except SourceError as error:
            return _unread(problem_of(error, listed.path))

    def _is_outgrown(
        self, listed: ListedFile, name: FileName, source: BinaryIO, known: KnownFile, transcript: Transcript
    ) -> bool:
        """Was it imported into a database, and the transcript went on or was rewritten there since it was looked at?"""
        if known.role != "copy" or name.archive_reason != "imported" or known.stat != listed.stat:
            return False
        try:
            generation = generation_of(self.ledger, transcript, source, listed.stat.size)
        except LedgerCorrupt:
            return False  # the comparison names what is damaged
        if generation == transcript.generation:
            return listed.stat.size < transcript.bytes
        return generation is not None

    def _note_stale(self, path: str, listed: ListedFile, known: KnownFile, transcript: Transcript) -> Difference | None:
        """The transcript goes on elsewhere; unless this side has moved since, which is to be taken in."""
        if known.stat != listed.stat:
            return Difference(path, transcript.generation, 0, NOT_TAKEN)
        others = [item for item in self.result.stale if item.path != path]
        self.result.stale = [*others, _stale(path, transcript.path)]
        return None

    def _is_second_link(self, listed: ListedFile, known: KnownFile | None) -> bool:
        """Is it still another name of a file that is taken in? Then its bytes are compared there."""
        if known is None or known.role != "hard_link" or listed.link_count < 2:
            return False
        other = self.files.with_inode(listed.stat, listed.path)
        return other is not None and is_inode_at(other, listed.stat)

    def _compare_unknown(self, path: str, source: BinaryIO, listed: ListedFile) -> Difference | None:
        if listed.stat.size == 0:
            return None  # nothing to have
        has_line = any(b"\n" in piece for piece in read_pieces(source, 0, None, raw.PIECE_BYTES))
        return Difference(path, 0, 0, NOT_TAKEN) if has_line else None

    def _compare_known(
        self, path: str, source: BinaryIO, transcript: Transcript, known: KnownFile
    ) -> Difference | None:
        generation, end = transcript.generation, transcript.bytes
        self.proven.discard(transcript.id)
        found = self._first_difference(source, transcript)
        if found is not None:
            position, reason = found
            if reason:
                self.proven.add(transcript.id)
                if self.told.setdefault((transcript.id, position), path) != path:
                    return None  # another file has the same bytes
                return _damaged(path, generation, position, reason, transcript.id)
            has_more = any(read_pieces(source, position, position + 1, 1))
            return Difference(path, generation, position, "bytes differ" if has_more else _SHORTER)
        self.proven.add(transcript.id)
        self.compared[path] = end
        longer = Difference(path, generation, end, "the file is longer")
        has_tail = False
        for piece in read_pieces(source, end, None, raw.PIECE_BYTES):
            if b"\n" in piece:
                return longer
            has_tail = True
        # Only now: where an archive is torn in a line, the damage is what is wrong, not the line.
        is_last_line_due = transcript.state == "archived" and known.role == "place"
        return longer if has_tail and is_last_line_due else None

    def _first_difference(self, source: BinaryIO, transcript: Transcript) -> _Found | None:
        """As compare.first_difference, with the unpacking shared among threads, and told from damage of the ledger."""
        query = """SELECT byte_offset, byte_length, codec, data FROM _blocks
            WHERE transcript_id = ? AND superseded_in IS NULL ORDER BY byte_offset"""
        is_plain = isinstance(source, FileIO)
        expected = 0
        ahead: deque[Future[_Found | None]] = deque()
        found: _Found | None = None
        for offset, length, codec, data in self.ledger.execute(query, (transcript.id,)):
            if offset != expected:
                break
            expected = offset + length
            if not is_plain or expected == transcript.bytes == length:
                # One block, or no random access: no use for threads.
                found = block_difference(source, offset, length, codec, data)
            else:
                ahead.append(self.pool.submit(block_difference, source, offset, length, codec, data))
                found = ahead.popleft().result() if len(ahead) > _BLOCKS_AHEAD else None
            if found is not None:
                break
        rest = [result for future in ahead if (result := future.result()) is not None]
        if found is None and rest:
            found = min(rest)
        return found if found is not None or expected == transcript.bytes else (expected, MISSING)


def _unread(problem: FileProblem | None) -> Difference | None:
    if problem is None:
        return None
    kind = _Busy if problem.code == BUSY_CODE else Difference
    return kind(printable(problem.path), 0, 0, f"{problem.reason}; {problem.hint}")


def block_difference(source: BinaryIO, offset: int, length: int, codec: int, data: bytes) -> _Found | None:
    """Where the block and the file's bytes part; None if they are equal."""
    try:
        known = unpack(codec, data)
    except UnpackError:
        return offset, UNREADABLE
    if len(known) != length:
        return offset, UNREADABLE
    if isinstance(source, FileIO):
        piece = read_at(source, offset, offset + length)
    else:
        piece = b"".join(read_pieces(source, offset, offset + length, raw.PIECE_BYTES))
    if holes := holes_of(codec, data):
        parted = parting(piece, known, holes)
        return None if parted is None else (offset + parted, "")
    if piece == known:
        return None
    return offset + differing_index(piece, known), ""


def _damaged(path: str, generation: int, offset: int, reason: str, transcript_id: int) -> Damaged:
    return Damaged(path, generation, offset, f"{reason} in the ledger (transcript {transcript_id})")


def _stale(path: str, goes_on_in: str) -> FileProblem:
    return FileProblem(path, f"is no longer written; its session goes on in {goes_on_in}")
