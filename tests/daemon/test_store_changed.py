"""Events of OpenClaw's database that are others than they were, though its watermark tells of nothing but appends."""

from collections.abc import Callable

import pytest

from syncd.jobs import scrub
from syncd.ledger import transcripts
from syncd.ledger.writer import Writer
from tests.daemon.live import following, wait_for
from tests.jobs.at_work import done, tools_for
from tests.mirror.household import Household, header, message, session_id
from tests.mirror.test_store import caught_up, live, store_path
from tests.mirror_checks import assert_sound, query
from tests.openclaw_store import AgentStore

TWO = session_id(2)
LINES = [header(2), message(1, "first"), message(2, "second " * 300), message(3, "third"), message(4, "fourth")]
CHANGED = 2
"""The event's number; those before and behind it stay."""


def put(store: AgentStore, event: bytes, *, is_touched: bool) -> None:
    with store.connection:
        store.connection.execute(
            "UPDATE transcript_events SET event_json = ? WHERE session_id = ? AND seq = ?",
            (event.rstrip(b"\n").decode(), TWO, CHANGED),
        )
        if is_touched:
            store._touch(TWO, store._moment())


def cut_off(writer: Writer, transcript_id: int, offset: int) -> None:
    """All that the ledger has from there on is of the past, and nothing takes its place."""
    transcript = transcripts.load(writer.ledger, transcript_id)
    writer.supersede_from(transcript, offset)
    writer.no_more_at_hand(transcript)
    writer.flush()


def equals(house: Household, store: AgentStore) -> Callable[[], bool]:
    return lambda: live(house, TWO) == store.content(TWO)


@pytest.mark.parametrize("is_touched", [True, False])
@pytest.mark.parametrize("words", [500, 100])
def test_a_longer_or_shorter_one_in_its_place_is_a_generation_and_what_follows_is_read_where_it_is(
    house: Household, words: int, *, is_touched: bool
) -> None:
    with AgentStore(store_path(house)) as store:
        store.import_lines(TWO, b"".join(LINES))
        with following(house):
            store.append(TWO, message(5, "an append, so that the end is remembered"))
            wait_for(equals(house, store))
            put(store, message(2, "another " * words), is_touched=is_touched)
            if not is_touched:
                store.append(TWO, message(6, "what makes it look again"))
            wait_for(equals(house, store))
            store.append(TWO, message(7, "and on it goes"))
            wait_for(equals(house, store))
        assert query(house.ledger_path, "SELECT max(generation) FROM transcripts") == [(2,)]
        assert query(house.ledger_path, "SELECT count(*) FROM quarantine") == [(0,)]
        assert house.verify().differences == []
    assert_sound(house.ledger_path)


def test_the_scrub_finds_it_where_nothing_makes_anybody_look(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.import_lines(TWO, b"".join(LINES))
        caught_up(house)
        put(store, message(2, "second " * 500), is_touched=False)
        with tools_for(house) as tools:
            outcome, _ = done(scrub.run, tools)
        assert outcome.summary["changed"] == 1, outcome
        assert live(house, TWO) == store.content(TWO)


def test_the_scrub_finds_what_is_behind_though_it_was_called_proven(house: Household) -> None:
    """As a release before left it that lost its place in a session of this kind."""
    with AgentStore(store_path(house)) as store:
        store.import_lines(TWO, b"".join(LINES))
        caught_up(house)
        with tools_for(house) as tools:
            known = query(house.ledger_path, "SELECT * FROM _files")
            (transcript_id,) = query(house.ledger_path, "SELECT id FROM transcripts WHERE lines = 5")[0]
            cut_off(tools.writer, transcript_id, len(LINES[0]))
            assert query(house.ledger_path, "SELECT * FROM _files") == known
        with tools_for(house) as tools:
            done(scrub.run, tools)
        assert live(house, TWO) == store.content(TWO)
