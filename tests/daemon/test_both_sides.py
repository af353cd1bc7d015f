"""Any history of one agent on both sides, followed live and without a rescan: the ledger comes level all the same, with
nothing lost and every answer counted once; a catch-up afterwards has nothing to read.
"""

import os
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from syncd.daemon import follow
from syncd.sources import lines
from tests.daemon.live import Live, following, wait_for
from tests.examples import examples
from tests.mirror.both_sides import Act, Agent, histories
from tests.mirror.household import Household, message, name_of, session_id, transcript
from tests.mirror_checks import assert_sound, query, transcripts

_ANSWERS = "SELECT count(DISTINCT entry_id) FROM entries WHERE type = 'message'"
"""Not only those that were there at the end of an act: what comes and goes in between may be seen, too."""

TWO_SESSIONS_OF_ONE_ID = [("write", 1, True), ("begin_stored", 1, True)]
BEGUN_AND_DELETED_UNSEEN = [("write", 1, True), ("import_and_keep", 1, False), ("delete_into_archive", 1, True)]
GONE_AND_BACK_UNSEEN = [
    ("begin_stored", 1, True), ("write", 1, True), ("delete_into_archive", 1, False), ("import_and_keep", 1, True),
]  # fmt: skip
STALE_IN_ANOTHER_FILE = [("begin_stored", 1, True), ("write", 1, True), ("swap_database", 1, True)]
GONE_BESIDE_A_STALE_FILE = [
    ("begin_stored", 1, True), ("write", 1, True), ("replace_stored", 1, True), ("delete", 1, True),
]  # fmt: skip
BEGUN_ANEW_AND_REPLACED_BY_WHAT_IS_ARCHIVED = [
    ("write", 1, True), ("import_and_keep", 1, True), ("delete_into_archive", 1, True), ("begin_stored", 1, True),
    ("import_", 1, True),
]  # fmt: skip
ARCHIVED_AND_BEGUN_ANEW_AT_ONCE = [
    ("begin_stored", 2, True), ("delete_into_archive", 2, False), ("begin_stored", 2, True),
]  # fmt: skip


def play(acts: list[Act]) -> None:
    with tempfile.TemporaryDirectory() as place:
        agent = Agent(Path(place))
        try:
            with following(agent.house, is_level_after=False) as running:
                groups: list[list[Act]] = [[]]
                for act in acts:
                    groups[-1].append(act)
                    if act[2]:
                        groups.append([])
                for group in groups:
                    with running.standing_still():
                        for what, number, _ in group:
                            agent.act(what, number)
                        agent.remember()
                    wait_for(lambda: is_level(agent))
                wait_for(lambda: has_looked(running))
            assert agent.house.catch_up().lines == 0
            agent.assert_kept()
            assert_sound(agent.house.ledger_path)
        finally:
            agent.store.close()


def is_level(agent: Agent) -> bool:
    agent.assert_kept()
    return query(agent.house.ledger_path, _ANSWERS) == [(agent.answers_counted(),)]


def has_looked(running: Live) -> bool:
    """At all that a look made due elsewhere? A ledger that has noted one side as gone is level, with or without the
    other.
    """
    with running.standing_still():
        return not any(follower.deferred for follower in running.loop.followers)


def is_kept(agent: Agent) -> bool:
    agent.assert_kept()
    return True


@pytest.mark.parametrize(
    "acts",
    [
        TWO_SESSIONS_OF_ONE_ID, BEGUN_AND_DELETED_UNSEEN, GONE_AND_BACK_UNSEEN, STALE_IN_ANOTHER_FILE,
        GONE_BESIDE_A_STALE_FILE, BEGUN_ANEW_AND_REPLACED_BY_WHAT_IS_ARCHIVED, ARCHIVED_AND_BEGUN_ANEW_AT_ONCE,
    ],
)  # fmt: skip
def test_a_history_that_only_a_rescan_or_a_catch_up_once_put_right_is_followed(acts: list[Act]) -> None:
    play(acts)


