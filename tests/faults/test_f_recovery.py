"""A damaged ledger is put right: whatever page is lost, nothing is that a file, a backup or a whole block still has."""

import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerCorrupt, LedgerError
from syncd.ledger.backup import back_up, usual_place
from syncd.ledger.check_sessions import session_faults
from syncd.ledger.codec import cut, unpack
from syncd.ledger.database import open_for_reading
from syncd.ledger.lock import writer_lock
from syncd.ledger.recovery import Recovered
from syncd.ledger.replacing import moved_aside
from syncd.ledger.row_audit import damaged_rows
from syncd.mirror.catchup import CatchUpOptions
from syncd.mirror.index_look import IndexOptions
from syncd.mirror.recovery import recover
from tests.conftest import Cli
from tests.ledger.damaging import all_generations, pages_of, rich_household, scramble, texts
from tests.mirror.household import HandClock, Household, household, line, message, name_of, session_id, transcript
from tests.mirror.indexed import MAIN, NOW, TELEGRAM, entry, indexed
from tests.mirror_checks import events, exported, mirrored, query, transcript_at, transcripts
from tests.other_user import as_another_user, common_place, give_away

DAMAGE = LedgerCorrupt("the ledger is damaged", "for this test")


def put_right(house: Household) -> Recovered:
    with writer_lock(house.ledger_path):
        return recover(house.ledger_path, DAMAGE, HandClock())


def backed_up(house: Household, now_ms: int = 1794802934007) -> Path:
    with open_for_reading(house.ledger_path) as ledger:
        return back_up(ledger, usual_place(house.ledger_path, now_ms)).path


def a_page_of(house: Household, kind: str) -> int:
    return next(number for number, what in pages_of(house.ledger_path).items() if what == kind)


@pytest.fixture
def rich(house: Household) -> Household:
    rich_household(house)
    return house


# Every other sort of page has its turn in tests/faults.
WITH_BACKUP = [
    "sqlite_schema internal", "_blocks internal", "_blocks overflow", "transcripts leaf", "sync_events leaf",
]  # fmt: skip
WITHOUT_BACKUP = ["_blocks internal", "_blocks leaf", "transcripts leaf", "_files leaf", "entries leaf"]


@pytest.mark.parametrize("kind", WITH_BACKUP)
def test_with_an_older_backup_nothing_is_lost_but_what_the_page_alone_had(rich: Household, kind: str) -> None:
    backed_up(rich)
    rich.append(name_of(1), message(6))
    rich.write(name_of(5), transcript(5, 8))
    rich.catch_up()
    expected = all_generations(rich.ledger_path)
    scramble(rich.ledger_path, a_page_of(rich, kind))
    done = put_right(rich)
    assert done.restored_from is not None
    mirrored(rich)
    assert all_generations(rich.ledger_path) == expected
    assert "recovery" in events(rich.ledger_path)
    assert moved_aside(rich.ledger_path) == [done.moved_aside]
    told = "SELECT detail_json ->> 'moved_aside' FROM sync_events WHERE kind = 'recovery'"
    assert query(rich.ledger_path, told) == [(str(done.moved_aside),)]


@pytest.mark.parametrize("kind", WITHOUT_BACKUP)
def test_without_a_backup_all_is_saved_whose_bytes_are_whole(rich: Household, kind: str) -> None:
    """Only what a scrambled page of raw blocks or events held itself may be gone, of what no file has."""
    expected = all_generations(rich.ledger_path)
    scramble(rich.ledger_path, a_page_of(rich, kind))
    done = put_right(rich)
    assert done.restored_from is None
    rich.catch_up()
    found = all_generations(rich.ledger_path)
    for key, versions in expected.items():
        assert found[key][-1] == versions[-1] or kind == "_blocks leaf", key
    if kind in ("_blocks internal", "entries leaf"):
        assert found == expected
    assert rich.verify().differences == [] or kind == "_blocks leaf"


def test_without_the_page_of_the_installations_and_without_a_backup_nothing_is_lost(rich: Household) -> None:
    """Where a state dir lay is told by the paths of its transcripts."""
    with indexed(rich.state_dir.parent, rich) as looks:
        kept = entry(1, label="kept", displayName="shown", lastActivityAt=NOW)
        looks.write({MAIN: kept, TELEGRAM: entry(2, label="gone soon", displayName="shown, too")})
        looks.settle()
        looks.write({MAIN: kept})
        looks.confirm()
    expected, asked = (
        all_generations(rich.ledger_path),
        "SELECT session_key, status, label, title FROM sessions ORDER BY id",
    )
    sessions, homes = query(rich.ledger_path, asked), "SELECT id, state_dir, host FROM installations"
    installations = query(rich.ledger_path, homes)
    assert [row[1:] for row in sessions] == [("live", "kept", "kept"), ("removed", "gone soon", "gone soon")]
    scramble(rich.ledger_path, a_page_of(rich, "installations leaf"))
    assert put_right(rich).restored_from is None
    mirrored(rich)
    assert all_generations(rich.ledger_path) == expected
    assert query(rich.ledger_path, asked) == sessions
    assert query(rich.ledger_path, homes) == installations


