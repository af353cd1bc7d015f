"""One file after the other held against what the ledger has of it, for `verify`: whole, and byte for byte.

Only looks, on both sides. What is to be looked at, and whether a difference counts, is `verify`'s.
"""

from __future__ import annotations

from collections import deque
from io import FileIO
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import LedgerCorrupt, SourceError
from syncd.ledger import raw, transcripts
from syncd.ledger.damage import MISSING
from syncd.ledger.snapshot import snapshot
from syncd.mirror.compare import block_difference
from syncd.mirror.departures import STALE
from syncd.mirror.difference import SHORTER, Damaged, Difference, damaged, unread
from syncd.mirror.recognition import is_inode_at
from syncd.mirror.selection import is_of_sessions
from syncd.mirror.sides import generation_of
from syncd.mirror.verify_trajectories import NOT_TAKEN
from syncd.path_text import printable
from syncd.sources.opening import NotThereError, RefusedError, flaw_of, open_source, problem_of, read_pieces

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable, KnownFile
    from syncd.ledger.transcripts import Transcript
    from syncd.mirror.compare import Found
    from syncd.mirror.selection import SessionIds
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile

_BLOCKS_AHEAD = 8  # bounds the memory: that many blocks are unpacked or waiting to be


class FileComparison:
    """Of the files of one installation."""

    def __init__(self, ledger: Ledger, files: FileTable, session_ids: SessionIds, pool: ThreadPoolExecutor) -> None:
        """`pool`: for unpacking, which takes longer than reading."""
        self._ledger = ledger
        self._files = files
        self._session_ids = session_ids
        self._pool = pool
        self.equal_bytes: dict[str, int] = {}
        """Path -> bytes that are equal; a file that is looked at twice counts once."""
        self.transcript_ids: set[int] = set()
        """Of those that were compared: one of them can have several files."""
        self.proven: set[int] = set()
        """Transcripts whose present bytes need no second look: equal to a file, or told to be damaged."""
        self.goes_on_in: dict[str, str] = {}
        """Of files whose transcript goes on elsewhere, where; nothing is compared with them."""
        self._told: dict[tuple[int, int], str] = {}
        """Damage of the ledger, and the file that showed it."""

    def compare(self, listed: ListedFile, name: FileName) -> Difference | None:
        with snapshot(self._ledger):  # a writer may be at work: the transcript and its blocks must be of one moment
            return self._compare_now(listed, name)

    def _compare_now(self, listed: ListedFile, name: FileName) -> Difference | None:
        path = printable(listed.path)
        known = self._files.get(listed.path)
        try:
            with open_source(listed.path, is_zst=name.is_zst) as source:
                if not is_of_sessions(self._ledger, self._session_ids, name, known, source):
                    return None
                if known is None or known.transcript_id is None:
                    return None if self._is_second_link(listed, known) else self._compare_unknown(path, source, listed)
                transcript = transcripts.load(self._ledger, known.transcript_id)
                if known.role == STALE or self._is_outgrown(listed, name, source, known, transcript):
                    return self._note_stale(path, listed, known, transcript)
                self.equal_bytes[path] = 0
                self.transcript_ids.add(transcript.id)
                difference = self._compare_known(path, source, transcript, known)
                if (flaw := flaw_of(source)) is not None and not isinstance(difference, Damaged):
                    raise flaw
                return difference
        except (NotThereError, RefusedError):
            return None
        except SourceError as error:
            return unread(problem_of(error, listed.path))

    def _is_outgrown(
        self, listed: ListedFile, name: FileName, source: BinaryIO, known: KnownFile, transcript: Transcript
    ) -> bool:
        """Was it imported into a database, and the transcript went on or was rewritten there since it was looked at?"""
        if known.role != "copy" or name.archive_reason != "imported" or known.stat != listed.stat:
            return False
        try:
            generation = generation_of(self._ledger, transcript, source, listed.stat.size)
        except LedgerCorrupt:
            return False  # the comparison names what is damaged
        if generation == transcript.generation:
            return listed.stat.size < transcript.bytes
        return generation is not None

    def _note_stale(self, path: str, listed: ListedFile, known: KnownFile, transcript: Transcript) -> Difference | None:
        """The transcript goes on elsewhere; unless this side has moved since, which is to be taken in."""
        if known.stat != listed.stat:
            return Difference(path, transcript.generation, 0, NOT_TAKEN)
        self.goes_on_in[path] = transcript.path
        return None

    def _is_second_link(self, listed: ListedFile, known: KnownFile | None) -> bool:
        """Is it still another name of a file that is taken in? Then its bytes are compared there."""
        if known is None or known.role != "hard_link" or listed.link_count < 2:
            return False
        other = self._files.with_inode(listed.stat, listed.path)
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
                if self._told.setdefault((transcript.id, position), path) != path:
                    return None  # another file has the same bytes
                return damaged(path, generation, position, reason, transcript.id)
            has_more = any(read_pieces(source, position, position + 1, 1))
            return Difference(path, generation, position, "bytes differ" if has_more else SHORTER)
        self.proven.add(transcript.id)
        self.equal_bytes[path] = end
        longer = Difference(path, generation, end, "the file is longer")
        has_tail = False
        for piece in read_pieces(source, end, None, raw.PIECE_BYTES):
            if b"\n" in piece:
                return longer
            has_tail = True
        # Only now: where an archive is torn in a line, the damage is what is wrong, not the line.
        is_last_line_due = transcript.state == "archived" and known.role == "place"
        return longer if has_tail and is_last_line_due else None

    def _first_difference(self, source: BinaryIO, transcript: Transcript) -> Found | None:
        """As compare.first_difference, with the unpacking shared among threads, and told from damage of the ledger."""
        query = """SELECT byte_offset, byte_length, codec, data FROM _blocks
            WHERE transcript_id = ? AND superseded_in IS NULL ORDER BY byte_offset"""
        is_plain = isinstance(source, FileIO)
        expected = 0
        ahead: deque[Future[Found | None]] = deque()
        found: Found | None = None
        for offset, length, codec, data in self._ledger.execute(query, (transcript.id,)):
            if offset != expected:
                break
            expected = offset + length
            if not is_plain or expected == transcript.bytes == length:
                # One block, or no random access: no use for threads.
                found = block_difference(source, offset, length, codec, data)
            else:
                ahead.append(self._pool.submit(block_difference, source, offset, length, codec, data))
                found = ahead.popleft().result() if len(ahead) > _BLOCKS_AHEAD else None
            if found is not None:
                break
        rest = [result for future in ahead if (result := future.result()) is not None]
        if found is None and rest:
            found = min(rest)
        return found if found is not None or expected == transcript.bytes else (expected, MISSING)
