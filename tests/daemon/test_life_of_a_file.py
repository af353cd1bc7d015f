"""What happens to transcripts while the daemon follows them: right rows, no spurious generation, no duplicate.

Rescans are far away in these tests: what is found is found by events, by looks at active files and by retries.
"""

import os
import threading
from pathlib import Path

import pytest

from tests.daemon.live import NEVER_SECONDS, Live, catch_up_options, following, wait_for
from tests.mirror.household import (
    RESET_TIME,
    Household,
    compressed,
    dead_pid,
    header,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    assert_untouched,
    events,
    exported,
    generations,
    quarantined,
    query,
    snapshot,
    transcript_at,
    transcripts,
)

NAME = name_of(1)


def _facts(house: Household) -> list[tuple[object, ...]]:
    """Everything that a rewrite to the same bytes must leave alone."""
    return [
        *query(house.ledger_path, "SELECT * FROM transcripts"),
        *query(house.ledger_path, "SELECT * FROM entries"),
        *query(house.ledger_path, "SELECT * FROM sync_events"),
        *query(house.ledger_path, "SELECT * FROM _blocks"),
    ]


def _is_looked_at_again(live: Live) -> None:
    """The latest stat of the file is what the ledger knows it by."""

    def is_known() -> bool:
        found = query(live.house.ledger_path, "SELECT ctime_ns FROM _files")
        return found == [(live.house.path(NAME).stat().st_ctime_ns,)]

    wait_for(is_known)


def test_an_append_is_taken_in_without_a_rescan(house: Household) -> None:
    with following(house) as live:
        house.append(NAME, messages(6, 7))
        assert live.has_lines(NAME, 8).generation == 1
        assert live.loop.followers[0].figures.rescans == 1  # the one at the start
    assert events(house.ledger_path) == []


def test_many_appends_to_many_files_come_each_once(house: Household) -> None:
    with following(house) as live:
        for entry in range(1, 41):
            for number in range(2, 8):
                more = header(number) + message(1) if entry == 1 else message(entry)
                house.append(name_of(number), more)
        for number in range(2, 8):
            live.has_lines(name_of(number), 41)
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}
    assert len(transcripts(house.ledger_path)) == 7


def test_a_torn_last_line_waits_for_its_newline(house: Household) -> None:
    with following(house) as live:
        house.append(NAME, message(6)[:40])
        wait_for(lambda: live.row(NAME).tail_bytes == 40)
        assert live.row(NAME).lines == 6
        house.append(NAME, message(6)[40:])
        assert live.has_lines(NAME, 7).tail_bytes == 0
    assert quarantined(house.ledger_path) == []


def test_a_torn_line_rewritten_as_shorter_lines_is_split_where_the_file_is(house: Household) -> None:
    """What was scanned for a newline may have been rewritten since: the new newline stands inside it."""
    house.append(NAME, b"x" * 5000)
    with following(house) as live:
        house.write(NAME, transcript(1, 5) + messages(6, 40))
        live.has_lines(NAME, 41)
    assert quarantined(house.ledger_path) == []


def test_a_new_session_file_is_found(house: Household) -> None:
    with following(house) as live:
        house.write(name_of(2), transcript(2, 3))
        live.has_lines(name_of(2), 4)


def test_a_new_agent_with_files_at_once_is_found_and_followed(house: Household) -> None:
    with following(house) as live:
        for number in range(2, 6):
            (house.sessions("ops") / name_of(number)).write_bytes(transcript(number, 2))
        for number in range(2, 6):
            live.has_lines(name_of(number), 3)
        with (house.sessions("ops") / name_of(3)).open("ab") as file:
            file.write(message(3))
        live.has_lines(name_of(3), 4)


