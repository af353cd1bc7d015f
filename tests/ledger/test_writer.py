"""The one writer: a batch is in the ledger whole, cursor and all, or not at all; and how it is cut changes nothing."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncd.errors import LedgerFull
from syncd.ledger import raw, transcripts
from syncd.ledger import writer as writer_module
from syncd.ledger.database import Ledger
from syncd.ledger.projection import QUARANTINE_RAW_BYTES
from syncd.ledger.writer import Writer
from tests.examples import examples
from tests.ledger.scratch import Rows, dump, found, scratch_ledger, scratch_writer, started
from tests.mirror.household import header, line, message, messages
from tests.mirror_checks import assert_sound, exported, query
from tests.model.failpoint import Killed, dying_at


def call(number: int, call_id: str) -> bytes:
    block = {"type": "toolCall", "id": call_id, "name": "exec", "arguments": {"command": f"ls {number}"}}
    return line(
        {
            "type": "message",
            "id": f"{number}",
            "message": {"role": "assistant", "content": [block], "timestamp": number},
        }
    )


def result(number: int, call_id: str, *, is_error: bool = False) -> bytes:
    about = {"toolCallId": call_id, "toolName": "exec", "isError": is_error, "timestamp": number}
    return line({"type": "message", "id": f"{number}", "message": {"role": "toolResult", "content": "done", **about}})


FIRST = header(1) + message(1, "alpha") + call(2, "a") + call(3, "b")
ODD = b"not json\n" + b"\n" + message(9)[:-1] + message(10)
SECOND = (
    message(4, "beta")
    + result(5, "a")
    + result(6, "b", is_error=True)
    + result(7, "b")
    + ODD
    + line({"type": "compaction", "summary": "so far"})
    + line({"type": "label", "targetId": "1", "label": "x"})
)


def fill(writer: Writer) -> None:
    """A batch that touches every table: an old transcript goes on, another begins."""
    first, second = writer.load(1), started(writer, 2)
    writer.append(first, SECOND)
    writer.append(second, header(2) + message(1, "gamma"))
    writer.append(started(writer, 3, "3.trajectory.jsonl"), b"{}\n", is_read=False)
    writer.keep_tail(second, b'{"type":')
    second.tail_bytes = 8
    writer.event("rewrite", first, offset=7)
    writer.also("UPDATE transcripts SET cwd = ? WHERE id = ?", ("/elsewhere", first.id))
    writer.flush()


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """Transcript 1 is at the end of FIRST; blocks are small, so that the next batch seals one."""
    monkeypatch.setattr(raw, "BLOCK_BYTES", 1000)
    with scratch_ledger(tmp_path) as ledger:
        with scratch_writer(ledger) as writer:
            writer.append(started(writer), FIRST)
            writer.flush()
        yield ledger


def test_law_1_the_cursor_moves_in_the_same_transaction_as_the_rows_it_stands_for(ledger: Ledger) -> None:
    """Whichever statement fails, nothing of the batch is there; a new writer then goes on from the ledger's cursor."""
    before, words = dump(ledger), found(ledger, "alpha OR beta OR gamma")
    statement = 0
    while True:
        statement += 1
        try:
            with scratch_writer(ledger) as writer, dying_at(ledger, statement):
                fill(writer)
            break
        except Killed:
            assert dump(ledger) == before
            assert found(ledger, "alpha OR beta OR gamma") == words
            assert not ledger.connection.in_transaction
    assert statement > 30, "the batch has fewer statements than rows"
    assert transcripts.load(ledger, 1).bytes == len(FIRST + SECOND)
    assert exported(ledger.path, 1, 1) == FIRST + SECOND
    after = dump(ledger)
    assert all(after[table] != before[table] for table in before if table in FILLED), "fill() leaves no table out"
    said = [ledger.row("SELECT text FROM messages WHERE id = ?", (row,)) for row in found(ledger, "beta OR gamma")]
    assert said == [("beta",), ("gamma",)]
    assert_sound(ledger.path)


FILLED = (
    "transcripts",
    "entries",
    "messages",
    "tool_calls",
    "compactions",
    "labels",
    "quarantine",
    "_blocks",
    "_tails",
    "sync_events",
)


def test_a_commit_that_finds_the_disk_full_says_so_and_ends_the_writer(ledger: Ledger) -> None:
    before = dump(ledger)

    def full(_cursor: object, sql: str, _bindings: Any) -> bool:
        if sql == "COMMIT":
            raise apsw.FullError("database or disk is full")
        return True

    with scratch_writer(ledger) as writer:
        ledger.connection.exec_trace = full
        try:
            with pytest.raises(LedgerFull):
                fill(writer)
            with pytest.raises(LedgerFull):
                writer.flush()
        finally:
            ledger.connection.exec_trace = None
    assert dump(ledger) == before


