"""Is the loop still alive? No completed pass for a minute while work waits ends the process: whoever started it starts
it again, and the files are still there.

For service managers without a watchdog of their own, and for hangs. Counted in ticks of this thread's own, so that a
process that was stopped, or a machine that slept, is no hang.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from syncd.daemon.notify import Notifier

TICK_SECONDS = 10.0
PATIENT_TICKS = 6
LONG_ACT_TICKS = 90
"""A quarter of an hour for steps that cannot be divided, such as giving free pages back."""
EXIT_CODE = 1


class SelfWatch:
    """`sign` is the loop's; `is_work_waiting` and `on_hang` are called on the watch's thread."""

    def __init__(
        self, is_work_waiting: Callable[[], bool], on_hang: Callable[[float], None], notifier: Notifier,
        environ: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self._is_work_waiting, self._on_hang, self._notifier = is_work_waiting, on_hang, notifier
        self._usual_usec = (environ if environ is not None else os.environ).get("WATCHDOG_USEC", "")
        self._signs = 0
        self._patience = PATIENT_TICKS
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def sign(self) -> None:
        """A pass was completed, or a border reached."""
        self._signs += 1

    def start(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="syncd-self-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    @contextmanager
    def long_act(self) -> Iterator[None]:
        """What is not following: a request, a job. systemd's watchdog, too, is told to wait for so long."""
        self._patience = LONG_ACT_TICKS
        self._extend(str(int(LONG_ACT_TICKS * TICK_SECONDS * 1e6)))
        try:
            yield
        finally:
            self.sign()
            self._patience = PATIENT_TICKS
            self._extend(self._usual_usec)

    def _extend(self, usec: str) -> None:
        if self._usual_usec:
            self._notifier.send(f"WATCHDOG_USEC={usec}", "WATCHDOG=1")

    def _watch(self) -> None:
        last, silent_ticks = self._signs, 0
        while not self._ended.wait(TICK_SECONDS):
            is_silent = self._signs == last and self._is_work_waiting()
            last, silent_ticks = self._signs, silent_ticks + 1 if is_silent else 0
            if silent_ticks >= self._patience:
                self._on_hang(silent_ticks * TICK_SECONDS)


def end_process() -> None:
    """At once, and from any thread: what hangs cannot be asked to end. The ledger bears it, as it bears a power cut."""
    with suppress(OSError, ValueError, AttributeError):
        faulthandler.dump_traceback(file=sys.stderr, all_threads=True)  # where it hangs: names and lines, no data
    os._exit(EXIT_CODE)
