"""Which transcript a file is: the header's id and the bytes decide, never the path, the inode or the index."""

import os
import shutil
from pathlib import Path

import pytest

from syncd.clock import SystemClock
from syncd.ledger.database import open_for_writing
from syncd.mirror.catchup import CatchUpOptions, catch_up
from tests.conftest import CHECKOUT
from tests.mirror.household import (
    LATER_TIME,
    RESET_TIME,
    Household,
    header,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    events,
    exported,
    generations,
    mirrored,
    only_transcript,
    query,
    transcript_at,
    transcripts,
)


@pytest.mark.parametrize("release", ["2026.5.7", "2026.7.1", "2026.9.6", "migrated-7.1-to-9.6"])
def test_a_genuine_household_is_mirrored_and_a_second_look_takes_in_nothing(house: Household, release: str) -> None:
    shutil.copytree(CHECKOUT / "tests" / "data" / "openclaw" / release, house.state_dir, dirs_exist_ok=True)
    assert mirrored(house).lines > 0
    before = query(house.ledger_path, "SELECT * FROM transcripts")
    again = mirrored(house)
    assert (again.lines, again.bytes, again.transcripts) == (0, 0, 0)
    assert query(house.ledger_path, "SELECT * FROM transcripts") == before


def test_a_household_of_the_oldest_layout_is_mirrored(house: Household) -> None:
    place = house.state_dir / "sessions"
    place.mkdir()
    (place / name_of(1)).write_bytes(transcript(1, 2))
    mirrored(house)
    assert query(house.ledger_path, "SELECT agent_id, session_id FROM transcripts") == [("main", session_id(1))]


def test_the_same_session_id_with_two_agents_is_two_transcripts(house: Household) -> None:
    for agent in ("main", "ops"):
        (house.sessions(agent) / name_of(1)).write_bytes(transcript(1, 2))
    mirrored(house)
    rows = query(house.ledger_path, "SELECT agent_id, session_id, parent_transcript_id FROM transcripts ORDER BY 1")
    assert rows == [("main", session_id(1), None), ("ops", session_id(1), None)]


def test_the_header_names_the_session_where_the_file_name_says_otherwise(house: Household) -> None:
    house.write(name_of(1), transcript(2, 1))
    mirrored(house)
    assert only_transcript(house.ledger_path).session_id == session_id(2)


def test_an_empty_file_takes_its_name_s_id_until_the_header_comes(house: Household) -> None:
    house.write(name_of(1), b"")
    mirrored(house)
    assert only_transcript(house.ledger_path).session_id == session_id(1)
    house.append(name_of(1), transcript(2, 1))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.session_id, row.generation) == (session_id(2), 1)


def test_a_reset_of_5_7_that_reuses_the_path_is_two_transcripts(house: Household) -> None:
    """Rename to .reset., then a new header-only file under the same path (2026.5.7)."""
    old = house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    archive = house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    house.write(name_of(1), header(2))
    mirrored(house)
    first, second = transcripts(house.ledger_path)
    assert (first.session_id, first.path, first.kind, first.state) == (session_id(1), str(archive), "reset", "archived")
    assert (second.session_id, second.path, second.kind, second.state) == (session_id(2), str(old), "primary", "live")
    assert (first.generation, second.generation) == (1, 1)
    assert second.parent_transcript_id is None


@pytest.mark.parametrize("looks_between", [True, False])
def test_two_resets_of_one_stem_are_three_transcripts_each_under_its_own_id(
    house: Household, *, looks_between: bool
) -> None:
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    for number, at in ((2, RESET_TIME), (3, LATER_TIME)):
        house.rename(name_of(1), f"{name_of(1)}.reset.{at}")
        house.write(name_of(1), transcript(number, number))
        if looks_between:
            mirrored(house)
    mirrored(house)
    rows = transcripts(house.ledger_path)
    assert sorted((row.session_id, row.kind, row.state, row.generation, row.lines) for row in rows) == [
        (session_id(1), "reset", "archived", 1, 4),
        (session_id(2), "reset", "archived", 1, 3),
        (session_id(3), "primary", "live", 1, 4),
    ]


def test_a_reset_of_7_1_is_understood_between_the_creation_and_the_rename(house: Household) -> None:
    """2026.7.1 makes the new file first and renames the old one a moment later."""
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    house.write(name_of(2), header(2))
    mirrored(house)
    house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    mirrored(house)
    first, second = transcripts(house.ledger_path)
    assert (first.session_id, first.kind, first.state, first.generation) == (session_id(1), "reset", "archived", 1)
    assert (second.session_id, second.kind, second.state) == (session_id(2), "primary", "live")


