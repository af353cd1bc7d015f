"""The entrance: global options, the table of verbs, and every way a command can end.

Verbs are imported when called, never for `--help`; their short help stands in the table. Not a
place for a verb's work: each has a file of its own beside this one.
"""

import atexit
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from syncd import __version__
from syncd.cli.app import COMPLETION_VARIABLE, App
from syncd.cli.output import StdoutError, leave, print_error, print_syncd_error
from syncd.cli.signals import Terminated, sigterm_as_exception
from syncd.errors import SyncdError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Verb(NamedTuple):
    target: str
    help: str


VERBS: Final = {
    "run": Verb("syncd.cli.run:run", "Mirror OpenClaw's sessions into the ledger."),
    "status": Verb("syncd.cli.status:status", "State, freshness and counts on one screen."),
    "health": Verb("syncd.cli.health:health", "The health log: freshness, latency, what went wrong and when."),
    "doctor": Verb("syncd.cli.doctor:doctor", "Find what is in the mirror's way, and say what to do about it."),
    "resync": Verb("syncd.cli.resync:resync", "Catch up now, with a progress bar."),
    "verify": Verb("syncd.cli.verify:verify", "Compare every file with the ledger, byte for byte."),
    "sessions": Verb("syncd.cli.sessions:sessions", "List sessions: title, first and last message, size, freshness."),
    "show": Verb("syncd.cli.show:show", "Read a session, on any branch and in any generation."),
    "tree": Verb("syncd.cli.tree:tree", "Draw a session's entries with their branches."),
    "search": Verb("syncd.cli.search:search", "Find words in what was said."),
    "export": Verb("syncd.cli.export:export", "Give a transcript back, in any generation."),
    "usage": Verb("syncd.cli.usage:usage", "Tokens and cost by day, model, agent, channel, session; calls by tool."),
    "sql": Verb("syncd.cli.sql:sql", "Ask the ledger in SQL, read-only."),
    "repair": Verb("syncd.cli.repair:repair", "Find what is wrong with the ledger, and put it right."),
    "retention": Verb("syncd.cli.retention:retention", "Remove what the configuration says; shows the plan first."),
    "purge": Verb("syncd.cli.purge:purge", "Remove a session for good, everywhere, and keep it out."),
    "pin": Verb("syncd.cli.pin:pin", "Keep a session whatever retention says."),
    "unpin": Verb("syncd.cli.pin:unpin", "Take a pin out."),
    "ledger": Verb("syncd.cli.ledger:ledger", "Path, figures, backup, restore and check of the ledger."),
    "service": Verb("syncd.cli.service:service", "Run it in the background, under systemd or launchd."),
    "config": Verb("syncd.cli.config:config", "Show, check or write the configuration."),
    "completion": Verb("syncd.cli.completion:completion", "Print the completion script for bash, zsh or fish."),
}


MANUAL: Final = """\b
Examples:
  syncd doctor                     # is everything there that it needs?
  syncd run --once                 # take in what OpenClaw has written so far
  syncd run                        # and then follow it, until Ctrl-C
  syncd status
  syncd search '"release notes"'

\b
Files, of which `syncd config show` names the places:
  config.yaml                      every key is optional; `syncd config init` writes it with comments
  ledger.db                        the ledger; its backups lie in `backups` beside it
  health.log                       one JSON document a line

\b
Environment:
  SYNCD_CONFIG                     the configuration file, as --config
  SYNCD_LEDGER                     the ledger, whatever the configuration says
  OPENCLAW_STATE_DIR, OPENCLAW_HOME
                                   where OpenClaw is, by its own rules
  NO_COLOR                         as --no-color
  SYNCD_DEBUG                      1 shows where a fault of syncd itself arose

\b
Exit codes:
  0        ok                      4        unhealthy
  1        failed, or differences  75       another syncd holds the ledger
  2        usage                   78       configuration, or a newer ledger
  3        not running             130/143  ended by a signal"""