def test_a_rewrite_that_fails_at_any_statement_leaves_the_old_generation(ledger: Ledger) -> None:
    before = dump(ledger)
    offset = len(header(1) + message(1, "alpha"))
    statement = 0
    while True:
        statement += 1
        try:
            with scratch_writer(ledger) as writer, dying_at(ledger, statement):
                writer.supersede_from(writer.load(1), offset)
            break
        except Killed:
            assert dump(ledger) == before
    with scratch_writer(ledger) as writer:
        transcript = writer.load(1)
        assert (transcript.generation, transcript.bytes, transcript.lines) == (2, offset, 2)
        writer.append(transcript, message(8))
        writer.flush()
    assert exported(ledger.path, 1, 1) == FIRST
    assert exported(ledger.path, 1, 2) == FIRST[:offset] + message(8)
    assert_sound(ledger.path)


LONG = [b'{"type":"message","text":"' + b"x" * 99_974, b"y" * 50_000, b'"}\n']
LONG_BYTES = sum(map(len, LONG))


def test_a_long_line_is_kept_in_pieces_and_quarantined(ledger: Ledger) -> None:
    with scratch_writer(ledger) as writer:
        transcript = writer.load(1)
        assert writer.append_long_line(transcript, LONG_BYTES, LONG)
        writer.append(transcript, message(4))
        writer.flush()
    (row,) = query(ledger.path, "SELECT line_no, byte_offset, byte_length, generation, reason, raw FROM quarantine")
    assert row == (5, len(FIRST), LONG_BYTES, 1, "too_long", LONG[0][:QUARANTINE_RAW_BYTES])
    assert exported(ledger.path, 1, 1) == FIRST + b"".join(LONG) + message(4)
    assert_sound(ledger.path)


def test_a_long_line_of_raw_bytes_only_is_kept_without_a_word(ledger: Ledger) -> None:
    with scratch_writer(ledger) as writer:
        transcript = started(writer, 2, f"{'a' * 8}.trajectory.jsonl")
        assert writer.append_long_line(transcript, LONG_BYTES, LONG, is_read=False)
        assert (transcript.lines, transcript.bytes) == (1, LONG_BYTES)
    assert dump(ledger, "quarantine")["quarantine"] == []
    assert exported(ledger.path, 2, 1) == b"".join(LONG)


@pytest.mark.parametrize("pieces", [LONG[:2], LONG[:1], []])
def test_a_long_line_cut_short_meanwhile_is_not_taken_in_at_all(ledger: Ledger, pieces: list[bytes]) -> None:
    before = dump(ledger)
    with scratch_writer(ledger) as writer:
        transcript = writer.load(1)
        assert not writer.append_long_line(transcript, LONG_BYTES, pieces)
        assert (transcript.bytes, transcript.lines) == (len(FIRST), 4)
        assert dump(ledger) == before
        writer.append(transcript, message(4))
        writer.flush()
    assert exported(ledger.path, 1, 1) == FIRST + message(4)
    assert_sound(ledger.path)


def test_a_long_line_whose_reading_fails_is_not_taken_in_at_all(ledger: Ledger) -> None:
    def failing() -> Iterator[bytes]:
        yield LONG[0]
        raise OSError("the disk is gone")

    before = dump(ledger)
    with scratch_writer(ledger) as writer, pytest.raises(OSError, match="the disk is gone"):
        writer.append_long_line(writer.load(1), LONG_BYTES, failing())
    assert dump(ledger) == before


def test_a_long_line_that_fails_at_any_statement_is_not_taken_in_at_all(ledger: Ledger) -> None:
    before = dump(ledger)
    statement = 0
    while True:
        statement += 1
        try:
            with scratch_writer(ledger) as writer, dying_at(ledger, statement):
                assert writer.append_long_line(writer.load(1), LONG_BYTES, LONG)
            break
        except Killed:
            assert dump(ledger) == before
    assert statement > 5
    assert exported(ledger.path, 1, 1) == FIRST + b"".join(LONG)


def test_the_newest_lines_stay_open_until_there_are_enough_to_seal(ledger: Ledger) -> None:
    content = FIRST
    for number in range(4, 40):
        with scratch_writer(ledger) as writer:  # one line at a time, as a daemon sees them
            writer.append(writer.load(1), message(number))
            writer.flush()
        content += message(number)
        sizes = list(ledger.execute("SELECT is_open, byte_length FROM _blocks ORDER BY byte_offset"))
        assert sum(size for is_open, size in sizes if is_open) < raw.BLOCK_BYTES
        assert all(size >= raw.BLOCK_BYTES for is_open, size in sizes if not is_open)
        assert exported(ledger.path, 1, 1) == content
        assert_sound(ledger.path)
    assert len(sizes) < len(content) / raw.BLOCK_BYTES + 10


