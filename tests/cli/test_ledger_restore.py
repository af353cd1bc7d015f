"""`syncd ledger restore`: checked first, nothing overwritten, and caught up to the last byte afterwards."""

import json
import os
import resource
import shutil
import sqlite3
from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerError
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.replacing import finish_replacing, moved_aside, remove_scratch, scratch_place
from syncd.ledger.row_checksums import keep_checksums
from tests.conftest import Cli
from tests.ledger.damaging import PAGE, pages_of
from tests.mirror.household import Household, message, name_of, session_id, transcript
from tests.mirror_checks import exported, mirrored, only_transcript, query, transcripts


@pytest.fixture
def house(house: Household) -> Household:
    house.write(name_of(1), transcript(1, 5))
    house.catch_up()
    return house


@pytest.fixture
def backup(cli_in_process: Cli, house: Household) -> Path:
    return Path(cli_in_process("ledger", "backup", "--json", env=house.environ).json["path"])


def test_the_newest_backup_is_put_back_and_the_files_are_read_again(
    cli_in_process: Cli, house: Household, backup: Path
) -> None:
    house.append(name_of(1), message(6))
    house.write(name_of(2), transcript(2, 3))
    house.catch_up()
    done = cli_in_process("ledger", "restore", "--json", env=house.environ)
    assert done.exit_code == 0, done.stderr
    assert (done.json["ok"], done.json["source"], done.json["transcripts"]) == (True, str(backup), 1)
    assert only_transcript(house.ledger_path).lines == 6
    aside = Path(done.json["moved_aside"])
    assert [row.lines for row in transcripts(aside)] == [7, 4]
    mirrored(house)
    assert [row.lines for row in transcripts(house.ledger_path)] == [7, 4]
    assert [name for name in os.listdir(aside.parent) if "restoring" in name] == []


def test_a_named_file_is_restored_also_where_there_is_no_ledger_any_more(
    cli_in_process: Cli, house: Household, backup: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.db"
    backup.rename(elsewhere)
    for file in house.ledger_path.parent.glob("ledger.db*"):
        file.unlink()
    done = cli_in_process("ledger", "restore", elsewhere, env=house.environ)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].startswith(f"restored {elsewhere}: 1 transcript, ")
    assert "kept as" not in done.stdout
    assert exported(house.ledger_path, 1, 1) == transcript(1, 5)
    assert house.ledger_path.stat().st_mode & 0o777 == 0o600
    assert elsewhere.exists()


def test_a_backup_that_is_not_sound_changes_nothing(cli_in_process: Cli, house: Household, backup: Path) -> None:
    before = house.ledger_path.read_bytes()
    connection = apsw.Connection(str(backup))
    connection.execute("UPDATE _blocks SET data = CAST(substr(data, 1, 40) || x'ff' || substr(data, 42) AS BLOB)")
    connection.close()
    for args in ((), (backup,)):
        refused = cli_in_process("ledger", "restore", *args, "--json", env=house.environ)
        assert refused.exit_code == 1
        assert refused.json["error"]["type"] == "ledger_corrupt"
        assert str(backup) in refused.json["error"]["message"]
    assert house.ledger_path.read_bytes() == before
    assert moved_aside(house.ledger_path) == []
    assert not scratch_place(house.ledger_path).exists()


def test_an_older_backup_is_taken_where_the_newest_is_not_sound(
    cli_in_process: Cli, house: Household, backup: Path
) -> None:
    newest = backup.with_name("ledger-20990101T000000.000Z.db")
    newest.write_bytes(backup.read_bytes()[:-20000])
    done = cli_in_process("ledger", "restore", "--json", env=house.environ)
    assert (done.exit_code, done.json["source"]) == (0, str(backup))


