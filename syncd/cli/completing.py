"""What a shell is told when somebody presses Tab: verbs and options by click, names of sessions from the ledger.

Answers or is silent, and says nothing else: a Tab must not print an error. Names are words of others that end up in a
command line, so only those are offered that mean nothing to a shell. Loads no ledger unless a name is asked for.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem, FishComplete, ShellComplete, ZshComplete, split_arg_string

from syncd.cli.app import COMPLETION_VARIABLE, App
from syncd.errors import SyncdError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from syncd.ledger.database import Ledger

    Starting = Callable[[Ledger, str], list[tuple[str, str]]]

_PLAIN_NAME: Final = re.compile(r"[\w:@.+/=-]+")
_BUSY_SECONDS: Final = 0.1
_TITLE_CHARACTERS: Final = 60

# bash cuts words at `:` and `=`, and a session key is full of colons: it hands over the whole line, and what a word is
# gets decided here.
_BASH: Final = """\
%(complete_func)s() {
    local IFS=$'\\n' type value reply
    reply=$(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
%(complete_var)s=bash_complete "$1" 2>/dev/null) || return 0
    COMPREPLY=()
    while IFS=',' read -r type value; do
        case $type in
            dir) compopt -o dirnames 2>/dev/null ;;
            file) compopt -o default 2>/dev/null ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done <<< "$reply"
}

complete -F %(complete_func)s %(prog_name)s
"""


class BashDialect(ShellComplete):
    name = "bash"
    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)[1:]
        return (words, "") if line[-1:].isspace() or not words else (words[:-1], words[-1])

    def format_completion(self, item: CompletionItem[str]) -> str:
        # bash puts the answer in place of what follows the last character that breaks words.
        breaks = set(os.environ.get("COMP_WORDBREAKS", "")) & {":", "="}
        typed = self.get_completion_args()[1]
        head = max((typed.rfind(each) + 1 for each in breaks), default=0)
        return f"{item.type},{item.value.removeprefix(typed[:head])}"


class FishDialect(FishComplete):
    # click's own cuts a description at its first comma.
    source_template = FishComplete.source_template.replace('split ","', 'split -m 1 ","')


SHELLS: Final[dict[str, type[ShellComplete]]] = {"bash": BashDialect, "zsh": ZshComplete, "fish": FishDialect}


def dialect(command: click.Command, shell: str) -> ShellComplete:
    return SHELLS[shell](command, {}, "syncd", COMPLETION_VARIABLE)


def answer_shell(command: click.Command, instruction: str) -> int:
    """`instruction`: such as `zsh_complete`, as the script of `syncd completion` sets it. The exit code."""
    shell, _, wish = instruction.partition("_")
    if shell not in SHELLS or wish != "complete":
        return 1
    try:
        words = dialect(command, shell).complete()
    except (click.ClickException, SyncdError, KeyError, ValueError, OSError):
        return 1
    click.echo(words)
    return 0


def session_names(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    from syncd.ledger.reading.starts import sessions_starting

    return _from_ledger(ctx, sessions_starting, incomplete)


def agent_names(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    from syncd.ledger.reading.starts import agents_starting

    return _from_ledger(ctx, agents_starting, incomplete)


def channel_names(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    from syncd.ledger.reading.starts import channels_starting

    return _from_ledger(ctx, channels_starting, incomplete)


def _from_ledger(ctx: click.Context, starting: Starting, incomplete: str) -> list[CompletionItem[str]]:
    from syncd.ledger.database import open_for_reading

    chosen = ctx.find_root().params  # a callback that would make an App of them is not called for a Tab
    app = App(config=chosen.get("config"), profile=chosen.get("profile"))
    try:
        with open_for_reading(app.ledger_path, _BUSY_SECONDS) as ledger:
            return list(_items(starting(ledger, incomplete)))
    except (SyncdError, OSError):
        return []


def _items(names: Iterable[tuple[str, str]]) -> Iterable[CompletionItem[str]]:
    from syncd.cli.plain_text import one_line, readable

    for name, title in names:
        if _PLAIN_NAME.fullmatch(name):
            help_words = one_line(readable(title), _TITLE_CHARACTERS) if title else None
            yield CompletionItem(name, help=help_words)
