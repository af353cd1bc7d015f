"""When a change is believed: at rest for settle_seconds, and a mere shrink only when no live turn holds the lock."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from syncd.ledger.database import open_for_writing
from syncd.mirror.catchup import CatchUpOptions, catch_up
from syncd.mirror.settling import RACY_SECONDS
from syncd.sources.locks import process_state
from tests.mirror.household import (
    RESET_TIME,
    HandClock,
    Household,
    dead_pid,
    header,
    household,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import (
    assert_mirrors,
    assert_sound,
    events,
    generations,
    mirrored,
    only_transcript,
    query,
    transcripts,
)

NAME = name_of(1)
SETTLE = 20.0  # much more than the test takes by the time of day, and no lock grows too old meanwhile
WAIT = 30 * SETTLE
OPTIONS = CatchUpOptions(settle_seconds=SETTLE, lock_wait_seconds=WAIT)


@pytest.fixture
def house(tmp_path: Path) -> Household:
    place = household(tmp_path)
    place.write(NAME, transcript(1, 4))
    mirrored(place)
    return place


class WritingClock(HandClock):
    """While the mirror waits, OpenClaw goes on: each of its doings is done at the next pause."""

    def __init__(self, *doings: Callable[[], object]) -> None:
        super().__init__()
        self.doings = list(doings)

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        if self.doings:
            doing = self.doings.pop(0)
            doing()
            self.written = self.slept


def test_a_shrink_is_believed_once_it_rested(house: Household) -> None:
    house.truncate(NAME, len(transcript(1, 2)))
    clock = HandClock()
    mirrored(house, OPTIONS, clock)
    assert clock.slept >= SETTLE * 0.9
    assert only_transcript(house.ledger_path).generation == 2


def test_a_rewrite_seen_at_size_zero_and_then_whole_again_changes_nothing(house: Household) -> None:
    """2026.7.1 does this at the end of every turn."""
    house.truncate(NAME, 0)
    house.catch_up(OPTIONS, WritingClock(lambda: house.write(NAME, transcript(1, 4))))
    assert_mirrors(house)
    assert (only_transcript(house.ledger_path).generation, events(house.ledger_path)) == (1, [])


def test_a_rewrite_seen_as_a_growing_prefix_is_not_judged_before_it_rests(house: Household) -> None:
    parts = [transcript(1, 5)[:size] for size in (50, len(transcript(1, 1)), len(transcript(1, 3)) + 7)]
    house.truncate(NAME, 0)
    doings = [partial(house.write, NAME, part) for part in (*parts, transcript(1, 5))]
    house.catch_up(OPTIONS, WritingClock(*doings))
    assert_mirrors(house)
    row = only_transcript(house.ledger_path)
    assert (row.generation, row.lines) == (1, 6)


def test_a_long_settle_time_without_time_to_wait_leaves_the_file_in_progress(house: Household) -> None:
    house.truncate(NAME, len(transcript(1, 2)))
    clock = HandClock()
    result = house.catch_up(CatchUpOptions(settle_seconds=600, lock_wait_seconds=2), clock)
    assert [(Path(item.path).name, item.reason) for item in result.in_progress] == [(NAME, "settling")]
    assert result.problems == []
    assert clock.slept <= 2
    assert only_transcript(house.ledger_path).generation == 1
    assert_sound(house.ledger_path)


def test_the_looks_between_two_pauses_are_part_of_the_wait(house: Household) -> None:
    class SlowClock(HandClock):
        """Each look takes twice as long as the pause before it."""

        def sleep(self, seconds: float) -> None:
            super().sleep(3 * seconds)

    house.lock(NAME, os.getpid())
    house.truncate(NAME, len(transcript(1, 2)))
    clock = SlowClock()
    result = house.catch_up(OPTIONS, clock)
    assert [(Path(item.path).name, item.reason) for item in result.in_progress] == [(NAME, "locked")]
    assert WAIT / 2 < clock.slept <= WAIT + 3 * SETTLE


def test_a_live_lock_holds_back_a_shrink_and_the_wait_for_it_is_bounded(house: Household) -> None:
    house.lock(NAME, os.getpid())
    house.truncate(NAME, len(transcript(1, 2)))
    clock = HandClock()
    result = house.catch_up(OPTIONS, clock)
    assert [(Path(item.path).name, item.reason) for item in result.in_progress] == [(NAME, "locked")]
    assert result.problems == []
    assert clock.slept <= WAIT + SETTLE, "one lock wait, not one for every pass"
    assert only_transcript(house.ledger_path).generation == 1
    verification = house.verify(OPTIONS)
    assert verification.ok
    assert [Path(item.path).name for item in verification.in_progress] == [NAME]
    house.path(f"{NAME}.lock").unlink()
    mirrored(house)
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == [transcript(1, 4), transcript(1, 2)]


def test_a_lock_released_while_waiting_lets_the_shrink_be_judged(house: Household) -> None:
    lock = house.lock(NAME, os.getpid())
    house.truncate(NAME, len(transcript(1, 2)))
    clock = WritingClock(lambda: None, lambda: None, lock.unlink)
    result = house.catch_up(OPTIONS, clock)
    assert result.in_progress == []
    assert only_transcript(house.ledger_path).generation == 2
    assert_mirrors(house, OPTIONS)


def test_a_live_lock_holds_back_an_emptied_file_until_its_lines_come_again(house: Household) -> None:
    """The start of a run on a header-only file: empty for the whole first model call, then the same header again."""
    house.write(name_of(2), header(2))
    mirrored(house)
    lock = house.lock(name_of(2), os.getpid())
    house.truncate(name_of(2), 0)
    clock = WritingClock(lambda: None, lambda: house.append(name_of(2), transcript(2, 2)), lock.unlink)
    house.catch_up(OPTIONS, clock)
    lock.unlink(missing_ok=True)
    mirrored(house)
    row = next(row for row in transcripts(house.ledger_path) if row.session_id == session_id(2))
    assert (row.generation, row.lines) == (1, 3)


def test_a_live_lock_does_not_hold_back_an_append(house: Household) -> None:
    house.lock(NAME, os.getpid())
    house.append(NAME, messages(5, 6))
    clock = HandClock()
    result = mirrored(house, OPTIONS, clock)
    assert result.lines == 2
    assert clock.slept < SETTLE


def test_a_live_lock_does_not_hold_back_an_archive_rename(house: Household) -> None:
    house.lock(NAME, os.getpid())
    house.rename(NAME, f"{NAME}.reset.{RESET_TIME}")
    mirrored(house, OPTIONS)
    assert only_transcript(house.ledger_path).kind == "reset"


def test_a_live_lock_does_not_hold_back_differing_bytes_at_rest(house: Household) -> None:
    house.lock(NAME, os.getpid())
    changed = header(1) + message(1, "said otherwise")
    house.write(NAME, changed)
    mirrored(house, OPTIONS)
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == [transcript(1, 4), changed]


def test_a_live_lock_does_not_hold_back_a_shorter_file_that_arrived_by_rename(house: Household) -> None:
    """Repair drops the last line at the start of a run, under the run's own lock."""
    house.lock(NAME, os.getpid())
    house.replace(NAME, transcript(1, 3))
    mirrored(house, OPTIONS)
    assert generations(house.ledger_path, only_transcript(house.ledger_path)) == [transcript(1, 4), transcript(1, 3)]


