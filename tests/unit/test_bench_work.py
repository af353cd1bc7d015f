"""The work of a verb is told in one document, as often as asked; what the verb itself says is not in it."""

import json
import subprocess
import sys

from tests.conftest import CHECKOUT


def test_a_verbs_work_is_told_without_its_words() -> None:
    command = [sys.executable, "-m", "tests.bench.work", "2", "ledger", "path"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, timeout=60, check=True)
    told = json.loads(done.stdout)
    assert [len(told[clock]) for clock in ("wall_seconds", "cpu_seconds")] == [2, 2]


def test_a_verb_that_fails_gives_no_figure() -> None:
    command = [sys.executable, "-m", "tests.bench.work", "1", "sessions", "--sort", "nonsense"]
    assert subprocess.run(command, cwd=CHECKOUT, capture_output=True, timeout=60, check=False).returncode == 2
