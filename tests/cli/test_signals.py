"""Signals that end a run: asked first, then made to."""

import os
import signal
import threading
import time

import pytest

from syncd.cli import signals
from syncd.cli.signals import Terminated, stopped_by_signals


def test_being_asked_again_and_again_puts_no_end_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "PATIENCE_SECONDS", 0.3)
    asked: list[float] = []

    def ask_until_it_ends() -> None:
        deadline, pause = time.monotonic() + 10, threading.Event()
        while time.monotonic() < deadline:
            os.kill(os.getpid(), signal.SIGTERM)
            pause.wait(0.05)

    with pytest.raises(Terminated), stopped_by_signals(lambda: asked.append(time.monotonic())):
        ask_until_it_ends()
    assert len(asked) > 1
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
