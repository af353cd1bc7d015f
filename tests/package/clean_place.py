"""Where a new user stands: a clean clone, an empty home with OpenClaw's files in it, and nobody's privileges.

As root, everything is done as another user, with a Python that everybody may run; where there is none, as root.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import CHECKOUT
from tests.other_user import NOBODY, give_away

FIXTURE = CHECKOUT / "tests/data/openclaw/2026.7.1"
LONGEST_SECONDS = 600
# Beside where registries and certificates are, a new user's environment says nothing.
_KEPT = ("PIP_", "UV_", "SSL_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")


def tracked_files() -> list[str]:
    """Of the checkout as it stands, committed or not."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return sorted(name for name in listed.stdout.split("\0") if name and (CHECKOUT / name).is_file())


def python_for_all() -> str:
    """One that the other user may run: not one below root's own home."""
    if os.geteuid() == 0:
        for name in ("python3", "python3.14", "python3.13", "python3.12", "python3.11"):
            found = shutil.which(name, path="/usr/local/bin:/usr/bin")
            if found and _is_new_enough(found):
                return found
    return sys.executable


def _is_new_enough(python: str) -> bool:
    code = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
    return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


@dataclass(frozen=True)
class CleanPlace:
    root: Path
    python: str

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def clone(self) -> Path:
        return self.root / "syncd"

    @property
    def environ(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name.startswith(_KEPT)}
        path = f"{self.home}/.local/bin:{Path(self.python).parent}:/usr/local/bin:/usr/bin:/bin"
        return {**kept, "HOME": str(self.home), "PATH": path, "LC_ALL": "C.UTF-8", "TZ": "UTC"}

    @property
    def is_another_user(self) -> bool:
        return os.geteuid() == 0 and self.python != sys.executable

    def start(self, *words: str | Path, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        is_other = self.is_another_user
        return subprocess.Popen(
            list(map(str, words)), cwd=self.clone, env={**self.environ, **(env or {})}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            user=NOBODY if is_other else None, group=NOBODY if is_other else None,
            extra_groups=[] if is_other else None,
        )  # fmt: skip

    def run(self, *words: str | Path, env: Mapping[str, str] | None = None, code: int = 0) -> str:
        """What it printed; it must end so."""
        with self.start(*words, env=env) as process:
            try:
                printed, _ = process.communicate(timeout=LONGEST_SECONDS)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
        assert process.returncode == code, f"{words}: exit {process.returncode}\n{printed}"
        return str(printed)

    def venv(self, name: str) -> Path:
        """A new virtual environment's programs."""
        place = self.root / name
        self.run(self.python, "-m", "venv", place)
        return place / "bin"


def clean_place(root: Path) -> CleanPlace:
    place = CleanPlace(root, python_for_all())
    shutil.copytree(FIXTURE, place.home / ".openclaw")
    copy_files(tracked_files(), place.clone)
    if place.python != sys.executable:
        give_away(root, *root.rglob("*"))
    return place


def copy_files(names: Sequence[str], to: Path) -> None:
    for name in names:
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(CHECKOUT / name, target)
