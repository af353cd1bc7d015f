"""Archives of OpenClaw's own database: what it deletes or resets is the same transcript, wherever it lies now."""

import os
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from syncd.sources import store_archives
from syncd.sources.opening import StoreError, is_there, open_source, stat_at
from tests.mirror.household import Household, header, household, messages, session_id
from tests.mirror.stores import written
from tests.mirror_checks import Row, exported, query, transcripts
from tests.openclaw_store import AgentStore

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CONTENT = header(1, version=4) + messages(1, 5)
GENERATION = "54f8826cc57545478efb2eddd618fe4d"
ID = session_id(1)


def name_of(reason: str, encoding: str = "zstd") -> str:
    plain = f"{ID}.jsonl.{reason}.2026-11-16T04-20-49.549Z.{GENERATION}"
    return f"{plain}.zst" if encoding == "zstd" else plain


class Archiving:
    """OpenClaw deletes a session: its rows become a blob in one transaction, and a file after it."""

    def __init__(self, house: Household) -> None:
        self.house = house
        self.path = house.state_dir / "agents/main/agent/openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True)
        house.sessions().mkdir(parents=True, exist_ok=True)
        with AgentStore(self.path) as store:
            store.import_lines(ID, CONTENT)

    def archive(self, reason: str = "deleted", encoding: str = "zstd", content: bytes = CONTENT) -> None:
        blob = zstd.compress(content) if encoding == "zstd" else content
        with AgentStore(self.path) as store, store.connection:
            store.delete_session(ID)
            store.connection.execute(
                """INSERT INTO session_transcript_archives (session_id, generation, session_key, reason, encoding,
                archive_blob, archive_sha256, archive_name, created_at) VALUES (?, ?, 'k', ?, ?, ?, ?, ?, 1)""",
                (ID, GENERATION, reason, encoding, blob, sha256(blob).hexdigest(), name_of(reason, encoding)),
            )

    def write_file(self, reason: str = "deleted") -> Path:
        path = self.house.sessions() / name_of(reason)
        path.write_bytes(zstd.compress(CONTENT))
        return path

    def publish(self, reason: str = "deleted") -> Path:
        path = self.write_file(reason)
        with written(self.path) as connection:
            connection.execute("UPDATE session_transcript_archives SET published_at = 2")
        return path

    def mirrored(self) -> Row:
        """The one transcript that there is, level with its place."""
        assert self.house.catch_up().problems == []
        assert self.house.verify().differences == []
        (row,) = transcripts(self.house.ledger_path)
        return row


@pytest.fixture
def openclaw(tmp_path: Path) -> Archiving:
    return Archiving(household(tmp_path))


@pytest.mark.parametrize("reason", ["deleted", "reset"])
def test_a_published_archive_continues_the_transcript(openclaw: Archiving, reason: str) -> None:
    before = openclaw.mirrored()
    openclaw.archive(reason)
    openclaw.publish(reason)
    after = openclaw.mirrored()
    assert (after.id, after.kind, after.state, after.generation) == (before.id, reason, "archived", 1)
    assert exported(openclaw.house.ledger_path, after.id, 1) == CONTENT
    assert query(openclaw.house.ledger_path, "SELECT count(*) FROM entries") == [(6,)]


@pytest.mark.parametrize("encoding", ["zstd", "identity"])
def test_an_archive_that_is_only_in_the_database_is_read_there(openclaw: Archiving, encoding: str) -> None:
    openclaw.archive(encoding=encoding)
    row = openclaw.mirrored()
    assert (row.kind, row.state, row.session_id, row.lines) == ("deleted", "archived", ID, 6)
    assert exported(openclaw.house.ledger_path, row.id, 1) == CONTENT


def test_a_session_goes_from_the_table_through_the_blob_to_the_file_as_one_transcript(openclaw: Archiving) -> None:
    first = openclaw.mirrored()
    openclaw.archive()
    second = openclaw.mirrored()
    path = openclaw.publish()
    third = openclaw.mirrored()
    assert first.id == second.id == third.id
    assert [row.state for row in (first, second, third)] == ["live", "archived", "archived"]
    assert third.path == str(path)
    with written(openclaw.path) as connection:
        connection.execute("DELETE FROM session_transcript_archives")
    path.unlink()  # OpenClaw's own retention
    assert openclaw.mirrored().state == "gone"
    assert query(openclaw.house.ledger_path, "SELECT count(*) FROM entries WHERE superseded_in IS NULL") == [(6,)]


@pytest.mark.parametrize("more", [b"", messages(6, 7)])
def test_an_imported_session_that_is_deleted_has_its_rows_once(openclaw: Archiving, more: bytes) -> None:
    """Also where it was only put away since, and where it grew between two looks: the file it came from stays."""
    file = openclaw.house.import_archive() / f"agent_main_main.{ID}.jsonl.imported-1794802732071"
    file.write_bytes(CONTENT)
    before = openclaw.mirrored()
    openclaw.archive(content=CONTENT + more)
    after = openclaw.mirrored()
    assert (after.id, after.kind, after.state, after.generation) == (before.id, "deleted", "archived", 1)
    assert exported(openclaw.house.ledger_path, after.id, 1) == CONTENT + more
    os.utime(file)
    assert openclaw.mirrored() == after
    openclaw.house.ledger_path.unlink()
    assert openclaw.mirrored().lines == after.lines, "nor has a ledger more that is made now"


