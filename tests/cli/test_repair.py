"""`syncd repair` through the command line: the plan, the act, and a damaged file, alone and beside a daemon."""

from pathlib import Path

import apsw
import pytest

from syncd.ledger.replacing import moved_aside
from syncd.ledger.row_checksums import keep_checksums
from tests.conftest import Cli
from tests.daemon.process import daemon
from tests.ledger.damaging import all_generations, pages_of, rich_household, scramble
from tests.mirror.household import Household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, query


@pytest.fixture
def rich(house: Household) -> Household:
    rich_household(house)
    return house


def test_a_sound_ledger_needs_nothing(cli_in_process: Cli, rich: Household) -> None:
    dry = cli_in_process("repair", "--dry-run", env=rich.environ)
    assert (dry.exit_code, dry.stdout) == (0, "nothing to be put right\n")
    done = cli_in_process("repair", "--json", env=rich.environ)
    assert (done.exit_code, done.json["ok"], done.json["plan"], done.json["recovered"]) == (0, True, [], None)
    told = cli_in_process("repair", env=rich.environ)
    assert (told.stdout, told.stderr) == ("nothing was wrong\n", "nothing to be put right\n")


def test_the_plan_is_printed_and_a_dry_run_changes_nothing(cli_in_process: Cli, rich: Household) -> None:
    connection = apsw.Connection(str(rich.ledger_path))
    keep_checksums(connection)
    connection.execute("UPDATE transcripts SET projection = 1 WHERE id = 2")
    connection.close()
    rich.append(name_of(1), message(6))
    before = query(rich.ledger_path, "SELECT count(*) FROM sync_events")
    dry = cli_in_process("repair", "--dry-run", "--json", env=rich.environ)
    assert dry.exit_code == 0
    assert "with --dry-run: the plan was made, whatever is in it" in cli_in_process("repair", "--help").stdout
    assert [(item["action"], item["count"]) for item in dry.json["plan"]] == [("rows", 1), ("files", 1)]
    assert query(rich.ledger_path, "SELECT count(*) FROM sync_events") == before
    done = cli_in_process("repair", env=rich.environ)
    assert done.exit_code == 0
    assert "       1  transcripts whose rows were made by older rules: derive them again\n" in done.stderr
    assert done.stdout.splitlines() == ["1 transcript derived anew", "1 line read that had been missed"]
    assert_mirrors(rich)


def test_a_damaged_ledger_is_moved_aside_restored_caught_up_and_verified(cli: Cli, rich: Household) -> None:
    assert cli("ledger", "backup", env=rich.environ).exit_code == 0
    rich.write(name_of(7), transcript(7, 9))
    rich.catch_up()
    expected = all_generations(rich.ledger_path)
    scramble(
        rich.ledger_path, next(page for page, what in pages_of(rich.ledger_path).items() if what == "entries leaf")
    )
    pristine = rich.ledger_path.read_bytes()
    dry = cli("repair", "--dry-run", env=rich.environ)
    assert dry.exit_code == 0
    assert f"the ledger {rich.ledger_path} is damaged" in dry.stdout
    assert "it is to be moved aside, restored from " in dry.stdout
    assert rich.ledger_path.read_bytes() == pristine
    done = cli("repair", "--json", env=rich.environ)
    assert done.exit_code == 0, done.stderr
    assert (done.json["ok"], done.json["recovered"]["transcripts"]) == (True, 1)
    assert moved_aside(rich.ledger_path) == [Path(done.json["recovered"]["moved_aside"])]
    assert cli("verify", env=rich.environ).exit_code == 0
    assert cli("ledger", "check", env=rich.environ).exit_code == 0
    assert all_generations(rich.ledger_path) == expected


