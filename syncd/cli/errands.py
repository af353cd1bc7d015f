"""Errands: what verbs change in the ledger, done by this process, or by the running daemon where one holds the ledger.

Each name leads to a function of jobs/, loaded when it is first asked for.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from syncd.cli.catching_up import catch_up_options, state_dirs
from syncd.errors import AlreadyRunning

if TYPE_CHECKING:
    from syncd.cli.app import App
    from syncd.mirror.errands import Answer, Arguments, Errand, Hands

_ERRANDS = {
    "repair": "syncd.jobs.repair:repair_errand",
    "purge": "syncd.jobs.purge:purge_errand",
    "pin": "syncd.jobs.pinning:pin_errand",
    "unpin": "syncd.jobs.pinning:unpin_errand",
    "retention": "syncd.jobs.retention:retention_errand",
}


def errand_table() -> dict[str, Errand]:
    """For the daemon."""
    return {name: partial(_run, name) for name in _ERRANDS}


def have_done(app: App, name: str, arguments: dict[str, Any]) -> Answer:
    """By whoever holds the ledger."""
    try:
        return _alone(app, name, arguments)
    except AlreadyRunning as held:
        from syncd.daemon.knock import ask_errand
        from syncd.daemon.messages import ErrandWish

        answer = ask_errand(app.ledger_path, ErrandWish(name, arguments))
        if answer is None:
            raise held from None  # another command, or a daemon that cannot be asked
        return answer


def _run(name: str, hands: Hands, arguments: Arguments) -> Answer:
    module, _, function = _ERRANDS[name].partition(":")
    errand: Errand = getattr(import_module(module), function)
    return errand(hands, arguments)


def _alone(app: App, name: str, arguments: dict[str, Any]) -> Answer:
    from syncd.cli.alone import lone_hands
    from syncd.ledger.database import refuse_absent
    from syncd.ledger.replacing import is_cut_short
    from syncd.mirror.catchup import CatchUp, homes_of
    from syncd.mirror.errands import Hands

    if not is_cut_short(app.ledger_path):
        refuse_absent(app.ledger_path)  # an errand of a ledger does not make one
    with lone_hands(app) as (writer, pace):
        homes = tuple(homes_of(writer, state_dirs(app), catch_up_options(app, 0.0), CatchUp()))
        return _run(name, Hands(writer, homes, pace), arguments)
