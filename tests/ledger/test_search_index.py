"""The search index is held against the texts, beside a writer; a damage of it alone costs no restore."""

from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerCorrupt
from syncd.jobs import repair
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.recovery import recover
from syncd.ledger.search_index import GivenUp, search_fault
from syncd.ledger.soundness import open_soundly
from tests.conftest import Cli
from tests.jobs.toolbox import tools_of
from tests.mirror.household import HandClock, Household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, assert_sound, query

_LONGEST = "SELECT id FROM search_data WHERE id > 10 ORDER BY length(block) DESC LIMIT 1"
BREAKING = {
    "a word": """UPDATE search_data SET block = unhex(replace(hex(block), hex('olpertinger'), hex('olpertingel')))
        WHERE instr(block, CAST('olpertinger' AS BLOB))""",
    "a page": f"UPDATE search_data SET block = zeroblob(length(block)) WHERE id = ({_LONGEST})",
    "a page that is gone": f"DELETE FROM search_data WHERE id = ({_LONGEST})",
    "the list of pages": "UPDATE search_idx SET pgno = pgno + 8",
    "the length of a text": "UPDATE search_docsize SET sz = x'7f' WHERE id = (SELECT max(id) FROM search_docsize)",
    "the totals": "UPDATE search_data SET block = x'0101' WHERE id = 1",
    "its version": "UPDATE search_config SET v = 77 WHERE k = 'version'",
    "a text": "UPDATE messages SET text = 'something else' WHERE id = (SELECT min(id) FROM messages)",
}


@pytest.fixture
def house(house: Household) -> Household:
    house.write(name_of(1), transcript(1, 200) + message(200, "the wolpertinger"))
    house.catch_up()
    return house


def broken(house: Household, what: str) -> None:
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute(BREAKING[what])
    assert connection.changes() > 0
    connection.close()


def fault_of(path: Path) -> str | None:
    with open_for_reading(path) as ledger:
        return search_fault(ledger)


@pytest.mark.parametrize("what", BREAKING)
def test_a_damaged_search_index_is_found_and_made_anew_where_the_ledger_is(
    cli_in_process: Cli, house: Household, what: str
) -> None:
    inode = house.ledger_path.stat().st_ino
    broken(house, what)
    checked = cli_in_process("ledger", "check", "--json", env=house.environ)
    assert checked.exit_code == 1
    assert "search" in str(checked.json["findings"]) or "fts5" in str(checked.json["findings"])
    done = cli_in_process("repair", "--json", env=house.environ)
    assert done.exit_code == 0, done
    assert fault_of(house.ledger_path) is None
    assert cli_in_process("ledger", "check", env=house.environ).exit_code == 0
    assert house.ledger_path.stat().st_ino == inode
    assert list(house.ledger_path.parent.glob("*.corrupt-*")) == []
    assert_mirrors(house)


@pytest.mark.parametrize("what", sorted(BREAKING.keys() - {"a text"}))
def test_an_error_of_the_index_while_running_is_put_right_without_a_restore(house: Household, what: str) -> None:
    broken(house, what)
    damage = LedgerCorrupt("database disk image is malformed", "")
    done = recover(house.ledger_path, damage, 1, lambda *_: False)
    assert (done.is_search_mended, done.moved_aside, done.restored_from) == (True, None, None)
    house.append(name_of(1), message(201))
    house.catch_up()
    assert_mirrors(house)
    assert_sound(house.ledger_path)


def test_a_daemon_starts_with_a_damaged_search_index(house: Household) -> None:
    broken(house, "the list of pages")
    open_soundly(house.ledger_path).close()


def test_a_writer_is_neither_waited_for_nor_held_up(house: Household) -> None:
    with open_for_writing(house.ledger_path) as writer, open_for_reading(house.ledger_path) as ledger:
        writer.run("BEGIN IMMEDIATE")
        writer.run("UPDATE messages SET text = 'not committed yet'")
        assert search_fault(ledger) is None

        def commit() -> bool:
            if writer.connection.in_transaction:
                writer.run("ROLLBACK")
            return False

        assert search_fault(ledger, commit) is None
        assert list(ledger.execute("SELECT name FROM temp.sqlite_master")) == []
        with pytest.raises(apsw.ReadOnlyError):
            ledger.connection.execute("CREATE TEMP TABLE still_reads_only (id)")


def test_it_can_be_given_up(house: Household) -> None:
    house.write(name_of(2), transcript(2, 3000))
    house.catch_up()
    with open_for_reading(house.ledger_path) as ledger:
        with pytest.raises(GivenUp):
            search_fault(ledger, lambda: True)
        assert search_fault(ledger) is None


def test_a_backup_with_a_damaged_search_index_is_restored_with_a_sound_one(
    cli_in_process: Cli, house: Household
) -> None:
    broken(house, "a word")
    made = cli_in_process("ledger", "backup", "--json", env=house.environ)
    assert made.exit_code == 0
    assert fault_of(Path(made.json["path"])) is not None
    assert cli_in_process("ledger", "restore", env=house.environ).exit_code == 0
    assert fault_of(house.ledger_path) is None
    assert_mirrors(house)


def test_the_scheduled_repair_looks_at_it_again_when_it_has_the_time(house: Household) -> None:
    clock = HandClock()
    with tools_of(house, clock) as tools:
        assert repair.run(tools).summary["index_seconds"] is not None
        slow = "INSERT INTO job_runs (job, started_at, finished_at, ok, summary_json) VALUES ('repair', ?, ?, 1, ?)"
        at = clock.now_ms()
        tools.ledger.run(slow, (at, at + 10_000, '{"index_seconds": 10.0, "audited_to": 0}'))
        tools.ledger.run(slow, (at + 1, at + 2, '{"index_seconds": null, "audited_to": 0}'))
        assert repair._is_index_look_due(tools.ledger, at + 4_999_000) is False
        assert repair._is_index_look_due(tools.ledger, at + 5_000_000) is True
        assert repair._is_index_look_due(tools.ledger, at - 1) is True  # a clock that was set back
        assert repair.run(tools).summary["index_seconds"] is None
    assert query(house.ledger_path, "SELECT count(*) FROM sync_events WHERE kind = 'repair'") == [(0,)]
