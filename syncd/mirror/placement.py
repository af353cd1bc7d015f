"""Which transcript a file's bytes belong to. The header's id is identity; a name or an inode only hints.

- The same path with the same header, or with none, goes on with its transcript; another header id is another one.
- A `.reset.` or `.deleted.` file continues the transcript whose bytes it begins with and whose own place lost them.
  One that is given its old name back continues it too.
- An import-archive file, or an archive beside its compressed self, with a known transcript's bytes is another place of
  it. Other copies are of their own kind.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.ledger import transcripts
from syncd.ledger.projection import VERSION
from syncd.ledger.raw import PIECE_BYTES
from syncd.ledger.transcripts import NOT_LINKED, Transcript
from syncd.mirror.compare import first_difference
from syncd.mirror.path_text import printable
from syncd.openclaw.file_kinds import COPY_KINDS, RAW_KINDS, classify
from syncd.openclaw.lines import Undecodable, decode_line
from syncd.sources.opening import NotThereError, RefusedError, is_there, open_source, read_pieces
from syncd.sources.store_paths import is_stored, session_id_of

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.ledger.writer import Writer
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile
    from syncd.sources.owners import Owners

HEADER_BYTES = 64 * 1024
_BLANK_LINES_BEFORE = 8  # tolerated, though no release writes any
PUT_AWAY = frozenset({"reset", "deleted"})
"""Kinds of archives, and reasons for them: the transcript goes on in such a file."""


def header_id(source: BinaryIO) -> str | None:
    """The session id in the file's first line, if that line is complete and a header."""
    for line in head_of(source, HEADER_BYTES).split(b"\n", _BLANK_LINES_BEFORE)[:-1]:
        if not line.strip():
            continue
        decoded = decode_line(line)
        if isinstance(decoded, Undecodable) or decoded.value.get("type") != "session":
            return None
        found = decoded.value.get("id")
        return found if isinstance(found, str) and found else None
    return None


def head_of(source: BinaryIO, size: int) -> bytes:
    """The file's first bytes; fewer where it is damaged behind its first line. SourceError: not even that is."""
    head = b""
    try:
        for piece in read_pieces(source, 0, size, HEADER_BYTES):
            head += piece
    except SourceError:
        if b"\n" not in head:
            raise  # nothing tells whose it is
    return head


def session_id_in(source: BinaryIO, path: str) -> str | None:
    """The id that says whose bytes these are: the header's, else that of a session in OpenClaw's database."""
    found = header_id(source)
    return session_id_of(path) if found is None and is_stored(path) else found


def new_transcript(
    writer: Writer, installation_id: int, listed: ListedFile, name: FileName, session_id: str | None
) -> Transcript:
    """A transcript that begins here, with nothing taken in yet."""
    transcript_id, now = writer.new_transcript_id(), writer.clock.now_ms()
    return Transcript(
        id=transcript_id,
        installation_id=installation_id,
        agent_id=printable(listed.agent_id),
        session_id=session_id or name.session_id or printable(name.stem or listed.name),
        topic_id=name.topic_id,
        path=printable(listed.path),
        kind=name.kind,
        parent_transcript_id=None,
        parent_session=None,
        lineage_id=NOT_LINKED,
        cwd=None,
        header_version=None,
        started_at=None,
        leaf_entry_id=None,
        append_entry_id=None,
        is_tree_due=False,
        tip_turn_id=None,
        generation=1,
        bytes=0,
        lines=0,
        tail_bytes=0,
        open_bytes=0,
        file_sha256=None,
        state=initial_state(name),
        projection=VERSION,
        first_seen_at=now,
        changed_at=now,
        is_stored=False,
    )


def of_session(
    ledger: Ledger, files: FileTable, owners: Owners, listed: ListedFile, *session_ids: str | None
) -> list[Transcript]:
    """Transcripts of these ids that may be the listed one: its agent's, in order, behind those of other agents.

    Of others only what lies, or may come from, where no place says whose it is; not what a database still has, since
    two of them are two agents'. Whether it is the listed one, the bytes must tell.
    """
    agent_id = printable(listed.agent_id)
    condition = f"installation_id = ? AND session_id IN ({', '.join('?' for _ in session_ids)})"
    found = transcripts.load_where(ledger, condition, (files.installation_id, *session_ids))
    others = [
        item
        for item in found
        if item.agent_id != agent_id
        and (owners.is_anybodys(printable(listed.path), agent_id) or owners.is_anybodys(item.path, item.agent_id))
        and not (is_stored(listed.path) and is_stored(item.path) and _is_still_at(files, item))
    ]
    return others + [item for item in found if item.agent_id == agent_id]


def _is_still_at(files: FileTable, transcript: Transcript) -> bool:
    return any(printable(path) == transcript.path and is_there(path) for path in files.places_of(transcript.id))


def initial_state(name: FileName) -> str:
    """A file under such a name is still written to, or only kept."""
    return "live" if name.kind in ("primary", "trajectory") and name.archive_reason is None else "archived"


def is_continuing(name: FileName) -> bool:
    """Is it a name that OpenClaw gives to a transcript or a trajectory when it puts it away?"""
    return name.archive_reason in PUT_AWAY and name.kind not in COPY_KINDS