def test_cron_runs_stay_though_it_is_not_known_any_more_how_far_their_log_was_read(rich: Household) -> None:
    whole = CatchUpOptions(index=IndexOptions({"HOME": str(rich.state_dir.parent)}))
    log = rich.state_dir / "cron" / "runs" / "nightly.jsonl"
    log.parent.mkdir(parents=True)
    runs = [
        {"ts": 1794802931000 + number, "jobId": "nightly", "action": "finished", "status": "ok"} for number in (1, 2)
    ]
    log.write_bytes(b"".join(map(line, runs)))
    rich.catch_up(whole)
    log.write_bytes(line(runs[1]))  # OpenClaw has pruned it
    rich.catch_up(whole)
    kept = query(rich.ledger_path, "SELECT job_id, at FROM cron_runs ORDER BY at")
    assert len(kept) == 2
    scramble(rich.ledger_path, a_page_of(rich, "_cron_logs leaf"))
    put_right(rich)
    rich.catch_up(whole)
    assert query(rich.ledger_path, "SELECT job_id, at FROM cron_runs ORDER BY at") == kept


def test_what_came_after_the_backup_and_has_no_file_any_more_is_taken_from_the_damaged_ledger(house: Household) -> None:
    house.write(name_of(1), transcript(1, 5))
    house.catch_up()
    backed_up(house)
    house.write(name_of(1), transcript(1, 5) + texts(1, 60, seed=2))
    house.write(name_of(2), transcript(2, 9))
    house.catch_up()
    house.write(name_of(1), transcript(1, 2) + message(3, "again"))
    house.catch_up()
    for number in (1, 2):
        house.path(name_of(number)).unlink()
    house.catch_up()
    expected = all_generations(house.ledger_path)
    scramble(house.ledger_path, a_page_of(house, "entries leaf"))
    done = put_right(house)
    assert (done.restored_from is not None, done.salvaged.transcripts) == (True, 2)
    mirrored(house)
    assert all_generations(house.ledger_path) == expected
    assert {row.state for row in transcripts(house.ledger_path)} == {"gone"}
    assert query(house.ledger_path, "SELECT count(*) FROM messages WHERE text LIKE '%number 9'") == [(1,)]


def test_sessions_are_as_their_versions_say_though_the_backup_knew_them_otherwise(house: Household) -> None:
    """Also those that have left the index since: nothing would bring them forward any more."""
    facts = "SELECT session_key, session_id, status, removed_at, total_tokens, entry_json FROM sessions ORDER BY id"
    pairs = "SELECT session_id, session_key, last_seen_at, ended_by FROM session_ids ORDER BY id"
    with indexed(house.state_dir.parent, house) as looks:
        looks.write({MAIN: entry(1, totalTokens=5), TELEGRAM: entry(2, totalTokens=5, label="gone soon")})
        looks.settle()
        backed_up(house)
        looks.write({MAIN: entry(1, NOW + 1, totalTokens=7), TELEGRAM: entry(2, NOW + 1, totalTokens=9)})
        looks.settle()
        looks.write({MAIN: entry(3, NOW + 2, totalTokens=1)})
        looks.confirm()
        expected = [query(house.ledger_path, sql) for sql in (facts, pairs)]
    assert {row[2] for row in expected[0]} == {"live", "removed"}
    scramble(house.ledger_path, a_page_of(house, "entries leaf"))
    put_right(house)
    assert [query(house.ledger_path, sql) for sql in (facts, pairs)] == expected
    with open_for_reading(house.ledger_path) as ledger:
        assert list(session_faults(ledger, reads_versions=True)) == []


def test_a_session_that_is_taken_over_with_a_damaged_value_is_found_as_that(house: Household) -> None:
    with indexed(house.state_dir.parent, house) as looks:
        looks.write({MAIN: entry(1, totalTokens=5)})
        looks.settle()
        backed_up(house)
        looks.write({MAIN: entry(1, NOW + 1, totalTokens=7)})
        looks.settle()
    with closing(apsw.Connection(str(house.ledger_path))) as disk:  # as one would: nobody seals it
        disk.execute("UPDATE sessions SET removed_at = 6")
    scramble(house.ledger_path, a_page_of(house, "entries leaf"))
    put_right(house)
    with open_for_reading(house.ledger_path) as ledger:
        assert [row.name for row in damaged_rows(ledger)] == ["sessions row 1"]


