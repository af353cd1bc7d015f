"""Generations, as the contract words them: what a rewrite took away is marked, never dropped, and still comes back."""

from pathlib import Path

import pytest

from tests.mirror.household import Household, header, household, line, message, messages, name_of, transcript
from tests.mirror_checks import (
    events,
    generations,
    mirrored,
    only_transcript,
    quarantined,
    query,
    rows_of,
)

NAME = name_of(1)
BROKEN = b'{"type":"message","id":"broken\n'


@pytest.fixture
def house(tmp_path: Path) -> Household:
    place = household(tmp_path)
    place.write(NAME, transcript(1, 4))
    mirrored(place)
    return place


def _rows(house: Household) -> list[tuple[object, ...]]:
    return query(house.ledger_path, "SELECT line_no, generation, superseded_in, entry_id FROM entries ORDER BY id")


def test_a_transcript_starts_in_generation_one(house: Household) -> None:
    assert only_transcript(house.ledger_path).generation == 1
    assert {row[1:3] for row in _rows(house)} == {(1, None)}


def test_appends_do_not_raise_the_generation(house: Household) -> None:
    for number in range(5, 9):
        house.append(NAME, message(number))
        assert mirrored(house).lines == 1
    assert only_transcript(house.ledger_path).generation == 1
    assert "rewrite" not in events(house.ledger_path)


def test_a_changed_line_raises_it_by_one_and_splits_the_rows_at_the_first_difference(house: Household) -> None:
    changed = header(1) + messages(1, 2) + message(3, "said otherwise") + message(4)
    house.write(NAME, changed)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert row.generation == 2
    assert _rows(house) == [
        (1, 1, None, "0a000001-0000-4000-8000-000000000001"),
        (2, 1, None, "00000001"),
        (3, 1, None, "00000002"),
        (4, 1, 2, "00000003"),
        (5, 1, 2, "00000004"),
        (4, 2, None, "00000003"),
        (5, 2, None, "00000004"),  # unchanged, and yet inserted anew
    ]
    assert generations(house.ledger_path, row) == [transcript(1, 4), changed]


def test_lines_before_the_first_difference_keep_their_very_rows(house: Household) -> None:
    kept = query(house.ledger_path, "SELECT * FROM entries WHERE line_no <= 3 ORDER BY id")
    house.write(NAME, header(1) + messages(1, 2))
    mirrored(house)
    assert query(house.ledger_path, "SELECT * FROM entries WHERE superseded_in IS NULL ORDER BY id") == kept


def test_a_line_that_reappears_stands_at_its_own_new_offset(house: Household) -> None:
    """A dropped middle line moves the ones after it."""
    changed = header(1) + message(1) + messages(3, 4)
    house.replace(NAME, changed)
    mirrored(house)
    live = query(
        house.ledger_path,
        "SELECT entry_id, byte_offset FROM entries WHERE superseded_in IS NULL AND generation = 2 ORDER BY byte_offset",
    )
    at = len(header(1) + message(1))
    assert live == [("00000003", at), ("00000004", at + len(message(3)))]


def test_a_rewrite_to_the_same_bytes_changes_nothing(house: Household) -> None:
    tables = ("transcripts", "entries", "messages", "quarantine", "_blocks", "sync_events")
    before = [query(house.ledger_path, f"SELECT * FROM {table} ORDER BY id") for table in tables]
    for rewrite in (house.write, house.replace, house.recreate):
        rewrite(NAME, transcript(1, 4))
        assert mirrored(house).bytes == 0
    after = [query(house.ledger_path, f"SELECT * FROM {table} ORDER BY id") for table in tables]
    ignore_changed_at = [[row[:-1] for row in rows] for rows in (before[0], after[0])]
    assert ignore_changed_at[0] == ignore_changed_at[1]
    assert before[1:] == after[1:]


def test_a_truncation_supersedes_what_it_took(house: Household) -> None:
    house.truncate(NAME, len(transcript(1, 2)))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [transcript(1, 4), transcript(1, 2)]
    assert events(house.ledger_path) == ["truncation"]


