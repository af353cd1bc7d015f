"""Files that are no longer where they were: what becomes of their transcripts, and of what they had begun to say.

The half of taking files in that looks at absence; `ingest` is the other, and looks at bytes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.ledger import transcripts
from syncd.ledger.counts import MOST_KEPT_TAIL_BYTES
from syncd.ledger.projection import VERSION
from syncd.ledger.raw import PIECE_BYTES
from syncd.ledger.tally import Tally
from syncd.mirror.compare import first_difference
from syncd.mirror.kin import Kin
from syncd.mirror.mend import Mender
from syncd.mirror.placement import initial_state
from syncd.mirror.rebuild import derive
from syncd.openclaw.file_kinds import RAW_KINDS, classify
from syncd.path_text import printable
from syncd.sources.lines import Tail
from syncd.sources.opening import is_there, open_source, read_pieces
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from syncd.ledger.files import FileTable
    from syncd.ledger.transcripts import Transcript
    from syncd.ledger.writer import Writer
    from syncd.mirror.settling import Deferred, Settling
    from syncd.sources.owners import Owners

_MOST_BETWEEN_SLICES_SECONDS = 10.0
STALE = "stale"
"""The role of a file that has no more than a part of what the ledger knows of its transcript."""


class Departures:
    """Of the files of one installation."""

    def __init__(
        self, writer: Writer, files: FileTable, settling: Settling, owners: Owners, max_line_bytes: int
    ) -> None:
        self.writer = writer
        self.ledger = writer.ledger
        self.files = files
        self._settling = settling
        self.owners = owners
        self._kin = Kin(self.ledger, files, owners)
        self._max_line_bytes = max_line_bytes
        self.tally = Tally()
        """What was read in files and is committed."""
        self.due: list[str] = []
        """Paths that a look at another has made due: the daemon looks at them next. They are not called proven, so the
        next catch-up finds them all the same.
        """
        self._backlogs: dict[str, int] = {}  # path -> size of a file that is read in slices
        self._under_way: dict[str, float] = {}  # of those: when a slice was read that the next look goes on with

    def lose(self, path: str, *, is_flushed: bool = False) -> Deferred | None:
        """A known path is not there any more. Its rows stay; its unfinished last line is all that will ever come.

        Absence proves nothing at once: a rewrite may have removed the file, an archive's name may come next.
        `is_flushed`: since then nothing was done but losing others.
        """
        known = self.files.get(path)
        if known is None or known.transcript_id is None:
            self.files.mark_absent(self.writer, path)
            return None
        transcript = self._derived(known.transcript_id)
        is_its_place = transcript.state == "live" and transcript.path == printable(path)
        if is_its_place and (deferred := self._settling.unrested_absence(path)) is not None:
            return deferred
        self._settling.is_back(path)  # it is believed: should it come back and go again, that is another absence
        self._settling.is_judged(path)
        self._under_way.pop(path, None)
        if is_stored(path) and not is_flushed:
            self.writer.flush()  # its copies are compared with what the ledger has
        self.files.mark_absent(self.writer, path)  # in one batch with what becomes of the transcript
        if transcript.state == "gone":
            return None
        facts, rest = transcript.update_row(), self._backlogs.pop(path, 0)
        self._leave(transcript, path)
        if transcript.state != "live":
            self._take_kept_tail(transcript)
        if transcript.state == "gone":
            is_zst = classify(os.path.basename(path)).is_zst
            lost = 0 if is_zst else max(0, known.stat.size - transcript.bytes, rest - transcript.bytes)
            self.writer.event("gone", transcript, path=transcript.path, bytes=transcript.bytes, lost_bytes=lost)
        if transcript.update_row() != facts:
            self.writer.touch(transcript)
        return None

    def lose_if_missing(self, path: str, *, is_flushed: bool = False) -> Deferred | None:
        """A later look at a path that was missing when it was listed."""
        if is_there(path):
            self._under_way.pop(path, None)  # though it cannot be looked at
            self._settling.is_back(path)
            return None  # back: the next pass takes it in
        return self.lose(path, is_flushed=is_flushed)

    def _leave(self, transcript: Transcript, path: str) -> None:
        """It is no longer at this path: it is where else its bytes were seen, or gone."""
        others = [other for other in self.files.places_of(transcript.id) if other != path]
        if transcript.path in map(printable, others):
            return  # it was another place of it that is gone
        outgrown: list[str] = []
        if is_stored(path):
            outgrown = [other for other in others if not self._has_all(transcript, other)]
            for other in outgrown:
                self._call_stale(transcript, other)
            others = [other for other in others if other not in outgrown]
        if others:
            transcript.path = printable(others[0])
            transcript.state = initial_state(classify(os.path.basename(others[0])))
        else:
            transcript.state = "gone"
            self.due += dict.fromkeys((*outgrown, *self.files.unprove_stale(self.writer, transcript.id)))

    def _is_under_way(self, path: str) -> bool:
        """Nobody waits for long for one that is not read on, whatever the reason."""
        since = self._under_way.get(path)
        return since is not None and self.writer.clock.monotonic() - since < _MOST_BETWEEN_SLICES_SECONDS

    def _has_all(self, transcript: Transcript, path: str) -> bool:
        """Has this copy all that the ledger has? What was imported into a database goes on there, the copy does not."""
        if is_stored(path) or classify(os.path.basename(path)).is_zst:
            return True
        try:
            with open_source(path) as source:
                return first_difference(self.ledger, transcript, source) is None
        except SourceError:
            return True  # whoever looks at it next says what is wrong with it

    def _call_stale(self, transcript: Transcript, path: str) -> None:
        known = self.files.get(path)
        if known is not None and known.role != STALE:
            self.files.put(self.writer, path, known._replace(role=STALE))
            self.writer.event("stale", transcript, path=printable(path), source=transcript.path)

    def take_last_lines(self) -> None:
        """Of sessions whose path another has taken, and which no archive went on with: what they had begun to write."""
        condition = """installation_id = ? AND tail_bytes > 0 AND (state = 'gone'
            OR state = 'archived' AND kind IN ('primary', 'fork', 'successor', 'trajectory'))"""
        for found in transcripts.load_where(self.ledger, condition, (self.files.installation_id,)):
            transcript = self._derived(found.id)
            self._take_kept_tail(transcript)
            self.writer.touch(transcript)

    def _take_kept_tail(self, transcript: Transcript) -> None:
        row = self.ledger.row("SELECT data FROM _tails WHERE transcript_id = ?", (transcript.id,))
        if transcript.tail_bytes:
            self._keep_tail(transcript, Tail(transcript.bytes, 0, b""))  # before its line: in no later batch than that
        if row is not None:
            is_too_long = len(row[0]) > self._max_line_bytes
            is_read = transcript.kind not in RAW_KINDS
            self.writer.append(transcript, row[0], is_read=is_read, is_too_long=is_too_long)

    def _take_tail(self, source: BinaryIO, transcript: Transcript, tail: Tail, *, is_read: bool) -> None:
        """The last line of a file that will not grow any more, newline or not."""
        if tail.data is not None:
            self.writer.append(transcript, tail.data, is_read=is_read, tally=self.tally)
        else:
            pieces = read_pieces(source, tail.offset, tail.offset + tail.length, PIECE_BYTES)
            self.writer.append_long_line(transcript, tail.length, pieces, is_read=is_read, tally=self.tally)

    def _put_tail_aside(self, source: BinaryIO, transcript: Transcript, tail: Tail) -> Tail:
        """With its bytes, unless there are too many of them: the file may go before the line is complete."""
        if tail.data is None and tail.length <= MOST_KEPT_TAIL_BYTES:
            kept = b"".join(read_pieces(source, tail.offset, tail.offset + tail.length, PIECE_BYTES))
            tail = Tail(tail.offset, len(kept), kept)
        self._keep_tail(transcript, tail)
        return tail

    def _keep_tail(self, transcript: Transcript, tail: Tail) -> None:
        if tail.length or transcript.tail_bytes:
            data = tail.data if tail.data is not None and tail.length <= MOST_KEPT_TAIL_BYTES else None
            self.writer.keep_tail(transcript, data)
        transcript.tail_bytes = tail.length

    def _derived(self, transcript_id: int) -> Transcript:
        """The transcript, with its rows made anew if a rebuild that is under way has not come to it yet."""
        transcript = self.writer.load(transcript_id)
        if transcript.projection == VERSION:
            return transcript
        self.writer.flush()
        derive(self.ledger, transcript, self._max_line_bytes, Mender(self.ledger, self.writer.clock))
        self.writer.renumber()
        return self.writer.load(transcript.id)
