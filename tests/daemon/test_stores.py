"""OpenClaw's own SQLite, followed live by a real daemon loop while another process writes it."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from statistics import median

import pytest

from syncd.daemon import follow, stores
from syncd.daemon.follow import Follower
from syncd.daemon.index_follow import IndexFollower
from syncd.daemon.stores import Stores
from syncd.errors import SourceError
from syncd.openclaw.state_dirs import state_database
from syncd.sources import store_opening
from syncd.sources.store_looks import changed_sessions, moments_of
from syncd.sources.store_opening import NEWEST_SCHEMA
from syncd.sources.store_places import StorePlace
from tests.daemon.live import NEVER_SECONDS, following, wait_for
from tests.daemon.process import daemon, syncd
from tests.mirror.household import Household, header, message, name_of, session_id, transcript
from tests.mirror.test_store import live, store_path
from tests.mirror_checks import events, exported, query, transcripts
from tests.openclaw_store import AgentStore, OtherProcess

ONE, TWO, THREE = session_id(1), session_id(2), session_id(3)


def has(house: Household, number: str, content: bytes) -> Callable[[], bool]:
    return lambda: live(house, number) == content


def open_files_like(path: Path) -> list[str]:
    found = []
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            found.append(os.readlink(f"/proc/self/fd/{name}"))
    return [each for each in found if each.startswith(str(path))]


def test_an_append_of_another_process_is_in_the_ledger_at_once(house: Household) -> None:
    with OtherProcess(store_path(house)) as store:
        store.do("add_session", TWO)
        store.do("append", TWO, header(2))
        with following(house) as running:
            waits = []
            for number in range(1, 11):
                begun = time.monotonic()
                store.do("append", TWO, message(number))
                wait_for(has(house, TWO, transcript(2, number)))
                waits.append(time.monotonic() - begun)
            print(f"live append: median {median(waits) * 1000:.0f} ms, worst {max(waits) * 1000:.0f} ms")
            assert running.loop.figures.rescans == 1


def test_a_write_to_the_database_that_all_agents_share_makes_nobody_look_for_new_ones(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenClaw writes it with every task, and there may be many agents."""
    shared = Path(state_database(str(house.state_dir)))
    shared.parent.mkdir()
    heard, searches = list[frozenset[str]](), list[Follower]()
    real = IndexFollower.look_if_named

    def hear(self: IndexFollower, paths: frozenset[str]) -> None:
        """After the follower has looked, in the same pass."""
        real(self, paths)
        heard.append(paths)

    def search(self: Follower) -> bool:
        searches.append(self)
        return False

    monkeypatch.setattr(IndexFollower, "look_if_named", hear)
    monkeypatch.setattr(Follower, "_has_new_store", search)
    with closing(sqlite3.connect(shared, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        with following(house):
            database.execute("CREATE TABLE tasks (id)")
            wait_for(lambda: any(f"{shared}-wal" in paths for paths in heard))
    assert not searches


def test_a_new_session_a_rewrite_and_a_deletion_are_followed(house: Household) -> None:
    with OtherProcess(store_path(house)) as store:
        store.do("add_session", TWO)
        store.do("append", TWO, header(2), message(1), message(2))
        with following(house):
            store.do("add_session", THREE)
            store.do("append", THREE, header(3), message(1))
            wait_for(has(house, THREE, header(3) + message(1)))
            store.do("remove_trailing", TWO, 1)
            wait_for(has(house, TWO, header(2) + message(1)))
            store.do("append", TWO, message(7))
            wait_for(has(house, TWO, header(2) + message(1) + message(7)))
            store.do("delete_session", THREE)
            wait_for(lambda: transcripts(house.ledger_path, "session_id = ?", THREE)[0].state == "gone")
    (row,) = transcripts(house.ledger_path, "session_id = ?", TWO)
    assert exported(house.ledger_path, row.id, 1) == transcript(2, 2)


def test_the_move_is_followed_while_it_happens(house: Household) -> None:
    with following(house):
        before = query(house.ledger_path, "SELECT * FROM entries ORDER BY id")
        with OtherProcess(store_path(house)) as store:
            store.do("import_lines", ONE, transcript(1, 5))
            archived = house.import_archive() / f"agent_main_main.{name_of(1)}.imported-1794802732071"
            house.path(name_of(1)).rename(archived)
            store.do("append", ONE, message(6))
            wait_for(has(house, ONE, transcript(1, 6)))
            archived.rename(house.path(name_of(1)))
            house.append(name_of(1), message(6) + message(7))
            wait_for(has(house, ONE, transcript(1, 7)))
    assert query(house.ledger_path, "SELECT * FROM entries ORDER BY id")[:6] == before
    assert len(transcripts(house.ledger_path)) == 1
    assert "gone" not in events(house.ledger_path)
    assert house.verify().ok


def test_a_session_deleted_after_it_outgrew_its_import_archive_is_gone_without_a_rescan(house: Household) -> None:
    with OtherProcess(store_path(house)) as store:
        store.do("import_lines", ONE, transcript(1, 5))
        archived = house.import_archive() / f"agent_main_main.{name_of(1)}.imported-1794802732071"
        house.path(name_of(1)).rename(archived)
        house.catch_up()
        with following(house, is_level_after=False):
            store.do("append", ONE, message(6))
            wait_for(has(house, ONE, transcript(1, 6)))
            assert house.verify().ok
            store.do("delete_session", ONE)
            wait_for(lambda: transcripts(house.ledger_path, "session_id = ?", ONE)[0].state != "live")
            (row,) = transcripts(house.ledger_path, "session_id = ?", ONE)
            assert row.state == "gone"
            assert house.verify().ok
    house.catch_up()
    assert house.verify().ok
    (row,) = transcripts(house.ledger_path, "session_id = ?", ONE)
    assert (row.state, exported(house.ledger_path, row.id, 1)) == ("gone", transcript(1, 6))


def test_a_store_that_is_locked_delays_nobody_else_and_is_read_when_it_is_free(house: Household) -> None:
    with OtherProcess(store_path(house, "ops")) as other, AgentStore(store_path(house)) as store:
        store.connection.execute("PRAGMA journal_mode = DELETE")
        other.do("add_session", THREE)
        with following(house):
            store.connection.execute("PRAGMA cache_size = 1")
            store.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            store.add_session(TWO)
            store.append(TWO, header(2), message(1))
            store.connection.execute("BEGIN EXCLUSIVE")
            other.do("append", THREE, header(3), message(1))
            wait_for(has(house, THREE, header(3) + message(1)))
            store.connection.execute("COMMIT")
            store.connection.execute("PRAGMA locking_mode = NORMAL")
            store.append(TWO, message(2))
            wait_for(has(house, TWO, transcript(2, 2)))


def test_a_command_that_closes_right_after_its_write_leaves_no_log_behind(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.import_lines(TWO, transcript(2, 0))
    with following(house):
        for number in range(1, 7):
            with OtherProcess(store_path(house)) as command:
                command.do("append", TWO, message(number))
                time.sleep(0.002 * (number % 3))  # no wait for anything: a close may come at any moment
            assert os.listdir(store_path(house).parent) == [store_path(house).name]
        wait_for(has(house, TWO, transcript(2, 6)))


def test_what_is_recorded_of_a_turn_is_in_the_ledger_without_a_rescan(house: Household) -> None:
    events = [b'{"traceSchema":"openclaw-trajectory","seq":%d}\n' % number for number in range(6)]

    def recorded(number: str) -> bytes:
        rows = transcripts(house.ledger_path, "kind = 'trajectory' AND session_id = ?", number)
        return b"".join(exported(house.ledger_path, row.id, 1) for row in rows)

    with OtherProcess(store_path(house)) as store:
        for number in (TWO, THREE):
            store.do("add_session", number)
        store.do("record", TWO, *events[:2])
        with following(house) as running:
            store.do("record", TWO, *events[2:4])
            wait_for(lambda: recorded(TWO) == b"".join(events[:4]))
            store.do("record", THREE, events[0])
            store.do("record", TWO, *events[4:])
            wait_for(lambda: (recorded(TWO), recorded(THREE)) == (b"".join(events), events[0]))
            assert running.loop.figures.rescans == 1


def test_a_database_that_was_damaged_is_well_again_as_soon_as_it_is_mended(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "STORE_RETRY_SECONDS", (NEVER_SECONDS,))
    path = store_path(house)
    with AgentStore(path) as store:
        store.import_lines(TWO, transcript(2, 1))
    sound, damaged = path.with_suffix(".sound"), path.with_suffix(".damaged")
    shutil.copyfile(path, sound)
    damaged.write_bytes(bytes(sound.stat().st_size))
    with following(house, beat_seconds=NEVER_SECONDS) as running:
        (follower,) = running.loop.followers
        damaged.rename(path)
        wait_for(lambda: [item.code for item in follower.problems.values()] == ["store_corrupt"])
        beats = running.beats
        sound.rename(path)
        with AgentStore(path) as store:
            store.append(TWO, message(2))
        wait_for(has(house, TWO, transcript(2, 2)))
        assert not follower.problems
        wait_for(lambda: running.beats > beats)
        assert running.loop.figures.rescans == 3  # each time another file took its place, and at the start


def test_a_database_that_was_damaged_at_a_rescan_is_well_again_as_soon_as_it_is_mended(house: Household) -> None:
    path = store_path(house)
    with AgentStore(path) as store:
        store.import_lines(TWO, transcript(2, 1))
    sound = path.with_suffix(".sound")
    shutil.copyfile(path, sound)
    path.write_bytes(bytes(sound.stat().st_size))
    with following(house) as running:
        (index,) = running.loop.indexes
        wait_for(lambda: {item.code for item in index.degraded} == {"store_corrupt"})
        sound.rename(path)
        with AgentStore(path) as store:
            store.append(TWO, message(2))
        wait_for(has(house, TWO, transcript(2, 2)))
        wait_for(lambda: index.degraded == (), 10.0)
        assert running.loop.figures.rescans == 2  # as another file has taken its place


@pytest.mark.parametrize("table", ["session_nodes", "trajectory_runtime_events", "session_windows"])
def test_a_database_of_which_one_table_is_damaged_is_told_once_and_well_when_it_is_mended(
    house: Household, table: str
) -> None:
    path = store_path(house)
    with AgentStore(path) as store:
        store.import_lines(TWO, transcript(2, 1))
        store.record(TWO, b'{"event":1}')
        page = store.connection.pragma("page_size")
        query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        begin = (store.connection.execute(query, (table,)).get - 1) * page
    sound = path.read_bytes()

    def told() -> list[tuple[str, str]]:
        return [(item["code"], item["path"]) for item in syncd(house, "status")[1]["degraded"]]

    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: told() == [])
        path.write_bytes(sound[:begin] + b"\xff" * page + sound[begin + page :])
        wait_for(lambda: told() == [("store_corrupt", str(path))])
        path.write_bytes(sound)
        wait_for(lambda: told() == [])


def test_a_change_that_was_found_is_not_looked_for_any_more(house: Household) -> None:
    path = str(store_path(house))
    with AgentStore(store_path(house)) as store:
        store.import_lines(TWO, transcript(2, 1))
        stores = Stores()
        stores.adopt([StorePlace("main", path)], 0.0)
        store.append(TWO, message(2))
        assert stores.moved_sessions(path, 1.0) == [("main", f"{path}/{TWO}.jsonl")]
        found_next = stores.next_at()
        store.connection.execute("UPDATE session_nodes SET label = 'written, and no session moved'")
        assert stores.moved_sessions(path, 1.0) == []
        unseen_next = stores.next_at()
        assert found_next is not None
        assert unseen_next is not None
        assert 1.0 < unseen_next < found_next


def test_a_look_that_fails_is_not_made_again_but_by_whoever_asked_for_it(house: Household) -> None:
    """Else its time would have come for ever, and the loop would do nothing else."""
    path = store_path(house)
    with AgentStore(path) as store:
        store.import_lines(TWO, transcript(2, 1))
        stores = Stores()
        stores.adopt([StorePlace("main", str(path))], 0.0)
        store.append(TWO, message(2))
        stores.moved_sessions(str(path), 1.0)
        assert stores.next_at() is not None
    sound = path.read_bytes()
    path.write_bytes(bytes(len(sound)))
    with pytest.raises(SourceError):
        stores.moved_sessions(str(path), 2.0)
    assert stores.next_at() is None


def test_what_was_wrong_with_a_session_is_forgotten_with_it(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.add_session(TWO)
        store.append(TWO, header(2))
        store.append(TWO, message(1, "packed " * 400), is_packed=True)
        store.connection.execute("UPDATE transcript_events SET event_zstd = x'28b52ffd00' WHERE seq = 1")
        with following(house) as running:
            (follower,) = running.loop.followers
            wait_for(lambda: [item.code for item in follower.problems.values()] == ["store_bad_event"])
            store.delete_session(TWO)
            wait_for(lambda: not follower.problems)
            wait_for(lambda: transcripts(house.ledger_path, "session_id = ?", TWO)[0].state == "gone")
            assert running.loop.figures.rescans == 1


def test_no_reader_is_held_while_nothing_happens(house: Household) -> None:
    with OtherProcess(store_path(house)) as store:
        store.do("add_session", TWO)
        store.do("append", TWO, header(2))
        with following(house):
            for number in range(1, 6):
                store.do("append", TWO, message(number))
                wait_for(has(house, TWO, transcript(2, number)))
                begun = time.monotonic()
                wait_for(lambda: store.do("checkpoint"))
                print(f"checkpoint after {(time.monotonic() - begun) * 1000:.0f} ms")
            wait_for(lambda: not open_files_like(store_path(house)))


@pytest.mark.parametrize("change", ["newer", "bad event"])
def test_what_is_wrong_with_a_store_is_told_and_the_rest_goes_on(house: Household, change: str) -> None:
    with AgentStore(store_path(house)) as store:
        store.add_session(TWO)
        store.append(TWO, header(2), message(1))
        store.append(TWO, message(2, "packed " * 400), is_packed=True)
        store.append(TWO, message(3))
        if change == "newer":
            store.connection.execute("PRAGMA user_version = 99")
        else:
            store.connection.execute("UPDATE transcript_events SET event_zstd = x'28b52ffd00' WHERE seq = 2")
    code = {"newer": "store_newer", "bad event": "store_bad_event"}[change]
    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: [item["code"] for item in syncd(house, "status")[1]["degraded"]] == [code])
        packed = message(2, "packed " * 400)
        known = packed if change == "newer" else bytes(len(packed) - 1) + b"\n"
        wait_for(has(house, TWO, header(2) + message(1) + known + message(3)))
        house.append(name_of(1), message(6))
        wait_for(has(house, ONE, transcript(1, 6)))
        assert running.terminate()[0] == 0
    assert Path(store_path(house)).exists()


def test_of_many_sessions_what_is_written_is_seen_at_once_and_what_is_deleted_soon(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MANY", 2)
    with OtherProcess(store_path(house)) as store:
        for number in (2, 3, 4, 5):
            store.do("import_lines", session_id(number), transcript(number, 2))
        with following(house):
            store.do("append", THREE, message(3))
            wait_for(has(house, THREE, transcript(3, 3)))
            store.do("import_lines", session_id(6), transcript(6, 2))
            wait_for(has(house, session_id(6), transcript(6, 2)))
            store.do("delete_session", TWO)
            wait_for(lambda: transcripts(house.ledger_path, "session_id = ?", TWO)[0].state == "gone")


def test_a_session_whose_time_lies_in_the_future_hides_no_other_from_a_quick_look(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MANY", 2)
    path, found = str(store_path(house)), Stores()
    with AgentStore(store_path(house)) as store:
        for number in (2, 3, 4, 5):
            store.import_lines(session_id(number), transcript(number, 2))
        store.set_clock(time.time_ns() // 1_000_000 + 3_600_000)  # an hour ahead, and put right later
        store.append(THREE, message(3))
        store.set_clock(time.time_ns() // 1_000_000)
        found.adopt([StorePlace("main", path)], 0.0)
        store.append(TWO, message(3))
        assert found.moved_sessions(path, 1.0) == [("main", f"{path}/{TWO}.jsonl")]


def test_sessions_that_fill_several_pages_are_all_looked_at(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_opening, "PAGE_SECONDS", 0.0)
    path = str(store_path(house))
    with AgentStore(store_path(house)) as store:
        for number in range(2, 12):
            store.import_lines(session_id(number), transcript(number, 1))
        known = moments_of(path)
        assert known is not None
        assert set(known) == {session_id(number) for number in range(2, 12)}
        last = max(moment for moment, _ in known.values())
        store.append(session_id(9), message(2))
        store.append(session_id(3), message(2))
        lately = changed_sessions(path, known, last)
        assert lately is not None
        assert sorted(lately[0]) == [session_id(3), session_id(9)]
        store.delete_session(session_id(7))
        found = changed_sessions(path, lately[1])
        assert found is not None
        assert found[0] == [session_id(7)]


def test_a_schema_that_becomes_newer_is_told_with_the_next_look_and_no_longer_than_it_is_so(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.import_lines(TWO, transcript(2, 1))
        with following(house) as running:

            def told() -> list[str]:
                return [note.code for follower in running.loop.followers for note in follower.notes]

            for number, (version, codes) in enumerate([(99, ["store_newer"]), (NEWEST_SCHEMA, [])], 2):
                store.connection.execute(f"PRAGMA user_version = {version}")
                store.append(TWO, message(number))
                wait_for(has(house, TWO, transcript(2, number)))
                wait_for(lambda codes=codes: told() == codes)  # type: ignore[misc]
            assert running.loop.figures.rescans == 1
