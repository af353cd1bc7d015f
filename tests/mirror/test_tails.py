"""What follows the last newline: not a line while it may go on, the last line once the file is archived or gone."""

import os
from pathlib import Path

import pytest

from syncd.mirror.catchup import CatchUpOptions
from tests.mirror.household import (
    RESET_TIME,
    Household,
    header,
    message,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    exported,
    generations,
    mirrored,
    non_blank_lines,
    only_transcript,
    quarantined,
    query,
    rows_of,
    transcripts,
)

NAME = name_of(1)
ARCHIVE = f"{NAME}.reset.{RESET_TIME}"


@pytest.mark.parametrize("cut", [1, 2, 30, len(message(3)) - 2, len(message(3)) - 1])
def test_a_torn_last_line_waits_for_its_newline_and_then_is_one_line(house: Household, cut: int) -> None:
    house.write(NAME, transcript(1, 2) + message(3)[:cut])
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.lines, row.tail_bytes, row.bytes) == (3, cut, len(transcript(1, 2)))
    mirrored(house)  # time alone changes nothing
    house.append(NAME, message(3)[cut:])
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.lines, row.tail_bytes, row.generation) == (4, 0, 1)


def test_a_file_that_is_one_torn_line_has_no_lines(house: Household) -> None:
    house.write(NAME, header(1)[:-1])
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.lines, row.bytes, row.tail_bytes, row.header_version) == (0, 0, len(header(1)) - 1, None)


def test_a_tail_that_is_replaced_by_another_is_no_rewrite(house: Household) -> None:
    house.write(NAME, transcript(1, 2) + b'{"half')
    mirrored(house)
    house.write(NAME, transcript(1, 2) + b"[other")
    mirrored(house)
    house.truncate(NAME, len(transcript(1, 2)))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.generation, row.tail_bytes) == (1, 0)


@pytest.mark.parametrize("tail", [message(3)[:-1], b'{"type":"message","id":"cut', b"  ", b"\0\0\0"])
@pytest.mark.parametrize("how", ["reset", "deleted"])
def test_the_tail_of_an_archived_file_is_its_last_line(house: Household, how: str, tail: bytes) -> None:
    house.write(NAME, transcript(1, 2) + tail)
    mirrored(house)
    house.rename(NAME, f"{NAME}.{how}.{RESET_TIME}")
    mirrored(house)
    row = only_transcript(house.ledger_path)
    content = transcript(1, 2) + tail
    assert (row.bytes, row.lines, row.tail_bytes, row.generation) == (len(content), 4, 0, 1)
    assert exported(house.ledger_path, row.id, 1) == content
    assert rows_of(house.ledger_path, row.id, 1) == non_blank_lines(content)


@pytest.mark.parametrize("tail", [message(3)[:-1], b'{"type":"message","id":"cut', b"  "])
def test_the_tail_of_a_file_that_is_gone_is_its_last_line(house: Household, tail: bytes) -> None:
    house.write(NAME, transcript(1, 2) + tail)
    mirrored(house)
    house.path(NAME).unlink()
    mirrored(house)
    row = only_transcript(house.ledger_path)
    content = transcript(1, 2) + tail
    assert (row.state, row.bytes, row.lines, row.tail_bytes, row.generation) == ("gone", len(content), 4, 0, 1)
    assert exported(house.ledger_path, row.id, 1) == content
    mirrored(house)
    assert only_transcript(house.ledger_path).bytes == len(content)


def test_a_whole_record_without_a_newline_becomes_an_entry_a_cut_one_is_quarantined(house: Household) -> None:
    house.write(name_of(1), transcript(1, 2) + message(3)[:-1])
    house.write(name_of(2), transcript(2, 2) + message(3)[:-5])
    mirrored(house)
    house.path(name_of(1)).unlink()
    house.path(name_of(2)).unlink()
    mirrored(house)
    (offset, length), *_ = query(
        house.ledger_path, "SELECT byte_offset, byte_length FROM entries WHERE entry_id = '00000003'"
    )
    assert (offset, length) == (len(transcript(1, 2)), len(message(3)) - 1)
    assert quarantined(house.ledger_path) == [(len(transcript(2, 2)), "not_json")]


def test_the_tail_of_a_copy_is_its_last_line_from_the_start(house: Household) -> None:
    house.write(f"{NAME}.bak-31223-1794802934685", transcript(1, 2) + b'{"cut')
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.bytes, row.tail_bytes) == (len(transcript(1, 2)) + 5, 0)


def test_a_line_finished_in_the_very_rename_is_one_line(house: Household) -> None:
    house.write(NAME, transcript(1, 2) + message(3)[:20])
    mirrored(house)
    house.append(NAME, message(3)[20:])
    house.rename(NAME, ARCHIVE)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.lines, row.generation) == (4, 1)