def test_a_truncation_inside_a_line_supersedes_that_line_too(house: Household) -> None:
    house.truncate(NAME, len(transcript(1, 3)) - 5)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [transcript(1, 4), transcript(1, 2)]
    assert row.tail_bytes == len(message(3)) - 5


def test_a_truncation_that_takes_only_the_newline_supersedes_the_line(house: Household) -> None:
    house.truncate(NAME, len(transcript(1, 4)) - 1)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [transcript(1, 4), transcript(1, 3)]
    house.append(NAME, b"\n")
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [transcript(1, 4), transcript(1, 4)]


def test_offsets_used_again_after_a_heartbeat_prune_are_new_rows(house: Household) -> None:
    house.truncate(NAME, len(transcript(1, 2)))
    house.append(NAME, message(3, "in its place, and longer than what stood there before") + message(4))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert row.generation == 2
    assert len(rows_of(house.ledger_path, row.id, 1)) == len(rows_of(house.ledger_path, row.id, 2)) == 5


def test_an_emptied_file_is_a_generation_without_lines(house: Household) -> None:
    house.truncate(NAME, 0)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.generation, row.bytes, row.lines, row.state) == (2, 0, 0, "live")
    house.append(NAME, transcript(1, 4))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    # The first lines of generation 2 came; nothing that it had was changed.
    assert generations(house.ledger_path, row) == [transcript(1, 4), transcript(1, 4)]


def test_a_change_of_the_first_byte_supersedes_every_line(house: Household) -> None:
    house.put(NAME, b" ", 0)
    mirrored(house)
    assert query(house.ledger_path, "SELECT count(*) FROM entries WHERE superseded_in = 2") == [(5,)]


def test_many_generations_all_come_back(house: Household) -> None:
    versions = [transcript(1, 4)]
    for number in range(2, 12):
        versions.append(
            header(1) + messages(1, number % 4) + message(90 + number, "x" * number) + messages(5, 5 + number)
        )
        house.write(NAME, versions[-1])
        mirrored(house)
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == versions


def test_lines_of_generation_g_are_told_by_the_three_columns(house: Household) -> None:
    """generation <= G and superseded_in null or > G; mirrored() asserts it for every G."""
    house.truncate(NAME, len(transcript(1, 2)))
    mirrored(house)
    house.append(NAME, message(7))
    mirrored(house)
    house.put(NAME, b"\t", len(transcript(1, 1)) - 1)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert row.generation == 3
    assert generations(house.ledger_path, row)[:2] == [transcript(1, 4), transcript(1, 2) + message(7)]


def test_quarantine_follows_the_same_rule(house: Household) -> None:
    first = transcript(1, 2) + BROKEN + message(3) + b"[]\n"
    house.write(NAME, first)
    mirrored(house)
    second = transcript(1, 1) + BROKEN + b"[]\n"
    house.write(NAME, second)
    mirrored(house)
    rows = query(
        house.ledger_path,
        "SELECT line_no, byte_offset, generation, superseded_in, reason FROM quarantine ORDER BY id",
    )
    assert rows == [
        (4, len(transcript(1, 2)), 2, 3, "not_json"),
        (6, len(first) - 3, 2, 3, "not_object"),
        (3, len(transcript(1, 1)), 3, None, "not_json"),
        (4, len(second) - 3, 3, None, "not_object"),
    ]
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == [transcript(1, 4), first, second]


def test_a_repaired_line_leaves_quarantine_and_becomes_an_entry(house: Household) -> None:
    house.append(NAME, BROKEN)
    mirrored(house)
    assert quarantined(house.ledger_path) == [(len(transcript(1, 4)), "not_json")]
    house.replace(NAME, transcript(1, 5))
    mirrored(house)
    assert quarantined(house.ledger_path) == []
    assert query(house.ledger_path, "SELECT count(*) FROM quarantine WHERE superseded_in = 2") == [(1,)]


