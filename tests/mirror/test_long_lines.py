"""Lines above max_line_bytes: kept and given back like any other, not parsed, and never a stop for what follows."""

import pytest

from syncd.mirror.catchup import CatchUpOptions
from tests.mirror.household import RESET_TIME, Household, line, message, name_of, transcript
from tests.mirror_checks import (
    exported,
    generations,
    mirrored,
    only_transcript,
    quarantined,
    query,
    transcripts,
)

NAME = name_of(1)
LIMIT = 1000
SMALL = CatchUpOptions(max_line_bytes=LIMIT)


def _line_of(length: int) -> bytes:
    """A valid entry of exactly `length` bytes before its newline."""
    bare = len(line({"type": "custom", "customType": "x", "data": ""})) - 1
    made = line({"type": "custom", "customType": "x", "data": "d" * (length - bare)})
    assert len(made) == length + 1
    return made


def test_a_line_of_exactly_the_limit_is_parsed_and_one_byte_more_is_not(house: Household) -> None:
    house.write(NAME, transcript(1, 1) + _line_of(LIMIT) + _line_of(LIMIT + 1) + message(2))
    mirrored(house, SMALL)
    assert query(house.ledger_path, "SELECT type, byte_length FROM entries WHERE type = 'custom'") == [
        ("custom", LIMIT + 1)
    ]
    assert quarantined(house.ledger_path) == [(len(transcript(1, 1)) + LIMIT + 1, "too_long")]


def test_a_long_line_s_bytes_are_all_kept_and_quarantine_holds_the_first_64_kib(house: Household) -> None:
    long = _line_of(300_000)
    house.write(NAME, transcript(1, 1) + long + message(2))
    mirrored(house, SMALL)
    (raw, length), *_ = query(house.ledger_path, "SELECT raw, byte_length FROM quarantine")
    assert raw == long[: 64 * 1024]
    assert length == len(long)
    row = only_transcript(house.ledger_path)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 1) + long + message(2)


@pytest.mark.parametrize("size", [1_048_575, 1_048_576, 1_048_577, 2_500_000])
def test_long_lines_around_the_size_of_a_read_are_cut_right(house: Household, size: int) -> None:
    content = transcript(1, 1) + _line_of(size) + message(2) + _line_of(size) + _line_of(size) + message(3)
    house.write(NAME, content)
    mirrored(house, SMALL)
    mirrored(house, SMALL)
    assert [reason for _, reason in quarantined(house.ledger_path)] == ["too_long"] * 3


def test_a_big_line_within_the_limit_is_parsed_whatever_its_size(house: Household) -> None:
    house.write(NAME, transcript(1, 1) + message(2, "big " * 800_000) + message(3))
    mirrored(house)
    assert query(house.ledger_path, "SELECT text_bytes FROM messages WHERE text_bytes > 1000") == [(3_200_000,)]


def test_a_long_line_that_comes_in_parts_is_one_line_at_last(house: Household) -> None:
    long = _line_of(5000)
    house.write(NAME, transcript(1, 1) + long[:1500])
    mirrored(house, SMALL)
    for start in range(1500, len(long), 1500):
        house.append(NAME, long[start : start + 1500])
        mirrored(house, SMALL)
    house.append(NAME, message(2))
    mirrored(house, SMALL)
    row = only_transcript(house.ledger_path)
    assert (row.lines, row.generation, row.tail_bytes) == (4, 1, 0)
    assert quarantined(house.ledger_path) == [(len(transcript(1, 1)), "too_long")]


def test_an_unfinished_long_line_that_is_replaced_by_short_ones_is_forgotten(house: Household) -> None:
    """What was once searched for a newline may have been rewritten since."""
    house.write(NAME, transcript(1, 1) + b"x" * 5000)
    mirrored(house, SMALL)
    content = transcript(1, 1) + b"".join(message(number) for number in range(2, 40))
    house.write(NAME, content)
    mirrored(house, SMALL)
    row = only_transcript(house.ledger_path)
    assert (row.lines, row.generation) == (40, 1)
    assert quarantined(house.ledger_path) == []


def test_a_long_line_is_superseded_and_comes_back_in_its_generation(house: Household) -> None:
    first = transcript(1, 1) + _line_of(200_000) + message(2)
    house.write(NAME, first)
    mirrored(house, SMALL)
    second = first.replace(b"ddd", b"eee")
    house.write(NAME, second)
    mirrored(house, SMALL)
    third = transcript(1, 1) + message(2)
    house.write(NAME, third)
    mirrored(house, SMALL)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [first, second, third]
    assert query(house.ledger_path, "SELECT generation, superseded_in FROM quarantine") == [(1, 2), (2, 3)]


def test_long_lines_in_trajectories_and_archives_are_kept_too(house: Household) -> None:
    house.write(NAME.replace(".jsonl", ".trajectory.jsonl"), _line_of(5000) * 3)
    house.write(f"{NAME}.reset.{RESET_TIME}", transcript(1, 1) + _line_of(5000)[:-1])
    mirrored(house, SMALL)
    assert sorted((row.kind, row.lines) for row in transcripts(house.ledger_path)) == [("reset", 3), ("trajectory", 3)]


def test_a_changed_limit_changes_nothing_that_was_read_before(house: Household) -> None:
    house.write(NAME, transcript(1, 1) + _line_of(5000))
    mirrored(house, SMALL)
    assert mirrored(house).bytes == 0
    house.append(NAME, _line_of(5000))
    mirrored(house)
    assert len(quarantined(house.ledger_path)) == 1


@pytest.mark.parametrize("size", [LIMIT, LIMIT + 1, 2_500_000])
def test_a_blank_line_of_any_length_lives_in_the_raw_bytes_only(house: Household, size: int) -> None:
    blank = (b" \t\r" * size)[:size]
    house.write(NAME, transcript(1, 1) + blank + b"\n" + message(2))
    house.write(f"{name_of(2)}.reset.{RESET_TIME}", transcript(2, 1) + blank)
    mirrored(house, SMALL)
    assert quarantined(house.ledger_path) == []
    assert sorted(row.lines for row in transcripts(house.ledger_path)) == [3, 4]
    house.append(NAME, blank + b"x\n" + message(3))
    mirrored(house, SMALL)
    reason = "too_long" if size + 1 > LIMIT else "not_json"
    assert [found for _, found in quarantined(house.ledger_path)] == [reason]


def test_a_last_blank_line_that_is_gone_with_its_file_is_no_fault(house: Household) -> None:
    house.write(NAME, transcript(1, 1) + b" " * (LIMIT + 1))
    mirrored(house, SMALL)
    house.path(NAME).unlink()
    mirrored(house, SMALL)
    assert quarantined(house.ledger_path) == []
    assert only_transcript(house.ledger_path).lines == 3
