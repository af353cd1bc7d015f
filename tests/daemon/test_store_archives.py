"""Deletions in OpenClaw's own SQLite, followed live: through the archive in the database to the file and back."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from syncd.clock import SystemClock
from syncd.daemon import stores
from syncd.ledger.database import open_for_reading
from syncd.mirror.freshness import freshness
from syncd.sources import store_archives
from syncd.sources.store_archives import NewestArchive
from tests.daemon.live import Live, following, wait_for
from tests.daemon.test_stores import has
from tests.mirror.household import Household, header, household, message, session_id
from tests.mirror.stores import written
from tests.mirror.test_store_archives import CONTENT, ID, Archiving, name_of, put
from tests.mirror_checks import exported, transcripts
from tests.openclaw_store import AgentStore


@pytest.fixture
def openclaw(tmp_path: Path) -> Archiving:
    return Archiving(household(tmp_path))


def lies_at(house: Household, path: Path | str, state: str = "archived") -> Callable[[], bool]:
    return lambda: [(row.path, row.state) for row in transcripts(house.ledger_path)] == [(str(path), state)]


def is_level(house: Household) -> bool:
    """By all that judge it from outside."""
    found = house.verify()
    asked = ([str(house.state_dir)], ("*",), {"HOME": str(house.state_dir.parent)}, SystemClock().now_ms())
    with open_for_reading(house.ledger_path) as ledger:
        behind = freshness(ledger, *asked).behind_bytes
    return (found.differences, found.in_progress, behind) == ([], [], 0)


def level(house: Household, running: Live) -> None:
    """Soon, without a listing of everything, and with no byte changed."""
    wait_for(lambda: is_level(house))
    (row,) = transcripts(house.ledger_path)
    assert exported(house.ledger_path, row.id, row.generation) == CONTENT
    assert (row.generation, running.loop.figures.rescans) == (1, 1)


@pytest.mark.parametrize("encoding", ["zstd", "identity"])
def test_a_session_that_is_deleted_into_the_database_is_read_there_at_once(openclaw: Archiving, encoding: str) -> None:
    house = openclaw.house
    with following(house, is_level_after=False) as running:
        openclaw.archive(encoding=encoding)
        wait_for(lies_at(house, f"{openclaw.path}/{name_of('deleted', encoding)}"))
        level(house, running)


def test_its_file_is_its_place_as_soon_as_it_is_written_and_no_longer(openclaw: Archiving) -> None:
    house, in_database = openclaw.house, f"{openclaw.path}/{name_of('deleted')}"
    with following(house, is_level_after=False) as running:
        openclaw.archive()
        wait_for(lies_at(house, in_database))
        file = openclaw.publish()
        wait_for(lies_at(house, file))
        level(house, running)
        file.unlink()
        wait_for(lies_at(house, in_database))
        level(house, running)


def test_what_retention_takes_from_both_is_gone(openclaw: Archiving) -> None:
    house = openclaw.house
    with following(house, is_level_after=False) as running:
        openclaw.archive()
        file = openclaw.publish()
        wait_for(lies_at(house, file))
        with written(openclaw.path) as connection:
            connection.execute("DELETE FROM session_transcript_archives")
        file.unlink()
        wait_for(lies_at(house, file, "gone"))
        level(house, running)


def test_archives_are_looked_through_only_when_one_came(openclaw: Archiving, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[list[str]] = []

    def archives_since(path: str, before: NewestArchive | None) -> tuple[list[str], NewestArchive]:
        names, newest = store_archives.archives_since(path, before)
        if before not in (None, newest):
            found.append(names)
        return names, newest

    monkeypatch.setattr(stores, "archives_since", archives_since)
    with following(openclaw.house, is_level_after=False), AgentStore(openclaw.path) as store:
        store.append(ID, message(6))
        wait_for(has(openclaw.house, ID, CONTENT + message(6)))
        store.remove_trailing(ID, 1)
        wait_for(has(openclaw.house, ID, CONTENT))
        assert found == []
        openclaw.archive()
        wait_for(lies_at(openclaw.house, f"{openclaw.path}/{name_of('deleted')}"))
        assert found == [[name_of("deleted")]]


def damage_archives(path: Path) -> None:
    with AgentStore(path) as store:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        page = store.connection.pragma("page_size")
        begin = (store.connection.execute(query, (store_archives.TABLE,)).get - 1) * page
    sound = path.read_bytes()
    path.write_bytes(sound[:begin] + b"\xff" * page + sound[begin + page :])


def test_damaged_archives_are_told_and_hold_up_no_session(openclaw: Archiving) -> None:
    house, path = openclaw.house, openclaw.path
    with following(house, is_level_after=False) as running:
        (follower,) = running.loop.followers
        wait_for(has(house, ID, CONTENT))
        with running.standing_still():
            damage_archives(path)
        for number in (6, 7):
            with AgentStore(path) as store:
                store.append(ID, message(number))
            wait_for(has(house, ID, CONTENT + b"".join(message(each) for each in range(6, number + 1))))
        wait_for(lambda: [item.code for item in follower.problems.values()] == ["store_corrupt"])
        assert running.loop.figures.rescans == 1


def test_damaged_archives_of_a_database_that_another_replaced_are_nobodys_worry(openclaw: Archiving) -> None:
    house, path = openclaw.house, openclaw.path
    sound = path.read_bytes()
    with following(house, is_level_after=False) as running:
        (follower,) = running.loop.followers
        wait_for(has(house, ID, CONTENT))
        with running.standing_still():
            damage_archives(path)
        wait_for(lambda: [item.code for item in follower.problems.values()] == ["store_corrupt"])
        with running.standing_still():
            other = path.with_name("other")
            other.write_bytes(sound)
            other.rename(path)
            assert follower._stores.moved_sessions(str(path), 0.0) is None
            assert not follower._stores.flaws


def test_known_archives_are_not_read_again_when_one_comes_or_goes(
    openclaw: Archiving, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    usual = store_archives.StoredArchiveFile.read

    def noted(self: store_archives.StoredArchiveFile, size: int = -1) -> bytes:
        read.append(self._path)
        return usual(self, size)

    house = openclaw.house
    with following(house, is_level_after=False):
        openclaw.archive()
        wait_for(lies_at(house, f"{openclaw.path}/{name_of('deleted')}"))
        wait_for(lambda: is_level(house))
        monkeypatch.setattr(store_archives.StoredArchiveFile, "read", noted)
        name = put(openclaw, 2)
        wait_for(lambda: is_in(house, name))
        with written(openclaw.path) as connection:
            connection.execute("DELETE FROM session_transcript_archives WHERE archive_name = ?", (name,))
        with AgentStore(openclaw.path) as store:
            store.import_lines(session_id(5), header(5) + message(1))
        wait_for(has(house, session_id(5), header(5) + message(1)))
    assert {os.path.basename(path) for path in read} == {name}


def is_in(house: Household, name: str) -> bool:
    return any(row.path.endswith(name) for row in transcripts(house.ledger_path))