def test_the_log_beside_a_damaged_ledger_is_read_too(house: Household, tmp_path: Path) -> None:
    """What was committed and not yet moved into the main file."""
    house.write(name_of(1), transcript(1, 5))
    house.catch_up()
    reader = apsw.Connection(str(house.ledger_path))
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM entries").fetchall()
    house.write(name_of(1), transcript(1, 7))
    house.write(name_of(2), transcript(2, 30))
    house.catch_up()
    for suffix in ("", "-wal"):
        shutil.copy(f"{house.ledger_path}{suffix}", tmp_path / f"copy{suffix}")
    reader.close()
    for suffix in ("-wal", "-shm"):
        house.ledger_path.with_name(f"ledger.db{suffix}").unlink(missing_ok=True)
    for suffix in ("", "-wal"):
        shutil.copy(tmp_path / f"copy{suffix}", f"{house.ledger_path}{suffix}")
    assert (tmp_path / "copy-wal").stat().st_size > 100_000
    scramble(house.ledger_path, 1)
    house.path(name_of(2)).unlink()
    put_right(house)
    house.catch_up()
    assert transcript_at(house.ledger_path, name_of(1)).lines == 8
    gone = transcripts(house.ledger_path, "session_id = ?", transcripts(house.ledger_path)[-1].session_id)
    assert [exported(house.ledger_path, row.id, 1) for row in gone] == [transcript(2, 30)]


def test_what_lies_behind_a_lost_block_is_kept_where_no_file_has_it(house: Household) -> None:
    content = transcript(1, 1) + texts(1, 900)
    house.write(name_of(1), content)
    house.catch_up()
    house.path(name_of(1)).unlink()
    house.catch_up()
    (block,) = query(
        house.ledger_path, "SELECT id, byte_offset, byte_length FROM _blocks ORDER BY byte_offset LIMIT 1 OFFSET 2"
    )
    blocks = query(house.ledger_path, "SELECT count(*) FROM _blocks")[0][0]
    assert blocks > 3
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("UPDATE _blocks SET data = zeroblob(length(data)) WHERE id = ?", (block[0],))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    done = put_right(house)
    assert (done.salvaged.transcripts, done.salvaged.fragments) == (1, 1)
    mirrored(house)
    first, rest = transcripts(house.ledger_path)
    assert exported(house.ledger_path, first.id, 1) == content[: block[1]]
    assert exported(house.ledger_path, rest.id, 1) == content[block[1] + block[2] :]
    assert (rest.kind, rest.parent_transcript_id) == ("corrupt", first.id)


def test_what_lies_behind_a_lost_block_is_read_in_the_file_where_there_is_one(house: Household) -> None:
    content = transcript(1, 1) + texts(1, 900)
    house.write(name_of(1), content)
    house.catch_up()
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("UPDATE _blocks SET data = zeroblob(length(data)) WHERE byte_offset > 0")
    connection.close()
    assert put_right(house).salvaged.fragments == 0
    mirrored(house)
    (row,) = transcripts(house.ledger_path)
    assert (row.generation, row.bytes) == (1, len(content))


@pytest.mark.parametrize("rotten", ["byte_offset = byte_offset - 75", "transcript_id = 1, byte_offset = 300"])
def test_a_block_whose_place_rotted_is_not_taken_for_other_bytes(house: Household, rotten: str) -> None:
    """Its checksum fits: it is of the bytes alone."""
    house.write(name_of(1), transcript(1, 5))
    house.catch_up()
    backed_up(house)
    house.append(name_of(1), message(6))
    house.write(name_of(2), transcript(2, 9))
    house.catch_up()
    expected = all_generations(house.ledger_path)
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute(f"UPDATE _blocks SET {rotten} WHERE id = (SELECT max(id) FROM _blocks WHERE byte_offset > 0)")
    connection.close()
    put_right(house)
    mirrored(house)
    assert all_generations(house.ledger_path) == expected


def test_of_several_backups_the_newest_that_is_sound_is_taken(rich: Household) -> None:
    sound = backed_up(rich)
    worse = backed_up(rich, 1794802934007 + 1000)
    scramble(worse, 1)
    worst = backed_up(rich, 1794802934007 + 2000)
    worst.write_bytes(b"no backup at all" * 2000)
    scramble(rich.ledger_path, 1)
    done = put_right(rich)
    assert (done.restored_from, len(done.refused_backups)) == (sound, 2)
    mirrored(rich)


