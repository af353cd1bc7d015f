"""How the mirror is: one set of figures and one judgement, for `status` and for the health log alike.

Freshness comes from the files' own stats against the ledger, never from what the daemon believes of itself. Codes are
stable; what they say holds ids, counts, paths and reasons, never a word of a message.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.daemon.beat import Beat
    from syncd.ledger.figures import LedgerFigures
    from syncd.mirror.freshness import Freshness

BEHIND_SECONDS = 60.0
# An idle daemon beats every ten to fifteen seconds, a busy one commits far more often.
SILENT_SECONDS = 30.0

Alarm = dict[str, str]
"""`code`, `reason`, `hint`, and `path` where one is meant."""


def vitals(figures: LedgerFigures, fresh: Freshness, alarms: list[Alarm]) -> dict[str, Any]:
    """What `status --json` and every line of the health log have in common."""
    return {
        "behind_bytes": fresh.behind_bytes,
        "behind_seconds": fresh.behind_seconds,
        **asdict(figures),
        "degraded": alarms,
        "agents": [asdict(agent) for agent in fresh.agents.values()],
    }


def live_figures(beat: Beat) -> dict[str, Any]:
    """What only the daemon knows."""
    return {
        "latency_p50_ms": beat.latency_p50_ms,
        "latency_p99_ms": beat.latency_p99_ms,
        "missed_events": beat.missed_events,
        "overflows": beat.overflows,
        "rescans": beat.rescans,
        "waiting": beat.waiting,
        "watch_mode": beat.watch_mode,
    }


def alarms_of(beat: Beat | None, fresh: Freshness, silent_seconds: float) -> list[Alarm]:
    """What is wrong with a daemon that is alive. `silent_seconds`: since its last sign of work."""
    return [*_late(fresh, silent_seconds), *(_own(beat) if beat is not None else ())]


def _late(fresh: Freshness, silent_seconds: float) -> Iterator[Alarm]:
    if fresh.behind_bytes and silent_seconds > SILENT_SECONDS:
        reason = f"work waits and no pass was completed for {silent_seconds:.0f} s"
        yield {"code": "stalled", "reason": reason, "hint": "restart syncd"}
    elif fresh.behind_seconds > BEHIND_SECONDS:
        reason = f"{fresh.behind_bytes} bytes wait, the oldest for {fresh.behind_seconds:.0f} s"
        yield {"code": "behind", "reason": reason, "hint": "look again in a minute; restart syncd if it stays so"}


def _own(beat: Beat) -> Iterator[Alarm]:
    if beat.watch_reason:
        hint = "raise fs.inotify.max_user_watches and max_user_instances with sysctl"
        yield {"code": "watch_limit", "reason": beat.watch_reason, "hint": hint}
    if beat.log_problem:
        yield {"code": "health_log", "reason": beat.log_problem, "hint": "free some space, or change health.log_path"}
    for item in beat.degraded:
        yield {"hint": "the last good state is kept; look at the file named", **item}
    for item in beat.problems:
        yield unreadable(**item)


def unreadable(path: str, reason: str, hint: str) -> Alarm:
    return {"code": "unreadable", "path": path, "reason": reason, "hint": hint or "check the file's permissions"}
