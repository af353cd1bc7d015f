"""Deletions in OpenClaw's own SQLite, followed live: through the archive in the database to the file and back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from syncd.clock import SystemClock
from syncd.daemon import stores
from syncd.ledger.database import open_for_reading
from syncd.mirror.freshness import freshness
from syncd.sources import store_archives
from tests.daemon.live import Live, following, wait_for
from tests.daemon.test_stores import has
from tests.mirror.household import Household, household, message
from tests.mirror.stores import written
from tests.mirror.test_store_archives import CONTENT, ID, Archiving, name_of
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


def test_archives_are_asked_for_only_where_a_session_is_gone(
    openclaw: Archiving, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def archive_names_of(path: str, session_ids: tuple[str, ...]) -> list[str]:
        asked.append(tuple(session_ids))
        return store_archives.archive_names_of(path, asked[-1])

    monkeypatch.setattr(stores, "archive_names_of", archive_names_of)
    with following(openclaw.house, is_level_after=False), AgentStore(openclaw.path) as store:
        store.append(ID, message(6))
        wait_for(has(openclaw.house, ID, CONTENT + message(6)))
        store.remove_trailing(ID, 1)
        wait_for(has(openclaw.house, ID, CONTENT))
        assert asked == []
        openclaw.archive()
        wait_for(lies_at(openclaw.house, f"{openclaw.path}/{name_of('deleted')}"))
        assert set(asked) == {(ID,)}