class VerbTable(click.Group):
    """Imports a verb when it is called, never to list it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        module, _, attribute = verb.target.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        command = self.get_command(ctx, args[0])
        if command is None and ctx.resilient_parsing:
            return None, None, args[1:]  # somebody pressed Tab behind it
        if command is None:
            raise click.NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx)
        return args[0], command, args[1:]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[str]]":
        from click.shell_completion import CompletionItem

        verbs = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        own = click.Command.shell_complete(self, ctx, incomplete)  # not the group's, which imports every verb
        return [*(CompletionItem(name, help=VERBS[name].help) for name in verbs), *own]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, VERBS[name].help) for name in self.list_commands(ctx)])


@click.command(
    cls=VerbTable,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    subcommand_metavar="VERB [ARGS]...",
    epilog=MANUAL,
)
@click.option("--config", type=click.Path(), metavar="FILE", help="Use this configuration file.")
@click.option("--profile", metavar="NAME", help="Follow OpenClaw's profile of this name.")
@click.option("--no-color", is_flag=True, help="No colour, as NO_COLOR in the environment.")
@click.version_option(__version__, prog_name="syncd", message="%(prog)s %(version)s")
@click.pass_context
def syncd(ctx: click.Context, config: str | None, profile: str | None, *, no_color: bool) -> None:
    """Mirrors OpenClaw's sessions into one SQLite ledger, byte for byte and without OpenClaw noticing.

    `syncd VERB --help` explains a verb. Every verb that reports takes --json: one document on stdout, all else on
    stderr; `health`, which is a log, prints one a line.
    """
    app = replace(ctx.ensure_object(App), config=config, profile=profile, no_color=no_color)
    ctx.obj, ctx.color = app, app.color


# Python would look for cycles in all that was loaded before it gives the memory back: a tenth of a quick verb's time.
atexit.register(gc.freeze)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; nothing but the code leaves this function."""
    args = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in (args[: args.index("--")] if "--" in args else args)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file name that is no UTF-8 is printed with escapes rather than not at all.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _outcome(args, as_json=as_json)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        leave(sys.stdout)
        return 128 + signal.SIGPIPE
    except OSError as fault:  # nothing else is written outside _outcome's own care
        leave(sys.stdout)
        hint = "what was written is not all of it: see that there is space where it goes, then run the command again"
        print_error("failed", f"cannot write to stdout: {fault.strerror}", hint, as_json=False)
        return 1


def _outcome(args: list[str], *, as_json: bool) -> int:
    try:
        with sigterm_as_exception():
            return _run(args, as_json=as_json)
    except SyncdError as error:
        return print_syncd_error(error, as_json=as_json)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.UsageError as error:
        print_error("usage", error.format_message(), _usage_hint(error), as_json=as_json)
        return error.exit_code
    except click.ClickException as error:
        print_error("failed", error.format_message(), as_json=as_json)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        print_error("interrupted", "interrupted", as_json=as_json)
        return 128 + signal.SIGINT
    except Terminated:
        print_error("interrupted", "terminated", as_json=as_json)
        return 128 + signal.SIGTERM
    except (BrokenPipeError, StdoutError):
        raise
    except Exception as fault:  # noqa: BLE001  the last border: a person gets one line
        if os.environ.get("SYNCD_DEBUG"):
            import traceback

            traceback.print_exc()
        reason = " ".join(f"{type(fault).__name__}: {fault}".split())
        hint = "this is a fault of syncd or of the machine; SYNCD_DEBUG=1 shows where it arose"
        print_error("internal", reason[:500], hint, as_json=as_json)
        return 1


def _run(args: list[str], *, as_json: bool) -> int:
    if not args and (instruction := os.environ.get(COMPLETION_VARIABLE)):
        from syncd.cli.completing import answer_shell

        return answer_shell(syncd, instruction)
    # Not click's own main(): it takes interrupts and broken pipes into its own hands.
    try:
        with syncd.make_context("syncd", args, obj=App(json=as_json)) as ctx:
            return int(syncd.invoke(ctx) or 0)
    except click.exceptions.Exit as end:
        return end.exit_code


def _usage_hint(error: click.UsageError) -> str:
    if error.ctx is None:
        return ""
    page = f"see `{error.ctx.command_path} --help`"
    if not isinstance(error, click.NoSuchOption):
        return page
    if error.ctx.parent is None and error.option_name == "--json":
        return f"--json goes behind the verb: `syncd status --json`; {page}"
    if error.ctx.parent is not None and any(error.option_name in option.opts for option in syncd.params):
        return f"{error.option_name} goes before the verb: `syncd {error.option_name} ...`; {page}"
    return page
