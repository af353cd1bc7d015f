"""Files whose lines are kept but not read (trajectories), and archives that are kept compressed (.zst)."""

import hashlib
from pathlib import Path

import pytest

from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    compressed,
    message,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    assert_mirrors,
    exported,
    generations,
    mirrored,
    only_transcript,
    query,
    transcript_at,
    transcripts,
)

TRAJECTORY = f"{session_id(1)}.trajectory.jsonl"
RECORDS = b"".join(
    b'{"traceSchema":"openclaw-trajectory","type":"message","id":"%d","message":{"role":"user"}}\n' % number
    for number in range(20)
)
DELETED_ZST = f"{name_of(1)}.deleted.{RESET_TIME}.54f8826cc57545478efb2eddd618fe4d.zst"


def _row_counts(house: Household) -> list[tuple[int, ...]]:
    return query(
        house.ledger_path,
        "SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM messages), (SELECT count(*) FROM quarantine)",
    )


def test_a_trajectory_is_raw_bytes_only(house: Household) -> None:
    house.write(TRAJECTORY, RECORDS + b"no json at all\n\n" + transcript(3, 2))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state, row.session_id, row.lines) == ("trajectory", "live", session_id(1), 25)
    assert _row_counts(house) == [(0, 0, 0)]


def test_a_trajectory_s_rewrites_are_generations_like_any_other(house: Household) -> None:
    house.write(TRAJECTORY, RECORDS)
    mirrored(house)
    house.append(TRAJECTORY, b'{"more":1}\n')
    mirrored(house)
    house.write(TRAJECTORY, RECORDS[: len(RECORDS) // 2] + b"\n")
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [RECORDS + b'{"more":1}\n', RECORDS[: len(RECORDS) // 2] + b"\n"]
    assert _row_counts(house) == [(0, 0, 0)]


def test_a_trajectory_stays_apart_from_the_transcript_beside_it(house: Household) -> None:
    house.write(TRAJECTORY, RECORDS)
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    assert {(row.kind, row.parent_transcript_id) for row in transcripts(house.ledger_path)} == {
        ("trajectory", None),
        ("primary", None),
    }


def test_a_trajectory_that_goes_keeps_its_unfinished_line_raw(house: Household) -> None:
    house.write(TRAJECTORY, RECORDS + b'{"cut')
    mirrored(house)
    house.path(TRAJECTORY).unlink()
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert exported(house.ledger_path, row.id, 1) == RECORDS + b'{"cut'
    assert _row_counts(house) == [(0, 0, 0)]


def test_a_zst_archive_s_bytes_are_the_decompressed_ones(house: Household) -> None:
    content = transcript(1, 30)
    house.write(DELETED_ZST, compressed(content))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state, row.bytes, row.lines) == ("deleted", "archived", len(content), 31)
    assert row.file_sha256 == hashlib.sha256(content).hexdigest()
    assert exported(house.ledger_path, row.id, 1) == content
    assert mirrored(house).bytes == 0


def test_a_zst_archive_without_a_last_newline_is_taken_in_to_its_end(house: Household) -> None:
    content = transcript(1, 3)[:-1]
    house.write(DELETED_ZST, compressed(content))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.bytes, row.tail_bytes, row.lines) == (len(content), 0, 4)


def test_a_zst_archive_of_several_frames_is_one_transcript(house: Household) -> None:
    house.write(DELETED_ZST, compressed(transcript(1, 2)) + compressed(message(3)))
    mirrored(house)
    assert only_transcript(house.ledger_path).bytes == len(transcript(1, 3))


def test_a_zst_archive_continues_the_transcript_that_was_deleted(house: Household) -> None:
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    house.path(name_of(1)).unlink()
    house.write(DELETED_ZST, compressed(transcript(1, 4)))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state, row.generation, row.lines) == ("deleted", "archived", 1, 5)


def test_an_archive_that_is_compressed_later_is_still_the_same_transcript(house: Household) -> None:
    plain = f"{name_of(1)}.reset.{RESET_TIME}"
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    house.rename(name_of(1), plain)
    mirrored(house)
    house.path(plain).unlink()
    house.write(f"{plain}.zst", compressed(transcript(1, 3)))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.name, row.state, row.generation) == (f"{plain}.zst", "archived", 1)


def test_a_zst_archive_of_many_blocks_is_compared_to_its_last_byte(house: Household) -> None:
    content = transcript(1, 1) + b"".join(message(number, "much " * 4000) for number in range(2, 180))  # 3.5 MB
    house.write(DELETED_ZST, compressed(content))
    mirrored(house)
    changed = content[:-100] + b"X" + content[-99:]
    house.write(DELETED_ZST, compressed(changed))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert generations(house.ledger_path, row) == [content, changed]


@pytest.mark.parametrize("size", [0, 3, 40, -1])
def test_a_damaged_zst_archive_is_named_and_taken_in_once_it_is_whole(house: Household, size: int) -> None:
    """While it is being written, an archive is cut; that must not make a second transcript of it."""
    content = transcript(1, 1) + b"".join(message(number, "much " * 4000) for number in range(2, 180))
    packed = compressed(content)
    house.write(DELETED_ZST, packed[: size if size >= 0 else len(packed) * 2 // 3])
    house.write(name_of(2), transcript(2, 2))
    for _ in range(3):
        result = house.catch_up()
        assert [Path(problem.path).name for problem in result.problems] == [DELETED_ZST]
    assert transcript_at(house.ledger_path, name_of(2)).lines == 3
    house.write(DELETED_ZST, packed)
    assert house.catch_up().problems == []
    assert_mirrors(house)
    assert len(transcripts(house.ledger_path)) == 2


def test_a_file_that_only_calls_itself_zst_is_named_and_the_others_are_done(house: Household) -> None:
    house.write(DELETED_ZST, b"plain text, not a frame\n")
    house.write(f"{name_of(2)}.reset.{LATER_TIME}", transcript(2, 2))
    (problem,) = house.catch_up().problems
    assert problem.path == str(house.path(DELETED_ZST))
    assert transcript_at(house.ledger_path, f"{name_of(2)}.reset.{LATER_TIME}").lines == 3
    (difference,) = house.verify().differences
    assert difference.path == problem.path
