"""`syncd search`: words in what was said, the best hits first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.completing import session_names
from syncd.cli.moments import Moment
from syncd.cli.output import AsItIs, Report, closing, line_of, note, reports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.reading.search import Hit


@click.command(
    epilog=closing(
        "syncd search deploy",
        """syncd search '"release notes"' --since 30d   # a phrase""",
        "syncd search 'deplo* NOT staging' --role user  # a prefix; AND, OR, NOT",
        "syncd search invoice --session agent:main:main --sort newest",
        "syncd search invoice --json | jq -r '.hits[].session_key' | sort | uniq -c",
    )
)
@click.argument("query", nargs=-1, required=True)
@options.only_agent()
@options.only_channel()
@click.option("--role", type=click.Choice(["user", "assistant"]), help="Only what this side said.")
@click.option("--since", type=Moment(), help="Not before: 24h, 7d, 2026-11-16.")
@click.option("--until", type=Moment(is_end=True), help="Before that time, or to the end of that day.")
@click.option("--session", metavar="SESSION", help="Only in this session.", shell_complete=session_names)
@click.option(
    "--sort", type=click.Choice(["rank", "newest"]), default="rank", show_default=True, help="What comes first."
)
@click.option("--limit", type=click.IntRange(1, 1000), metavar="N", default=20, show_default=True,
              help="At most this many hits.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Also what was rewritten since, and in copies of transcripts.")
@reports
def search(
    app: App, *, query: tuple[str, ...], agent: str | None, channel: str | None, role: str | None, since: int | None,
    until: int | None, session: str | None, sort: str, limit: int, everything: bool,
) -> Report:  # fmt: skip
    """Find words in what people and the model said.

    QUERY is words, a "phrase", the start of a word with a star, and AND, OR, NOT between them (SQLite's FTS5). What is
    no such query is looked for as it stands. Of very common words the newest hits are weighed. A message that forks or
    archives repeat is shown once; what OpenClaw has rewritten since is found with --all.
    """
    from syncd.cli.unknown_agent import note_if_unknown
    from syncd.errors import UserError
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.reading.search import RANKED, Wanted
    from syncd.ledger.reading.search import search as find
    from syncd.ledger.snapshot import snapshot
    from syncd.mirror.locate import transcripts_meant

    words = " ".join(query)
    if since is not None and until is not None and since >= until:
        raise UserError("--since is not before --until", "exchange them, or leave one out")
    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        inside = tuple(item.id for item in transcripts_meant(ledger, session)) if session is not None else None
        wanted = Wanted(agent, channel, role, since, until, inside, everything)
        found = find(ledger, words, wanted, limit, newest=sort == "newest")
        if not found.hits:
            note_if_unknown(ledger, agent)
    if not found.has_words:
        note("only words are searched, letters and digits: there are none in that")
    elif found.is_literal:
        note("that is no query in FTS5's language: it was looked for word by word")
    if found.is_cut and sort == "rank":
        note(f"very many hits: the newest {RANKED} were weighed")
    if app.json:
        return Report({"query": words, "hits": [_document(hit) for hit in found.hits], "is_literal": found.is_literal})
    return Report(None, _text(found.hits))


def _document(hit: Hit) -> dict[str, Any]:
    return hit._asdict()


def _text(hits: list[Hit]) -> Iterator[str]:
    from syncd.cli.plain_text import one_line
    from syncd.cli.readable import local_time

    if not hits:
        yield "nothing found"
    for hit in hits:
        name = line_of(hit.session_key or hit.session_id)
        facts = [hit.role, local_time(hit.at), f"entry {hit.entry_id or hit.entry}"]
        if hit.is_superseded:
            facts.append("rewritten since")
        elif not hit.on_active_path:
            facts.append("on another branch")
        title = f"  {one_line(hit.title, 60)}" if hit.title else ""
        about = click.style(f"  {line_of(' · '.join(facts))}", dim=True)
        yield AsItIs(click.style(name, bold=True) + title + about)
        yield AsItIs(f"  {_snippet(hit)}")


def _snippet(hit: Hit) -> str:
    from syncd.cli.plain_text import readable

    parts, done = [], 0
    for start, end in hit.matches:
        parts += [
            readable(hit.snippet[done:start]),
            click.style(readable(hit.snippet[start:end]), fg="yellow", bold=True),
        ]
        done = end
    return " ".join("".join([*parts, readable(hit.snippet[done:])]).split())
