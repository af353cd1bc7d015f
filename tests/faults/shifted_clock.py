"""A process whose clocks a test moves, and nobody else's: a small library, compiled here, is loaded before libc."""

import mmap
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_suffix(".c")
HOUR = 3600
_FORM = struct.Struct("qqq")


class ShiftedClock:
    """`prefix` starts a process that has it. All else, the kernel's own times of files too, stays as it is."""

    def __init__(self, place: Path) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            pytest.skip("needs a C compiler, for a clock that is this process' own")
        library, self._file = place / "shifted_clock.so", place / "shift"
        self._wall = self._monotonic = self._boot = 0
        self._file.write_bytes(bytes(_FORM.size))
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            pytest.skip(f"the clock's library cannot be compiled here: {done.stderr.decode()[:200]}")
        self.prefix = ("env", f"LD_PRELOAD={library}", f"SHIFTED_CLOCK={self._file}")

    def step(self, seconds: int) -> None:
        """The wall clock is set."""
        self._move(seconds, 0, 0)

    def suspend(self, seconds: int, *, is_monotonic: bool = False) -> None:
        """The machine sleeps: Linux' monotonic clock stands still. `is_monotonic`: only this process was held."""
        self._move(seconds, seconds if is_monotonic else 0, seconds)

    def _move(self, wall: int, monotonic: int, boot: int) -> None:
        """At once: never half of it."""
        self._wall, self._monotonic, self._boot = self._wall + wall, self._monotonic + monotonic, self._boot + boot
        nanoseconds = [seconds * 10**9 for seconds in (self._wall, self._monotonic, self._boot)]
        with self._file.open("r+b") as file, mmap.mmap(file.fileno(), _FORM.size) as shared:
            shared[:] = _FORM.pack(*nanoseconds)
