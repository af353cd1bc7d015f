"""What was purged does not come back with an older ledger: not by a restore, not by the recovery of a damaged one."""

import shutil
from pathlib import Path

import pytest

from syncd.jobs.policies import Policies
from syncd.jobs.retention import apply
from syncd.ledger.backup import back_up
from syncd.ledger.database import open_for_reading
from syncd.mirror.errands import Hands
from tests.conftest import Cli
from tests.jobs.test_purge import KEY, copy_of, furnished, left, purged, settle
from tests.jobs.toolbox import tools_of
from tests.ledger.damaging import pages_of, scramble
from tests.mirror.household import Household, session_id
from tests.mirror_checks import assert_sound, query

__all__ = ["furnished"]


@pytest.fixture
def older(furnished: Household, tmp_path: Path) -> Path:
    """A copy from before the purge, somewhere else."""
    path = tmp_path / "elsewhere" / "older.db"
    with open_for_reading(furnished.ledger_path) as ledger:
        back_up(ledger, path)
    purged(furnished, session_id(10))
    purged(furnished, KEY)
    return path


def damaged(house: Household, *kinds: str) -> None:
    for page, what in pages_of(house.ledger_path).items():
        if what in kinds:
            scramble(house.ledger_path, page)


def stays_out(house: Household) -> None:
    assert left(house) == []
    settle(house)
    assert left(house) == []
    assert query(house.ledger_path, "SELECT session_id FROM transcripts") == [(session_id(8),)]
    assert query(house.ledger_path, "SELECT count(*) FROM tombstones WHERE what = 'session'") == [(2,)]
    assert house.verify().ok
    assert_sound(house.ledger_path)


def test_a_restore_of_an_older_ledger_leaves_it_out(furnished: Household, older: Path, cli_in_process: Cli) -> None:
    done = cli_in_process("ledger", "restore", older, "--json", env=furnished.environ)
    assert (done.exit_code, done.json["transcripts"]) == (0, 1)
    stays_out(furnished)


@pytest.mark.parametrize("page", ["sqlite_schema internal", "tombstones leaf", "_kept_out leaf", "_hash_key leaf"])
def test_also_when_the_tombstones_of_the_present_one_cannot_be_read(
    furnished: Household, older: Path, cli_in_process: Cli, page: str
) -> None:
    """Every copy that was made or cleaned since has them too."""
    copy_of(furnished)
    damaged(furnished, page)
    assert cli_in_process("ledger", "restore", older, env=furnished.environ).exit_code == 0
    stays_out(furnished)


@pytest.mark.parametrize("page", ["messages leaf", "_kept_out leaf"])
def test_a_recovery_from_an_older_backup_leaves_it_out_and_that_backup_is_cleaned(
    furnished: Household, older: Path, cli_in_process: Cli, page: str
) -> None:
    house = furnished
    before = copy_of(house)
    newest = before.with_name("ledger-20991231T000000.000Z.db")
    shutil.copy(older, newest)
    damaged(house, page)
    done = cli_in_process("repair", "--json", env=house.environ)
    assert done.exit_code == 0, done
    assert done.json["recovered"]["restored_from"] == str(newest)
    assert {place.split(":")[0] for place in left(house)} == {newest.name}
    with tools_of(house) as tools:
        assert apply(Hands(tools.writer, tools.homes, tools.pace), Policies()).ok
    stays_out(house)


@pytest.mark.parametrize("is_older", [True, False], ids=["older", "anew"])
def test_nor_with_an_older_ledger_that_is_put_in_place_by_hand_or_with_one_begun_anew(
    furnished: Household, older: Path, *, is_older: bool
) -> None:
    house = furnished
    for end in ("", "-wal", "-shm"):
        house.ledger_path.with_name(f"ledger.db{end}").unlink(missing_ok=True)
    if is_older:
        shutil.copy(older, house.ledger_path)
    settle(house)
    assert query(house.ledger_path, "SELECT session_id FROM transcripts") == [(session_id(8),)]
    with tools_of(house) as tools:
        assert apply(Hands(tools.writer, tools.homes, tools.pace), Policies()).finished == 2
    stays_out(house)


def test_a_ledger_with_purges_of_its_own_does_not_heed_those_of_another_one(furnished: Household, older: Path) -> None:
    house = furnished
    other = Household(house.state_dir, older)
    purged(other, session_id(8))
    for end in ("-wal", "-shm"):
        house.ledger_path.with_name(f"ledger.db{end}").unlink(missing_ok=True)
    shutil.copy(older, house.ledger_path)
    settle(house)
    assert query(house.ledger_path, "SELECT count(*) FROM tombstones") == [(1,)]
    assert (session_id(8),) not in query(house.ledger_path, "SELECT session_id FROM transcripts")
