"""Agent turns for real: a genuine gateway answers several sessions at once, and `syncd run` follows.

Every turn must be in the ledger while OpenClaw goes on; at rest the ledger is held against the files or the database,
against `openclaw sessions --json`, against OpenClaw's own readers, and against what the model says that it sent.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from tests.command import called
from tests.daemon.live import wait_for
from tests.daemon.process import daemon, environ, syncd
from tests.mirror.household import Household, household
from tests.mirror_checks import assert_mirrors, assert_sound
from tests.openclaw.checks import SECONDS, assert_no_duplicates, indexes_on_disk, sessions_in_ledger
from tests.openclaw.real_gateway import real_gateway
from tests.openclaw.real_openclaw import RealOpenClaw, real_openclaw
from tests.openclaw.releases import CHOSEN, Release, installed
from tests.openclaw.store_scenario import events_of
from tests.openclaw.turn_checks import (
    assert_all_that_was_sent,
    assert_same_contexts,
    assert_same_histories,
    assert_same_listing,
    assert_same_titles,
    assert_same_usage,
)
from tests.openclaw.turns import AGENTS, PROMPTS, REFUSED, tell

LIVE_SECONDS = 120
AT_REST_SECONDS = 240
ATTEMPTS = 3
pytestmark = pytest.mark.skipif(not SECONDS, reason="make test-openclaw runs these")


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("version", CHOSEN)
def test_real_turns_are_in_the_ledger_as_openclaw_itself_tells_them(
    tmp_path: Path, version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    release, faults = installed(version), list[str]()
    for attempt in range(ATTEMPTS):
        place = tmp_path / str(attempt)
        place.mkdir()
        found = _told(household(place), release)
        with capsys.disabled():
            print(f"\n{version}: {found.turns} turns, {found.requests} requests; in its own way: {found.own_faults}")
        if not found.own_faults:
            return
        faults += found.own_faults
    pytest.skip(f"OpenClaw {version} was in its own way {ATTEMPTS} times, what it kept was in the ledger: {faults}")


class _Told(NamedTuple):
    turns: int
    requests: int
    own_faults: list[str]
    """Then turns failed that the ledger has no part in: it must have what OpenClaw kept, and no more is asked."""


def _told(house: Household, release: Release) -> _Told:
    """All is said, followed and compared."""
    with daemon(house) as follower:
        follower.is_following()
        with real_gateway(release, house.state_dir, AGENTS) as gateway:
            was_well = tell(gateway, lambda prompt: wait_for(lambda: _outcomes(house, prompt) != [], LIVE_SECONDS))
            assert follower.process.poll() is None, follower.output()
            assert sorted(was_well) == sorted(prompt for prompts in PROMPTS.values() for prompt in prompts)
            assert not was_well.pop(REFUSED)
            failed = [prompt for prompt, is_well in was_well.items() if not is_well]
            assert not failed or gateway.own_faults, failed
            if not gateway.own_faults:
                for check in (assert_same_titles, assert_same_listing, assert_same_histories, assert_same_usage):
                    _in_time(lambda check=check: check(house, gateway))  # type: ignore[misc]
            account = gateway.account()
            gateway.finish()
        _in_time(lambda: _assert_level(house))
        if not gateway.own_faults:
            _assert_all_is_there(house, release, list(was_well), account)
        assert follower.terminate()[0] == 0
    assert_no_duplicates(house)
    if release.has_store:
        assert_sound(house.ledger_path)
    else:
        assert_mirrors(house)
        assert indexes_on_disk(house) == sessions_in_ledger(house)
    return _Told(len(was_well), len(account), gateway.own_faults)


def _assert_all_is_there(house: Household, release: Release, prompts: list[str], account: list[dict[str, Any]]) -> None:
    with real_openclaw(release, house.state_dir) as claw:
        assert_same_contexts(house, claw)
        _assert_exports(house, claw)
        claw.finish()
    _in_time(lambda: _assert_level(house))
    for prompt in prompts:
        assert _outcomes(house, prompt) == ["done"], prompt
    assert_all_that_was_sent(house, account)
    assert _outcomes(house, REFUSED) == ["error"]


def _outcomes(house: Household, prompt: str) -> list[str]:
    """How the turns of this prompt ended, if they did; by a connection of this thread's own."""
    ended = """SELECT t.status FROM turns AS t JOIN messages AS m ON m.id = t.user_message_id
        JOIN transcripts AS f ON f.id = t.transcript_id
        WHERE t.status != 'in_progress' AND instr(m.text, ?) AND f.kind IN ('primary', 'reset', 'deleted')"""
    connection = apsw.Connection(str(house.ledger_path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [status for (status,) in connection.execute(ended, (prompt,))]
    finally:
        connection.close()


def _in_time(check: Callable[[], None]) -> None:
    def holds() -> bool:
        check()
        return True

    wait_for(holds, AT_REST_SECONDS)


def _assert_level(house: Household) -> None:
    code, told = syncd(house, "verify")
    assert (code, told["in_progress"]) == (0, []), told
    code, status = syncd(house, "status")
    assert (code, status["degraded"], status["behind_bytes"]) == (0, [], 0)


def _assert_exports(house: Household, claw: RealOpenClaw) -> None:
    """Byte for byte what the file has, or what OpenClaw's own raw reader gives."""
    _, told = syncd(house, "sessions")
    live = [session for session in told["sessions"] if session["status"] == "live"]
    assert live
    for session in live:
        exported = called(("export", session["session_id"]), environ(house)).stdout_bytes
        if claw.release.has_store:
            expected = b"".join(event + b"\n" for event in events_of(claw, session["session_key"]))
        else:
            expected = (house.state_dir / session["path"]).read_bytes()
        assert exported == expected, session["session_key"]
