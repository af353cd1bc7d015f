import time

from syncd.clock import Clock, SystemClock, utc_stamp


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


def test_a_stamp_for_names_of_files_is_utc_to_the_millisecond_and_sorts_by_time() -> None:
    assert utc_stamp(0) == "19700101T000000.000Z"
    assert utc_stamp(1_794_802_711_250) == "20261116T041831.250Z"
    moments = [1_794_802_711_249, 1_794_802_711_250, 1_794_802_712_000, 1_800_000_000_000]
    assert sorted(map(utc_stamp, moments)) == [utc_stamp(moment) for moment in moments]
