"""The nearest peer and two loaders, installed apart: agentsview, sqlite-utils and DuckDB.

`python -m tests.bench.peers install` puts them into a venv of their own, .cache/peers of the checkout.
How agentsview is told to work is `agentsview`'s; the loaders run once, in their own interpreter.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from tests.bench.corpus import Corpus
from tests.bench.measure import Sample, run

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


def loading_python(folder: Path = FOLDER) -> Path | None:
    """The interpreter that has the loaders."""
    return folder / "bin" / "python" if list(folder.glob("lib/python*/site-packages/duckdb")) else None


def load(python: Path, name: str, corpus: Corpus, home: Path) -> PeerRun:
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
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
