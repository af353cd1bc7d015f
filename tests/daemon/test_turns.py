"""Turns as genuine releases run them (FORMAT 12), followed live: index, transcript and lock in OpenClaw's order."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.live import Live, following, wait_for
from tests.daemon.process import daemon, syncd
from tests.mirror.household import (
    RESET_TIME,
    Household,
    dead_pid,
    header,
    household,
    line,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror.indexed import MAIN, entry, index_text
from tests.mirror_checks import events, generations, query, transcript_at, transcripts

NAME = name_of(1)
NOW = 1_794_802_930_000


@pytest.fixture
def house(tmp_path: Path) -> Household:
    return household(tmp_path)


def write_index(house: Household, entries: dict[str, Any]) -> None:
    house.replace("sessions.json", index_text(entries))


@contextmanager
def turn(house: Household, name: str) -> Iterator[None]:
    """The transcript's write lock, held for as long as a turn lasts."""
    lock = house.lock(name, os.getpid())
    try:
        yield
    finally:
        lock.unlink()


def pairings(house: Household) -> list[tuple[str, str, str | None]]:
    rows = query(house.ledger_path, "SELECT session_key, session_id, ended_by FROM session_ids ORDER BY id")
    return [(key, sid, why) for key, sid, why in rows]


def session(house: Household, column: str) -> Any:
    ((found,),) = query(house.ledger_path, f"SELECT {column} FROM sessions WHERE session_key = ?", MAIN)
    return found


def seen(house: Household, at: int) -> None:
    wait_for(lambda: session(house, "updated_at") == at)


def test_nothing_is_on_disk_until_the_first_answer_then_header_and_backlog_at_once(house: Household) -> None:
    with following(house) as live:
        with turn(house, NAME):
            for step in range(4):  # four index writes; the last names the file
                write_index(house, {MAIN: entry(1, NOW + step, **({"sessionFile": NAME} if step == 3 else {}))})
            seen(house, NOW + 3)
            assert (session(house, "lifecycle"), transcripts(house.ledger_path)) == ("created", [])
            house.write(NAME, transcript(1, 2))
            live.has_lines(NAME, 3)
        write_index(house, {MAIN: entry(1, NOW + 9, sessionFile=NAME, totalTokens=150)})
        seen(house, NOW + 9)
        assert session(house, "lifecycle") != "created"
    assert events(house.ledger_path) == []
    assert transcript_at(house.ledger_path, NAME).generation == 1


def test_a_killed_first_call_leaves_an_entry_without_a_transcript_and_the_next_run_fills_it(house: Household) -> None:
    """FORMAT 12.6."""
    with following(house) as live:
        write_index(house, {MAIN: entry(1, NOW, status="running")})
        house.lock(NAME, dead_pid())
        seen(house, NOW)
        house.write(NAME, transcript(1, 2))
        live.has_lines(NAME, 3)
    assert events(house.ledger_path) == []


def test_a_failed_turn_is_edited_under_the_same_entry_id_and_both_forms_stay(house: Household) -> None:
    """FORMAT 12.8: at the next run's start the repair rewrites the empty answer, by rename."""

    def answer(content: list[Any]) -> bytes:
        said = {"role": "assistant", "content": content, "stopReason": "error", "timestamp": NOW}
        return line({"type": "message", "id": "0000000f", "parentId": "00000002", "message": said})

    failed = transcript(1, 2) + answer([])
    mended = transcript(1, 2) + answer([{"type": "text", "text": "[assistant turn failed before producing content]"}])
    house.write(NAME, failed)
    with following(house) as live, turn(house, NAME):
        house.write(f"{NAME}.bak-31223-1794802934685", failed)
        house.replace(NAME, mended)
        wait_for(lambda: live.row(NAME).generation == 2)
        house.append(NAME, messages(16, 17))
        live.has_lines(NAME, 6)
    row = transcript_at(house.ledger_path, NAME)
    assert generations(house.ledger_path, row) == [failed, mended + messages(16, 17)]
    forms = """SELECT generation, superseded_in, text FROM entries JOIN messages USING (id)
        WHERE entries.transcript_id = ? AND entry_id = '0000000f' ORDER BY entries.id"""
    text = "[assistant turn failed before producing content]"
    assert [(g, s, t or "") for g, s, t in query(house.ledger_path, forms, row.id)] == [(1, 2, ""), (2, None, text)]
    assert events(house.ledger_path).count("rewrite") == 1


@pytest.mark.parametrize("mode", ["auto", "poll"])
def test_a_reset_of_2026_5_7_goes_index_then_rename_then_create_then_emptied_then_first_answer(
    house: Household, mode: str
) -> None:
    """FORMAT 12.3 to 12.5, in one: the path stays, the session is another."""
    archive = f"{NAME}.reset.{RESET_TIME}"
    house.write(NAME, transcript(1, 4))
    write_index(house, {MAIN: entry(1, NOW, sessionFile=NAME)})
    with following(house, mode=mode) as live:
        house.append(NAME, message(5))  # perhaps unread when it is renamed
        write_index(house, {MAIN: entry(2, NOW + 1, sessionFile=NAME)})
        house.rename(NAME, archive)
        house.write(NAME, header(2))
        seen(house, NOW + 1)
        wait_for(lambda: {row.name for row in transcripts(house.ledger_path)} == {NAME, archive})
        with turn(house, NAME):
            house.truncate(NAME, 0)
            wait_for(lambda: "locked" in live.loop.followers[0].deferred.values())
            house.write(NAME, transcript(2, 3))
            live.has_lines(NAME, 4)
    old, new = transcript_at(house.ledger_path, archive), transcript_at(house.ledger_path, NAME)
    assert (old.session_id, old.lines, old.generation, old.state) == (session_id(1), 6, 1, "archived")
    assert (new.session_id, new.lines, new.generation, new.state) == (session_id(2), 4, 1, "live")
    assert pairings(house) == [(MAIN, session_id(1), "reset"), (MAIN, session_id(2), None)]
    told = sorted(events(house.ledger_path))
    if "displaced" in told:  # the path was looked at before the archive was
        told.remove("displaced")
    assert told == ["archive_rename", "session_id_change"]


