"""`syncd usage`: tokens and cost by day, model, agent, channel or session, and calls by tool."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.output import Report, closing, is_terminal, reports, terminal_width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.usage import Usage

_BAR_CELLS = 20
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_HEADINGS = {
    "messages": "messages", "input_tokens": "input", "output_tokens": "output", "cache_read_tokens": "cache read",
    "cache_write_tokens": "cache write", "total_tokens": "total", "cost_total": "cost",
    "calls": "calls", "errors": "errors", "unanswered": "unanswered", "duration_ms": "in all",
    "mean_duration_ms": "mean", "max_duration_ms": "longest",
}  # fmt: skip


@click.command(
    epilog=closing(
        "syncd usage                                    # tokens and cost of each day",
        "syncd usage --by model --since 7d              # of each model, in the last seven days",
        "syncd usage --by session --agent main --json   # of each session of one agent",
        "syncd usage --tz Europe/Berlin --since 2026-03-01 --until 2026-03-31",
        "syncd usage --by tool                          # which tools were called, how often they failed",
    )
)
@click.option("--by", type=click.Choice(["day", "model", "agent", "channel", "session", "tool"]), default="day",
              show_default=True, help="What to sum by.")  # fmt: skip
@click.option("--live", is_flag=True, help="Leave out what OpenClaw has dropped from its files by rewriting them.")
@click.option("--tz", metavar="ZONE", default="UTC", show_default=True,
              help="Whose days: an IANA name such as Europe/Berlin, or local.")  # fmt: skip
@click.option("--since", metavar="WHEN", help="From this day or moment on: 2026-03-29, 2026-03-29T14:30, today, 7d.")
@click.option("--until", metavar="WHEN", help="Up to this moment, or to the end of this day.")
@options.only_agent()
@reports
def usage(app: App, *, by: str, live: bool, tz: str, since: str | None, until: str | None, agent: str | None) -> Report:
    """Tokens and cost, each message once.

    However many forks, checkpoints, backups or replays repeat a message, it counts once, in its newest version, in the
    session where it was first said; what OpenClaw has since rewritten or deleted still counts, for it was paid. By
    tool: calls, errors and durations.
    """
    from syncd.cli.moments import day_of, moment, zone_of
    from syncd.clock import SystemClock
    from syncd.errors import UserError
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.usage import Scope, agents_of, usage_by

    zone, now_ms = zone_of(tz), SystemClock().now_ms()
    since_ms = moment(since, zone, now_ms) if since is not None else None
    until_ms = moment(until, zone, now_ms, is_end=True) if until is not None else None
    if since_ms is not None and until_ms is not None and since_ms >= until_ms:
        raise UserError(f"--since {since} is not before --until {until}", "exchange them, or leave one out")
    with open_for_reading(app.ledger_path) as ledger:
        if agent is not None and agent not in (known := agents_of(ledger)):
            raise UserError(f"the ledger knows no agent {agent!r}", f"it knows: {', '.join(known) or 'none yet'}")
        is_utc = tz.lower() == "utc"
        found = usage_by(
            ledger, by, Scope(since_ms, until_ms, agent, live), None if is_utc else lambda at: day_of(at, zone)
        )
    return Report({"by": by, "rows": found.rows, "total": found.total}, () if app.json else _text(found))


class _Number(int):
    def __str__(self) -> str:
        return f"{int(self):,}"


class _Dollars(float):
    def __str__(self) -> str:
        return f"${float(self):,.2f}" if abs(self) >= 1 or not self else f"${float(self):.4f}"


class _Milliseconds(int):
    def __str__(self) -> str:
        return f"{int(self)} ms" if self < 1000 else f"{self / 1000:,.1f} s"


def _text(found: Usage) -> Iterator[str]:
    from syncd.cli.table import table

    if not found.rows:
        yield "nothing was used" if found.by != "tool" else "no tool was called"
        return
    names = list(found.total)
    rows = [[_label(found.by, row), *_cells(row, names)] for row in found.rows]
    if len(rows) > 1:
        rows.append(["all", *_cells(found.total, names)])
    headings = [found.by, *[_HEADINGS[name] for name in names]]
    if is_terminal():
        headings.append(" ")
        measure = "calls" if found.by == "tool" else "cost_total" if found.total["cost_total"] > 0 else "total_tokens"
        bars = [*_bars([row[measure] for row in found.rows]), ""]
        rows = [[*row, bar] for row, bar in zip(rows, bars, strict=False)]
    least = {found.by: 24, **dict.fromkeys(headings[1:], sys.maxsize)}  # a number that is cut is another one
    expendable = (" ", "cache write", "cache read")
    yield from table(headings, rows, terminal_width(), least=least, expendable=expendable, ends="session")


def _label(by: str, row: dict[str, Any]) -> str:
    if row["group"] is not None:
        return str(row["group"])
    return {"day": "no time", "channel": "no channel"}.get(by, "unnamed")


def _cells(row: dict[str, Any], names: list[str]) -> list[object]:
    return [
        None if row[name] is None
        else _Dollars(row[name]) if name == "cost_total"
        else _Milliseconds(row[name]) if name.endswith("_ms")
        else _Number(row[name])
        for name in names
    ]  # fmt: skip


def _bars(values: list[float]) -> Iterator[str]:
    """Of each value a bar, the largest as long as they get; in plain letters where the terminal has no others."""
    largest = max(values)
    try:
        _EIGHTHS.encode(sys.stdout.encoding or "ascii")
        marks = _EIGHTHS
    except (UnicodeEncodeError, LookupError):
        marks = " #"
    steps = len(marks) - 1
    for value in values:
        filled = round(max(value, 0) / largest * _BAR_CELLS * steps) if largest > 0 else 0
        yield marks[-1] * (filled // steps) + (marks[filled % steps] if filled % steps else "")
