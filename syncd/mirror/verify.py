"""The proof: every source read again and compared, byte for byte, with the ledger.

Complete lines are what is compared, and the last line of an archive. Reads only, on both sides. A file that is being
written while we look is named in progress; that is no difference.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from io import FileIO
from typing import TYPE_CHECKING, BinaryIO

from syncd.allocator import give_back_large_buffers
from syncd.errors import SourceError
from syncd.ledger import raw, transcripts
from syncd.ledger.codec import UnpackError, unpack
from syncd.ledger.transaction import reading
from syncd.ledger.transcripts import TRANSCRIPT_KINDS
from syncd.mirror.compare import differing_index
from syncd.mirror.installation import known_files
from syncd.mirror.path_text import printable
from syncd.mirror.selection import is_of_sessions
from syncd.openclaw.file_kinds import classify
from syncd.records import FileProblem
from syncd.sources.locks import is_write_locked
from syncd.sources.opening import NotThereError, RefusedError, open_source, read_at, read_pieces, refused_file
from syncd.sources.scan import list_one, scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable, KnownFile
    from syncd.ledger.transcripts import Transcript
    from syncd.mirror.catchup import CatchUpOptions, Progress
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile

_THREADS = 2
_BLOCKS_AHEAD = 8  # bounds the memory: that many blocks are unpacked or waiting to be
_SHORTER = "the file is shorter"
_PIECE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a file and the ledger part."""

    path: str
    generation: int
    offset: int
    reason: str


