"""What a service is to run, from this call's options, settings and environment: the same files are to be meant."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import syncd
from syncd.cli.output import note
from syncd.errors import ServiceError, UserError
from syncd.paths import is_within
from syncd.service.names import home_of, is_default, label, unit_name
from syncd.service.order import Order, carried_environment, is_temporary, shipped_order, topmost

if TYPE_CHECKING:
    from pwd import struct_passwd

    from syncd.cli.app import App
    from syncd.service import Manager


def order_of(app: App, *, is_boxed: bool = True) -> Order:
    """ConfigError where the configuration is faulty: the service would not start either."""
    from syncd.cli.catching_up import refuse_ledger_inside, refuse_log_inside, state_dirs

    refuse_ledger_inside(app)
    refuse_log_inside(app)
    files = [app.ledger_path, app.ledger_path.resolve(), app.health_log_path]
    files += [app.prometheus_path] if app.prometheus_path is not None else []
    writable = topmost([str(app.paths.state_dir), *(str(file.parent) for file in files)])
    command, meant = _command(app), state_dirs(app)
    environment = carried_environment(app.environ, home_of(app.environ))
    needed = [*_program(command), str(app.paths.config), *writable, *meant, *(value for _, value in environment)]
    return Order(
        command=command,
        writable=writable,
        log_file=str(app.paths.health_log.with_name("daemon.log")),
        environment=environment,
        read_only=tuple(path for path in meant if any(is_within(path, place) for place in writable)),
        scratch=str(app.ledger_path.resolve().parent) if any(map(is_temporary, needed)) else None,
        is_boxed=is_boxed,
    )


def _command(app: App, *, is_ours: bool = True) -> tuple[str, ...]:
    """`is_ours`: for this user; else what only our environment names is left out."""
    if not os.path.isabs(sys.executable or ""):
        raise ServiceError("Python does not say where it is", "start syncd by its path, or by `python3 -m syncd`")
    # -P: a file in the home that is called like a library is not taken for it.
    words = [sys.executable, "-P", "-m", "syncd"]
    if app.paths.config_origin == "option" or (is_ours and app.paths.config_origin == "environment"):
        words += ["--config", str(app.paths.config)]
    if app.profile is not None and not is_default(app.profile):
        words += ["--profile", app.profile]
    return (*words, "run")


def _program(command: tuple[str, ...]) -> tuple[str, ...]:
    return (command[0], sys.prefix, sys.base_prefix, syncd.__path__[0])


def shipped(manager: Manager, *, is_system: bool) -> tuple[str, str]:
    """Name and text of a file as the repository has it."""
    order = shipped_order(manager, is_system=is_system)
    if manager == "launchd":
        from syncd.service.agent import agent_text

        return label(None), agent_text(order, label(None))
    from syncd.service.unit import unit_text

    name = "syncd@.service" if is_system else unit_name(None)
    return name, unit_text(order, name)


def unit_of_another(app: App, user: str) -> tuple[str, str]:
    """A system-wide unit that runs as `user`, with that user's own usual places and none of our settings."""
    import pwd

    from syncd.service.unit import unit_text

    try:
        account = pwd.getpwnam(user)
    except KeyError:
        raise UserError(f"there is no user {user!r} on this machine", "name one that `getent passwd` lists") from None
    home = account.pw_dir
    own = unit_name(app.profile).removesuffix(".service")
    places = (f"{home}/.local/share/{own}", f"{home}/.local/state/{own}")
    command = _command(app, is_ours=False)
    if (closed := _closed_to(account, command[0])) is not None:
        note(f"{user} may not enter {closed}, so this unit will not start {command[0]}: install syncd for {user}")
    scratch = places[0] if any(map(is_temporary, (*_program(command), home))) else None
    order = Order(command=command, writable=places, log_file="", scratch=scratch, user=user)
    name = f"{own}-{user}.service"
    return name, unit_text(order, name)


def _closed_to(account: struct_passwd, program: str) -> str | None:
    """The first directory on the way to it that the account may not enter, as far as modes tell."""
    for place in reversed(Path(program).parents):
        try:
            status = place.stat()
        except OSError:
            return str(place)
        if account.pw_uid in (0, status.st_uid) or status.st_gid == account.pw_gid:
            continue
        if not status.st_mode & stat.S_IXOTH:
            return str(place)
    return None
