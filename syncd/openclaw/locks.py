"""OpenClaw's lock files: what they hold and whether OpenClaw itself would call them stale.

Two kinds: `sessions.json.lock` (releases up to 2026.4.29, held for milliseconds) and
`<transcript>.jsonl.lock` (held for a whole turn). Never a taker or remover of locks. Whether the
pid lives and since when is the caller's to find out; the clock is an argument.
"""

from typing import Any, Final, Literal, NamedTuple

import orjson

from syncd.openclaw.json_values import bindable_int
from syncd.openclaw.timestamps import to_epoch_ms

LockKind = Literal["index", "transcript"]
LockReason = Literal[
    "live",
    "being_written",  # no usable payload yet, and younger than its grace
    "unreadable_payload",
    "missing_pid",
    "invalid_created_at",
    "dead_pid",
    "recycled_pid",  # the pid lives, but is another process by now
    "other_program",  # the pid lives, but what runs there is not OpenClaw
    "too_old",
    "hold_exceeded",  # longer than the holder itself allowed
]

INDEX_STALE_SECONDS: Final = 30.0
TRANSCRIPT_STALE_SECONDS: Final = 30 * 60.0
# A lock file is created empty and filled a moment later. 2026.7.1 waits 30 s for the payload, the
# releases before it 5 s; those with an index lock all belong to the latter.
PAYLOAD_GRACE_SECONDS: Final = 5.0
EMPTY_TRANSCRIPT_LOCK_GRACE_SECONDS: Final = 30.0
_ENTRY_FILES: Final = ("dist/index.js", "dist/entry.js", "scripts/run-node.mjs", "src/entry.ts", "src/index.ts")
_COMMANDS: Final = frozenset({"gateway", "agent"})


class LockPayload(NamedTuple):
    pid: int | None
    created_at_ms: int | None
    starttime: int | None
    """Start of the process in clock ticks since boot (/proc/<pid>/stat, field 22)."""
    max_hold_ms: int | None
    """Only 2026.7.1 and later write it."""


class PidState(NamedTuple):
    is_alive: bool
    starttime: int | None = None
    """None where the platform does not tell."""
    arguments: tuple[str, ...] = ()
    """Its command line; empty where the platform does not tell."""


class LockVerdict(NamedTuple):
    held: bool
    """To be obeyed. 2026.7.1 goes on obeying a lock it calls stale for its age alone."""
    stale: bool
    reason: LockReason


def parse_lock(raw: bytes) -> LockPayload | None:
    """The payload of either kind; None for an empty or unreadable file."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    if type(value) is not dict:
        return None
    created_at = value.get("createdAt", value.get("startedAt"))
    return LockPayload(
        pid=_not_negative(value, "pid") or None,
        created_at_ms=to_epoch_ms(created_at),
        starttime=_not_negative(value, "starttime"),
        max_hold_ms=_not_negative(value, "maxHoldMs"),
    )


def judge_lock(
    kind: LockKind,
    payload: LockPayload | None,
    mtime_age_s: float,
    now_ms: int,
    pid_state: PidState | None,
) -> LockVerdict:
    """Whether the lock is held and whether it is stale, by OpenClaw's rules for its kind.

    `pid_state` is that of `payload.pid`; None (not asked, not known) counts as alive.
    """
    if payload is not None and payload.pid is not None and pid_state is not None:
        if not pid_state.is_alive:
            return _stale("dead_pid")
        if _is_recycled(payload.starttime, pid_state.starttime):
            return _stale("recycled_pid")
        if payload.max_hold_ms is not None and not may_be_openclaw(pid_state.arguments):
            return _stale("other_program")
    fault = _payload_fault(payload)
    if payload is None or fault is not None:
        is_of_any_release = kind == "transcript" and (payload is None or payload.max_hold_ms is not None)
        grace = EMPTY_TRANSCRIPT_LOCK_GRACE_SECONDS if is_of_any_release else PAYLOAD_GRACE_SECONDS
        if mtime_age_s <= grace:
            return LockVerdict(held=True, stale=False, reason="being_written")
        return _stale(fault or "unreadable_payload")
    if kind == "index":
        is_old = mtime_age_s > INDEX_STALE_SECONDS
        return _stale("too_old") if is_old else LockVerdict(held=True, stale=False, reason="live")
    return _judge_age(payload, now_ms)


def may_be_openclaw(arguments: tuple[str, ...]) -> bool:
    """By the command line, as 2026.7.1 tells, and more credulous: a lock held in vain costs a moment only."""
    words = [argument.strip().lower().replace("\\", "/") for argument in arguments]
    if not any(words) or any("openclaw" in word for word in words):
        return True
    return not _COMMANDS.isdisjoint(words) and any(word.endswith(_ENTRY_FILES) for word in words)


def _judge_age(payload: LockPayload, now_ms: int) -> LockVerdict:
    age_ms = max(0, now_ms - (payload.created_at_ms or 0))
    # From the release that writes maxHoldMs on, age alone is reported but still obeyed.
    is_obeyed = payload.max_hold_ms is not None
    if age_ms > TRANSCRIPT_STALE_SECONDS * 1000:
        return LockVerdict(held=is_obeyed, stale=True, reason="too_old")
    if payload.max_hold_ms is not None and age_ms > payload.max_hold_ms:
        return LockVerdict(held=True, stale=True, reason="hold_exceeded")
    return LockVerdict(held=True, stale=False, reason="live")


def _payload_fault(payload: LockPayload | None) -> LockReason | None:
    if payload is None:
        return "unreadable_payload"
    if payload.pid is None:
        return "missing_pid"
    return "invalid_created_at" if payload.created_at_ms is None else None


def _is_recycled(written: int | None, current: int | None) -> bool:
    return written is not None and current is not None and written != current


def _stale(reason: LockReason) -> LockVerdict:
    return LockVerdict(held=False, stale=True, reason=reason)


def _not_negative(value: dict[str, Any], key: str) -> int | None:
    number = bindable_int(value.get(key))
    return number if number is not None and number >= 0 else None