def test_a_rotation_after_compaction_moves_the_session_to_its_successor(house: Household) -> None:
    successor = "2026-11-16T04-22-14-637Z_" + name_of(2)
    kept = {"firstKeptEntryId": "00000003"}
    compaction = line({"type": "compaction", "id": "0000000c", "parentId": "00000004", "summary": "## Goal", **kept})
    house.write(NAME, transcript(1, 4))
    write_index(house, {MAIN: entry(1, NOW, sessionFile=NAME)})
    with following(house) as live:
        house.append(NAME, compaction)
        inherited = messages(3, 4) + compaction
        house.replace(successor, header(2, parentSession=str(house.path(NAME))) + inherited)
        write_index(house, {MAIN: entry(2, NOW + 1, sessionFile=str(house.path(successor)))})
        seen(house, NOW + 1)
        house.append(successor, message(5))
        live.has_lines(successor, 5)
        live.has_lines(NAME, 6)
    old, new = transcript_at(house.ledger_path, NAME), transcript_at(house.ledger_path, successor)
    assert (new.kind, new.parent_transcript_id, old.state, old.generation) == ("successor", old.id, "live", 1)
    assert pairings(house) == [(MAIN, session_id(1), "compaction"), (MAIN, session_id(2), None)]
    assert events(house.ledger_path) == ["session_id_change"]


def test_a_key_folded_to_lower_case_while_we_follow_keeps_its_session(house: Household) -> None:
    mixed, folded = "agent:main:Signal:Direct:ABC", "agent:main:signal:direct:abc"
    write_index(house, {mixed: entry(1, NOW), MAIN: entry(2, NOW)})
    with following(house, confirm_removal_seconds=0.2):
        ((before,),) = query(house.ledger_path, "SELECT id FROM sessions WHERE session_key = ?", mixed)
        write_index(house, {folded: entry(1, NOW + 1), MAIN: entry(2, NOW)})
        wait_for(lambda: query(house.ledger_path, "SELECT id FROM sessions WHERE session_key = ?", folded))
    rows = query(house.ledger_path, "SELECT id, status FROM sessions WHERE session_key IN (?, ?)", mixed, folded)
    assert rows == [(before, "live")]
    assert (folded, session_id(1), None) in pairings(house)
    assert (mixed, session_id(1), "migrated") in pairings(house)
    assert events(house.ledger_path) == ["session_renamed"]


def test_a_session_deleted_by_openclaw_is_a_tombstone_once_confirmed(house: Household) -> None:
    house.write(NAME, transcript(1, 2))
    write_index(house, {MAIN: entry(1, NOW), "agent:main:direct:x": entry(2, NOW)})
    with following(house, confirm_removal_seconds=0.5):
        write_index(house, {"agent:main:direct:x": entry(2, NOW)})
        house.rename(NAME, f"{NAME}.deleted.{RESET_TIME}")
        wait_for(lambda: session(house, "status") == "removed")
    assert session(house, "removed_at") is not None
    assert pairings(house)[0] == (MAIN, session_id(1), "deleted")
    assert json.loads(session(house, "entry_json")) == entry(1, NOW)
    assert sorted(events(house.ledger_path)) == ["archive_rename", "removal"]


def locks_shown(house: Household) -> dict[str, tuple[str, bool, str]]:
    _, told = syncd(house, "status")
    return {Path(each["path"]).name: (each["kind"], each["stale"], each["reason"]) for each in told["locks"]}


def test_status_shows_locks_of_both_kinds_and_which_are_stale(house: Household) -> None:
    house.write(NAME, transcript(1, 2))
    house.write(name_of(2), transcript(2, 2))
    with daemon(house) as running:
        running.is_following()
        house.lock(NAME, os.getpid())
        house.lock(name_of(2), dead_pid())
        house.write("sessions.json.lock", json.dumps({"pid": os.getpid(), "startedAt": NOW}).encode())
        assert locks_shown(house) == {
            f"{NAME}.lock": ("transcript", False, "live"),
            f"{name_of(2)}.lock": ("transcript", True, "dead_pid"),
            "sessions.json.lock": ("index", False, "live"),
        }
        code, told = syncd(house, "status")
        assert (code, {each["pid"] for each in told["locks"]} >= {os.getpid()}) == (0, True)
    assert all(house.path(name).exists() for name in (f"{NAME}.lock", f"{name_of(2)}.lock", "sessions.json.lock"))


def test_an_append_under_a_held_lock_is_read_at_once(house: Household) -> None:
    house.write(NAME, transcript(1, 2))
    with following(house) as live, turn(house, NAME):
        _appends_are_read(house, live)


def _appends_are_read(house: Household, live: Live) -> None:
    for number in range(3, 8):
        house.append(NAME, message(number))
        assert live.has_lines(NAME, number + 1).generation == 1
