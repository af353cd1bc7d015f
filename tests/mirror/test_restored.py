"""Archives under their old name again, archived trajectories, and archives beside their compressed selves."""

import os
from pathlib import Path

import pytest

from tests.daemon.live import following
from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    compressed,
    header,
    line,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    assert_mirrors,
    events,
    exported,
    generations,
    mirrored,
    only_transcript,
    query,
    transcript_at,
    transcripts,
)

NAME = name_of(1)
TRAJECTORY = f"{session_id(1)}.trajectory.jsonl"
RECORDS = b"".join(b'{"traceSchema":"openclaw-trajectory","seq":%d}\n' % number for number in range(20))


@pytest.mark.parametrize("how", ["reset", "deleted"])
@pytest.mark.parametrize("is_gone_between", [True, False])
def test_an_archive_renamed_back_is_its_transcript_and_live_again(
    house: Household, how: str, *, is_gone_between: bool
) -> None:
    archive = f"{NAME}.{how}.{RESET_TIME}"
    house.write(NAME, transcript(1, 3))
    mirrored(house)
    house.rename(NAME, archive)
    mirrored(house)
    away = house.state_dir / "away"
    house.path(archive).rename(away)
    if is_gone_between:
        mirrored(house)
        assert only_transcript(house.ledger_path).state == "gone"
    away.rename(house.path(NAME))
    assert mirrored(house).bytes == 0
    row = only_transcript(house.ledger_path)
    assert (row.name, row.kind, row.state, row.generation) == (NAME, "primary", "live", 1)
    assert events(house.ledger_path)[-1] == "returned"
    house.append(NAME, message(4))
    mirrored(house)
    assert only_transcript(house.ledger_path).lines == 5
    house.rename(NAME, archive)
    mirrored(house)
    assert only_transcript(house.ledger_path).name == archive


def test_an_archive_that_was_never_live_before_us_can_come_back_too(house: Household) -> None:
    archive = f"{NAME}.reset.{RESET_TIME}"
    house.write(archive, transcript(1, 3))
    mirrored(house)
    house.rename(archive, NAME)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state) == ("primary", "live")


def test_an_archive_put_in_place_of_the_session_that_followed_it_is_live_again(house: Household) -> None:
    """As 2026.5.7 resets: the new session has the old one's file name."""
    archive = f"{NAME}.reset.{RESET_TIME}"
    house.write(NAME, transcript(1, 3))
    mirrored(house)
    house.rename(NAME, archive)
    house.write(NAME, transcript(2, 2))
    mirrored(house)
    house.rename(archive, NAME)
    mirrored(house)
    found = {row.session_id: (row.name, row.state, row.lines) for row in transcripts(house.ledger_path)}
    assert found == {session_id(1): (NAME, "live", 4), session_id(2): (NAME, "gone", 3)}


def test_an_unfinished_last_line_taken_in_with_the_archive_is_held_back_again(house: Household) -> None:
    archive = f"{NAME}.deleted.{RESET_TIME}"
    house.write(NAME, transcript(1, 3) + message(4)[:20])
    mirrored(house)
    house.rename(NAME, archive)
    mirrored(house)
    house.rename(archive, NAME)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.state, row.bytes, row.tail_bytes) == ("live", len(transcript(1, 3)), 20)
    house.append(NAME, message(4)[20:])
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert exported(house.ledger_path, row.id, row.generation) == transcript(1, 4)


@pytest.mark.parametrize("kind", ["fork", "successor"])
def test_a_fork_or_successor_comes_back_as_what_it_was(house: Household, kind: str) -> None:
    opening = header(1, parentSession=str(house.path(name_of(9)))) + messages(1, 1)
    compaction = {"type": "compaction", "id": "0000000a", "parentId": "00000001", "firstKeptEntryId": "00000001"}
    house.write(NAME, opening + (line({**compaction, "summary": "s"}) if kind == "successor" else messages(2, 3)))
    mirrored(house)
    assert only_transcript(house.ledger_path).kind == kind
    house.rename(NAME, f"{NAME}.reset.{RESET_TIME}")
    mirrored(house)
    assert only_transcript(house.ledger_path).kind == "reset"
    house.rename(f"{NAME}.reset.{RESET_TIME}", NAME)
    mirrored(house)
    assert only_transcript(house.ledger_path).kind == kind