def is_imported(path: str) -> bool:
    """Is it a file that OpenClaw put away when its lines went into a database?"""
    return classify(os.path.basename(path)).archive_reason == "imported"


def continued_by(
    ledger: Ledger,
    files: FileTable,
    owners: Owners,
    listed: ListedFile,
    name: FileName,
    source: BinaryIO,
    found_id: str | None,
) -> Transcript | None:
    """The transcript that an archive goes on with: its bytes are here, and no longer where they were."""
    if not is_continuing(name):
        return None
    session_id = found_id or name.session_id
    if session_id is None:
        return None
    candidates = [
        each for each in of_session(ledger, files, owners, listed, session_id) if each.path != printable(listed.path)
    ]
    former = printable(f"{listed.directory}/{name.of}")
    found = [
        (item, first_difference(ledger, item, source) is None)
        for item in candidates
        if item.kind not in COPY_KINDS and (item.kind in RAW_KINDS) == (name.kind in RAW_KINDS)
    ]

    def likelihood(each: tuple[Transcript, bool]) -> tuple[bool, bool, bool, bool, int]:
        """Its own former place first, then its agent's, then the one whose bytes are here, then the newest: after two
        resets of one id its bytes are those that moved.
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
        if not _is_in_its_place(ledger, files, transcript, former, is_elsewhere=is_elsewhere):
            return transcript
    return None


def has_archived(ledger: Ledger, installation_id: int) -> bool:
    """Is there a transcript that could be given its old name back?"""
    query = "SELECT 1 FROM transcripts WHERE installation_id = ? AND state != 'live' LIMIT 1"
    return ledger.row(query, (installation_id,)) is not None


def whereabouts(ledger: Ledger, installation_id: int) -> dict[str, int]:
    """Path -> the transcript that lies there, by its own row."""
    query = "SELECT path, id FROM transcripts WHERE installation_id = ? AND state != 'gone' AND kind != 'corrupt'"
    return dict(ledger.execute(query, (installation_id,)))


def restored_by(
    ledger: Ledger,
    files: FileTable,
    owners: Owners,
    listed: ListedFile,
    name: FileName,
    source: BinaryIO,
    found_id: str | None,
) -> Transcript | None:
    """The archived transcript that has its old name again: all its bytes are here, and no longer where they were."""
    session_id = found_id or name.session_id
    if initial_state(name) != "live" or session_id is None:
        return None
    for transcript in reversed(of_session(ledger, files, owners, listed, session_id)):
        if transcript.state == "live" or transcript.bytes == 0:
            continue
        if not _is_archived(transcript, is_raw=name.kind in RAW_KINDS):
            continue
        if any(is_there(path) for path in files.paths_of(transcript.id)):
            continue  # this is a copy of it
        if first_difference(ledger, transcript, source) is None:
            return transcript
    return None


def _is_archived(transcript: Transcript, *, is_raw: bool) -> bool:
    if not is_raw:
        return transcript.kind in PUT_AWAY
    return transcript.kind in RAW_KINDS and is_continuing(classify(os.path.basename(transcript.path)))


def continuing_kind(ledger: Ledger, transcript: Transcript, name: FileName) -> str:
    """What a transcript is under the name that it has now."""
    if name.kind != "primary":
        return name.kind
    first_kept = "SELECT first_kept_entry_id FROM compactions WHERE transcript_id = ? ORDER BY id"
    return transcripts.live_kind(ledger, transcript, (row[0] for row in ledger.execute(first_kept, (transcript.id,))))


def repeated_by(
    ledger: Ledger,
    files: FileTable,
    owners: Owners,
    listed: ListedFile,
    name: FileName,
    source: BinaryIO,
    found_id: str | None,
) -> Transcript | None:
    """The transcript whose bytes an import-archive file, or an archive compressed or not, repeats to the last one."""
    if name.archive_reason != "imported" and not is_continuing(name):
        return None
    same = [
        item
        for item in of_session(ledger, files, owners, listed, found_id, name.session_id)
        if (item.kind in RAW_KINDS) == (name.kind in RAW_KINDS)
        and (name.archive_reason == "imported" or _is_same_archive(item, listed, name))
        and repeats(ledger, item, None if name.is_zst else listed.stat.size, source)
    ]
    own = printable(listed.agent_id)

    def likelihood(item: Transcript) -> tuple[bool, bool, bool]:
        """Its agent's; by its name the one it was; an original rather than another copy; else the eldest."""
        return (item.agent_id == own, os.path.basename(item.path) == name.of, item.kind not in COPY_KINDS)

    return max(same, key=likelihood, default=None)


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


def _is_in_its_place(
    ledger: Ledger, files: FileTable, transcript: Transcript, former: str, *, is_elsewhere: bool
) -> bool:
    """Does a place of the transcript still hold it? Not if it is the archive's former path, and another's now.

    There, other bytes under the same header are a rewrite, unless the old ones were found elsewhere. A file of the
    import archive is no such place: what was imported goes on without it.
    """
    for path in files.paths_of(transcript.id):
        if is_imported(path):
            continue
        if transcript.path != former and is_there(path):
            return True  # the archive's name speaks of another file
        if _holds_bytes_of(ledger, path, transcript, is_elsewhere=is_elsewhere):
            return True
    return False


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
