"""`syncd sql`: one read-only question to the ledger, as a table or a list of objects."""

import base64
import sys
from collections.abc import Iterator, Sequence

import click

from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.output import Report, closing, note, reports, terminal_width
from syncd.errors import UserError

MAX_QUERY_BYTES = 1 << 20


@click.command(
    epilog=closing(
        'syncd sql "SELECT role, text FROM messages ORDER BY id DESC LIMIT 5"',
        'syncd sql "SELECT day, sum(cost_total) AS cost FROM daily_usage GROUP BY day" --json',
        "syncd sql \"SELECT raw_json(id) FROM entries WHERE type = 'compaction'\"",
        'echo "SELECT * FROM condensed LIMIT 20" | syncd sql -',
        exits={0: "answered", 1: "it took too long", 2: "SQLite does not understand it, or it would write"},
    )
)
@click.argument("query", required=False)
@click.option(
    "--limit", type=options.COUNT, metavar="N", default=1000, show_default=True, help="At most this many rows."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Give up after this time.",
)
@reports
def sql(app: App, query: str | None, limit: int, timeout: float) -> Report:
    """Ask the ledger in SQL, read-only.

    QUERY is one SELECT; `-` or none at all reads it from stdin. Besides SQLite's own functions there are
    raw_json(entries.id), the line of an entry as JSON text, and raw_bytes(entries.id), its bytes as they are.
    """
    from syncd.cli.table import table
    from syncd.clock import SystemClock
    from syncd.ledger.query import ask

    text = _from_stdin() if query is None or query == "-" else query
    answer = ask(app.ledger_path, text, SystemClock(), timeout_seconds=timeout, max_rows=limit)
    if answer.cut:
        note(answer.cut)
    if app.json:
        return Report(list(_objects(answer.columns, answer.rows)))
    return Report(None, table(answer.columns, answer.rows, terminal_width()))


def _from_stdin() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        raise UserError("there is no query", "give it as an argument, or through a pipe")
    raw = sys.stdin.buffer.read(MAX_QUERY_BYTES + 1)
    if len(raw) > MAX_QUERY_BYTES:
        raise UserError(f"the query is longer than {MAX_QUERY_BYTES} bytes")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise UserError("the query is no UTF-8 text") from None


def _objects(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[dict[str, object]]:
    names = distinct(columns)
    for row in rows:
        yield {name: _plain(value) for name, value in zip(names, row, strict=True)}


def distinct(columns: Sequence[str]) -> list[str]:
    """Each name once: the second `id` becomes `id_2`, so that no column is lost in an object."""
    taken: set[str] = set()
    names: list[str] = []
    for column in columns:
        name, number = column, 1
        while name in taken or (number > 1 and name in columns):
            number += 1
            name = f"{column}_{number}"
        taken.add(name)
        names.append(name)
    return names


def _plain(value: object) -> object:
    """Bytes as sqlite-utils and Datasette write them; all else is JSON already."""
    if isinstance(value, bytes):
        return {"$base64": True, "encoded": base64.b64encode(value).decode("ascii")}
    return value
