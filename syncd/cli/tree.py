"""`syncd tree`: a session's entries with their branches, the active path and what hangs together with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.completing import session_names
from syncd.cli.output import Report, closing, is_terminal, page, print_lines, reports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.reading.outline import Outline

_LABEL_CHARACTERS = 70


@click.command(
    epilog=closing(
        "syncd tree agent:main:main",
        "syncd tree 0a000003 --full",
        """syncd tree 0a000003 --json | jq -r '.nodes[] | select(.on_active_path | not).entry_id'""",
    )
)
@click.argument("session", required=False, shell_complete=session_names)
@click.option("--full", is_flag=True, help="Every entry: long runs without a branch are not folded.")
@options.generation()
@options.transcript_id()
@reports
def tree(app: App, *, session: str | None, full: bool, generation: int | None, transcript_id: int | None) -> Report:
    """Draw a session's entries with their branches.

    ● is on the active path, ○ beside it. Where the tree forks, the branches that were left are set in, and what goes on
    follows below at its column. SESSION is what `syncd show` takes.
    """
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.reading.about import about, relatives
    from syncd.ledger.reading.conversation import Reading, rows_to_read
    from syncd.ledger.reading.outline import outline
    from syncd.ledger.snapshot import snapshot
    from syncd.mirror.locate import transcript_meant

    options.refuse_neither(session, transcript_id, "SESSION")
    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        transcript = transcript_meant(ledger, session, transcript_id)
        if generation is not None:
            rows_to_read(ledger, transcript, Reading(generation))  # refuses a generation that never was
        head = about(ledger, transcript)
        related = relatives(ledger, transcript, head["session_key"])
        drawn = outline(ledger, transcript, generation)
        if app.json:
            return Report({"session": head, **_document(drawn), **related})
        lines = _lines(ledger, transcript.id, head, related, drawn, full=full)
        if not is_terminal():
            print_lines(lines)
            return Report(None)
        shown = list(lines)
    page(shown, color=app.color)
    return Report(None)


def _document(drawn: Outline) -> dict[str, Any]:
    active = frozenset(drawn.tree.path())
    before = drawn.tree.parents
    return {
        "leaf_entry_id": drawn.tree.tip_id,
        "nodes": [
            {
                "id": row.id,
                "entry_id": row.entry_id,
                "parent_id": row.parent_id,
                "follows": drawn.rows[before[place]].entry_id if before[place] >= 0 else None,
                "type": row.type,
                "at": row.at,
                "on_active_path": place in active,
            }
            for place, row in enumerate(drawn.rows)
        ],
    }


def _lines(
    ledger: Ledger, transcript_id: int, head: dict[str, Any], related: dict[str, Any], drawn: Outline, *, full: bool
) -> Iterator[str]:
    from syncd.cli.conversation_text import head_lines
    from syncd.cli.tree_text import tree_lines
    from syncd.openclaw.tree import NOWHERE

    yield from head_lines(head)
    if related["parent"] is not None:
        yield click.style(f"{head['kind']} of {_transcript(related['parent'])}", dim=True)
    yield ""
    active = frozenset(drawn.tree.path())
    yield from tree_lines(drawn.children(), NOWHERE, active, _label(ledger, transcript_id, drawn, active), full=full)
    for child in related["children"]:
        yield click.style(f"{child['kind']}: {_transcript(child)}", dim=True)
    for session in related["spawned"]:
        from syncd.cli.plain_text import readable

        yield click.style(f"spawned: {readable(session['session_key'])}", dim=True)


def _transcript(about: dict[str, Any]) -> str:
    from syncd.cli.plain_text import readable

    return f"{readable(about['session_id'])} (transcript {about['transcript_id']}, {about['state']})"


def _label(ledger: Ledger, transcript_id: int, drawn: Outline, active: frozenset[int]) -> Callable[[int], str]:
    """The line of an entry; its words are read only for entries that are drawn."""
    from syncd.cli.plain_text import one_line, readable
    from syncd.ledger.entry_bytes import EntryBytes
    from syncd.ledger.reading.lines import entry_of
    from syncd.openclaw.messages import message_of
    from syncd.openclaw.passages import passages_of

    lines = EntryBytes(ledger)

    def label(place: int) -> str:
        row = drawn.rows[place]
        entry = entry_of(lines, transcript_id, row)
        role = message_of(entry).get("role")
        passages = [each for each in passages_of(entry) if each.kind != "thinking"]
        words = ""
        if passages:
            first = passages[0]
            lead = f"→ {first.title} " if first.kind == "call" else f"{first.title}: " if first.title else ""
            if first.kind in ("note", "summary"):
                lead = ""  # the entry's type says the same
            words = one_line(lead + first.text, _LABEL_CHARACTERS)
        is_active, is_leaf = place in active, place == drawn.tree.tip
        parts = [
            "●" if is_active else "○",
            click.style(readable(row.entry_id or f"line at {row.byte_offset}"), dim=not is_active),
            click.style(readable(role if isinstance(role, str) else row.type), fg="cyan" if is_active else None),
            words,
        ]
        if any(each.is_error for each in passages):
            parts.append(click.style("✗", fg="red"))
        if is_leaf:
            parts.append(click.style("← leaf", fg="green", bold=True))
        return " ".join(filter(None, parts))

    return label
