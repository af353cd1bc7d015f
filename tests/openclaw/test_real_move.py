"""A genuine migration under a running syncd: 2026.7.1 wrote files, 2026.9.6's doctor moves them into SQLite, and back.

Entries, messages and usage are the same rows before and after; only what OpenClaw appends in between is new.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.daemon.live import wait_for
from tests.daemon.process import daemon, syncd
from tests.mirror.household import Household, household
from tests.mirror_checks import assert_sound, query
from tests.openclaw.checks import QUIET_SECONDS, SECONDS
from tests.openclaw.doctor import move_back, move_into_store
from tests.openclaw.real_openclaw import RealOpenClaw, real_openclaw
from tests.openclaw.releases import installed, require

KEYS = ("agent:main:direct:ada", "agent:main:telegram:group:-100:topic:7", "agent:ops:main")
GONE = "agent:ops:direct:gone"
pytestmark = pytest.mark.skipif(not SECONDS, reason="make test-openclaw runs these")


class Kept(NamedTuple):
    """What a move may not change."""

    entries: list[Any]
    messages: list[Any]
    sessions: list[Any]
    cron_runs: list[Any]
    usage: Any


@pytest.mark.timeout(900)
@pytest.mark.parametrize("has_run", [False, True], ids=["written", "turned"])
def test_a_move_into_the_store_and_back_keeps_every_row(tmp_path: Path, *, has_run: bool) -> None:
    """After a real turn the import refuses, and `doctor --fix` moves all of the state."""
    require("2026.7.1", "2026.9.6")
    house, older, newer = household(tmp_path), installed("2026.7.1"), installed("2026.9.6")
    with daemon(house) as follower:
        with real_openclaw(older, house.state_dir) as claw:
            follower.is_following()
            _converse(claw)
            wait_for(lambda: _is_session(house, GONE), QUIET_SECONDS)
            claw.do("delete", GONE)
            if has_run:
                for number in range(3):
                    claw.do("cron_run", KEYS[0], job="nightly", runId=f"run-{number}")
                assert claw.turn("Hello, what can you do?")
                assert claw.turn("[[stub:exec echo hello]]")
        _wait_until_level(house)
        wait_for(lambda: len(_kept(house).cron_runs) == (3 if has_run else 0), QUIET_SECONDS)
        wait_for(lambda: _removals(house) == [GONE], QUIET_SECONDS)
        before = _kept(house)
        assert set(KEYS) <= {row[2] for row in before.sessions}
        assert len(before.messages) > 6 * len(KEYS), "what is compared is there"

        report = move_into_store(newer, house.state_dir)
        assert not list(house.state_dir.glob("agents/*/sessions/sessions.json")), report
        _wait_until_level(house)
        wait_for(lambda: _assert_same_rows(before, _kept(house)), QUIET_SECONDS)
        assert query(house.ledger_path, "SELECT count(*) FROM sync_events WHERE kind = 'migration'") != [(0,)]
        assert _removals(house) == [GONE]

        with real_openclaw(newer, house.state_dir) as claw:
            appended = [_say(claw, key, "In the new house") for key in KEYS for _ in range(3)]
            _wait_until_level(house)
            claw.finish()
        _wait_until_level(house)
        wait_for(lambda: _assert_only_new(before, _kept(house), appended), QUIET_SECONDS)

        move_back(newer, house.state_dir)
        assert list(house.state_dir.glob("agents/*/sessions/sessions.json"))
        _wait_until_level(house)
        wait_for(lambda: _assert_only_new(before, _kept(house), appended), QUIET_SECONDS)
        with real_openclaw(older, house.state_dir) as claw:
            back = [_say(claw, key, "Back again") for key in KEYS]
            _wait_until_level(house)
        wait_for(lambda: _assert_only_new(before, _kept(house), back, passed=appended), QUIET_SECONDS)
        assert _removals(house) == [GONE]
        wait_for(lambda: syncd(house, "status")[1]["degraded"] == [], QUIET_SECONDS)
        assert follower.terminate()[0] == 0
    assert_sound(house.ledger_path)


def _converse(claw: RealOpenClaw) -> None:
    for key in KEYS:
        claw.do("put", key, fields={"chatType": "direct", "displayName": f"Peer of {key}"})
        for number in range(3):
            claw.do("append", key, role="user", text=f"Question {number} with ünïcode ✿")
            claw.do("append", key, role="assistant", text=f"Answer {number}", thinking="Let me see.")
    claw.do("fork", KEYS[0], to="agent:main:direct:fork")
    claw.do("append", "agent:main:direct:fork", role="user", text="Another way")
    claw.do("append", KEYS[2], role="compaction", summary="## Goal\nAll of it.", tokensBefore=54321)
    claw.do("put", GONE)
    claw.do("append", GONE, role="user", text="Soon deleted")
    claw.do("append", GONE, role="assistant", text="Yes")
    claw.do("reset", KEYS[1])
    claw.do("append", KEYS[1], role="user", text="After the reset")
    claw.do("append", KEYS[1], role="assistant", text="Yes")


def _say(claw: RealOpenClaw, key: str, text: str) -> str:
    return str(claw.asked("append", key, role="assistant", text=text)["id"])


def _wait_until_level(house: Household) -> None:
    def is_level() -> bool:
        code, told = syncd(house, "verify")
        assert code == 0, told["differences"]
        return bool(syncd(house, "status")[1]["behind_bytes"] == 0)

    wait_for(is_level, QUIET_SECONDS)


def _kept(house: Household) -> Kept:
    entries = """SELECT id, transcript_id, byte_offset, byte_length, entry_id, parent_id, type FROM entries
        WHERE superseded_in IS NULL ORDER BY id"""
    messages = "SELECT id, role, text, at, input_tokens, output_tokens, cost_total FROM messages ORDER BY id"
    sessions = "SELECT id, agent_id, session_key, session_id FROM sessions WHERE status = 'live' ORDER BY id"
    runs = "SELECT id, job_id, at, status, session_key, duration_ms FROM cron_runs ORDER BY id"
    code, usage = syncd(house, "usage", "--by", "model")
    assert code == 0
    found = (query(house.ledger_path, text) for text in (entries, messages, sessions, runs))
    return Kept(next(found), next(found), next(found), next(found), usage)


def _assert_same_rows(before: Kept, after: Kept) -> bool:
    assert after.entries == before.entries
    assert after.messages == before.messages
    assert after.usage == before.usage
    _assert_same_sessions(before, after)
    return True


def _assert_only_new(before: Kept, after: Kept, appended: list[str], passed: Sequence[str] = ()) -> bool:
    """`passed`: what the files that came back do not have. It is kept, as a generation of the past, and counted."""
    kept = {row[0] for row in before.entries}
    assert [row for row in after.entries if row[0] in kept] == before.entries
    assert sorted(row[4] for row in after.entries if row[0] not in kept) == sorted(appended)
    assert [row for row in after.messages if row[0] in kept] == before.messages
    new_messages = [row for row in after.messages if row[0] not in kept]
    assert len(new_messages) == len(appended) + len(passed)
    _assert_same_sessions(before, after)
    spent = after.usage["total"]["messages"] - before.usage["total"]["messages"]
    assert spent == len(appended) + len(passed)
    return True


def _assert_same_sessions(before: Kept, after: Kept) -> None:
    """The same rows; those that the doctor recovered from files which no index knew come on top."""
    assert after.cron_runs == before.cron_runs
    known = {row[0] for row in before.sessions}
    assert [row for row in after.sessions if row[0] in known] == before.sessions
    assert all(":recovered:" in row[2] for row in after.sessions if row[0] not in known)


def _is_session(house: Household, key: str) -> bool:
    return bool(query(house.ledger_path, "SELECT 1 FROM sessions WHERE session_key = ?", key))


def _removals(house: Household) -> list[str]:
    """What 2026.7.1 itself deleted, and nothing else."""
    rows = query(house.ledger_path, "SELECT detail_json ->> 'session_key' FROM sync_events WHERE kind = 'removal'")
    return [key for (key,) in rows]
