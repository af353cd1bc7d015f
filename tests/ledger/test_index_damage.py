"""An index that no longer says what its table holds: every page is sound, and only a comparison tells."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerCorrupt
from syncd.jobs import repair
from syncd.ledger.database import open_for_reading
from syncd.ledger.recovery import recover
from syncd.ledger.soundness import refuse_unsound
from tests.conftest import Cli
from tests.jobs.toolbox import tools_of
from tests.ledger.damaging import all_generations
from tests.mirror.household import HandClock, Household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors, assert_sound

INDEX = "messages_by_turn"


@pytest.fixture
def kept(house: Household) -> Household:
    house.write(name_of(1), transcript(1, 20))
    house.catch_up()
    return house


def misdirect(ledger_path: Path) -> None:
    """The first row that was put into the index is another by one bit: it is the last field of the page's last cell."""
    with closing(apsw.Connection(str(ledger_path))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.pragma("page_size")
        root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (INDEX,)).get
    with ledger_path.open("r+b") as file:
        file.seek(root * size - 1)
        (last,) = file.read(1)
        file.seek(root * size - 1)
        file.write(bytes([last ^ 1]))


def test_it_is_found_by_the_scheduled_repair_and_not_by_a_look_at_pages_alone(kept: Household) -> None:
    misdirect(kept.ledger_path)
    with open_for_reading(kept.ledger_path) as ledger:
        assert refuse_unsound(ledger, is_quick=True)
    with tools_of(kept, HandClock()) as tools, pytest.raises(LedgerCorrupt, match=INDEX):
        repair.run(tools)


def test_no_backup_is_made_of_it(cli_in_process: Cli, kept: Household) -> None:
    misdirect(kept.ledger_path)
    made = cli_in_process("ledger", "backup", env=kept.environ)
    assert made.exit_code == 1
    assert INDEX in made.stderr
    assert list((kept.ledger_path.parent / "backups").glob("*.db")) == []


def test_a_copy_that_has_it_too_is_passed_over_for_an_older_one(cli_in_process: Cli, kept: Household) -> None:
    sound = Path(cli_in_process("ledger", "backup", "--json", env=kept.environ).json["path"])
    kept.append(name_of(1), message(21))
    kept.catch_up()
    newer = Path(cli_in_process("ledger", "backup", "--json", env=kept.environ).json["path"])
    expected = all_generations(kept.ledger_path)
    misdirect(newer)
    misdirect(kept.ledger_path)
    damage = LedgerCorrupt(f"row 1 missing from index {INDEX}", "")
    done = recover(kept.ledger_path, damage, 1, lambda *_: False)
    assert (done.restored_from, len(done.refused_backups)) == (sound, 1)
    kept.catch_up()
    assert all_generations(kept.ledger_path) == expected
    assert_mirrors(kept)
    assert_sound(kept.ledger_path)
