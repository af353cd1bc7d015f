"""The session ids that a key stood for: which, from when to when, and what ended each."""

import pytest

from tests.mirror.household import RESET_TIME, header, message, name_of, session_id
from tests.mirror.indexed import MAIN, NOW, TELEGRAM, Indexed, entry

DAY = 86_400_000


def test_a_reset_of_2026_5_7_keeps_the_path_and_changes_the_id(index: Indexed) -> None:
    """Index first, then the rename, then a header-only file under the old path."""
    path = index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1, sessionFile=str(path), sessionStartedAt=NOW)})
    index.settle()
    index.take_transcripts()
    index.write({MAIN: entry(2, updated_at=NOW + 60_000, sessionFile=str(path), sessionStartedAt=NOW + 60_000)})
    index.look()
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    index.house.write(name_of(1), header(2))
    index.take_transcripts()
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "reset", (MAIN, session_id(2)): None}
    assert index.sessions()[MAIN]["session_id"] == session_id(2)
    assert [kind for kind, _ in index.events() if kind.startswith("session")] == ["session_id_change"]


def test_a_reset_of_2026_7_1_comes_with_a_new_file_first(index: Indexed) -> None:
    """Index, then a header-only file under the new name, then the rename; the index is read after all of it."""
    old = index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1, sessionFile=str(old))})
    index.settle()
    index.take_transcripts()
    new = index.house.write(name_of(2), header(2, timestamp="2027-01-01T00:00:00.000Z"))
    index.write({MAIN: entry(2, updated_at=NOW + 60_000, sessionFile=str(new))})
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    index.take_transcripts()
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "reset", (MAIN, session_id(2)): None}


@pytest.mark.parametrize("seen_first", ["index", "archive"])
@pytest.mark.parametrize("is_transcript_known", [True, False])
def test_a_reset_is_a_reset_whichever_is_seen_first(index: Indexed, seen_first: str, is_transcript_known: bool) -> None:
    """With the index alone, and a header older than the pairing, it looks as if an older session came back."""
    index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1)})
    index.settle()
    if is_transcript_known:
        index.take_transcripts()
    new = index.house.write(name_of(2), header(2, timestamp="2025-01-01T00:00:00.000Z"))
    index.write({MAIN: entry(2, updated_at=NOW + 60_000, sessionFile=str(new))})
    if seen_first == "index":
        index.settle()
        assert index.pairings()[MAIN, session_id(1)] == "switch"
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    index.take_transcripts()
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "reset", (MAIN, session_id(2)): None}


def test_the_archive_of_a_session_says_nothing_of_pairings_before_its_last(index: Indexed) -> None:
    index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1), TELEGRAM: entry(3)})
    index.settle()
    index.write({MAIN: {"sessionId": "my-notes", "updatedAt": NOW + 5}, TELEGRAM: entry(1, updated_at=NOW + 5)})
    index.settle()
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    index.take_transcripts()  # of TELEGRAM's session, whose change is still to be read
    index.write({MAIN: {"sessionId": "my-notes", "updatedAt": NOW + 5}, TELEGRAM: entry(4, updated_at=NOW + 9)})
    index.settle()
    found = index.pairings()
    assert (found[MAIN, session_id(1)], found[TELEGRAM, session_id(1)]) == ("switch", "reset")


def test_a_reset_ends_nothing_of_another_agent_whose_session_has_the_same_id(index: Indexed) -> None:
    """As the command line's --session-id may give it."""
    other, theirs = "agent:ops:main", index.path("ops")
    index.house.write(name_of(1), header(1) + message(1))
    index.take_transcripts()
    index.write({MAIN: entry(1)})
    index.write({other: entry(1)}, theirs)
    index.settle()
    index.write({MAIN: {"sessionId": "named", "updatedAt": NOW + 60_000}})
    index.settle()
    index.clock.sleep(60)
    index.write({other: entry(1, updated_at=NOW + 60_000)}, theirs)
    index.settle()
    index.write({other: {"sessionId": "by-hand", "updatedAt": NOW + 120_000}}, theirs)
    index.settle()
    index.house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    index.take_transcripts()
    assert index.pairings() == {
        (MAIN, session_id(1)): "reset", (MAIN, "named"): None,
        (other, session_id(1)): "switch", (other, "by-hand"): None,
    }  # fmt: skip


def test_a_new_id_the_next_morning_is_a_rollover(index: Indexed) -> None:
    index.write({MAIN: entry(1, lastInteractionAt=NOW)})
    index.settle()
    index.write({MAIN: entry(2, updated_at=NOW + 2 * DAY, sessionStartedAt=NOW + 2 * DAY)})
    index.settle()
    assert index.pairings()[MAIN, session_id(1)] == "rollover"


def test_a_successor_file_means_compaction_and_is_seen_before_the_ledger_has_it(index: Indexed) -> None:
    old = index.house.write(name_of(1), header(1) + message(1))
    index.write({MAIN: entry(1, sessionFile=str(old))})
    index.settle()
    name = f"2026-11-16T04-22-14-637Z_{session_id(2)}.jsonl"
    new = index.house.write(name, header(2, parentSession=str(old)) + message(1))
    index.write({MAIN: entry(2, updated_at=NOW + 5, sessionFile=str(new))})
    index.settle()
    assert index.pairings()[MAIN, session_id(1)] == "compaction"


def test_a_restored_checkpoint_is_a_rewind(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    checkpoint = index.house.sessions() / f"{session_id(1)}.checkpoint.{session_id(9)}.jsonl"
    new = index.house.write(f"2026-11-16T04-22-14-637Z_{session_id(2)}.jsonl", header(2, parentSession=str(checkpoint)))
    index.write({MAIN: entry(2, updated_at=NOW + 5, sessionFile=str(new))})
    index.settle()
    assert index.pairings()[MAIN, session_id(1)] == "rewind"


def test_an_id_that_was_there_before_is_a_switch_and_its_pairing_is_true_again(index: Indexed) -> None:
    for number in (1, 2, 1):
        index.write({MAIN: entry(number, updated_at=NOW + number)})
        index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): None, (MAIN, session_id(2)): "switch"}


def test_the_command_lines_own_session_id_is_a_switch(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.write({MAIN: {"sessionId": "my-notes", "updatedAt": NOW + 5}})
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "switch", (MAIN, "my-notes"): None}


def test_a_pairing_remembers_when_it_was_first_and_last_seen(index: Indexed) -> None:
    index.write({MAIN: entry(1)})
    index.settle()
    index.clock.sleep(100)
    index.look()
    seen = index.clock.now_ms()
    index.clock.sleep(100)
    index.write({MAIN: entry(2, updated_at=NOW + 5)})
    index.settle()
    [(first, last)] = index.rows(
        "SELECT first_seen_at, last_seen_at FROM session_ids WHERE session_id = ?", session_id(1)
    )
    assert seen - 102_000 < first < seen - 98_000
    assert seen - 2000 < last < seen + 2000


def test_two_keys_may_stand_for_one_session(index: Indexed) -> None:
    index.write({MAIN: entry(1), "agent:main:explicit:x": entry(1)})
    index.settle()
    index.write({MAIN: entry(1)})
    index.confirm()
    assert index.pairings() == {(MAIN, session_id(1)): None, ("agent:main:explicit:x", session_id(1)): "deleted"}
