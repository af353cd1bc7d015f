"""A log that nobody rotates stays small: where the service's file says how large it may be, and only there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT

_SAYS = """
import os
from syncd.daemon.log import Log
log = Log(environ=os.environ)
for number in range(20):
    log.say(f"e{number}")
"""


@pytest.mark.parametrize(("limit", "is_emptied"), [("1000", True), ("", False), ("no number", False)])
def test_a_log_file_is_emptied_when_it_is_too_large(tmp_path: Path, limit: str, is_emptied: bool) -> None:
    log = tmp_path / "daemon.log"
    log.write_bytes(b"old\n" * 1000)
    environ = {**os.environ, "PYTHONPATH": str(CHECKOUT), **({"SYNCD_LOG_BYTES": limit} if limit else {})}
    with log.open("ab") as file:
        subprocess.run([sys.executable, "-c", _SAYS], env=environ, stderr=file, check=True)
    assert (b"old" not in log.read_bytes()) is is_emptied
    assert b'"event": "e19"' in log.read_bytes()
    assert (log.stat().st_size < 1200) is is_emptied


def test_a_start_that_fails_again_and_again_does_not_fill_it(tmp_path: Path) -> None:
    log, config = tmp_path / "daemon.log", tmp_path / "config.yaml"
    config.write_text("nonsense: 1\n")
    environ = {**os.environ, "PYTHONPATH": str(CHECKOUT), "SYNCD_LOG_BYTES": "500"}
    for _ in range(4):
        with log.open("ab") as file:
            command = [sys.executable, "-m", "syncd", "--config", str(config), "run"]
            assert subprocess.run(command, env=environ, stderr=file, check=False).returncode == 78
    assert 0 < log.stat().st_size < 1000
