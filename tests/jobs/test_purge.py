"""A purged session is in no byte of anything that syncd keeps, and does not come back."""

import json
import shutil
from pathlib import Path

import apsw
import pytest

from syncd.daemon.follow import Follower
from syncd.errors import SyncdError, UserError
from syncd.jobs.job import Tools
from syncd.jobs.policies import Policies
from syncd.jobs.purge import Purged, finish, plan_purge, purge, take_out
from syncd.jobs.retention import apply, run
from syncd.ledger.backup import back_up, usual_place
from syncd.ledger.burial_note import note_path
from syncd.ledger.burials import burials_beside
from syncd.ledger.database import APPLICATION_ID, open_for_reading, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.migrate import migrations
from syncd.ledger.pins import pin
from syncd.ledger.tombstones import carry_over
from syncd.ledger.transaction import writing
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import CatchUp, CatchUpOptions, Pace, homes_of, lone_writer
from syncd.mirror.errands import Hands
from syncd.mirror.index_look import IndexOptions
from syncd.mirror.sessions_meant import sessions_meant
from syncd.settings import Settings
from tests.conftest import Cli
from tests.jobs.traces import places_with
from tests.mirror.household import HandClock, Household, header, line, message, name_of, session_id, transcript
from tests.mirror.indexed import entry, index_text
from tests.mirror_checks import assert_sound, query

SECRETS = ("zyxquandary", "wolpertinger", "Quirkelfeld")
"""Said by the user, said by the model, and the name of the chat."""
KEY = "agent:main:telegram:direct:vexillology"
JOB = "7f1d9c1e-0000-4000-8000-00000000000a"


def secret_lines(*, tool: bool = True) -> bytes:
    asked = message(901, "what of the zyxquandary?")
    answered = message(902, "the wolpertinger has it " * 50, role="assistant")
    result = {
        "role": "toolResult",
        "toolCallId": "c1",
        "toolName": "read",
        "isError": False,
        "timestamp": 1794802931903,
    }
    result["content"] = [{"type": "text", "text": "wolpertinger " * 2000}]
    read = line(
        {"type": "message", "id": "903", "parentId": "902", "timestamp": "2026-11-16T04:22:11.000Z", "message": result}
    )
    return asked + answered + (read if tool else b"")


def settle(house: Household, *, index: bool = True) -> CatchUp:
    options = IndexOptions({"HOME": str(house.state_dir.parent)}) if index else None
    return house.catch_up(CatchUpOptions(index=options))


@pytest.fixture
def furnished(house: Household) -> Household:
    """Session 7 with everything that can be of a session; 8 is another; 9 was forked from 7."""
    house.write(name_of(7), header(7) + secret_lines())
    house.write(name_of(8), transcript(8, 3))
    house.write(f"{name_of(7)}.bak-12-1794802934685", header(7) + secret_lines())
    house.write(f"{session_id(7)}.trajectory.jsonl", line({"seq": 1, "said": "zyxquandary wolpertinger"}))
    house.write(name_of(10), b'{"broken wolpertinger\n' + header(10))
    entries = {KEY: entry(7, displayName="Quirkelfeld", lastTo="zyxquandary"), "agent:main:main": entry(8)}
    house.write("sessions.json", index_text(entries))
    runs = house.state_dir / "cron" / "runs"
    runs.mkdir(parents=True)
    summary = {"ts": 1794802930000, "jobId": JOB, "status": "ok", "summary": "zyxquandary", "sessionId": session_id(7)}
    other = {**summary, "summary": "quiet", "sessionId": session_id(8)}
    (runs / f"{JOB}.jsonl").write_bytes(line(summary) + line(other))
    settle(house)
    house.append(name_of(7), message(904, "and Quirkelfeld itself"))
    house.write(name_of(7), header(7) + secret_lines() + message(905, "Quirkelfeld, rewritten"))
    settle(house)
    return house


def fork(house: Household, number: int = 9) -> None:
    parent = str(house.path(name_of(7)))
    house.write(name_of(number), header(number, parentSession=parent) + secret_lines() + message(99, "a new way"))


def purged(house: Household, name: str, *, with_forks: bool = False) -> Purged:
    clock = HandClock()
    with (
        writer_lock(house.ledger_path),
        open_for_writing(house.ledger_path) as ledger,
        lone_writer(ledger, clock) as writer,
    ):
        plan = plan_purge(ledger, name, with_forks=with_forks)
        homes = list(homes_of(writer, (str(house.state_dir),), CatchUpOptions(), CatchUp()))
        return purge(writer, homes, Pace(clock), plan.wanted)


def copy_of(house: Household) -> Path:
    with open_for_reading(house.ledger_path) as ledger:
        return back_up(ledger, usual_place(house.ledger_path, 1_794_802_930_000)).path


