"""FAULTS.md A1 for the daemon, as often as SYNCD_KILLS says: a release asks for 1,000. Skipped without it."""
# ruff: noqa: N802  the fault's id stands in the test's name

import os
from pathlib import Path

import pytest

from tests.daemon.test_process import kill_under_torn_appends
from tests.mirror.household import household

KILLS = int(os.environ.get("SYNCD_KILLS", "0"))  # read here: inside a test no variable of syncd's is set


@pytest.mark.skipif(KILLS == 0, reason="a long one: SYNCD_KILLS says how many kills")
@pytest.mark.timeout(300 + 6 * KILLS)
def test_A1_a_thousand_kills_of_the_daemon_lose_and_double_nothing(tmp_path: Path) -> None:
    for part in range(0, KILLS, 100):
        kill_under_torn_appends(household(tmp_path / str(part)), min(100, KILLS - part), seed=part)
