"""What was used and what it cost, in groups: each answer once, as `_counted_answers` and `_live_answers` say.

Only reads. Which answers are the same original is `originals`' business. Days are those of a given time zone; the view
`daily_usage` has those of UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from syncd.ledger.snapshot import snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.ledger.database import Ledger

    DayOf = Callable[[int], str | None]

SUMS = (
    "messages", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "total_tokens",
    "cost_total",
)  # fmt: skip
TOOL_SUMS = ("calls", "errors", "unanswered", "duration_ms", "mean_duration_ms", "max_duration_ms")

_SUMS = ", ".join(
    ["count(*)", *[f"CAST(total(answer.{name}) AS INTEGER)" for name in SUMS[1:-1]], "total(answer.cost_total)"]
)
_TOOL_SUMS = """count(*), count(nullif(call.is_error, 0)), count(*) - count(call.is_error),
    CAST(total(max(call.finished_at - call.started_at, 0)) AS INTEGER),
    CAST(avg(max(call.finished_at - call.started_at, 0)) AS INTEGER),
    max(max(call.finished_at - call.started_at, 0)), count(call.finished_at - call.started_at)"""
# The session that an id stands behind, by the latest pairing of the two.
_SESSIONS = """WITH paired AS MATERIALIZED (SELECT sessions.installation_id, session_ids.agent_id,
      session_ids.session_id, session_ids.session, max(session_ids.last_seen_at)
    FROM session_ids JOIN sessions ON sessions.id = session_ids.session GROUP BY 1, 2, 3)"""
_PAIRED = """LEFT JOIN paired ON paired.session_id = transcripts.session_id AND paired.agent_id = transcripts.agent_id
    AND paired.installation_id = transcripts.installation_id LEFT JOIN sessions ON sessions.id = paired.session"""
_DAY = "date(answer.at / 1000, 'unixepoch')"
_FIELDS = {
    "day": {"day": _DAY},
    "model": {"model_provider": "answer.provider", "model": "answer.model"},
    "agent": {"agent_id": "transcripts.agent_id"},
    "channel": {"channel": "sessions.channel"},
    "session": {
        "session_key": "sessions.session_key",
        "session_id": "coalesce(sessions.session_id, transcripts.session_id)",
        "agent_id": "transcripts.agent_id",
        "title": "sessions.title",
    },
    "tool": {"tool": "call.name"},
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Which answers: those in [since_ms, until_ms), of one agent; `live`: not what a rewrite dropped."""

    since_ms: int | None = None
    until_ms: int | None = None
    agent_id: str | None = None
    live: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Rows in the order they are read in: days by time, all else by what it cost; `total` has no group."""

    by: str
    rows: list[dict[str, Any]]
    total: dict[str, Any]


def usage_by(ledger: Ledger, by: str, scope: Scope, day_of: DayOf | None = None) -> Usage:
    """Sums per group of `by`. `day_of`: the local day of an instant, None for UTC."""
    if day_of is not None:
        ledger.connection.create_scalar_function("local_day", _local_day(day_of), 1, deterministic=True)
    fields = dict(_FIELDS[by])
    if by == "day" and day_of is not None:
        fields["day"] = "local_day(answer.at)"
    columns, bindings = ", ".join(fields.values()), (scope.since_ms, scope.until_ms, scope.agent_id)
    with snapshot(ledger):
        if by == "tool":
            found = list(ledger.execute(_sql(by, columns, _TOOL_SUMS, live=scope.live), bindings))
            return _of_tools(found)
        found = list(ledger.execute(_sql(by, columns, _SUMS, live=scope.live), bindings))
    rows = [{"group": _group(by, row), **dict(zip((*fields, *SUMS), row, strict=True))} for row in found]
    rows.sort(key=_by_day if by == "day" else _by_cost)
    return Usage(by, rows, {name: sum(row[name] for row in rows) for name in SUMS})


def agents_of(ledger: Ledger) -> list[str]:
    return [
        row[0]
        for row in ledger.execute("SELECT agent_id FROM transcripts UNION SELECT agent_id FROM sessions ORDER BY 1")
    ]


def _sql(by: str, columns: str, sums: str, *, live: bool) -> str:
    answers = "_live_answers" if live else "_counted_answers"
    needs_sessions = by in ("channel", "session")
    tells = "" if by == "tool" else "answer.tells_usage AND"
    group = "sessions.id, transcripts.installation_id, " if by == "session" else ""
    return f"""{_SESSIONS if needs_sessions else ""} SELECT {columns}, {sums}
        FROM {"_counted_calls AS call JOIN" if by == "tool" else ""} {answers} AS answer
        {"ON answer.id = call.message_id" if by == "tool" else ""}
        JOIN transcripts ON transcripts.id = answer.transcript_id {_PAIRED if needs_sessions else ""}
        WHERE {tells} (?1 IS NULL OR answer.at >= ?1) AND (?2 IS NULL OR answer.at < ?2)
        AND (?3 IS NULL OR transcripts.agent_id = ?3) GROUP BY {group}{columns}"""


def _group(by: str, row: tuple[Any, ...]) -> str | None:
    if by == "model":
        return "/".join(part for part in row[:2] if part) or None
    if by == "session":
        return str(row[0] or row[1])
    return None if row[0] is None else str(row[0])


def _of_tools(found: list[tuple[Any, ...]]) -> Usage:
    rows = [{"group": row[0], "tool": row[0], **dict(zip(TOOL_SUMS, row[1:-1], strict=True))} for row in found]
    rows.sort(key=lambda row: (-row["calls"], row["tool"] or ""))
    total: dict[str, Any] = {name: sum(row[name] for row in rows) for name in TOOL_SUMS[:4]}
    answered = sum(row[-1] for row in found)
    total["mean_duration_ms"] = total["duration_ms"] // answered if answered else None
    total["max_duration_ms"] = max((row["max_duration_ms"] for row in rows if row["max_duration_ms"] is not None),
                                   default=None)  # fmt: skip
    return Usage("tool", rows, total)


def _by_day(row: dict[str, Any]) -> tuple[bool, str]:
    return row["group"] is None, row["group"] or ""


def _by_cost(row: dict[str, Any]) -> tuple[float, int, str]:
    return -row["cost_total"], -row["total_tokens"], row["group"] or ""


def _local_day(day_of: DayOf) -> Callable[..., str | None]:
    return lambda at: day_of(at) if isinstance(at, int) else None