def of_schema(version: int, source: Path, target: Path) -> None:
    """The same rows in a ledger as an older syncd left it."""
    connection = apsw.Connection(str(target))
    connection.execute("PRAGMA foreign_keys = OFF; ATTACH ? AS newer", (str(source),))
    for number, sql in sorted(migrations().items()):
        if number <= version:
            connection.execute(sql)
    tables = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%'"
    for (table,) in list(connection.execute(tables)):
        columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA main.table_info({table})"))
        connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}")
    connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def left(house: Household) -> list[str]:
    return places_with(house.ledger_path.parent, *SECRETS, session_id(7), "vexillology")


def test_a_purged_session_is_in_no_byte_of_ledger_wal_and_tables(furnished: Household) -> None:
    house = furnished
    house.path(name_of(10)).unlink()  # its broken line is another session's, which stays
    purged(house, session_id(10))
    assert left(house), "it must be there to begin with"

    done = purged(house, KEY)

    assert done.ok
    assert done.counts.sessions == 1
    assert done.counts.transcripts == 3
    assert left(house) == []
    assert_sound(house.ledger_path)
    assert query(house.ledger_path, "SELECT session_id FROM transcripts") == [(session_id(8),)]
    assert query(house.ledger_path, "SELECT session_key FROM sessions") == [("agent:main:main",)]
    assert query(house.ledger_path, "SELECT session_id FROM cron_runs") == [(session_id(8),)]
    told = query(
        house.ledger_path, "SELECT what, why, sessions, transcripts, scoured_at > 0 FROM tombstones WHERE sessions = 1"
    )
    assert told == [("session", "purge", 1, 3, 1)]


def test_it_does_not_come_back_from_disk(furnished: Household) -> None:
    house = furnished
    purged(house, session_id(10))
    purged(house, KEY)
    for _ in range(2):
        settle(house)
        assert left(house) == []
    house.append(name_of(7), message(906, "still the zyxquandary"))  # OpenClaw goes on with it
    house.write(
        "sessions.json", index_text({KEY: entry(7, 1794802999000, label="Quirkelfeld"), "agent:main:main": entry(8)})
    )
    found = house.catch_up(CatchUpOptions(prove_all=True, index=IndexOptions({"HOME": "/"})))
    assert (found.transcripts, found.problems, found.in_progress) == (0, [], [])
    assert left(house) == []
    verification = house.verify()
    assert verification.ok
    assert verification.kept_out == 4


def test_nor_under_an_archives_name_nor_as_a_copy(furnished: Household) -> None:
    house = furnished
    purged(house, session_id(10))
    purged(house, session_id(7))
    house.rename(name_of(7), f"{name_of(7)}.reset.2026-11-16T04-22-14.522Z")
    house.write(f"{session_id(7)}.checkpoint.{session_id(55)}.jsonl", header(7) + secret_lines())
    house.write("notes.jsonl", header(7) + secret_lines())
    house.write("headless.jsonl", secret_lines())
    (house.import_archive() / f"main.{name_of(7)}.imported-1794802934685").write_bytes(header(7) + secret_lines())
    (house.sessions("ops") / name_of(7)).write_bytes(header(7) + secret_lines())
    settle(house)
    assert left(house) == []
    assert house.verify().ok


def test_a_path_that_a_purged_session_takes_over_is_not_read(furnished: Household) -> None:
    house = furnished
    purged(house, session_id(10))
    purged(house, session_id(7))
    house.replace(name_of(8), header(7) + secret_lines())
    settle(house)
    assert left(house) == []
    assert query(house.ledger_path, "SELECT state FROM transcripts") == [("gone",)]
    settle(house)
    assert house.verify().ok


def test_forks_are_listed_and_stay_unless_they_are_asked_for(furnished: Household) -> None:
    house = furnished
    fork(house)
    settle(house)
    with open_for_reading(house.ledger_path) as ledger:
        plan = plan_purge(ledger, KEY, with_forks=False)
    assert [(item.session_id, item.is_descendant) for item in plan.relatives] == [(session_id(9), True)]

    purged(house, KEY)
    assert_sound(house.ledger_path)
    rows = query(
        house.ledger_path,
        "SELECT session_id, parent_transcript_id, lineage_id = id FROM transcripts WHERE kind = 'fork'",
    )
    assert rows == [(session_id(9), None, 1)]
    settle(house)
    assert house.verify().ok


