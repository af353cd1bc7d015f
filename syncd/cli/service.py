"""`syncd service`: syncd under systemd or launchd, for this user; installs, asks, shows. Nothing needs sudo.

What is to be run, and where it may write, is worked out in service_order; what a manager then does, in syncd.service.
"""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from syncd.cli.app import App
from syncd.cli.output import NOT_RUNNING, UNHEALTHY, AsItIs, Report, closing, note, reports
from syncd.cli.service_order import order_of, shipped, unit_of_another
from syncd.cli.service_status import LINGER, drift_of, status_lines, troubles
from syncd.clock import SystemClock
from syncd.errors import ConfigError, ServiceError, UserError
from syncd.service import Keeper, Manager, keeper_of, manager_of, run_command
from syncd.service import state as service_state
from syncd.service.keeper import has_no_box

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.cli.service_status import Trouble
    from syncd.service import Changes, ServiceState


@click.group(
    epilog=closing(
        "syncd service install      # and start; from now on with every login",
        "syncd service status",
        "syncd service logs -f",
        "syncd service uninstall    # the ledger stays",
    )
)
def service() -> None:
    """Run syncd in the background: systemd on Linux, launchd on macOS.

    Everything is this user's own; nothing needs sudo. --profile and --config, given before `service`, are those of the
    installed service; each profile has one of its own.
    """


@service.command(
    epilog=closing(
        "syncd service install",
        "syncd --profile work service install",
        "syncd --config ~/mine.yaml service install",
        "syncd service install --no-sandbox",
        exits={
            0: "it is installed, and runs",
            1: "it did not start; it is said why",
            78: "the configuration has faults; nothing was changed",
        },
    )
)
@click.option("--no-start", is_flag=True, help="Write and enable it, but do not start it now.")
@click.option(
    "--sandbox/--no-sandbox", default=None,
    help="systemd: with or without user namespaces, which some machines forbid. As it is installed; with, at first.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Replace a file of that name that syncd did not write.")
@reports
def install(app: App, *, no_start: bool, sandbox: bool | None, force: bool) -> Report:
    """Install and start it; again, it changes nothing.

    After an upgrade it restarts what is older; if that moved Python, or with another `ledger.path`, it writes the file
    anew and restarts.
    """
    from syncd.cli.catching_up import state_dirs

    keeper = keeper_for(app)
    before = keeper.state()
    order = order_of(app, is_boxed=not has_no_box(before.file) if sandbox is None else sandbox)
    changes = keeper.install(order, starts=not no_start, force=force, renews=_is_older(app, before))
    state = keeper.state()
    places = state_dirs(app)
    if not any(map(os.path.isdir, places)):
        note(f"there is no OpenClaw at {', '.join(places)} yet: it waits for one; `syncd doctor` looks for others")
    if state.linger is False:
        note(f"it ends with your last logout: `{LINGER}` lets it go on, and start with the machine")
    return _told(state, changes, f"{state.name} is installed, up to date and {state.phase}")


@service.command(epilog=closing("syncd service uninstall", "syncd --profile work service uninstall"))
@click.option("--force", is_flag=True, help="Also one of that name that syncd did not write.")
@reports
def uninstall(app: App, *, force: bool) -> Report:
    """Stop and remove it. The ledger stays, and it is said where."""
    keeper = keeper_for(app)
    changes = keeper.uninstall(force=force)
    try:
        ledger = app.ledger_path
        note(f"the ledger stays, with its backups: {ledger}")
    except ConfigError as error:  # what is broken is to be removed nevertheless
        ledger = None
        note(f"the ledger stays, with its backups; where it is cannot be told: {error.title}")
        for problem in error.problems:
            note(f"  {problem}")
    return _told(keeper.state(), changes, "it is not installed", ledger=ledger)


@service.command(epilog=closing("syncd service start", exits={0: "it runs", 1: "it did not start; it is said why"}))
@reports
def start(app: App) -> Report:
    """Start it now."""
    return _act(app, lambda keeper: keeper.start(), "it runs already")


@service.command(epilog=closing("syncd service stop"))
@reports
def stop(app: App) -> Report:
    """Stop it now; it starts again with the next login."""
    return _act(app, lambda keeper: keeper.stop(), "it does not run")


@service.command(
    epilog=closing(
        "syncd service restart    # after an upgrade", exits={0: "it runs", 1: "it did not start; it is said why"}
    )
)
@reports
def restart(app: App) -> Report:
    """Stop and start it, as after an upgrade."""
    return _act(app, lambda keeper: keeper.restart(), "")


@service.command(
    epilog=closing(
        "syncd service status",
        "syncd service status --json",
        exits={
            0: "it runs",
            1: "the manager cannot be asked",
            3: "it does not run",
            4: "it runs, but something must be done",
        },
    )
)
@reports
def status(app: App) -> Report:
    """Installed, enabled, running? And what is wrong with it.

    How fresh the mirror is tells `syncd status`.
    """
    keeper = keeper_for(app)
    state = keeper.state()
    found = troubles(state, drift_of(app, keeper, state))
    is_well = all(each.code == "no_linger" for each in found)
    document = {"ok": state.active is True and is_well, **asdict(state), "problems": [asdict(each) for each in found]}
    code = 1 if state.active is None else NOT_RUNNING if not state.active else 0 if is_well else UNHEALTHY
    return Report(document, status_lines(state, found), code)


