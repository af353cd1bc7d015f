"""The session index in OpenClaw's own database: the same rows as from a sessions.json, also across the move."""

import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from syncd.ledger.removal import Wanted, remove
from syncd.mirror.index_look import Degraded
from syncd.mirror.index_sync import IndexOutcome
from syncd.sources import store_opening
from syncd.sources.index_file import Index
from syncd.sources.store_index import look_at_store_index
from tests.mirror.household import session_id
from tests.mirror.indexed import MAIN, NOW, Indexed, entry, indexed
from tests.mirror.stores import database, delete_node, nodes, put_node, put_store, put_window, written
from tests.mirror_fixtures import DATA, MIGRATED, genuine
from tests.openclaw_store import AgentStore

LATER = 1_999_999_999_999


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Indexed]:
    """With a store that has no session yet."""
    with indexed(tmp_path) as made:
        with written(put_store(made.house)) as connection:
            connection.execute("DELETE FROM session_nodes")
            connection.execute("DELETE FROM session_windows")
        yield made


@pytest.fixture
def store(index: Indexed) -> Path:
    return database(index.house)


@pytest.mark.parametrize("release", ["2026.9.6", MIGRATED])
def test_sessions_equal_the_genuine_store(tmp_path: Path, release: str) -> None:
    with indexed(tmp_path, genuine(tmp_path, release)) as index:
        index.settle()
        expected = {key: e for agent in ("main", "ops") for key, e in nodes(database(index.house, agent)).items()}
        assert index.live() == expected
        assert index.sessions()["agent:ops:main"]["agent_id"] == "ops"
        topic = index.sessions()["agent:main:telegram:group:-1001234:topic:7"]
        assert (topic["channel"], topic["peer"], topic["thread_id"]) == ("telegram", "-1001234", "7")
        assert _told_of_sessions(index) == []


def test_the_move_of_an_index_into_the_store_keeps_every_session(tmp_path: Path) -> None:
    with indexed(tmp_path, genuine(tmp_path, "2026.7.1")) as index:
        index.settle()
        before = {key: (row["id"], row["session_id"]) for key, row in index.sessions().items()}
        for agent in ("main", "ops"):
            put_store(index.house, MIGRATED, agent)
        index.look()  # both are there for a moment
        index.settle()
        _move_indexes_away(index)
        assert index.settle().degraded == ()
        assert index.confirm().removed == 0
        assert index.rows("SELECT DISTINCT path FROM _index_entries JOIN _indexes ON _indexes.id = index_id") == [
            (os.fsencode(database(index.house, agent)),) for agent in ("main", "ops")
        ]
        after = {key: (row["id"], row["session_id"]) for key, row in index.sessions().items()}
        assert {key: after.pop(key) for key in before} == before
        assert list(after) == ["agent:main:recovered:0a000004-0000-4000-8000-000000000004"]
        assert index.sessions()[next(iter(after))]["lifecycle"] == "archived"
        assert _told_of_sessions(index) == []
        assert index.versions("agent:main:direct:branchy")[-1]["delivery"] == {"kind": "none"}


def test_on_the_way_back_the_files_go_on_and_the_store_says_no_more(tmp_path: Path) -> None:
    with indexed(tmp_path, genuine(tmp_path, "2026.7.1")) as index:
        put_store(index.house, MIGRATED)
        index.settle()
        moved = index.live()
        files = {key: value for key, value in moved.items() if ":recovered:" not in key}
        branchy = files.pop("agent:main:direct:branchy")
        files[MAIN] = {**files[MAIN], "updatedAt": LATER, "label": "Back"}
        index.write({**files, "agent:main:direct:branchy": branchy})
        index.settle()
        assert index.live()[MAIN]["label"] == "Back"
        index.write(files)
        assert index.confirm().removed == 1
        assert set(index.sessions("removed")) == {"agent:main:direct:branchy"}
        index.write({**files, MAIN: {**files[MAIN], "label": "Again", "updatedAt": LATER + 1}})
        index.restart()
        assert index.confirm().removed == 0
        assert set(index.sessions("removed")) == {"agent:main:direct:branchy"}
        assert "agent:main:recovered:0a000004-0000-4000-8000-000000000004" in index.live()


def test_what_the_store_deletes_is_removed_beside_files_that_were_kept(index: Indexed, store: Path) -> None:
    index.write({MAIN: entry(1), "agent:main:direct:ada": entry(2)})
    put_node(store, MAIN, entry(1))
    put_node(store, "agent:main:direct:ada", entry(2))
    index.settle()
    delete_node(store, "agent:main:direct:ada")
    _touch(store)
    assert index.confirm().removed == 1
    assert set(index.live()) == {MAIN}