def test_with_forks_their_repeated_lines_go_too_and_later_forks_stay_out(furnished: Household) -> None:
    house = furnished
    fork(house)
    settle(house)
    purged(house, session_id(10))
    done = purged(house, KEY, with_forks=True)
    assert done.counts.transcripts == 4
    assert left(house) == []
    fork(house, 12)  # a new one, of the session that OpenClaw still has
    house.write(name_of(13), header(13) + secret_lines(tool=False))  # and one that says of nobody that it is its parent
    house.append(name_of(9), message(100, "Quirkelfeld"))
    settle(house)
    assert left(house) == []
    assert house.verify().ok


def test_backups_and_ledgers_moved_aside_are_cleaned_and_keep_it_out_when_restored(furnished: Household) -> None:
    house = furnished
    backup = copy_of(house)
    aside = house.ledger_path.with_name("ledger.db.corrupt-20261116T042210Z")
    shutil.copy(house.ledger_path, aside)
    older = house.ledger_path.with_name("ledger.db.schema-4.bak")
    of_schema(4, backup, older)
    ruined = house.ledger_path.with_name("ledger.db.corrupt-20261116T042211Z")
    raw = bytearray(backup.read_bytes())
    for page in range(1, len(raw) // 16384, 2):
        raw[page * 16384 : page * 16384 + 4096] = bytes(4096)
    ruined.write_bytes(raw)
    purged(house, session_id(10))

    done = purged(house, KEY)

    assert left(house) == []
    assert {Path(item.path).name for item in done.copies} == {backup.name, aside.name, older.name}
    assert not ruined.exists()
    assert backup.stat().st_mode & 0o777 == 0o600
    for copy in (backup, older):
        assert query(copy, "SELECT session_id FROM transcripts") == [(session_id(8),)]
    for copy in (backup, aside):
        for end in ("", "-wal", "-shm"):
            house.ledger_path.with_name(f"ledger.db{end}").unlink(missing_ok=True)
        shutil.copy(copy, house.ledger_path)
        settle(house)
        assert left(house) == []
        assert house.verify().ok
    assert purged(house, session_id(7)).copies == [], "what is clean is not written again"


def test_a_purge_cut_short_is_finished_from_its_tombstone(furnished: Household) -> None:
    house = furnished
    backup, clock = copy_of(house), HandClock()
    purged(house, session_id(10))
    with (
        writer_lock(house.ledger_path),
        open_for_writing(house.ledger_path) as ledger,
        lone_writer(ledger, clock) as writer,
    ):
        take_out(writer, [], plan_purge(ledger, KEY, with_forks=False).wanted, "purge", Purged())
    assert query(house.ledger_path, "SELECT count(*) FROM tombstones WHERE scoured_at IS NULL") == [(1,)]
    assert places_with(backup.parent, *SECRETS)
    settle(house)
    with (
        writer_lock(house.ledger_path),
        open_for_writing(house.ledger_path) as ledger,
        lone_writer(ledger, clock) as writer,
    ):
        done = Purged()
        finish(writer, Pace(clock), done)
    assert done.ok
    assert left(house) == []


def test_one_who_reads_for_long_keeps_the_purge_unfinished_and_is_told(furnished: Household) -> None:
    house = furnished
    with open_for_reading(house.ledger_path) as reader:
        reader.run("BEGIN")
        assert reader.row("SELECT count(*) FROM entries") is not None
        done = purged(house, session_id(8))
        assert not done.is_scoured
        reader.run("ROLLBACK")
    assert purged(house, session_id(8)).is_scoured


def test_only_one_id_of_a_key_can_be_purged(furnished: Household) -> None:
    house = furnished
    house.write(name_of(11), header(11) + message(1, "after the reset"))
    house.write("sessions.json", index_text({KEY: entry(11, 1794802999000), "agent:main:main": entry(8)}))
    settle(house)
    purged(house, session_id(10))
    purged(house, session_id(7))
    assert places_with(house.ledger_path.parent, *SECRETS, session_id(7)) == []
    assert query(house.ledger_path, "SELECT session_key, session_id FROM session_ids WHERE session_key = ?", KEY) == [
        (KEY, session_id(11))
    ]
    assert_sound(house.ledger_path)


def test_a_new_session_under_a_purged_key_is_mirrored(furnished: Household) -> None:
    house = furnished
    purged(house, KEY)
    house.write(name_of(11), header(11) + message(1, "after the reset"))
    house.write("sessions.json", index_text({KEY: entry(11, 1794802999000), "agent:main:main": entry(8)}))
    settle(house)
    assert query(house.ledger_path, "SELECT session_id FROM sessions WHERE session_key = ?", KEY) == [(session_id(11),)]


def test_a_rebuild_does_not_bring_it_back(furnished: Household, cli_in_process: Cli) -> None:
    house = furnished
    purged(house, session_id(10))
    purged(house, KEY)
    assert cli_in_process("resync", "--rebuild", env=house.environ).exit_code == 0
    assert left(house) == []
    assert house.verify().ok


def test_a_pinned_session_is_not_purged(furnished: Household) -> None:
    house = furnished
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger, writing(ledger) as connection:
        pin(connection, sessions_meant(ledger, KEY).pins, 1)
    with pytest.raises(UserError, match="pinned"):
        purged(house, session_id(7))


def test_who_was_purged_is_told_apart_from_who_never_was(furnished: Household) -> None:
    house = furnished
    purged(house, KEY)
    with open_for_reading(house.ledger_path) as ledger:
        assert plan_purge(ledger, session_id(7), with_forks=False).is_again
        assert plan_purge(ledger, KEY, with_forks=False).is_again
        with pytest.raises(SyncdError, match="no session"):
            plan_purge(ledger, session_id(77), with_forks=False)


def test_a_tombstone_of_one_ledger_says_nothing_in_another(furnished: Household, tmp_path: Path) -> None:
    house = furnished
    other = Household(house.state_dir, tmp_path / "other" / "ledger.db")
    settle(other)
    for each in (house, other):
        purged(each, KEY)
    hashes = [set(query(each.ledger_path, "SELECT hash FROM _kept_out")) for each in (house, other)]
    assert hashes[0]
    assert hashes[0].isdisjoint(hashes[1])
    assert json.dumps(SECRETS)


def test_a_cron_log_that_is_written_anew_does_not_bring_its_runs_back(furnished: Household) -> None:
    house = furnished
    purged(house, session_id(10))
    purged(house, KEY)
    log = house.state_dir / "cron" / "runs" / f"{JOB}.jsonl"
    runs = log.read_bytes() + line({"ts": 1794802930009, "jobId": JOB, "summary": "late", "sessionId": session_id(8)})
    runs += line({"ts": 1794802930010, "jobId": JOB, "summary": "zyxquandary", "sessionKey": KEY})
    log.with_suffix(".tmp").write_bytes(runs)
    log.with_suffix(".tmp").rename(log)
    settle(house)
    assert left(house) == []
    told = query(house.ledger_path, "SELECT raw_json ->> 'summary' FROM cron_runs ORDER BY id")
    assert told == [("quiet",), ("late",)]


def test_files_that_are_kept_out_are_no_missed_events(furnished: Household) -> None:
    house, clock = furnished, HandClock()
    purged(house, KEY)
    clock.sleep(60)
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, clock)
        try:
            follower = Follower(writer, str(house.state_dir), CatchUpOptions())
            for _ in range(3):
                follower.look_at_everything(counts_missed=True)
            assert follower.figures.missed_events == 0
            assert follower.freshness().behind_bytes == 0
        finally:
            writer.close()