def test_a_dead_pid_s_lock_holds_back_nothing(house: Household) -> None:
    house.lock(NAME, dead_pid())
    house.truncate(NAME, len(transcript(1, 2)))
    clock = HandClock()
    mirrored(house, OPTIONS, clock)
    assert only_transcript(house.ledger_path).generation == 2
    assert clock.slept < 3 * SETTLE


@pytest.mark.parametrize("payload", [b"", b"{broken", b"[]", b'{"pid": "x"}'])
def test_a_lock_without_a_usable_payload_holds_only_for_its_grace(house: Household, payload: bytes) -> None:
    lock = house.write(f"{NAME}.lock", payload)
    os.utime(lock, (0, 0))
    house.truncate(NAME, len(transcript(1, 2)))
    mirrored(house, OPTIONS)
    assert only_transcript(house.ledger_path).generation == 2


@pytest.mark.parametrize("is_recycled", [True, False])
def test_d9_a_recycled_pid_s_lock_holds_back_nothing(house: Household, *, is_recycled: bool) -> None:
    """Of a pid that lives, in a lock taken just now: only the start of the process tells."""
    started = process_state(os.getpid()).starttime
    assert started is not None
    lock = house.lock(NAME, os.getpid())
    payload = {**json.loads(lock.read_bytes()), "starttime": started - 1 if is_recycled else started}
    lock.write_text(json.dumps(payload))
    house.truncate(NAME, len(transcript(1, 2)))
    result = house.catch_up(OPTIONS)
    assert bool(result.in_progress) != is_recycled
    assert only_transcript(house.ledger_path).generation == (2 if is_recycled else 1)


def test_a_file_dated_in_the_future_is_judged_all_the_same(house: Household) -> None:
    house.truncate(NAME, len(transcript(1, 2)))
    os.utime(house.path(NAME), (9_000_000_000, 9_000_000_000))
    clock = HandClock()
    mirrored(house, OPTIONS, clock)
    assert only_transcript(house.ledger_path).generation == 2
    assert clock.slept < 10 * SETTLE


class LateClock(HandClock):
    """A wall clock that was set back by an hour: every file is from the future."""

    def now_ms(self) -> int:
        return super().now_ms() - 3_600_000


def test_a_clock_set_back_by_an_hour_holds_up_nothing(house: Household) -> None:
    house.append(NAME, message(5))
    house.write(name_of(2), transcript(2, 3))
    clock = LateClock()
    result = house.catch_up(OPTIONS, clock)
    assert (result.lines, result.in_progress) == (5, [])
    assert clock.slept < SETTLE
    house.truncate(NAME, len(transcript(1, 2)))
    house.path(name_of(2)).unlink()
    clock = LateClock()
    assert house.catch_up(OPTIONS, clock).in_progress == []
    assert clock.slept < 4 * SETTLE
    assert_mirrors(house)
    assert [(row.state, row.generation) for row in transcripts(house.ledger_path)] == [("live", 2), ("gone", 1)]


