"""Taking one file in: open, judge, read what is new, and hand it to the writer with the file's new stat.

The ladder: unchanged stat is nothing to do (scan saw to that); growth under the same inode needs only head and mark to
match; anything else is compared byte by byte. What was changed or cut off must be at rest before it is believed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.ledger.sessions import ENDED_BY_RESET
from syncd.mirror.compare import first_difference
from syncd.mirror.departures import STALE
from syncd.mirror.kept_out import is_source_kept_out, shows_itself_kept_out
from syncd.mirror.kin import repeats
from syncd.mirror.placement import (
    continuing_kind,
    has_archived,
    header_id,
    initial_state,
    is_imported,
    new_transcript,
    session_id_in,
    whereabouts,
)
from syncd.mirror.reading import Reading
from syncd.mirror.recognition import has_grown, is_as_read, is_inode_at, known_file, matches
from syncd.mirror.settling import RACY_SECONDS, Deferred
from syncd.openclaw.file_kinds import RAW_KINDS
from syncd.path_text import printable
from syncd.records import FileStat
from syncd.sources.lines import Tail
from syncd.sources.opening import (
    DoubtedError,
    NotThereError,
    RefusedError,
    flaw_of,
    open_source,
    problem_of,
    read_pieces,
    stat_of,
)
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from syncd.ledger.files import KnownFile
    from syncd.ledger.transcripts import Transcript
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import FileProblem, ListedFile


class Ingest(Reading):
    """Takes files of one installation into the ledger."""

    @cached_property
    def _may_be_restored(self) -> bool:
        """Asked once, when the first path without a transcript comes: a first import must not ask for every file."""
        return self._slice_bytes is not None or has_archived(self.ledger, self.files.installation_id)

    @cached_property
    def _whereabouts(self) -> dict[str, int]:
        """Asked once as well, when a path without a transcript comes."""
        return whereabouts(self.ledger, self.files.installation_id)

    def forget(self) -> None:
        """Between the looks of a long life, all flushed: what was kept in mind for the batch is in the ledger now."""
        self._changed_ids.clear()
        self._links.clear()
        self._settling.forget_old()

    def take(self, listed: ListedFile, name: FileName) -> Deferred | FileProblem | None:
        """Take in what is new in the file. None: done, the ledger has all of it."""
        self._under_way.pop(listed.path, None)
        try:
            try:
                return self._take_file(listed, name)
            except DoubtedError:
                return self._take_file(listed, name)
        except NotThereError:
            return None
        except RefusedError as refusal:
            return self._refuse(listed, refusal.reason)
        except SourceError as error:
            return problem_of(error, listed.path)

    def _take_file(self, listed: ListedFile, name: FileName) -> Deferred | FileProblem | None:
        with open_source(listed.path, is_zst=name.is_zst) as source:
            self._settling.is_back(listed.path)
            outcome = self._take_open(listed, name, source)
            if (flaw := flaw_of(source)) is None or listed.path in self._backlogs:
                return outcome
            return problem_of(flaw, listed.path)

    def _take_open(self, listed: ListedFile, name: FileName, source: BinaryIO) -> Deferred | None:
        path = listed.path
        known = self.files.get(path)
        before = stat_of(source)
        if (known is None or known.transcript_id is None) and is_source_kept_out(self.files.kept_out, name, source):
            return None
        if (
            (known is None or known.role == "hard_link")
            and listed.link_count > 1
            and self._is_second_link(path, before, known)
        ):
            return None
        if known is not None and known.transcript_id is not None:
            transcript = self._derived(known.transcript_id)
            if transcript.lines <= 1 and shows_itself_kept_out(self.files.kept_out, name, source):
                self._turn_away(listed.path, transcript)
                return None
            judged = self._judge(listed, name, known, before, source, transcript)
        else:
            judged = self._place(listed, name, before, source)
        if isinstance(judged, Deferred):
            return judged
        self._settling.is_judged(path)
        return self._read_on(listed, name, before, source, judged, known) if judged is not None else None

    def _turn_away(self, path: str, transcript: Transcript) -> None:
        """Empty or a mere header when it was taken in, it goes on as a purged session: nothing of that is read."""
        self._keep_tail(transcript, Tail(transcript.bytes, 0, b""))
        self._leave(transcript, path)
        self.writer.touch(transcript)
        self.writer.event("turned_away", transcript)
        self.files.forget_transcript(self.writer, path, transcript.id)

    def _is_second_link(self, path: str, stat: FileStat, known: KnownFile | None) -> bool:
        """The same file under another name that is already taken in: noted, and left at that."""
        other = self._links.setdefault((stat.dev, stat.ino), path)
        if other == path:
            other = self.files.with_inode(stat, path) or path
        if other == path or not is_inode_at(other, stat):
            return False
        if known is None:
            self.writer.event("hard_link", None, path=printable(path), same_file_as=printable(other))
        self.files.put(self.writer, path, known_file(None, "hard_link", stat))
        return True

    # Which transcript, and from where on

    def _place(
        self, listed: ListedFile, name: FileName, before: FileStat, source: BinaryIO
    ) -> Transcript | Deferred | None:
        """The transcript of a path without one."""
        found_id = session_id_in(source, listed.path) if name.kind not in RAW_KINDS else None
        if (left := self._left_here(listed.path, found_id, source)) is not None:
            as_known = known_file(left.id, "place", before, is_proven=False)
            return self._judge(listed, name, as_known, before, source, left)
        if not self._changed_ids.isdisjoint((found_id, name.session_id)):
            self.writer.flush()  # what it repeats or goes on with may be in the batch that is not committed yet
        if repeated := self._kin.repeated_by(listed, name, source, found_id):
            return self._add_place(listed, before, repeated)
        if begun := self._imported(listed, name, source, found_id):
            self._leave_stale(listed, before, begun)
            return None
        twin = self._twin(listed, name, source, found_id)
        if isinstance(twin, Deferred):
            return twin
        if twin is not None:
            twin = self._derived(twin.id)
            return self._weigh(listed, name, before, source, twin, self._other_side(twin, listed.path))
        transcript = self._kin.continued_by(listed, name, source, found_id)
        if transcript is None and self._may_be_restored:
            transcript = self._kin.restored_by(listed, name, source, found_id)
        if transcript is None:
            return self._begin(listed, name, found_id)
        transcript = self._derived(transcript.id)
        difference = self._difference(transcript, listed.path, source)
        if difference is None and self._goes_on(transcript, name, source):
            difference = transcript.bytes
        former = transcript.path
        if difference is not None:
            self._supersede(transcript, difference, "rewrite")
        transcript.path, transcript.state = printable(listed.path), initial_state(name)
        transcript.kind = continuing_kind(self.ledger, transcript, name)
        self._find_owner(transcript, listed, former)
        self.writer.touch(transcript)
        if not is_imported(former):  # which has its bytes still
            self.files.forget_transcript(self.writer, former, transcript.id)
        self._claim(listed.path, before, transcript)
        kind = "archive_rename" if transcript.state == "archived" else "returned"
        self.writer.event(kind, transcript, former=former, path=transcript.path)
        self._note_reset(transcript)
        self.writer.flush()  # the next archive must not find this transcript still unclaimed
        return transcript

    def _left_here(self, path: str, found_id: str | None, source: BinaryIO) -> Transcript | None:
        """The transcript that lies at this path by its own row: then what was known of the file is damaged."""
        transcript_id = self._whereabouts.get(printable(path))
        if transcript_id is None:
            return None
        found = self._derived(transcript_id)
        if found.path != printable(path) or found.state == "gone":
            return None  # it has moved since
        is_same = found.header_version is None or found_id == found.session_id
        return found if is_same or first_difference(self.ledger, found, source) is None else None

    def _begin(self, listed: ListedFile, name: FileName, found_id: str | None) -> Transcript:
        transcript = new_transcript(self.writer, self.files.installation_id, listed, name, found_id)
        self._changed_ids.add(transcript.session_id)
        self._note_reset(transcript)
        return transcript

    def _note_reset(self, transcript: Transcript) -> None:
        if transcript.kind == "reset":
            about = (transcript.session_id, transcript.installation_id, transcript.agent_id)
            self.writer.also(ENDED_BY_RESET, about)

    def _add_place(
        self, listed: ListedFile, before: FileStat, transcript: Transcript, *, is_new: bool = True
    ) -> Deferred | None:
        is_proven = not self._settling.is_racy(listed.path, before)
        self.files.put(self.writer, listed.path, known_file(transcript.id, "copy", before, is_proven=is_proven))
        if is_new:
            if not self.files.places_of(transcript.id):
                transcript.path, transcript.state = printable(listed.path), "archived"
                self.writer.touch(transcript)
            self.writer.event("copy_found", transcript, path=printable(listed.path))
        return None if is_proven else Deferred("racy", RACY_SECONDS)

    def _judge(
        self, listed: ListedFile, name: FileName, known: KnownFile, before: FileStat, source: BinaryIO,
        transcript: Transcript,
    ) -> Transcript | Deferred | None:  # fmt: skip
        """Has anything that was taken in changed? The transcript to read on with, its cursor set."""
        if not self.thorough and is_as_read(known, before, transcript, listed.path):
            return None  # an event for what an earlier look has read; it is proven when it is at rest
        if (
            not self.thorough
            and not name.is_zst
            and transcript.path == printable(listed.path)
            and has_grown(known, before, transcript)
            and matches(known, source, transcript.bytes)
        ):
            return transcript
        if known.role == "copy" or (known.role == STALE and name.archive_reason == "imported"):
            return self._judge_copy(listed, name, before, source, transcript)
        if known.role == STALE and self._is_another_agents(transcript, listed, source, before.size):
            return self._place(listed, name, before, source)
        if other := self._other_side(transcript, listed.path, known):
            if other_id := self._other_session(listed.path, source, transcript):
                return self._displace(listed, name, before, source, transcript, other_id)
            return self._weigh(listed, name, before, source, transcript, other)
        difference = self._difference(transcript, listed.path, source)
        if difference is None and self._goes_on(transcript, name, source):
            difference = transcript.bytes  # the last line, taken in without its newline, goes on after all
        if (
            difference is None
            and transcript.bytes == 0
            and (other_id := self._other_session(listed.path, source, transcript))
        ):
            # Seen empty in between: no byte tells, the id does.
            return self._displace(listed, name, before, source, transcript, other_id)
        if difference is None:
            return transcript
        if other_id := self._other_session(listed.path, source, transcript):
            return self._displace(listed, name, before, source, transcript, other_id)
        is_shrink = difference >= before.size and not name.is_zst
        is_same_file = (known.stat.dev, known.stat.ino) == (before.dev, before.ino)  # it did not arrive by rename
        deferred = self._unrested(
            listed.path, before, source, difference, is_shrink=is_shrink, is_same_file=is_same_file
        )
        if deferred is not None:
            return deferred
        self._supersede(transcript, difference, "truncation" if is_shrink else "rewrite")
        return transcript

    def _unrested(
        self, path: str, before: FileStat, source: BinaryIO, difference: int, *, is_shrink: bool, is_same_file: bool
    ) -> Deferred | None:
        """Is a difference too young to be believed?"""
        waits = is_shrink and is_same_file
        # A catch-up has not looked for an archive of what was here since its listing: the next pass will. The daemon
        # has, and what came by a rename came in one piece.
        if self.thorough:
            return self._settling.unrested(path, before, waits_for_lock=waits)
        if not is_shrink and not is_same_file:
            return None
        byte = b"".join(read_pieces(source, difference, difference + 1, 1))
        return self._settling.unrested_change(path, before, difference, byte, waits_for_lock=waits)

    def _judge_copy(
        self, listed: ListedFile, name: FileName, before: FileStat, source: BinaryIO, transcript: Transcript
    ) -> Transcript | Deferred | None:
        """Another place of the transcript, as long as it has the same bytes; else a transcript of its own."""
        if repeats(self.ledger, transcript, None if name.is_zst else before.size, source):
            return self._add_place(listed, before, transcript, is_new=transcript.state == "gone")
        if name.archive_reason == "imported" and self._has_outgrown(transcript, source, before.size):
            self._leave_stale(listed, before, transcript)
            return None
        if (deferred := self._settling.unrested(listed.path, before, waits_for_lock=False)) is not None:
            return deferred
        if transcript.path == printable(listed.path) and transcript.state != "gone":
            self._leave(transcript, listed.path)
            self.writer.touch(transcript)
        return self._place(listed, name, before, source)

    def _other_session(self, path: str, source: BinaryIO, transcript: Transcript) -> str | None:
        """The id in the file's header, if that is another session's than the transcript's."""
        if transcript.header_version is None or is_stored(path):
            return None  # a database's rows say whose they are
        found = header_id(source)
        return found if found != transcript.session_id else None

    def _displace(
        self, listed: ListedFile, name: FileName, before: FileStat, source: BinaryIO, transcript: Transcript,
        other_id: str,
    ) -> Transcript | Deferred | None:  # fmt: skip
        """Another session has taken this path; the one that was here is where an archive says, or gone."""
        is_out = is_source_kept_out(self.files.kept_out, name, source)
        if transcript.path == printable(listed.path) and transcript.state != "gone":
            self._leave(transcript, listed.path)
            self.writer.touch(transcript)
            by_whom = {} if is_out else {"by_session_id": other_id}
            self.writer.event("displaced", transcript, path=printable(listed.path), **by_whom)
        if is_out:
            self.files.forget_transcript(self.writer, listed.path, transcript.id)
            return None
        if initial_state(name) == "live":
            return self._place(listed, name, before, source)  # perhaps an archive that has its old name again
        return self._begin(listed, name, other_id)

    def _refuse(self, listed: ListedFile, reason: str) -> Deferred | None:
        known = self.files.get(listed.path)
        if known is None or known.role != "refused":
            if (deferred := self.lose(listed.path)) is not None:  # what was a plain file here before is not any more
                return deferred
            self.writer.event("refused", None, path=printable(listed.path), reason=printable(reason))
        transcript_id = known.transcript_id if known is not None else None
        self.files.put(self.writer, listed.path, known_file(transcript_id, "refused", listed.stat, is_proven=True))
        return None
