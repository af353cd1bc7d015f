"""The session index in OpenClaw's own SQLite, followed live: seen as it is written, without a rescan."""

from pathlib import Path

import pytest

from syncd.daemon.figures import Figures
from syncd.daemon.index_follow import STORE_LOOK_SECONDS, IndexFollower
from tests.daemon.live import following, wait_for
from tests.mirror.household import Household, header, message, session_id
from tests.mirror.indexed import entry, index_text, indexed
from tests.mirror.stores import put_store
from tests.mirror.test_store import store_path
from tests.mirror_checks import query
from tests.openclaw_store import OtherProcess

KEY = "agent:main:direct:ada"


def labels(house: Household) -> list[str | None]:
    rows = query(house.ledger_path, "SELECT label FROM sessions WHERE session_key = ? AND status = 'live'", KEY)
    return [label for (label,) in rows]


def test_entries_of_another_process_are_in_the_ledger_without_a_rescan(house: Household) -> None:
    with OtherProcess(store_path(house)) as store:
        store.do("add_session", session_id(2), KEY, label="first")
        store.do("append", session_id(2), header(2), message(1))
        with following(house) as running:
            wait_for(lambda: labels(house) == ["first"])
            store.do("add_session", session_id(3), KEY, label="second")
            wait_for(lambda: labels(house) == ["second"])
            assert running.loop.figures.rescans == 1
    ended = query(house.ledger_path, "SELECT ended_by FROM session_ids WHERE session_id = ?", session_id(2))
    assert ended != [(None,)]


@pytest.mark.parametrize("is_store_first", [True, False])
def test_an_index_that_moved_into_the_store_is_not_missed(house: Household, is_store_first: bool) -> None:
    """Without a rescan: the store tells, or the file that goes."""
    index = house.write("sessions.json", index_text({KEY: entry(2, label="file")}))
    placed = "SELECT path FROM _index_entries JOIN _indexes ON _indexes.id = index_id"
    with following(house) as running:
        wait_for(lambda: labels(house) == ["file"])
        if not is_store_first:
            index.rename(house.import_archive() / "legacy-store.sessions.json.imported-1794802732149")
        with OtherProcess(store_path(house)) as store:
            store.do("add_session", session_id(2), KEY, label="store")
            wait_for(lambda: labels(house) == ["store"])
            if is_store_first:
                index.rename(house.import_archive() / "legacy-store.sessions.json.imported-1794802732149")
            wait_for(lambda: query(house.ledger_path, placed) == [(str(store_path(house)).encode(),)])
            (follower,) = running.loop.indexes
            wait_for(lambda: follower.degraded == ())
    assert query(house.ledger_path, "SELECT status FROM sessions WHERE session_key = ?", KEY) == [("live",)]


def test_a_store_that_was_left_alone_is_looked_at_soon_and_a_busy_one_no_more_often(tmp_path: Path) -> None:
    with indexed(tmp_path) as index:
        path = str(put_store(index.house))
        follower = IndexFollower(index.writer, index.files, index.options, Figures())
        index.clock.sleep(60.0)  # so that no look is repeated because the file is young
        follower.look()

        def wait_after_a_write() -> float:
            follower.look_if_named([f"{path}-wal"])
            due, now = follower.next_due_at(), index.clock.monotonic()
            assert due is not None
            return due - now

        index.clock.sleep(1.0)
        assert wait_after_a_write() <= 0.02
        index.clock.sleep(STORE_LOOK_SECONDS)
        follower.look_if_due()
        assert wait_after_a_write() >= STORE_LOOK_SECONDS - 0.001
