"""The nearest peer, agentsview (a Go program in a PyPI wheel), and two loaders: installed apart, told to run once.

`python -m tests.bench.peers install` puts it into a venv of its own, .cache/peers of the checkout.
Its help names the way to run without its server: AGENTSVIEW_NO_DAEMON=1 agentsview sync.
OPENCLAW_DIR is the agents folder, AGENTSVIEW_DATA_DIR holds its database. Telemetry is off.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from tests.bench.corpus import Corpus
from tests.bench.measure import Sample, UnmeasuredError, run

REQUIREMENT = "agentsview==0.46.1"
LOADERS = {"sqlite-utils": "sqlite-utils>=3.39,<4", "duckdb": "duckdb>=1.4,<2"}
_LOADING = Path(__file__).with_name("loaders.py")
FOLDER = Path(__file__).resolve().parents[2] / ".cache" / "peers"


@dataclass(frozen=True)
class PeerRun:
    sample: Sample
    database_bytes: int


def installed(folder: Path = FOLDER) -> Path | None:
    """The Go binary itself: through the wheel's script the peer would pay for a Python start."""
    return next(folder.glob("lib/python*/site-packages/agentsview/bin/agentsview"), None)


def install(folder: Path = FOLDER) -> Path:
    venv.create(folder, with_pip=True, clear=True)
    subprocess.run([str(folder / "bin" / "pip"), "install", "--quiet", REQUIREMENT, *LOADERS.values()], check=True)
    found = installed(folder)
    if found is None:
        raise FileNotFoundError(f"{REQUIREMENT} holds no binary for this platform")
    return found


def sync_once(binary: Path, corpus: Corpus, home: Path) -> PeerRun:
    """A first sync of the whole corpus into an empty home."""
    data = home / "data"
    data.mkdir(parents=True)
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "OPENCLAW_DIR": str(corpus.state_dir / "agents"),
        "AGENTSVIEW_DATA_DIR": str(data),
        "AGENTSVIEW_NO_DAEMON": "1",
        "AGENTSVIEW_TELEMETRY_ENABLED": "0",
        "AGENTSVIEW_DISABLE_UPDATE_CHECK": "1",
        "DO_NOT_TRACK": "1",
    }
    sample = run([str(binary), "sync"], env)
    if f"{corpus.files} sessions synced".encode() not in sample.output:
        raise UnmeasuredError(f"agentsview did not sync all {corpus.files} files: {sample.output[-200:]!r}")
    return PeerRun(sample, sum(path.stat().st_size for path in data.glob("sessions.db*")))


def loading_python(folder: Path = FOLDER) -> Path | None:
    """The interpreter that has the loaders."""
    return folder / "bin" / "python" if list(folder.glob("lib/python*/site-packages/duckdb")) else None


def load(python: Path, name: str, corpus: Corpus, home: Path) -> PeerRun:
    database = home / "lines.db"
    files = sorted(map(str, corpus.transcripts()))
    sample = run([str(python), str(_LOADING), name, str(database), *files], {"HOME": str(home)})
    return PeerRun(sample, sum(path.stat().st_size for path in home.glob("lines.db*")))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.peers", description=f"install {REQUIREMENT}")
    parser.add_argument("act", choices=["install"])
    parser.parse_args()
    try:
        print(f"installed {install()}")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{REQUIREMENT} could not be installed: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
