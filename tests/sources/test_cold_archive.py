"""Cold storage of OpenClaw's transcripts, on a state that 2026.9.6 put there itself."""

import shutil
from pathlib import Path

import orjson
import pytest

from syncd.sources.cold_archive import cold_events
from syncd.sources.opening import StoreError
from tests.mirror.stores import written
from tests.mirror_fixtures import DATA

SESSION = "0a0000c0-0000-4000-8000-0000000000c0"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    shutil.copytree(DATA / "cold-2026.9.6", tmp_path / "state")
    return tmp_path / "state/agents/main/agent/openclaw-agent.sqlite"


@pytest.fixture
def archive(store: Path) -> Path:
    (found,) = (store.parent.parent / "sessions" / "cold").iterdir()
    return found


def test_events_of_a_cold_session_come_from_its_archive(store: Path) -> None:
    events = list(cold_events(str(store), SESSION))
    assert [seq for seq, _ in events] == [0, 1, 2, 3, 4]
    decoded = [orjson.loads(event.replace(b"\\ud83d", b"?")) for _, event in events]
    assert [item["type"] for item in decoded] == ["session", "message", "message", "message", "message"]
    assert decoded[0]["id"] == SESSION
    assert decoded[4]["message"]["content"][0]["text"] == "Good night"
    assert b"\\ud83d" in events[1][1]
    assert len(b"\n".join(event for _, event in events)) == _told(store, "raw_bytes")


def test_a_session_that_is_not_cold_has_no_cold_events(store: Path) -> None:
    assert list(cold_events(str(store), "another")) == []


def test_a_store_older_than_cold_storage_has_none(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with written(path) as connection:
        connection.execute("CREATE TABLE transcript_events (session_id TEXT, seq INTEGER)")
    assert list(cold_events(str(path), SESSION)) == []


def test_an_archive_still_in_the_database_gives_the_same_events(store: Path, archive: Path) -> None:
    expected = list(cold_events(str(store), SESSION))
    with written(store) as connection:
        update = "UPDATE session_transcript_cold_archives SET storage = 'sqlite', archive_blob = ?"
        connection.execute(update, (archive.read_bytes(),))
    archive.unlink()
    assert list(cold_events(str(store), SESSION)) == expected


def test_an_archive_beside_a_database_elsewhere_is_found(store: Path, archive: Path, tmp_path: Path) -> None:
    expected = list(cold_events(str(store), SESSION))
    (tmp_path / "elsewhere" / "cold").mkdir(parents=True)
    moved = store.rename(tmp_path / "elsewhere" / "foo.main.sqlite")
    archive.rename(moved.parent / "cold" / archive.name)
    assert list(cold_events(str(moved), SESSION)) == expected


def test_a_missing_archive_is_told(store: Path, archive: Path) -> None:
    archive.unlink()
    with pytest.raises(StoreError) as told:
        list(cold_events(str(store), SESSION))
    assert (told.value.code, told.value.path) == ("cold_archive_missing", str(archive))


@pytest.mark.parametrize("damage", ["flipped", "cut", "grown", "replaced"])
def test_no_event_of_a_damaged_archive_is_given(store: Path, archive: Path, damage: str) -> None:
    content = archive.read_bytes()
    middle = len(content) // 2
    archive.write_bytes(
        {
            "flipped": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
            "cut": content[:-5],
            "grown": content + b"\0",
            "replaced": b"x" * len(content),
        }[damage]
    )
    with pytest.raises(StoreError) as told:
        next(cold_events(str(store), SESSION))
    assert told.value.code == "cold_archive_damaged"


def test_an_archive_with_fewer_events_than_told_is_damaged(store: Path) -> None:
    with written(store) as connection:
        connection.execute("UPDATE session_transcript_cold_archives SET event_count = 6")
    with pytest.raises(StoreError, match="5 events, not 6"):
        list(cold_events(str(store), SESSION))


def test_a_name_that_leads_elsewhere_is_not_followed(store: Path) -> None:
    with written(store) as connection:
        connection.execute("UPDATE session_transcript_cold_archives SET archive_name = 'sessions.json'")
    with pytest.raises(StoreError) as told:
        list(cold_events(str(store), SESSION))
    assert told.value.code == "cold_archive_damaged"


def _told(store: Path, column: str) -> int:
    with written(store) as connection:
        return int(connection.execute(f"SELECT {column} FROM session_transcript_cold_archives").fetchone()[0])
