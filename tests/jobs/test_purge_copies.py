"""Which files a purge looks at: every copy of ours, half-made ones too, and nobody else's."""

import os
import sqlite3
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import apsw
import pytest

from syncd.jobs.purge import Purged, plan_purge, take_out
from syncd.ledger import burials
from syncd.ledger.burial_note import note_path, noted_burials
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.leftovers import remove_leftovers
from syncd.ledger.lock import writer_lock
from syncd.ledger.pins import Pin, pin, unpin
from syncd.ledger.tombstones import burials_of
from syncd.ledger.transaction import writing
from syncd.mirror.catchup import CatchUpOptions, lone_writer
from syncd.mirror.repair_plan import plan_repairs
from syncd.mirror.sessions_meant import sessions_meant
from tests.conftest import Cli
from tests.jobs.test_purge import copy_of, fork, purged, secret_lines, settle
from tests.jobs.traces import places_with
from tests.mirror.household import HandClock, Household, header, line, name_of, session_id, transcript
from tests.mirror_checks import query

HALF_MADE = (
    "backups/.ledger-20261116T042210.000Z.db.ab12.partial",
    "backups/.ledger-20261116T042210.000Z.db.ab12.partial-journal",
    "backups/.scheduled-20261116T042210.000Z.db.ab12.partial",
    "backups/.scheduled-20261116T042210.000Z.db.ab12.cleaning",
    ".ledger.db.corrupt-20261116T042210.000Z.ab12.cleaning",
    ".ledger.db.corrupt-20261116T042210.000Z.ab12.cleaning-journal",
)


@pytest.fixture
def told(house: Household) -> Household:
    """Session 7 is to go, 8 stays."""
    house.write(name_of(7), header(7) + secret_lines())
    house.write(name_of(8), transcript(8, 3))
    settle(house)
    return house


def database(path: Path, text: str) -> bytes:
    path.parent.mkdir(exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (text)")
        connection.execute("INSERT INTO notes VALUES (?)", (text,))
    connection.close()
    return path.read_bytes()


def test_other_peoples_databases_are_left_alone(told: Household) -> None:
    places = [told.ledger_path.with_name("ledger.db.notes"), told.ledger_path.parent / "backups" / "mine.db"]
    before = {path: database(path, "wolpertinger") for path in places}
    damaged = told.ledger_path.with_name("ledger.db.broken-notes")
    damaged.write_bytes(before[places[0]][:700] + bytes(400))
    assert purged(told, session_id(7)).copies == []
    assert {path: path.read_bytes() for path in places} == before
    assert damaged.exists()


def test_a_copy_by_a_newer_syncd_is_named_and_not_deleted(told: Household) -> None:
    backup = copy_of(told)
    with sqlite3.connect(backup) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    done = purged(told, session_id(7))
    assert not done.ok
    assert [path for path, _ in done.failed_copies] == [str(backup)]
    assert "newer syncd" in done.failed_copies[0][1]
    assert backup.exists()


def test_a_copy_of_ours_under_any_name_is_cleaned(told: Household) -> None:
    renamed = copy_of(told).rename(told.ledger_path.parent / "backups" / "before the holidays.sqlite")
    assert [Path(item.path) for item in purged(told, session_id(7)).copies] == [renamed]
    assert places_with(told.ledger_path.parent, "wolpertinger") == []


def test_a_pin_that_a_copy_still_has_tells_no_name(told: Household) -> None:
    def change(act: Callable[[apsw.Connection, Iterable[Pin]], int]) -> None:
        with writer_lock(told.ledger_path), open_for_writing(told.ledger_path) as ledger, writing(ledger) as connection:
            assert act(connection, sessions_meant(ledger, session_id(7)).pins) == 1

    change(partial(pin, now_ms=1))
    copy_of(told)
    change(unpin)
    purged(told, session_id(7))
    assert places_with(told.ledger_path.parent, session_id(7)) == []


def test_a_session_of_which_only_a_trajectory_is_known_is_purged_and_pinned_like_any_other(
    told: Household, cli_in_process: Cli
) -> None:
    told.write(f"{session_id(5)}.trajectory.jsonl", line({"seq": 1, "said": "wolpertinger"}))
    settle(told)
    assert cli_in_process("pin", session_id(5), "--json", env=told.environ).json["changed"] == 1
    assert cli_in_process("unpin", session_id(5), "--json", env=told.environ).json["changed"] == 1
    done = cli_in_process("purge", session_id(5), "--yes", "--json", env=told.environ)
    assert (done.exit_code, done.json["transcripts"]) == (0, 1)
    assert places_with(told.ledger_path.parent, session_id(5)) == []
    assert cli_in_process("verify", env=told.environ).exit_code == 0


def test_half_made_copies_go_with_a_purge(told: Household) -> None:
    for name in HALF_MADE:
        path = told.ledger_path.parent / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(16) + b"wolpertinger")
    assert purged(told, session_id(7)).ok
    assert places_with(told.ledger_path.parent, "wolpertinger") == []
    assert not [name for name in HALF_MADE if (told.ledger_path.parent / name).exists()]


