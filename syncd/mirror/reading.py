"""Reading on in a file, from its transcript's cursor to its end, and noting what is known of the file then.

The half of taking a file in that follows when `ingest` has judged it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.ledger.raw import PIECE_BYTES
from syncd.mirror.compare import HEAD_BYTES
from syncd.mirror.placement import continuing_kind, initial_state
from syncd.mirror.recognition import known_file, sha256_of, with_prints
from syncd.mirror.settling import RACY_SECONDS, Deferred, Settling
from syncd.mirror.sides import Sides
from syncd.openclaw.file_kinds import RAW_KINDS
from syncd.path_text import printable
from syncd.sources.lines import Chunk, LongLine, Tail, complete_lines
from syncd.sources.opening import flaw_of, read_pieces, stat_of
from syncd.sources.owners import Owners
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from syncd.clock import Clock
    from syncd.ledger.files import FileTable, KnownFile
    from syncd.ledger.transcripts import Transcript
    from syncd.ledger.writer import Writer
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import FileStat, ListedFile


class Reading(Sides):
    """Of the files of one installation.

    `thorough`: prove every byte of a changed file, not only its growth. `slice_bytes`: read no more than about this
    much of a file in one look, so that others come to their turn; the rest is Deferred as a backlog.
    """

    def __init__(
        self,
        writer: Writer,
        files: FileTable,
        clock: Clock,
        environ: Mapping[str, str],
        *,
        settle_seconds: float,
        max_line_bytes: int,
        thorough: bool,
        slice_bytes: int | None = None,
        within_file: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(
            writer, files, Settling(clock, settle_seconds), Owners(files.state_dir, environ), max_line_bytes
        )
        self.lines_read = 0
        """Committed or not."""
        self.thorough = thorough
        self._settle_seconds = settle_seconds
        self._slice_bytes = slice_bytes
        self._within_file = within_file
        self._changed_ids: set[str | None] = set()
        self._links: dict[tuple[int, int], str] = {}
        """Files with several names: by device and inode, the one that was taken in."""

    def _read_on(
        self, listed: ListedFile, name: FileName, before: FileStat, source: BinaryIO, transcript: Transcript,
        known: KnownFile | None,
    ) -> Deferred | None:  # fmt: skip
        """From the transcript's cursor to the file's end, and what is known of the file then."""
        start, first_line = transcript.bytes, transcript.lines
        facts, sha256 = transcript.update_row(), transcript.file_sha256
        transcript.file_sha256 = None  # what is committed on the way has none: a crash must not leave an old one
        self._arrive(listed, name, before, transcript, known)
        is_of_file = known is not None and known.transcript_id == transcript.id
        # What follows the cursor may have been rewritten as well: a thorough look searches it again.
        scanned = known.scanned if known is not None and is_of_file and not self.thorough else 0
        tail = self._read_lines(listed.path, name, before, source, transcript, scanned)
        self.writer.no_more_at_hand(transcript)
        if tail is None:
            return self._leave_rest(listed.path, before, source, transcript, first_line)
        is_growing = tail.length > 0 and self._settling.is_young(listed.path, before)
        if transcript.state == "archived" and tail.length > 0 and not is_growing:
            self._take_tail(source, transcript, tail, is_read=name.kind not in RAW_KINDS)
            tail = Tail(transcript.bytes, 0, b"")
        tail = self._put_tail_aside(source, transcript, tail)
        self._backlogs.pop(listed.path, None)
        # Of a database's session, the generation proves what stands before the cursor.
        is_read_whole = self.thorough or start == 0 or name.is_zst or is_stored(listed.path)
        is_proven = is_read_whole and self._is_unmoved(listed.path, before, source)
        if transcript.state == "archived" and is_growing:
            is_proven = False  # its last line is taken in when it is at rest
        # Not its stat of now: what was written since the last read is in its size, and must still look new.
        file = known_file(transcript.id, "place", before, is_proven=is_proven)
        if flaw_of(source) is not None:
            file = file._replace(is_proven=False)  # and without prints: the whole is compared until it can be read
        elif not name.is_zst:
            as_it_was = known if is_of_file and start >= HEAD_BYTES else None
            file = with_prints(file, source, transcript.bytes, transcript.bytes + tail.length, as_it_was)
        if transcript.state == "archived" and tail.length == 0:  # else there is more to come
            found = sha256 if sha256 is not None and transcript.bytes == start else sha256_of(source)
            # Of a copy that is being written it is of more than was read; that one looks new, and is read on.
            transcript.file_sha256 = found if stat_of(source) == before else None
        self.files.put(self.writer, listed.path, file)
        if transcript.update_row() != facts:  # a rewrite to the same bytes changes nothing, `changed_at` neither
            self._changed_ids.add(transcript.session_id)
            self.writer.touch(transcript)
        self.lines_read += transcript.lines - first_line
        if known is not None:
            self.files.unprove_copies(self.writer, transcript.id)
        if is_proven or not self.thorough:
            return None
        return Deferred("settling", self._settle_seconds) if is_growing else Deferred("racy", RACY_SECONDS)

    def _arrive(
        self, listed: ListedFile, name: FileName, before: FileStat, transcript: Transcript, known: KnownFile | None
    ) -> None:
        """The transcript is at this path now, wherever it was before."""
        if transcript.state == "gone" or transcript.path != printable(listed.path):
            former, transcript.path = transcript.path, printable(listed.path)
            kind = "returned" if is_stored(former) == is_stored(listed.path) else "migration"
            self.writer.event(kind, transcript, former=former, path=transcript.path)
            transcript.kind = continuing_kind(self.ledger, transcript, name)
        transcript.state = initial_state(name)
        if known is None or known.transcript_id != transcript.id:
            self._claim(listed.path, before, transcript)

    def _is_unmoved(self, path: str, before: FileStat, source: BinaryIO) -> bool:
        """Was it not written while it was read, as far as its times can tell?"""
        after = stat_of(source)
        return after == before and not self._settling.is_racy(path, after)

    def _leave_rest(
        self, path: str, before: FileStat, source: BinaryIO, transcript: Transcript, first_line: int
    ) -> Deferred:
        """A slice of a backlog is read. The file is known up to the cursor: to the next look it has grown since."""
        known = known_file(transcript.id, "place", before._replace(size=transcript.bytes), is_proven=False)
        self._backlogs[path] = before.size
        self._under_way[path] = self.writer.clock.monotonic()
        if flaw_of(source) is None:
            known = with_prints(known, source, transcript.bytes, transcript.bytes)
        self.files.put(self.writer, path, known)
        self._changed_ids.add(transcript.session_id)
        self.lines_read += transcript.lines - first_line
        return Deferred("backlog", 0.0)

    def _read_lines(
        self, path: str, name: FileName, before: FileStat, source: BinaryIO, transcript: Transcript, scanned: int
    ) -> Tail | None:
        """What follows the last newline; None when there is more than a slice."""
        start, first_line = transcript.bytes, transcript.lines
        limit = start + self._slice_bytes if self._slice_bytes is not None and not name.is_zst else None
        end = None if name.is_zst else before.size  # what comes meanwhile is another look's
        try:
            return self._hand_over(name, source, transcript, scanned, limit, end)
        except SourceError:  # what could be read stays; the rest is tried again
            self.files.put(self.writer, path, known_file(transcript.id, "place", before, is_proven=False))
            self._changed_ids.add(transcript.session_id)
            self.writer.touch(transcript)
            self.lines_read += transcript.lines - first_line
            raise

    def _hand_over(
        self, name: FileName, source: BinaryIO, transcript: Transcript, scanned: int, limit: int | None, end: int | None
    ) -> Tail | None:
        """To the writer, line by line, up to `end`; None: it stopped at the limit."""
        is_read = name.kind not in RAW_KINDS
        for part in complete_lines(source, transcript.bytes, self._max_line_bytes, scanned=scanned, end=end):
            if isinstance(part, Chunk):
                self.writer.append(transcript, part.data, is_read=is_read, is_last=part.is_last, tally=self.tally)
            elif isinstance(part, LongLine):
                pieces = read_pieces(source, part.offset, part.offset + part.length, PIECE_BYTES)
                if not self.writer.append_long_line(transcript, part.length, pieces, is_read=is_read, tally=self.tally):
                    return Tail(transcript.bytes, 0, None)  # cut short under our eyes: the next look judges it
            else:
                return part
            del part  # a giant line must be gone from memory before the next is read
            self._within_file()
            if limit is not None and transcript.bytes >= limit and (end is None or transcript.bytes < end):
                return None
        raise AssertionError("complete_lines always ends with a Tail")
