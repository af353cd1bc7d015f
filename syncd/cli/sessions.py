"""`syncd sessions`: what there is, the freshest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.moments import Moment
from syncd.cli.output import Report, closing, counted, note, reports, terminal_width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.reading.sessions import Listing

SORTS = ("recent", "created", "size", "title")
_LISTED, _LISTED_AS_JSON = 100, 1000
"""A program gets what it can have within a tenth of a second; `total` tells it whether there are more."""
_LEAST = {"session": 36, "title": 12, "first message": 16, "last message": 16}
"""Cells: an id is that long. `show` takes the end of a longer key."""


@click.command(
    epilog=closing(
        "syncd sessions",
        "syncd sessions --agent main --channel telegram --since 7d",
        "syncd sessions --removed --sort size --limit 10",
        "syncd sessions --json | jq -r '.sessions[].session_key'",
    )
)
@options.only_agent()
@options.only_channel()
@click.option(
    "--project", metavar="P", help="Only where the working directory, or without one the first messages, have this."
)
@click.option("--since", type=Moment(), help="Only what was active since: 24h, 7d, 2026-11-16.")
@click.option("--active", is_flag=True, help="Only sessions with somebody in them lately.")
@click.option("--removed", is_flag=True, help="Only what OpenClaw has removed.")
@click.option("--sort", type=click.Choice(SORTS), default="recent", show_default=True, help="What comes first.")
@click.option("--limit", type=options.COUNT, metavar="N", help="At most this many.  [default: 100; with --json 1000]")
@reports
def sessions(
    app: App, *, agent: str | None, channel: str | None, project: str | None, since: int | None, active: bool,
    removed: bool, sort: str, limit: int | None,
) -> Report:  # fmt: skip
    """List sessions: title, first and last message, size, freshness.

    What OpenClaw has removed is listed too, marked so, and so are transcripts that no index of OpenClaw's ever knew:
    these have an id and no key. In the JSON document they are `transcripts`, apart from `sessions`.
    """
    from syncd.cli.unknown_agent import note_if_unknown
    from syncd.clock import SystemClock
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.reading.sessions import Filters, list_sessions
    from syncd.ledger.snapshot import snapshot

    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        filters = Filters(agent, channel, project, since, active, removed)
        limit = limit or (_LISTED_AS_JSON if app.json else _LISTED)
        found = list_sessions(ledger, filters, sort, limit)
        if not found.total and not found.transcripts_total:
            note_if_unknown(ledger, agent)
    total = found.total + (0 if app.json else found.transcripts_total)
    if total > limit:
        note(f"{limit} of {counted(total, 'session')}; more with --limit")
    if app.json:
        return Report(
            {
                "sessions": found.sessions,
                "total": found.total,
                "transcripts": found.transcripts,
                "transcripts_total": found.transcripts_total,
            }
        )
    return Report(None, _text(found, sort, limit, SystemClock().now_ms()))


def _text(found: Listing, sort: str, limit: int, now: int) -> Iterator[str]:
    from syncd.cli.table import table

    rows = [(_sort_value(row, sort), _cells(row, now)) for row in (*found.sessions, *found.transcripts)]
    rows.sort(key=lambda row: row[0])
    if not rows:
        yield "no session is known like that"
        return
    columns = ("session", "title", "state", "size", "last", "first message", "last message")
    shown = [cells for _, cells in rows[:limit]]
    expendable = ("last message", "first message", "title")
    yield from table(columns, shown, terminal_width(), least=_LEAST, expendable=expendable, ends="session")


def _sort_value(row: dict[str, Any], sort: str) -> Any:
    """Sessions and lone transcripts in one order, the same as that of the query."""
    from syncd.openclaw.letter_case import folded

    if sort == "title":
        return folded(_title(row) or row["session_key"] or row["session_id"] or "")
    by = {"size": row["bytes"], "created": row.get("created_at") or row.get("started_at")}
    return -(by.get(sort, _last_at(row)) or 0)


def _cells(row: dict[str, Any], now: int) -> tuple[object, ...]:
    from syncd.cli.plain_text import one_line
    from syncd.cli.readable import age, size

    state = row.get("lifecycle") or row["transcript_state"]
    if row.get("openclaw_pinned_at") is not None:
        state = f"{state}, pinned"
    return (
        row["session_key"] or row["session_id"],
        one_line(_title(row) or "", 60),
        "removed" if row.get("status") == "removed" else state,
        size(row["bytes"]),
        age(_last_at(row), now),
        one_line(row["first_user_message"] or "", 60),
        one_line(row["last_user_message"] or "", 60),
    )


def _title(row: dict[str, Any]) -> str | None:
    found = row.get("title") or row.get("label") or row.get("display_name") or row.get("subject")
    return str(found) if found else None


def _last_at(row: dict[str, Any]) -> int | None:
    times = [row.get(name) for name in ("last_at", "updated_at", "last_interaction_at", "created_at")]
    return next((int(each) for each in times if each is not None), None)
