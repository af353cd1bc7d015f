"""`syncd show`: a session to read, as the conversation stands, on any branch, or as the model would be given it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.completing import session_names
from syncd.cli.output import Report, closing, is_terminal, note, page, print_lines, reports

if TYPE_CHECKING:
    from syncd.ledger.reading.conversation import Said
    from syncd.sources.pending_inputs import PendingInput

SHORT_RESULT_CHARACTERS = 2000
"""Of a tool result in the JSON document, unless --full asks for all of it."""


@click.command(
    epilog=closing(
        "syncd show agent:main:main",
        "syncd show 0a000002 --full",
        'syncd show "release notes" --context',
        "syncd show telegram:direct:4242 --branch 4e31250d",
        """syncd show 0a000002 --json | jq -r '.entries[] | select(.role == "user").text'""",
    )
)
@click.argument("session", required=False, shell_complete=session_names)
@click.option("--full", is_flag=True, help="Whole tool results, every argument of a call, thinking and notes too.")
@click.option("--branch", metavar="ENTRY", help="The path to this entry, by its id or the start of it.")
@options.generation()
@click.option(
    "--context", is_flag=True, help="What the model would be given: latest summary, what it kept, what follows."
)
@click.option(
    "--repaired", is_flag=True, help="Tool calls and results as OpenClaw would send them: each right after its call."
)
@click.option("--all", "everything", is_flag=True, help="Every entry in file order, also beside the active path.")
@click.option("-n", "--last", type=options.COUNT, metavar="N", help="Only the last N entries.")
@click.option("--redact", is_flag=True, help="Mask what looks like a secret.")
@options.transcript_id()
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

    options.refuse_neither(session, transcript_id, "SESSION")
    if everything and (branch or context or repaired):
        raise click.UsageError("--all goes with neither --branch nor --context nor --repaired.")
    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        transcript = transcript_meant(ledger, session, transcript_id)
        head = about(ledger, transcript)
        said = conversation(ledger, transcript, Reading(generation, branch, everything, context, repaired, last))
        pending = iter(_pending(transcript.path) if generation is None and branch is None else [])
        if redact:
            from syncd.cli.redaction import redacted_about, redacted_conversation

            head, said, pending = redacted_about(head), redacted_conversation(said), redacted_conversation(pending)
        if app.json:
            entries = [_document(each, full=full) for each in said]
            return Report({"session": head, "entries": entries, "pending": [_input(each) for each in pending]})
        if transcript.kind == "trajectory":
            note(f"transcript {transcript.id} is a trajectory, which has no entries: `syncd export` gives its lines")
        from syncd.cli.conversation_text import conversation_lines, head_lines, pending_lines

        parts = (head_lines(head), conversation_lines(said, full=full), pending_lines(pending))
        lines = (line for part in parts for line in part)
        if not is_terminal():
            print_lines(lines)
            return Report(None)
        shown = list(lines)  # a pager may stay open for hours: the ledger must not
    page(shown, color=app.color)
    return Report(None)


def _pending(path: str) -> list[Said]:
    """What OpenClaw has accepted for the session and not written yet: only its own database tells."""
    from syncd.sources.store_paths import is_stored

    if not is_stored(path):
        return []
    from syncd.errors import SourceError
    from syncd.sources.pending_inputs import pending_inputs
    from syncd.sources.store_paths import session_id_of, store_of

    try:
        found = pending_inputs(store_of(path), session_id_of(path))
    except SourceError as error:
        note(f"what waits to be answered is not known: {error.title}")
        return []
    return [_said(each) for each in found]


def _said(waiting: PendingInput) -> Said:
    from syncd.ledger.reading.conversation import Said
    from syncd.openclaw.messages import message_text
    from syncd.openclaw.passages import message_passages

    message = waiting.message
    text, passages = message_text(message.get("content")), list(message_passages(message))
    return Said(None, waiting.state, "user", waiting.accepted_at, text, message, passages)


def _input(said: Said) -> dict[str, Any]:
    return {"state": said.type, "role": said.role, "text": said.text, "at": said.at}


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
