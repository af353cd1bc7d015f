"""`syncd show`: a session to read, as the conversation stands, on any branch, or as the model would be given it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from syncd.cli.app import App
from syncd.cli.numbers import COUNT, ROW_ID
from syncd.cli.output import Report, examples, note, page, print_lines, reports

if TYPE_CHECKING:
    from syncd.ledger.reading.conversation import Said

SHORT_RESULT_CHARACTERS = 2000
"""Of a tool result in the JSON document, unless --full asks for all of it."""


@click.command(
    epilog=examples(
        "syncd show agent:main:main",
        "syncd show 0a000002 --full",
        'syncd show "release notes" --context',
        "syncd show telegram:direct:4242 --branch 4e31250d",
        """syncd show 0a000002 --json | jq -r '.entries[] | select(.role == "user").text'""",
    )
)
@click.argument("session", required=False)
@click.option("--full", is_flag=True, help="Whole tool results, every argument of a call, thinking and notes too.")
@click.option("--branch", metavar="ENTRY", help="The path to this entry, by its id or the start of it.")
@click.option("--generation", type=int, metavar="N", help="As it was in this generation, before a rewrite.")
@click.option(
    "--context", is_flag=True, help="What the model would be given: latest summary, what it kept, what follows."
)
@click.option(
    "--repaired", is_flag=True, help="Tool calls and results as OpenClaw would send them: each right after its call."
)
@click.option("--all", "everything", is_flag=True, help="Every entry in file order, also beside the active path.")
@click.option("-n", "--last", type=COUNT, metavar="N", help="Only the last N entries.")
@click.option("--redact", is_flag=True, help="Mask what looks like a secret.")
@click.option("--transcript", "transcript_id", type=ROW_ID, metavar="ID", help="The transcript of this transcripts.id.")
@reports
def show(
    app: App, *, session: str | None, full: bool, branch: str | None, generation: int | None, context: bool,
    repaired: bool, everything: bool, last: int | None, redact: bool, transcript_id: int | None,
) -> Report:  # fmt: skip
    """Read a session.

    SESSION is a session key or its end, a session id, the unique start of either, words of its title, a path or
    a file name; also of a session that OpenClaw has deleted.
    """
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.reading.about import about
    from syncd.ledger.reading.conversation import Reading, conversation
    from syncd.ledger.snapshot import snapshot
    from syncd.mirror.locate import transcript_meant

    if session is None and transcript_id is None:
        raise click.UsageError("Missing argument 'SESSION'.", click.get_current_context())
    if everything and (branch or context or repaired):
        raise click.UsageError("--all goes with neither --branch nor --context nor --repaired.")
    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        transcript = transcript_meant(ledger, session, transcript_id)
        head = about(ledger, transcript)
        said = conversation(ledger, transcript, Reading(generation, branch, everything, context, repaired, last))
        if redact:
            from syncd.cli.redaction import redacted_about, redacted_conversation

            head, said = redacted_about(head), redacted_conversation(said)
        if app.json:
            return Report({"session": head, "entries": [_document(each, full=full) for each in said]})
        if transcript.kind == "trajectory":
            note(f"transcript {transcript.id} is a trajectory, which has no entries: `syncd export` gives its lines")
        from syncd.cli.conversation_text import conversation_lines, head_lines

        lines = (line for part in (head_lines(head), conversation_lines(said, full=full)) for line in part)
        if sys.stdout is None or not sys.stdout.isatty():
            print_lines(lines)
            return Report(None)
        shown = list(lines)  # a pager may stay open for hours: the ledger must not
    page(shown, color=app.color)
    return Report(None)


def _document(said: Said, *, full: bool) -> dict[str, Any]:
    from syncd.openclaw.json_values import json_text

    row, text = said.row, said.text
    is_result = said.role in ("toolResult", "bashExecution")
    shown = text[:SHORT_RESULT_CHARACTERS] if text is not None and is_result and not full else text
    document: dict[str, Any] = {
        "id": row.id if row is not None else None,
        "entry_id": row.entry_id if row is not None else None,
        "parent_id": row.parent_id if row is not None else None,
        "type": said.type,
        "role": said.role,
        "text": shown,
        "is_cut": shown != text,
        "at": said.at,
        "on_active_path": bool(row.on_active_path) if row is not None else None,
    }
    thinking = [each.text for each in said.passages if each.kind == "thinking" and each.text]
    if thinking and full:
        document["thinking"] = "\n".join(thinking)
    calls = [each for each in said.passages if each.kind == "call"]
    if calls:
        document["tool_calls"] = [
            {"name": each.title, "argument": each.text}
            | ({"arguments_json": json_text(each.arguments)} if full else {})
            for each in calls
        ]
    if said.role == "toolResult":
        document |= {"tool_name": said.message.get("toolName"), "is_error": said.message.get("isError") is True}
    if said.role == "assistant":
        names = {"provider": "provider", "model": "model", "stop_reason": "stopReason", "error_message": "errorMessage"}
        document |= {name: said.message.get(field) for name, field in names.items()}
    if said.row is None:
        document["is_made_up"] = True
    return document