def test_a_copy_of_an_archive_under_the_old_name_is_another_transcript(house: Household) -> None:
    archive = f"{NAME}.deleted.{RESET_TIME}"
    house.write(archive, transcript(1, 3))
    mirrored(house)
    house.write(NAME, transcript(1, 3))
    mirrored(house)
    states = {row.name: row.state for row in transcripts(house.ledger_path)}
    assert states == {archive: "archived", NAME: "live"}
    assert transcript_at(house.ledger_path, NAME).parent_transcript_id is not None


def test_a_daemon_sees_an_archive_come_back(house: Household) -> None:
    archive = f"{NAME}.deleted.{RESET_TIME}"
    house.write(NAME, transcript(1, 3))
    with following(house) as live:
        house.rename(NAME, archive)
        live.has_lines(archive, 4)
        house.rename(archive, NAME)
        live.has_lines(NAME, 4)
        house.append(NAME, message(4))
        live.has_lines(NAME, 5)
        assert live.row().state == "live"


@pytest.mark.parametrize("how", ["reset", "deleted"])
@pytest.mark.parametrize("is_compressed", [False, True])
def test_an_archived_trajectory_is_its_trajectory_s_transcript(
    house: Household, how: str, *, is_compressed: bool
) -> None:
    archive = f"{TRAJECTORY}.{how}.{RESET_TIME}" + (".zst" if is_compressed else "")
    house.write(NAME, transcript(1, 2))
    house.write(TRAJECTORY, RECORDS)
    mirrored(house)
    house.rename(TRAJECTORY, archive)
    if is_compressed:
        house.write(archive, compressed(RECORDS))
    assert mirrored(house).bytes == 0
    row, beside = transcript_at(house.ledger_path, archive), transcript_at(house.ledger_path, NAME)
    assert (row.kind, row.state, row.generation) == ("trajectory", "archived", 1)
    assert (beside.kind, beside.state) == ("primary", "live")
    assert len(transcripts(house.ledger_path)) == 2
    if not is_compressed:
        house.rename(archive, TRAJECTORY)
        mirrored(house)
        row = transcript_at(house.ledger_path, TRAJECTORY)
        assert (row.kind, row.state, len(transcripts(house.ledger_path))) == ("trajectory", "live", 2)


def test_a_trajectory_archive_with_other_bytes_is_another_transcript(house: Household) -> None:
    house.write(TRAJECTORY, RECORDS)
    mirrored(house)
    house.write(f"{TRAJECTORY}.deleted.{RESET_TIME}", RECORDS[:100] + b"other\n")
    mirrored(house)
    assert len(transcripts(house.ledger_path)) == 2


HASHED = ".54f8826cc57545478efb2eddd618fe4d"


@pytest.mark.parametrize("infix", ["", HASHED])
@pytest.mark.parametrize("order", ["together", "plain first", "compressed first"])
def test_an_archive_beside_its_compressed_self_is_one_transcript(house: Household, order: str, infix: str) -> None:
    plain = f"{NAME}.deleted.{RESET_TIME}"
    packed = f"{plain}{infix}.zst"
    content = transcript(1, 30)
    parts = {plain: content, packed: compressed(content)}
    for name in reversed(parts) if order == "compressed first" else parts:
        house.write(name, parts[name])
        if order != "together":
            mirrored(house)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state, row.bytes) == ("deleted", "archived", len(content))
    assert mirrored(house).bytes == 0
    house.path(plain).unlink()
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.name, row.state, row.generation) == (packed, "archived", 1)
    assert query(house.ledger_path, "SELECT count(*) FROM entries") == [(31,)]
    house.path(packed).unlink()
    mirrored(house)
    assert only_transcript(house.ledger_path).state == "gone"