@pytest.mark.parametrize("how", ["reset", "deleted"])
def test_an_archive_rename_with_an_unread_rest_continues_the_transcript(house: Household, how: str) -> None:
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    house.append(name_of(1), messages(4, 6))
    archive = house.rename(name_of(1), f"{name_of(1)}.{how}.{RESET_TIME}")
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.path, row.kind, row.state, row.generation) == (str(archive), how, "archived", 1)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 6)
    assert "archive_rename" in events(house.ledger_path)
    assert row.file_sha256 is not None


def test_an_archive_is_found_without_an_index_and_without_the_old_place_ever_seen(house: Household) -> None:
    house.write(f"{name_of(1)}.reset.{RESET_TIME}", transcript(1, 3))
    house.write(f"{name_of(1)}.reset.{LATER_TIME}", transcript(2, 2))
    house.write(f"{name_of(3)}.deleted.{LATER_TIME}", transcript(3, 1))
    mirrored(house)
    assert sorted((row.session_id, row.kind, row.state) for row in transcripts(house.ledger_path)) == [
        (session_id(1), "reset", "archived"),
        (session_id(2), "reset", "archived"),
        (session_id(3), "deleted", "archived"),
    ]


@pytest.mark.parametrize("index", [b"", b"{}", b"{ broken", b'{"agent:main:main": {"sessionId": "elsewhere"}}'])
def test_what_the_index_says_changes_nothing_about_transcripts(house: Household, index: bytes) -> None:
    house.write(name_of(1), transcript(1, 3))
    house.write("sessions.json", index)
    mirrored(house)
    assert only_transcript(house.ledger_path).session_id == session_id(1)


def test_an_archive_that_openclaw_prunes_is_gone_and_still_whole_in_the_ledger(house: Household) -> None:
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    archive = f"{name_of(1)}.deleted.{RESET_TIME}"
    house.rename(name_of(1), archive)
    mirrored(house)
    house.path(archive).unlink()
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.state, row.generation) == ("gone", 1)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 3)


def test_an_archived_file_that_is_written_to_once_more_goes_on(house: Household) -> None:
    """A writer that had the file open when it was renamed."""
    archive = f"{name_of(1)}.reset.{RESET_TIME}"
    house.write(name_of(1), transcript(1, 2))
    mirrored(house)
    house.rename(name_of(1), archive)
    mirrored(house)
    first_hash = only_transcript(house.ledger_path).file_sha256
    house.append(archive, message(3))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.generation, row.lines) == (1, 4)
    assert row.file_sha256 != first_hash


def test_another_header_at_a_known_path_is_another_transcript_and_the_first_is_gone(house: Household) -> None:
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    house.recreate(name_of(1), transcript(2, 3))
    mirrored(house)
    first, second = transcripts(house.ledger_path)
    assert (first.session_id, first.state, first.generation) == (session_id(1), "gone", 1)
    assert (second.session_id, second.state, second.generation) == (session_id(2), "live", 1)
    assert exported(house.ledger_path, first.id, 1) == transcript(1, 3)


def test_another_header_is_another_transcript_also_after_the_file_was_seen_empty(house: Household) -> None:
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    house.truncate(name_of(1), 0)
    mirrored(house)
    house.append(name_of(1), transcript(2, 2))
    mirrored(house)
    first, second = transcripts(house.ledger_path)
    assert (first.session_id, first.state) == (session_id(1), "gone")
    assert generations(house.ledger_path, first) == [transcript(1, 3), b""]
    assert (second.session_id, second.state, second.generation) == (session_id(2), "live", 1)


def test_a_session_that_returns_to_a_path_taken_by_another_goes_on_with_its_transcript(house: Household) -> None:
    house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    house.replace(name_of(1), transcript(2, 1))
    mirrored(house)
    house.replace(name_of(1), transcript(1, 4))
    mirrored(house)
    for row in transcripts(house.ledger_path):
        assert exported(house.ledger_path, row.id, row.generation) == transcript(
            1 if row.session_id == session_id(1) else 2,
            {session_id(1): row.lines - 1, session_id(2): 1}[row.session_id],
        )
    live = [row for row in transcripts(house.ledger_path) if row.state == "live"]
    assert [(row.session_id, row.lines) for row in live] == [(session_id(1), 5)]


