"""A session as it lives: created, active, idle, archived, by its index entry and by its transcript."""

from syncd.mirror.index_look import IndexOptions
from tests.mirror.household import header, message, name_of
from tests.mirror.indexed import MAIN, TELEGRAM, Indexed, entry


def test_a_session_is_created_then_active_then_idle_and_archived_when_openclaw_says_so(index: Indexed) -> None:
    now = index.clock.now_ms()
    index.write({MAIN: entry(1, updated_at=now), TELEGRAM: entry(2, updated_at=now, outputTokens=5)})
    index.settle()
    assert [index.sessions()[key]["lifecycle"] for key in (MAIN, TELEGRAM)] == ["created", "active"]
    index.house.write(name_of(1), header(1) + message(1))
    index.writer.flush()
    index.ledger.run("UPDATE sessions SET title = title")  # nothing of the index changes
    index.clock.sleep(61)
    index.house.path("sessions.json").touch()
    index.take_transcripts()
    index.look()
    assert index.sessions()[MAIN]["lifecycle"] == "active"
    index.clock.sleep(24 * 3600)
    index.look()
    assert {row["lifecycle"] for row in index.sessions().values()} == {"idle"}
    index.write({MAIN: entry(1, updated_at=now, archivedAt=now), TELEGRAM: entry(2, updated_at=now, outputTokens=5)})
    index.settle()
    assert index.sessions()[MAIN]["lifecycle"] == "archived"


def test_idle_counts_from_the_last_interaction_not_from_the_last_write(index: Indexed) -> None:
    now = index.clock.now_ms()
    index.options = IndexOptions(index.options.environ, idle_seconds=3600)
    index.write({MAIN: entry(1, updated_at=now, lastInteractionAt=now - 3_600_001, totalTokens=1)})
    index.settle()
    assert index.sessions()[MAIN]["lifecycle"] == "idle"


def test_a_session_is_archived_with_its_transcript_and_comes_back_with_it(index: Indexed) -> None:
    now = index.clock.now_ms()
    index.house.write(name_of(1), header(1) + message(1))
    index.take_transcripts()
    index.write({MAIN: entry(1, updated_at=now)})
    index.settle()
    assert index.sessions()[MAIN]["lifecycle"] == "active"
    archive = f"{name_of(1)}.deleted.2026-11-16T04-22-14.522Z"
    index.house.rename(name_of(1), archive)
    index.take_transcripts()
    index.clock.sleep(61)
    index.look()
    assert index.sessions()[MAIN]["lifecycle"] == "archived"
    index.house.rename(archive, name_of(1))
    index.take_transcripts()
    index.clock.sleep(61)
    index.look()
    assert index.sessions()[MAIN]["lifecycle"] == "active"


def test_a_reset_begins_a_new_life(index: Indexed) -> None:
    now = index.clock.now_ms()
    index.house.write(name_of(1), header(1) + message(1))
    index.take_transcripts()
    index.write({MAIN: entry(1, updated_at=now)})
    index.settle()
    index.house.rename(name_of(1), f"{name_of(1)}.reset.2026-11-16T04-22-14.522Z")
    index.take_transcripts()
    index.write({MAIN: entry(2, updated_at=now)})
    index.settle()
    assert index.sessions()[MAIN]["lifecycle"] == "created"
