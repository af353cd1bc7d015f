"""Copies that OpenClaw leaves beside a transcript: kinds of their own, linked to what they repeat, nothing twice."""

from typing import BinaryIO

import pytest

from syncd.ledger.check import check
from syncd.ledger.database import open_for_reading
from syncd.mirror import reading, recognition
from tests.mirror.household import (
    RESET_TIME,
    Household,
    header,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import events, exported, mirrored, only_transcript, query, transcript_at, transcripts

NAME = name_of(1)
UUID = "11546cb9-b0a8-4517-95a1-4efe05f46fd5"
COPIES = {
    f"{NAME}.bak-31223-1794802934685": "backup",
    f"{NAME}.bak.{RESET_TIME}": "backup",
    f"{NAME}.pre-doctor-branch-repair-2026-11-16T04-22-14-522Z.bak": "backup",
    f"{session_id(1)}.checkpoint.{UUID}.jsonl": "checkpoint",
    f"{NAME}.corrupt-2026-11-16T04-22-14-522Z-0a1b2c3d.jsonl": "corrupt",
}
IMPORTED = f"agent_main_main.{NAME}.imported-1794802732071"


@pytest.mark.parametrize(("name", "kind"), COPIES.items())
def test_a_copy_is_a_transcript_of_its_kind_linked_to_the_one_it_repeats(
    house: Household, name: str, kind: str
) -> None:
    house.write(NAME, transcript(1, 4))
    house.write(name, transcript(1, 4))
    mirrored(house)
    original, copy = transcript_at(house.ledger_path, NAME), transcript_at(house.ledger_path, name)
    assert (copy.kind, copy.state, copy.parent_transcript_id) == (kind, "archived", original.id)
    assert (original.kind, original.state, original.parent_transcript_id) == ("primary", "live", None)
    assert copy.file_sha256 is not None
    assert query(house.ledger_path, "SELECT count(DISTINCT lineage_id) FROM transcripts") == [(1,)]


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_taken_in_once_however_often_it_is_seen(house: Household, name: str) -> None:
    house.write(name, transcript(1, 4))
    mirrored(house)
    house.path(name).chmod(0o600)
    assert mirrored(house).bytes == 0
    house.write(NAME, transcript(1, 5))
    mirrored(house)
    assert [row.kind for row in transcripts(house.ledger_path)] == [COPIES[name], "primary"]
    assert transcripts(house.ledger_path)[0].parent_transcript_id == transcripts(house.ledger_path)[1].id


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_never_continues_the_transcript_even_when_that_is_gone(house: Household, name: str) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    house.rename(NAME, name)
    mirrored(house)
    original, copy = transcripts(house.ledger_path)
    assert (original.kind, original.state, original.lines) == ("primary", "gone", 5)
    assert (copy.kind, copy.state, copy.parent_transcript_id) == (COPIES[name], "archived", original.id)


def test_a_repair_leaves_the_old_bytes_twice_on_disk_and_the_lines_of_both_in_the_ledger(house: Household) -> None:
    damaged = transcript(1, 2) + b'{"type":"message","id":"torn\n' + messages(3, 4)
    house.write(NAME, damaged)
    mirrored(house)
    backup = f"{NAME}.bak-31223-1794802934685"
    house.write(backup, damaged)
    house.replace(NAME, transcript(1, 4))
    mirrored(house)
    row, copy = transcript_at(house.ledger_path, NAME), transcript_at(house.ledger_path, backup)
    assert (row.generation, copy.generation) == (2, 1)
    assert exported(house.ledger_path, row.id, 1) == exported(house.ledger_path, copy.id, 1) == damaged


def test_a_checkpoint_that_is_still_being_copied_grows_like_any_file(house: Household) -> None:
    """copyFile: visible at size 0, then in parts."""
    name = f"{session_id(1)}.checkpoint.{UUID}.jsonl"
    house.write(NAME, transcript(1, 4))
    for size in (0, 100, len(transcript(1, 2)), len(transcript(1, 4))):
        house.write(name, transcript(1, 4)[:size])
        mirrored(house)
    copy = transcript_at(house.ledger_path, name)
    assert exported(house.ledger_path, copy.id, copy.generation) == transcript(1, 4)


def test_an_import_archive_file_with_a_known_transcript_s_bytes_is_another_place_of_it(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    (house.import_archive() / IMPORTED).write_bytes(transcript(1, 4))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.path, row.kind, row.state) == (str(house.path(NAME)), "primary", "live")
    assert "copy_found" in events(house.ledger_path)


def test_a_transcript_moved_into_the_import_archive_is_archived_there(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    moved = house.import_archive() / IMPORTED
    house.path(NAME).rename(moved)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.path, row.state, row.generation) == (str(moved), "archived", 1)


def test_a_transcript_restored_from_the_import_archive_is_live_and_goes_on(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    moved = house.path(NAME).rename(house.import_archive() / IMPORTED)
    mirrored(house)
    moved.rename(house.path(NAME))
    house.append(NAME, message(5))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.path, row.state, row.generation, row.lines) == (str(house.path(NAME)), "live", 1, 6)


def test_a_transcript_without_a_header_is_recognised_in_the_import_archive(house: Household) -> None:
    """After a compaction of 2026.5.7 the header is lost."""
    house.write(NAME, messages(3, 6))
    mirrored(house)
    house.path(NAME).rename(house.import_archive() / IMPORTED)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.session_id, row.state) == (session_id(1), "archived")