def test_a_file_written_late_is_the_session_whose_bytes_it_has_and_not_a_later_one_of_its_id(
    openclaw: Archiving,
) -> None:
    house, now = openclaw.house, "SELECT id, transcript_id, superseded_in FROM entries"
    first = openclaw.mirrored()
    openclaw.archive()
    openclaw.mirrored()
    with AgentStore(openclaw.path) as store:
        store.import_lines(ID, header(1) + messages(7, 8))
        house.catch_up()
        store.delete_session(ID)
        house.catch_up()
    before = query(house.ledger_path, now)
    file = openclaw.publish()
    house.catch_up()
    assert query(house.ledger_path, now) == before
    one, other = transcripts(house.ledger_path)
    assert (one.id, one.path, one.state, one.generation) == (first.id, str(file), "archived", 1)
    assert (other.state, other.generation) == ("gone", 1)
    assert house.verify().ok


def test_an_archive_whose_file_is_there_before_the_database_says_so_is_one_transcript(openclaw: Archiving) -> None:
    openclaw.mirrored()
    openclaw.archive()
    in_the_database = openclaw.mirrored()
    path = openclaw.write_file()
    in_both = openclaw.mirrored()
    openclaw.publish()
    assert (in_both.id, in_both.state, in_both.path) == (in_the_database.id, "archived", str(path))
    assert openclaw.mirrored() == in_both


def test_an_archive_whose_file_is_not_there_is_read_in_the_database(openclaw: Archiving) -> None:
    openclaw.archive()
    file = openclaw.publish()
    whole = file.read_bytes()
    file.unlink()
    row = openclaw.mirrored()
    assert (row.kind, row.state, row.path) == ("deleted", "archived", f"{openclaw.path}/{file.name}")
    assert exported(openclaw.house.ledger_path, row.id, 1) == CONTENT
    file.write_bytes(whole)
    again = openclaw.mirrored()
    assert (again.id, again.state, again.path, again.generation) == (row.id, "archived", str(file), 1)


def test_a_damaged_blob_is_named_and_what_was_taken_stays(openclaw: Archiving) -> None:
    openclaw.mirrored()
    openclaw.archive()
    with written(openclaw.path) as connection:
        connection.execute("UPDATE session_transcript_archives SET archive_blob = x'00112233'")
    problems = openclaw.house.catch_up().problems
    assert [problem.path for problem in problems] == [f"{openclaw.path}/{name_of('deleted')}"]
    (row,) = transcripts(openclaw.house.ledger_path)
    assert exported(openclaw.house.ledger_path, row.id, 1) == CONTENT


@pytest.mark.parametrize("query", [store_archives.BEHIND_ROW, store_archives.NAMED])
def test_one_archive_is_found_without_a_walk_through_all_that_were_ever_made(openclaw: Archiving, query: str) -> None:
    with AgentStore(openclaw.path) as store:
        (step,) = store.connection.execute(f"EXPLAIN QUERY PLAN {query}", ("x",))
    assert step[3].startswith("SEARCH session_transcript_archives USING")


def test_an_archive_that_takes_the_number_of_one_that_is_gone_is_found(openclaw: Archiving) -> None:
    path = str(openclaw.path)
    _, none = store_archives.archives_since(path, None)
    openclaw.archive("reset")
    names, first = store_archives.archives_since(path, none)
    assert names == [name_of("reset")]
    assert store_archives.archives_since(path, first) == ([], first)
    with written(openclaw.path) as connection:
        connection.execute("DELETE FROM session_transcript_archives")
    assert store_archives.archives_since(path, first) == ([], none)
    openclaw.archive("deleted", content=CONTENT + CONTENT)
    names, second = store_archives.archives_since(path, first)
    assert (names, second.rowid) == ([name_of("deleted")], first.rowid)


def put(openclaw: Archiving, rowid: int) -> str:
    """An archive of some session, under a number that may have been another's."""
    content = header(rowid) + messages(rowid, rowid)
    name = f"{session_id(rowid)}.jsonl.deleted.2026-11-16T04-00-49.549Z.{rowid:032x}.zst"
    blob = zstd.compress(content)
    with written(openclaw.path) as connection:
        connection.execute(
            """INSERT INTO session_transcript_archives (session_id, generation, session_key, reason, encoding,
            archive_blob, archive_sha256, archive_name, created_at)
            VALUES (?, ?, 'k', 'deleted', 'zstd', ?, ?, ?, 1)""",
            (session_id(rowid), f"{rowid:032x}", blob, sha256(blob).hexdigest(), name),
        )
    return name


def test_only_those_that_came_are_named_and_all_where_numbers_may_be_used_again(openclaw: Archiving) -> None:
    path = str(openclaw.path)
    first, second = put(openclaw, 2), put(openclaw, 3)
    _, newest = store_archives.archives_since(path, None)
    third = put(openclaw, 4)
    names, newest = store_archives.archives_since(path, newest)
    assert names == [third]
    with written(openclaw.path) as connection:
        connection.execute("DELETE FROM session_transcript_archives WHERE archive_name IN (?, ?)", (second, third))
    fourth, fifth = put(openclaw, 5), put(openclaw, 6)
    names, newest = store_archives.archives_since(path, newest)
    assert names == [first, fourth, fifth]
    assert store_archives.archives_since(path, newest) == ([], newest)


def test_that_an_archive_is_there_is_known_without_reading_it(openclaw: Archiving) -> None:
    openclaw.archive()
    with written(openclaw.path) as connection:
        connection.execute("UPDATE session_transcript_archives SET archive_blob = x'00112233'")
    path = f"{openclaw.path}/{name_of('deleted')}"
    assert is_there(path)
    assert stat_at(path) is not None
    with open_source(path) as source, pytest.raises(StoreError):
        source.read(1)


def test_an_archive_of_an_impossible_time_is_taken_in(openclaw: Archiving) -> None:
    openclaw.archive()
    with written(openclaw.path) as connection:
        connection.execute("UPDATE session_transcript_archives SET created_at = ?", (2**62,))
    assert openclaw.mirrored().state == "archived"
