"""SIGTERM as an exception that unwinds the stack, closing what is open. What it means is each verb's own."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class Terminated(BaseException):
    """SIGTERM; not an Exception, so that nothing on the way takes it for a failure of its own."""


@contextmanager
def sigterm_as_exception() -> Iterator[None]:
    """Raises Terminated in the main thread; the daemon sets a handler of its own."""

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """SIGTERM and Ctrl-C ask for a stop at the next border, instead of unwinding from wherever they strike."""

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop()

    before = {number: signal.signal(number, ask) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
