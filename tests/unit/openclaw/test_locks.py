"""Lock payloads of every release, and what OpenClaw would say of them (FAULTS D8, D9)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.locks import LockPayload, LockVerdict, PidState, judge_lock, parse_lock

NOW_MS = 1_794_802_934_551
NOW_ISO = "2026-11-16T04:22:14.551Z"
ALIVE = PidState(is_alive=True, starttime=4711)
DEAD = PidState(is_alive=False)
HOUR_MS = 3_600_000


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        pytest.param({"pid": 12, "startedAt": NOW_MS}, LockPayload(12, NOW_MS, None, None), id="2.3 index"),
        pytest.param({"pid": 12, "createdAt": NOW_ISO}, LockPayload(12, NOW_MS, None, None), id="2.3"),
        pytest.param(
            {"pid": 12, "createdAt": NOW_ISO, "starttime": 4711},
            LockPayload(12, NOW_MS, 4711, None),
            id="5.7",
        ),
        pytest.param(
            {"pid": 12, "createdAt": NOW_ISO, "maxHoldMs": 300_000, "starttime": 4711},
            LockPayload(12, NOW_MS, 4711, 300_000),
            id="7.1",
        ),
        pytest.param({}, LockPayload(None, None, None, None), id="nothing"),
        pytest.param(
            {"pid": 0, "createdAt": 7.5, "starttime": -1, "maxHoldMs": "5"},
            LockPayload(None, 7, None, None),
            id="junk",
        ),
    ],
)
def test_payloads_of_every_release_are_read(payload: dict[str, object], expected: LockPayload) -> None:
    assert parse_lock(json.dumps(payload, indent=2).encode()) == expected


@pytest.mark.parametrize("raw", [b"", b"\0\0", b"12", b"[]", b"{", b"\xff", b"null"])
def test_an_unreadable_payload_is_none(raw: bytes) -> None:
    assert parse_lock(raw) is None


LIVE = LockVerdict(held=True, stale=False, reason="live")
BEING_WRITTEN = LockVerdict(held=True, stale=False, reason="being_written")


def payload(age_ms: int = 0, max_hold_ms: int | None = None) -> LockPayload:
    return LockPayload(12, NOW_MS - age_ms, 4711, max_hold_ms)


@pytest.mark.parametrize("kind", ["index", "transcript"])
def test_a_lock_of_a_living_process_is_held(kind: str) -> None:
    assert judge_lock(kind, payload(), 1, NOW_MS, ALIVE) == LIVE  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["index", "transcript"])
@pytest.mark.parametrize(
    ("state", "reason"),
    [(DEAD, "dead_pid"), (PidState(is_alive=True, starttime=9), "recycled_pid")],
)
def test_a_lock_of_a_gone_process_is_stale_at_once(kind: str, state: PidState, reason: str) -> None:
    verdict = judge_lock(kind, payload(), 0, NOW_MS, state)  # type: ignore[arg-type]
    assert verdict == LockVerdict(held=False, stale=True, reason=reason)  # type: ignore[arg-type]


def test_a_dead_pid_is_stale_even_where_the_rest_of_the_payload_is_bad() -> None:
    bad = LockPayload(12, None, None, None)
    assert judge_lock("transcript", bad, 0, NOW_MS, DEAD).reason == "dead_pid"


def test_start_times_are_compared_only_where_both_are_known() -> None:
    unknown_now = PidState(is_alive=True)
    assert judge_lock("transcript", payload(), 1, NOW_MS, unknown_now) == LIVE
    old = LockPayload(12, NOW_MS, None, None)
    assert judge_lock("transcript", old, 1, NOW_MS, ALIVE) == LIVE
    assert judge_lock("transcript", old, 1, NOW_MS, None) == LIVE


@pytest.mark.parametrize(
    ("kind", "bad", "reason", "grace_seconds"),
    [
        ("index", None, "unreadable_payload", 5),
        ("index", LockPayload(None, NOW_MS, None, None), "missing_pid", 5),
        ("transcript", None, "unreadable_payload", 30),  # whose it is cannot be told: the longest of all graces
        ("transcript", LockPayload(None, NOW_MS, None, 300_000), "missing_pid", 30),
        ("transcript", LockPayload(None, NOW_MS, None, None), "missing_pid", 5),
        ("transcript", LockPayload(12, None, None, None), "invalid_created_at", 5),
    ],
)
def test_a_payload_that_says_nothing_has_its_grace(
    kind: str, grace_seconds: int, bad: LockPayload | None, reason: str
) -> None:
    assert judge_lock(kind, bad, grace_seconds, NOW_MS, ALIVE) == BEING_WRITTEN  # type: ignore[arg-type]
    verdict = judge_lock(kind, bad, grace_seconds + 0.1, NOW_MS, ALIVE)  # type: ignore[arg-type]
    assert verdict == LockVerdict(held=False, stale=True, reason=reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "is_openclaw"),
    [
        (("/usr/bin/node", "/opt/openclaw/openclaw.mjs", "gateway"), True),
        (("openclaw-gateway",), True),
        (("node", "dist/entry.js", "agent"), True),
        ((), True),
        (("/usr/bin/vim", "notes.md"), False),
        (("node", "dist/entry.js"), False),
    ],
)
def test_from_7_1_on_a_lock_whose_pid_is_another_program_is_stale(
    arguments: tuple[str, ...], is_openclaw: bool
) -> None:
    state = PidState(is_alive=True, starttime=4711, arguments=arguments)
    reason = "live" if is_openclaw else "other_program"
    assert judge_lock("transcript", payload(0, 300_000), 0, NOW_MS, state).reason == reason
    assert judge_lock("transcript", payload(), 0, NOW_MS, state) == LIVE


def test_an_index_lock_goes_stale_by_its_file_s_age() -> None:
    assert judge_lock("index", payload(HOUR_MS), 30, NOW_MS, ALIVE) == LIVE
    verdict = judge_lock("index", payload(), 30.1, NOW_MS, ALIVE)
    assert verdict == LockVerdict(held=False, stale=True, reason="too_old")


def test_a_transcript_lock_may_be_held_for_a_long_turn() -> None:
    assert judge_lock("transcript", payload(HOUR_MS // 2), 1800, NOW_MS, ALIVE) == LIVE


def test_up_to_5_7_an_old_lock_is_stale_and_free() -> None:
    verdict = judge_lock("transcript", payload(HOUR_MS), 0, NOW_MS, ALIVE)
    assert verdict == LockVerdict(held=False, stale=True, reason="too_old")


def test_from_7_1_on_age_alone_is_reported_but_still_obeyed() -> None:
    verdict = judge_lock("transcript", payload(HOUR_MS, 2 * HOUR_MS), 0, NOW_MS, ALIVE)
    assert verdict == LockVerdict(held=True, stale=True, reason="too_old")
    verdict = judge_lock("transcript", payload(400_000, 300_000), 0, NOW_MS, ALIVE)
    assert verdict == LockVerdict(held=True, stale=True, reason="hold_exceeded")
    assert judge_lock("transcript", payload(400_000, 300_000), 0, NOW_MS, DEAD).held is False


def test_a_lock_from_the_future_is_young() -> None:
    assert judge_lock("transcript", payload(-HOUR_MS), 0, NOW_MS, ALIVE) == LIVE


@given(st.binary(max_size=40))
def test_no_payload_raises(raw: bytes) -> None:
    judge_lock("transcript", parse_lock(raw), 0, NOW_MS, None)