def test_what_comes_back_with_an_older_ledger_goes_again_with_the_next_retention(furnished: Household) -> None:
    house, clock = furnished, HandClock()
    older = house.ledger_path.with_name("kept elsewhere")
    with open_for_reading(house.ledger_path) as ledger:
        back_up(ledger, older)
    purged(house, session_id(10))
    purged(house, KEY)
    burials = burials_beside(house.ledger_path)
    assert burials is not None
    note_path(house.ledger_path).unlink()  # whoever opens it would take it out by that
    for end in ("", "-wal", "-shm"):
        house.ledger_path.with_name(f"ledger.db{end}").unlink(missing_ok=True)
    older.rename(house.ledger_path)
    with (
        writer_lock(house.ledger_path),
        open_for_writing(house.ledger_path) as ledger,
        lone_writer(ledger, clock) as writer,
    ):
        with writing(ledger) as connection:
            carry_over(burials, connection)
        done = apply(Hands(writer, (), Pace(clock)), Policies())
    assert (done.returned, done.ok) == (2, True)
    assert left(house) == []
    settle(house)
    assert left(house) == []
    assert_sound(house.ledger_path)


def test_the_scheduled_job_does_nothing_by_default_and_finishes_what_was_cut_short(furnished: Household) -> None:
    house, clock = furnished, HandClock()
    purged(house, session_id(10))
    with (
        writer_lock(house.ledger_path),
        open_for_writing(house.ledger_path) as ledger,
        lone_writer(ledger, clock) as writer,
    ):
        tools = Tools(ledger, writer, clock, Settings(), (), Pace(clock), CatchUpOptions())
        before = ledger.connection.total_changes()
        quiet = run(tools)
        assert (quiet.ok, quiet.summary["removed"], ledger.connection.total_changes()) == (True, {}, before)
        take_out(writer, [], plan_purge(ledger, KEY, with_forks=False).wanted, "purge", Purged())
        finished = run(tools)
    assert (finished.ok, finished.summary["is_scoured"]) == (True, True)
    assert left(house) == []
