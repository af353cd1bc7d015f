"""Deriving rows anew from the raw bytes in the ledger, as if they were a file that is read for the first time.

One transaction per transcript takes the old rows out and puts the new ones in: at every moment each transcript has
one complete set of rows, in the search index too, and a rebuild that was cut short goes on with the next catch-up.
Nothing is derived from bytes with a hole in them: they are mended from a file first, else the rows stay as they are.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from syncd.clock import SystemClock
from syncd.ledger import raw, rows, transcripts
from syncd.ledger.counts import count_again
from syncd.ledger.derived import (
    mark_all_stale,
    mark_stale,
    remove_derived_rows,
    remove_orphans,
    stale_transcripts,
    supersede_rows,
    without_foreign_keys,
)
from syncd.ledger.dropping import dropped_past, forget_undropped, restore_facts
from syncd.ledger.originals import note_answers
from syncd.ledger.projection import VERSION, project_lines, quarantine_line
from syncd.ledger.refold import next_turn_id, refold
from syncd.ledger.search_index import mend_search
from syncd.ledger.session_facts import tell_sessions
from syncd.ledger.transaction import writing
from syncd.ledger.unfinished import is_finished, put_to_rest
from syncd.mirror.mend import Mender
from syncd.openclaw.file_kinds import RAW_KINDS
from syncd.openclaw.lines import is_blank
from syncd.openclaw.titles import Opening
from syncd.sources.lines import Chunk, LongLine, Tail, complete_lines
from syncd.sources.opening import read_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import BinaryIO

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript
    from syncd.mirror.catchup import Progress

    Between = Callable[[], None]

_STORE_BYTES = 4 * 1024 * 1024
_HEAD_BYTES = 64 * 1024


def rebuild_all(
    ledger: Ledger,
    max_line_bytes: int,
    progress: Progress,
    mender: Mender | None = None,
    between: Between = lambda: None,
) -> int:
    """Derive every row again; how many transcripts that were. The caller holds the writer lock.

    `between` is called behind every transcript: other work may be done then, on these transcripts too.
    """
    remove_orphans(ledger)
    mend_search(ledger)
    mark_all_stale(ledger)
    return derive_stale(ledger, max_line_bytes, progress, mender, between)


def rebuild_some(
    ledger: Ledger, transcript_ids: Sequence[int], max_line_bytes: int, progress: Progress, mender: Mender,
    between: Between,
) -> int:  # fmt: skip
    """The same for some transcripts; only the search index is made anew as a whole."""
    if not transcript_ids:
        return 0
    remove_orphans(ledger)
    mend_search(ledger)
    mark_stale(ledger, transcript_ids)
    return derive_stale(ledger, max_line_bytes, progress, mender, between)


def derive_stale(
    ledger: Ledger,
    max_line_bytes: int,
    progress: Progress,
    mender: Mender | None = None,
    between: Between = lambda: None,
) -> int:
    """Derive what an older program's rules made, or what a rebuild left undone."""
    stale = stale_transcripts(ledger, VERSION)
    if not stale:
        return 0
    mender = mender or Mender(ledger, SystemClock())
    total = ledger.row(
        """SELECT sum(byte_length) FROM _blocks JOIN transcripts ON transcripts.id = transcript_id
           WHERE projection != ?""",
        (VERSION,),
    )
    progress.expect(int(total[0] or 0) if total else 0)
    derived = 0
    for transcript_id in stale:
        transcript = transcripts.load(ledger, transcript_id)
        if transcript.projection == VERSION:
            derived += 1  # a live line asked for it meanwhile
        else:
            derived += derive(ledger, transcript, max_line_bytes, mender, progress)
        between()
    return derived


def derive(
    ledger: Ledger, transcript: Transcript, max_line_bytes: int, mender: Mender, progress: Progress | None = None
) -> bool:
    """One transcript, in one transaction; False where present bytes are lost, and it keeps the rows it has.

    Where only bytes of the past are, or retention dropped them, the lines that they held do. Its record is to be loaded
    again afterwards.
    """
    lost = mender.mend(transcript)
    is_whole = all(item.superseded_in is not None for item in lost)
    underived = {item.superseded_in for item in lost if item.superseded_in is not None}
    underived |= dropped_past(ledger, transcript.id)
    with without_foreign_keys(ledger), writing(ledger) as connection:
        was_finished = is_finished(ledger, transcript.id)
        if is_whole:
            remove_derived_rows(ledger, transcript.id, underived)
            if transcript.kind not in RAW_KINDS:
                _derive(ledger, transcript, max_line_bytes, progress, underived)
            else:
                transcript.lines = raw.count_lines(ledger, transcript.id, transcript.generation)
            forget_undropped(ledger, transcript.id)
            restore_facts(ledger, transcript.id)
        transcript.projection = VERSION if is_whole else abs(transcript.projection)
        count_again(ledger, transcript)
        transcript.store(connection)
        if was_finished:  # what was judged at rest is not judged anew: no file says more of it than it did
            put_to_rest(connection, (transcript.id,))
        transcript.told = None
        tell_sessions(ledger, (transcript,))
    return is_whole