def test_what_the_store_deletes_is_removed_beside_a_kept_file_that_all_agents_shared(
    index: Indexed, store: Path, tmp_path: Path
) -> None:
    shared = tmp_path / "shared" / "sessions.json"
    (index.house.state_dir / "openclaw.json").write_text(json.dumps({"session": {"store": str(shared)}}))
    index.write({MAIN: entry(1), "agent:main:direct:ada": entry(2), "agent:ops:main": entry(3)}, shared)
    others = put_store(index.house, agent="ops")
    for path, key, number in ((store, MAIN, 1), (store, "agent:main:direct:ada", 2), (others, "agent:ops:main", 3)):
        put_node(path, key, entry(number))
    index.settle()
    delete_node(store, "agent:main:direct:ada")
    _touch(store)
    assert index.confirm().removed == 1
    delete_node(others, "agent:ops:main")
    _touch(others)
    assert index.confirm().removed == 1
    assert {MAIN, "agent:main:direct:ada", "agent:ops:main"}.intersection(index.live()) == {MAIN}


def test_what_several_stores_delete_at_once_is_removed_beside_a_kept_file_that_they_shared(
    index: Indexed, store: Path, tmp_path: Path
) -> None:
    shared, gone = tmp_path / "shared" / "sessions.json", ("agent:main:direct:ada", "agent:ops:main")
    (index.house.state_dir / "openclaw.json").write_text(json.dumps({"session": {"store": str(shared)}}))
    index.write({MAIN: entry(1), gone[0]: entry(2), gone[1]: entry(3)}, shared)
    others = put_store(index.house, agent="ops")
    for path, key, number in ((store, MAIN, 1), (store, gone[0], 2), (others, gone[1], 3)):
        put_node(path, key, entry(number))
    index.settle()
    for path, key in zip((store, others), gone, strict=True):
        delete_node(path, key)
        _touch(path)
    assert index.confirm().removed == 2
    assert {MAIN, *gone}.intersection(index.live()) == {MAIN}


def test_a_deleted_session_is_removed_only_after_two_reads(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1))
    put_node(store, "agent:main:direct:ada", entry(2))
    index.settle()
    delete_node(store, MAIN)
    assert index.settle().removed == 0
    put_node(store, MAIN, entry(1))
    assert index.confirm().removed == 0
    delete_node(store, MAIN)
    assert index.confirm().removed == 1
    assert index.pairings()[MAIN, session_id(1)] == "deleted"


def test_an_entry_that_openclaw_has_not_validated_counts(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1, label="as it is"), validity=0)
    index.settle()
    assert index.live()[MAIN]["label"] == "as it is"


def test_every_change_in_the_store_is_a_version_of_the_changed_fields(index: Indexed, store: Path) -> None:
    for label in ("one", "two", "two", "three"):
        put_node(store, MAIN, entry(1, label=label))
        index.settle()
    assert index.versions() == [entry(1, label="one"), {"label": "two"}, {"label": "three"}]


def test_windows_of_a_session_are_its_former_session_ids_with_their_reasons(index: Indexed, store: Path) -> None:
    for number, reason in ((1, None), (2, "rollover"), (3, "fork"), (4, None), (5, "rewind")):
        put_window(store, MAIN, session_id(number), session_id(number - 1) if reason else None, reason)
    put_node(store, MAIN, entry(5))
    index.settle()
    ended = ["rollover", "fork", "rollover", "rewind", None]
    assert index.pairings() == {(MAIN, session_id(number)): why for number, why in enumerate(ended, 1)}
    assert index.settle() == IndexOutcome()


@pytest.mark.parametrize("number", [2, 3], ids=["former", "present"])
def test_a_purged_session_id_does_not_come_back_with_the_windows_of_its_key(
    index: Indexed, store: Path, number: int
) -> None:
    def go_on(to: int) -> None:
        put_window(store, MAIN, session_id(to), session_id(to - 1) if to > 1 else None, "reset")
        put_node(store, MAIN, entry(to, NOW + to))
        index.settle()

    for each in (1, 2, 3):
        go_on(each)
    remove(index.ledger, Wanted(frozenset({session_id(number)})), "purge", NOW)
    for each in (4, 5):
        go_on(each)
    kept = [(session_id(each),) for each in (1, 2, 3, 4, 5) if each != number]
    assert index.rows("SELECT session_id FROM session_ids ORDER BY session_id") == kept


def test_a_new_window_ends_the_former_as_openclaw_says(index: Indexed, store: Path) -> None:
    put_window(store, MAIN, session_id(1))
    put_node(store, MAIN, entry(1))
    index.settle()
    put_window(store, MAIN, session_id(2), session_id(1), "compaction")
    put_node(store, MAIN, entry(2, updated_at=NOW + 1))
    index.settle()
    assert index.pairings() == {(MAIN, session_id(1)): "compaction", (MAIN, session_id(2)): None}


def test_a_store_that_did_not_change_costs_no_write(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1))
    index.settle()
    before = index.writes()
    _touch(store)
    assert index.settle() == IndexOutcome()
    index.restart()
    assert index.settle() == IndexOutcome()
    assert index.writes() == before


