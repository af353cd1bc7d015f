"""`syncd run`: the main job. Catches up, then follows OpenClaw as it writes; with --once it only catches up."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from syncd import __version__
from syncd.cli import options
from syncd.cli.app import App
from syncd.cli.catching_up import (
    CheckedPace,
    catch_up_options,
    document,
    index_options,
    refuse_inside,
    refuse_ledger_inside,
    refuse_log_inside,
    state_dirs,
    state_dirs_to_mirror,
    text,
)
from syncd.cli.errands import errand_table
from syncd.cli.output import Report, closing, note, reports
from syncd.cli.progress import progress_bar
from syncd.cli.signals import Terminated, raised_at_borders, reloaded_by_sighup, stopped_by_signals
from syncd.clock import SystemClock
from syncd.errors import LedgerCorrupt, LedgerError, LedgerNewer
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.soundness import open_soundly
from syncd.ledger.standing import kept_in_place
from syncd.mirror.catchup import CatchUp, catch_up, quarantined

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.daemon.health_log import HealthLog
    from syncd.daemon.log import Log
    from syncd.daemon.loop import Loop
    from syncd.daemon.orders import Orders
    from syncd.jobs.housekeeper import Housekeeper
    from syncd.ledger.database import Ledger
    from syncd.ledger.hold import Hold
    from syncd.mirror.catchup import Pace

BUSY_SECONDS = 1.0
"""SQLite's wait for another program: Python hears no signal meanwhile, and a stop may take two seconds."""


@click.command(
    epilog=closing(
        "syncd run",
        "syncd run --once",
        "syncd run --once --json | jq .bytes",
        "syncd --profile work run",
        exits={
            0: "caught up, or stopped by SIGTERM",
            1: "with --once: a file could not be read, or no OpenClaw was found; without: it failed, or hung",
            75: "another syncd holds the ledger",
            78: "the configuration, or a ledger of a newer syncd",
            130: "stopped by Ctrl-C, as cleanly as by SIGTERM",
        },
    )
)
@click.option("--once", is_flag=True, help="Catch up, wait for files that are settling, print the summary, end.")
@options.lock_wait("With --once: how long to wait for files that are being written.")
@reports
def run(app: App, *, once: bool, lock_wait: float) -> Report:
    """Mirror OpenClaw's sessions into the ledger.

    Everything that OpenClaw has written is taken in, then every change within milliseconds, until SIGTERM or Ctrl-C;
    between them the scheduled jobs are done (`jobs` in config.yaml).
    SIGHUP lets it read its configuration again. With --once it ends after catching up, and `syncd verify` is equal
    right after.
    """
    result, asked = CatchUp(), list[int]()
    try:
        if once:
            _catch_up(app, result, lock_wait)
        else:
            from syncd.daemon.log import keep_small

            keep_small(app.environ)
            _mirror(app, result, asked)
    except Terminated:
        note("stopped; what was committed stays, and the next run goes on from there")
        summary = {**document(result), "ok": True, "stopped": True}
        return Report(summary, text(result, str(app.ledger_path)), _exit_code(asked))
    code = 1 if once and not result.is_complete else _exit_code(asked)
    return Report(document(result), text(result, str(app.ledger_path)), code)


def _exit_code(asked: list[int]) -> int:
    """SIGTERM is how a service is told to end; Ctrl-C is told to the shell, so that a script ends with us."""
    return 128 + signal.SIGINT if asked[:1] == [signal.SIGINT] else 0


def _catch_up(app: App, result: CatchUp, lock_wait: float) -> None:
    found = state_dirs_to_mirror(app)
    clock = SystemClock()
    with (
        raised_at_borders() as check,
        writer_lock(app.ledger_path) as hold,
        open_for_writing(hold.ledger_path) as ledger,
        kept_in_place(ledger, hold, clock),
        progress_bar(app, "reading") as bar,
    ):
        catch_up(ledger, clock, found, catch_up_options(app, lock_wait), bar, result, CheckedPace(clock, check, hold))


