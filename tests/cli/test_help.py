"""`--help` of every verb is its manual page: it has examples, and each of them is a command that syncd takes."""

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from syncd.cli.app import App
from syncd.cli.main import VERBS, syncd
from tests.conftest import Cli

_OTHER_PROGRAMS = re.compile(r"[$<]\((syncd [^)]*)\)|(?:^|\| )(syncd .*?)(?= \||$)")


def commands() -> Iterator[tuple[str, ...]]:
    context = click.Context(syncd)
    for name in syncd.list_commands(context):
        yield (name,)
        command = syncd.get_command(context, name)
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.list_commands(context))


def examples_in(page: str) -> list[str]:
    lines = page.partition("\n  Examples:\n")[2].partition("\n\n")[0].splitlines()
    return [line.strip() for line in lines]


@pytest.mark.parametrize("path", [(), *commands()], ids=" ".join)
def test_every_example_in_the_help_is_a_command_that_is_understood(cli_in_process: Cli, path: tuple[str, ...]) -> None:
    page = cli_in_process(*path, "--help")
    assert (page.exit_code, page.stderr) == (0, "")
    assert str(2**63 - 1) not in page.stdout  # what SQLite can hold is nothing to read about
    examples = examples_in(page.stdout)
    assert examples or (len(path) > 1 and path[0] != "service")  # of a small verb, the group has some
    for example in examples:
        calls = [inner or outer for inner, outer in _OTHER_PROGRAMS.findall(example)]
        assert calls
        for call in calls:
            _understood(shlex.split(call.partition(" > ")[0].partition(" || ")[0], comments=True)[1:])


def _understood(args: list[str]) -> None:
    """Parsed as for a run, and not run."""
    command: click.Command = syncd
    context = syncd.make_context("syncd", args, obj=App())
    while isinstance(command, click.Group):
        name, found, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None
        context, command = found.make_context(name, rest, parent=context), found


def test_the_table_of_verbs_says_of_each_what_its_own_help_says(cli_in_process: Cli) -> None:
    page = cli_in_process("--help").stdout
    for name, verb in VERBS.items():
        assert verb.help.endswith(".")
        assert f"\n  {name} " in page


@pytest.mark.parametrize("heading", ["Examples:", "Files, ", "Environment:", "Exit codes:"])
def test_the_page_of_syncd_itself_has_what_a_manual_page_has(cli_in_process: Cli, heading: str) -> None:
    assert f"\n  {heading}" in cli_in_process("--help").stdout
