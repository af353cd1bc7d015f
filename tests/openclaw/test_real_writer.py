"""Genuine OpenClaw writes for a while, `syncd run` follows, and then everything must be there.

SYNCD_OPENCLAW_SECONDS says for how long, and is what lets these tests run at all: they install OpenClaw.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.live import wait_for
from tests.daemon.process import daemon, syncd
from tests.mirror.household import Household, household
from tests.mirror_checks import assert_mirrors, generations, query, transcripts
from tests.openclaw.real_openclaw import RealOpenClaw, real_openclaw
from tests.openclaw.releases import installed
from tests.openclaw.scenario import Scenario, Witness

SECONDS = float(os.environ.get("SYNCD_OPENCLAW_SECONDS") or 0)
SEED = int(os.environ.get("SYNCD_OPENCLAW_SEED") or random.randrange(10**6))
QUIET_SECONDS = 30
pytestmark = pytest.mark.skipif(not SECONDS, reason="make test-openclaw runs these")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("version", ["2026.5.7", "2026.7.1"])
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
        print(f"\n{version}, seed {SEED}: {_figures(house, claw, scenario.witness)}")
    assert_mirrors(house)
    assert _indexes(house) == _sessions(house)
    _assert_no_duplicates(house)
    _assert_nothing_missed(house, scenario.witness)
    runs = query(house.ledger_path, "SELECT json_extract(raw_json, '$.runId') FROM cron_runs ORDER BY id")
    assert [run for (run,) in runs] == scenario.cron_runs


def _is_level(house: Household) -> bool:
    code, told = syncd(house, "verify")
    assert code == 0, told["differences"]
    assert _indexes(house) == _sessions(house)
    return True


def _indexes(house: Household) -> dict[tuple[str, str], Any]:
    """Every entry of every sessions.json."""
    return {
        (path.parts[-3], key): entry
        for path in house.state_dir.glob("agents/*/sessions/sessions.json")
        for key, entry in json.loads(path.read_bytes()).items()
    }


def _sessions(house: Household) -> dict[tuple[str, str], Any]:
    rows = query(house.ledger_path, "SELECT agent_id, session_key, entry_json FROM sessions WHERE status = 'live'")
    return {(agent, key): json.loads(entry) for agent, key, entry in rows}


def _assert_no_duplicates(house: Household) -> None:
    twice = """SELECT transcript_id, entry_id, count(*) FROM entries
        WHERE superseded_in IS NULL AND entry_id IS NOT NULL AND type != 'session'
        GROUP BY transcript_id, entry_id HAVING count(*) > 1"""
    assert query(house.ledger_path, twice) == []


def _assert_nothing_missed(house: Household, witness: Witness) -> None:
    """Every line that was on the disk for a while is in some generation of some transcript."""
    kept: set[bytes] = set()
    for row in transcripts(house.ledger_path):
        for content in generations(house.ledger_path, row):
            kept.update(content.split(b"\n"))
    missed = [(path, line[:200]) for line, path in witness.lines.items() if line not in kept]
    assert missed == []


def _figures(house: Household, claw: RealOpenClaw, witness: Witness) -> str:
    counts = {
        name: query(house.ledger_path, f"SELECT count(*) FROM {name}")[0][0]
        for name in ("transcripts", "entries", "sessions", "session_versions", "session_ids")
    }
    kinds = dict(query(house.ledger_path, "SELECT kind, count(*) FROM sync_events GROUP BY kind"))
    kept = dict(query(house.ledger_path, "SELECT kind, count(*) FROM transcripts GROUP BY kind"))
    acts = f"{sum(claw.done.values())} acts {dict(claw.done)}, refused {dict(claw.refused)}"
    return f"{acts}\n  {len(witness.lines)} lines witnessed; ledger {counts} {kept}; events {kinds}"
