"""`syncd export`: a transcript back, byte for byte, to stdout or a file."""

import click

from syncd.cli.app import App
from syncd.cli.output import note, print_bytes, with_app


@click.command()
@click.argument("session_or_path", required=False)
@click.option("--generation", type=int, metavar="N", help="An earlier generation; without it the present one.")
@click.option("--format", type=click.Choice(["jsonl"]), default="jsonl", expose_value=False, help="Byte-exact lines.")
@click.option("--transcript", "transcript_id", type=int, metavar="ID", help="The transcript of this transcripts.id.")
@click.option("-o", "--output", metavar="FILE", help="Write to this file, readable by this user only.")
@with_app
def export(
    app: App,
    session_or_path: str | None,
    generation: int | None,
    transcript_id: int | None,
    output: str | None,
) -> None:
    """Give a transcript back, in any generation.

    SESSION_OR_PATH is a session id or its first six or more characters, a session key, a path
    (absolute, or relative to OpenClaw's state dir) or a file name.
    """
    from syncd.ledger.database import open_for_reading
    from syncd.ledger.snapshot import snapshot
    from syncd.mirror.export import exported, refuse_inside_openclaw, write_file
    from syncd.mirror.locate import transcript_meant

    if session_or_path is None and transcript_id is None:
        raise click.UsageError("Missing argument 'SESSION_OR_PATH'.", click.get_current_context())
    with open_for_reading(app.ledger_path) as ledger, snapshot(ledger):
        transcript = transcript_meant(ledger, session_or_path, transcript_id)
        pieces = exported(ledger, transcript, generation)
        if output is None or output == "-":
            print_bytes(pieces)
            return
        refuse_inside_openclaw(ledger, output)
        written = write_file(output, pieces)
    note(f"wrote {written} bytes to {output}")
