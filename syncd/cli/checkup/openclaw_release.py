"""Which release of OpenClaw is installed, by the package its command lies in. Nothing is started."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = "openclaw"
_MAX_BYTES = 1024 * 1024
_LEVELS = 4


def installed_release(environ: Mapping[str, str]) -> str | None:
    """None where no `openclaw` is on the PATH, or where it lies in no package."""
    command = shutil.which(_PACKAGE, path=environ.get("PATH"))
    if command is None:
        return None
    directory = os.path.dirname(os.path.realpath(command))
    for _ in range(_LEVELS):
        version = _version_in(directory) or _version_in(os.path.join(directory, "node_modules", _PACKAGE))
        if version is not None:
            return version
        directory = os.path.dirname(directory)
    return None


def _version_in(directory: str) -> str | None:
    try:
        with open(os.path.join(directory, "package.json"), "rb") as file:
            package = json.loads(file.read(_MAX_BYTES))
        return str(package["version"])[:40] if package["name"] == _PACKAGE else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
