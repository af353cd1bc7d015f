"""Genuine OpenClaw writes files for a while, `syncd run` follows, and then everything must be there.

SYNCD_OPENCLAW_SECONDS says for how long, and is what lets these tests run at all: they install OpenClaw.
"""

from pathlib import Path

import pytest

from tests.daemon.live import wait_for
from tests.daemon.process import daemon, syncd
from tests.mirror.household import Household, household
from tests.mirror_checks import assert_mirrors, query
from tests.openclaw.checks import (
    QUIET_SECONDS,
    SECONDS,
    SEED,
    assert_no_duplicates,
    assert_nothing_missed,
    assert_was_at_work,
    figures,
    indexes_on_disk,
    sessions_in_ledger,
)
from tests.openclaw.real_openclaw import real_openclaw
from tests.openclaw.releases import installed, with_files
from tests.openclaw.scenario import Scenario

pytestmark = pytest.mark.skipif(not SECONDS, reason="make test-openclaw runs these")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("version", with_files())
def test_all_that_openclaw_writes_is_in_the_ledger_once(
    tmp_path: Path, version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house = household(tmp_path)
    with real_openclaw(installed(version), house.state_dir) as claw, daemon(house) as follower:
        follower.is_following()
        scenario = Scenario(claw, SEED)
        scenario.play(SECONDS, is_over=lambda: follower.process.poll() is not None)
        assert follower.process.poll() is None, follower.output()
        wait_for(lambda: _is_level(house), QUIET_SECONDS)
        code, status = syncd(house, "status")
        assert (code, status["degraded"]) == (0, [])
        assert follower.terminate()[0] == 0
    with capsys.disabled():
        print(f"\n{version}, seed {SEED}: {figures(house, claw, scenario.witness)}")
    assert_was_at_work(claw, scenario.witness)
    assert_mirrors(house)
    assert indexes_on_disk(house) == sessions_in_ledger(house)
    assert_no_duplicates(house)
    assert_nothing_missed(house, scenario.witness)
    runs = query(house.ledger_path, "SELECT json_extract(raw_json, '$.runId') FROM cron_runs ORDER BY id")
    assert [run for (run,) in runs] == scenario.cron_runs


def _is_level(house: Household) -> bool:
    code, told = syncd(house, "verify")
    assert code == 0, told["differences"]
    assert indexes_on_disk(house) == sessions_in_ledger(house)
    return True
