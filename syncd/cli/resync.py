"""`syncd resync`: catch up by hand, for all or for one agent or session; `--rebuild` derives the tables anew first.

Whoever holds the ledger does it: this process, or the running daemon, which is asked over its socket.
"""

from __future__ import annotations

from functools import partial

import click

from syncd.cli import options
from syncd.cli.alone import lone_hands
from syncd.cli.app import App
from syncd.cli.catching_up import catch_up_options, document, state_dirs_to_mirror, text
from syncd.cli.output import Report, closing, counted, reports
from syncd.cli.progress import progress_bar
from syncd.errors import AlreadyRunning
from syncd.mirror.catchup import homes_of
from syncd.mirror.resync import Resynced, Wish
from syncd.mirror.resync import resync as do_resync


@click.command(
    epilog=closing(
        "syncd resync",
        "syncd resync --agent main",
        "syncd resync --session agent:main:main",
        "syncd resync --rebuild",
        "syncd resync --rebuild --session agent:main:main",
        exits={0: "level with the files", 1: "something could not be read, or no file has it any more; it is named"},
    )
)
@options.only_agent()
@options.only_session()
@click.option(
    "--rebuild",
    is_flag=True,
    help="Mend the ledger's raw bytes, derive all tables again from them, then re-read every file;"
    " with --agent or --session, only for theirs.",
)
@options.lock_wait()
@reports
def resync(app: App, *, agent: str | None, session: str | None, rebuild: bool, lock_wait: float) -> Report:
    """Catch up with what OpenClaw has written.

    Files that look as they did when they were last read are not opened; that makes it quick, and blind to damage of the
    ledger itself. --rebuild reads everything on both sides: raw bytes that the ledger has lost are taken from the files
    again, without a new generation, and what no file has any more is named (exit 1). Nothing is lost that only the
    ledger still has: its raw bytes are the record, and they stay.

    While `syncd run` is at work, it is asked to do it, and goes on following meanwhile.
    """
    wish = Wish(agent, session, rebuild, lock_wait)
    found = state_dirs_to_mirror(app)
    try:
        done = _alone(app, found, wish)
    except AlreadyRunning as held:
        done = _by_the_daemon(app, found, wish, held)
    result = done.caught_up
    summary, lines = document(result), text(result, str(app.ledger_path))
    if done.rebuilt is not None:
        summary |= {"rebuilt": done.rebuilt, "repaired": done.repaired}
        lines.insert(0, f"{counted(done.rebuilt, 'transcript')} derived anew from the ledger's own bytes")
        if done.repaired:
            which = counted(done.repaired, "transcript")
            lines.insert(0, f"{which} had lost raw bytes, now mended from OpenClaw's files")
    return Report(summary, lines, 0 if result.is_complete else 1)


def _alone(app: App, found: tuple[str, ...], wish: Wish) -> Resynced:
    usual, show = catch_up_options(app, wish.lock_wait_seconds), partial(progress_bar, app)
    with lone_hands(app) as (writer, pace):
        done = Resynced()
        homes = homes_of(writer, found, usual, done.caught_up)
        do_resync(writer, found, homes, wish, usual, show, pace, done)
        return done


def _by_the_daemon(app: App, found: tuple[str, ...], wish: Wish, held: AlreadyRunning) -> Resynced:
    from syncd.daemon.knock import ask_daemon

    done = ask_daemon(app.ledger_path, wish, found, partial(progress_bar, app))
    if done is None:
        raise held  # another command, or a daemon that cannot be asked
    return done
