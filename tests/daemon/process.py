"""`syncd run` as a process of its own, and what it and `syncd status` say."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import IO, Any

import apsw

from syncd.daemon.beat import beat_path
from tests.command import called
from tests.conftest import CHECKOUT
from tests.daemon.live import wait_for
from tests.mirror.household import Household
from tests.mirror_checks import Row, transcripts

CONFIG = "watch: {settle_seconds: 0.2, rescan_seconds: 5, confirm_removal_seconds: 5}\n"
LONGEST_SILENCE_SECONDS = 100.0
"""Below the time after which pytest ends a whole worker, and leaves what that has started."""
PROMPTLY_SECONDS = 10.0
"""Two are promised, to a machine that has time; this one may be busy."""
_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@cache
def _ends_with_us() -> tuple[str, ...]:
    """A prefix by which the kernel ends the daemon with this worker, also where pytest ends that by os._exit."""
    prefix = ("setpriv", "--pdeathsig", "KILL")
    if (
        shutil.which("setpriv") is None
        or subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode
    ):
        return ()
    return prefix


class Daemon:
    def __init__(self, house: Household, *, prefix: tuple[str, ...] = (), log: IO[bytes] | None = None) -> None:
        """`log`: a file for what it says, of one that nobody listens to."""
        self.house = house
        command = [*_ends_with_us(), *prefix, sys.executable, "-m", "syncd", "run"]
        told = log if log is not None else subprocess.PIPE
        self.process = subprocess.Popen(command, env=environ(house), stdout=told, stderr=told, start_new_session=True)

    def is_following(self) -> None:
        """Waits for its first beat: caught up, watching, one pass completed."""
        beat = beat_path(self.house.ledger_path)

        def has_beaten() -> bool:
            assert self.process.poll() is None, self.output()
            return beat.exists() and json.loads(beat.read_bytes())["pid"] == self.pid

        wait_for(has_beaten)

    def has_said(self, event: str) -> dict[str, Any]:
        """Reads its log up to the next line of this event; a daemon that never says it is ended."""
        assert self.process.stderr is not None
        end = threading.Timer(LONGEST_SILENCE_SECONDS, self._end_all)
        end.start()
        try:
            for line in self.process.stderr:
                said: dict[str, Any] = json.loads(line)
                if said["event"] == event:
                    return said
        finally:
            end.cancel()
        raise AssertionError(f"it ended, or was ended, without {event}")

    @property
    def pid(self) -> int:
        return self.process.pid

    def output(self) -> str:
        return b"".join(self.process.communicate()).decode()

    def terminate(self) -> tuple[int, float]:
        """Exit code, and seconds it took."""
        return self.ended_after(signal.SIGTERM)

    def ended_after(self, number: signal.Signals) -> tuple[int, float]:
        started = time.monotonic()
        self.process.send_signal(number)
        self.process.communicate(timeout=60)
        return self.process.returncode, time.monotonic() - started

    def kill(self) -> None:
        self._end_all()
        self.process.communicate()

    def _end_all(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # with whatever it was started under


def longer_pauses(running: Daemon) -> list[dict[str, Any]]:
    """What it says of three attempts in a row: each is put off for longer, and none is made long before its time."""
    said = [running.has_said("paused")]
    started = time.monotonic()
    said += [running.has_said("paused") for _ in range(2)]
    waits = [each["retry_seconds"] for each in said]
    assert [each["attempt"] for each in said] == [1, 2, 3]
    assert waits[0] < waits[1] < waits[2]
    assert time.monotonic() - started > (waits[0] + waits[1]) / 2
    return said


def environ(house: Household) -> dict[str, str]:
    config = house.state_dir.parent / "config.yaml"
    if not config.exists():
        config.write_text(CONFIG)
    found = {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT), "SYNCD_CONFIG": str(config)}
    if "ledger:" in config.read_text():
        del found["SYNCD_LEDGER"]  # it would stand above the file
    return found


@contextmanager
def daemon(house: Household, *, prefix: tuple[str, ...] = ()) -> Iterator[Daemon]:
    started = Daemon(house, prefix=prefix)
    try:
        yield started
    finally:
        started.kill()


def syncd(house: Household, *args: str, prefix: tuple[str, ...] = ()) -> tuple[int, Any]:
    """Exit code and document of a verb, called from here; with a prefix, in a process of its own."""
    if not prefix:
        told = called((*args, "--json"), environ(house))
        return told.exit_code, told.json
    command = [*prefix, sys.executable, "-m", "syncd", *args, "--json"]
    done = subprocess.run(command, env=environ(house), capture_output=True, timeout=60, check=False)
    return done.returncode, json.loads(done.stdout)


def in_ledger(house: Household, name: str, lines: int) -> Callable[[], bool]:
    return lambda: any(row.name == name and row.lines == lines for row in rows(house))


def rows(house: Household, condition: str = "true") -> list[Row]:
    """Of a ledger that is perhaps only being made."""
    try:
        return transcripts(house.ledger_path, condition)
    except apsw.Error:
        return []


@contextmanager
def held_by_another(house: Household) -> Iterator[None]:
    """The ledger, by another program's write transaction."""
    command = [sys.executable, "-c", _HOLD, str(house.ledger_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        try:
            yield
        finally:
            holder.communicate()
