"""A store that is damaged, replaced, closed to us, or has parts missing: it is said, others go on, nothing is lost."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from syncd.mirror.catchup import CatchUp
from syncd.sources import store_sessions
from syncd.sources.store_presence import store_presence
from tests.mirror.household import Household, household, message, session_id, transcript
from tests.mirror.same_household import SameHousehold
from tests.mirror.test_store import caught_up, live, store_path
from tests.mirror_checks import exported, query, transcripts
from tests.openclaw_store import RELEASES, AgentStore, OtherProcess
from tests.other_user import as_another_user, common_place, give_away

ONE, TWO, THREE = session_id(1), session_id(2), session_id(3)
COLD = "0a0000c0-0000-4000-8000-0000000000c0"


@pytest.fixture(scope="module")
def same(tmp_path_factory: pytest.TempPathFactory) -> SameHousehold:
    return SameHousehold(tmp_path_factory.mktemp("stores"), two_agents)


@pytest.fixture
def house(same: SameHousehold) -> Household:
    store_sessions._measures.clear()  # of the same place, in the test before
    return same.again()


def two_agents(house: Household) -> None:
    """With a session each, both mirrored; the store of `main` is what something happens to."""
    for agent, number in (("main", 1), ("ops", 2)):
        with AgentStore(store_path(house, agent)) as store:
            store.import_lines(session_id(number), transcript(number, 3))
    caught_up(house)


def codes(result: CatchUp) -> list[str]:
    return [item.code for item in result.problems]


def assert_others_go_on(house: Household, code: str) -> None:
    """What is wrong is told by this name; nothing of the store is taken for gone, and another agent's is read."""
    with AgentStore(store_path(house, "ops")) as store:
        store.append(TWO, message(4))
    result = house.catch_up()
    assert codes(result) == [code]
    assert result.problems[0].hint
    assert live(house, TWO) == transcript(2, 4)
    assert live(house, ONE) == transcript(1, 3)
    assert {row.state for row in transcripts(house.ledger_path)} == {"live"}


def test_a_log_without_its_shared_memory_is_waited_for(house: Household) -> None:
    with OtherProcess(store_path(house)) as store:
        store.do("append", ONE, message(4))
        store.kill()
    shared = Path(f"{store_path(house)}-shm")
    kept = shared.read_bytes()
    shared.unlink()
    assert_others_go_on(house, "store_without_shm")
    shared.write_bytes(kept)
    caught_up(house)
    assert live(house, ONE) == transcript(1, 4)


def test_a_damaged_store_keeps_what_was_read_of_it(house: Household) -> None:
    path = store_path(house)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert_others_go_on(house, "store_corrupt")
    path.write_bytes(b"no database")
    assert_others_go_on_again(house)
    path.write_bytes(whole)
    caught_up(house)


def assert_others_go_on_again(house: Household) -> None:
    assert codes(house.catch_up()) == ["store_corrupt"]


def test_a_link_in_place_of_a_store_is_refused_by_name_and_nothing_of_it_is_gone(
    house: Household, tmp_path: Path
) -> None:
    path, elsewhere = store_path(house), tmp_path / "elsewhere.sqlite"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert_others_go_on(house, "store_unreadable")
    assert "is a symlink" in house.catch_up().problems[0].reason
    assert [item.path for item in house.verify().differences] == [str(path)]
    elsewhere.rename(path)
    caught_up(house)


def test_a_link_to_another_agents_store_does_not_hide_it(house: Household) -> None:
    path = store_path(house, "aa")
    path.parent.mkdir(parents=True)
    path.symlink_to(store_path(house))
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(4))
    caught_up(house)
    assert live(house, ONE) == transcript(1, 4)


def test_a_store_in_the_middle_of_a_migration_is_no_store_without_sessions(house: Household) -> None:
    with apsw.Connection(str(store_path(house))) as connection:
        connection.execute("ALTER TABLE transcript_events RENAME TO transcript_events_old")
    connection.close()
    assert_others_go_on(house, "store_unknown")
    with apsw.Connection(str(store_path(house))) as connection:
        connection.execute("ALTER TABLE transcript_events_old RENAME TO transcript_events")
    connection.close()
    caught_up(house)


def test_a_store_of_an_unknown_schema_is_mirrored_as_far_as_it_is_known_and_that_is_said(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(4))
        store.connection.execute("ALTER TABLE transcript_events ADD COLUMN novelty TEXT")
        store.connection.execute("PRAGMA user_version = 31")
    result = house.catch_up()
    assert result.problems == []
    assert [item.code for item in result.degraded] == ["store_newer"]
    assert live(house, ONE) == transcript(1, 4)


