"""`syncd export`: a transcript back, byte for byte, or as a page to read; to stdout or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.completing import session_names
from syncd.cli.output import closing, counted, note, print_bytes, with_app

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

_HOLES_NAMED = 1000
FORMATS = ("jsonl", "markdown", "html")


@click.command(
    epilog=closing(
        "syncd export agent:main:main > main.jsonl",
        "syncd export 0a000002 --generation 1 -o before-the-rewrite.jsonl",
        "syncd export 0a000002 --format html --redact -o to-send.html",
        "syncd export agents/main/sessions/0a000002.jsonl --format markdown --full",
    )
)
@click.argument("session_or_path", required=False, shell_complete=session_names)
@options.generation("An earlier generation; without it the present one.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="jsonl", show_default=True,
              help="jsonl: the lines, byte for byte. markdown, html: the conversation as it stands.")  # fmt: skip
@click.option("--redact", is_flag=True, help="Mask what looks like a secret; every line stays valid JSON.")
@click.option(
    "--full", is_flag=True, help="markdown, html: whole tool results, every argument of a call, thinking and notes too."
)
@options.transcript_id()
@click.option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="Write to this file, readable by this user only."
)
@with_app
def export(
    app: App, *, session_or_path: str | None, generation: int | None, form: str, redact: bool, full: bool,
    transcript_id: int | None, output: str | None,
) -> None:  # fmt: skip
    """Give a transcript back, in any generation; as it is, or as a page to read.

    SESSION_OR_PATH is a session key or its end, a session id, the unique start of either, words of its title, a path
    (absolute, or relative to OpenClaw's state dir) or a file name.

    An HTML page is one file without scripts that fetches nothing. --redact knows keys and tokens of well-known shapes
    and what stands behind names like password; read what you send all the same.
    """
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.snapshot import snapshot
    from syncd.mirror.export import refuse_inside_openclaw, write_file
    from syncd.mirror.locate import transcript_meant

    options.refuse_neither(session_or_path, transcript_id, "SESSION_OR_PATH")
    if full and form == "jsonl":
        raise click.UsageError("--full is for markdown and html: jsonl is always all of it.")
    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        transcript = transcript_meant(ledger, session_or_path, transcript_id)
        if form == "jsonl":
            _name_holes(ledger, transcript, generation)
            pieces = _lines(ledger, transcript, generation, redact=redact)
        else:
            pieces = _page(ledger, transcript, generation, form, full=full, redact=redact)
        if output is None or output == "-":
            print_bytes(pieces)
            return
        refuse_inside_openclaw(ledger, output)
        written = write_file(output, pieces)
    note(f"wrote {written} bytes to {output}")


def _name_holes(ledger: Ledger, transcript: Transcript, generation: int | None) -> None:
    from syncd.mirror.export import holes_in

    holes = holes_in(ledger, transcript, generation)
    if not holes:
        return
    size = sum(hole.length for hole in holes)
    note(f"{counted(len(holes), 'hole')}, {size} bytes: dropped by retention, blanks stand in their place")
    for hole in holes[:_HOLES_NAMED]:
        note(f"  offset {hole.offset}, {hole.length} bytes, sha256 {hole.sha256}")
    if len(holes) > _HOLES_NAMED:
        note(f"  and {len(holes) - _HOLES_NAMED} more")


def _lines(ledger: Ledger, transcript: Transcript, generation: int | None, *, redact: bool) -> Iterable[bytes]:
    from syncd.mirror.export import exported

    pieces = exported(ledger, transcript, generation)
    return _redacted(pieces) if redact else pieces


def _redacted(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Line by line, whatever the pieces."""
    from syncd.openclaw.secrets import redacted_line

    unfinished: list[bytes] = []
    for piece in pieces:
        *lines, last = piece.split(b"\n")
        for line in lines:
            yield redacted_line(b"".join([*unfinished, line])) + b"\n"
            unfinished.clear()
        unfinished.append(last)
    yield redacted_line(b"".join(unfinished))


def _page(
    ledger: Ledger, transcript: Transcript, generation: int | None, form: str, *, full: bool, redact: bool
) -> Iterator[bytes]:
    from syncd.cli.html_page import html_page
    from syncd.cli.markdown_page import markdown_page
    from syncd.ledger.reading.about import about
    from syncd.ledger.reading.conversation import Reading, conversation

    head = about(ledger, transcript)
    said = conversation(ledger, transcript, Reading(generation))
    if redact:
        from syncd.cli.redaction import redacted_about, redacted_conversation

        head, said = redacted_about(head), redacted_conversation(said)
    make = html_page if form == "html" else markdown_page
    return (piece.encode() for piece in make(head, said, full=full))
