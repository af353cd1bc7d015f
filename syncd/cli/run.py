"""`syncd run`: the main job. Until the daemon watches, it catches up and ends, as with --once."""

from __future__ import annotations

import os

import click

from syncd.cli.app import App
from syncd.cli.catching_up import document, existing_state_dirs, options, state_dirs, text
from syncd.cli.output import Report, note, reports
from syncd.cli.progress import progress_bar
from syncd.cli.signals import Terminated
from syncd.clock import SystemClock
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUp, catch_up

LOOK_SECONDS = 5.0


@click.command()
@click.option("--once", is_flag=True, help="Catch up, wait for files that are settling, print the summary, end.")
@click.option("--lock-wait", type=click.FloatRange(0, 3600), default=30.0, show_default=True, metavar="SECONDS",
              help="How long to wait for files that are being written.")  # fmt: skip
@reports
def run(app: App, *, once: bool, lock_wait: float) -> Report:
    """Mirror OpenClaw's sessions into the ledger.

    Everything that OpenClaw has written is taken in; `syncd verify` is equal right after.
    """
    result = CatchUp()
    try:
        _mirror(app, result, once=once, lock_wait=lock_wait)
    except Terminated:
        note("stopped; what was committed stays, and the next run goes on from there")
        return Report({**document(result), "ok": True, "stopped": True}, text(result, str(app.ledger_path)))
    return Report(document(result), text(result, str(app.ledger_path)), 1 if result.problems else 0)


def _mirror(app: App, result: CatchUp, *, once: bool, lock_wait: float) -> None:
    clock = SystemClock()
    if not once:
        _wait_for_openclaw(app, clock)
    found = existing_state_dirs(app)
    chosen = options(app, agent=None, session_ids=None, lock_wait=lock_wait)
    with writer_lock(app.ledger_path), open_for_writing(app.ledger_path) as ledger, progress_bar(app, "reading") as bar:
        catch_up(ledger, clock, found, chosen, bar, result)


def _wait_for_openclaw(app: App, clock: SystemClock) -> None:
    """OpenClaw may be installed after us: say what is missing, once, and look now and then."""
    wanted = state_dirs(app)
    if any(os.path.isdir(path) for path in wanted):
        return
    note(f"no OpenClaw here yet: waiting for {', '.join(wanted)} (`make demo` shows syncd at work on bundled sessions)")
    while not any(os.path.isdir(path) for path in state_dirs(app)):
        clock.sleep(LOOK_SECONDS)
