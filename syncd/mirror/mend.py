"""Mending the ledger's own bytes: what is gone or damaged in it is taken again from a file that still has it.

A repair and no new generation, for the bytes are those that were taken in: all that is left before them equals the
file, and the lines they make are the lines whose rows the ledger has. What no file has any more is lost, and said.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from syncd.errors import SourceError
from syncd.ledger import raw
from syncd.ledger.codec import holes_of, pack
from syncd.ledger.damage import DOUBLE, Damage, damage_of, rewrites
from syncd.ledger.dropping import forget_dropped
from syncd.ledger.events import note_event
from syncd.ledger.transaction import writing
from syncd.mirror.compare import parting
from syncd.mirror.installation import known_files
from syncd.mirror.trajectory_compare import whole_trajectory
from syncd.openclaw.file_kinds import RAW_KINDS, classify
from syncd.openclaw.lines import is_blank
from syncd.path_text import printable
from syncd.records import FileProblem
from syncd.sources.opening import open_source, read_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.ledger.transcripts import Transcript

_LIVE_LINES = """SELECT byte_offset, byte_offset + byte_length FROM (
    SELECT byte_offset, byte_length FROM entries WHERE transcript_id = ?1 AND superseded_in IS NULL AND salvaged = 0
    UNION ALL SELECT byte_offset, byte_length FROM quarantine WHERE transcript_id = ?1 AND superseded_in IS NULL)
    WHERE byte_offset < ?3 AND byte_offset + byte_length > ?2 ORDER BY byte_offset"""
_LIVE_BLOCKS = """SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE transcript_id = ?
    AND superseded_in IS NULL AND byte_offset >= ? AND byte_offset < ? ORDER BY byte_offset"""


@dataclass(slots=True)
class Mender:
    """Mends transcripts from the files of some installations, and keeps account of it."""

    ledger: Ledger
    clock: Clock
    tables: dict[int, FileTable] = field(default_factory=dict)
    repaired: int = 0
    lost: list[FileProblem] = field(default_factory=list)

    @classmethod
    def of(cls, ledger: Ledger, clock: Clock, state_dirs: Iterable[str]) -> Mender:
        tables = [known_files(ledger, state_dir) for state_dir in state_dirs]
        return cls(ledger, clock, {table.installation_id: table for table in tables})

    def mend(self, transcript: Transcript) -> list[Damage]:
        """What of it is lost for good, after as much as possible was mended."""
        damage = damage_of(self.ledger, transcript.id)
        if any(item.superseded_in is None for item in damage):
            files = self.tables.get(transcript.installation_id)
            paths = files.paths_of(transcript.id) if files is not None else []
            # Not any(...) of them one by one: each may have some.
            mended = [_mend_from_path(self.ledger, self.clock, transcript, path) for path in paths]
            mended.append(_mend_from_log(self.ledger, self.clock, transcript))
            if any(mended):
                self.repaired += 1
                damage = damage_of(self.ledger, transcript.id)
        self.lost += [_told(transcript, item) for item in damage]
        return damage


def mend_from(ledger: Ledger, clock: Clock, transcript: Transcript, source: BinaryIO, path: str) -> bool:
    """Take the present generation's lost bytes from the open file, as far as it proves to have them; was there any?

    Nothing of the writer's may wait to be committed.
    """
    damaged = damage_of(ledger, transcript.id, is_past=False)
    mended: list[Damage] = []
    if not damaged:
        return False
    with writing(ledger) as connection:
        position = 0
        for item in damaged:
            if not _equals(ledger, transcript.id, source, position, item.start):
                break  # from here on it is another form of the file
            if item.reason != DOUBLE:
                if not _fits(ledger, transcript, source, item.start, item.end):
                    break
                position = item.end
            connection.execute("DELETE FROM _blocks WHERE id = ?", (item.block_id,))
            if item.reason != DOUBLE:
                _fill(ledger, transcript.id, source, item.start, item.end)
                forget_dropped(ledger, transcript.id, item.start, item.end)
            mended.append(item)
        if mended:
            transcript.open_bytes = raw.count_open(ledger, transcript.id)
            _tell(ledger, clock, transcript, path, mended)
    return bool(mended)


def _tell(ledger: Ledger, clock: Clock, transcript: Transcript, path: str, mended: list[Damage]) -> None:
    size = sum(item.end - item.start for item in mended)
    detail = {"path": printable(path), "offset": mended[0].start, "bytes": size, "generation": transcript.generation}
    note_event(ledger, clock.now_ms(), "repair", transcript.id, detail)


def _mend_from_path(ledger: Ledger, clock: Clock, transcript: Transcript, path: str) -> bool:
    try:
        with open_source(path, is_zst=classify(os.path.basename(path)).is_zst) as source:
            return mend_from(ledger, clock, transcript, source, path)
    except SourceError:
        return False  # not there, or not readable: another place may have it


def _mend_from_log(ledger: Ledger, clock: Clock, transcript: Transcript) -> bool:
    try:
        source = whole_trajectory(ledger, transcript)
        return source is not None and mend_from(ledger, clock, transcript, source, transcript.path)
    except SourceError:
        return False


def _told(transcript: Transcript, damage: Damage) -> FileProblem:
    which = f"transcript {transcript.id}, generation {damage.generation}, bytes {damage.start} to {damage.end}"
    return FileProblem(
        transcript.path, f"{damage.reason} in the ledger, and no file has them: {which}; all else of it is kept"
    )


def _equals(ledger: Ledger, transcript_id: int, source: BinaryIO, start: int, end: int) -> bool:
    """Is the file what is left of the ledger's bytes in [start, end)?"""
    for offset, length, codec, data in ledger.execute(_LIVE_BLOCKS, (transcript_id, start, end)):
        known = raw.unpacked(ledger, transcript_id, offset, length, codec, data)
        found = b"".join(read_pieces(source, offset, offset + length, raw.PIECE_BYTES))
        if parting(found, known, holes_of(codec, data)) is not None:
            return False
    return True