def test_salvaged_entries_are_superseded_with_their_line_and_never_count_as_lines(house: Household) -> None:
    glued = message(5)[:-1] + message(6)
    house.append(NAME, glued)
    mirrored(house)
    sql = """SELECT entry_id, byte_offset, byte_length, generation, superseded_in FROM entries WHERE salvaged = 1
        ORDER BY id"""
    at, length = len(transcript(1, 4)), len(message(5)) - 1
    expected = [("00000005", at, length, 1, None), ("00000006", at + length, len(message(6)) - 1, 1, None)]
    assert query(house.ledger_path, sql) == expected
    assert only_transcript(house.ledger_path).lines == 6
    house.truncate(NAME, at)
    mirrored(house)
    assert query(house.ledger_path, sql) == [(*row[:4], 2) for row in expected]


def test_blank_lines_live_in_the_raw_bytes_only_and_keep_the_line_numbers_right(house: Household) -> None:
    spaced = header(1) + b"\n" + message(1) + b" \t\r\n" + message(2) + b"\n\n"
    house.write(NAME, spaced)
    mirrored(house)
    house.append(NAME, message(3))
    mirrored(house)
    house.write(NAME, spaced + b"\n" + message(4))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row)[1:] == [spaced + message(3), spaced + b"\n" + message(4)]
    live = query(house.ledger_path, "SELECT line_no FROM entries WHERE superseded_in IS NULL ORDER BY byte_offset")
    assert live == [(1,), (3,), (5,), (9,)]


def test_a_tool_call_whose_result_was_rewritten_away_has_none_again(house: Household) -> None:
    call = {"type": "toolCall", "id": "call-1", "name": "exec", "arguments": {"command": "ls"}}
    asked = line({"type": "message", "id": "c", "message": {"role": "assistant", "content": [call]}})
    answer = {"role": "toolResult", "toolCallId": "call-1", "toolName": "exec", "content": "x", "isError": True}
    answered = line({"type": "message", "id": "r", "message": answer})
    house.append(NAME, asked)
    mirrored(house)
    house.append(NAME, answered)
    mirrored(house)
    live_calls = """SELECT status, is_error, result_message_id IS NULL FROM tool_calls
        JOIN entries ON entries.id = message_id WHERE superseded_in IS NULL"""
    assert query(house.ledger_path, live_calls) == [("paired", 1, 0)]
    house.truncate(NAME, len(transcript(1, 4)) + len(asked))
    mirrored(house)
    assert query(house.ledger_path, live_calls) == [("missing_result", None, 1)]
    house.append(NAME, answered)
    mirrored(house)
    assert query(house.ledger_path, live_calls) == [("paired", 1, 0)]


def test_an_edit_across_block_borders_splits_at_most_one_block(tmp_path: Path) -> None:
    house = household(tmp_path)
    body = b"".join(message(number, "long " * 1000) for number in range(1, 400))  # some 2 MB
    house.write(NAME, header(1) + body)
    mirrored(house)
    versions = [header(1) + body]
    for at in (1_500_000, 600_000, 1_200_000):
        cut = versions[-1].rfind(b"\n", 0, at) + 1
        versions.append(versions[-1][:cut] + message(1000 + at, "new") + versions[-1][cut + 5000 :])
        house.write(NAME, versions[-1])
        mirrored(house)
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == versions


def test_a_file_grown_line_by_line_past_a_block_is_rewritten_like_any_other(tmp_path: Path) -> None:
    """Open blocks are merged on the way; a rewrite then reaches into the merged one."""
    house = household(tmp_path)
    content = header(1)
    house.write(NAME, content)
    for number in range(1, 12):
        content += message(number, "grown " * 12_000)
        house.write(NAME, content)
        mirrored(house)
    shorter = content[: content.rfind(b"\n", 0, 200_000) + 1] + message(99)
    house.write(NAME, shorter)
    mirrored(house)
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == [content, shorter]
