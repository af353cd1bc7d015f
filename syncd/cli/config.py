"""`syncd config`: which file, what it says, what is wrong with it, and a sample to begin with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from syncd.cli.app import App
from syncd.cli.output import AsItIs, Report, closing, line_of, reports
from syncd.errors import SyncdError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from syncd.settings import Origin

_NAMED_BY: dict[str, Origin] = {"option": "command line", "environment": "environment", "default": "default"}
_WORDS = {"option": ", named by --config", "environment": ", named by $SYNCD_CONFIG", "default": ""}


@click.group(
    epilog=closing(
        "syncd config init",
        "syncd config show",
        "syncd config check",
        "syncd --config ./mine.yaml config check",
        exits={0: "no faults", 78: "faults; all of them are listed"},
    )
)
def config() -> None:
    """Show, check or write the configuration."""


@config.command(
    epilog=closing(
        "syncd config show",
        "syncd config show --json | jq -r .values.ledger.path",
        "syncd --profile work config show",
    )
)
@reports
def show(app: App) -> Report:
    """Print every value in effect and where it comes from."""
    loaded = app.loaded
    in_effect, origins = _in_effect(app)
    values: dict[str, dict[str, object]] = {}
    for key, value in in_effect.items():
        section, _, name = key.partition(".")
        values.setdefault(section, {})[name] = value
    named_by = _NAMED_BY[app.paths.config_origin]
    document = {"ok": True, "file": loaded.file, "file_origin": named_by, "values": values, "origins": origins}
    head = f"# {loaded.file or f'{app.paths.config} does not exist: defaults'}{_WORDS[app.paths.config_origin]}"
    return Report(document, [head, *_table(in_effect, origins)])


def _in_effect(app: App) -> tuple[dict[str, object], dict[str, Origin]]:
    """What `auto` has come to, and who decided that."""
    from syncd.openclaw.state_dirs import chosen_by_environment
    from syncd.sources.state_dirs import find_state_dirs

    loaded, named = app.loaded, app.settings.openclaw.state_dirs
    values, origins = dict(loaded.written), dict(loaded.origins)
    values |= {"ledger.path": str(app.ledger_path), "health.log_path": str(app.health_log_path)}
    is_auto = {"ledger.path": app.settings.ledger.path is None, "health.log_path": app.settings.health.log_path is None}
    if named is None:
        values["openclaw.state_dirs"] = list(find_state_dirs(None, app.environ, app.profile))
        is_auto["openclaw.state_dirs"] = True
    if app.profile is not None:
        origins |= {key: "command line" for key, is_it in is_auto.items() if is_it}
    if named is None and chosen_by_environment(app.environ, app.profile):
        origins["openclaw.state_dirs"] = "environment"
    return values, origins


def _table(values: Mapping[str, object], origins: Mapping[str, Origin]) -> Iterator[str]:
    from syncd.settings.render import written_form

    words = {key: line_of(value if isinstance(value, str) else written_form(value)) for key, value in values.items()}
    key_width = max(map(len, words))
    word_width = max(map(len, words.values()))
    for key, word in words.items():
        yield f"{key:<{key_width}}  {word:<{word_width}}  {origins[key]}"


@config.command(
    epilog=closing(
        "syncd config check",
        "syncd --config ./mine.yaml config check",
    )
)
@reports
def check(app: App) -> Report:
    """List all faults at once; exit code 78 if there are any."""
    file = app.loaded.file
    text = f"{file}: no faults" if file else f"{app.paths.config} does not exist: defaults apply"
    return Report({"ok": True, "file": file, "problems": []}, text)


@config.command(
    epilog=closing(
        "syncd config init",
        "syncd --config ./mine.yaml config init --force",
    )
)
@click.option("--force", is_flag=True, help="Replace a file that exists.")
@reports
def init(app: App, *, force: bool) -> Report:
    """Write the annotated sample, readable by this user only."""
    from syncd.paths import write_private_file
    from syncd.settings.render import annotated_config

    file = app.paths.config
    try:
        write_private_file(file, annotated_config().encode(), replace=force)
    except FileExistsError:
        raise SyncdError(f"{file} exists already", "replace it with --force") from None
    return Report({"ok": True, "file": str(file)}, f"wrote {file}")


@config.command(
    epilog=closing(
        "syncd config path",
        '${EDITOR:-vi} "$(syncd config path)"',
    )
)
@reports
def path(app: App) -> Report:
    """Print where the file is, or would be."""
    file = app.paths.config
    document = {
        "ok": True,
        "path": str(file),
        "exists": os.path.exists(file),
        "origin": app.paths.config_origin,
    }
    return Report(document, AsItIs(file))
