"""`syncd run` as the benchmark measures it from outside: its start, its costs, and what a reader of the ledger sees.

Linux: the costs are those of /proc.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from tests.bench import syncd_verbs
from tests.bench.measure import UnmeasuredError

_READY_SECONDS = 300.0
_STOP_SECONDS = 20.0
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Daemon:
    pid: int
    seconds_to_ready: float
    """From the start of the process until it said that it watches."""
    ledger: apsw.Connection

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def rss_bytes(self) -> int:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    @contextmanager
    def reads_of(self, path: Path) -> Iterator[list[int]]:
        """Filled, when the block ends, with the length of each read of that file; left empty without strace."""
        reads: list[int] = []
        if shutil.which("strace") is None:
            yield reads
            return
        with tempfile.NamedTemporaryFile("r") as trace:
            command = ["strace", "-f", "-y", "-e", "trace=read,pread64,preadv,readv", "-o", trace.name]
            tracer = subprocess.Popen([*command, "-p", str(self.pid)], stderr=subprocess.PIPE, text=True)
            assert tracer.stderr is not None
            tracer.stderr.readline()  # "attached", or why not
            try:
                yield reads
            finally:
                tracer.terminate()
                tracer.communicate()
            reads += [
                int(line.rpartition("= ")[2]) for line in trace if f"<{path.resolve()}>" in line and "= -1" not in line
            ]


@contextmanager
def following(command: tuple[str, ...], state_dir: Path, home: Path) -> Iterator[Daemon]:
    """The daemon, caught up and watching; ended, and found to have been well, when the block ends."""
    home.mkdir(parents=True, exist_ok=True)
    env = syncd_verbs.environment(state_dir, home)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, (home / "errors").open("w+b") as errors:
        name = f"\0syncd-bench-{os.getpid()}-{home.name}"
        manager.bind(name)
        manager.settimeout(_READY_SECONDS)
        started = time.perf_counter()
        process = subprocess.Popen(
            [*command, "run"],
            env={**env, "NOTIFY_SOCKET": f"@{name[1:]}"},
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        try:
            while b"READY=1" not in _heard(manager, process, errors.name):
                pass
            seconds = time.perf_counter() - started
            ledger = apsw.Connection(str(syncd_verbs.ledger_path(home)), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                yield Daemon(process.pid, seconds, ledger)
            finally:
                ledger.close()
            if process.poll() is not None:
                raise UnmeasuredError(f"syncd run ended by itself: {Path(errors.name).read_text()[-400:]}")
        finally:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _heard(manager: socket.socket, process: subprocess.Popen[bytes], errors: str) -> bytes:
    manager.settimeout(1.0)
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            return manager.recv(4096)
        except TimeoutError:
            continue
    raise UnmeasuredError(f"syncd run did not come to watch: {Path(errors).read_text()[-400:]}")


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