def test_an_archive_that_comes_and_goes_beside_its_compressed_self_is_always_there(house: Household) -> None:
    plain, content = f"{NAME}.deleted.{RESET_TIME}", transcript(1, 3)
    house.write(f"{plain}.zst", compressed(content))
    for _ in range(2):
        house.write(plain, content)
        mirrored(house)
        assert house.verify().stale == []
        house.path(plain).unlink()
        mirrored(house)
    assert only_transcript(house.ledger_path).state == "archived"
    assert set(events(house.ledger_path)) <= {"copy_found", "returned"}


def test_a_file_that_is_put_back_beside_a_copy_in_the_import_archive_is_no_migration(house: Household) -> None:
    house.write(NAME, transcript(1, 3))
    copy = house.import_archive() / f"agent_main_main.{NAME}.imported-1794802732071"
    copy.write_bytes(transcript(1, 3))
    mirrored(house)
    house.path(NAME).unlink()
    mirrored(house)
    house.write(NAME, transcript(1, 3))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.name, row.state, events(house.ledger_path)) == (NAME, "live", ["copy_found", "returned"])


def test_a_compressed_archive_still_being_written_beside_the_plain_one_waits_and_is_one_transcript(
    house: Household,
) -> None:
    plain = f"{NAME}.deleted.{RESET_TIME}"
    content = transcript(1, 1) + b"".join(message(number, os.urandom(500).hex()) for number in range(2, 900))
    packed = compressed(content)
    house.write(plain, content)
    house.write(f"{plain}.zst", packed[: len(packed) // 2])
    assert [Path(problem.path).name for problem in house.catch_up().problems] == [f"{plain}.zst"]
    assert len(transcripts(house.ledger_path)) == 1
    house.write(f"{plain}.zst", packed)
    mirrored(house)
    assert only_transcript(house.ledger_path).name == plain


def test_two_archives_of_one_session_with_other_bytes_stay_two(house: Household) -> None:
    house.write(f"{NAME}.deleted.{RESET_TIME}", transcript(1, 3))
    house.write(f"{NAME}.deleted.{RESET_TIME}.zst", compressed(transcript(1, 2)))
    house.write(f"{NAME}.deleted.{LATER_TIME}.zst", compressed(transcript(1, 3)))
    mirrored(house)
    assert len(transcripts(house.ledger_path)) == 3


def test_a_compressed_place_that_changes_is_a_transcript_of_its_own(house: Household) -> None:
    plain = f"{NAME}.deleted.{RESET_TIME}"
    house.write(plain, transcript(1, 3))
    house.write(f"{plain}.zst", compressed(transcript(1, 3)))
    mirrored(house)
    house.write(f"{plain}.zst", compressed(transcript(1, 4)))
    mirrored(house)
    rows = {row.name: row for row in transcripts(house.ledger_path)}
    assert {name: row.lines for name, row in rows.items()} == {plain: 4, f"{plain}.zst": 5}
    assert generations(house.ledger_path, rows[plain]) == [transcript(1, 3)]
    assert_mirrors(house)


def test_a_file_that_returns_with_a_part_of_what_was_imported_is_stale_until_it_moves(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    imported = house.import_archive() / f"agent-main-main.{NAME}.imported-1794802732071"
    house.path(NAME).rename(imported)
    mirrored(house)
    house.write(NAME, transcript(1, 2))
    house.catch_up()
    (row,) = transcripts(house.ledger_path)
    assert (row.generation, row.path) == (1, str(imported))
    assert [item.path for item in house.verify().stale] == [str(house.path(NAME))]
    moved_on = transcript(1, 2) + message(3, "said otherwise")
    house.write(NAME, moved_on)
    house.catch_up()
    row = next(row for row in transcripts(house.ledger_path) if row.path == str(house.path(NAME)))
    assert generations(house.ledger_path, row) == [transcript(1, 4), moved_on]
    assert house.verify().differences == []


def test_another_session_at_the_place_of_one_that_was_imported_is_another_transcript(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    house.path(NAME).rename(house.import_archive() / f"agent-main-main.{NAME}.imported-1794802732071")
    mirrored(house)
    house.write(NAME, transcript(2, 2))
    mirrored(house)
    found = [(row.session_id, row.state, row.generation, row.lines) for row in transcripts(house.ledger_path)]
    assert found == [(session_id(1), "archived", 1, 5), (session_id(2), "live", 1, 3)]