def _fits(ledger: Ledger, transcript: Transcript, source: BinaryIO, start: int, end: int) -> bool:
    """Has the file bytes there, and do they make the very lines that the rows tell of?"""
    position = start
    if transcript.kind not in RAW_KINDS:
        for first, last in ledger.execute(_LIVE_LINES, (transcript.id, start, end)):
            if not _is_blank_between(source, position, first, ends_line=True):
                return False
            begin, position = max(first, start), min(last, end)
            if not _is_line(source, begin, position, has_end=last <= end, is_last=last == transcript.bytes):
                return False
        if not _is_blank_between(source, position, end, ends_line=False):
            return False
    return any(read_pieces(source, end - 1, end, 1))


def _is_blank_between(source: BinaryIO, start: int, end: int, *, ends_line: bool) -> bool:
    """Blank lines have no rows; what is before a line ends with a newline."""
    last = b"\n"
    for piece in read_pieces(source, start, end, raw.PIECE_BYTES):
        if not is_blank(piece):
            return False
        last = piece
    return last.endswith(b"\n") or not ends_line


def _is_line(source: BinaryIO, start: int, end: int, *, has_end: bool, is_last: bool) -> bool:
    """Is [start, end) a line, or, without its end, a part of one?

    An archive's last line may lack its newline; with more behind it, it is another line.
    """
    position = start
    for piece in read_pieces(source, start, end, raw.PIECE_BYTES):
        newline = piece.find(b"\n")
        position += len(piece)
        if newline >= 0:
            return has_end and position == end and newline == len(piece) - 1
    return position == end and (not has_end or (is_last and not any(read_pieces(source, end, end + 1, 1))))


def _fill(ledger: Ledger, transcript_id: int, source: BinaryIO, start: int, end: int) -> None:
    """Blocks from the file's bytes. Each byte was born in the last generation that began at or before it."""
    begins = [(item.start, item.generation) for item in rewrites(ledger, transcript_id)]
    while start < end:
        born = max((generation for offset, generation in begins if offset <= start), default=1)
        border = min([end, *(offset for offset, _ in begins if offset > start)])
        for piece in read_pieces(source, start, border, raw.PIECE_BYTES):
            row: tuple[Any, ...] = (transcript_id, start, len(piece), born, 0, *pack(piece))
            ledger.run(raw.INSERT_BLOCK, row)
            start += len(piece)
        if start < border:
            return  # cut short under our eyes: what is still missing is found again