CUT_SHORT = ("ledger.db.rescued", "ledger.db.rescued-journal", "ledger.db.restoring", "ledger.db.restoring-wal")
LONE = (
    "ledger.db.replaced-20261116T042210.000Z-wal",
    "ledger.db.corrupt-20261116T042210.000Z-shm",
    "ledger.db.schema-5.bak-journal",
    "backups/scheduled-20261116T042210.000Z.db-wal",
)


@pytest.mark.parametrize("names", [CUT_SHORT, LONE], ids=["cut_short", "lone"])
def test_so_do_ledgers_that_were_to_be_put_back_and_logs_of_copies_that_are_gone(
    told: Household, names: tuple[str, ...]
) -> None:
    """Of a file that SQLite has not finished, the first page comes last: nothing in it says what it is."""
    (told.ledger_path.parent / "backups").mkdir(exist_ok=True)
    for name in (*names, "ledger.db.notes-wal"):
        (told.ledger_path.parent / name).write_bytes(bytes(4096) + b"wolpertinger" + bytes(4084))
    assert purged(told, session_id(7)).ok
    (left,) = places_with(told.ledger_path.parent, "wolpertinger")
    assert left.startswith("ledger.db.notes-wal: ")


def test_else_only_what_nobody_can_be_writing(told: Household) -> None:
    for name in HALF_MADE:
        path = told.ledger_path.parent / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    backup = copy_of(told)
    assert remove_leftovers(told.ledger_path) == 4
    assert [name for name in HALF_MADE if (told.ledger_path.parent / name).exists()] == [*HALF_MADE[:2]]
    for name in HALF_MADE[:2]:
        os.utime(told.ledger_path.parent / name, (1, 1))
    assert remove_leftovers(told.ledger_path) == 2
    assert backup.exists()


def test_a_removal_cut_short_is_told_and_finished_by_retention(told: Household, cli_in_process: Cli) -> None:
    copy_of(told)
    clock = HandClock()
    with writer_lock(told.ledger_path), open_for_writing(told.ledger_path) as ledger, lone_writer(ledger, clock) as own:
        take_out(own, [], plan_purge(ledger, session_id(7), with_forks=False).wanted, "purge", Purged())
    cli = partial(cli_in_process, env=told.environ)
    planned = cli("retention", "--dry-run", "--json").json
    assert planned["plan"]["unfinished"] == 1
    assert "1 removal cut short" in cli("retention", "--dry-run").stdout
    assert "1 removal that had been cut short finished" in cli("retention").stdout
    assert cli("retention", "--dry-run", "--json").json["plan"]["unfinished"] == 0
    assert places_with(told.ledger_path.parent, "wolpertinger") == []


def test_after_a_purge_there_is_nothing_to_be_put_right(told: Household) -> None:
    fork(told)
    settle(told)
    purged(told, session_id(7))
    settle(told)
    with open_for_reading(told.ledger_path) as ledger:
        found = plan_repairs(ledger, (str(told.state_dir),), CatchUpOptions(), is_thorough=True)
    assert found.findings == ()


