"""`syncd run`: the main job. Catches up, then follows OpenClaw as it writes; with --once it only catches up."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from syncd import __version__
from syncd.cli.app import App
from syncd.cli.catching_up import (
    CheckedPace,
    document,
    index_options,
    options,
    refuse_inside,
    refuse_ledger_inside,
    refuse_log_inside,
    state_dirs,
    state_dirs_to_mirror,
    text,
)
from syncd.cli.output import Report, note, reports
from syncd.cli.progress import progress_bar
from syncd.cli.signals import Terminated, raised_at_borders, reloaded_by_sighup, stopped_by_signals
from syncd.clock import SystemClock
from syncd.errors import LedgerCorrupt, LedgerError, LedgerNewer
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.mirror.catchup import CatchUp, catch_up, quarantined

if TYPE_CHECKING:
    from syncd.clock import Clock
    from syncd.daemon.health_log import HealthLog
    from syncd.daemon.log import Log
    from syncd.daemon.loop import Loop, Orders
    from syncd.mirror.catchup import Pace

BUSY_SECONDS = 1.0
"""SQLite's wait for another program: Python hears no signal meanwhile, and a stop may take two seconds."""


@click.command()
@click.option("--once", is_flag=True, help="Catch up, wait for files that are settling, print the summary, end.")
@click.option("--lock-wait", type=click.FloatRange(0, 3600), default=30.0, show_default=True, metavar="SECONDS",
              help="How long to wait for files that are being written.")  # fmt: skip
@reports
def run(app: App, *, once: bool, lock_wait: float) -> Report:
    """Mirror OpenClaw's sessions into the ledger.

    Everything that OpenClaw has written is taken in, then every change within milliseconds, until SIGTERM or Ctrl-C.
    SIGHUP lets it read its configuration again. With --once it ends after catching up, and `syncd verify` is equal
    right after.
    """
    result = CatchUp()
    try:
        if once:
            _catch_up(app, result, lock_wait)
        else:
            _mirror(app, result)
    except Terminated:
        note("stopped; what was committed stays, and the next run goes on from there")
        return Report({**document(result), "ok": True, "stopped": True}, text(result, str(app.ledger_path)))
    return Report(document(result), text(result, str(app.ledger_path)), 1 if once and not result.is_complete else 0)


def _catch_up(app: App, result: CatchUp, lock_wait: float) -> None:
    found = state_dirs_to_mirror(app)
    clock = SystemClock()
    with (
        raised_at_borders() as check,
        writer_lock(app.ledger_path),
        open_for_writing(app.ledger_path) as ledger,
        progress_bar(app, "reading") as bar,
    ):
        catch_up(ledger, clock, found, options(app, lock_wait), bar, result, CheckedPace(clock, check))


def _mirror(app: App, result: CatchUp) -> None:
    from syncd.daemon.door import Door
    from syncd.daemon.log import Log
    from syncd.daemon.loop import Loop
    from syncd.daemon.notify import Notifier
    from syncd.daemon.reporting import reporting

    refuse_ledger_inside(app)
    refuse_log_inside(app)
    clock, log = SystemClock(), Log(as_json=not app.draws)
    started = clock.monotonic()
    with writer_lock(app.ledger_path):
        door = Door(app.ledger_path)
        open_ledger = partial(open_for_writing, app.ledger_path, BUSY_SECONDS)
        loop = Loop(open_ledger, clock, _orders(app), Notifier(app.environ),
                    reread=partial(_reread, app), door=door, log=log)  # fmt: skip
        reports_health = reporting(app.ledger_path, clock, _health_log(app))
        with reloaded_by_sighup(loop.reload), reports_health as on_beat:
            log.say("started", pid=os.getpid(), version=__version__, ledger=app.ledger_path)
            try:
                with stopped_by_signals(loop.stop, loop.dirty.bell):
                    if (reason := door.open()) is not None:
                        log.say("no_socket", reason=reason)
                    catch_up_first(app, clock, log, result, CheckedPace(clock, partial(_end_if_stopping, loop)))
                    result.in_progress = []  # from here on they are looked at until they are at rest
                    loop.run(on_beat)
            finally:
                door.close()
                _add_live(app, result, loop)
                result.seconds = clock.monotonic() - started


def _end_if_stopping(loop: Loop) -> None:
    if loop.is_stopping:
        raise Terminated


def catch_up_first(app: App, clock: Clock, log: Log, result: CatchUp, pace: Pace | None = None) -> None:
    """With a bar, and without what would keep the loop from watching. A ledger that cannot be written is its own."""
    chosen = replace(options(app, 0.0), goes_live=True)
    found = tuple(path for path in state_dirs(app) if os.path.isdir(path))
    try:
        with open_for_writing(app.ledger_path, BUSY_SECONDS) as ledger, progress_bar(app, "reading") as bar:
            catch_up(ledger, clock, found, chosen, bar, result, pace)
    except (LedgerCorrupt, LedgerNewer):
        raise
    except LedgerError as error:
        log.say("catch_up_failed", reason=str(error), type=error.type)
    else:
        log.say("caught_up", transcripts=result.transcripts, lines=result.lines, bytes=result.bytes,
                problems=len(result.problems), seconds=round(result.seconds, 3))  # fmt: skip


def _add_live(app: App, result: CatchUp, loop: Loop) -> None:
    """What a run read is what it caught up with and what it followed."""
    read = loop.figures.read
    result.sessions += loop.figures.sessions
    if result.quarantined_before is not None:
        with suppress(LedgerError), open_for_reading(app.ledger_path) as ledger:
            result.quarantined = quarantined(ledger) - result.quarantined_before
    result.transcripts = len(result.read_ids | read.transcripts)
    result.lines += read.lines
    result.bytes += read.bytes


def _orders(app: App) -> Orders:
    from syncd.daemon.loop import BEAT_SECONDS, LoopOptions, Orders

    watch, beat_seconds = app.settings.watch, min(BEAT_SECONDS, app.settings.health.interval_seconds)
    chosen = LoopOptions(
        options(app, 0.0), index_options(app), watch.rescan_seconds, watch.mode, beat_seconds, _health_log(app)
    )
    return Orders(partial(state_dirs, app), chosen)


def _health_log(app: App) -> HealthLog:
    from syncd.daemon.health_log import HealthLog

    return HealthLog(app.health_log_path, app.settings.health.interval_seconds)


def _reread(app: App) -> Orders:
    """The configuration as it is now, from where it was first found. The ledger is kept: its lock is on that one."""
    fresh = App(app.config, app.profile, app.no_color, app.json, app.environ)
    refuse_inside(fresh, "ledger", app.ledger_path, "`ledger.path` and restart syncd, or correct openclaw.state_dirs")
    refuse_log_inside(fresh)
    orders = _orders(fresh)
    if fresh.ledger_path == app.ledger_path:
        return orders
    return replace(orders, refused=f"ledger.path is {fresh.ledger_path} now, and {app.ledger_path} stays in use")
