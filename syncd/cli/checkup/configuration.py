"""The configuration: every fault of the file, or which file it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.cli.checkup.finding import Finding, well
from syncd.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.cli.app import App

_WHY = "no verb that needs a setting works with it, and a running syncd keeps its old settings"


def check_configuration(app: App) -> Iterator[Finding]:
    """An error among them: nothing that needs the settings can be looked at."""
    file = str(app.paths.config)
    try:
        loaded = app.loaded
    except ConfigError as error:
        for problem in error.problems:
            yield Finding(
                "config", "error", f"{file}: {problem}", _WHY, "correct that line; `syncd config check` asks again",
                path=file,
            )  # fmt: skip
        if not error.problems:
            yield Finding("config", "error", error.title, _WHY, error.hint, path=file)
        return
    yield well("config", f"configuration: {loaded.file or f'defaults, since there is no {file}'}")