class _Run(NamedTuple):
    """Neighbouring blocks with the same life: the lines in them were born and superseded together."""

    generation: int
    superseded_in: int | None
    start: int
    end: int


def _derive(
    ledger: Ledger, transcript: Transcript, max_line_bytes: int, progress: Progress | None, underived: Collection[int]
) -> None:
    generation, end, lines = transcript.generation, transcript.bytes, 0
    transcript.leaf_entry_id = transcript.append_entry_id = transcript.turn = transcript.tip_turn_id = None
    transcript.opening = Opening()
    runs = _runs(ledger, transcript.id)
    transcript.is_tree_due, transcript.growth = len(runs) > 1, None  # out of order: placed when all lines are there
    for run in runs:
        if run.superseded_in in underived:
            continue
        # Superseded lines say nothing of the transcript's present header: a stand-in reads them.
        stand_in = replace(transcript, header_version="superseded", is_opening=False, opening_ids=[], is_tree_due=True)
        reader = transcript if run.superseded_in is None else stand_in
        # The header says again what the file is; one that only earlier generations had is still what named the session.
        reader.is_header_due = run.start == 0 or (reader is transcript and reader.is_header_due)
        reader.generation, reader.bytes = run.generation, run.start
        reader.lines = _lines_before(ledger, transcript.id, run)
        _derive_run(ledger, reader, run, max_line_bytes)
        if run.superseded_in is None and run.end == end:
            lines = reader.lines
        if progress is not None:
            progress.advance(run.end - run.start)
    transcript.generation, transcript.bytes, transcript.lines = generation, end, lines
    if transcript.is_tree_due:
        refold(ledger, transcript, next_turn_id(ledger))


def _runs(ledger: Ledger, transcript_id: int) -> list[_Run]:
    query = """SELECT generation, superseded_in, byte_offset, byte_length FROM _blocks WHERE transcript_id = ?
        ORDER BY generation, byte_offset"""
    found: list[_Run] = []
    for generation, superseded_in, offset, length in ledger.execute(query, (transcript_id,)):
        last = found[-1] if found else None
        if last is not None and last[:2] == (generation, superseded_in) and last.end == offset:
            found[-1] = last._replace(end=offset + length)
        else:
            found.append(_Run(generation, superseded_in, offset, offset + length))
    return found


def _lines_before(ledger: Ledger, transcript_id: int, run: _Run) -> int:
    return sum(part.count(b"\n") for _, part in raw.blocks(ledger, transcript_id, run.generation, 0, run.start))


def _derive_run(ledger: Ledger, reader: Transcript, run: _Run, max_line_bytes: int) -> None:
    source = cast("BinaryIO", _BlockReader(ledger, reader.id, run))
    batch = _new_batch(ledger)
    stored_up_to = reader.bytes
    for part in complete_lines(source, run.start, max_line_bytes, end=run.end):
        if isinstance(part, Chunk):
            project_lines(batch, reader, part.data)
        elif isinstance(part, LongLine):
            _quarantine_long(source, batch, reader, part.offset, part.length)
        elif part.length and part.data is not None:
            project_lines(batch, reader, part.data)
        elif part.length:
            _quarantine_long(source, batch, reader, part.offset, part.length)
        if reader.bytes - stored_up_to >= _STORE_BYTES or isinstance(part, Tail):
            _store(ledger, batch)
            batch, stored_up_to = _new_batch(ledger), reader.bytes
    if run.superseded_in is not None:
        supersede_rows(ledger, reader.id, run.superseded_in, run.start, run.end)


def _quarantine_long(source: BinaryIO, batch: rows.Rows, reader: Transcript, offset: int, length: int) -> None:
    if not all(is_blank(piece) for piece in read_pieces(source, offset, offset + length, raw.PIECE_BYTES)):
        source.seek(offset)
        quarantine_line(batch, reader, "too_long", source.read(min(length, _HEAD_BYTES)), length)
    reader.lines += 1
    reader.bytes += length


def _new_batch(ledger: Ledger) -> rows.Rows:
    last = ledger.row("SELECT max(id) FROM entries")
    return rows.Rows(1 + int(last[0] or 0) if last else 1, next_turn_id(ledger))


def _store(ledger: Ledger, batch: rows.Rows) -> None:
    first = batch.entries[0][0] if batch.entries else batch.next_entry_id
    rows.store(ledger.connection, batch)
    ledger.connection.execute(rows.INDEX_TEXT, (first, batch.next_entry_id - 1))
    note_answers(ledger.connection, first, batch.next_entry_id - 1, batch.doubtful_answers)


class _BlockReader(io.RawIOBase):
    """The bytes of one run as a seekable file."""

    def __init__(self, ledger: Ledger, transcript_id: int, run: _Run) -> None:
        self._ledger = ledger
        self._transcript_id = transcript_id
        self._run = run
        self._position = run.start

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only absolute positions are used")
        self._position = offset
        return offset

    def read(self, size: int = -1) -> bytes:
        end = min(self._run.end, self._position + size) if size >= 0 else self._run.end
        parts = raw.blocks(self._ledger, self._transcript_id, self._run.generation, self._position, end)
        data = b"".join(part for _, part in parts)
        self._position += len(data)
        return data
