"""A loop that hangs ends its process, so that it is started again; a loop that is busy, idle or stopped does not."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from syncd.daemon import loop, pausing, self_watch
from syncd.daemon.self_watch import LONG_ACT_TICKS, PATIENT_TICKS, SelfWatch
from syncd.ledger import standing
from syncd.ledger.database import Ledger
from tests.daemon.live import Heard, following, wait_for
from tests.daemon.process import daemon, environ, in_ledger, syncd
from tests.daemon.test_gone import nothing_can_be_put_back
from tests.mirror.household import Household, message, name_of
from tests.mirror_checks import assert_mirrors

NAME = name_of(1)
TICK = 0.4  # a pass that takes long on a busy machine is no hang
_RUN = """
import sys, threading
from syncd.daemon import loop, pausing, self_watch
from syncd.daemon.follow import Follower
self_watch.TICK_SECONDS = {tick}
{patch}
from syncd.cli.main import main
sys.exit(main(["run"]))
"""
_HANG = "Follower.look_at = lambda self, paths: threading.Event().wait()"


def run_with(house: Household, patch: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _RUN.format(tick=TICK, patch=patch)]
    return subprocess.Popen(command, env=environ(house), stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_loop_that_hangs_while_work_waits_ends_its_process_and_says_where(house: Household) -> None:
    with run_with(house, _HANG) as process:
        wait_for(in_ledger(house, NAME, 6))
        assert process.stderr is not None
        while json.loads(process.stderr.readline())["event"] != "watching":
            pass
        house.append(NAME, message(6))  # the look at it hangs; more work comes meanwhile
        wait_for(lambda: house.append(NAME, message(7)).exists() and process.poll() is not None)
        said = process.stderr.read().decode()
    assert process.returncode == self_watch.EXIT_CODE
    stalled = json.loads(next(line for line in said.splitlines() if '"stalled"' in line))
    assert stalled["seconds"] >= PATIENT_TICKS * TICK
    assert "look_at" in said or "_pass" in said
    with daemon(house) as running:  # as the service manager does
        running.is_following()
        assert running.terminate()[0] == 0
    assert syncd(house, "run", "--once")[0] == 0
    assert_mirrors(house)


def test_a_process_that_was_stopped_for_long_goes_on(house: Household) -> None:
    """FAULTS.md A5: its own ticks stood still as well."""
    with run_with(house, "") as process:
        try:
            wait_for(in_ledger(house, NAME, 6))
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            threading.Event().wait((PATIENT_TICKS + 2) * TICK)  # nothing can be waited for: it must not be late
            house.append(NAME, message(6))
            process.send_signal(signal.SIGCONT)
            wait_for(in_ledger(house, NAME, 7))
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.communicate(timeout=60)
    assert process.returncode == 0
    assert_mirrors(house)


class Watched:
    def __init__(self) -> None:
        self.is_waiting = False
        self.hung = threading.Event()
        self.heard = Heard()
        self.asked = 0
        self.watch = SelfWatch(self._asks, lambda _: self.hung.set(), self.heard, {"WATCHDOG_USEC": "30000000"})

    def _asks(self) -> bool:
        self.asked += 1
        return self.is_waiting

    def ticks(self, count: int) -> None:
        until = self.asked + count
        wait_for(lambda: self.asked >= until)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setattr(self_watch, "TICK_SECONDS", 0.01)
    made = Watched()
    made.watch.start()
    yield made
    made.watch.stop()


def test_no_pass_while_work_waits_is_a_hang(watched: Watched) -> None:
    watched.is_waiting = True
    assert watched.hung.wait(60)


def test_no_pass_while_nothing_waits_is_none(watched: Watched) -> None:
    watched.ticks(3 * PATIENT_TICKS)
    assert not watched.hung.is_set()


def test_what_cannot_be_divided_has_more_time_and_so_does_the_manager(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(self_watch, "LONG_ACT_TICKS", 100_000)
    with watched.watch.long_act():
        watched.is_waiting = True
        watched.ticks(3 * PATIENT_TICKS)
        assert not watched.hung.is_set()
    extended = [field for field in watched.heard.messages if field.startswith("WATCHDOG_USEC=")]
    assert extended == [f"WATCHDOG_USEC={self_watch.LONG_ACT_TICKS * 10_000}", "WATCHDOG_USEC=30000000"]
    assert watched.hung.wait(60)  # and no more than that


def test_a_pause_is_no_hang_however_long_it_is(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    hung = threading.Event()
    monkeypatch.setattr(loop, "end_process", hung.set)
    monkeypatch.setattr(self_watch, "TICK_SECONDS", TICK)
    monkeypatch.setattr(pausing, "RETRY_SECONDS", (600.0,))
    monkeypatch.setattr(pausing, "LONGEST_WAIT_SECONDS", TICK / 4)
    with following(house, rescan_seconds=TICK, is_level_after=False) as live, nothing_can_be_put_back(house):
        house.ledger_path.rename(house.ledger_path.with_name("elsewhere.db"))
        wait_for(lambda: live.loop.troubles.get("ledger", {}).get("code") == "ledger_gone")
        wait_for(live.loop._is_work_waiting)
        assert not hung.wait((PATIENT_TICKS + 4) * TICK)


@pytest.mark.parametrize("is_displaced", [True, False])
def test_a_large_ledger_has_the_time_to_be_put_back_or_kept(
    house: Household, monkeypatch: pytest.MonkeyPatch, *, is_displaced: bool
) -> None:
    usual, patience, copied = standing._copy, list[int](), threading.Event()
    with following(house, is_level_after=False) as live:

        def copy(ledger: Ledger, place: Path) -> None:
            patience.append(live.loop.self_watch._patience)
            usual(ledger, place)
            copied.set()

        monkeypatch.setattr(standing, "_copy", copy)
        if is_displaced:
            other = house.ledger_path.with_name("other")
            other.touch(0o600)
            other.replace(house.ledger_path)
        else:
            house.ledger_path.unlink()
        live.loop.dirty.add_everything()
        assert copied.wait(60)
    assert patience == [LONG_ACT_TICKS]
