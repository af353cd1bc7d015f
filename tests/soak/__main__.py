"""`python -m tests.soak --seconds 600 --every 30`: prints one table; exit 1 says that something in it is a problem.

Without npm, or where its registry cannot be reached: a word on stderr, and exit 0.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest

from tests.conftest import CHECKOUT
from tests.openclaw.releases import installed
from tests.soak.figures import Report
from tests.soak.trial import FAULTS, soak

RELEASES = ("2026.7.1", "2026.9.6")
"""With its sessions in files, and in its own SQLite. Those of the load are files either way."""
_INSIDE = "SYNCD_SOAK_INSIDE"


def main() -> int:
    chosen = _arguments()
    try:
        release = installed(chosen.release)
    except pytest.skip.Exception as why:
        print(f"no soak here: {why}", file=sys.stderr)
        return 0
    _with_mounts_of_its_own()
    signal.signal(signal.SIGTERM, _end)
    root = Path(chosen.place)
    root.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix=f"{chosen.seed}-", dir=root))
    report = Report(chosen.seed, chosen.seconds, chosen.every, chosen.release)
    soak(release, place, report, tuple(filter(None, chosen.only.split(","))))
    print(report.as_table())
    if chosen.json:
        Path(chosen.json).write_text(json.dumps(report.as_document(), indent=2) + "\n")
    if report.problems:
        print(f"what there is to look at: {place}; again: --seed {chosen.seed}", file=sys.stderr)
        return 1
    shutil.rmtree(place)
    return 0


def _with_mounts_of_its_own() -> None:
    """So that the ledger has a disk of its own which can be full, and no mount outlives the soak."""
    if _INSIDE in os.environ or os.geteuid() != 0:
        return
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0:
        os.environ[_INSIDE] = "1"
        os.execvp("unshare", ["unshare", "-m", sys.executable, "-m", "tests.soak", *sys.argv[1:]])


def _end(number: int, _frame: object) -> NoReturn:
    sys.exit(128 + number)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="how long writers write and faults are made")
    parser.add_argument("--release", choices=RELEASES, default=RELEASES[0], help="of OpenClaw")
    parser.add_argument("--every", type=float, default=30, help="seconds from one fault to the next")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the faults and their order")
    parser.add_argument("--only", default="", help="ids of faults, with commas between them")
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--place", default=str(CHECKOUT / ".cache" / "soak"), help="a directory on a real disk")
    chosen = parser.parse_args()
    if unknown := set(filter(None, chosen.only.split(","))) - {fault.id for fault in FAULTS}:
        parser.error(f"no fault of the soak: {', '.join(sorted(unknown))}")
    return chosen


if __name__ == "__main__":
    sys.exit(main())
