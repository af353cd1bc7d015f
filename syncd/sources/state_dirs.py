"""The state dirs of this machine: OpenClaw's rules, asked of the real file system and environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from syncd.openclaw.state_dirs import state_dirs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def find_state_dirs(named: Iterable[str] | None, environ: Mapping[str, str], profile: str | None) -> tuple[str, ...]:
    """Those the settings name, else OpenClaw's own choice; real paths, each once. They need not exist."""
    if named is not None:
        return tuple(dict.fromkeys(os.path.realpath(os.path.expanduser(path)) for path in named))
    home = environ.get("HOME") or str(Path.home())
    return state_dirs(environ, home, profile, is_dir=os.path.isdir, realpath=os.path.realpath)
