"""Signals that end a run: asked first, then made to, at whatever moment they come."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from syncd.cli import signals
from syncd.cli.signals import Terminated, raised_at_borders, sigterm_as_exception, stopped_by_signals
from syncd.daemon.dirty import DirtySet
from syncd.daemon.door import Door
from syncd.daemon.following import Following
from syncd.daemon.loop import Loop
from syncd.daemon.telling import Telling
from syncd.daemon.timers import Timers
from syncd.daemon.watch import Watcher
from syncd.ledger import writer as writer_module
from syncd.ledger.writer import Writer
from syncd.mirror.ingest import Ingest
from tests.conftest import Cli
from tests.mirror.household import Household, household, message, name_of, transcript
from tests.mirror_checks import mirrored, query


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = household(tmp_path)
    for number in range(1, 4):
        made.write(name_of(number), transcript(number, 40))  # long enough for the thread that packs
    return made


def wait_to_be_ended(begin: Callable[[], object]) -> None:
    pause, deadline = threading.Event(), time.monotonic() + 60
    begin()
    while time.monotonic() < deadline:
        pause.wait(0.01)


def test_being_asked_again_and_again_puts_no_end_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "PATIENCE_SECONDS", 0.3)
    asked: list[float] = []

    def ask_until_it_ends() -> None:
        deadline, pause = time.monotonic() + 60, threading.Event()
        while time.monotonic() < deadline:
            os.kill(os.getpid(), signal.SIGTERM)
            pause.wait(0.05)

    dirty = DirtySet()
    with pytest.raises(Terminated), stopped_by_signals(lambda: asked.append(time.monotonic()), dirty.bell):
        ask_until_it_ends()
    assert len(asked) > 1
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize(("number", "meaning"), [(signal.SIGTERM, Terminated), (signal.SIGINT, KeyboardInterrupt)])
def test_a_writer_is_ended_at_a_border_by_what_the_signal_means(
    monkeypatch: pytest.MonkeyPatch, number: int, meaning: type[BaseException]
) -> None:
    with raised_at_borders() as check:
        check()
        os.kill(os.getpid(), number)
        with pytest.raises(meaning):
            check()
    monkeypatch.setattr(signals, "PATIENCE_SECONDS", 0.05)
    with pytest.raises(meaning), raised_at_borders():  # and where no border comes, by and by
        wait_to_be_ended(partial(os.kill, os.getpid(), number))


def test_a_signal_that_strikes_in_a_finalizer_is_not_forgotten() -> None:
    class Dying:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGTERM)

    dying = [Dying()]
    with pytest.raises(Terminated), sigterm_as_exception():
        wait_to_be_ended(dying.clear)  # Python can only print what is raised in there


def test_a_signal_that_another_thread_is_given_wakes_the_loop_all_the_same() -> None:
    """The kernel does so while a first signal is on its way to the main thread, whose sleep then goes on."""
    dirty, asked = DirtySet(), []

    def strike_oneself() -> None:
        threading.Event().wait(0.1)  # most likely it sleeps by then; if not, there is nothing to be woken
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

    with stopped_by_signals(lambda: asked.append(1), dirty.bell):
        other = threading.Thread(target=strike_oneself)
        other.start()
        started = time.monotonic()
        dirty.take(100)
        assert time.monotonic() - started < 60
    other.join()
    assert asked == [1]


def strikes_after(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, which: int) -> Callable[[], int]:
    """SIGTERM as soon as the main thread has made so many calls of this kind; how many it made."""
    original, calls, main = getattr(owner, name), [0], threading.get_ident()

    def struck(*args: Any, **named: Any) -> Any:
        outcome = original(*args, **named)
        if threading.get_ident() == main:
            calls[0] += 1
            if calls[0] == which:
                os.kill(os.getpid(), signal.SIGTERM)
        return outcome

    monkeypatch.setattr(owner, name, struck)
    return lambda: calls[0]


WRITING = [
    (threading.Thread, "start", 1),  # of the thread that packs and commits
    *((threading.Condition, "__enter__", which) for which in (1, 2, 3, 5, 8)),
    (ThreadPoolExecutor, "submit", 2),
    (Future, "result", 1),
    (Writer, "_store_rows", 1),
    (Writer, "_commit", 1),
    (Ingest, "take", 2),
]
FOLLOWING = [
    (Door, "open"),
    (Watcher, "start"),
    (Loop, "_begin"),
    (Telling, "beat"),
    (Timers, "seconds_to_wait"),
    (Watcher, "stop"),
    (Following, "drop"),
]


@pytest.mark.parametrize(("owner", "name", "which"), WRITING)
@pytest.mark.parametrize("verb", ["run --once", "resync", "run"])
def test_whenever_sigterm_comes_to_a_writer_it_ends_in_order_and_the_next_run_goes_on(
    cli_in_process: Cli,
    house: Household,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    owner: type,
    name: str,
    which: int,
) -> None:
    assert_ends_in_order(cli_in_process, house, monkeypatch, verb, owner, name, which)


@pytest.mark.parametrize(("owner", "name"), FOLLOWING)
def test_whenever_sigterm_comes_to_the_daemon_it_ends_in_order(
    cli_in_process: Cli, house: Household, monkeypatch: pytest.MonkeyPatch, owner: type, name: str
) -> None:
    if name in ("stop", "drop"):  # a second one, since these are only done because of a first
        strikes_after(monkeypatch, Loop, "_begin", 1)
    assert_ends_in_order(cli_in_process, house, monkeypatch, "run", owner, name, 1)


def assert_ends_in_order(
    cli: Cli, house: Household, monkeypatch: pytest.MonkeyPatch, verb: str, owner: type, name: str, which: int
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(writer_module, "BATCH_BYTES", 1)  # so that every thread of the writer has its part
        calls = strikes_after(patch, owner, name, which)
        started = time.monotonic()
        done = cli(*verb.split(), "--json", env=house.environ)
    assert calls() >= which, "it was never struck"
    assert time.monotonic() - started < 60
    assert done.exit_code in ((0, 143) if verb == "resync" else (0,)), done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["ok"] is (done.exit_code == 0)
    assert query(house.ledger_path, "PRAGMA integrity_check") == [("ok",)]
    house.append(name_of(1), message(41))
    mirrored(house)