@pytest.mark.parametrize("change", ["RENAME COLUMN event_json TO body", "RENAME TO transcript_lines"])
def test_a_store_whose_transcripts_lie_in_no_known_way_is_told_at_first_sight(house: Household, change: str) -> None:
    with AgentStore(store_path(house, "new")) as store:
        store.import_lines(THREE, transcript(3, 2))
        store.connection.execute(f"ALTER TABLE transcript_events {change}")
        store.connection.execute("PRAGMA user_version = 40")
    assert_others_go_on(house, "store_unknown")
    assert store_presence(str(store_path(house, "new"))) is None, "nobody takes it for a release that is known"


def test_a_store_that_is_replaced_is_compared_anew(house: Household) -> None:
    scratch = store_path(house).with_name("other.sqlite")
    with AgentStore(scratch) as store:
        store.import_lines(ONE, transcript(1, 2) + message(7))
    scratch.rename(store_path(house))
    caught_up(house)
    (row,) = transcripts(house.ledger_path, "session_id = ?", ONE)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 3)
    assert exported(house.ledger_path, row.id, 2) == transcript(1, 2) + message(7)


def test_a_store_from_an_older_copy_that_went_on_differently_is_a_rewrite(house: Household) -> None:
    path = store_path(house)
    copy = path.read_bytes()
    with AgentStore(path) as store:
        store.append(ONE, message(4))
    caught_up(house)
    path.write_bytes(copy)  # the same file, the same generation, an older state of it
    with AgentStore(path) as store:
        store.append(ONE, message(8), message(9))
    caught_up(house)
    assert live(house, ONE) == transcript(1, 3) + message(8) + message(9)
    (row,) = transcripts(house.ledger_path, "session_id = ?", ONE)
    assert exported(house.ledger_path, row.id, 1) == transcript(1, 4)


@pytest.fixture
def shared_house() -> Iterator[Household]:
    with common_place() as place:
        yield household(place)


def test_a_store_that_may_not_be_read_is_told_and_read_once_it_may(shared_house: Household) -> None:
    house, path = shared_house, store_path(shared_house)
    house.write(f"{TWO}.jsonl", transcript(2, 3))
    with AgentStore(path) as store:
        store.import_lines(ONE, transcript(1, 3))
    give_away(*house.state_dir.parent.rglob("*"))
    path.chmod(0)
    with as_another_user():
        result = house.catch_up()
        assert codes(result) == ["store_unreadable"]
        assert live(house, TWO) == transcript(2, 3)
        path.chmod(0o600)
        assert house.catch_up().problems == []
        assert live(house, ONE) == transcript(1, 3)
        assert house.verify().ok


# Cold storage


@pytest.fixture
def cold(tmp_path: Path) -> Household:
    house = household(tmp_path)
    shutil.rmtree(house.state_dir)
    shutil.copytree(RELEASES / "cold-2026.9.6", house.state_dir)
    return house


def archive_of(house: Household) -> Path:
    (found,) = (house.sessions() / "cold").iterdir()
    return found


def test_a_session_in_cold_storage_is_read_from_there(cold: Household) -> None:
    caught_up(cold)
    (row,) = transcripts(cold.ledger_path)
    assert (row.session_id, row.lines, row.state) == (COLD, 5, "live")


def test_events_that_leave_for_cold_storage_and_come_back_change_nothing(cold: Household) -> None:
    caught_up(cold)
    content, rows = live(cold, COLD), query(cold.ledger_path, "SELECT * FROM entries")
    cold.ledger_path.unlink()
    with AgentStore(store_path(cold)) as store:
        connection = store.connection
        table = "session_transcript_cold_archives"
        (kept,) = list(connection.execute(f"SELECT * FROM {table}"))
        connection.execute(f"DELETE FROM {table}")
        for seq, event in enumerate(content.splitlines()):
            insert = "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, 1)"
            connection.execute(insert, (COLD, seq, event.decode()))
        caught_up(cold)
        assert live(cold, COLD) == content
        connection.execute("DELETE FROM transcript_events")
        connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(kept))})", kept)
        caught_up(cold)
        assert query(cold.ledger_path, "SELECT * FROM entries") == rows
        store.append(COLD, message(6))
        # A new line behind those that are away: OpenClaw brings them back first, but nothing here relies on that.
        connection.execute("UPDATE transcript_events SET seq = 5")
        caught_up(cold)
        assert live(cold, COLD) == content + message(6)
    (row,) = transcripts(cold.ledger_path)
    assert row.generation == 1


