"""Which known transcript a file goes on with, has its old name back, or repeats: its bytes must tell.

- A `.reset.` or `.deleted.` file continues the transcript whose bytes it begins with and whose own place lost them.
  One that is given its old name back continues it too.
- An import-archive file, or an archive beside its compressed self, with a known transcript's bytes is another place of
  it. Other copies are of their own kind.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from syncd.ledger import transcripts
from syncd.ledger.raw import PIECE_BYTES
from syncd.mirror.compare import first_difference
from syncd.mirror.placement import PUT_AWAY, header_id, initial_state, is_continuing, is_imported
from syncd.openclaw.file_kinds import COPY_KINDS, RAW_KINDS, classify
from syncd.path_text import printable
from syncd.sources.opening import NotThereError, RefusedError, is_there, open_source, read_pieces
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.ledger.transcripts import Transcript
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile
    from syncd.sources.owners import Owners


@dataclass(frozen=True, slots=True)
class Kin:
    """Among the transcripts of one installation. Only reads."""

    _ledger: Ledger
    _files: FileTable
    _owners: Owners

    def of_session(self, listed: ListedFile, *session_ids: str | None) -> list[Transcript]:
        """Transcripts of these ids that may be the listed one: its agent's, in order, behind those of other agents.

        Of others only what lies, or may come from, where no place says whose it is; not what a database still has,
        since two of them are two agents'. Whether it is the listed one, the bytes must tell.
        """
        agent_id = printable(listed.agent_id)
        condition = f"installation_id = ? AND session_id IN ({', '.join('?' for _ in session_ids)})"
        found = transcripts.load_where(self._ledger, condition, (self._files.installation_id, *session_ids))
        others = [
            item
            for item in found
            if item.agent_id != agent_id
            and self._owners.may_be_one(printable(listed.path), agent_id, item.path, item.agent_id)
            and not (is_stored(listed.path) and is_stored(item.path) and self._is_still_at(item))
        ]
        return others + [item for item in found if item.agent_id == agent_id]

    def continued_by(
        self, listed: ListedFile, name: FileName, source: BinaryIO, found_id: str | None
    ) -> Transcript | None:
        """The transcript that an archive goes on with: its bytes are here, and no longer where they were."""
        if not is_continuing(name):
            return None
        session_id = found_id or name.session_id
        if session_id is None:
            return None
        candidates = [each for each in self.of_session(listed, session_id) if each.path != printable(listed.path)]
        former = printable(f"{listed.directory}/{name.of}")
        found = [
            (item, first_difference(self._ledger, item, source) is None)
            for item in candidates
            if item.kind not in COPY_KINDS and (item.kind in RAW_KINDS) == (name.kind in RAW_KINDS)
        ]

        def likelihood(each: tuple[Transcript, bool]) -> tuple[bool, bool, bool, bool, int]:
            """Its own former place first, then its agent's, then the one whose bytes are here, then the newest: after
            two resets of one id its bytes are those that moved.
            """
            item, begins_with_it = each
            is_own = item.agent_id == printable(listed.agent_id)
            return (item.path == former, is_own, begins_with_it and item.bytes > 0, item.bytes > 0, item.id)

        for transcript, begins_with_it in sorted(found, key=likelihood, reverse=True):
            is_elsewhere = begins_with_it and transcript.bytes > 0
            if transcript.header_version is None and not begins_with_it:
                continue
            if transcript.agent_id != printable(listed.agent_id) and not is_elsewhere:
                continue
            if not self._is_in_its_place(transcript, former, is_elsewhere=is_elsewhere):
                return transcript
        return None

    def restored_by(
        self, listed: ListedFile, name: FileName, source: BinaryIO, found_id: str | None
    ) -> Transcript | None:
        """The archived transcript that has its old name again: its bytes are here, and no longer where they were."""
        session_id = found_id or name.session_id
        if initial_state(name) != "live" or session_id is None:
            return None
        for transcript in reversed(self.of_session(listed, session_id)):
            if transcript.state == "live" or transcript.bytes == 0:
                continue
            if not _is_archived(transcript, is_raw=name.kind in RAW_KINDS):
                continue
            if any(is_there(path) for path in self._files.paths_of(transcript.id)):
                continue  # this is a copy of it
            if first_difference(self._ledger, transcript, source) is None:
                return transcript
        return None

    def repeated_by(
        self, listed: ListedFile, name: FileName, source: BinaryIO, found_id: str | None
    ) -> Transcript | None:
        """The transcript whose bytes an import-archive file, or an archive compressed or not, repeats to the last."""
        if name.archive_reason != "imported" and not is_continuing(name):
            return None
        same = [
            item
            for item in self.of_session(listed, found_id, name.session_id)
            if (item.kind in RAW_KINDS) == (name.kind in RAW_KINDS)
            and (name.archive_reason == "imported" or _is_same_archive(item, listed, name))
            and repeats(self._ledger, item, None if name.is_zst else listed.stat.size, source)
        ]
        own = printable(listed.agent_id)

        def likelihood(item: Transcript) -> tuple[bool, bool, bool]:
            """Its agent's; by its name the one it was; an original rather than another copy; else the eldest."""
            return (item.agent_id == own, os.path.basename(item.path) == name.of, item.kind not in COPY_KINDS)

        return max(same, key=likelihood, default=None)

    def _is_in_its_place(self, transcript: Transcript, former: str, *, is_elsewhere: bool) -> bool:
        """Does a place of the transcript still hold it? Not if it is the archive's former path, and another's now.

        There, other bytes under the same header are a rewrite, unless the old ones were found elsewhere. A file of the
        import archive is no such place: what was imported goes on without it.
        """
        for path in self._files.paths_of(transcript.id):
            if is_imported(path):
                continue
            if transcript.path != former and is_there(path):
                return True  # the archive's name speaks of another file
            if _holds_bytes_of(self._ledger, path, transcript, is_elsewhere=is_elsewhere):
                return True
        return False

    def _is_still_at(self, transcript: Transcript) -> bool:
        return any(
            printable(path) == transcript.path and is_there(path) for path in self._files.places_of(transcript.id)
        )