def test_sealing_what_two_generations_left_open_counts_what_stays_open(ledger: Ledger) -> None:
    with scratch_writer(ledger) as writer:
        transcript = writer.load(1)
        writer.supersede_from(transcript, len(header(1) + message(1, "alpha")))
        writer.append(transcript, messages(2, 5))
        writer.flush()
        assert transcript.bytes > raw.BLOCK_BYTES > len(messages(2, 5))
        assert transcripts.load(ledger, 1).open_bytes == raw.open_bytes(ledger, 1)
    assert_sound(ledger.path)


def test_nothing_stays_open_behind_lines_that_others_follow_at_once(ledger: Ledger) -> None:
    with scratch_writer(ledger) as writer:
        second = started(writer, 2)
        writer.append(second, header(2) + message(1), is_last=False)
        writer.append(second, message(2))
        writer.flush()
    blocks = list(ledger.execute("SELECT is_open, byte_length FROM _blocks WHERE transcript_id = 2"))
    assert blocks == [(0, len(header(2) + message(1))), (1, len(message(2)))]


acts = st.lists(
    st.tuples(
        st.sampled_from(["append", "append", "append", "flush", "supersede", "long", "reload"]),
        st.integers(0, 3),
        st.booleans(),
        st.floats(0, 1),
    ),
    max_size=16,
)


def test_whatever_is_appended_flushed_and_superseded_the_ledger_adds_up(ledger: Ledger) -> None:
    with scratch_writer(ledger) as writer:
        numbers = iter(range(2, 10_000))

        @settings(max_examples=examples(25))
        @given(history=acts)
        def check(history: list[tuple[str, int, bool, float]]) -> None:
            transcript = started(writer, next(numbers))
            generations = [header(1)]
            writer.append(transcript, header(1))
            for what, count, is_last, where in history:
                now = generations[-1]
                if what == "append":
                    data = messages(1, count) + b"\n" * (count == 3) + b"junk\n" * (count == 2)
                    if data:
                        writer.append(transcript, data, is_last=is_last)
                        generations[-1] += data
                elif what == "long":
                    assert writer.append_long_line(transcript, LONG_BYTES, LONG)
                    generations[-1] += b"".join(LONG)
                elif what == "supersede":
                    starts = [0, *(place + 1 for place, byte in enumerate(now) if byte == 10)]
                    offset = starts[round(where * (len(starts) - 1))]
                    writer.supersede_from(transcript, offset)
                    generations.append(now[:offset])
                elif what == "flush":
                    writer.flush()
                else:
                    transcript = writer.load(transcript.id)
            writer.flush()
            assert_adds_up(ledger, transcript.id, generations)

        check()
    assert_sound(ledger.path)


def assert_adds_up(ledger: Ledger, transcript_id: int, generations: list[bytes]) -> None:
    for number, content in enumerate(generations, 1):
        assert b"".join(part for _, part in raw.blocks(ledger, transcript_id, number)) == content
    stored = transcripts.load(ledger, transcript_id)
    assert (stored.generation, stored.bytes, stored.lines) == (number, len(content), content.count(b"\n"))
    assert stored.open_bytes == raw.open_bytes(ledger, transcript_id)


def calls(ledger: Ledger, *, transcript_id: int = 1) -> Rows:
    sql = """SELECT call_id, json_extract(arguments_json, '$.command'), status, is_error, started_at, finished_at,
        (SELECT entry_id FROM entries WHERE id = result_message_id) FROM tool_calls WHERE transcript_id = ?
        ORDER BY id"""
    return list(ledger.execute(sql, (transcript_id,)))


@pytest.mark.parametrize("is_one_batch", [True, False])
def test_results_find_their_calls_inside_and_across_batches(ledger: Ledger, is_one_batch: bool) -> None:
    with scratch_writer(ledger) as writer:
        second = started(writer, 2)
        for data in (call(1, "a"), call(2, "b") + result(3, "a"), result(4, "b", is_error=True), call(5, "c")):
            writer.append(second, data)
            if not is_one_batch:
                writer.flush()
        writer.flush()
    assert calls(ledger, transcript_id=2) == [
        ("a", "ls 1", "paired", 0, 1, 3, "3"),
        ("b", "ls 2", "paired", 1, 2, 4, "4"),
        ("c", "ls 5", "pending", None, 5, None, None),
    ]
    assert [row[2] for row in calls(ledger)] == ["pending", "pending"], "calls of another transcript wait on"


