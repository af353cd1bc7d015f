"""The measure itself: a lock that is held is seen, for as long as it is."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.openclaw.held_locks import LOCKS, locks_of

HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("CREATE TABLE t (x)")
print("ready", flush=True)
sys.stdin.readline()
connection.execute("BEGIN EXCLUSIVE")
time.sleep(0.4)
connection.execute("COMMIT")
sys.stdin.readline()
"""


@pytest.mark.skipif(not LOCKS.exists(), reason="this kernel does not list its locks")
def test_a_lock_is_seen_for_as_long_as_it_is_held(tmp_path: Path) -> None:
    path = tmp_path / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
    path.parent.mkdir(parents=True)
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        with locks_of(holder.pid, tmp_path) as held:
            holder.stdin.write("\n")
            holder.stdin.flush()
            time.sleep(1)
        holder.stdin.write("\n")
    assert held.is_listed
    assert held.longest_ms >= 200 or held.gaps
