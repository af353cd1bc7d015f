"""What people put into the ledger beside what is ours: columns, tables, indexes. All goes on, and theirs stays."""

from contextlib import closing

import apsw
import pytest

from syncd.ledger.replacing import moved_aside
from tests.conftest import Cli
from tests.ledger.damaging import pages_of, scramble
from tests.ledger.everything import LIVE, everything
from tests.mirror.household import Household, message
from tests.mirror_checks import query

_OURS = """SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
    AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'search%'"""


@pytest.fixture
def shared(house: Household) -> Household:
    """Every table has a column of somebody's, with a note in every row."""
    everything(house)
    with closing(apsw.Connection(str(house.ledger_path))) as connection:
        for (table,) in list(connection.execute(_OURS)):
            connection.execute(f"ALTER TABLE {table} ADD COLUMN theirs TEXT")
            connection.execute(f"UPDATE {table} SET theirs = 'a note'")
        connection.execute("CREATE TABLE notes (message_id, words)")
        connection.execute("CREATE INDEX of_notes ON messages (theirs)")
    return house


def test_lines_are_taken_in_and_all_checks_are_content(cli_in_process: Cli, shared: Household) -> None:
    sound = cli_in_process("ledger", "check", env=shared.environ)
    assert (sound.exit_code, sound.stderr) == (0, "")
    shared.append(LIVE, message(900))
    for verb in (
        ("run", "--once"),
        ("repair",),
        ("resync", "--rebuild"),
        ("ledger", "check"),
        ("verify",),
        ("ledger", "backup"),
    ):
        done = cli_in_process(*verb, env=shared.environ)
        assert done.exit_code == 0, (verb, done.stdout, done.stderr)
    assert moved_aside(shared.ledger_path) == []
    assert query(shared.ledger_path, "SELECT DISTINCT theirs FROM sessions") == [("a note",)]


def test_a_damaged_page_is_put_right(cli_in_process: Cli, shared: Household) -> None:
    assert cli_in_process("ledger", "backup", env=shared.environ).exit_code == 0
    page = next(number for number, what in pages_of(shared.ledger_path).items() if what == "transcripts leaf")
    scramble(shared.ledger_path, page)
    assert cli_in_process("repair", env=shared.environ).exit_code == 0
    for verb in (("ledger", "check"), ("verify",)):
        done = cli_in_process(*verb, env=shared.environ)
        assert done.exit_code == 0, (verb, done.stdout, done.stderr)
