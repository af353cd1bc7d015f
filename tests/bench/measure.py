"""What a command and its children cost: wall clock, user and system CPU, peak memory.

A figure is the median of its repeats, with the best beside it. Compare only figures of one run,
taken in turns: what disturbs the machine then disturbs both sides.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import orjson

Clock = Literal["wall", "cpu"]
CLOCKS: tuple[Clock, ...] = get_args(Clock)
_LAUNCHER = Path(__file__).with_name("launch.py")
_TIMEOUT_SECONDS = 1800.0
_ERROR_TAIL_CHARACTERS = 400


class UnmeasuredError(Exception):
    """A command that gave no figure: the row says why, the other rows go on."""


@dataclass(frozen=True)
class Times:
    wall_seconds: float
    cpu_seconds: float

    def by(self, clock: Clock) -> float:
        return self.wall_seconds if clock == "wall" else self.cpu_seconds


@dataclass(frozen=True)
class Sample:
    """One run of one command."""

    times: Times
    peak_rss_bytes: int
    output: bytes

    def document(self) -> dict[str, Any]:
        """The JSON document a verb printed."""
        try:
            document = orjson.loads(self.output)
        except orjson.JSONDecodeError as error:
            raise UnmeasuredError(f"no JSON document on stdout: {self.output[:80]!r}") from error
        if not isinstance(document, dict):
            raise UnmeasuredError(f"not a JSON object on stdout: {self.output[:80]!r}")
        return document


@dataclass(frozen=True)
class Figure:
    """Repeats of one quantity."""

    median: float
    best: float
    repeats: int


def figure(values: Iterable[float]) -> Figure:
    """Smaller is better in every quantity measured here."""
    found = list(values)
    return Figure(statistics.median(found), min(found), len(found))


def run(
    command: Sequence[str], env: Mapping[str, str], timeout_seconds: float = _TIMEOUT_SECONDS, *, exit_code: int = 0
) -> Sample:
    """Runs the command to its end; another exit code or a timeout is an UnmeasuredError."""
    # Pages that an earlier run left dirty would otherwise be written back on this one's time.
    os.sync()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        report, output, errors = (Path(folder) / name for name in ("report", "output", "errors"))
        with output.open("wb") as stdout, errors.open("wb") as stderr:
            launcher = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_LAUNCHER), str(report), *command],
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
            try:
                launcher.wait(timeout_seconds)
            except subprocess.TimeoutExpired as error:
                raise UnmeasuredError(f"no end after {timeout_seconds:g} s: {' '.join(command)}") from error
            finally:
                _end_session(launcher)
        said = (errors.read_text(errors="replace") or output.read_text(errors="replace")).strip()
        if launcher.returncode or not report.exists():
            raise UnmeasuredError(f"could not start {command[0]}: {said[-_ERROR_TAIL_CHARACTERS:]}")
        found_code, wall, cpu, rss = report.read_text(encoding="ascii").split()
        if int(found_code) != exit_code:
            raise UnmeasuredError(f"exit {found_code} of {' '.join(command)}: {said[-_ERROR_TAIL_CHARACTERS:]}")
        return Sample(Times(float(wall), float(cpu)), int(rss), output.read_bytes())


def _end_session(launcher: subprocess.Popen[bytes]) -> None:
    """A broken-off measurement leaves no process behind."""
    if launcher.poll() is None:
        os.killpg(launcher.pid, signal.SIGKILL)
        launcher.wait()
