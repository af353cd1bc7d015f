"""`syncd resync`: catch up by hand, for all or for one agent or session; `--rebuild` derives every table anew first."""

from __future__ import annotations

import click

from syncd.cli.app import App
from syncd.cli.catching_up import (
    document,
    options,
    refuse_unknown,
    refuse_unknown_agent,
    session_ids,
    state_dirs_to_mirror,
    text,
)
from syncd.cli.output import Report, reports
from syncd.cli.progress import progress_bar
from syncd.clock import SystemClock
from syncd.errors import UserError
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import catch_up
from syncd.mirror.mend import Mender
from syncd.mirror.rebuild import rebuild_all


@click.command()
@click.option("--agent", metavar="A", help="Only this OpenClaw agent.")
@click.option("--session", metavar="KEY_OR_ID", help="Only this session, by its key or its id.")
@click.option(
    "--rebuild",
    is_flag=True,
    help="Mend the ledger's raw bytes, derive all tables again from them, then re-read every file.",
)
@click.option("--lock-wait", type=click.FloatRange(0, 3600), default=30.0, show_default=True, metavar="SECONDS",
              help="How long to wait for files that are being written.")  # fmt: skip
@reports
def resync(app: App, *, agent: str | None, session: str | None, rebuild: bool, lock_wait: float) -> Report:
    """Catch up with what OpenClaw has written.

    Files that look as they did when they were last read are not opened; that makes it quick, and blind to damage of the
    ledger itself. --rebuild reads everything on both sides: raw bytes that the ledger has lost are taken from the files
    again, without a new generation, and what no file has any more is named (exit 1). Nothing is lost that only the
    ledger still has: its raw bytes are the record, and they stay.
    """
    if rebuild and (agent or session):
        raise UserError("--rebuild is for the whole ledger", "leave --agent and --session out")
    found = state_dirs_to_mirror(app)
    with writer_lock(app.ledger_path), open_for_writing(app.ledger_path) as ledger:
        refuse_unknown_agent(ledger, found, agent)
        wanted = session_ids(ledger, found, session)
        chosen = options(app, agent=agent, session_ids=wanted, lock_wait=lock_wait, prove_all=rebuild)
        rebuilt, clock = None, SystemClock()
        mender = Mender.of(ledger, clock, found)
        if rebuild:
            with progress_bar(app, "deriving") as bar:
                rebuilt = rebuild_all(ledger, chosen.max_line_bytes, bar, mender)
        with progress_bar(app, "reading") as bar:
            result = catch_up(ledger, clock, found, chosen, bar)
        result.lost = list(dict.fromkeys([*mender.lost, *result.lost]))
        refuse_unknown(ledger, wanted, session)
    summary, lines = document(result), text(result, str(app.ledger_path))
    if rebuilt is not None:
        summary |= {"rebuilt": rebuilt, "repaired": mender.repaired}
        lines.insert(0, f"{rebuilt} transcripts derived anew from the ledger's own bytes")
        if mender.repaired:
            lines.insert(0, f"{mender.repaired} transcripts had lost raw bytes; they are mended from OpenClaw's files")
    return Report(summary, lines, 0 if result.is_complete else 1)
