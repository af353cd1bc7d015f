"""Genuine OpenClaw writes its own SQLite for a while, `syncd run` follows, and then every event must be there.

What the ledger is held against is what OpenClaw's own raw reader says, while it is still running.
"""

from pathlib import Path

import pytest

from tests.command import called
from tests.daemon.live import wait_for
from tests.daemon.process import daemon, environ, syncd
from tests.mirror.household import Household, household
from tests.mirror_checks import assert_sound
from tests.openclaw.checks import (
    QUIET_SECONDS,
    SECONDS,
    SEED,
    assert_no_duplicates,
    assert_nothing_missed,
    assert_was_at_work,
    entries_in_stores,
    figures,
    sessions_in_ledger,
)
from tests.openclaw.real_openclaw import RealOpenClaw, real_openclaw
from tests.openclaw.releases import installed, require, with_store
from tests.openclaw.store_scenario import StoreScenario, events_of, keys_of

LONGEST_BLOCK_MS = 200
pytestmark = pytest.mark.skipif(not SECONDS, reason="make test-openclaw runs these")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("version", with_store())
def test_every_event_of_the_store_is_in_the_ledger_once(
    tmp_path: Path, version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house = household(tmp_path)
    with real_openclaw(installed(version), house.state_dir) as claw, daemon(house) as follower:
        follower.is_following()
        scenario = StoreScenario(claw, SEED, follower.process.pid)
        scenario.play(SECONDS, is_over=lambda: follower.process.poll() is not None)
        assert follower.process.poll() is None, follower.output()
        scenario.checkpoint()
        wait_for(lambda: _is_level(house, claw), QUIET_SECONDS)
        code, status = syncd(house, "status")
        assert status["degraded"] == []
        assert code == 0
        claw.finish()  # takes the log away from under the follower
        wait_for(lambda: syncd(house, "verify")[0] == 0, QUIET_SECONDS)
        entries = entries_in_stores(house.state_dir)
        # What was deleted last may have been missed in one look only: a second one has to confirm it.
        wait_for(lambda: sessions_in_ledger(house) == entries, QUIET_SECONDS)
        assert follower.terminate()[0] == 0
    with capsys.disabled():
        longest, by_anybody = max(scenario.blocked_by_follower_ms, default=0), max(scenario.blocked_ms, default=0)
        blocked = f"{len(scenario.blocked_ms)} checkpoints, none blocked for more than {longest:.0f} ms by syncd"
        blocked += f" ({by_anybody:.0f} ms by anybody)"
        print(f"\n{version}, seed {SEED}: {figures(house, claw, scenario.witness)}\n  {blocked}")
    assert_was_at_work(claw, scenario.witness)
    assert_sound(house.ledger_path)
    assert entries == sessions_in_ledger(house)
    assert_no_duplicates(house)
    assert_nothing_missed(house, scenario.witness)
    assert scenario.blocked_ms, "no checkpoint of OpenClaw's was timed"
    assert longest < LONGEST_BLOCK_MS


@pytest.mark.timeout(600)
def test_no_file_of_openclaw_appears_or_changes_because_of_us(tmp_path: Path) -> None:
    require("2026.9.6")
    house, key = household(tmp_path), "agent:main:main"
    with real_openclaw(installed("2026.9.6"), house.state_dir) as claw:
        claw.do("put", key)
        claw.do("append", key, role="user", text="Hello")
        claw.do("append", key, role="assistant", text="Hello to you")
        # Beside logs that are in use. OpenClaw puts off some writes of its own, which come once; ours would each time.
        wait_for(lambda: _stays_as_it_is(house), QUIET_SECONDS)
        claw.finish()
    at_rest = _files(house.state_dir)
    assert not any(name.endswith("-wal") for name in at_rest)
    with daemon(house) as follower:
        follower.is_following()
        assert syncd(house, "verify")[0] == 0
        assert syncd(house, "resync", "--rebuild")[0] == 0
        assert follower.terminate()[0] == 0
    assert _files(house.state_dir) == at_rest


def _stays_as_it_is(house: Household) -> bool:
    """All that OpenClaw has, while a daemon comes, follows and goes."""
    before = _files(house.state_dir)
    with daemon(house) as follower:
        follower.is_following()
        wait_for(lambda: syncd(house, "verify")[0] == 0, QUIET_SECONDS)
        assert follower.terminate()[0] == 0
    return _files(house.state_dir) == before


def _is_level(house: Household, claw: RealOpenClaw) -> bool:
    code, told = syncd(house, "verify")
    assert code == 0, told["differences"]
    compared = 0
    for key, session_id in keys_of(claw).items():
        expected = b"".join(event + b"\n" for event in events_of(claw, key))
        exported = called(("export", session_id), environ(house)).stdout_bytes if expected else b""
        assert exported == expected, key
        compared += len(exported)
    assert compared, "OpenClaw's own reader told of nothing"
    return True


def _files(state_dir: Path) -> dict[str, tuple[int, int, int]]:
    """But for the index of a log, in which SQLite keeps its readers' marks."""
    found = (path for path in state_dir.rglob("*") if not path.name.endswith("-shm"))
    stats = ((str(path), path.stat()) for path in found)
    return {path: (stat.st_ino, stat.st_size, stat.st_mtime_ns) for path, stat in stats}
