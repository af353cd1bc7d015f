"""Reading openclaw.json of a state dir; which of its settings are kept is openclaw.config_file's knowledge.

Households keep it as a symlink into their dotfiles, so this one file is read through links.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import SourceError
from syncd.openclaw.config_file import OpenClawConfig, parse_config
from syncd.openclaw.state_dirs import openclaw_home
from syncd.records import FileStat
from syncd.sources.opening import NotThereError, open_source, read_pieces

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_CONFIG_BYTES = 4 * 1024 * 1024
CONFIG_NAMES = ("openclaw.json", "clawdbot.json", "moldbot.json", "moltbot.json")
_PIECE_BYTES = 256 * 1024


class ConfigRead(NamedTuple):
    """The configuration, and under which path and stat it was read. `problem`: why the defaults stand in for it."""

    config: OpenClawConfig
    path: str | None = None
    stat: FileStat | None = None
    problem: str | None = None
    is_guessed: bool = False
    """Are they the defaults, since nothing else was ever read?"""


def read_openclaw_config(state_dir: str, environ: Mapping[str, str], last: ConfigRead | None = None) -> ConfigRead:
    """OpenClaw's configuration for this state dir. `last` is given back while the file is the same.

    A file that is unreadable for a moment keeps the last settings: to fall back on the defaults would look as if
    every session had moved.
    """
    path = _config_path(state_dir, environ)
    if path is None:
        return ConfigRead(OpenClawConfig())
    try:
        with open_source(os.path.realpath(path)) as source:
            stat = FileStat.of(os.fstat(source.fileno()))
            if last is not None and (last.path, last.stat) == (path, stat):
                return last
            raw = b"".join(read_pieces(source, 0, MAX_CONFIG_BYTES + 1, _PIECE_BYTES))
    except NotThereError:
        return ConfigRead(OpenClawConfig())
    except SourceError as error:
        return _stand_in(last, path, None, error.title)
    config = parse_config(raw, environ) if len(raw) <= MAX_CONFIG_BYTES else None
    if config is None:
        return _stand_in(last, path, stat, f"{path} cannot be understood")
    return ConfigRead(config, path, stat)


def _stand_in(last: ConfigRead | None, path: str, stat: FileStat | None, problem: str) -> ConfigRead:
    if last is None:
        return ConfigRead(OpenClawConfig(), path, stat, problem, is_guessed=True)
    return ConfigRead(last.config, path, stat, problem, last.is_guessed)


def home_of(environ: Mapping[str, str]) -> str:
    """What `~` means in OpenClaw's paths."""
    return openclaw_home(environ, str(Path.home()))


def _config_path(state_dir: str, environ: Mapping[str, str]) -> str | None:
    for name in ("OPENCLAW_CONFIG_PATH", "CLAWDBOT_CONFIG_PATH"):
        if named := environ.get(name, "").strip():
            home = home_of(environ)
            return os.path.join(home, named[2:]) if named.startswith("~/") else os.path.abspath(named)
    candidates = (os.path.join(state_dir, name) for name in CONFIG_NAMES)
    return next((path for path in candidates if os.path.lexists(path)), None)