@dataclass(slots=True)
class Verification:
    """What a verify found."""

    transcripts: int = 0
    bytes: int = 0
    differences: list[Difference] = field(default_factory=list)
    in_progress: list[FileProblem] = field(default_factory=list)
    refused: list[FileProblem] = field(default_factory=list)
    """No regular files: nothing of them is in the ledger, nor will be."""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.differences


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

    def compare_all(self, progress: Progress) -> None:
        found = scan_state_dir(self.files.state_dir, self.options.agents, {})
        self.files.stats()
        for problem in found.problems:
            self.result.differences.append(
                Difference(printable(problem.path), 0, 0, f"{problem.reason}; {problem.hint}")
            )
        listed = [(item, name) for item in found.changed if (name := classify(item.name)).kind in TRANSCRIPT_KINDS]
        wanted = self.options.session_ids
        self.result.refused += [
            refused_file(item.path)
            for item, name in sorted(listed, key=lambda each: each[0].path)
            if not item.is_regular and (wanted is None or name.session_id in wanted)
        ]
        progress.expect(sum(item.stat.size for item, _ in listed))
        suspects = []
        for item, name in listed:
            if self._compare(item, name) is not None:
                suspects.append((item, name))
            progress.advance(item.stat.size)
        self._look_again(suspects)
        self.result.transcripts += len(self.compared)
        self.result.bytes += sum(self.compared.values())

    def _look_again(self, suspects: list[tuple[ListedFile, FileName]]) -> None:
        """Files that differed: at once, since another process may have taken them in, then until they rest."""
        deadline = self.clock.monotonic() + self.options.lock_wait_seconds
        while suspects:
            is_late = self.clock.monotonic() >= deadline
            self.files.stats()
            again = []
            for item, name in suspects:
                now_listed = list_one(item.agent_id, item.path)
                difference = self._compare(now_listed, name) if now_listed is not None else None
                if now_listed is None or difference is None:
                    continue
                if not self._is_moving(now_listed, difference):
                    self.result.differences.append(difference)
                elif is_late:
                    self.result.in_progress.append(FileProblem(difference.path, difference.reason))
                else:
                    again.append((now_listed, name))
            suspects = again
            if suspects:
                self.clock.sleep(self.options.settle_seconds or 0.1)

    def _is_moving(self, listed: ListedFile, difference: Difference) -> bool:
        """Written a moment ago, or cut short while a turn is under way: what is missing may yet come."""
        age = self.clock.now_ms() / 1000 - listed.stat.ctime_ns / 1e9
        if age < self.options.settle_seconds:
            return True
        return difference.reason == _SHORTER and is_write_locked(listed.path, self.clock.now_ms())

    def _compare(self, listed: ListedFile, name: FileName) -> Difference | None:
        with reading(self.ledger):  # a writer may be at work: the transcript and its blocks must be of one moment
            return self._compare_now(listed, name)

    def _compare_now(self, listed: ListedFile, name: FileName) -> Difference | None:
        path = printable(listed.path)
        known = self.files.get(listed.path)
        try:
            with open_source(listed.path, is_zst=name.is_zst) as source:
                if known is None or (known.transcript_id is None and known.role == "place"):
                    if not is_of_sessions(self.ledger, self.options.session_ids, name, known, source):
                        return None
                    return self._compare_unknown(path, source, listed)
                if known.transcript_id is None:
                    return None  # a hard link, or refused: its bytes are another file's
                if not is_of_sessions(self.ledger, self.options.session_ids, name, known, source):
                    return None
                transcript = transcripts.load(self.ledger, known.transcript_id)
                self.compared[path] = 0
                return self._compare_known(path, source, transcript, known)
        except NotThereError:
            return None
        except RefusedError:
            return None
        except SourceError as error:
            return Difference(path, 0, 0, f"{error.reason}; {error.hint}")

    def _compare_unknown(self, path: str, source: BinaryIO, listed: ListedFile) -> Difference | None:
        if listed.stat.size == 0:
            return None  # nothing to have
        has_line = any(b"\n" in piece for piece in read_pieces(source, 0, None, _PIECE_BYTES))
        return Difference(path, 0, 0, "not in the ledger") if has_line else None

    def _compare_known(
        self, path: str, source: BinaryIO, transcript: Transcript, known: KnownFile
    ) -> Difference | None:
        generation, end = transcript.generation, transcript.bytes
        position = self._first_difference(source, transcript)
        if position is not None:
            has_more = any(read_pieces(source, position, position + 1, 1))
            reason = "bytes differ" if has_more else _SHORTER
            return Difference(path, generation, position, reason)
        self.compared[path] = end
        is_last_line_due = transcript.state == "archived" and known.role == "place"
        for piece in read_pieces(source, end, None, _PIECE_BYTES):
            if b"\n" in piece or is_last_line_due:
                return Difference(path, generation, end, "the file is longer")
        return None

    def _first_difference(self, source: BinaryIO, transcript: Transcript) -> int | None:
        """As compare.first_difference, with the unpacking shared among threads."""
        query = """SELECT byte_offset, byte_length, codec, data FROM _blocks
            WHERE transcript_id = ? AND superseded_in IS NULL ORDER BY byte_offset"""
        is_plain = isinstance(source, FileIO)
        expected = 0
        ahead: deque[Future[int | None]] = deque()
        found: int | None = None
        for offset, length, codec, data in self.ledger.execute(query, (transcript.id,)):
            if offset != expected:
                return expected  # a hole in the ledger
            expected = offset + length
            if not is_plain or expected == transcript.bytes == length:
                found = _differs(
                    source, offset, length, codec, data
                )  # one block, or no random access: no use for threads
            else:
                ahead.append(self.pool.submit(_differs, source, offset, length, codec, data))
                found = ahead.popleft().result() if len(ahead) > _BLOCKS_AHEAD else None
            if found is not None:
                break
        rest = [result for future in ahead if (result := future.result()) is not None]
        if found is None and rest:
            found = min(rest)
        return found if found is not None or expected == transcript.bytes else expected


def _differs(source: BinaryIO, offset: int, length: int, codec: int, data: bytes) -> int | None:
    """Where the block and the file's bytes part; None if they are equal."""
    try:
        known = unpack(codec, data)
    except UnpackError:
        return offset
    if isinstance(source, FileIO):
        piece = read_at(source, offset, offset + length)
    else:
        piece = b"".join(read_pieces(source, offset, offset + length, raw.PIECE_BYTES))
    if piece == known:
        return None
    return offset + differing_index(piece, known)
