"""A clock that is set, a machine that sleeps, and what is done about ages then."""

from syncd.jobs.clock_steps import Change, ClockSteps, Moment
from syncd.jobs.doubt import ABSENCE_MS, DOUBT_SECONDS, Doubt
from tests.mirror.household import HandClock


class Clocks:
    """Three clocks, moved by hand."""

    def __init__(self) -> None:
        self.now = Moment(1_000_000.0, 100.0, 500.0)

    def __call__(self) -> Moment:
        return self.now

    def move(self, wall: float, monotonic: float, boot: float) -> None:
        self.now = Moment(self.now.wall + wall, self.now.monotonic + monotonic, self.now.boot + boot)


def test_time_that_passes_is_nothing() -> None:
    clocks = Clocks()
    steps = ClockSteps(clocks)
    for _ in range(100):
        clocks.move(5, 5, 5)
        assert steps.look() is None


def test_a_clock_that_is_set_is_told_once_with_its_direction() -> None:
    clocks = Clocks()
    steps = ClockSteps(clocks)
    clocks.move(5 - 3600, 5, 5)
    assert steps.look() == Change(-3600, 0)
    assert steps.look() is None
    clocks.move(5 + 86_400, 5, 5)
    assert steps.look() == Change(86_400, 0)


def test_a_sleep_of_the_machine_is_no_step() -> None:
    clocks = Clocks()
    steps = ClockSteps(clocks)
    clocks.move(8 * 3600 + 5, 5, 8 * 3600 + 5)
    assert steps.look() == Change(0, 8 * 3600)
    assert steps.look() is None


def test_slow_corrections_are_a_step_once_they_add_up() -> None:
    clocks = Clocks()
    steps = ClockSteps(clocks)
    told = []
    for _ in range(50):
        clocks.move(5.125, 5, 5)
        told.append(steps.look())
    found = [change for change in told if change is not None]
    assert len(found) == 3
    assert all(change == Change(2.0, 0) for change in found)


def test_a_step_forward_is_doubted_for_a_day() -> None:
    clock = HandClock()
    doubt = Doubt(clock)
    assert doubt.seconds_left() == 0
    doubt.note_step(10 * 365 * 86_400)
    assert round(doubt.seconds_left()) == DOUBT_SECONDS
    clock.sleep(DOUBT_SECONDS)
    assert doubt.seconds_left() == 0
    doubt.note_step(30)  # what was before is believed by now
    assert doubt.seconds_left() == 0


def test_a_step_that_is_taken_back_is_doubted_no_more() -> None:
    doubt = Doubt(HandClock())
    doubt.note_step(86_400)
    doubt.note_step(-86_390)
    assert doubt.seconds_left() == 0


def test_small_steps_and_steps_back_are_not_doubted() -> None:
    doubt = Doubt(HandClock())
    doubt.note_step(600)
    doubt.note_step(-86_400)
    assert doubt.seconds_left() == 0
    doubt.note_step(86_400)  # a clock that was wrong in between
    assert doubt.seconds_left() == 0


def test_months_in_which_nobody_was_here_are_doubted() -> None:
    clock = HandClock()
    doubt = Doubt(clock)
    doubt.note_past([])
    doubt.note_past([clock.now_ms() - ABSENCE_MS + 1000])
    assert doubt.seconds_left() == 0
    doubt.note_past([clock.now_ms() - ABSENCE_MS - 1000])
    assert round(doubt.seconds_left()) == DOUBT_SECONDS


def test_only_a_step_back_over_them_ends_that_doubt_before_its_time() -> None:
    clock = HandClock()
    doubt = Doubt(clock)
    doubt.note_past([clock.now_ms() - 10 * ABSENCE_MS])
    for seconds in (3, -3):
        doubt.note_step(seconds)
        assert round(doubt.seconds_left()) == DOUBT_SECONDS
    doubt.note_step(-10 * ABSENCE_MS / 1000)
    assert doubt.seconds_left() == 0


def test_a_leap_is_doubted_for_a_day_though_syncd_was_started_again() -> None:
    clock, minute = HandClock(), 60_000
    now_ms = clock.now_ms()
    year, hours = 365 * 86_400_000, 60 * minute
    doubt = Doubt(clock)
    doubt.note_past([now_ms - year - 20 * minute, now_ms - year - 5 * minute, now_ms - 6 * hours, now_ms - 5 * hours])
    assert round(doubt.seconds_left()) == DOUBT_SECONDS - 6 * 3600
    believed = Doubt(clock)
    believed.note_past([now_ms - year - 20 * minute, now_ms - 25 * hours, now_ms - 5 * hours])
    assert believed.seconds_left() == 0


def test_a_leap_that_was_taken_back_is_no_doubt_after_a_start() -> None:
    clock = HandClock()
    now_ms = clock.now_ms()
    doubt = Doubt(clock)
    doubt.note_past([now_ms - 1_200_000, now_ms + 10**10, now_ms + 10**10 + 900_000, now_ms - 60_000])
    assert doubt.seconds_left() == 0
