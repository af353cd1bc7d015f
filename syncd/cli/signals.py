"""What SIGTERM, Ctrl-C and SIGHUP do. What a stop means is each verb's own.

An exception that strikes just anywhere can leave a lock held, or a thread that nobody knows of: harmless where a verb
only reads, and the last means where it writes. Who writes is asked, and ends at the next border.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

PATIENCE_SECONDS = 1.0
LAST_SECONDS = 20.0
"""For the unwinding of one who had to be made to end; then the process ends where it stands, and says where."""
AGAIN_SECONDS = 0.01


class Terminated(BaseException):
    """SIGTERM; not an Exception, so that nothing on the way takes it for a failure of its own."""


_MEANING: dict[int, type[BaseException]] = {signal.SIGTERM: Terminated, signal.SIGINT: KeyboardInterrupt}


@contextmanager
def sigterm_as_exception() -> Iterator[None]:
    """Raises Terminated in the main thread; who writes sets handlers of its own."""

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise Terminated

    hook = sys.unraisablehook

    def raise_again(fault: sys.UnraisableHookArgs) -> None:
        """It struck in a finalizer, where Python prints and forgets: once more, a moment later."""
        if isinstance(fault.exc_value, Terminated):
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
        else:
            hook(fault)

    with _handlers({signal.SIGTERM: terminate, signal.SIGALRM: terminate}):
        sys.unraisablehook = raise_again
        try:
            yield
        finally:
            sys.unraisablehook = hook


@contextmanager
def stopped_by_signals(stop: Callable[[], None], bell: int, asked: list[int] | None = None) -> Iterator[None]:
    """SIGTERM and Ctrl-C ask for a stop at the next border, instead of unwinding from wherever they strike.

    `bell`: a pipe on which the one who is to be stopped waits; a signal is written to it whenever and in whichever
    thread it comes. `asked` is told which signals came: the clean stop is the same, the exit code is not.
    """
    numbers = asked if asked is not None else []

    def ask(number: int) -> None:
        numbers.append(number)
        stop()

    with _asked_by_signals(ask, lambda _: Terminated):
        former = signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(former)


@contextmanager
def raised_at_borders() -> Iterator[Callable[[], None]]:
    """For a writer without a loop: what SIGTERM and Ctrl-C mean is raised by the call given, at its borders."""
    asked: list[int] = []

    def check() -> None:
        if asked:
            raise _MEANING[asked[0]]

    with _asked_by_signals(asked.append, _MEANING.__getitem__):
        yield check


@contextmanager
def _asked_by_signals(ask: Callable[[int], None], meaning: Callable[[int], type[BaseException]]) -> Iterator[None]:
    """One who does not come to a border in PATIENCE_SECONDS (a file of gigabytes) is unwound after all, however often
    it is asked meanwhile.
    """
    first = 0

    def on_signal(number: int, _frame: FrameType | None) -> None:
        nonlocal first
        if not first:
            first = number
            signal.setitimer(signal.ITIMER_REAL, PATIENCE_SECONDS)
        ask(number)

    def insist(_number: int, _frame: FrameType | None) -> None:
        faulthandler.dump_traceback_later(LAST_SECONDS, exit=True, file=2)
        raise meaning(first)

    try:
        with _handlers({signal.SIGALRM: insist, signal.SIGTERM: on_signal, signal.SIGINT: on_signal}):
            yield
    finally:
        if first:
            faulthandler.cancel_dump_traceback_later()


@contextmanager
def reloaded_by_sighup(reload: Callable[[], None]) -> Iterator[None]:
    """SIGHUP, which would end us, asks for another look at the configuration."""
    with _handlers({signal.SIGHUP: lambda _number, _frame: reload()}):
        yield


@contextmanager
def _handlers(wanted: dict[int, Callable[[int, FrameType | None], None]]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    finally:
        if signal.SIGALRM in before:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