def test_other_bytes_that_came_by_a_rename_wait_for_no_lock(house: Household) -> None:
    house.replace(NAME, transcript(1, 2) + message(7))
    house.lock(NAME, os.getpid())
    clock = HandClock()
    house.catch_up(OPTIONS, clock)
    assert (only_transcript(house.ledger_path).generation, clock.slept < 2 * SETTLE) == (2, True)


def test_a_file_that_never_rests_is_waited_for_only_so_long(house: Household) -> None:
    clock = WritingClock(*[partial(house.truncate, NAME, size) for size in range(400, 100, -1)])
    house.truncate(NAME, 401)
    result = house.catch_up(OPTIONS, clock)
    assert [Path(item.path).name for item in result.in_progress] == [NAME]
    assert clock.slept <= WAIT + SETTLE
    assert only_transcript(house.ledger_path).generation == 1
    mirrored(house)


def test_a_file_missing_for_a_moment_is_never_taken_for_gone(house: Household) -> None:
    """Between an unlink and a creation, or between a rename and the file that takes its place."""
    path = house.append(NAME, message(5)[:20])
    mirrored(house)
    away = path.rename(house.state_dir / "away")
    house.catch_up(OPTIONS, WritingClock(lambda: away.rename(path)))
    row = only_transcript(house.ledger_path)
    assert (row.state, row.generation, row.tail_bytes, events(house.ledger_path)) == ("live", 1, 20, [])
    assert_mirrors(house)


def test_a_file_missing_for_long_enough_is_gone_without_a_wait(house: Household) -> None:
    house.path(NAME).unlink()
    os.utime(house.sessions(), (1, 1))
    clock = HandClock()
    mirrored(house, OPTIONS, clock)
    assert (only_transcript(house.ledger_path).state, clock.slept) == ("gone", 0)


def test_a_live_lock_holds_back_a_removal(house: Household) -> None:
    lock = house.lock(NAME, os.getpid())
    house.path(NAME).unlink()
    clock = HandClock()
    result = house.catch_up(OPTIONS, clock)
    assert [(Path(item.path).name, item.reason) for item in result.in_progress] == [(NAME, "locked")]
    assert clock.slept <= WAIT + SETTLE
    assert only_transcript(house.ledger_path).state == "live"
    assert house.verify(OPTIONS).ok
    lock.unlink()
    mirrored(house, OPTIONS)
    assert only_transcript(house.ledger_path).state == "gone"


def test_one_file_in_progress_does_not_hold_up_the_others(house: Household) -> None:
    house.lock(NAME, os.getpid())
    house.truncate(NAME, len(transcript(1, 2)))
    house.write(name_of(2), transcript(2, 5))
    house.catch_up(CatchUpOptions(lock_wait_seconds=0))
    assert [(row.session_id, row.lines) for row in transcripts(house.ledger_path)] == [
        (session_id(1), 5),
        (session_id(2), 6),
    ]


def test_no_lock_file_is_ever_made_or_removed(house: Household) -> None:
    house.write("sessions.json", b"{}")
    for name in (NAME, "sessions.json"):
        house.lock(name, dead_pid())
    mirrored(house, OPTIONS)
    assert {path.name for path in house.sessions().iterdir()} == {
        NAME,
        "sessions.json",
        f"{NAME}.lock",
        "sessions.json.lock",
    }


def test_what_is_wrong_in_one_state_dir_is_told_also_when_another_is_fine(house: Household, tmp_path: Path) -> None:
    first, second = house, household(tmp_path / "second")
    first.write(f"{name_of(3)}.deleted.{RESET_TIME}.zst", b"no frame")
    first.lock(NAME, os.getpid())
    first.truncate(NAME, 10)
    second.write(name_of(4), transcript(4, 1))
    with open_for_writing(house.ledger_path) as ledger:
        dirs = [str(first.state_dir), str(second.state_dir)]
        result = catch_up(ledger, HandClock(), dirs, CatchUpOptions(lock_wait_seconds=1))
    assert len(result.problems) == 1
    assert [Path(item.path).name for item in result.in_progress] == [NAME]
    assert {row.session_id for row in transcripts(house.ledger_path)} == {session_id(1), session_id(4)}


class _ClockOfFile(HandClock):
    """It is the moment at which the file was written, however long this machine took since."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._written_ms = path.stat().st_ctime_ns / 1e6

    def now_ms(self) -> int:
        return round(self._written_ms + self.slept * 1000)


def test_times_of_this_very_moment_prove_nothing_until_they_are_older_than_a_tick(house: Household) -> None:
    """On a coarse clock another write may share them: the file is read again, and what it has by then is taken in."""
    clock = _ClockOfFile(house.append(NAME, message(5)))
    mirrored(house, clock=clock)
    assert clock.slept >= RACY_SECONDS
    assert query(house.ledger_path, "SELECT is_proven FROM _files") == [(1,)]
