"""Work on a thread beside the loop: waited for without a busy loop, given up when whoever waits is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from syncd.clock import SystemClock
from syncd.jobs import beside
from syncd.jobs.beside import do_beside
from syncd.mirror.catchup import Pace

if TYPE_CHECKING:
    from collections.abc import Callable


class _Waits(Pace):
    """Waits take no time, as where a clock is wound by hand."""

    def __init__(self, on_wait: Callable[[], None] = lambda: None) -> None:
        super().__init__(SystemClock())
        self.count = 0
        self._on_wait = on_wait

    def wait(self, seconds: float) -> None:
        self.count += 1
        self._on_wait()


def test_waiting_that_takes_no_time_leaves_the_work_its_own() -> None:
    pace, started = _Waits(), time.monotonic()

    def work(_: Callable[[], bool]) -> str:
        time.sleep(0.02)
        return "done"

    assert do_beside(pace, work) == "done"
    assert 1 <= pace.count <= (time.monotonic() - started) / beside._AT_LEAST_SECONDS + 1


def test_whoever_ends_the_wait_ends_the_work() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    told: list[bool] = []

    def work(is_given_up: Callable[[], bool]) -> None:
        while not is_given_up():
            time.sleep(0.001)
        told.append(True)

    with pytest.raises(KeyboardInterrupt):
        do_beside(_Waits(stop), work)
    assert told == [True]


def test_what_the_work_raises_is_raised_where_it_is_waited_for() -> None:
    def work(_: Callable[[], bool]) -> None:
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        do_beside(_Waits(), work)
