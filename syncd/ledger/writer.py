"""The one writer: batches of rows, raw bytes and cursors, each batch one transaction.

Rows are bound on the caller's thread. Packing the raw bytes, indexing the text and the commit itself run beside it and
without the GIL, so the next batch is parsed meanwhile; `flush` waits for all of it. A failed commit leaves the ledger
as it was: the writer is then unusable and whoever holds it starts again from the ledger's cursors.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from syncd.ledger import raw, rows, transcripts
from syncd.ledger.codec import PackedBytes, pack
from syncd.ledger.derived import supersede_rows
from syncd.ledger.events import INSERT_EVENT, event_row
from syncd.ledger.growth import MOST_ENTRIES, Growths
from syncd.ledger.late_links import LOOK_AGAIN_BESIDE_TWIN
from syncd.ledger.originals import note_answers
from syncd.ledger.projection import project_lines, quarantine_line
from syncd.ledger.refold import refold
from syncd.ledger.row_checksums import row_checksum
from syncd.ledger.session_facts import opening_before, tell_sessions
from syncd.ledger.transaction import Alone, begin, rollback, writing
from syncd.openclaw.lines import is_blank
from syncd.openclaw.titles import HEAD_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.tally import Tally
    from syncd.ledger.transcripts import Transcript

    _Count = tuple[Tally, int, int, int]

BATCH_BYTES = 4 * 1024 * 1024
GIANT_BYTES = 4 * 1024 * 1024
BATCH_TRANSCRIPTS = 250
"""Measured: a thousand are no faster, and leave a process that took in many small files some megabytes fatter."""
_SMALL_BYTES = 4096
"""Packed in less time than another thread takes to wake up."""

# With its checksum: to seal it afterwards would write all of it a second time, and it may be megabytes.
_PUT_TAIL = "INSERT OR REPLACE INTO _tails (transcript_id, data, checksum) VALUES (?, ?, ?)"

_Block = tuple[int, int, int, int, int, "PackedBytes | Future[PackedBytes]"]


def _packed(found: PackedBytes | Future[PackedBytes]) -> PackedBytes:
    return found.result() if isinstance(found, Future) else found


def _at_once(act: Callable[..., None], *arguments: object) -> Future[None]:
    done: Future[None] = Future()
    try:
        act(*arguments)
        done.set_result(None)
    except BaseException as error:  # noqa: BLE001 - whoever awaits it gets it, at once and ever after
        done.set_exception(error)
    return done


class Writer:
    """Takes lines and facts in, commits them in batches. Needs the writer lock."""

    def __init__(self, ledger: Ledger, clock: Clock, *, puts_big_trees_off: bool = False) -> None:
        """`puts_big_trees_off`: those that no memory holds stay due until `place_due_trees`; no line waits for them."""
        self.ledger = ledger
        self._puts_big_trees_off = puts_big_trees_off
        self.clock = clock
        self._beside = ThreadPoolExecutor(1, "syncd-commit")
        """One thread, so that a commit, which rows wait for, is never slowed down by packing, which can wait."""
        self._committing: Future[None] | None = None
        self._committing_counts: list[_Count] = []
        self._connection = ledger.connection
        """For that thread: `ledger.connection` would let it wait for itself."""
        self._growths = Growths()
        self._alone = Alone(ledger)  # before anything is numbered
        self._next_transcript_id = 1 + self._max("transcripts")
        self._start_batch(1 + self._max("entries"), 1 + self._max("turns"))

    def _max(self, table: str) -> int:
        row = self.ledger.row(f"SELECT max(id) FROM {table}")
        return int(row[0] or 0) if row else 0

    def _start_batch(self, next_entry_id: int, next_turn_id: int) -> None:
        self._rows = rows.Rows(next_entry_id, next_turn_id)
        self._first_entry_id = next_entry_id
        self._blocks: list[_Block] = []
        self._touched: dict[int, Transcript] = {}
        self._statements: list[tuple[str, tuple[Any, ...]]] = []
        self._events: list[tuple[Any, ...]] = []
        self._counts: list[_Count] = []
        self._bytes = 0

    def renumber(self) -> None:
        """Rows came into the ledger past this writer, all of whose own are committed: number on behind them."""
        self._growths = Growths()
        self._start_batch(1 + self._max("entries"), 1 + self._max("turns"))

    # What goes in

    def new_transcript_id(self) -> int:
        self._next_transcript_id += 1
        return self._next_transcript_id - 1

    def load(self, transcript_id: int) -> Transcript:
        """The transcript with its raw bytes readable: what waits for it here is committed first."""
        if transcript_id in self._touched or self._committing is not None:
            self.flush()
        transcript = transcripts.load(self.ledger, transcript_id)
        self._growths.take_up(transcript)
        return transcript

    def append(
        self,
        transcript: Transcript,
        data: bytes,
        *,
        is_read: bool = True,
        is_last: bool = True,
        is_too_long: bool = False,
        tally: Tally | None = None,
    ) -> None:
        """Take in whole lines at the transcript's cursor. `is_read` False: raw bytes only (trajectories).

        `is_last` False: more follows at once, so nothing needs to stay open for later lines. `is_too_long`: one line
        above the limit, though short enough to be held. `tally`: where they are counted when they are committed.
        """
        offset, line = transcript.bytes, transcript.lines
        if is_read and is_too_long and not is_blank(data):
            quarantine_line(self._rows, transcript, "too_long", data, len(data))
        if is_read and not is_too_long:
            project_lines(self._rows, transcript, data)
        else:
            transcript.lines += data.count(b"\n") + (not data.endswith(b"\n"))
            transcript.bytes += len(data)
        spans = list(raw.block_spans(data))
        for number, (start, end, is_own) in enumerate(spans, 1):
            is_open = is_last and number == len(spans) and not is_own
            part = data if len(spans) == 1 else memoryview(data)[start:end]
            self._add_block(transcript, offset + start, part, is_open=is_open)
        self.touch(transcript)
        if tally is not None:
            self._counts.append((tally, transcript.id, transcript.lines - line, len(data)))
        if len(data) >= GIANT_BYTES:
            self.flush()  # the next giant line may not come into memory beside this one
        elif self._bytes >= BATCH_BYTES or len(self._touched) >= BATCH_TRANSCRIPTS:
            self._commit()

    def append_long_line(
        self, transcript: Transcript, length: int, pieces: Iterable[bytes], *, is_read: bool = True,
        tally: Tally | None = None,
    ) -> bool:  # fmt: skip
        """Take in one line too long to be parsed, piece by piece: it is quarantined (unless blank), its bytes are kept.

        One transaction however long the line is, since half a line must never be visible. False, and nothing is
        changed, when the pieces are not one line of that length: the file changed meanwhile.
        """
        self.flush()
        offset, head, newlines, has_content = transcript.bytes, b"", 0, False
        with writing(self.ledger) as connection:
            if not transcript.is_stored:
                transcript.store(connection)  # its blocks name it
            for piece in pieces:
                head = head or piece
                has_content = has_content or not is_blank(piece)
                newlines += piece.count(b"\n", 0, -1 if offset + len(piece) == transcript.bytes + length else None)
                row = (transcript.id, offset, len(piece), transcript.generation, 0, *pack(piece))
                connection.execute(raw.INSERT_BLOCK, row)
                offset += len(piece)
            if offset - transcript.bytes != length or newlines:
                connection.execute("DELETE FROM _blocks WHERE transcript_id = ? AND byte_offset >= ?"
                                   " AND superseded_in IS NULL", (transcript.id, transcript.bytes))  # fmt: skip
                return False
            if is_read and has_content:
                quarantine_line(self._rows, transcript, "too_long", head, length)
            transcript.lines += 1
            transcript.bytes = offset
            self.touch(transcript)
            self._store_rows()
        if tally is not None:
            tally.add(transcript.id, 1, length)
        self._start_batch(self._rows.next_entry_id, self._rows.next_turn_id)
        return True

    def touch(self, transcript: Transcript) -> None:
        """Store the transcript's present facts with this batch."""
        transcript.changed_at = self.clock.now_ms()
        self._touched[transcript.id] = transcript

    def no_more_at_hand(self, transcript: Transcript) -> None:
        """All lines there are have been handed over: what was put off for them is done with this batch."""
        transcript.is_more_at_hand = False
        if transcript.is_tree_due:
            self.touch(transcript)

    def place_due_trees(self) -> None:
        """Those that were put off, each in a transaction of its own."""
        self.flush()
        for transcript in transcripts.load_where(self.ledger, "is_tree_due = 1", ()):
            with writing(self.ledger):
                self._rows.next_turn_id = refold(self.ledger, transcript, self._rows.next_turn_id)
                transcript.store(self.ledger.connection)

    def also(self, sql: str, bindings: tuple[Any, ...]) -> None:
        """A statement that belongs to this batch, run after its rows."""
        self._statements.append((sql, bindings))

    def give_to(self, transcript: Transcript, agent_id: str) -> None:
        """It was another agent's than was known."""
        transcript.agent_id, transcript.told = agent_id, None
        self.also("UPDATE transcripts SET agent_id = ? WHERE id = ?", (agent_id, transcript.id))

    def event(self, kind: str, transcript: Transcript | None, **detail: Any) -> None:
        """A line in sync_events, with this batch."""
        transcript_id = transcript.id if transcript is not None else None
        self._events.append(event_row(self.clock.now_ms(), kind, transcript_id, detail))

    def keep_tail(self, transcript: Transcript, data: bytes | None) -> None:
        """What follows the last newline, in case the file goes away before the line is complete."""
        if data:
            self.also(_PUT_TAIL, (transcript.id, data, row_checksum(transcript.id, data)))
        else:
            self.also("DELETE FROM _tails WHERE transcript_id = ?", (transcript.id,))

    def supersede_from(self, transcript: Transcript, offset: int, because: str = "rewrite") -> None:
        """A new generation: lines from `offset` on are of the past; the cursor goes back to `offset`.

        `because` is the kind of the event that tells of it, in the same transaction.
        """
        self.flush()
        ledger, generation = self.ledger, transcript.generation + 1
        lost = transcript.bytes - offset
        self.event(because, transcript, offset=offset, superseded_bytes=lost, generation=generation)
        self.also(LOOK_AGAIN_BESIDE_TWIN, (transcript.id,))
        with writing(ledger):
            supersede_rows(ledger, transcript.id, generation, offset)
            raw.supersede_from(ledger, transcript.id, offset, generation)
            transcript.generation = generation
            transcript.lines = self._live_lines_before(transcript, offset)
            transcript.bytes = offset
            transcript.is_header_due = transcripts.lacks_header(ledger, transcript.id)
            if offset < HEAD_BYTES:
                transcript.opening = opening_before(ledger, transcript, offset)
            transcript.tree_falls_due()
            transcript.is_more_at_hand = True  # till the lines that took their place are in
            transcript.open_bytes = raw.open_bytes(ledger, transcript.id)
            self.touch(transcript)
            self._store_rows()
        self._start_batch(self._rows.next_entry_id, self._rows.next_turn_id)

    # How it gets out

    def flush(self) -> None:
        """Commit what is waiting and wait until it is safe on disk."""
        self._commit(is_awaited=True)
        self._await_commit()

    def close(self) -> None:
        """End the thread; what was not flushed is given up."""
        self._beside.shutdown(wait=True, cancel_futures=True)
        self.ledger.take_back()
        rollback(self.ledger)

    def _add_block(self, transcript: Transcript, offset: int, part: bytes | memoryview, *, is_open: bool) -> None:
        packed = pack(part) if len(part) <= _SMALL_BYTES else self._beside.submit(pack, part)
        self._blocks.append((transcript.id, offset, len(part), transcript.generation, int(is_open), packed))
        self._bytes += len(part)
        if is_open:
            transcript.open_bytes += len(part)

    def _commit(self, *, is_awaited: bool = False) -> None:
        """`is_awaited`: there is nothing to do meanwhile, so no other thread has to wake up for it."""
        if not (self._touched or self._statements or self._events):
            return
        self._await_commit()
        last_entry_id = self._rows.next_entry_id - 1
        begin(self.ledger)
        try:
            with self._alone.translated():
                self._store_rows()
        except BaseException:
            rollback(self.ledger)
            raise
        submit = _at_once if is_awaited else self._beside.submit
        entry_ids = (self._first_entry_id, last_entry_id)
        self._committing = submit(self._index_and_commit, entry_ids, self._rows.doubtful_answers, self._blocks)
        self.ledger.lend(self._committing)
        self._committing_counts = self._counts
        self._start_batch(last_entry_id + 1, self._rows.next_turn_id)

    def _store_rows(self) -> None:
        """All but the raw bytes, which are still being packed, unless they fill a block that is to be sealed."""
        execute = self.ledger.connection.execute
        full = [item for item in self._touched.values() if item.open_bytes >= raw.BLOCK_BYTES]
        for transcript in self._touched.values():
            transcript.store(self.ledger.connection)
        rows.store(self.ledger.connection, self._rows)
        for transcript in self._touched.values():
            is_put_off = self._puts_big_trees_off and transcript.lines > MOST_ENTRIES
            if transcript.is_tree_due and not transcript.is_more_at_hand and not is_put_off:
                self._rows.next_turn_id = refold(self.ledger, transcript, self._rows.next_turn_id)
                transcript.store(self.ledger.connection)
            self._growths.keep(transcript)
        if full:
            self._store_blocks(self._blocks)
            self._blocks = []
        for transcript in full:
            raw.seal(self.ledger, transcript.id)
            transcript.open_bytes = raw.count_open(self.ledger, transcript.id)  # blocks apart are not merged
        for sql, bindings in self._statements:
            execute(sql, bindings)
        tell_sessions(self.ledger, self._touched.values())  # whose they are by now
        self.ledger.connection.executemany(INSERT_EVENT, self._events)

    def _store_blocks(self, blocks: list[_Block]) -> None:
        rows_of_blocks = ((*block[:5], *_packed(block[5])) for block in blocks)
        self._connection.executemany(raw.INSERT_BLOCK, rows_of_blocks)

    def _index_and_commit(self, entry_ids: tuple[int, int], doubtful_answers: list[int], blocks: list[_Block]) -> None:
        connection, (first_id, last_id) = self._connection, entry_ids
        try:
            if last_id >= first_id:
                connection.execute(rows.INDEX_TEXT, entry_ids)
                note_answers(connection, first_id, last_id, doubtful_answers)
            self._store_blocks(blocks)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _await_commit(self) -> None:
        if self._committing is not None:
            with self._alone.translated():
                self._committing.result()
            self._committing = None
            self.ledger.take_back()
            for tally, *count in self._committing_counts:
                tally.add(*count)
            self._committing_counts = []

    def _live_lines_before(self, transcript: Transcript, offset: int) -> int:
        """Lines before `offset`, blank ones included: up to the last live row, and the blank ones behind that."""
        last = self.ledger.row(
            """SELECT line_no, byte_offset + byte_length FROM (
                 SELECT line_no, byte_offset, byte_length FROM entries WHERE transcript_id = ?1
                 AND superseded_in IS NULL AND salvaged = 0 AND byte_offset < ?2 UNION ALL
                 SELECT line_no, byte_offset, byte_length FROM quarantine WHERE transcript_id = ?1
                 AND superseded_in IS NULL AND byte_offset < ?2) ORDER BY byte_offset DESC LIMIT 1""",
            (transcript.id, offset),
        )
        line_no, end = last or (0, 0)
        between = raw.blocks(self.ledger, transcript.id, transcript.generation, end, offset)
        return int(line_no) + sum(part.count(b"\n") for _, part in between)
