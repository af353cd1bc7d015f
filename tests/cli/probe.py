"""Verbs that end in every way a verb can; run as a program, it is syncd with these added."""

import signal
import sys

import click

from syncd.cli import main as frame
from syncd.cli.app import App
from syncd.cli.output import AsItIs, Report, note, printable, reports, with_app
from syncd.errors import AlreadyRunning, LedgerNewer


@click.group()
def probe() -> None:
    """Ends in every way."""


@probe.command()
@click.option("--code", type=int, default=0)
@reports
def report(app: App, code: int) -> Report:
    note("a remark")
    document = {"ok": not code, "name": "caf\udce9", "big": 2**70, "path": app.paths.config}
    return Report(document, ["caf\udce9", AsItIs(click.style("red", fg="red")), ""], code)


@probe.command()
@reports
def newer(app: App) -> Report:
    raise LedgerNewer("the ledger is newer\x1b[2J", "upgrade syncd")


@probe.command()
@reports
def taken(app: App) -> Report:
    raise AlreadyRunning("pid 7 holds the ledger", pid=7)


@probe.command()
@reports
def crash(app: App) -> Report:
    raise RuntimeError("two\nlines")


@probe.command()
@reports
def refuse(app: App) -> Report:
    raise click.ClickException("click refuses")


@probe.command()
@reports
def wait(app: App) -> Report:
    note("ready")
    signal.pause()
    return Report({})


@probe.command()
@with_app
def stream(app: App) -> None:
    assert printable("a\tb") == "a\tb"
    for _ in range(5000):
        click.echo("x" * 100)


@probe.command()
@with_app
def code(app: App) -> int:
    return 4


frame.VERBS["probe"] = frame.Verb("tests.cli.probe:probe", "Ends in every way.")

if __name__ == "__main__":
    sys.exit(frame.main())
