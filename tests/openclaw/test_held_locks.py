"""The measure itself: a lock that is held is seen, for as long as it is."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.openclaw.held_locks import LOCKS, locks_of
from tests.openclaw.releases import installed, with_store

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


READ_LOG = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
connection.execute("BEGIN")
connection.execute("SELECT * FROM t").fetchall()
print("reading", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
print("done", flush=True)
sys.stdin.readline()
"""
ASK = "const { holdsLock } = await import(process.argv[1]); console.log(holdsLock(process.argv[2], process.argv[3]));"


@pytest.mark.skipif(not LOCKS.exists(), reason="this kernel does not list its locks")
def test_a_checkpoint_that_waits_is_told_who_reads_the_log(tmp_path: Path) -> None:
    path = tmp_path / "openclaw-agent.sqlite"
    node = installed(with_store()[0]).node if with_store() else pytest.skip("no release with a store is chosen")
    backend = (Path(__file__).parent / "store_backend.mjs").as_uri()

    def is_held() -> str:
        command = [node, "--no-warnings", "--input-type=module", "-e", ASK, backend, str(reader.pid), str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()

    command = [sys.executable, "-c", READ_LOG, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        assert reader.stdout.readline() == "reading\n"
        assert is_held() == "true"
        reader.stdin.write("\n")
        reader.stdin.flush()
        assert reader.stdout.readline() == "done\n"
        reader.stdin.write("\n")