def test_an_agent_directory_moved_into_place_is_found(house: Household, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "sessions"
    elsewhere.mkdir(parents=True)
    (elsewhere / name_of(9)).write_bytes(transcript(9, 2))
    with following(house) as live:
        elsewhere.parent.rename(house.state_dir / "agents" / "moved")
        live.has_lines(name_of(9), 3)
        with (house.sessions("moved") / name_of(9)).open("ab") as file:
            file.write(message(3))
        live.has_lines(name_of(9), 4)


def test_the_rewrite_at_the_end_of_a_turn_touches_no_row(house: Household) -> None:
    """2026.7.1: O_TRUNC and the same bytes again, under the same inode, seen at size 0 in between."""
    with following(house, options=catch_up_options(settle_seconds=NEVER_SECONDS)) as live:
        before = _facts(house)
        for pause in (0.0, 0.03, 0.1):
            content = house.path(NAME).read_bytes()
            with house.path(NAME).open("wb", buffering=0) as file:
                threading.Event().wait(pause)
                half = len(content) // 2
                file.write(content[:half])
                threading.Event().wait(pause)
                file.write(content[half:])
            _is_looked_at_again(live)
        assert _facts(house) == before
        house.append(NAME, message(6))
        assert live.has_lines(NAME, 7).generation == 1


def test_a_header_only_file_emptied_for_a_whole_model_call_is_not_believed_under_its_lock(house: Household) -> None:
    """FORMAT 12.5: after a reset the file is truncated at the start of a run and stays empty until the first answer."""
    house.write(NAME, header(1))
    with following(house) as live:
        before = _facts(house)
        lock = house.lock(NAME, os.getpid())
        house.truncate(NAME, 0)
        wait_for(lambda: NAME in str(live.loop.followers[0].deferred))
        wait_for(lambda: "locked" in live.loop.followers[0].deferred.values())
        assert _facts(house) == before
        house.write(NAME, transcript(1, 2))
        assert live.has_lines(NAME, 3).generation == 1
        lock.unlink()
    assert events(house.ledger_path) == []


def test_a_shrink_waits_for_the_lock_and_is_believed_when_the_lock_goes(house: Household) -> None:
    with following(house) as live:
        lock = house.lock(NAME, os.getpid())
        house.truncate(NAME, len(transcript(1, 2)))
        wait_for(lambda: "locked" in live.loop.followers[0].deferred.values())
        assert live.row(NAME).lines == 6
        lock.unlink()
        assert live.has_lines(NAME, 3).generation == 2
    assert events(house.ledger_path) == ["truncation"]


def test_a_shrink_under_a_dead_lock_is_believed(house: Household) -> None:
    house.lock(NAME, dead_pid())
    with following(house) as live:
        house.truncate(NAME, len(transcript(1, 2)))
        assert live.has_lines(NAME, 3).generation == 2


def test_a_reset_that_reuses_the_path_makes_another_transcript(house: Household) -> None:
    """2026.5.7: rename to .reset., then a new header-only file under the same path."""
    archive = f"{NAME}.reset.{RESET_TIME}"
    with following(house) as live:
        house.append(NAME, message(6))
        house.rename(NAME, archive)
        house.write(NAME, header(2))
        live.level()
        house.append(NAME, messages(1, 3))
        live.has_lines(NAME, 4)
    old, new = transcript_at(house.ledger_path, archive), transcript_at(house.ledger_path, NAME)
    assert (old.session_id, old.state, old.lines, old.generation) == (session_id(1), "archived", 7, 1)
    assert (new.session_id, new.state, new.generation) == (session_id(2), "live", 1)
    assert len(transcripts(house.ledger_path)) == 2


def test_two_resets_of_one_path_leave_two_archives(house: Household) -> None:
    with following(house) as live:
        for number in (2, 3):
            house.rename(NAME, f"{NAME}.reset.2026-11-16T04-22-1{number}.522Z")
            house.write(NAME, transcript(number, number))
            live.level()
    found = sorted((row.session_id, row.state, row.generation) for row in transcripts(house.ledger_path))
    states = ["archived", "archived", "live"]
    assert found == [(session_id(number), state, 1) for number, state in zip((1, 2, 3), states, strict=True)]


def test_a_reset_that_creates_before_it_renames_leaves_one_archive(house: Household) -> None:
    """2026.7.1: index, new header-only file, then the old one renamed."""
    archive = f"{NAME}.reset.{RESET_TIME}"
    with following(house) as live:
        house.write(name_of(2), header(2))
        house.rename(NAME, archive)
        wait_for(lambda: {row.name for row in transcripts(house.ledger_path)} == {archive, name_of(2)})
        live.level()
    assert transcript_at(house.ledger_path, archive).state == "archived"
    assert events(house.ledger_path) == ["archive_rename"]


def test_neighbours_of_a_session_that_is_archived_are_no_archives_of_it(house: Household) -> None:
    """They bear its name, and stay when it is renamed: a pointer to its trajectory, its lock, a repair's scratch."""
    stem = NAME.removesuffix(".jsonl")
    archive = f"{NAME}.reset.{RESET_TIME}"
    scratch = (f"{NAME}.repair-12-1794802934685.tmp", f".{NAME}.12.{session_id(3)}.tmp")
    with following(house) as live:
        for name in (f"{stem}.trajectory-path.json", *scratch):
            house.write(name, b'{"sessionId": "x"}')
        house.lock(NAME, os.getpid())
        house.rename(NAME, archive)
        wait_for(lambda: live.row(archive).state == "archived")
    assert [row.kind for row in transcripts(house.ledger_path)] == ["reset"]


@pytest.mark.parametrize("kind", ["reset", "deleted"])
def test_an_archive_rename_with_an_unread_tail_goes_on_with_its_transcript(house: Household, kind: str) -> None:
    archive = f"{NAME}.{kind}.{RESET_TIME}"
    house.append(NAME, message(6)[:30])
    with following(house) as live:
        house.append(NAME, message(6)[30:] + message(7)[:-1])  # an unfinished last line, as a crash leaves it
        house.rename(NAME, archive)
        wait_for(lambda: transcript_at(house.ledger_path, archive).lines == 8)
        live.level()
    (row,) = transcripts(house.ledger_path)
    assert (row.state, row.generation, row.tail_bytes) == ("archived", 1, 0)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 7)[:-1]
    assert events(house.ledger_path) == ["archive_rename"]


