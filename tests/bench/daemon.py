"""A process that follows, measured from outside: its start, its costs, and what a reader of its database sees.

`following` is `syncd run`; a peer's own is in `agentsview`. Linux: the costs are those of /proc.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from tests.bench import syncd_verbs
from tests.bench.measure import UnmeasuredError

READY_SECONDS = 300.0
_STOP_SECONDS = 20.0
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Questions:
    """What a reader asks of a database, in SQL: which line of a file is the last one there, and which rows are new."""

    last_line: str
    last_row: str
    rows_after: str


_OF_THE_LEDGER = Questions(
    last_line="""SELECT line_no FROM entries WHERE superseded_in IS NULL
        AND transcript_id = (SELECT id FROM transcripts WHERE path = ?) ORDER BY byte_offset DESC LIMIT 1""",
    last_row="SELECT coalesce(max(id), 0) FROM entries",
    rows_after="""SELECT e.id, t.path, e.line_no FROM entries e JOIN transcripts t ON t.id = e.transcript_id
        WHERE e.id > ? ORDER BY e.id""",
)


@dataclass(frozen=True)
class Daemon:
    pid: int
    seconds_to_ready: float
    """From the start of the process until it said that it watches."""
    database: apsw.Connection
    questions: Questions

    def last_line(self, path: Path) -> int:
        """The number of the last line that a reader sees; what numbers begin with is the program's own."""
        row = next(self.database.execute(self.questions.last_line, (str(path.resolve()),)), None)
        return -1 if row is None or row[0] is None else int(row[0])

    def last_row(self) -> int:
        return int(self.database.execute(self.questions.last_row).get)

    def rows_after(self, last_row: int) -> list[tuple[int, str, int]]:
        """Row, path and line of each."""
        return list(self.database.execute(self.questions.rows_after, (last_row,)))

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
            reads += _lengths(trace, path)


def _lengths(trace: Iterable[str], path: Path) -> Iterator[int]:
    """What each read of that file returned; a call that another thread's line cuts in two is told in two lines."""
    name, cut = f"<{path.resolve()}>", set()
    for line in trace:
        thread = line.partition(" ")[0]
        if name in line and "<unfinished" in line:
            cut.add(thread)
        elif name in line or (thread in cut and "resumed>" in line):
            cut.discard(thread)
            length = line.rpartition("= ")[2].split()[0]
            if length.isdigit():
                yield int(length)


@contextmanager
def following(command: tuple[str, ...], state_dir: Path, home: Path) -> Iterator[Daemon]:
    """The daemon, caught up and watching; ended, and found to have been well, when the block ends."""
    home.mkdir(parents=True, exist_ok=True)
    env = syncd_verbs.environment(state_dir, home)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        name = f"\0syncd-bench-{os.getpid()}-{home.name}"
        manager.bind(name)
        started = time.perf_counter()
        with process_of([*command, "run"], {**env, "NOTIFY_SOCKET": f"@{name[1:]}"}, home / "said") as process:
            while b"READY=1" not in _heard(manager, process, home / "said"):
                pass
            with reading(syncd_verbs.ledger_path(home)) as ledger:
                yield Daemon(process.pid, time.perf_counter() - started, ledger, _OF_THE_LEDGER)


@contextmanager
def process_of(command: list[str], env: dict[str, str], said: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that lasts as long as the block, and must not end before; `said` is what it printed."""
    os.sync()  # as in measure.run: what was written before is not to be written back on this one's time
    with said.open("wb") as output:
        process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
        if process.poll() is not None:
            raise UnmeasuredError(f"{command[0]} ended by itself: {tail(said)}")
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def reading(database: Path) -> Iterator[apsw.Connection]:
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(5000)
    try:
        yield connection
    finally:
        connection.close()


def tail(said: Path) -> str:
    return said.read_text(errors="replace")[-400:]


def _heard(manager: socket.socket, process: subprocess.Popen[bytes], said: Path) -> bytes:
    manager.settimeout(1.0)
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            return manager.recv(4096)
        except TimeoutError:
            continue
    raise UnmeasuredError(f"syncd run did not come to watch: {tail(said)}")


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
