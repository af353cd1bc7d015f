"""Does an agent's database hold sessions? Asked of real databases, at rest and in use, without a trace."""

import os
from pathlib import Path

import apsw
import pytest

from syncd.sources.store_presence import store_presence


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a name with #, ? and % in it" / "openclaw-agent.sqlite"


def _write(path: Path, sql: str) -> apsw.Connection:
    path.parent.mkdir(exist_ok=True)
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(sql)
    return connection


def _listed(path: Path) -> dict[str, tuple[int, int]]:
    return {entry.name: (entry.stat().st_size, entry.stat().st_mtime_ns) for entry in os.scandir(path.parent)}


SESSIONS = """CREATE TABLE transcript_events (session_id, seq, event_json); CREATE TABLE session_windows (session_id);
    INSERT INTO session_windows VALUES ('a'), ('b'); PRAGMA user_version = 23"""


def test_a_database_at_rest_gets_no_sidecars(path: Path) -> None:
    _write(path, SESSIONS).close()
    before = _listed(path)
    assert list(before) == [path.name]
    assert store_presence(str(path)) == (True, 23, None, 2)
    assert _listed(path) == before


def test_what_is_still_in_the_log_of_a_writer_is_seen_and_nothing_is_written(path: Path) -> None:
    writer = _write(path, SESSIONS)
    try:
        before = _listed(path)
        assert len(before) == 3
        found = store_presence(str(path))
        assert found is not None
        assert found.has_sessions
        after = _listed(path)
        assert after.keys() == before.keys()
        assert [after[name] for name in after if not name.endswith("-shm")] == [
            before[name] for name in before if not name.endswith("-shm")
        ]
    finally:
        writer.close()


def test_the_release_that_made_it_is_told(path: Path) -> None:
    _write(
        path, SESSIONS + "; CREATE TABLE schema_meta (app_version); INSERT INTO schema_meta VALUES ('2026.9.6')"
    ).close()
    found = store_presence(str(path))
    assert found is not None
    assert found.app_version == "2026.9.6"


def test_a_file_of_another_use_or_of_none_is_no_store(path: Path) -> None:
    assert store_presence(str(path)) is None
    _write(path, "CREATE TABLE auth_profile_store (id)").close()
    assert store_presence(str(path)) == (False, 0, None, None)
    path.write_bytes(b"no database at all")
    assert store_presence(str(path)) is None
