"""`syncd completion`: the script that teaches a shell syncd's verbs, options and session names."""

from __future__ import annotations

import os

import click

from syncd.cli.app import App
from syncd.cli.completing import SHELLS, dialect
from syncd.cli.output import closing, with_app
from syncd.errors import UserError


@click.command(
    epilog=closing(
        "syncd completion bash > ~/.local/share/bash-completion/completions/syncd",
        "syncd completion zsh > ~/.zfunc/_syncd     # a directory of your fpath",
        "syncd completion fish > ~/.config/fish/completions/syncd.fish",
        "source <(syncd completion bash)             # for this shell only",
    )
)
@click.argument("shell", type=click.Choice(tuple(SHELLS)), required=False)
@with_app
def completion(app: App, shell: str | None) -> None:
    """Print the completion script for SHELL; without one, for the shell in $SHELL.

    It completes verbs, options, and the names of agents, channels and sessions from the ledger.
    """
    from syncd.cli.main import syncd

    chosen = shell or os.path.basename(app.environ.get("SHELL", ""))
    if chosen not in SHELLS:
        title = f"there is no completion for {chosen}" if chosen else "$SHELL does not say which shell this is"
        raise UserError(title, f"name one of {', '.join(SHELLS)}")
    click.echo(dialect(syncd, chosen).source().rstrip("\n"))
