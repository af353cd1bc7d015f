"""What every verb is given: the global options, and settings and paths, read when asked for.

Not a place for a verb's own work. Nothing is imported or read before a verb needs it, so that
`syncd --help` stays quick and `config init` works beside a broken file.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from syncd.paths import Paths
    from syncd.settings import Loaded, Settings

COMPLETION_VARIABLE: Final = "_SYNCD_COMPLETE"
"""Set by the scripts of `syncd completion`: what a shell wants to know."""


@dataclass(frozen=True)
class App:
    config: str | None = None
    profile: str | None = None
    no_color: bool = False
    json: bool = False
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @cached_property
    def paths(self) -> "Paths":
        from syncd.paths import locate

        return locate(config=self.config, profile=self.profile, environ=self.environ)

    @cached_property
    def loaded(self) -> "Loaded":
        """The settings with their origins; ConfigError lists all faults."""
        from syncd.settings import load_settings

        return load_settings(
            str(self.paths.config),
            required=self.paths.config_origin != "default",
            environ=self.environ,
        )

    @property
    def settings(self) -> "Settings":
        return self.loaded.settings

    @cached_property
    def ledger_path(self) -> "Path":
        """$SYNCD_LEDGER, else `ledger.path`, else the user data directory's ledger.db. ConfigError: SQLite's driver
        cannot be told such a path, or it leads nowhere.
        """
        from pathlib import Path

        from syncd.paths import is_circle, is_utf8

        path = Path(self.settings.ledger.path) if self.settings.ledger.path else self.paths.ledger
        if not is_utf8(str(path)):
            fault = f"the ledger's path {path} is not UTF-8"
        elif is_circle(path):
            fault = f"the ledger's path {path} is a link that leads back to itself"
        else:
            return path
        from syncd.errors import ConfigError

        raise ConfigError(fault, hint="name another place, with `ledger.path` in config.yaml or $SYNCD_LEDGER")

    @cached_property
    def health_log_path(self) -> "Path":
        from pathlib import Path

        named = self.settings.health.log_path
        return Path(named) if named else self.paths.health_log

    @cached_property
    def prometheus_path(self) -> "Path | None":
        from pathlib import Path

        named = self.settings.health.prometheus_path
        return Path(named) if named else None

    @cached_property
    def draws(self) -> bool:
        """Whether somebody watches stderr on a terminal: bars there, and questions, not else."""
        return sys.stderr is not None and sys.stderr.isatty() and self.environ.get("TERM") != "dumb"

    @cached_property
    def color(self) -> bool:
        """Colour on stdout is for a person at a terminal who did not decline it."""
        return (
            not self.no_color
            and not self.environ.get("NO_COLOR")
            and self.environ.get("TERM") != "dumb"
            and not self.json
            and sys.stdout is not None
            and sys.stdout.isatty()
        )
