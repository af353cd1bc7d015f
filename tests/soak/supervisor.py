"""Keeps `syncd run` running as systemd would: started again after any end but 75 and 78, which are for good."""

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.daemon.live import wait_for
from tests.daemon.process import Daemon
from tests.mirror.household import Household

RESTART_SECONDS = 0.5
FOR_GOOD = (75, 78)


class Supervisor:
    def __init__(self, house: Household, prefix: tuple[str, ...], log: Path) -> None:
        self._house, self._prefix, self._log = house, prefix, log
        self._before: tuple[str, ...] = ()
        self._may_run, self._ends = threading.Event(), threading.Event()
        self._may_run.set()
        self._thread = threading.Thread(target=self._keep, name="supervisor")
        self.daemon: Daemon | None = None
        self.exits: Counter[int] = Counter()
        self.odd_exits: list[int] = []
        """Neither a kill nor a stop of ours, where no fault makes it fail at its start."""
        self._killed_pid: int | None = None
        self.may_fail = False
        self.given_up: int | None = None

    def start(self) -> None:
        self._thread.start()
        wait_for(lambda: self.daemon is not None)

    @property
    def running(self) -> Daemon:
        """The present one, waited for."""
        wait_for(lambda: self.daemon is not None or self.given_up is not None, 30)
        assert self.daemon is not None, f"it ended with {self.given_up}, which is for good"
        return self.daemon

    @property
    def pid(self) -> int | None:
        return self.daemon.pid if self.daemon is not None else None

    def kill(self) -> None:
        self._killed_pid = self.running.pid
        with suppress(ProcessLookupError):
            os.killpg(self._killed_pid, signal.SIGKILL)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Killed, and not started again before the block ends."""
        self._may_run.clear()
        try:
            self.kill()
            wait_for(lambda: self.daemon is None)
            yield
        finally:
            self._may_run.set()

    def restart(self, before: tuple[str, ...] = ()) -> None:
        """Killed, and started again with this before the command."""
        self._before = before
        self.kill()

    def stop(self) -> int | None:
        """A clean stop; its exit code."""
        self._ends.set()
        self._may_run.set()
        running = self.daemon
        code = running.terminate()[0] if running is not None else None
        self._thread.join(30)
        return code

    def abandon(self) -> None:
        """At any cost."""
        self._ends.set()
        self._may_run.set()
        running = self.daemon
        if running is not None:
            running.kill()
        self._thread.join(10)

    def _keep(self) -> None:
        with self._log.open("ab") as log:
            while True:
                self._may_run.wait()
                if self._ends.is_set():
                    return
                self.daemon = Daemon(self._house, prefix=(*self._before, *self._prefix), log=log)
                pid, code = self.daemon.pid, self.daemon.process.wait()
                self.daemon = None
                self.exits[code] += 1
                if not self._is_explained(pid, code):
                    self.odd_exits.append(code)
                if code in FOR_GOOD:
                    self.given_up = code
                    return
                self._ends.wait(RESTART_SECONDS)

    def _is_explained(self, pid: int, code: int) -> bool:
        """The system kills, too, where memory is short; and one that ends well by itself is not started by systemd."""
        if code == -signal.SIGKILL:
            return self._killed_pid == pid or self._ends.is_set()
        return (code == 0 and self._ends.is_set()) or (code == 1 and self.may_fail)
