"""Published releases of OpenClaw, installed from npm into a cache outside the checkout, and a node that runs them.

Nothing of the packages is executed by the installation. Where npm is missing or its registry cannot be reached, tests
are skipped and say so; anything else that npm stumbles over fails them. $SYNCD_OPENCLAW_CACHE names another cache,
$SYNCD_OPENCLAW_RELEASES other releases.
"""

import fcntl
import json
import os
import platform
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

# Read when the tests are collected: each test has a home of its own.
CACHE = Path(os.environ.get("SYNCD_OPENCLAW_CACHE") or Path.home() / ".cache" / "syncd-openclaw")
HOME = os.environ.get("HOME", "/")
CHOSEN = (os.environ.get("SYNCD_OPENCLAW_RELEASES") or "2026.5.7 2026.7.1 2026.9.6").split()
FIRST_WITH_STORE = (2026, 8)
INSTALL_SECONDS = 600
PAUSES = (5, 20)
"""Before npm is asked again: a registry that is overburdened answers later."""
OLDEST_NODE = (24, 16)
# Not on the registry any more; session storage never touches it.
_OVERRIDES = {"2026.5.7": {"cssomnom": "npm:cssom@0.5.0"}}
_QUIETLY = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
_ARCHITECTURES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_UNREACHABLE = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET|\bE50[0-9]\b|\bE429\b"
)
_skipped: dict[Path, str] = {}

if unknown := [name for name in CHOSEN if not re.fullmatch(r"\d{4}\.\d+\.\d+", name)]:
    raise pytest.UsageError(f"not releases of OpenClaw, such as 2026.9.6: {' '.join(unknown)}")


@dataclass(frozen=True)
class Release:
    version: str
    node: str
    package: Path

    @property
    def has_store(self) -> bool:
        """Its sessions are in SQLite, not in files."""
        return _has_store(self.version)


def with_files() -> list[str]:
    """The chosen releases that keep their sessions in files."""
    return [version for version in CHOSEN if not _has_store(version)]


def with_store() -> list[str]:
    return [version for version in CHOSEN if _has_store(version)]


def require(*versions: str) -> None:
    """Skips a test about these very releases where they are not among the chosen ones."""
    if missing := [version for version in versions if version not in CHOSEN]:
        pytest.skip(f"not among the chosen releases: {', '.join(missing)}")


def installed(version: str) -> Release:
    """The release, installed if it is not there yet."""
    place = CACHE / version
    _have(place, {"openclaw": version}, _OVERRIDES.get(version, {}))
    return Release(version, _node(), place / "node_modules" / "openclaw")


def _has_store(version: str) -> bool:
    return tuple(map(int, version.split("."))) >= FIRST_WITH_STORE


def _node() -> str:
    """The system's node if it is new enough, else node 24 as a package of its own: that one simply holds the binary."""
    found = shutil.which("node")
    if found is not None:
        told = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
        if tuple(int(part) for part in told.strip().lstrip("v").split(".")[:2]) >= OLDEST_NODE:
            return found
    name = f"node-{platform.system().lower()}-{_ARCHITECTURES.get(platform.machine().lower(), 'x64')}"
    place = CACHE / "node24"
    _have(place, {name: "24"}, {})
    return str(place / "node_modules" / name / "bin" / "node")


def _have(place: Path, dependencies: dict[str, str], overrides: dict[str, str]) -> None:
    if place in _skipped:
        pytest.skip(_skipped[place])
    if _is_whole(place):
        return
    npm = shutil.which("npm")
    if npm is None:
        _skip(place, "npm is not installed: OpenClaw's own code cannot be had")
    with _alone_in(place):
        if not _is_whole(place):
            wanted = {"private": True, "dependencies": dependencies, "overrides": overrides}
            (place / "package.json").write_text(json.dumps(wanted))
            _install(npm, place, " ".join("@".join(each) for each in dependencies.items()))


def _is_whole(place: Path) -> bool:
    return (place / "installed").exists()


def _install(npm: str, place: Path, what: str) -> None:
    """Tried again after a pause, and in the end over an empty place: what was half fetched may be in the way."""
    told = _npm_says(npm, place)
    for pause in PAUSES:
        if told is None:
            break
        time.sleep(pause)
        if pause == PAUSES[-1]:
            shutil.rmtree(place / "node_modules", ignore_errors=True)
        told = _npm_says(npm, place)
    if told is None:
        (place / "installed").touch()
    elif _UNREACHABLE.search(told):
        _skip(place, f"the npm registry cannot be reached: no {what}; {told}")
    else:
        pytest.fail(f"npm could not install {what}: {told}", pytrace=False)


def _npm_says(npm: str, place: Path) -> str | None:
    """Why it could not install; None if it did."""
    command, environ = [npm, "install", *_QUIETLY], {**os.environ, "HOME": HOME}
    try:
        done = subprocess.run(
            command, cwd=place, env=environ, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"ETIMEDOUT: not done after {INSTALL_SECONDS} s"
    return None if done.returncode == 0 else " ".join(done.stderr.split())[-300:]


@contextmanager
def _alone_in(place: Path) -> Iterator[None]:
    """Two runs of the tests may want the same release at once."""
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _skip(place: Path, why: str) -> NoReturn:
    """This test, and without another attempt every further one that needs it."""
    _skipped[place] = why
    pytest.skip(why)