def test_a_line_finished_in_the_rename_is_one_line_also_when_the_path_is_taken_at_once(house: Household) -> None:
    """The 5.7 reset: at the old path another session is seen first, and the torn line is not yet the last word."""
    house.write(NAME, transcript(1, 2) + message(3)[:20])
    mirrored(house)
    house.append(NAME, message(3)[20:] + message(4))
    house.rename(NAME, ARCHIVE)
    house.write(NAME, transcript(2, 1))
    mirrored(house)
    first, second = transcripts(house.ledger_path)
    assert (first.session_id, first.kind, first.lines, first.generation) == (session_id(1), "reset", 5, 1)
    assert (second.session_id, second.lines) == (session_id(2), 2)


def test_a_line_finished_in_a_rename_seen_late_is_one_line(house: Household) -> None:
    """A listing made during the rename may show neither name: the file seems gone, and its torn line the last."""
    path = house.write(NAME, transcript(1, 2) + message(3)[:20])
    mirrored(house)
    away = path.rename(house.state_dir / "away")
    mirrored(house)
    away.write_bytes(transcript(1, 4))
    away.rename(house.path(ARCHIVE))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state, row.lines) == ("reset", "archived", 5)


def test_the_tail_of_a_session_displaced_for_good_is_its_last_line(house: Household) -> None:
    house.write(NAME, transcript(1, 2) + message(3)[:20])
    mirrored(house)
    house.replace(NAME, transcript(2, 1))
    mirrored(house)
    first, _ = transcripts(house.ledger_path)
    assert (first.state, first.tail_bytes) == ("gone", 0)
    assert exported(house.ledger_path, first.id, 1) == transcript(1, 2) + message(3)[:20]


def test_a_turn_under_way_elsewhere_does_not_keep_the_last_line_of_a_displaced_session(house: Household) -> None:
    house.write(NAME, transcript(1, 2) + message(3)[:20])
    house.write(name_of(3), transcript(3, 4))
    mirrored(house)
    house.lock(name_of(3), os.getpid())
    house.truncate(name_of(3), len(transcript(3, 2)))
    house.replace(NAME, transcript(2, 1))
    result = house.catch_up(CatchUpOptions(settle_seconds=20.0, lock_wait_seconds=200.0))
    assert [os.path.basename(item.path) for item in result.in_progress] == [name_of(3)]
    first = transcripts(house.ledger_path)[0]
    assert (first.state, first.tail_bytes) == ("gone", 0)
    assert exported(house.ledger_path, first.id, 1) == transcript(1, 2) + message(3)[:20]


def test_a_file_that_returns_with_its_torn_line_has_no_such_line_again(house: Household) -> None:
    path = house.write(NAME, transcript(1, 2) + message(3)[:20])
    mirrored(house)
    away = path.rename(house.state_dir / "away")
    mirrored(house)
    away.rename(path)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.state, row.lines, row.tail_bytes) == ("live", 3, 20)
    house.append(NAME, message(3)[20:])
    mirrored(house)
    assert exported(house.ledger_path, row.id, only_transcript(house.ledger_path).generation) == transcript(1, 3)


def test_an_archived_last_line_that_goes_on_after_all_is_one_line_in_a_new_generation(house: Household) -> None:
    house.write(NAME, transcript(1, 2) + message(3)[:20])
    mirrored(house)
    house.rename(NAME, ARCHIVE)
    mirrored(house)
    house.append(ARCHIVE, message(3)[20:] + message(4)[:9])
    mirrored(house)
    row = only_transcript(house.ledger_path)
    torn = transcript(1, 2) + message(3)[:20]
    assert generations(house.ledger_path, row) == [torn, transcript(1, 3) + message(4)[:9]]


def test_a_young_archive_s_last_line_is_given_time_to_settle(house: Household) -> None:
    """Right after the rename the writer may still hold the file open."""
    house.write(ARCHIVE, transcript(1, 2) + message(3)[:20])
    result = house.catch_up(CatchUpOptions(settle_seconds=60, lock_wait_seconds=5))
    assert [Path(item.path).name for item in result.in_progress] == [ARCHIVE]
    assert only_transcript(house.ledger_path).lines == 3
    mirrored(house)
    assert only_transcript(house.ledger_path).lines == 4


def test_a_tail_longer_than_a_line_may_be_survives_the_file_s_end(house: Household) -> None:
    options = CatchUpOptions(max_line_bytes=1000)
    content = transcript(1, 2) + b'{"long":"' + b"x" * 5000
    house.write(NAME, content)
    mirrored(house, options)
    assert only_transcript(house.ledger_path).tail_bytes == 5009
    house.rename(NAME, ARCHIVE)
    mirrored(house, options)
    row = only_transcript(house.ledger_path)
    assert exported(house.ledger_path, row.id, 1) == content
    assert quarantined(house.ledger_path) == [(len(transcript(1, 2)), "too_long")]