def test_a_compressed_archive_takes_the_place_of_a_deleted_file(house: Household) -> None:
    with following(house) as live:
        house.path(NAME).unlink()
        house.write(f"{NAME}.deleted.{RESET_TIME}.zst", compressed(transcript(1, 5)))
        live.level()
        wait_for(lambda: [row.state for row in transcripts(house.ledger_path)] == ["archived"])
    assert [row.generation for row in transcripts(house.ledger_path)] == [1]


def test_compaction_by_rename_to_the_same_bytes_and_more_is_no_rewrite(house: Household) -> None:
    """2026.5.7: checkpoint copy, compaction appended, then the file replaced by a temporary one."""
    checkpoint = f"{session_id(1)}.checkpoint.11546cb9-b0a8-4517-95a1-4efe05f46fd5.jsonl"
    with following(house) as live:
        house.write(checkpoint, b"")
        house.write(checkpoint, transcript(1, 5))
        house.append(NAME, message(6))
        house.replace(NAME, transcript(1, 6))
        house.append(NAME, message(7))
        assert live.has_lines(NAME, 8).generation == 1
        live.level()
    copy = transcript_at(house.ledger_path, checkpoint)
    wait_for(lambda: copy.kind == "checkpoint" and copy.lines == 6)


def test_a_repair_by_rename_makes_one_generation(house: Household) -> None:
    """FORMAT 12.8: the same entry id with other content, under a new inode; judged at once, lock or no lock."""
    repaired = header(1) + messages(1, 2) + message(3, "[assistant turn failed]") + messages(4, 5)
    with following(house) as live:
        house.lock(NAME, os.getpid())
        house.replace(NAME, repaired)
        wait_for(lambda: live.row(NAME).generation == 2)
        live.level()
    row = transcript_at(house.ledger_path, NAME)
    assert generations(house.ledger_path, row) == [transcript(1, 5), repaired]
    assert events(house.ledger_path) == ["rewrite"]


def test_a_truncation_at_rest_supersedes_what_it_cut_off(house: Household) -> None:
    with following(house) as live:
        house.truncate(NAME, len(transcript(1, 2)) + 10)
        assert live.has_lines(NAME, 3).generation == 2
        house.append(NAME, b"\n")
        live.level()
    assert "truncation" in events(house.ledger_path)


