"""`syncd run`: the main job. Catches up, then follows OpenClaw as it writes; with --once it only catches up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from syncd.cli.app import App
from syncd.cli.catching_up import (
    document,
    index_options,
    options,
    refuse_ledger_inside,
    state_dirs,
    state_dirs_to_mirror,
    text,
)
from syncd.cli.output import Report, note, reports
from syncd.cli.progress import progress_bar
from syncd.cli.signals import Terminated, stopped_by_signals
from syncd.clock import SystemClock
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUp, catch_up

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.mirror.catchup import CatchUpOptions

LOOK_SECONDS = 5.0


@click.command()
@click.option("--once", is_flag=True, help="Catch up, wait for files that are settling, print the summary, end.")
@click.option("--lock-wait", type=click.FloatRange(0, 3600), default=30.0, show_default=True, metavar="SECONDS",
              help="How long to wait for files that are being written.")  # fmt: skip
@reports
def run(app: App, *, once: bool, lock_wait: float) -> Report:
    """Mirror OpenClaw's sessions into the ledger.

    Everything that OpenClaw has written is taken in, then every change within milliseconds, until SIGTERM or Ctrl-C.
    With --once it ends after catching up, and `syncd verify` is equal right after.
    """
    result = CatchUp()
    try:
        _mirror(app, result, once=once, lock_wait=lock_wait)
    except Terminated:
        if not app.ledger_path.exists():
            return Report({**document(result), "ok": True, "stopped": True}, "stopped; there was nothing to mirror yet")
        note("stopped; what was committed stays, and the next run goes on from there")
        return Report({**document(result), "ok": True, "stopped": True}, text(result, str(app.ledger_path)))
    return Report(document(result), text(result, str(app.ledger_path)), 1 if once and not result.is_complete else 0)


def _mirror(app: App, result: CatchUp, *, once: bool, lock_wait: float) -> None:
    clock = SystemClock()
    refuse_ledger_inside(app)
    if not once:
        _wait_for_openclaw(app, clock)
    found = state_dirs_to_mirror(app)
    # The daemon looks again at what is not at rest; only --once must wait for it.
    chosen = options(app, agent=None, session_ids=None, lock_wait=lock_wait if once else 0.0)
    with writer_lock(app.ledger_path), open_for_writing(app.ledger_path) as ledger:
        with progress_bar(app, "reading") as bar:
            catch_up(ledger, clock, found, chosen, bar, result)
        if not once:
            _follow(app, ledger, clock, found, chosen)


def _follow(app: App, ledger: Ledger, clock: SystemClock, found: tuple[str, ...], chosen: CatchUpOptions) -> None:
    from syncd.daemon.loop import BEAT_SECONDS, Loop, LoopOptions
    from syncd.daemon.notify import Notifier
    from syncd.daemon.reporting import reporting

    watch, interval_seconds = app.settings.watch, app.settings.health.interval_seconds
    beat_seconds = min(BEAT_SECONDS, interval_seconds)
    loop_options = LoopOptions(chosen, index_options(app), watch.rescan_seconds, watch.mode, beat_seconds)
    loop = Loop(ledger, clock, found, loop_options, Notifier(app.environ))
    reports_health = reporting(ledger, clock, app.health_log_path, interval_seconds)
    with stopped_by_signals(loop.stop), reports_health as on_beat:
        note(f"following {', '.join(follower.state_dir for follower in loop.followers)}")
        for path in loop.awaited:
            note(f"waiting for {path}: there is no such directory yet; it is followed as soon as OpenClaw makes it")
        loop.run(on_beat)


def _wait_for_openclaw(app: App, clock: SystemClock) -> None:
    """OpenClaw may be installed after us: say what is missing, once, and look now and then."""
    wanted = state_dirs(app)
    if any(os.path.isdir(path) for path in wanted):
        return
    note(f"no OpenClaw here yet: waiting for {', '.join(wanted)} (`make demo` shows syncd at work on bundled sessions)")
    while not any(os.path.isdir(path) for path in state_dirs(app)):
        clock.sleep(LOOK_SECONDS)
