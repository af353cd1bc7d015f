"""Events in a store that are not as OpenClaw writes them: told, and they hold up nothing but themselves."""

import pytest

from syncd.sources import store_sessions
from tests.mirror.household import Household, compressed, message, transcript
from tests.mirror.test_store import caught_up, live, store_path
from tests.mirror.test_store_faults import ONE, THREE, codes, house, same
from tests.mirror_checks import query, transcripts
from tests.openclaw_store import AgentStore

__all__ = ["house", "same"]

LONG = message(5, "packed " * 300)
UNKNOWN = bytes(len(LONG) - 1) + b"\n"


def spoil(store: AgentStore, seq: int) -> bytes:
    """Make a packed event one that does not decode; what it was before."""
    query = "SELECT event_zstd FROM transcript_events WHERE session_id = ? AND seq = ?"
    (good,) = next(iter(store.connection.execute(query, (ONE, seq))))
    put_packed(store, seq, good[:-6] + b"broken")
    return bytes(good)


def put_packed(store: AgentStore, seq: int, packed: bytes) -> None:
    query = "UPDATE transcript_events SET event_zstd = ? WHERE session_id = ? AND seq = ?"
    store.connection.execute(query, (packed, ONE, seq))


def test_an_event_that_does_not_decode_holds_up_nothing_but_itself(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(4))
        store.append(ONE, LONG, is_packed=True)
        store.append(ONE, message(6))
        store.import_lines(THREE, transcript(3, 2))
        good = spoil(store, 5)
        assert set(codes(house.catch_up())) == {"store_bad_event"}
        assert live(house, ONE) == transcript(1, 4) + UNKNOWN + message(6)
        assert live(house, THREE) == transcript(3, 2)
        assert query(house.ledger_path, "SELECT reason FROM quarantine") == [("nul",)]
        store.append(ONE, message(7))
        assert set(codes(house.catch_up())) == {"store_bad_event"}, "as long as it is so"
        assert live(house, ONE) == transcript(1, 4) + UNKNOWN + message(6) + message(7)
        (difference,) = house.verify().differences
        assert "does not decode" in difference.reason
        put_packed(store, 5, good)
        caught_up(house)
        assert live(house, ONE) == store.content(ONE)


def test_an_event_that_decodes_no_more_is_kept_as_it_was(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(4))
        store.append(ONE, LONG, is_packed=True)
        caught_up(house)
        good = spoil(store, 5)
        store.append(ONE, message(6))
        assert set(codes(house.catch_up())) == {"store_bad_event"}
        assert live(house, ONE) == transcript(1, 4) + LONG + message(6)
        put_packed(store, 5, good)
        caught_up(house)
    (row,) = transcripts(house.ledger_path, "session_id = ?", ONE)
    assert row.generation == 1


SKIPPED = b"\x50\x2a\x4d\x18\x04\x00\x00\x00none"
"""A frame that holds nothing of the content, as the format provides for."""


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("frames", [
    [compressed(LONG[:900]), compressed(LONG[900:-1])], [SKIPPED, compressed(LONG[:-1])],
    [compressed(LONG[:-1]), SKIPPED],
])  # fmt: skip
def test_an_event_of_several_frames_is_what_they_hold_together(
    house: Household, frames: list[bytes], *, is_cut: bool
) -> None:
    packed = b"".join(frames)
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(4))
        store.append(ONE, LONG, is_packed=True)
        put_packed(store, 5, packed[:-3] if is_cut else packed)
        if is_cut:
            assert set(codes(house.catch_up())) == {"store_bad_event"}
        else:
            caught_up(house)
            assert live(house, ONE) == transcript(1, 4) + LONG


def test_a_packed_event_of_another_length_than_it_says_is_not_believed(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(4, "packed " * 300), is_packed=True)
        store.append(ONE, message(5))
        store.connection.execute("UPDATE transcript_events SET event_utf8_bytes = 9 WHERE seq = 4")
        assert set(codes(house.catch_up())) == {"store_bad_event"}
        assert live(house, ONE) == transcript(1, 3) + bytes(9) + b"\n" + message(5)


@pytest.mark.parametrize(("column", "known"), [("event_zstd", len(LONG) - 1), ("event_utf8_bytes", 0)])
def test_an_event_that_lies_where_no_known_release_puts_it_is_told_and_the_others_are_mirrored(
    house: Household, column: str, known: int
) -> None:
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(4))
        store.append(ONE, LONG, is_packed=True)
        store.append(ONE, message(6))
        store.connection.execute(f"ALTER TABLE transcript_events RENAME COLUMN {column} TO elsewhere")
        store.connection.execute("PRAGMA user_version = 24")
        assert set(codes(house.catch_up())) == {"store_bad_event"}
        assert live(house, ONE) == transcript(1, 4) + bytes(known) + b"\n" + message(6)
        (difference,) = house.verify().differences
        assert "number 5" in difference.reason
        store.connection.execute(f"ALTER TABLE transcript_events RENAME COLUMN elsewhere TO {column}")
    store_sessions._measures.clear()  # another syncd, which knows where it lies
    caught_up(house)
    assert live(house, ONE) == transcript(1, 4) + LONG + message(6)


def test_what_stands_behind_a_length_that_cannot_be_is_waited_for(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(4, "packed " * 300), is_packed=True)
        store.append(ONE, message(5))
        store.connection.execute("PRAGMA ignore_check_constraints = ON")
        store.connection.execute("UPDATE transcript_events SET event_utf8_bytes = 1 << 40 WHERE seq = 4")
        assert set(codes(house.catch_up())) == {"store_bad_event"}
        assert live(house, ONE) == transcript(1, 3)
