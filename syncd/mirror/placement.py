"""Which transcript a file's bytes belong to. The header's id is identity; a name or an inode only hints.

The same path with the same header, or with none, goes on with its transcript; another header id is another one.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.ledger import transcripts
from syncd.ledger.projection import VERSION
from syncd.ledger.transcripts import NOT_LINKED, Transcript
from syncd.openclaw.file_kinds import COPY_KINDS, classify
from syncd.openclaw.lines import Undecodable, decode_line
from syncd.path_text import printable
from syncd.sources.opening import read_pieces
from syncd.sources.store_paths import is_stored, session_id_of

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.writer import Writer
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile

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


def initial_state(name: FileName) -> str:
    """A file under such a name is still written to, or only kept."""
    return "live" if name.kind in ("primary", "trajectory") and name.archive_reason is None else "archived"


def is_continuing(name: FileName) -> bool:
    """Is it a name that OpenClaw gives to a transcript or a trajectory when it puts it away?"""
    return name.archive_reason in PUT_AWAY and name.kind not in COPY_KINDS


def is_imported(path: str) -> bool:
    """Is it a file that OpenClaw put away when its lines went into a database?"""
    return classify(os.path.basename(path)).archive_reason == "imported"


def has_archived(ledger: Ledger, installation_id: int) -> bool:
    """Is there a transcript that could be given its old name back?"""
    query = "SELECT 1 FROM transcripts WHERE installation_id = ? AND state != 'live' LIMIT 1"
    return ledger.row(query, (installation_id,)) is not None


def whereabouts(ledger: Ledger, installation_id: int) -> dict[str, int]:
    """Path -> the transcript that lies there, by its own row."""
    query = "SELECT path, id FROM transcripts WHERE installation_id = ? AND state != 'gone' AND kind != 'corrupt'"
    return dict(ledger.execute(query, (installation_id,)))


def continuing_kind(ledger: Ledger, transcript: Transcript, name: FileName) -> str:
    """What a transcript is under the name that it has now."""
    if name.kind != "primary":
        return name.kind
    first_kept = "SELECT first_kept_entry_id FROM compactions WHERE transcript_id = ? ORDER BY id"
    return transcripts.live_kind(ledger, transcript, (row[0] for row in ledger.execute(first_kept, (transcript.id,))))
