"""`syncd pin` and `syncd unpin`: sessions that retention never touches."""

from __future__ import annotations

import click

from syncd.cli.app import App
from syncd.cli.completing import session_names
from syncd.cli.output import Report, closing, reports


@click.command(
    epilog=closing(
        "syncd pin agent:main:main",
        "syncd pin 0a000002",
        'syncd sql "SELECT * FROM pins"',
    )
)
@click.argument("session", shell_complete=session_names)
@reports
def pin(app: App, *, session: str) -> Report:
    """Keep a session whatever retention says: no policy and no size cap takes anything from it, and no purge.

    By a session key all ids are pinned that it has, had and will have; by an id or a file that session id.
    """
    return _done(app, "pin", session)


@click.command(
    epilog=closing(
        "syncd unpin agent:main:main",
    )
)
@click.argument("session", shell_complete=session_names)
@reports
def unpin(app: App, *, session: str) -> Report:
    """Take a pin out: what retention says is true of the session again."""
    return _done(app, "unpin", session)


def _done(app: App, verb: str, session: str) -> Report:
    from syncd.cli.errands import have_done

    answer = have_done(app, verb, {"session": session})
    names = ", ".join(answer["session_keys"] or answer["session_ids"])
    is_new = "" if answer["changed"] else " already" if verb == "pin" else ": it was not"
    words = f"{names} is {verb}ned{is_new}"
    return Report({"ok": True, "pinned": verb == "pin", **answer}, words)