@pytest.mark.parametrize("first", [b"", header(20)], ids=["empty", "header"])
def test_a_file_that_turns_out_to_be_of_a_purged_session_is_turned_away(told: Household, first: bytes) -> None:
    purged(told, session_id(7), with_forks=True)
    told.write(name_of(20), first)
    settle(told)
    told.append(name_of(20), secret_lines() if first else header(7) + secret_lines())
    settle(told)
    settle(told)
    assert places_with(told.ledger_path.parent, "wolpertinger", "zyxquandary", session_id(7)) == []
    assert query(told.ledger_path, f"SELECT state, lines FROM transcripts WHERE session_id = '{session_id(20)}'") == [
        ("gone", len(first.splitlines()))
    ]
    assert told.verify().ok


def test_an_empty_file_that_becomes_another_session_is_read(told: Household) -> None:
    purged(told, session_id(7))
    told.path(name_of(7)).write_bytes(b"")
    settle(told)
    told.append(name_of(7), header(21))
    settle(told)
    told.path(name_of(7)).write_bytes(b"")
    settle(told)
    told.append(name_of(7), header(21) + transcript(21, 3).partition(b"\n")[2])
    settle(told)
    assert query(told.ledger_path, f"SELECT state, lines FROM transcripts WHERE session_id = '{session_id(21)}'") == [
        ("live", 4)
    ]
    assert told.verify().ok


@pytest.mark.parametrize("has_backup", [False, True])
def test_what_was_purged_stays_out_of_a_ledger_of_which_no_page_could_be_read(
    told: Household, cli_in_process: Cli, has_backup: bool
) -> None:
    purged(told, session_id(7))
    if has_backup:
        copy_of(told)
    with told.ledger_path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 3000)
    assert cli_in_process("repair", env=told.environ).exit_code == 0
    settle(told)
    assert query(told.ledger_path, "SELECT session_id FROM transcripts") == [(session_id(8),)]
    assert query(told.ledger_path, "SELECT what, why FROM tombstones") == [("session", "purge")]
    assert places_with(told.ledger_path.parent, "wolpertinger", "zyxquandary", session_id(7)) == []


def test_a_log_of_no_copy_that_cannot_be_removed_is_told_and_all_else_goes(
    told: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = copy_of(told)
    lone = backup.with_name("scheduled-20261116T042210.000Z.db-wal")
    lone.write_bytes(secret_lines())
    usual = Path.unlink

    def unlink(path: Path, *, missing_ok: bool = False) -> None:
        if path == lone:
            raise PermissionError(1, "Operation not permitted", str(path))
        usual(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    done = purged(told, session_id(7))
    assert (done.failed_copies, done.is_scoured) == ([(str(lone), "Operation not permitted")], True)
    found = places_with(told.ledger_path.parent, "wolpertinger", "zyxquandary", session_id(7))
    assert {place.partition(": ")[0] for place in found} == {lone.name}


def test_a_note_that_makes_no_sense_is_none(told: Household) -> None:
    purged(told, session_id(7))
    note = note_path(told.ledger_path)
    assert note.stat().st_mode & 0o777 == 0o600
    found = noted_burials(told.ledger_path)
    assert found is not None
    with open_for_reading(told.ledger_path) as ledger:
        assert found == burials_of(ledger)
    whole = note.read_bytes()
    odd_rows = [whole.replace(b'"purge"', other) for other in (b"[]", b"7", b'"purge", 7')]
    odd_rows.append(whole.replace(b'"line"', b'"lime"', 1))
    for text in (b"", b"{}", b'{"key": 1, "tombstones": [[]], "hashes": []}', b"\xff", *odd_rows):
        note.write_bytes(text)
        assert noted_burials(told.ledger_path) is None
        with open_for_writing(told.ledger_path):
            pass  # and stops nobody


def test_a_note_that_says_nothing_new_costs_an_opening_none_of_its_hashes(
    told: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Retention may have noted a thousand lines a day for years, and each opening for writing looks at the note."""
    purged(told, session_id(7))
    with monkeypatch.context() as watched:
        watched.setattr(burials, "noted_burials", lambda _: pytest.fail("all of it was read"))
        with open_for_writing(told.ledger_path):
            pass