def _mirror(app: App, result: CatchUp, asked: list[int]) -> None:
    from syncd.daemon.door import Door
    from syncd.daemon.log import Log
    from syncd.daemon.loop import Loop
    from syncd.daemon.notify import Notifier, starting_signs
    from syncd.daemon.recovering import recover
    from syncd.daemon.reporting import reporting
    from syncd.jobs.housekeeper import Housekeeper

    refuse_ledger_inside(app)
    refuse_log_inside(app)
    clock, log = SystemClock(), Log(as_json=not app.draws, environ=app.environ)
    started = clock.monotonic()
    with writer_lock(app.ledger_path) as hold:
        door = Door(hold.ledger_path)
        care = Housekeeper(clock, app.settings, log.say, forget_in_logs=partial(_forget_in_logs, app))
        open_ledger, notifier = partial(open_soundly, hold.ledger_path, BUSY_SECONDS), Notifier(app.environ)
        put_right = partial(_put_right, hold.ledger_path, clock)
        loop = Loop(open_ledger, clock, _orders(app), notifier, reread=partial(_reread, app, care), door=door, log=log,
                    care=care, put_right=put_right, hold=hold)  # fmt: skip
        reports_health = reporting(hold.ledger_path, clock, _health_log(app))
        with reloaded_by_sighup(loop.reload), reports_health as on_beat:
            log.say("started", pid=os.getpid(), version=__version__, ledger=app.ledger_path)
            try:
                with stopped_by_signals(loop.stop, loop.dirty.bell, asked):
                    if (reason := door.open()) is not None:
                        log.say("no_socket", reason=reason)
                    pace = CheckedPace(clock, partial(_go_on, loop, starting_signs(notifier, clock)), hold)
                    mend = partial(recover, put_right, clock=clock, log=log, notifier=notifier)
                    catch_up_first(app, clock, log, result, hold, pace, mend)
                    result.in_progress = []  # from here on they are looked at until they are at rest
                    loop.run(on_beat)
            finally:
                door.close()
                _add_live(hold.ledger_path, result, loop)
                result.seconds = clock.monotonic() - started


def _go_on(loop: Loop, tell: Callable[[], None]) -> None:
    """At each border of the first catch-up."""
    if loop.is_stopping:
        raise Terminated
    tell()


def catch_up_first(
    app: App, clock: Clock, log: Log, result: CatchUp, hold: Hold, pace: Pace | None = None,
    mend: Callable[[LedgerCorrupt], None] | None = None,
) -> None:  # fmt: skip
    """With a bar, and without what would keep the loop from watching. A ledger that cannot be written is its own."""
    chosen = replace(catch_up_options(app, 0.0), goes_live=True)
    found = tuple(path for path in state_dirs(app) if os.path.isdir(path))
    try:
        with (
            open_soundly(hold.ledger_path, BUSY_SECONDS) as ledger,
            kept_in_place(ledger, hold, clock),
            progress_bar(app, "reading") as bar,
        ):
            catch_up(ledger, clock, found, chosen, bar, result, pace)
    except LedgerNewer:
        raise
    except LedgerCorrupt as damage:
        if mend is None:
            raise
        try:
            mend(damage)
        except LedgerCorrupt:
            raise
        except LedgerError:
            return  # said already; the loop tries again
        catch_up_first(app, clock, log, result, hold, pace)
    except LedgerError as error:
        log.say("catch_up_failed", reason=str(error), type=error.type)
    else:
        log.say("caught_up", transcripts=result.transcripts, lines=result.lines, bytes=result.bytes,
                problems=len(result.problems), seconds=round(result.seconds, 3))  # fmt: skip


def _put_right(
    ledger_path: Path, clock: Clock, damage: LedgerCorrupt, is_alive: Callable[[], None]
) -> dict[str, object]:
    from syncd.mirror.recovery import recover as put_right

    return put_right(ledger_path, damage, clock, is_alive).summary()


def _add_live(ledger_path: Path, result: CatchUp, loop: Loop) -> None:
    """What a run took in is what it caught up with and what it followed."""
    taken = loop.figures.taken
    result.sessions += loop.figures.sessions
    if result.quarantined_before is not None:
        with suppress(LedgerError), open_for_reading(ledger_path) as ledger:
            result.quarantined = quarantined(ledger) - result.quarantined_before
    result.transcripts = len(result.read_ids | taken.transcripts)
    result.lines += taken.lines
    result.bytes += taken.bytes


def _orders(app: App) -> Orders:
    from syncd.daemon.orders import BEAT_SECONDS, LoopOptions, Orders

    watch, beat_seconds = app.settings.watch, min(BEAT_SECONDS, app.settings.health.interval_seconds)
    chosen = LoopOptions(
        catch_up_options(app, 0.0), index_options(app), watch.rescan_seconds, watch.mode, beat_seconds,
        _health_log(app), errand_table(),
    )  # fmt: skip
    return Orders(partial(state_dirs, app), chosen)


def _forget_in_logs(app: App, ledger: Ledger) -> None:
    from syncd.cli.health_traces import forget_in_health_log

    forget_in_health_log(app.health_log_path, ledger)


def _health_log(app: App) -> HealthLog:
    from syncd.daemon.health_log import HealthLog

    return HealthLog(app.health_log_path, app.settings.health.interval_seconds, app.prometheus_path)


def _reread(app: App, care: Housekeeper) -> Orders:
    """The configuration as it is now, from where it was first found. The ledger is kept: its lock is on that one."""
    fresh = App(app.config, app.profile, app.no_color, app.json, app.environ)
    refuse_inside(fresh, "ledger", app.ledger_path, "`ledger.path` and restart syncd, or correct openclaw.state_dirs")
    refuse_log_inside(fresh)
    orders = _orders(fresh)
    care.take_over(fresh.settings, partial(_forget_in_logs, fresh))
    if fresh.ledger_path == app.ledger_path:
        return orders
    return replace(orders, refused=f"ledger.path is {fresh.ledger_path} now, and {app.ledger_path} stays in use")