MANY = 100


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "SLICE_BYTES", 4000)
    monkeypatch.setattr(lines, "CHUNK_BYTES", 1000)


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("is_database_newer", [True, False])
def test_two_sides_that_are_read_in_slices_do_not_rewrite_each_other(
    tmp_path: Path, *, is_database_newer: bool
) -> None:
    """Of a side that is read in part nobody knows how it goes on: it is weighed when it is read."""
    agent = Agent(tmp_path)
    agent.write(1)
    try:
        with following(agent.house, is_level_after=False) as running:
            with running.standing_still():
                agent.store.import_lines(session_id(1), agent.file(1))
                agent.house.append(name_of(1), b"".join(message(100 + each, "in the file") for each in range(MANY)))
                agent.store.set_clock(time.time_ns() // 1_000_000 + (60_000 if is_database_newer else -60_000))
                agent.store.append(session_id(1), *(message(500 + each, "in the database") for each in range(MANY)))
                agent.remember()
            wait_for(lambda: is_kept(agent))
            wait_for(lambda: has_looked(running))
        (row,) = transcripts(agent.house.ledger_path)
        assert row.generation <= 3
        assert agent.house.catch_up().lines == 0
        agent.assert_kept()
    finally:
        agent.store.close()


def test_nobody_waits_for_a_side_that_is_not_read_on(house: Household) -> None:
    """It cannot be looked at, is not followed any more, or nobody comes back to it."""
    house.write(name_of(1), transcript(1, 2))
    with following(house) as running:
        (follower,) = running.loop.followers
        ingest, path = follower._ingest, str(house.path(name_of(1)))
        with running.standing_still():
            ingest._under_way[path] = time.monotonic()
            assert ingest._is_under_way(path)
            ingest._under_way[path] = time.monotonic() - 60
            assert not ingest._is_under_way(path)
            ingest._under_way[path] = time.monotonic()
            ingest.lose_if_missing(path)
            assert not ingest._is_under_way(path)


@pytest.mark.usefixtures("small_slices")
def test_a_backlog_whose_last_slice_ends_where_the_file_does_is_none(house: Household) -> None:
    house.write(name_of(1), transcript(1, 1))
    with following(house) as running:
        (follower,) = running.loop.followers
        house.append(name_of(1), b"".join(message(100 + each, "x" * 900) for each in range(20)))
        running.level()
        wait_for(lambda: has_looked(running))
        assert not follower._ingest._backlogs


@pytest.mark.parametrize("is_live", [True, False])
def test_of_two_sides_that_differ_the_one_that_was_written_last_is_the_source(tmp_path: Path, *, is_live: bool) -> None:
    """And what the older one has is kept."""
    agent = Agent(tmp_path)
    agent.store.set_clock(time.time_ns() // 1_000_000)
    agent.begin_stored(1)
    agent.append_stored(1)

    def old_file() -> None:
        agent.write(1)
        os.utime(agent.house.path(name_of(1)), (1.7e9, 1.7e9))
        agent.remember()

    def is_source() -> bool:
        (row,) = transcripts(agent.house.ledger_path)
        return is_level(agent) and row.generation == 3 and row.path.startswith(str(agent.store.path))

    try:
        if is_live:
            with following(agent.house, is_level_after=False) as running:
                with running.standing_still():
                    old_file()
                wait_for(is_source)
        else:
            agent.house.catch_up()
            old_file()
            agent.house.catch_up()
        assert agent.house.catch_up().lines == 0
        assert is_source()
    finally:
        agent.store.close()


def test_a_path_that_waits_already_keeps_its_reason_when_another_makes_it_due(house: Household) -> None:
    house.write(name_of(1), transcript(1, 2))
    with following(house) as running:
        (follower,) = running.loop.followers
        path = str(house.path(name_of(1)))
        with running.standing_still():
            follower._put_off.wait(path, "locked", 3600.0)
            follower._ingest.due.append(path)
            follower._looks._put_off_due()
            assert (follower.deferred[path], follower._ingest.due) == ("locked", [])
            soon = follower._put_off.next_at()
            assert soon is not None
            assert soon <= time.monotonic()


@settings(max_examples=examples(6), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories(12))
def test_whatever_moves_between_files_and_database_is_followed_without_a_rescan(acts: list[Act]) -> None:
    play(acts)