def _is_archived(transcript: Transcript, *, is_raw: bool) -> bool:
    if not is_raw:
        return transcript.kind in PUT_AWAY
    return transcript.kind in RAW_KINDS and is_continuing(classify(os.path.basename(transcript.path)))


def _is_same_archive(transcript: Transcript, listed: ListedFile, name: FileName) -> bool:
    """Does its name differ from the listed one in nothing but the compression?"""
    directory, other_name = os.path.split(transcript.path)
    other = classify(other_name)
    is_pair = other.is_zst != name.is_zst and directory == printable(listed.directory)
    return is_pair and (other.kind, other.of, other.archived_at_ms) == (name.kind, name.of, name.archived_at_ms)


def repeats(ledger: Ledger, transcript: Transcript, size: int | None, source: BinaryIO) -> bool:
    """Are the file's bytes all of the transcript's, an unfinished last line included, and no more?

    An empty file repeats nothing: any other would be its original. `size` None: only reading tells, as for a
    compressed file.
    """
    whole = transcript.bytes + transcript.tail_bytes
    if whole == 0 or size not in (None, whole) or first_difference(ledger, transcript, source) is not None:
        return False
    if size is None and any(read_pieces(source, whole, whole + 1, 1)):
        return False
    if transcript.tail_bytes == 0:
        return True
    kept = ledger.row("SELECT data FROM _tails WHERE transcript_id = ?", (transcript.id,))
    return kept is not None and kept[0] == b"".join(read_pieces(source, transcript.bytes, whole, PIECE_BYTES))


def _holds_bytes_of(ledger: Ledger, path: str, transcript: Transcript, *, is_elsewhere: bool) -> bool:
    try:
        with open_source(path, is_zst=classify(os.path.basename(path)).is_zst) as source:
            current = header_id(source)
            if current is not None and transcript.header_version is not None:
                if current != transcript.session_id:
                    return False
                if not is_elsewhere:
                    return True
            return first_difference(ledger, transcript, source) is None
    except (NotThereError, RefusedError):
        return False
