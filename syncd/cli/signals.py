"""SIGTERM as an exception that unwinds the stack, closing what is open. What it means is each verb's own."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE_SECONDS = 1.0


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
    """SIGTERM and Ctrl-C ask for a stop at the next border, instead of unwinding from wherever they strike.

    One who does not come to a border in PATIENCE_SECONDS (a file of gigabytes) is unwound after all, however often it
    is asked meanwhile.
    """
    is_asked = False

    def ask(_number: int, _frame: FrameType | None) -> None:
        nonlocal is_asked
        if not is_asked:
            signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS)
        is_asked = True
        stop()

    def insist(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    wanted = {signal.SIGTERM: ask, signal.SIGINT: ask, signal.SIGALRM: insist}
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def reloaded_by_sighup(reload: Callable[[], None]) -> Iterator[None]:
    """SIGHUP, which would end us, asks for another look at the configuration."""

    def ask(_number: int, _frame: FrameType | None) -> None:
        reload()

    before = signal.signal(signal.SIGHUP, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