@pytest.mark.parametrize("is_one_batch", [True, False])
def test_a_second_result_is_noted_and_the_first_one_stays(ledger: Ledger, is_one_batch: bool) -> None:
    with scratch_writer(ledger) as writer:
        second = started(writer, 2)
        for data in (call(1, "a"), result(2, "a"), result(3, "a", is_error=True)):
            writer.append(second, data)
            if not is_one_batch:
                writer.flush()
        writer.flush()
    assert calls(ledger, transcript_id=2) == [("a", "ls 1", "duplicate_result", 0, 1, 2, "2")]


def test_where_a_batch_ends_changes_no_pairing(ledger: Ledger) -> None:
    """Providers that count from call_0 in every turn use one id again and again."""
    with scratch_writer(ledger) as writer:
        numbers = iter(range(2, 10_000))

        def paired(parts: list[tuple[bool, str, bool]], *, is_one_batch: bool) -> Rows:
            transcript = started(writer, next(numbers))
            for number, (is_call, call_id, ends_batch) in enumerate(parts, 1):
                writer.append(transcript, call(number, call_id) if is_call else result(number, call_id))
                if ends_batch and not is_one_batch:
                    writer.flush()
            writer.flush()
            return calls(ledger, transcript_id=transcript.id)

        @settings(max_examples=examples(25))
        @given(parts=st.lists(st.tuples(st.booleans(), st.sampled_from("ab"), st.booleans()), max_size=10))
        def check(parts: list[tuple[bool, str, bool]]) -> None:
            assert paired(parts, is_one_batch=False) == paired(parts, is_one_batch=True)

        check()


def test_a_batch_ends_when_it_is_large_enough_and_each_is_whole(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "BATCH_BYTES", 2000)
    commits: list[int] = []

    def trace(_cursor: object, sql: str, _bindings: Any) -> bool:
        if sql == "COMMIT":
            commits.append(1)
        return True

    ledger.connection.exec_trace = trace
    try:
        with scratch_writer(ledger) as writer:
            second, size = started(writer, 2), 0
            while size < 50_000:
                writer.append(second, messages(1, 2))
                size += len(messages(1, 2))
                bytes_, lines = committed(ledger.path)
                assert bytes_ <= size
                assert lines == bytes_ // len(messages(1, 2)) * 2
                assert size - bytes_ < 2 * 2000 + len(messages(1, 2)), "at most one batch waits and one is under way"
            assert 50_000 / 2000 / 2 < len(commits) <= 50_000 / 2000 + 1
            writer.flush()
            assert committed(ledger.path) == (size, size // len(messages(1, 2)) * 2)
    finally:
        ledger.connection.exec_trace = None


def committed(path: Path) -> tuple[int, int]:
    """What another process sees of transcript 2: bytes by its blocks, which must be its cursor's, and lines."""
    sql = """SELECT (SELECT coalesce(sum(byte_length), 0) FROM _blocks WHERE transcript_id = 2),
        (SELECT count(*) FROM entries WHERE transcript_id = 2), (SELECT bytes FROM transcripts WHERE id = 2)"""
    ((blocks, entries, cursor),) = query(path, sql)
    assert blocks == (cursor or 0)
    return blocks, entries


def test_a_batch_ends_when_it_touches_many_transcripts(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "BATCH_TRANSCRIPTS", 5)
    with scratch_writer(ledger) as writer:
        for number in range(2, 14):
            writer.append(started(writer, number), header(number))
        writer._await_commit()
        assert query(ledger.path, "SELECT count(*) FROM transcripts") == [(11,)]


def test_a_giant_line_is_on_disk_before_the_next_is_read(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "GIANT_BYTES", 4000)
    with scratch_writer(ledger) as writer:
        writer.append(started(writer, 2), message(1, "z" * 5000))
        assert committed(ledger.path) == (len(message(1, "z" * 5000)), 1)


def test_ids_go_on_where_the_last_writer_stopped(ledger: Ledger) -> None:
    with scratch_writer(ledger) as writer:
        assert (writer.new_transcript_id(), writer.new_transcript_id()) == (2, 3)
        writer.append(writer.load(1), message(4))
        writer.flush()
    ids = [row for (row,) in ledger.execute("SELECT id FROM entries ORDER BY id")]
    assert ids == [1, 2, 3, 4, 5]


def test_whoever_asks_waits_for_a_commit_that_takes_long(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger, scratch_writer(ledger) as writer:
        goes_on = threading.Event()
        timer = threading.Timer(1.0, goes_on.set)  # longer than the driver lets a second thread wait

        ledger.connection.set_commit_hook(lambda: not goes_on.wait(30))
        transcript = started(writer)
        timer.start()
        much = "x" * (writer_module.BATCH_BYTES // 2)
        writer.append(transcript, header(1) + message(1, much), is_last=False)
        writer.append(transcript, message(2, much), is_last=False)
        assert ledger.row("SELECT lines FROM transcripts") == (3,)
        assert goes_on.is_set()
        ledger.connection.set_commit_hook(None)
