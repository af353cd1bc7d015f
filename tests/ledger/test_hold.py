"""The writer lock in hand, while the file that it is on is removed, moved, looked at, or another's."""

import errno
import fcntl
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from syncd.cli.signals import Terminated
from syncd.errors import AlreadyRunning, LedgerError, LedgerGone
from syncd.ledger import hold as holding
from syncd.ledger import standing as keeping
from syncd.ledger.database import Ledger, open_for_reading, open_for_writing
from syncd.ledger.hold import lock_path
from syncd.ledger.lock import writer_lock, writer_pid
from syncd.ledger.standing import kept_in_place
from syncd.ledger.writer import Writer
from tests.ledger.test_lock import holder, is_free
from tests.mirror.household import HandClock, household, message, name_of, transcript
from tests.mirror_checks import assert_mirrors


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "place" / "ledger.db"


def test_a_lock_that_is_where_it_was_costs_one_look(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with writer_lock(path) as hold:
        looks: list[Path] = []
        usual = holding.identity_at

        def look(place: Path) -> holding.Identity | None:
            looks.append(place)
            return usual(place)

        monkeypatch.setattr(holding, "identity_at", look)
        assert not hold.keep()
        assert looks == [lock_path(path)]


def test_a_lock_that_is_removed_is_taken_anew_as_it_was(path: Path) -> None:
    with writer_lock(path) as hold:
        lock_path(path).unlink()
        assert hold.keep()
        assert not hold.keep()
        assert lock_path(path).stat().st_mode & 0o777 == 0o600
        assert writer_pid(path) == os.getpid()
        assert not is_free(path)
    assert is_free(path)


def test_a_directory_that_is_removed_is_made_anew_for_its_owner_alone(path: Path) -> None:
    with writer_lock(path) as hold:
        shutil.rmtree(path.parent)
        assert hold.keep()
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert not is_free(path)


def test_a_directory_that_went_elsewhere_is_not_made_anew(path: Path) -> None:
    """Its files have names: it may be on a disk that was unmounted, and what is at its path then is another's."""
    with writer_lock(path) as hold:
        elsewhere = path.parent.rename(path.parent.with_name("elsewhere"))
        assert not hold.keep()
        assert not hold.is_kept()
        assert not path.parent.exists()
        elsewhere.rename(path.parent)
        assert not hold.keep()
        assert hold.is_kept()


def test_one_who_only_looks_at_a_new_lock_file_is_not_its_owner(path: Path) -> None:
    with writer_lock(path) as hold:
        lock_path(path).unlink()
        with lock_path(path).open("wb") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            assert not hold.keep()
        assert hold.keep()


def test_one_who_looks_keeps_nobody_from_the_lock_for_long(path: Path) -> None:
    with writer_lock(path):
        pass
    with lock_path(path).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        with pytest.raises(LedgerError, match="cannot be locked"), writer_lock(path):
            pass
    assert is_free(path)


def test_nobody_is_displaced_by_himself_where_a_file_has_another_number_each_time(path: Path) -> None:
    with writer_lock(path) as hold:
        hold._identity = (0, 0)
        assert not hold.keep()
        assert not hold.keep()
        assert not is_free(path)


def test_nobody_is_displaced_by_himself_where_a_look_fails_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor where a full disk let nothing be written into the lock file."""
    with writer_lock(path) as hold:
        os.truncate(lock_path(path), 0)
        usual, failures = holding.identity_at, [None]
        monkeypatch.setattr(holding, "identity_at", lambda place: failures.pop() if failures else usual(place))
        assert not hold.keep()
        assert not failures
        assert not hold.keep()
        assert hold.is_kept()


def test_a_lock_whose_directory_cannot_be_looked_at_is_taken_anew_at_the_next_look(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writer_lock(path) as hold:
        lock_path(path).unlink()
        usual, looks = os.stat, list[object]()

        def fail_after_it_is_made(place: object, **options: object) -> os.stat_result:
            if place == path.parent and lock_path(path).exists() and not looks:
                looks.append(place)
                raise OSError(errno.EIO, "failing")
            return usual(place, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(os, "stat", fail_after_it_is_made)
        assert not hold.keep()
        assert looks
        assert hold.keep()
        assert hold.is_kept()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the ledger's own file is not locked")
def test_a_ledger_whose_own_file_cannot_be_locked_is_held_by_its_lock_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_lock(_descriptor: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    with writer_lock(path) as hold, open_for_writing(path):
        before = len(os.listdir("/proc/self/fd"))
        with monkeypatch.context() as patched:
            patched.setattr(fcntl, "flock", no_lock)
            hold.keep_file()
        assert hold.is_kept()
        hold.keep_file()
        assert not is_free(path)
    assert len(os.listdir("/proc/self/fd")) < before


def test_another_who_locked_a_new_lock_file_is_the_writer_from_then_on(path: Path) -> None:
    with writer_lock(path) as hold:
        lock_path(path).unlink()
        with holder(path) as other:
            for _ in range(2):
                with pytest.raises(AlreadyRunning) as refusal:
                    hold.keep()
                assert refusal.value.pid == other.pid
        with pytest.raises(AlreadyRunning):
            hold.keep()  # also when that one has ended: it may have written


def test_who_has_the_ledger_itself_is_not_displaced_by_a_new_lock_file(path: Path) -> None:
    with writer_lock(path) as hold, open_for_writing(path) as ledger, kept_in_place(ledger, hold, HandClock()):
        lock_path(path).unlink()
        with lock_path(path).open("wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            assert not hold.keep()
        assert hold.keep()


def test_a_ledger_that_is_removed_under_a_command_is_at_its_path_at_the_end(path: Path) -> None:
    with writer_lock(path) as hold, open_for_writing(path) as ledger, kept_in_place(ledger, hold, HandClock()):
        ledger.run("INSERT INTO sync_events (at, kind, detail_json) VALUES (1, 'repair', '{}')")
        shutil.rmtree(path.parent)
    with open_for_reading(path) as ledger:
        assert ledger.row("SELECT count(*) FROM sync_events") == (1,)


def _cut_short(path: Path, end: BaseException, *, is_in_the_way: bool = False) -> None:
    with writer_lock(path) as hold, open_for_writing(path) as ledger, kept_in_place(ledger, hold, HandClock()):
        for _ in range(2):
            ledger.run("INSERT INTO sync_events (at, kind, detail_json) VALUES (1, 'repair', '{}')")
        shutil.rmtree(path.parent)
        if is_in_the_way:
            lock_path(path).parent.mkdir()
            path.with_name(f".{path.name}.rescued.partial").mkdir()
        ledger.run("BEGIN")
        ledger.run("INSERT INTO sync_events (at, kind, detail_json) VALUES (1, 'repair', '{}')")
        for _ in ledger.execute("SELECT at FROM sync_events"):
            raise end


@pytest.mark.parametrize("end", [KeyboardInterrupt(), Terminated(), ZeroDivisionError(), LedgerError("full")])
def test_a_ledger_that_is_removed_is_at_its_path_also_where_the_command_is_cut_short(
    path: Path, end: BaseException
) -> None:
    """In the midst of a statement, and of a transaction: that is not committed."""
    with pytest.raises(type(end)) as seen:
        _cut_short(path, end)
    assert seen.value is end
    with open_for_reading(path) as ledger:
        assert ledger.row("SELECT count(*) FROM sync_events") == (2,)


def test_a_command_that_is_cut_short_says_that_the_ledger_could_not_be_put_back(path: Path) -> None:
    with pytest.raises(LedgerGone, match=r"cannot be put back: .* is lost") as seen:
        _cut_short(path, Terminated(), is_in_the_way=True)
    assert "`syncd ledger restore`" in seen.value.hint


def test_no_alarm_strikes_while_a_ledger_is_put_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop that is not heeded for a second is made to be; putting back a large ledger takes longer."""
    usual = keeping._copy

    def alarmed(ledger: Ledger, place: Path) -> None:
        signal.raise_signal(signal.SIGALRM)
        usual(ledger, place)

    def strike(_number: int, _frame: object) -> None:
        raise Terminated

    monkeypatch.setattr(keeping, "_copy", alarmed)
    former = signal.signal(signal.SIGALRM, strike)
    try:
        with pytest.raises(KeyboardInterrupt):
            _cut_short(path, KeyboardInterrupt())
        assert signal.getsignal(signal.SIGALRM) is strike
    finally:
        signal.signal(signal.SIGALRM, former)
    assert path.exists()


def _displaced(path: Path) -> None:
    with writer_lock(path) as hold, open_for_writing(path) as ledger, kept_in_place(ledger, hold, HandClock()):
        ledger.run("INSERT INTO sync_events (at, kind, detail_json) VALUES (1, 'repair', '{}')")
        shutil.rmtree(path.parent)
        with holder(path):
            hold.keep()


def test_a_ledger_whose_place_another_took_under_a_command_is_kept_beside_it(path: Path) -> None:
    with pytest.raises(AlreadyRunning, match=r"kept as .*ledger\.db\.displaced-") as refusal:
        _displaced(path)
    (kept,) = path.parent.glob("*displaced-*")
    assert str(kept) in refusal.value.title
    with open_for_reading(kept) as ledger:
        assert ledger.row("SELECT count(*) FROM sync_events") == (1,)
    assert not path.exists()


def test_rows_that_another_writer_put_there_are_told_as_that_and_nothing_is_lost(tmp_path: Path) -> None:
    house = household(tmp_path)
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    house.append(name_of(1), message(4))
    with open_for_writing(house.ledger_path) as ledger, open_for_writing(house.ledger_path) as others:
        writer, another = Writer(ledger, HandClock()), Writer(others, HandClock())
        for each in (another, writer):
            each.append(each.load(1), message(4))
        another.flush()
        with pytest.raises(LedgerError, match="another program has written to the ledger") as refusal:
            writer.flush()
        assert "syncd status" in refusal.value.hint
        writer.close()
        another.close()
    house.catch_up()
    assert_mirrors(house)


def test_a_ledger_that_is_put_back_is_locked_from_its_first_moment(path: Path) -> None:
    with writer_lock(path) as hold:
        open_for_writing(path).close()
        hold.keep_file()
        copy = path.with_name("copy")
        shutil.copyfile(path, copy)
        with pytest.raises(FileExistsError):
            hold.adopt(copy, path)
        path.unlink()
        hold.adopt(copy, path)
        lock_path(path).unlink()
        with pytest.raises(AlreadyRunning), writer_lock(path):
            pass
