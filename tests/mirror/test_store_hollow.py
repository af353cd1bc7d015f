"""Sessions that OpenClaw's own database lists without an entry, or with one that is no JSON: what its columns tell."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from syncd.sources.session_index import Standing, sessions_behind
from tests.mirror.household import session_id
from tests.mirror.indexed import MAIN, NOW, Indexed, entry, indexed
from tests.mirror.stores import database, delete_node, put_node, put_store, put_window, written

ADA, BEA = "agent:main:direct:ada", "agent:main:direct:bea"
BARE = {"sessionId": session_id(1), "createdAt": NOW}
BROKEN = {"sessionId": session_id(1), "updatedAt": NOW}


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


def put_row(path: Path, key: str, text: str, number: int = 1, validity: int = -1) -> None:
    """A row with whatever stands for its entry; it is OpenClaw's to find out how valid that is."""
    put_node(path, key, entry(number), validity)
    with written(path) as connection:
        connection.execute("UPDATE session_nodes SET entry_json = ? WHERE session_key = ?", (text, key))
        connection.execute("UPDATE session_nodes SET entry_valid = ? WHERE session_key = ?", (validity, key))


@pytest.mark.parametrize("validity", [0, -1], ids=["not looked at yet", "found to have none"])
def test_a_transcript_without_an_entry_is_a_session_with_its_id(index: Indexed, store: Path, validity: int) -> None:
    put_row(store, MAIN, "{}", validity=validity)
    put_window(store, MAIN, session_id(1))
    assert index.settle().changed == 1
    row = index.sessions()[MAIN]
    assert (row["session_id"], row["created_at"], json.loads(row["entry_json"])) == (session_id(1), NOW, BARE)
    assert index.pairings() == {(MAIN, session_id(1)): None}
    put_row(store, MAIN, "{}", validity=-1 - validity)
    assert index.confirm().changed == 0
    put_node(store, MAIN, entry(1, label="now it has one"))
    assert index.settle().changed == 1
    assert (index.live()[MAIN]["label"], index.sessions()[MAIN]["id"]) == ("now it has one", row["id"])
    assert index.pairings() == {(MAIN, session_id(1)): None}


@pytest.mark.parametrize("text", ["{}", "{broken", "[]"])
def test_a_session_without_an_entry_that_is_renamed_keeps_its_row(index: Indexed, store: Path, text: str) -> None:
    put_row(store, ADA, text)
    put_window(store, ADA, session_id(1))
    index.settle()
    before = index.sessions()[ADA]["id"]
    with written(store) as connection:
        for table in ("session_nodes", "session_windows"):
            connection.execute(f"UPDATE {table} SET session_key = ? WHERE session_key = ?", (BEA, ADA))
    assert index.confirm().removed == 0
    assert {key: row["id"] for key, row in index.sessions().items()} == {BEA: before}
    assert set(index.pairings()) == {(ADA, session_id(1)), (BEA, session_id(1))}


def test_a_session_that_is_deleted_and_leaves_its_transcripts_is_removed(index: Indexed, store: Path) -> None:
    """OpenClaw empties the entry then, and the row stays for the sake of its windows."""
    put_node(store, MAIN, entry(1))
    put_node(store, ADA, entry(2))
    put_window(store, MAIN, session_id(1))
    index.settle()
    put_row(store, MAIN, "{}")
    assert index.settle().removed == 0
    assert index.confirm().removed == 1
    assert index.confirm().changed == 0
    index.restart()
    put_node(store, ADA, entry(2, label="another write"))
    index.confirm()
    assert set(index.sessions("removed")) == {MAIN}
    assert not Standing([str(index.house.state_dir)]).may_hold({MAIN, session_id(1)})
    put_node(store, MAIN, entry(1, label="back"))
    index.settle()
    assert index.live()[MAIN]["label"] == "back"


def test_a_row_that_was_read_before_its_columns_were_gets_its_session_id(index: Indexed, store: Path) -> None:
    """As ledgers of before have it."""
    put_node(store, MAIN, {})
    index.settle()
    assert index.sessions()[MAIN]["session_id"] is None
    put_row(store, MAIN, "{}")
    assert index.confirm().removed == 0
    assert index.sessions()[MAIN]["session_id"] == session_id(1)


@pytest.mark.parametrize("validity", [0, -1])
@pytest.mark.parametrize("text", ["{broken", '{"sessionId":"half', "", "[]"])
def test_a_session_whose_entry_is_no_json_is_what_its_columns_tell_and_is_named(
    index: Indexed, store: Path, text: str, validity: int
) -> None:
    put_row(store, MAIN, text, validity=validity)
    put_node(store, ADA, entry(2))
    for _ in range(2):
        (told,) = index.settle().degraded
        assert (told.code, told.path) == ("store_bad_entry", str(store))
        assert told.reason == f"entries of sessions that are no JSON: 1, such as {MAIN}'s"
        index.restart()
    assert index.live() == {MAIN: BROKEN, ADA: entry(2)}
    assert index.pairings() == {(MAIN, session_id(1)): None, (ADA, session_id(2)): None}
    before = index.writes()
    index.confirm()
    assert index.writes() == before
    put_row(store, MAIN, text, 3, validity)
    index.settle()
    assert index.sessions()[MAIN]["session_id"] == session_id(3)
    assert list(sessions_behind(str(index.house.state_dir), MAIN)) == [("main", session_id(3))]
    put_node(store, MAIN, entry(3, label="made anew"))
    assert index.settle().degraded == ()
    assert index.live()[MAIN]["label"] == "made anew"


def test_what_was_read_of_an_entry_holds_while_it_is_no_json(index: Indexed, store: Path) -> None:
    put_node(store, MAIN, entry(1, label="known"))
    index.settle()
    put_row(store, MAIN, "{broken")
    assert [told.code for told in index.confirm().degraded] == ["store_bad_entry"]
    assert index.live() == {MAIN: entry(1, label="known")}
    index.restart()
    index.confirm()
    assert index.versions() == [entry(1, label="known")]
    delete_node(store, MAIN)
    assert index.confirm().removed == 1


def test_an_entry_that_does_not_name_its_session_has_what_the_row_says(index: Indexed, store: Path) -> None:
    put_row(store, MAIN, '{"label":"only that"}')
    index.settle()
    assert index.live() == {MAIN: {"label": "only that", "sessionId": session_id(1)}}