def test_a_file_that_lost_its_header_keeps_its_transcript(house: Household) -> None:
    """sessions.compact of 2026.5.7: the original renamed to .bak., its last lines under the old name."""
    house.write(name_of(1), transcript(1, 6))
    mirrored(house)
    house.rename(name_of(1), f"{name_of(1)}.bak.{RESET_TIME}")
    house.write(name_of(1), messages(4, 6))
    mirrored(house)
    row = transcript_at(house.ledger_path, name_of(1))
    assert (row.session_id, row.kind, row.state, row.generation) == (session_id(1), "primary", "live", 2)
    assert generations(house.ledger_path, row) == [transcript(1, 6), messages(4, 6)]
    backup = transcript_at(house.ledger_path, f"{name_of(1)}.bak.{RESET_TIME}")
    assert (backup.kind, backup.parent_transcript_id) == ("backup", row.id)


def test_a_file_that_goes_and_comes_back_unchanged_is_live_again(house: Household) -> None:
    path = house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    away = path.rename(house.state_dir / "away")
    mirrored(house)
    assert only_transcript(house.ledger_path).state == "gone"
    away.rename(path)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.state, row.generation) == ("live", 1)
    assert events(house.ledger_path)[-2:] == ["gone", "returned"]


def test_a_copy_that_goes_and_comes_back_is_an_archived_copy_again(house: Household) -> None:
    backup = f"{name_of(1)}.bak-31223-1794802934685"
    path = house.write(backup, transcript(1, 3))
    mirrored(house)
    away = path.rename(house.state_dir / "away")
    mirrored(house)
    away.rename(path)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state) == ("backup", "archived")


def test_a_migrated_header_is_the_one_the_transcript_tells_of(house: Household) -> None:
    """Version 1 to 3: rewritten in place on open, same session."""
    house.write(name_of(1), header(1, version=1, cwd="/old") + messages(1, 2))
    mirrored(house)
    house.write(name_of(1), header(1, version=3, cwd="/new") + messages(1, 2))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.session_id, row.generation, row.header_version) == (session_id(1), 2, "3")
    assert query(house.ledger_path, "SELECT cwd FROM transcripts") == [("/new",)]


def test_a_fork_is_a_transcript_of_its_own_linked_to_its_parent(house: Household) -> None:
    parent = house.write(name_of(1), transcript(1, 3))
    fork = f"2026-11-16T04-22-14-584Z_{session_id(2)}.jsonl"
    house.write(fork, header(2, parentSession=str(parent)) + messages(1, 3) + message(9, "elsewhere"))
    mirrored(house)
    first, second = transcript_at(house.ledger_path, name_of(1)), transcript_at(house.ledger_path, fork)
    assert (second.kind, second.parent_transcript_id, second.lines) == ("fork", first.id, 5)


def test_a_path_keeps_its_transcript_when_ext4_gives_its_inode_to_another_file(house: Household) -> None:
    first = house.write(name_of(1), transcript(1, 3))
    mirrored(house)
    inode = first.stat().st_ino
    first.unlink()
    second = house.write(name_of(2), transcript(2, 3))
    if os.stat(second).st_ino != inode:
        pytest.skip("this file system does not reuse inode numbers at once")
    mirrored(house)
    assert [(row.session_id, row.state) for row in transcripts(house.ledger_path)] == [
        (session_id(1), "gone"),
        (session_id(2), "live"),
    ]


def test_two_installations_with_one_session_id_keep_their_own_transcripts(tmp_path: Path) -> None:
    ledger_path = tmp_path / "ledger.db"
    first, second = Household(tmp_path / "one", ledger_path), Household(tmp_path / "two", ledger_path)
    first.write(name_of(1), transcript(1, 3))
    second.write(f"{name_of(1)}.deleted.2026-11-16T04-22-14.699Z", transcript(1, 2))
    with open_for_writing(ledger_path) as ledger:
        state_dirs = [str(first.state_dir), str(second.state_dir)]
        catch_up(ledger, SystemClock(), state_dirs, CatchUpOptions(settle_seconds=0.0))
        query_rows = "SELECT installation_id, kind, generation, bytes, parent_transcript_id FROM transcripts"
        rows = list(ledger.execute(query_rows))
    assert sorted(rows) == [
        (1, "primary", 1, len(transcript(1, 3)), None),
        (2, "deleted", 1, len(transcript(1, 2)), None),
    ]
