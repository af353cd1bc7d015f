"""How the mirror is: one set of figures and one judgement, for `status` and for the health log alike.

Freshness comes from the files' own stats against the ledger, never from what the daemon believes of itself: a source
that moves while the ledger does not is an alarm, a source that is silent is well. What is said holds ids, counts,
paths and reasons, never a word of a message. The codes are those of `codes`.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from syncd.daemon.codes import Alarm, alarm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.daemon.beat import Beat
    from syncd.ledger.figures import LedgerFigures
    from syncd.ledger.job_results import JobRun
    from syncd.ledger.surroundings import Surroundings
    from syncd.mirror.freshness import AgentFreshness, Freshness

BEHIND_SECONDS = 60.0
# An idle daemon beats every ten to fifteen seconds, a busy one commits far more often.
SILENT_SECONDS = 30.0
MOVING_SECONDS = 120.0
LOW_DISK_BYTES = 128 * 1024 * 1024
"""Twice what the ledger's log takes before it is emptied, and no share of the disk: most are rather full, and well."""
LARGE_WAL_BYTES = 128 * 1024 * 1024
_LOCKS_TOLD = 20


def vitals(figures: LedgerFigures, fresh: Freshness, around: Surroundings, alarms: list[Alarm]) -> dict[str, Any]:
    """What `status --json` and every line of the health log have in common."""
    return {
        "behind_bytes": fresh.behind_bytes,
        "behind_seconds": fresh.behind_seconds,
        **figures._asdict(),
        "ledger_bytes": around.ledger_bytes,
        "wal_bytes": around.wal_bytes,
        "disk_free_bytes": around.disk_free_bytes,
        "ledger_holders": [holder._asdict() for holder in around.holders],
        "degraded": alarms,
        "agents": [{**asdict(agent), "state": state_of(agent, fresh)} for agent in fresh.agents.values()],
        "locks": [lock._asdict() for lock in fresh.locks[:_LOCKS_TOLD]],
    }


def live_figures(beat: Beat) -> dict[str, Any]:
    """What only the daemon knows."""
    return {
        "taken_bytes": beat.taken_bytes,
        "taken_lines": beat.taken_lines,
        "latency_p50_ms": beat.latency_p50_ms,
        "latency_p99_ms": beat.latency_p99_ms,
        "missed_events": beat.missed_events,
        "overflows": beat.overflows,
        "rescans": beat.rescans,
        "waiting": beat.waiting,
        "watch_mode": beat.watch_mode,
    }


def state_of(agent: AgentFreshness, fresh: Freshness) -> str:
    """behind: bytes wait. moving: level, and OpenClaw wrote lately. silent: level, and it did not, which is well."""
    if agent.behind_bytes:
        return "behind"
    is_moving = agent.last_write_at is not None and fresh.at_ms - agent.last_write_at <= MOVING_SECONDS * 1000
    return "moving" if is_moving else "silent"


def alarms_of(
    beat: Beat | None,
    fresh: Freshness,
    silent_seconds: float,
    around: Surroundings | None = None,
    runs: Iterable[JobRun] = (),
) -> list[Alarm]:
    """What is wrong with a daemon that is alive. `silent_seconds`: since its last sign of work."""
    own = list(_own(beat, around)) if beat is not None else []
    found = [*_late(fresh, silent_seconds), *own, *(_outer(around) if around is not None else ())]
    told = [item["reason"] for item in own if item["code"] == "job_failed"]
    found += _failed(run for run in runs if not any(reason.startswith(f"{run.job} ") for reason in told))
    return found


def _late(fresh: Freshness, silent_seconds: float) -> Iterator[Alarm]:
    if fresh.behind_bytes and silent_seconds > SILENT_SECONDS:
        yield alarm("stalled", f"work waits and no pass was completed for {silent_seconds:.0f} s")
        return
    late = [agent for agent in fresh.agents.values() if agent.behind_bytes and agent.behind_seconds > BEHIND_SECONDS]
    standing = [agent for agent in late if not _is_taking(agent, fresh)]
    if standing:
        reason = f"{_waits(standing)}; nothing of {_names(standing)} was taken in {_since(standing)}"
        yield alarm("not_moving", reason)
    if moving := [agent for agent in late if agent not in standing]:
        yield alarm("behind", _waits(moving))


def _is_taking(agent: AgentFreshness, fresh: Freshness) -> bool:
    """Did the ledger take something of it in while its oldest byte waited?"""
    return agent.last_taken_at is not None and fresh.at_ms - agent.last_taken_at <= BEHIND_SECONDS * 1000


def _waits(agents: list[AgentFreshness]) -> str:
    size, seconds = sum(agent.behind_bytes for agent in agents), max(agent.behind_seconds for agent in agents)
    return f"{size} bytes wait, the oldest for {seconds:.0f} s"


def _names(agents: list[AgentFreshness]) -> str:
    ids = [agent.agent_id for agent in agents]
    return ", ".join(ids[:3]) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")


def _since(agents: list[AgentFreshness]) -> str:
    taken = [agent.last_taken_at for agent in agents if agent.last_taken_at is not None]
    return f"since {_moment(max(taken))}" if taken else "ever"


def _moment(at_ms: int) -> str:
    """An instant for people; a number where no calendar reaches."""
    try:
        return f"{datetime.fromtimestamp(at_ms / 1000, UTC).astimezone():%Y-%m-%d %H:%M:%S}"
    except (OverflowError, OSError, ValueError):
        return f"{at_ms} ms"


def _own(beat: Beat, around: Surroundings | None) -> Iterator[Alarm]:
    if beat.watch_reason:
        yield alarm(beat.watch_code, beat.watch_reason)
    if beat.log_problem:
        yield alarm("health_log", beat.log_problem)
    for item in beat.degraded:
        reason = item["reason"]
        if item["code"] == "ledger_busy" and around is not None:
            writers = "; ".join(str(holder) for holder in around.holders if holder.does == "writes")
            reason += f": {writers}" if writers else ""
        yield alarm(item["code"], reason, path=item.get("path", ""), hint=item.get("hint", ""))
    for item in beat.problems:
        yield unreadable(**item)


def _outer(around: Surroundings) -> Iterator[Alarm]:
    if around.disk_free_bytes is not None and around.disk_free_bytes < LOW_DISK_BYTES:
        yield alarm("disk_low", f"{around.disk_free_bytes >> 20} MiB are left on the ledger's disk")
    if around.wal_bytes > LARGE_WAL_BYTES:
        readers = [str(holder) for holder in around.holders if holder.does != "open"] or map(str, around.holders)
        named = "; ".join(readers)
        reason = f"the ledger's log has {around.wal_bytes >> 20} MiB"
        yield alarm("wal_large", f"{reason}; in use by {named}" if named else reason)


def _failed(runs: Iterable[JobRun]) -> Iterator[Alarm]:
    for run in runs:
        if run.ok is False:
            why = f": {run.reason}" if run.reason else ""
            yield alarm("job_failed", f"{run.job}, begun {_moment(run.started_at)}, failed{why}")


def unreadable(path: str, reason: str, hint: str, code: str = "") -> Alarm:
    return alarm(code or "unreadable", reason, path=path, hint=hint)
