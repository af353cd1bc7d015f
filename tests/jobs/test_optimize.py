"""Optimize: the ledger's own upkeep, and nothing of what it holds changes by it."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from syncd.errors import SyncdError
from syncd.jobs import optimize
from syncd.ledger.database import open_for_reading
from syncd.mirror.catchup import Pace
from tests.jobs.at_work import done, tools_for
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, mirrored, query


@pytest.fixture
def house(tmp_path: Path) -> Household:
    """Many small catch-ups: each leaves a segment in the search index."""
    made = household(tmp_path)
    for number in range(1, 6):
        made.write(name_of(number), transcript(number, 5))
        made.catch_up()
    return made


def segments(house: Household) -> int:
    """Of the search index, by its own account of pages and segments."""
    return len(query(house.ledger_path, "SELECT DISTINCT segid FROM search_idx"))


def test_the_search_index_becomes_one_and_finds_what_it_found(house: Household) -> None:
    hits = "SELECT rowid FROM search WHERE search MATCH 'number' ORDER BY rowid"
    before = query(house.ledger_path, hits)
    assert segments(house) > 1
    with tools_for(house) as tools:
        outcome, _ = done(optimize.run, tools)
    assert outcome.ok
    assert segments(house) == 1
    assert query(house.ledger_path, hits) == before != []
    assert_mirrors(house)


def test_a_second_time_there_is_nothing_to_merge(house: Household) -> None:
    with tools_for(house) as tools:
        done(optimize.run, tools)
        outcome, _ = done(optimize.run, tools)
    assert outcome.summary["search_steps"] == 0


def test_the_log_is_emptied(house: Household) -> None:
    with tools_for(house) as tools:
        wal = f"{house.ledger_path}-wal"
        tools.writer.event("test", None)
        tools.writer.flush()
        assert os.stat(wal).st_size > 0
        outcome, _ = done(optimize.run, tools)
        assert (os.stat(wal).st_size, outcome.summary["wal_emptied"]) == (0, True)


def test_somebody_who_reads_keeps_the_log_and_is_no_failure(house: Household) -> None:
    with open_for_reading(house.ledger_path) as reader, tools_for(house) as tools:
        tools.ledger.connection.set_busy_timeout(50)
        reader.run("BEGIN")
        reader.row("SELECT count(*) FROM entries")
        outcome, _ = done(optimize.run, tools)
    assert (outcome.ok, outcome.summary["wal_emptied"]) == (True, False)


def test_free_pages_are_given_back_where_they_are_many(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimize, "WORTHWHILE_BYTES", 1024 * 1024)
    with tools_for(house) as tools:
        tools.ledger.run("CREATE TABLE _ballast (data BLOB)")
        for _ in range(40):
            tools.ledger.run("INSERT INTO _ballast VALUES (randomblob(200000))")
        tools.ledger.run("DROP TABLE _ballast")
        tools.ledger.run("PRAGMA wal_checkpoint(TRUNCATE)")
        before = house.ledger_path.stat().st_size
        outcome, _ = done(optimize.run, tools)
        assert tools.ledger.connection.pragma("temp_store") == 2  # in memory again
    assert outcome.summary["compacted"] is True
    assert house.ledger_path.stat().st_size < before / 2
    house.append(name_of(1), message(6))
    mirrored(house)


def test_a_stop_in_the_midst_of_giving_back_leaves_the_ledger_as_it_was(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopped(Pace):
        def within_file(self) -> None:
            raise SyncdError("syncd is stopping")

    monkeypatch.setattr(optimize, "STEPS_BETWEEN_LOOKS", 10)
    with tools_for(house) as tools:
        with pytest.raises(SyncdError, match="stopping"):
            optimize._compact(replace(tools, pace=Stopped(tools.clock)))
        assert tools.ledger.connection.pragma("temp_store") == 2
        assert not tools.ledger.connection.in_transaction
    assert_mirrors(house)


def test_few_free_pages_stay_for_the_next_lines(house: Household) -> None:
    with tools_for(house) as tools:
        outcome, _ = done(optimize.run, tools)
    assert outcome.summary["compacted"] is False