@service.command(
    name="print",
    epilog=closing(
        "syncd service print",
        "syncd service print --manager launchd",
        "syncd service print --system --user openclaw",
        "syncd service print --system --generic > syncd@.service",
    ),
)
@click.option("--manager", type=click.Choice(["systemd", "launchd"]), help="Other than this machine's own.")
@click.option("--generic", is_flag=True, help="As the repository ships it: for ~/.local/bin/syncd, and anybody's home.")
@click.option("--system", is_flag=True, help="systemd: a system-wide unit that runs as another user.")
@click.option("--user", metavar="NAME", help="With --system: that user.")
@click.option("--no-sandbox", is_flag=True, help="systemd: without user namespaces.")
@reports
def print_(
    app: App, *, manager: Manager | None, generic: bool, system: bool, user: str | None, no_sandbox: bool
) -> Report:
    """Print what `install` would write; nothing is changed.

    A system-wide unit is an administrator's to install; the first lines of what is printed say how.
    """
    chosen = manager or manager_of(sys.platform)
    if chosen is None:
        raise UserError(f"{sys.platform} has neither systemd nor launchd", "name one with --manager")
    if system and (chosen != "systemd" or generic == (user is not None)):
        raise UserError(
            "--system is for systemd, and needs --user NAME or --generic", "see `syncd service print --help`"
        )
    if user is not None and not system:
        raise UserError("--user goes with --system", "without it, the service is your own")
    if no_sandbox and (generic or system or chosen != "systemd"):
        raise UserError("--no-sandbox is for a systemd unit of your own", "a system-wide one needs no user namespaces")
    if generic and not (app.profile is None and app.config is None):
        raise UserError("--generic is for everybody: no --profile, no --config", "leave them out, or --generic")
    if generic:
        name, text = shipped(chosen, is_system=system)
    elif user is not None:
        name, text = unit_of_another(app, user)
    else:
        keeper = keeper_for(app, chosen)
        name, text = keeper.state().name, keeper.text(order_of(app, is_boxed=not no_sandbox))
    return Report({"ok": True, "manager": chosen, "name": name, "text": text}, AsItIs(text.rstrip("\n")))


@service.command(epilog=closing("syncd service logs", "syncd service logs -n 500", "syncd service logs -f"))
@click.option("-n", "--lines", type=click.IntRange(1, 100_000), default=50, show_default=True, help="So many lines.")
@click.option("-f", "--follow", is_flag=True, help="And what comes, until Ctrl-C.")
@reports
def logs(app: App, *, lines: int, follow: bool) -> Report:
    """What it said: the journal's, or the agent's log file.

    The health log, with figures through time, is `syncd health`.
    """
    if follow and app.json:
        raise UserError("-f has no end, a JSON document has", "leave one of them out")
    keeper = keeper_for(app)
    try:
        done = keeper.logs(lines, follow=follow)
    except KeyboardInterrupt:
        if not follow:
            raise
        return Report({}, [])  # the end that was asked for
    if done.code != 0:
        raise ServiceError(
            f"the log cannot be read: {done.words or f'exit {done.code}'}",
            "`syncd health` has what syncd itself keeps; the journal is readable by members of systemd-journal",
        )
    said = done.out.splitlines()
    if not said and not follow:
        note("nothing was logged yet, or the journal is not yours to read (group systemd-journal); see `syncd health`")
    return Report({"ok": True, "lines": said}, said)


def _is_older(app: App, state: ServiceState) -> bool:
    """Whether what this service runs was started before the upgrade that brought this program."""
    from syncd.daemon.beat import read_beat
    from syncd.daemon.program import note_of, this_program

    beat = read_beat(app.ledger_path)
    if beat is None or state.pid is None or beat.pid != state.pid:
        return False
    note = note_of(beat, this_program())
    return note is not None and note["code"] == "restart_needed"


def _act(app: App, act: Callable[[Keeper], Changes], otherwise: str) -> Report:
    keeper = keeper_for(app)
    changes = act(keeper)
    return _told(keeper.state(), changes, otherwise)


def _told(state: ServiceState, changes: Changes, otherwise: str, **more: object) -> Report:
    document = {"ok": True, "changed": bool(changes), "changes": list(changes), **more, "service": asdict(state)}
    return Report(document, list(changes) or [f"nothing changed: {otherwise}"])


def judged(app: App) -> tuple[ServiceState, list[Trouble]]:
    """For `doctor`, which asks on any platform."""
    try:
        keeper = keeper_for(app)
    except ServiceError:
        return service_state(app.profile, app.environ), []
    state = keeper.state()
    return state, troubles(state, drift_of(app, keeper, state))


def keeper_for(app: App, manager: Manager | None = None) -> Keeper:
    return keeper_of(
        manager or manager_of(sys.platform), app.profile, app.environ, run_command, SystemClock(),
        str(app.paths.health_log.with_name("daemon.log")),
    )  # fmt: skip
