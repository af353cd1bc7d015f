"""`syncd config`: which file, what it says, what is wrong with it, and a sample to begin with."""

from collections.abc import Iterator, Mapping

import click

from syncd.cli.app import App
from syncd.cli.output import Report, printable, reports
from syncd.errors import SyncdError


@click.group()
def config() -> None:
    """Show, check or write the configuration."""


@config.command()
@reports
def show(app: App) -> Report:
    """Print every value in effect and where it comes from."""
    loaded = app.loaded
    in_effect = {
        **loaded.written,
        # What `auto` has come to.
        "ledger.path": str(app.ledger_path),
        "health.log_path": str(app.health_log_path),
    }
    values: dict[str, dict[str, object]] = {}
    for key, value in in_effect.items():
        section, _, name = key.partition(".")
        values.setdefault(section, {})[name] = value
    document = {"ok": True, "file": loaded.file, "values": values, "origins": loaded.origins}
    head = f"# {loaded.file or f'{app.paths.config} does not exist: defaults'}"
    return Report(document, [head, *_table(in_effect, loaded.origins)])


def _table(values: Mapping[str, object], origins: Mapping[str, str]) -> Iterator[str]:
    from syncd.settings.render import written_form

    words = {key: printable(value if isinstance(value, str) else written_form(value)) for key, value in values.items()}
    key_width = max(map(len, words))
    word_width = max(map(len, words.values()))
    for key, word in words.items():
        yield f"{key:<{key_width}}  {word:<{word_width}}  {origins[key]}"


@config.command()
@reports
def check(app: App) -> Report:
    """List all faults at once; exit code 78 if there are any."""
    file = app.loaded.file
    text = f"{file}: no faults" if file else f"{app.paths.config} does not exist: defaults apply"
    return Report({"ok": True, "file": file, "problems": []}, text)


@config.command()
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


@config.command()
@reports
def path(app: App) -> Report:
    """Print where the file is, or would be."""
    file = app.paths.config
    document = {
        "ok": True,
        "path": str(file),
        "exists": file.exists(),
        "origin": app.paths.config_origin,
    }
    return Report(document, str(file))
