"""`python -m tests.upgrades.record SYNCD COMMIT`: the ledger that this syncd makes of `life`, kept for later ones.

Into tests/data/ledgers: schema-N.sql, the ledger, and schema-N.json, what that very program exports of it. Of the
program only its command line is used, so it may be of any age: for an older schema, that of the last commit which had
it, which is noted. Once a schema has been landed, its files stay as they are.
"""

import json
import os
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.mirror.household import Household, household, session_id
from tests.mirror_checks import query, transcripts
from tests.upgrades.dump import dumped, restored
from tests.upgrades.life import CHAPTERS, PINNED, PURGED, RESET, REWRITTEN, key_of, last, lived

KEPT = Path(__file__).parents[1] / "data" / "ledgers"
SETTINGS = "watch: {settle_seconds: 0.01, confirm_removal_seconds: 0}\n"
RETENTION = (
    "retention: {tool_results: {drop_after: 300d}, superseded: {drop_after: 1s}, trajectories: {drop_after: 1s}}\n"
)


def older_ledger(version: int, house: Household) -> None:
    """What was recorded, with its sources as that program last saw them."""
    lived(house)
    restored((KEPT / f"schema-{version}.sql").read_text(), house.state_dir, house.ledger_path)


class Syncd:
    """Some release of the program, on this household."""

    def __init__(self, command: str, house: Household) -> None:
        self.command, self.house = command, house
        self.home = house.state_dir.parent / "home"
        self.home.mkdir()
        self.verbs = self("--help").decode()

    def __call__(self, *args: str, settings: str = SETTINGS) -> bytes:
        config = self.home / "config.yaml"
        config.write_text(settings)
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"], "SYNCD_CONFIG": str(config)}
        done = subprocess.run(
            [self.command, *args], env={**environ, **self.house.environ}, capture_output=True, check=False
        )
        if done.returncode != 0:
            sys.exit(f"{args}: exit {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
        return done.stdout

    def knows(self, verb: str) -> bool:
        return f"\n  {verb} " in self.verbs


def told(syncd: Syncd, house: Household) -> None:
    """Every chapter with a look after it, and what this program can do beyond looking."""
    for chapter in CHAPTERS:
        chapter(house)
        syncd("run", "--once")
    syncd("run", "--once")  # what is missing is missing in two reads
    if syncd.knows("purge"):
        syncd("pin", key_of(PINNED))
        syncd("pin", session_id(REWRITTEN))
        syncd("pin", session_id(RESET))  # a former one of its key
        syncd("retention", settings=SETTINGS + RETENTION)
        syncd("purge", key_of(PURGED), "--yes")
        syncd("repair")
    last(house)
    syncd("run", "--once")
    syncd("verify")
    syncd("ledger", "check")


def exports(syncd: Syncd, house: Household) -> list[dict[str, Any]]:
    """Length and hash of every generation of every transcript."""
    found = []
    for row in transcripts(house.ledger_path):
        for generation in range(1, row.generation + 1):
            content = syncd("export", "--transcript", str(row.id), "--generation", str(generation))
            digest = sha256(content).hexdigest()
            found.append({"transcript": row.id, "generation": generation, "bytes": len(content), "sha256": digest})
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        house = household(Path(scratch))
        syncd = Syncd(sys.argv[1], house)
        told(syncd, house)
        ((version,),) = query(house.ledger_path, "PRAGMA user_version")
        made = {"commit": sys.argv[2], "exports": exports(syncd, house)}
        (KEPT / f"schema-{version}.json").write_text(json.dumps(made, indent=1) + "\n")
        sql = dumped(house.ledger_path, house.state_dir)
        (KEPT / f"schema-{version}.sql").write_text(sql)
        print(f"schema {version}: {len(sql)} bytes, {len(made['exports'])} generations")


if __name__ == "__main__":
    main()
