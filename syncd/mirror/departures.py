"""Files that are no longer where they were: what becomes of their transcripts, and of what they had begun to say.

The half of taking files in that looks at absence; `ingest` is the other, and looks at bytes.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.ledger import transcripts
from syncd.ledger.projection import VERSION
from syncd.ledger.transcripts import RAW_KINDS
from syncd.mirror.mend import Mender
from syncd.mirror.path_text import printable
from syncd.mirror.placement import initial_state
from syncd.mirror.rebuild import derive
from syncd.openclaw.file_kinds import classify
from syncd.sources.lines import Tail

if TYPE_CHECKING:
    from syncd.ledger.files import FileTable
    from syncd.ledger.transcripts import Transcript
    from syncd.ledger.writer import Writer
    from syncd.mirror.settling import Deferred, Settling

MAX_KEPT_TAIL_BYTES = 16 * 1024 * 1024


class Departures:
    """Of the files of one installation."""

    def __init__(self, writer: Writer, files: FileTable, settling: Settling, max_line_bytes: int) -> None:
        self.writer = writer
        self.ledger = writer.ledger
        self.files = files
        self._settling = settling
        self._max_line_bytes = max_line_bytes
        self._backlogs: dict[str, int] = {}  # path -> size of a file that is read in slices

    def lose(self, path: str) -> Deferred | None:
        """A known path is not there any more. Its rows stay; its unfinished last line is all that will ever come.

        Absence proves nothing at once: a rewrite may have removed the file, an archive's name may come next.
        """
        known = self.files.get(path)
        if known is None or known.transcript_id is None:
            self.files.mark_absent(self.writer, path)
            return None
        transcript = self._derived(known.transcript_id)
        if transcript.state == "live" and (deferred := self._settling.unrested_absence(path)) is not None:
            return deferred
        self._settling.is_back(path)  # it is believed: should it come back and go again, that is another absence
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

    def lose_if_missing(self, path: str) -> Deferred | None:
        """A later look at a path that was missing when it was listed."""
        if os.path.lexists(path):
            self._settling.is_back(path)
            return None  # back: the next pass takes it in
        return self.lose(path)

    def _leave(self, transcript: Transcript, path: str) -> None:
        """It is no longer at this path: it is where else its bytes were seen, or gone."""
        others = [other for other in self.files.places_of(transcript.id) if other != path]
        if others:
            transcript.path = printable(others[0])
            transcript.state = initial_state(classify(os.path.basename(others[0])))
        else:
            transcript.state = "gone"

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

    def _keep_tail(self, transcript: Transcript, tail: Tail) -> None:
        if tail.length or transcript.tail_bytes:
            data = tail.data if tail.data is not None and tail.length <= MAX_KEPT_TAIL_BYTES else None
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