def test_sessions_of_the_first_stores_are_read_from_their_tables(index: Indexed, store: Path) -> None:
    """Before schema 14."""
    store.unlink()
    with written(store) as connection:
        connection.executescript("""CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT);
            CREATE TABLE session_entries (session_key TEXT PRIMARY KEY, session_id TEXT, entry_json TEXT,
                updated_at INTEGER, status TEXT); PRAGMA user_version = 4;""")
        connection.execute("INSERT INTO session_entries VALUES (?, 's', '{\"sessionId\":\"s\"}', 1, NULL)", (MAIN,))
    index.settle()
    assert index.live() == {MAIN: {"sessionId": "s"}}


def test_a_database_without_sessions_is_no_index(index: Indexed, store: Path) -> None:
    """2026.7.1 has the file already."""
    store.unlink()
    with written(store) as connection:
        connection.execute("CREATE TABLE auth_profile_store (secret TEXT)")
    index.write({MAIN: entry(1)})
    outcome = index.settle()
    assert (outcome.changed, outcome.degraded) == (1, ())


def test_a_damaged_store_takes_nothing_away(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1))
    index.settle()
    store.write_bytes(b"not a database at all" * 1000)
    assert index.confirm().removed == 0
    assert set(index.live()) == {MAIN}


def test_a_store_that_was_away_and_is_back_as_it_was_has_its_sessions_again(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1))
    index.settle()
    index.clock.sleep(5)
    index.settle()
    elsewhere = store.parent.parent.rename(index.house.state_dir / "elsewhere")
    assert index.confirm().removed == 1
    elsewhere.rename(store.parent.parent)
    index.settle()
    assert set(index.live()) == {MAIN}


def test_a_store_that_is_not_there_says_nothing_of_its_sessions_and_is_named(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1))
    index.path().parent.mkdir(parents=True, exist_ok=True)
    index.settle()
    store.parent.rename(store.parent.with_name("elsewhere"))
    outcome = index.confirm()
    assert (outcome.removed, [item.path for item in outcome.degraded]) == (0, [str(store)])
    assert set(index.live()) == {MAIN}


def test_a_store_that_is_removed_or_emptied_is_told_in_words_of_a_database(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1))
    index.settle()
    store.write_bytes(b"")
    emptied = Degraded("store_gone", str(store), "has no tables of sessions any more")
    assert index.settle().degraded == (emptied,)
    store.unlink()
    (removed,) = index.settle().degraded
    assert (removed.code, removed.path, removed.reason) == (
        "store_gone", str(store), "is gone, with the sessions that it held"
    )  # fmt: skip
    assert set(index.live()) == {MAIN}


def test_a_store_held_by_its_writer_is_read_when_it_is_free(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1))
    index.settle()
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("UPDATE session_nodes SET label = 'x'")
    _touch(store)
    assert index.look().removed == 0
    connection.execute("COMMIT")
    connection.close()
    put_node(store, MAIN, entry(1, label="free again"))
    assert index.settle().degraded == ()
    assert index.live()[MAIN]["label"] == "free again"


def _told_of_sessions(index: Indexed) -> list[str]:
    return [kind for kind, _ in index.events() if kind.startswith("session_") or kind == "removal"]


def _move_indexes_away(index: Indexed) -> None:
    for agent in ("main", "ops"):
        shutil.copytree(
            DATA / MIGRATED / "agents" / agent / "session-sqlite-import-archive",
            index.house.state_dir / "agents" / agent / "session-sqlite-import-archive",
        )
        index.path(agent).unlink()


def _touch(path: Path) -> None:
    """Written later than all else."""
    at = path.stat().st_mtime_ns + 3_600_000_000_000
    os.utime(path, ns=(at, at))


def test_an_index_of_several_pages_is_of_one_state(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_opening, "PAGE_SECONDS", 0.0)
    moving = "agent:main:direct:7"
    with AgentStore(store) as writer:
        for number in range(1, 12):
            writer.add_session(session_id(number), f"agent:main:direct:{number}")
        whole = look_at_store_index(str(store))
        assert isinstance(whole, Index)
        assert len(whole.entries) == 11
        assert [window.session_id for window in whole.windows] == [session_id(number) for number in range(1, 12)]
    is_over = threading.Event()

    def move() -> None:
        with AgentStore(store) as writer:
            while not is_over.wait(0.001):
                writer.connection.execute(
                    "UPDATE session_nodes SET rowid = 1000 - rowid WHERE session_key = ?", (moving,)
                )

    mover = threading.Thread(target=move)
    mover.start()
    try:
        for _ in range(10):
            found = look_at_store_index(str(store))
            assert isinstance(found, Index)
            assert set(found.entries) == set(whole.entries)
    finally:
        is_over.set()
        mover.join()
