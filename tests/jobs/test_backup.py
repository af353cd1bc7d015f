"""The scheduled backup: verified, rotated, live lines not held up, and never at the cost of a former one."""

import os
import shutil
import tempfile
from pathlib import Path

import apsw
import pytest

from syncd.errors import LedgerAbsent, LedgerCorrupt
from syncd.jobs import backup
from syncd.jobs.runs import begin_run, end_run, latest_runs, open_runs
from syncd.ledger.backups import BACKUP_NAME, KEPT_BACKUPS, kept_backups, scheduled_place
from syncd.ledger.check import check
from syncd.ledger.database import open_for_reading
from syncd.ledger.lock import writer_lock
from syncd.ledger.restore import restore
from syncd.mirror.catchup import CatchUpOptions, Pace
from syncd.mirror.recovery import recover
from syncd.mirror.rows_audit import rows_care
from tests.jobs.toolbox import tools_of
from tests.mirror.household import HandClock, Household, name_of, transcript
from tests.mirror_checks import exported, query


@pytest.fixture
def house(house: Household) -> Household:
    house.write(name_of(1), transcript(1, 30))
    house.catch_up()
    return house


def backups_of(house: Household) -> list[str]:
    return sorted(os.listdir(house.ledger_path.parent / "backups"))


def test_a_scheduled_backup_is_a_sound_ledger_and_leaves_a_line(house: Household) -> None:
    with tools_of(house) as tools:
        outcome = backup.run(tools)
    assert outcome.ok
    made = Path(str(outcome.summary["path"]))
    assert made.parent == house.ledger_path.parent / "backups"
    assert (made.name[:11], made.stat().st_mode & 0o777) == ("scheduled-2", 0o600)
    assert exported(made, 1, 1) == transcript(1, 30)
    with open_for_reading(made) as copy:
        assert check(copy, is_quick=False).findings == []
    assert query(house.ledger_path, "SELECT detail_json ->> 'path' FROM sync_events WHERE kind = 'backup'") == [
        (str(made),)
    ]


def test_a_ledger_that_was_moved_away_under_the_daemon_is_no_failure_of_the_copy(house: Household) -> None:
    """The daemon makes it whole, and says so: nobody is to begin one."""
    elsewhere = house.ledger_path.with_name("elsewhere.db")
    with tools_of(house) as tools:
        house.ledger_path.rename(elsewhere)
        with pytest.raises(LedgerAbsent):
            backup.run(tools)
        elsewhere.rename(house.ledger_path)
    assert not (house.ledger_path.parent / "backups").exists()


@pytest.mark.parametrize("way", ["restored", "recovered"])
def test_the_run_that_made_a_copy_is_not_cut_short_in_it(house: Household, way: str) -> None:
    """Its row goes into the copy before its end does."""
    with tools_of(house) as tools:
        end_run(tools.ledger, begin_run(tools.ledger, "scrub", 1), 2, ok=True)
        run = begin_run(tools.ledger, "backup", 3)
        outcome = backup.run(tools)
        end_run(tools.ledger, run, 4, ok=outcome.ok)
    with open_for_reading(Path(str(outcome.summary["path"]))) as copy:
        assert [each.job for each in open_runs(copy)] == ["backup"]
    with writer_lock(house.ledger_path), rows_care(CatchUpOptions().max_line_bytes) as care:
        if way == "restored":
            restore(house.ledger_path, None, 5, care)
        else:
            house.ledger_path.write_bytes(b"\0" * house.ledger_path.stat().st_size)
            recover(house.ledger_path, LedgerCorrupt("zeros", "for this test"), HandClock())
    with open_for_reading(house.ledger_path) as ledger:
        assert open_runs(ledger) == []
        assert {name: each.ok for name, each in latest_runs(ledger).items()} == {"scrub": True}


def test_only_so_many_scheduled_ones_are_kept_and_none_that_a_person_made(house: Household) -> None:
    clock = HandClock()
    folder = house.ledger_path.parent / "backups"
    folder.mkdir()
    of_a_person = {"ledger-20200101T000000.000Z.db", "scheduled-20200101T000000.000Z.before-upgrade.db", "notes.txt"}
    for name in of_a_person:
        (folder / name).write_text("mine")
        os.utime(folder / name, (0, 0))
    for _ in range(KEPT_BACKUPS + 2):
        clock.sleep(86400)
        with tools_of(house, clock) as tools:
            last = backup.run(tools)
    assert (last.summary["removed"], last.summary["kept"]) == (1, KEPT_BACKUPS + 2)
    names = {*backups_of(house)}
    assert len([name for name in names - of_a_person if name.startswith("scheduled-")]) == KEPT_BACKUPS
    assert Path(str(last.summary["path"])).name in names
    assert of_a_person <= names


