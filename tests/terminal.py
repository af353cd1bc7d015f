"""The command line at a terminal: what a person sees there, byte for byte. Click strips colours from a pipe."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import CHECKOUT


def at_a_terminal(environ: Mapping[str, str], *args: str | Path, answer: bytes = b"") -> tuple[int, bytes]:
    """Exit code, and what stdout and stderr put on the screen; `answer` is typed ahead."""
    env = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(CHECKOUT), **environ}
    env.pop("NO_COLOR", None)
    ours, theirs = pty.openpty()
    try:
        command = [sys.executable, "-m", "syncd", *map(str, args)]
        with subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as running:
            os.close(theirs)
            os.write(ours, answer)
            shown = b"".join(iter(lambda: _read(ours), b""))
        return running.returncode, shown
    finally:
        os.close(ours)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # nobody has the other end any more
        return b""