def test_a_transcript_with_an_unfinished_line_is_recognised_in_the_import_archive(house: Household) -> None:
    torn = transcript(1, 4) + b'{"type":"mess'
    house.write(NAME, torn)
    mirrored(house)
    house.path(NAME).rename(house.import_archive() / IMPORTED)
    mirrored(house)
    assert len(transcripts(house.ledger_path)) == 1


def test_an_import_archive_file_with_other_bytes_is_a_transcript_of_its_own(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    mirrored(house)
    (house.import_archive() / IMPORTED).write_bytes(transcript(1, 3))
    mirrored(house)
    original, copy = transcripts(house.ledger_path)
    assert (original.kind, copy.kind, copy.state) == ("primary", "import_archive", "archived")
    assert copy.parent_transcript_id == original.id


def test_an_import_archive_copy_that_then_differs_becomes_a_transcript_of_its_own(house: Household) -> None:
    house.write(NAME, transcript(1, 4))
    place = house.import_archive() / IMPORTED
    place.write_bytes(transcript(1, 4))
    mirrored(house)
    house.append(NAME, message(5))
    mirrored(house)
    original, copy = transcripts(house.ledger_path)
    assert (original.lines, copy.lines, copy.kind) == (6, 5, "import_archive")


def test_an_import_archive_copy_emptied_together_with_its_original_is_a_transcript_of_its_own(house: Household) -> None:
    place = house.import_archive() / IMPORTED
    for path in (house.write(NAME, transcript(1, 4)), place):
        path.write_bytes(transcript(1, 4))
    mirrored(house)
    house.path(NAME).write_bytes(b"")
    place.write_bytes(b"")
    mirrored(house)
    original, copy = transcripts(house.ledger_path)
    assert (original.generation, original.bytes, copy.kind, copy.bytes) == (2, 0, "import_archive", 0)


def test_what_was_moved_of_a_session_is_no_parent_of_it(house: Household) -> None:
    """Its header names a parent that is, by the id, the session itself."""
    house.write(NAME, header(1, parentSession=str(house.path(NAME))))
    mirrored(house)
    house.path(NAME).unlink()
    (house.import_archive() / IMPORTED).write_bytes(header(1))  # moved there, and other bytes by now
    mirrored(house)
    gone, moved = (transcript_at(house.ledger_path, name) for name in (NAME, IMPORTED))
    assert (moved.kind, moved.parent_transcript_id, gone.parent_transcript_id) == ("import_archive", gone.id, None)


def test_an_import_archive_alone_is_taken_in_as_what_it_is(house: Household) -> None:
    (house.import_archive() / IMPORTED).write_bytes(transcript(1, 4))
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state, row.session_id, row.lines) == ("import_archive", "archived", session_id(1), 5)


def test_a_trajectory_moved_into_the_import_archive_is_not_kept_twice(house: Household) -> None:
    content = b'{"traceSchema":"openclaw-trajectory","n":1}\n' * 50
    house.write(f"{session_id(1)}.trajectory.jsonl", content)
    mirrored(house)
    moved = house.import_archive() / f"agent_main_main.{session_id(1)}.trajectory.jsonl.imported-1794802732071"
    house.path(f"{session_id(1)}.trajectory.jsonl").rename(moved)
    mirrored(house)
    row = only_transcript(house.ledger_path)
    assert (row.kind, row.state, row.path) == ("trajectory", "archived", str(moved))


def test_temporary_lock_and_index_files_are_no_transcripts(house: Household) -> None:
    house.write(NAME, transcript(1, 2))
    for name in (
        "sessions.json",
        "sessions.json.lock",
        f"sessions.json.{UUID}.tmp",
        "sessions.json.bak.1794802732071",
        f".{NAME}.4711.{UUID}.tmp",
        f"{NAME}.repair-4711-1794802732071.tmp",
        f"{NAME}.compact.{UUID}.tmp",
        f"{session_id(1)}.trajectory-path.json",
        ".usage-cost-cache.json",
        "notes.txt",
    ):
        house.write(name, header(7) + message(1))
    mirrored(house)
    assert only_transcript(house.ledger_path).session_id == session_id(1)


def test_a_copy_that_is_still_written_while_it_is_read_has_no_hash_of_bytes_that_were_not_read(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As OpenClaw's repair makes one, which is there for a moment only."""
    name = f"{NAME}.bak-31223-1794802934685"
    house.write(name, b"")
    usual = recognition.sha256_of

    def written_meanwhile(source: BinaryIO) -> str:
        monkeypatch.setattr(reading, "sha256_of", usual)
        house.append(name, transcript(1, 4))
        found = usual(source)
        house.path(name).unlink()
        return found

    monkeypatch.setattr(reading, "sha256_of", written_meanwhile)
    house.catch_up_in_real_time()
    with open_for_reading(house.ledger_path) as ledger:
        assert check(ledger, is_quick=False).findings == []