def test_the_newest_comes_first_by_the_time_in_its_name(house: Household) -> None:
    folder = house.ledger_path.parent / "backups"
    folder.mkdir()
    names = ["scheduled-20261116T042214.007Z.db", "ledger-20261117T042214.007Z.db", "scheduled-20261115T000000.000Z.db"]
    for name in names:
        (folder / name).write_text("x")
    assert [kept.path.name for kept in kept_backups(house.ledger_path)] == [names[1], names[0], names[2]]
    assert scheduled_place(house.ledger_path, 1794802934007).name == names[0]


def test_backups_of_a_clock_that_was_ahead_are_older_than_those_made_since(house: Household) -> None:
    ahead, clock = HandClock(), HandClock()
    ahead.sleep(30 * 86400)
    for _ in range(KEPT_BACKUPS):
        ahead.sleep(3600)
        with tools_of(house, ahead) as tools:
            assert backup.run(tools).ok
    oldest = [kept.path.stat().st_ino for kept in kept_backups(house.ledger_path)]
    made = []
    for _ in range(3):
        clock.sleep(3600)
        with tools_of(house, clock) as tools:
            made.append(Path(str(backup.run(tools).summary["path"])))
    kept = kept_backups(house.ledger_path)
    assert [each.path for each in kept[:3]] == made[::-1]
    assert [each.path.stat().st_ino for each in kept[3:]] == oldest[: KEPT_BACKUPS - 3], "the newest of them, in order"
    assert all(BACKUP_NAME.fullmatch(each.path.name) for each in kept)


class _WritingPace(Pace):
    """Somebody else's turn comes while the copy is made."""

    def __init__(self, clock: HandClock) -> None:
        super().__init__(clock)
        self.turns = 0

    def wait(self, seconds: float) -> None:
        self.turns += 1


def test_live_lines_have_their_turn_while_the_copy_is_made(house: Household) -> None:
    clock = HandClock()
    pace = _WritingPace(clock)
    with tools_of(house, clock, pace) as tools:
        assert backup.run(tools).ok
    assert pace.turns > 0


class _Stop(Exception):
    pass


class _EndingPace(Pace):
    def wait(self, seconds: float) -> None:
        raise _Stop


def test_a_backup_that_is_ended_leaves_nothing_and_removes_nothing(house: Household) -> None:
    with tools_of(house) as tools:
        backup.run(tools)
    before = backups_of(house)
    clock = HandClock()
    with tools_of(house, clock, _EndingPace(clock)) as tools, pytest.raises(_Stop):
        backup.run(tools)
    # The copy may have been whole before its end was asked for: then it is a backup as any other.
    assert [name for name in backups_of(house) if name.endswith(".partial")] == []
    assert {*before} <= {*backups_of(house)}


def test_what_a_killed_backup_left_half_made_is_removed_by_the_next(house: Household) -> None:
    folder = house.ledger_path.parent / "backups"
    folder.mkdir()
    (folder / ".scheduled-20261116T042214.007Z.db.abc.partial").write_text("half")
    (folder / ".mine.partial").write_text("not ours")
    with tools_of(house) as tools:
        assert backup.run(tools).ok
    assert [name for name in backups_of(house) if name.startswith(".")] == [".mine.partial"]


def test_no_backup_is_begun_where_there_is_no_space_for_it(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "_SPARE_BYTES", 1 << 60)
    with tools_of(house) as tools:
        outcome = backup.run(tools)
    assert not outcome.ok
    assert "no space for a backup" in str(outcome.summary["reason"])
    assert not (house.ledger_path.parent / "backups").exists()


def test_space_is_asked_for_on_the_disk_that_backups_are_on(
    house: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other file system")
    free_here, free_there = (shutil.disk_usage(place).free for place in (tmp_path, memory))
    monkeypatch.setattr(backup, "_SPARE_BYTES", (free_here + free_there) // 2)
    with tempfile.TemporaryDirectory(dir=memory) as elsewhere:
        (house.ledger_path.parent / "backups").symlink_to(elsewhere)
        with tools_of(house) as tools:
            assert backup.run(tools).ok == (free_there > free_here)


def test_a_torn_raw_block_is_counted_and_does_not_end_all_backups(house: Household) -> None:
    connection = apsw.Connection(str(house.ledger_path))
    connection.execute("UPDATE _blocks SET data = CAST(substr(data, 1, 40) || x'ff' || substr(data, 42) AS BLOB)")
    connection.close()
    with tools_of(house) as tools:
        outcome = backup.run(tools)
    assert (outcome.ok, outcome.summary["torn_blocks"]) == (True, 1)
