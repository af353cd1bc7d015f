"""Published releases of OpenClaw, installed from npm into a cache outside the checkout, and a node that runs them.

Nothing of the packages is executed by the installation. Where npm or the network is missing, tests are skipped and say
so. $SYNCD_OPENCLAW_CACHE names another cache.
"""

import json
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

# Read when the tests are collected: each test has a home of its own.
CACHE = Path(os.environ.get("SYNCD_OPENCLAW_CACHE") or Path.home() / ".cache" / "syncd-openclaw")
HOME = os.environ.get("HOME", "/")
INSTALL_SECONDS = 1500
OLDEST_NODE = (24, 16)
# Not on the registry any more; session storage never touches it.
_OVERRIDES = {"2026.5.7": {"cssomnom": "npm:cssom@0.5.0"}}
_QUIETLY = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
_ARCHITECTURES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


@dataclass(frozen=True)
class Release:
    version: str
    node: str
    package: Path


def installed(version: str) -> Release:
    """The release, installed if it is not there yet."""
    place = CACHE / version
    package = place / "node_modules" / "openclaw"
    if not _is_whole(place):
        _install(place, {"openclaw": version}, _OVERRIDES.get(version, {}))
    return Release(version, _node(), package)


def _node() -> str:
    """The system's node if it is new enough, else node 24 as a package of its own: that one simply holds the binary."""
    found = shutil.which("node")
    if found is not None:
        told = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
        if tuple(int(part) for part in told.strip().lstrip("v").split(".")[:2]) >= OLDEST_NODE:
            return found
    name = f"node-{platform.system().lower()}-{_ARCHITECTURES.get(platform.machine().lower(), 'x64')}"
    place = CACHE / "node24"
    if not _is_whole(place):
        _install(place, {name: "24"}, {})
    return str(place / "node_modules" / name / "bin" / "node")


def _is_whole(place: Path) -> bool:
    return (place / "installed").exists()


def _install(place: Path, dependencies: dict[str, str], overrides: dict[str, str]) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: OpenClaw's own code cannot be had")
    place.mkdir(parents=True, exist_ok=True)
    wanted = {"private": True, "dependencies": dependencies, "overrides": overrides}
    (place / "package.json").write_text(json.dumps(wanted))
    done = subprocess.run(
        [npm, "install", *_QUIETLY],
        cwd=place,
        env={**os.environ, "HOME": HOME},
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
        check=False,
    )
    if done.returncode != 0:
        pytest.skip(f"npm could not install {', '.join(dependencies)}: {done.stderr.strip()[-300:]}")
    (place / "installed").touch()