def test_a_copy_that_cannot_be_written_leaves_no_half_of_it_on_a_full_disk(
    cli_in_process: Cli, house: Household, backup: Path
) -> None:
    before = sorted(os.listdir(house.ledger_path.parent))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (backup.stat().st_size // 2, hard))
    try:
        done = cli_in_process("ledger", "restore", backup, env=house.environ)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert done.exit_code == 1
    assert sorted(os.listdir(house.ledger_path.parent)) == before


def test_what_is_no_ledger_is_refused(cli_in_process: Cli, house: Household, tmp_path: Path) -> None:
    text, foreign = tmp_path / "text.db", tmp_path / "foreign.db"
    text.write_text("a letter " * 5000)
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE mine (id)")
    connection.close()
    for file, code in ((text, 1), (foreign, 1), (tmp_path / "none.db", 2), (house.ledger_path, 2)):
        refused = cli_in_process("ledger", "restore", file, "--json", env=house.environ)
        assert refused.exit_code == code, file
        hint = "name a copy made by" if code == 2 else "name another copy"
        assert refused.json["error"]["hint"].startswith(hint), "`syncd repair` is for the ledger itself"
    assert only_transcript(house.ledger_path).lines == 6
    nothing = cli_in_process("ledger", "restore", env=house.environ)
    assert (nothing.exit_code, "there is no backup" in nothing.stderr) == (1, True)


def test_a_backup_of_a_newer_syncd_is_refused(cli_in_process: Cli, house: Household, backup: Path) -> None:
    connection = apsw.Connection(str(backup))
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    assert cli_in_process("ledger", "restore", backup, env=house.environ).exit_code == 78


def test_while_another_writes_nothing_is_restored(cli_in_process: Cli, house: Household, backup: Path) -> None:
    with writer_lock(house.ledger_path):
        assert cli_in_process("ledger", "restore", env=house.environ).exit_code == 75


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_crash_between_the_renames_is_finished_by_whoever_writes_next(
    house: Household, backup: Path, moved: int
) -> None:
    """The note is written; of the renames that follow, none, the log's or both of the old ledger's are done."""
    house.append(name_of(1), message(6))
    house.catch_up()
    path, scratch = house.ledger_path, scratch_place(house.ledger_path)
    wal = path.with_name("ledger.db-wal")
    wal.write_bytes(b"")
    shutil.copy(backup, scratch)
    scratch.with_name("ledger.db.restoring.json").write_text('{"aside": "ledger.db.replaced-20261116T000000.000Z"}')
    for name in ("ledger.db-wal", "ledger.db")[:moved]:
        path.with_name(name).rename(
            path.with_name(name.replace("ledger.db", "ledger.db.replaced-20261116T000000.000Z"))
        )
    house.catch_up()
    assert not scratch.exists()
    assert [file.name for file in moved_aside(path)] == ["ledger.db.replaced-20261116T000000.000Z"]
    assert not list(path.parent.glob("*.json"))
    mirrored(house)
    assert [row.lines for row in transcripts(moved_aside(path)[0])] == [7]
    finish_replacing(path)
    assert query(path, "SELECT count(*) FROM transcripts") == [(1,)]


def test_a_copy_that_is_about_to_take_the_ledgers_place_is_not_cleared_away(house: Household, backup: Path) -> None:
    scratch = scratch_place(house.ledger_path)
    shutil.copy(backup, scratch)
    scratch.with_name("ledger.db.restoring.json").write_text('{"aside": "ledger.db.replaced-20261116T000000.000Z"}')
    remove_scratch(house.ledger_path)
    assert scratch.exists()
    finish_replacing(house.ledger_path)
    assert not scratch.exists()
    mirrored(house)


def test_a_ledger_that_was_moved_aside_for_one_that_never_came_is_put_back(house: Household) -> None:
    path = house.ledger_path
    path.rename(path.with_name("ledger.db.corrupt-20261116T000000.000Z"))
    note = path.with_name("ledger.db.restoring.json")
    note.write_text('{"aside": "ledger.db.corrupt-20261116T000000.000Z"}')
    finish_replacing(path)
    assert (note.exists(), moved_aside(path)) == (False, [])
    mirrored(house)


def test_while_the_next_ledger_cannot_be_put_in_place_none_begins_anew(house: Household, backup: Path) -> None:
    path = house.ledger_path
    aside = path.with_name("ledger.db.corrupt-20261116T000000.000Z")
    (aside / "in the way").mkdir(parents=True)
    shutil.copy(backup, scratch_place(path))
    path.with_name("ledger.db.restoring.json").write_text(f'{{"aside": "{aside.name}"}}')
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="could not be replaced"):
        open_for_writing(path)
    assert path.read_bytes() == before
    shutil.rmtree(aside)
    house.catch_up()
    assert moved_aside(path) == [aside]
    mirrored(house)


def changed(path: Path, *statements: str, seals: bool = False) -> None:
    connection = apsw.Connection(str(path))
    if seals:
        keep_checksums(connection)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def xor(path: Path, what: str, count: int = 40) -> None:
    """The last bytes of the first such page: of the row that came into it first."""
    page = next(number for number, held in pages_of(path).items() if held == what)
    with path.open("r+b") as file:
        file.seek(page * PAGE - count)
        damaged = bytes(byte ^ 0x15 for byte in file.read(count))
        file.seek(page * PAGE - count)
        file.write(damaged)