def test_a_backup_of_another_users_is_passed_over() -> None:
    """As one that somebody made as root."""
    with common_place() as place:
        house = household(place)
        house.write(name_of(1), transcript(1, 5))
        house.catch_up()
        open_to_all, closed = backed_up(house), backed_up(house, 1794802934007 + 1000)
        scramble(house.ledger_path, 1)
        give_away(*place.rglob("*"))
        closed.chmod(0)
        with as_another_user():
            done = put_right(house)
        assert (done.restored_from, len(done.refused_backups)) == (open_to_all, 1)
        mirrored(house)


def test_what_was_never_a_ledger_is_left_alone(house: Household) -> None:
    house.ledger_path.parent.mkdir(mode=0o700)
    house.ledger_path.write_text("this is a letter to my aunt\n" * 1000)
    with pytest.raises(LedgerCorrupt, match="no ledger of syncd") as told:
        put_right(house)
    assert "syncd repair" not in told.value.hint
    assert house.ledger_path.read_text().startswith("this is a letter")
    assert moved_aside(house.ledger_path) == []


@pytest.mark.parametrize("rest", [b"\0", b"junk in its place "])
def test_a_ledger_overwritten_from_end_to_end_is_restored_where_backups_tell_that_there_was_one(
    rich: Household, rest: bytes
) -> None:
    copy = backed_up(rich)
    size = rich.ledger_path.stat().st_size
    rich.ledger_path.write_bytes((rest * size)[:size])
    assert put_right(rich).restored_from == copy
    mirrored(rich)


def test_a_ledger_of_zeros_without_a_backup_begins_anew(rich: Household) -> None:
    """As a power cut may leave it."""
    rich.ledger_path.write_bytes(bytes(rich.ledger_path.stat().st_size))
    assert put_right(rich).restored_from is None
    mirrored(rich)


def test_a_disk_that_fails_again_and_again_is_not_filled_with_copies(rich: Household) -> None:
    for _ in range(3):
        scramble(rich.ledger_path, a_page_of(rich, "entries leaf"))
        put_right(rich)
        rich.catch_up()
    scramble(rich.ledger_path, a_page_of(rich, "entries leaf"))
    with pytest.raises(LedgerError, match="damaged 3 times within an hour") as told:
        put_right(rich)
    assert not isinstance(told.value, LedgerCorrupt)
    assert len(moved_aside(rich.ledger_path)) == 3


def test_sessions_and_their_history_are_saved_where_the_backup_has_none(rich: Household) -> None:
    backed_up(rich)
    connection = apsw.Connection(str(rich.ledger_path))
    connection.execute(
        "INSERT INTO sessions (installation_id, agent_id, session_key) VALUES (1, 'main', 'agent:main:x')"
    )
    connection.execute("INSERT INTO session_versions (session, seen_at, changed_json) VALUES (1, 5, '{}')")
    connection.close()
    scramble(rich.ledger_path, a_page_of(rich, "entries leaf"))
    put_right(rich)
    assert query(rich.ledger_path, "SELECT session_key FROM sessions") == [("agent:main:x",)]
    assert query(rich.ledger_path, "SELECT session, seen_at FROM session_versions") == [(1, 5)]


def test_a_purged_session_stays_out_of_the_ledger_that_takes_the_damaged_ones_place(
    rich: Household, cli_in_process: Cli
) -> None:
    """Its file is still there; what keeps it out is read from the damaged ledger."""
    purged = session_id(2)
    assert cli_in_process("purge", purged, "--yes", "--json", env=rich.environ).exit_code == 0
    scramble(rich.ledger_path, a_page_of(rich, "entries leaf"))
    assert put_right(rich).restored_from is None
    rich.catch_up()
    assert rich.path(name_of(2)).exists()
    assert query(rich.ledger_path, "SELECT count(*) FROM transcripts WHERE session_id = ?", purged) == [(0,)]
    assert query(rich.ledger_path, "SELECT count(*) FROM tombstones") == [(1,)]


def test_what_retention_dropped_is_saved_as_dropped(house: Household) -> None:
    house.write(name_of(1), transcript(1, 6))
    house.catch_up()
    (whole,) = query(house.ledger_path, "SELECT codec, data FROM _blocks")
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("UPDATE _blocks SET codec = ?, data = ?", cut(unpack(*whole), [], [(300, 400)]))
    connection.close()
    before = query(house.ledger_path, "SELECT codec, data FROM _blocks")
    put_right(house)
    assert query(house.ledger_path, "SELECT codec, data FROM _blocks") == before