def test_a_deleted_file_keeps_its_rows_and_is_gone(house: Household) -> None:
    house.append(NAME, message(6)[:-1])
    with following(house) as live:
        house.path(NAME).unlink()
        wait_for(lambda: live.row(NAME).state == "gone")
    row = transcript_at(house.ledger_path, NAME)
    assert (row.lines, row.tail_bytes, row.generation) == (7, 0, 1)
    assert events(house.ledger_path) == ["gone"]


def test_a_deleted_file_that_comes_back_at_once_was_never_gone(house: Household) -> None:
    with following(house, options=catch_up_options(settle_seconds=2.0)) as live:
        content = house.path(NAME).read_bytes()
        house.path(NAME).unlink()
        wait_for(lambda: live.loop.followers[0].deferred)
        house.write(NAME, content + message(6))
        live.has_lines(NAME, 7)
        wait_for(lambda: not live.loop.followers[0].deferred)
    assert (live.row(NAME).state, live.row(NAME).generation) == ("live", 1)
    assert events(house.ledger_path) == []


def test_another_session_at_a_path_takes_the_torn_line_of_the_former_along(house: Household) -> None:
    house.append(NAME, message(6)[:-1])
    with following(house, rescan_seconds=0.3) as live:
        house.recreate(NAME, transcript(2, 3))
        live.level()
        wait_for(lambda: transcripts(house.ledger_path, "session_id = ?", session_id(1))[0].tail_bytes == 0)
    (old,) = transcripts(house.ledger_path, "session_id = ?", session_id(1))
    assert (old.state, old.lines, old.generation) == ("gone", 7, 1)


def test_a_fork_and_a_successor_are_linked_to_their_parent(house: Household) -> None:
    parent = str(house.path(NAME))
    with following(house) as live:
        house.write(f"2026-11-16T04-22-14-584Z_{session_id(2)}.jsonl", header(2, parentSession=parent) + messages(1, 4))
        house.write(name_of(3), header(3, parentSession=parent) + messages(3, 5) + message(9))
        wait_for(lambda: len(transcripts(house.ledger_path)) == 3)
        live.level()
        wait_for(lambda: len(transcripts(house.ledger_path, "parent_transcript_id IS NOT NULL")) == 2)
    root = transcript_at(house.ledger_path, NAME)
    assert {row.parent_transcript_id for row in transcripts(house.ledger_path, "id != ?", root.id)} == {root.id}


def test_c4_an_edit_in_the_middle_hidden_by_an_append_is_found_by_the_proof(house: Household) -> None:
    """C4: the growth alone tells nothing of it; only the proving pass does."""
    house.write(NAME, transcript(1, 60))
    at = house.path(NAME).read_bytes().index(b"number 30")
    with following(house, rescan_seconds=0.3) as live:
        house.put(NAME, b"NUMBER 30", at)
        house.append(NAME, message(61))
        wait_for(lambda: live.row(NAME).generation == 2)
        live.level()
    assert events(house.ledger_path) == ["rewrite"]


def test_neighbour_files_and_directories_change_nothing(house: Household) -> None:
    with following(house) as live:
        for name in ("skills-prompts.txt", f"{NAME}.bak.tmp", f".{NAME}.123.{session_id(1)}.tmp", "notes.md"):
            house.write(name, b"not a transcript")
        (house.sessions() / "skills-prompts").mkdir()
        (house.state_dir / "credentials").mkdir()
        (house.state_dir / "credentials" / "token.json").write_text("{}")
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
    assert len(transcripts(house.ledger_path)) == 1


def test_nothing_below_the_state_dir_changes_but_what_openclaw_writes(house: Household) -> None:
    house.lock(NAME, os.getpid())
    (house.sessions() / "sessions.json").write_text("{}")
    with following(house, rescan_seconds=0.2) as live:
        house.append(NAME, message(6))
        house.write(name_of(2), transcript(2, 3))
        before = snapshot(house.state_dir)
        live.level()
        rescans = live.loop.followers[0].figures.rescans
        wait_for(lambda: live.loop.followers[0].figures.rescans > rescans + 2)
    assert_untouched(house.state_dir, before)