def with_index(house: Household) -> None:
    entry = {"sessionId": session_id(1), "updatedAt": 5, "label": "mine", "subject": "all that there is to say"}
    (house.sessions() / "sessions.json").write_text(json.dumps({"agent:main:main": entry}))


def rows_of(path: Path) -> list[object]:
    """Without their ids, which are given anew."""
    texts = "SELECT text FROM messages ORDER BY id"
    return [query(path, texts), query(path, "SELECT status FROM turns"), query(path, "SELECT label FROM sessions")]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE messages SET text = 'fl1pped' WHERE id = 3",
        "UPDATE turns SET status = 'error' WHERE id = 1",
        "UPDATE sessions SET label = 'm1ne'",
        "UPDATE sessions SET entry_json = replace(entry_json, 'mine', 'm1ne')",
    ],
)
def test_rows_that_rotted_in_a_backup_are_made_again_from_what_is_whole(
    cli_in_process: Cli, house: Household, damage: str
) -> None:
    with_index(house)
    env = {**house.environ, "OPENCLAW_STATE_DIR": str(house.state_dir)}
    cli_in_process("resync", env=env)
    backup = Path(cli_in_process("ledger", "backup", "--json", env=env).json["path"])
    sound = rows_of(house.ledger_path)
    changed(backup, damage)
    done = cli_in_process("ledger", "restore", backup, env=env)
    assert done.exit_code == 0, done.stderr
    assert "transcripts and rows that were damaged in it, and are right again: 1" in done.stdout.splitlines()
    assert cli_in_process("ledger", "check", env=env).exit_code == 0
    assert rows_of(house.ledger_path) == sound
    mirrored(house)


def test_a_row_in_a_backup_of_which_more_than_a_byte_is_lost_is_told_of(cli_in_process: Cli, house: Household) -> None:
    """All else that the backup has is worth more than that; the index makes the session again."""
    with_index(house)
    env = {**house.environ, "OPENCLAW_STATE_DIR": str(house.state_dir)}
    cli_in_process("resync", env=env)
    sound = rows_of(house.ledger_path)
    backup = Path(cli_in_process("ledger", "backup", "--json", env=env).json["path"])
    xor(backup, "sessions leaf")
    done = cli_in_process("ledger", "restore", backup, env=env)
    assert done.exit_code == 0, done.stderr
    assert "rows that were damaged in it, and of which values are lost: 1" in done.stdout.splitlines()
    assert cli_in_process("ledger", "check", env=env).exit_code == 0
    assert cli_in_process("resync", env=env).exit_code == 0
    assert rows_of(house.ledger_path) == sound


@pytest.mark.parametrize(
    "damage", ["UPDATE sessions SET entry_json = replace(entry_json, 'mine', 'm1ne')", "messages leaf"]
)
def test_a_backup_whose_rows_nothing_makes_again_is_refused(cli_in_process: Cli, house: Household, damage: str) -> None:
    with_index(house)
    env = {**house.environ, "OPENCLAW_STATE_DIR": str(house.state_dir)}
    cli_in_process("resync", env=env)
    backup = Path(cli_in_process("ledger", "backup", "--json", env=env).json["path"])
    if damage.startswith("UPDATE"):
        changed(backup, damage, seals=True)
    else:
        xor(backup, damage)
    refused = cli_in_process("ledger", "restore", backup, "--json", env=env)
    assert (refused.exit_code, refused.json["error"]["type"]) == (1, "ledger_corrupt")
    assert refused.json["error"]["hint"].startswith("name another copy")
    assert moved_aside(house.ledger_path) == []


@pytest.mark.parametrize("verb", [("repair",), ("pin", session_id(1))])
def test_a_replacement_that_was_cut_short_is_told_to_readers_and_finished_by_whoever_writes(
    house: Household, backup: Path, cli_in_process: Cli, verb: tuple[str, ...]
) -> None:
    path = house.ledger_path
    shutil.copy(backup, scratch_place(path))
    path.rename(path.with_name("ledger.db.corrupt-20261116T000000.000Z"))
    path.with_name("ledger.db.restoring.json").write_text('{"aside": "ledger.db.corrupt-20261116T000000.000Z"}')
    for reader in (("sessions",), ("repair", "--dry-run")):
        told = cli_in_process(*reader, "--json", env=house.environ)
        assert (told.exit_code, "cut short" in told.json["error"]["message"]) == (1, True), told
        assert not path.exists()
    assert cli_in_process(*verb, "--json", env=house.environ).exit_code == 0
    assert not scratch_place(path).exists()
    mirrored(house)
