"""One transcript on two sides: OpenClaw's files, and a database of its own. The side that moves is the source.

After the migration the database goes on and the files are moved away, kept, or put back; put back, they go on and the
database keeps what it had. A side that has no more than a part of what the ledger knows is *stale*: noted, and left
alone until it moves. One that moves on takes over: with the same bytes, nothing changes but the place; with others, it
is a rewrite like any other. Between `departures`, which looks at absence, and `ingest`, which reads.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

from syncd.ledger import raw
from syncd.ledger.damage import is_damaged_at
from syncd.mirror.compare import ends_with_newline, first_difference, line_start, parting
from syncd.mirror.departures import STALE, Departures
from syncd.mirror.mend import mend_from
from syncd.mirror.placement import PUT_AWAY, continuing_kind, initial_state
from syncd.mirror.recognition import known_file
from syncd.mirror.settling import Deferred
from syncd.openclaw.file_kinds import COPY_KINDS, RAW_KINDS, classify
from syncd.path_text import printable
from syncd.records import FileStat
from syncd.sources.opening import doubt, is_there, read_pieces, stat_at, stat_of
from syncd.sources.store_paths import is_stored, store_of

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import KnownFile
    from syncd.ledger.transcripts import Transcript
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile

_CALLED_BACK = FileStat(0, 0, 0, 0, 0)
"""No file's stat: it is looked at again, whatever it is."""
OTHER_SIDE_SECONDS = 0.05


