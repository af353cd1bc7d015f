"""A ledger that is moved under the loop and cannot be put back at once: what is open is all there is of it."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from syncd.clock import SystemClock
from syncd.daemon import pausing, timers
from syncd.daemon.figures import Figures
from syncd.daemon.following import Following
from syncd.daemon.grip import Grip
from syncd.daemon.keeping import Keeping
from syncd.daemon.log import Log
from syncd.daemon.orders import LoopOptions
from syncd.errors import AlreadyRunning, LedgerCorrupt
from syncd.ledger.database import Ledger, open_for_writing
from syncd.ledger.hold import Hold
from syncd.ledger.lock import writer_lock
from syncd.mirror.index_look import IndexOptions
from tests.daemon.live import Live, catch_up_options, following, wait_for
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import exported, query, transcripts

NAME = name_of(1)
PRUNED = transcript(2, 4)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "WATCH_CHECK_SECONDS", 0.1)
    monkeypatch.setattr(timers, "LONGEST_WAIT_SECONDS", 0.1)
    monkeypatch.setattr(pausing, "RETRY_SECONDS", (0.1,))


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    made.write(NAME, transcript(1, 5))
    made.write(name_of(2), PRUNED)
    made.catch_up()
    made.path(name_of(2)).unlink()  # only the ledger has it now
    return made


@contextmanager
def nothing_can_be_put_back(house: Household) -> Iterator[None]:
    """Something lies where the copy is to be made; to no user's rights is that a way around."""
    hindrance = house.ledger_path.with_name(".ledger.db.rescued.partial")
    hindrance.mkdir()
    yield
    hindrance.rmdir()


def _is_paused(live: Live) -> bool:
    return live.loop.troubles.get("ledger", {}).get("code") == "ledger_gone"


def _has_pruned(house: Household) -> bool:
    (kept,) = [row for row in transcripts(house.ledger_path) if row.name == name_of(2)]
    return exported(house.ledger_path, kept.id, kept.generation) == PRUNED


def test_no_other_ledger_begins_in_the_place_of_one_that_cannot_be_put_back_yet(house: Household) -> None:
    with following(house) as live:
        with nothing_can_be_put_back(house):
            house.ledger_path.rename(house.ledger_path.with_name("elsewhere.db"))
            wait_for(lambda: _is_paused(live) and live.loop._pausing.failures >= 3)
            assert "puts it back by itself" in live.loop.troubles["ledger"]["hint"]
            house.append(NAME, message(6))
            assert not house.ledger_path.exists()
        wait_for(lambda: not live.loop.troubles)
        live.has_lines(NAME, 7)
    assert _has_pruned(house)


def test_a_stop_puts_back_what_can_be_put_back_by_then(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pausing, "RETRY_SECONDS", (600.0,))
    with following(house, is_level_after=False) as live, nothing_can_be_put_back(house):
        house.ledger_path.rename(house.ledger_path.with_name("elsewhere.db"))
        wait_for(lambda: _is_paused(live))
    assert _has_pruned(house)


def test_who_asks_for_the_configuration_to_be_read_ends_a_pause(
    house: Household, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pausing, "RETRY_SECONDS", (600.0,))
    with following(house, is_level_after=False) as live, nothing_can_be_put_back(house):
        house.ledger_path.rename(house.ledger_path.with_name("elsewhere.db"))
        wait_for(lambda: _is_paused(live) and live.loop._pausing.failures == 1)
        live.loop.reload()
        wait_for(lambda: live.loop._pausing.failures == 2)


def test_a_copy_that_somebody_puts_in_its_place_meanwhile_is_taken(house: Household) -> None:
    with following(house) as live:
        with nothing_can_be_put_back(house):
            house.ledger_path.rename(house.ledger_path.with_name("elsewhere.db"))
            wait_for(lambda: _is_paused(live))
            house.ledger_path.with_name("elsewhere.db").rename(house.ledger_path)
            wait_for(lambda: not live.loop.troubles)
        house.append(NAME, message(6))
        live.has_lines(NAME, 7)
    assert _has_pruned(house)


def test_who_is_displaced_when_it_begins_again_names_what_it_kept(house: Household, tmp_path: Path) -> None:
    """Another came between the last look at the lock and the end of the pause."""
    with writer_lock(house.ledger_path) as hold, following_of(house, hold) as grip:
        with nothing_can_be_put_back(house):
            house.ledger_path.unlink()
            grip.let_go()
        shutil.copy(tmp_path / "copy.db", house.ledger_path)
        hold._lost = AlreadyRunning("another has it")
        with pytest.raises(AlreadyRunning) as owner:
            grip.take_up()
        assert re.search(r"is kept as .*ledger\.db\.displaced-", grip.concede(owner.value).title)


def test_a_ledger_that_turns_out_damaged_when_it_is_taken_up_is_closed(house: Household) -> None:
    """Whoever puts it right moves its file, and nobody may have that open then."""
    (page,), (size,) = (
        query(house.ledger_path, sql)[0]
        for sql in ("SELECT rootpage FROM sqlite_schema WHERE name = 'entries'", "PRAGMA page_size")
    )
    with open(house.ledger_path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with writer_lock(house.ledger_path) as hold:
        grip = grip_on(house, hold)
        with pytest.raises(LedgerCorrupt) as damage:
            grip.take_up()
        assert not [each for each in apsw.connections() if each.filename == str(house.ledger_path)], damage


@contextmanager
def following_of(house: Household, hold: Hold) -> Iterator[Grip]:
    shutil.copy(house.ledger_path, house.ledger_path.parent.parent / "copy.db")
    grip = grip_on(house, hold)
    grip.take_up()
    yield grip
    grip.let_go_at_last()


def grip_on(house: Household, hold: Hold) -> Grip:
    clock = SystemClock()
    options = LoopOptions(catch_up_options(), IndexOptions({}, ("*",), 60.0))

    def follow(ledger: Ledger) -> Following:
        return Following(ledger, clock, options, Figures(), lambda: False, hold)

    return Grip(lambda: open_for_writing(house.ledger_path), follow, Keeping(hold, clock, lambda: None), Log())
