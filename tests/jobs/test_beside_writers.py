"""The real jobs, again and again, while OpenClaw writes: nothing is lost, doubled or taken for a rewrite."""

import pytest

from syncd.clock import SystemClock
from syncd.daemon.log import Log
from syncd.jobs import housekeeper, scrub
from syncd.jobs.housekeeper import Housekeeper
from syncd.settings import Duration, Settings
from syncd.settings.schema import JobSettings
from tests.daemon.live import following, wait_for
from tests.mirror.busy_openclaw import torn_appends
from tests.mirror.household import Household
from tests.mirror_checks import query, transcripts


def test_scrub_and_optimize_beside_torn_appends(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeper, "LATEST_START_SECONDS", 0.05)
    monkeypatch.setattr(scrub, "STEP_BYTES", 3 * scrub.FILE_BYTES)
    often = Duration(0.1, "0.1s")  # type: ignore[arg-type]  # shorter than a configuration can name
    settings = Settings(jobs=JobSettings(scrub=often, optimize=often, repair=None, retention=None, backup=None))
    care = Housekeeper(SystemClock(), settings, Log().say, names=("scrub", "optimize"))
    counts = "SELECT count(*) FILTER (WHERE job = 'scrub'), count(*) FILTER (WHERE job = 'optimize') FROM job_runs"
    with following(house, care=care), torn_appends(house, 0.01):
        wait_for(lambda: min(query(house.ledger_path, counts)[0]) >= 4)
    assert query(house.ledger_path, "SELECT count(*) FROM job_runs WHERE ok = 0") == [(0,)]
    assert {row.generation for row in transcripts(house.ledger_path)} == {1}