class Sides(Departures):
    """Of the transcripts of one installation."""

    def _twin(
        self, listed: ListedFile, name: FileName, source: BinaryIO, found_id: str | None
    ) -> Transcript | Deferred | None:
        """The transcript of this session that is known on the other side: likeliest the one with the most bytes."""
        if not self.files.has_stored and not is_stored(listed.path):
            return None
        if name.archive_reason is not None or name.kind in COPY_KINDS or name.kind in RAW_KINDS:
            return None
        known = [
            item
            for item in self._kin.of_session(listed, found_id, name.session_id)
            if item.kind not in COPY_KINDS and item.kind not in RAW_KINDS
            and side_of(item.path) != side_of(printable(listed.path))
        ]  # fmt: skip
        own = printable(listed.agent_id)
        others = (place for item in known if item.agent_id != own for place in self.files.places_of(item.id))
        if any(map(self._is_under_way, others)):
            return Deferred("other_side", OTHER_SIDE_SECONDS)  # to be compared once, not after each of its slices
        return max(
            (item for item in known if item.agent_id == own or self._has_bytes_of(item, source, listed.stat.size)),
            key=lambda item: (item.agent_id == own, item.state == "live", item.state == "gone", item.bytes),
            default=None,
        )

    def _is_another_agents(self, transcript: Transcript, listed: ListedFile, source: BinaryIO, size: int) -> bool:
        """Of two agents, what went different ways are two transcripts, whatever they began with.

        What is empty went no way: perhaps it is just being written anew.
        """
        is_others = size > 0 and transcript.agent_id != printable(listed.agent_id)
        return is_others and not self._has_bytes_of(transcript, source, size)

    def _has_bytes_of(self, transcript: Transcript, source: BinaryIO, size: int) -> bool:
        """Does one of the two begin with all of the other?"""
        if transcript.bytes > 0 and first_difference(self.ledger, transcript, source) is None:
            return True
        return generation_of(self.ledger, transcript, source, size) is not None

    def _other_side(self, transcript: Transcript, path: str, known: KnownFile | None = None) -> str | None:
        """Where the transcript is now, if that is on the other side than this path, and still there.

        A file that is stale, or was away, is beside the source wherever that is: an archive may have it by now. An
        archive that was away has no other beside it: two of them are places of the same bytes.
        """
        was_away = known is not None and not known.is_present and not is_put_away(path)
        is_beside = was_away or (known is not None and known.role == STALE)
        if transcript.path == printable(path):
            return None
        if side_of(transcript.path) == side_of(printable(path)) and not is_beside:
            return None
        places = (place for place in self.files.places_of(transcript.id) if printable(place) == transcript.path)
        return next(filter(is_there, places), None)

    def _weigh(
        self, listed: ListedFile, name: FileName, before: FileStat, source: BinaryIO, transcript: Transcript,
        other: str | None,
    ) -> Transcript | Deferred | None:  # fmt: skip
        """Does this side go on with the transcript? Then it, its cursor set; None: it is stale. `other`: the present
        source, where that is still there.
        """
        if other is not None and self._is_under_way(other):
            return Deferred("other_side", OTHER_SIDE_SECONDS)  # of what is read in part, nobody knows how it goes on
        difference = self._difference(transcript, listed.path, source)
        if difference is None and self._goes_on(transcript, name, source):
            difference = transcript.bytes
        if difference is None and transcript.bytes == 0 and before.size == 0 and other is not None:
            self._leave_stale(listed, before, transcript)
            return None
        if other is not None and self._has_not_moved(listed, before, source, transcript, other):
            self._leave_stale(listed, before, transcript)
            return None
        if difference is None and (other is None or before.size > transcript.bytes or self._is_first(listed, other)):
            return self._take_over(listed, name, before, transcript, other)
        is_called_back = self._is_called_back(listed.path)
        if difference is None or (
            other is not None and not is_called_back and self._is_part(transcript, difference, source, before.size)
        ):
            self._leave_stale(listed, before, transcript)
            return None
        is_older = other is not None and not is_called_back and self._is_newer(other, listed.path, before)
        if other is not None and (there := self.files.get(other)) is not None:
            # Till it is known what becomes of it, which a crash may come before, nothing is proven of it.
            self.files.put(self.writer, other, there._replace(is_proven=False))
        self._supersede(transcript, difference, "rewrite")
        self._take_over(listed, name, before, transcript, other)
        if other is not None and is_older:
            # What this side has is kept as a generation; then the newer one is the source again.
            file = known_file(transcript.id, "place", _CALLED_BACK, is_proven=False)
            self.files.put(self.writer, other, file)
            self.due.append(other)
        return transcript

    def _is_called_back(self, path: str) -> bool:
        """Is it the newer of two sides, of which the older one was kept as a generation first?"""
        known = self.files.get(path)
        return known is not None and known.role == "place" and known.stat == _CALLED_BACK

    def _has_not_moved(
        self, listed: ListedFile, before: FileStat, source: BinaryIO, transcript: Transcript, other: str
    ) -> bool:
        """Was it found stale as it is now, and is only looked at again? What the other has removed since is no news."""
        known = self.files.get(listed.path)
        if known is None or known.role != STALE or known.stat != before or is_put_away(other):
            return False
        return generation_of(self.ledger, transcript, source, before.size) is not None

    def _is_first(self, listed: ListedFile, other: str) -> bool:
        """Is it the likelier source of two? A database was made of the file, and an archive goes on nowhere."""
        return is_stored(listed.path) or is_put_away(other)

    def _is_part(self, transcript: Transcript, difference: int, source: BinaryIO, size: int) -> bool:
        """Has it nothing that is not known? Also if that is of an earlier generation: then only its stat is new."""
        return difference >= size or generation_of(self.ledger, transcript, source, size) is not None

    def _is_newer(self, other: str, path: str, stat: FileStat) -> bool:
        """Was the other side written after this one? Where both have moved, or one is new, only their times tell."""
        if is_put_away(other):
            return False  # put away before this side began anew, whatever time a copy of the file has
        there, known = stat_at(other), self.files.get(other)
        has_moved = known is None or known.stat != there or self.files.get(path) is None
        return there is not None and has_moved and there.mtime_ns > stat.mtime_ns

    def _take_over(
        self, listed: ListedFile, name: FileName, before: FileStat, transcript: Transcript, other: str | None
    ) -> Transcript:
        former, known = transcript.path, self.files.get(other) if other is not None else None
        if other is not None and known is not None:
            self.files.put(self.writer, other, known._replace(role=STALE))
        transcript.path, transcript.state = printable(listed.path), initial_state(name)
        transcript.kind = continuing_kind(self.ledger, transcript, name)
        self._find_owner(transcript, listed, former)
        self._claim(listed.path, before, transcript)
        kind = "returned" if side_of(former) == side_of(transcript.path) else "migration"
        self.writer.event(kind, transcript, former=former, path=transcript.path)
        return transcript

    def _find_owner(self, transcript: Transcript, listed: ListedFile, former: str) -> None:
        """Where agents share a place, that does not say whose it is; a place of one of them does."""
        owner = printable(listed.agent_id)
        if self.owners.is_given(former, transcript.agent_id, transcript.path, owner):
            self.writer.give_to(transcript, owner)

    def _leave_stale(self, listed: ListedFile, before: FileStat, transcript: Transcript) -> None:
        known = self.files.get(listed.path)
        is_new = known is None or known.role != STALE or known.transcript_id != transcript.id
        is_proven = not self._settling.is_racy(listed.path, before)
        self.files.put(self.writer, listed.path, known_file(transcript.id, STALE, before, is_proven=is_proven))
        if is_new:
            self.writer.event("stale", transcript, path=printable(listed.path), source=transcript.path)

    def _imported(
        self, listed: ListedFile, name: FileName, source: BinaryIO, found_id: str | None
    ) -> Transcript | None:
        """The transcript that has gone on in a database since this file of the import archive was moved away."""
        if name.archive_reason != "imported" or name.kind in RAW_KINDS or not self.files.has_stored:
            return None
        for transcript in reversed(self._kin.of_session(listed, found_id, name.session_id)):
            if (
                transcript.bytes > 0
                and transcript.kind not in COPY_KINDS
                and self._has_outgrown(transcript, source, listed.stat.size)
            ):
                return transcript
        return None

    def _has_outgrown(self, transcript: Transcript, source: BinaryIO, size: int) -> bool:
        """Does it lie in a database, or was put away since, and begins, now or in an earlier generation, with all the
        bytes of this file?
        """
        has_gone_on = is_stored(transcript.path) or transcript.kind in PUT_AWAY
        return has_gone_on and generation_of(self.ledger, transcript, source, size) is not None

    def _difference(self, transcript: Transcript, path: str, source: BinaryIO) -> int | None:
        """Where the file differs, once what the ledger itself has lost is taken from it again."""
        difference = first_difference(self.ledger, transcript, source)
        known = self.files.get(path)
        if difference is not None and known is not None and known.stat.ino == stat_of(source).ino:
            doubt(source)  # by its stat it was not rewritten
        if difference is None or not is_damaged_at(self.ledger, transcript.id, difference):
            return difference
        self.writer.flush()
        mend_from(self.ledger, self.writer.clock, transcript, source, path)
        return first_difference(self.ledger, transcript, source)

    def _goes_on(self, transcript: Transcript, name: FileName, source: BinaryIO) -> bool:
        """Was the last line taken in without its newline, though more of it is here, or may yet come?"""
        if ends_with_newline(self.ledger, transcript):
            return False
        return initial_state(name) == "live" or any(read_pieces(source, transcript.bytes, None, 1))

    def _supersede(self, transcript: Transcript, difference: int, kind: str) -> None:
        offset = line_start(self.ledger, transcript, difference)
        transcript.file_sha256 = None  # it was of the bytes before
        self.writer.supersede_from(transcript, offset, kind)

    def _claim(self, path: str, before: FileStat, transcript: Transcript) -> None:
        """Whose file it is, committed no later than its first rows: else a crash would make two transcripts of it."""
        self.files.put(self.writer, path, known_file(transcript.id, "place", before, is_proven=False))
        self.writer.touch(transcript)


def is_put_away(path: str) -> bool:
    """By its name: is nothing written there any more?"""
    return initial_state(classify(os.path.basename(path))) != "live"


def side_of(path: str) -> str:
    """The database that holds it; the same for all files. A database that is put elsewhere is another side, too."""
    return store_of(path) if is_stored(path) else ""


def generation_of(ledger: Ledger, transcript: Transcript, source: BinaryIO, size: int) -> int | None:
    """The newest generation of the transcript whose first bytes are those of the file. An empty file's are nobody's."""
    if size == 0:
        return None
    for generation in range(transcript.generation, 0, -1):
        position = 0
        for offset, expected, holes in raw.pieces(ledger, transcript.id, generation):
            if offset != position:
                break
            found = b"".join(read_pieces(source, offset, min(size, offset + len(expected)), len(expected)))
            parted = parting(found, expected, holes) if found != expected else None
            if parted is not None and parted < len(found):
                break
            position += len(found)
            if position >= size:
                return generation
            if len(found) < len(expected):
                break
    return None