def test_the_running_daemon_repairs_when_it_is_asked(cli: Cli, rich: Household) -> None:
    with daemon(rich) as running:
        running.is_following()
        connection = apsw.Connection(str(rich.ledger_path))
        connection.set_busy_timeout(5000)
        keep_checksums(connection)
        connection.execute("UPDATE transcripts SET projection = 1 WHERE id = 2")
        connection.close()
        done = cli("repair", "--json", env=rich.environ)
        assert (done.exit_code, done.json["found"]) == (0, {"rows": 1})
        assert running.process.poll() is None
    assert_mirrors(rich)


def test_a_daemon_that_finds_rows_of_another_version_says_so_and_derives_them(rich: Household) -> None:
    connection = apsw.Connection(str(rich.ledger_path))
    keep_checksums(connection)
    connection.execute("UPDATE transcripts SET projection = 1 WHERE id = 2")
    connection.close()
    with daemon(rich) as running:
        assert running.has_said("deriving")["transcripts"] == 1
        running.has_said("derived")
    assert query(rich.ledger_path, "SELECT count(DISTINCT projection) FROM transcripts") == [(1,)]
    assert_mirrors(rich)


def test_the_running_daemon_recovers_a_file_that_repair_finds_damaged(cli: Cli, rich: Household) -> None:
    assert cli("ledger", "backup", env=rich.environ).exit_code == 0
    expected = all_generations(rich.ledger_path)
    with daemon(rich) as running:
        running.is_following()
        scramble(
            rich.ledger_path, next(page for page, what in pages_of(rich.ledger_path).items() if what == "entries leaf")
        )
        done = cli("repair", "--json", env=rich.environ)
        assert (done.exit_code, done.json["ok"]) == (0, True), done
        assert running.process.poll() is None
    assert len(moved_aside(rich.ledger_path)) == 1
    assert_mirrors(rich)
    assert all_generations(rich.ledger_path) == expected


def test_without_a_ledger_there_is_nothing_to_repair(cli_in_process: Cli, house: Household) -> None:
    missing = cli_in_process("repair", "--json", env=house.environ)
    assert (missing.exit_code, missing.json["error"]["type"]) == (1, "ledger")
    assert not house.ledger_path.exists()


def test_what_was_never_a_ledger_is_told_before_any_plan(cli_in_process: Cli, house: Household) -> None:
    house.ledger_path.parent.mkdir(mode=0o700)
    house.ledger_path.write_text("a letter to my aunt " * 2000)
    result = cli_in_process("repair", env=house.environ)
    assert result.exit_code == 1
    assert "no ledger of syncd" in result.stderr
    assert "moved aside" not in result.stderr
    assert house.ledger_path.read_text().startswith("a letter")


def test_a_zeroed_ledger_is_restored_from_its_backup(cli_in_process: Cli, rich: Household) -> None:
    assert cli_in_process("ledger", "backup", env=rich.environ).exit_code == 0
    rich.ledger_path.write_bytes(bytes(rich.ledger_path.stat().st_size))
    assert cli_in_process("repair", env=rich.environ).exit_code == 0
    assert cli_in_process("verify", env=rich.environ).exit_code == 0


def test_rows_that_rotted_in_the_backup_are_right_after_a_recovery(cli_in_process: Cli, rich: Household) -> None:
    backup = cli_in_process("ledger", "backup", "--json", env=rich.environ).json["path"]
    connection = apsw.Connection(backup)
    connection.execute("UPDATE messages SET text = 'fl1pped' WHERE id = 3")
    connection.close()
    sound = query(rich.ledger_path, "SELECT count(*) FROM messages WHERE text = 'fl1pped'")
    scramble(
        rich.ledger_path, next(page for page, what in pages_of(rich.ledger_path).items() if what == "entries leaf")
    )
    done = cli_in_process("repair", "--json", env=rich.environ)
    assert (done.exit_code, done.json["recovered"]["restored_from"]) == (0, backup)
    assert query(rich.ledger_path, "SELECT count(*) FROM messages WHERE text = 'fl1pped'") == sound == [(0,)]
    assert cli_in_process("ledger", "check", env=rich.environ).exit_code == 0