def test_a_cold_archive_that_is_missing_is_named_and_what_is_known_kept(cold: Household) -> None:
    with AgentStore(store_path(cold)) as store:
        store.import_lines(ONE, transcript(1, 2))
    away = archive_of(cold).rename(cold.state_dir.parent / "away")
    result = cold.catch_up()
    assert codes(result) == ["cold_archive_missing"]
    (difference,) = cold.verify().differences
    assert "/cold/" in difference.reason, "the file that is to be put back"
    assert live(cold, ONE) == transcript(1, 2)
    away.rename(cold.sessions() / "cold" / "wrong-name")
    assert codes(cold.catch_up()) == ["cold_archive_missing"]


def test_a_cold_archive_that_goes_missing_after_it_was_read_is_named_as_long_as_it_is(cold: Household) -> None:
    caught_up(cold)
    content = live(cold, COLD)
    archive = archive_of(cold)
    away = archive.rename(cold.state_dir.parent / "away")
    assert codes(cold.catch_up()) == codes(cold.catch_up()) == ["cold_archive_missing"]
    assert live(cold, COLD) == content
    away.rename(archive)
    caught_up(cold)


def test_a_cold_archive_whose_events_are_back_is_not_missed(cold: Household) -> None:
    caught_up(cold)
    with AgentStore(store_path(cold)) as store:
        for seq, event in enumerate(live(cold, COLD).splitlines()):
            row = "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, 1)"
            store.connection.execute(row, (COLD, seq, event.decode()))
    caught_up(cold)
    archive_of(cold).unlink()
    assert codes(cold.catch_up()) == []


def test_a_cold_archive_that_is_not_what_was_written_is_not_believed(cold: Household) -> None:
    archive = archive_of(cold)
    whole = archive.read_bytes()
    archive.write_bytes(whole[:-4] + b"xxxx")
    assert codes(cold.catch_up()) == ["cold_archive_damaged"]
    archive.write_bytes(whole)
    caught_up(cold)


# Bytes that are no text


def put_bytes(house: Household, sql: str) -> None:
    with AgentStore(store_path(house)) as store:
        store.connection.execute("PRAGMA foreign_keys = OFF")
        store.connection.execute(sql)


def test_an_id_that_is_not_utf8_is_a_fault_of_its_store_and_not_of_the_ledger(house: Household) -> None:
    put_bytes(house, "UPDATE transcript_events SET session_id = CAST(x'30ff30' AS TEXT) WHERE seq = 2")
    assert_others_go_on(house, "store_unknown")
    assert "not UTF-8" in house.catch_up().problems[0].reason
    put_bytes(house, f"UPDATE transcript_events SET session_id = '{ONE}' WHERE seq = 2")
    caught_up(house)


def test_a_generation_that_is_not_utf8_tells_a_rewrite_as_any_other(house: Household) -> None:
    for number, written in enumerate((b"\x30\xff\x30", b"\x30\xfe\x30")):
        with AgentStore(store_path(house)) as store:
            store.replace(ONE, transcript(1, 2) + message(7 + number))
            query = "UPDATE transcript_rewrite_watermarks SET generation = CAST(? AS TEXT) WHERE session_id = ?"
            store.connection.execute(query, (written, ONE))
        caught_up(house)
        assert live(house, ONE) == transcript(1, 2) + message(7 + number)


def test_a_release_that_is_not_utf8_holds_nothing_up(house: Household) -> None:
    path = store_path(house)
    insert = """INSERT OR REPLACE INTO schema_meta (meta_key, role, schema_version, agent_id, app_version, created_at,
        updated_at) VALUES ('primary', 'agent', 23, 'main', CAST(x'30ff30' AS TEXT), 1, 1)"""
    with AgentStore(path) as store:
        store.connection.execute(insert)
        store.append(ONE, message(4))
    caught_up(house)
    assert live(house, ONE) == transcript(1, 4)
    presence = store_presence(str(path))
    assert presence is not None
    assert presence.app_version == "0\ufffd0"


def test_a_store_on_a_path_that_is_not_utf8_is_named_and_files_beside_it_are_read(tmp_path: Path) -> None:
    place = tmp_path / os.fsdecode(b"st\xffate")
    place.mkdir()
    with AgentStore(tmp_path / "openclaw-agent.sqlite") as store:
        store.import_lines(ONE, transcript(1, 3))
    house = household(tmp_path)
    elsewhere = house.state_dir.rename(place / "state")
    house = replace(house, state_dir=elsewhere)
    path = store_path(house)
    path.parent.mkdir(parents=True)
    (tmp_path / "openclaw-agent.sqlite").rename(path)
    house.write(f"{TWO}.jsonl", transcript(2, 3))
    result = house.catch_up()
    assert codes(result) == ["store_unreadable"]
    assert "path is not UTF-8" in result.problems[0].reason
    assert live(house, TWO) == transcript(2, 3)
