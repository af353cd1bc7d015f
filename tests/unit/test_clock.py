import time

from syncd.clock import Clock, SystemClock


def test_wall_time_is_in_epoch_milliseconds() -> None:
    clock: Clock = SystemClock()
    before = time.time()
    assert before - 1 < clock.now_ms() / 1000 < before + 60


def test_monotonic_time_never_steps_back() -> None:
    clock = SystemClock()
    moments = [clock.monotonic() for _ in range(100)]
    assert moments == sorted(moments)


def test_a_deadline_in_the_past_is_no_wait_and_no_fault() -> None:
    clock = SystemClock()
    clock.sleep(-5)
    clock.sleep(0)


def test_a_pause_lasts_at_least_as_long_as_asked() -> None:
    clock = SystemClock()
    start = clock.monotonic()
    clock.sleep(0.002)
    assert clock.monotonic() - start >= 0.002
