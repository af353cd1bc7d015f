"""A benchmark that is broken off leaves no daemon behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.daemon.live import wait_for

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="children are found by /proc")


def children(pid: int) -> set[int]:
    found = set()
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # ended meanwhile
        if int(fields[1]) == pid and fields[0] != "Z":
            found.add(int(place.parent.name))
    return found


def is_daemon(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().endswith(b"\0run\0")
    except OSError:
        return False


def has_beaten(pid: int) -> bool:
    variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    (ledger,) = (os.fsdecode(each.partition(b"=")[2]) for each in variables if each.startswith(b"SYNCD_LEDGER="))
    return Path(f"{ledger}.beat.json").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_benchmark_that_is_told_to_end_takes_its_daemon_with_it(number: signal.Signals) -> None:
    bench = subprocess.Popen(
        [sys.executable, "-m", "tests.bench", "--only", "append", "--syncd", f"{sys.executable} -m syncd"],
        cwd=CHECKOUT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    daemons: set[int] = set()

    def is_measuring() -> bool:
        daemons.update(filter(is_daemon, children(bench.pid)))
        return any(map(has_beaten, daemons))

    try:
        wait_for(is_measuring)
        bench.send_signal(number)
        _, said = bench.communicate(timeout=60)
        assert bench.returncode == 128 + number, said.decode()
        assert not any(map(is_daemon, daemons))
    finally:
        bench.kill()
        bench.communicate()
        for pid in filter(is_daemon, daemons):
            os.kill(pid, signal.SIGKILL)
