"""`syncd status` is asked often and by scripts: what it must not load, and what it must not read."""

import os
import subprocess
import sys
from pathlib import Path

from syncd.ledger.database import open_for_reading
from syncd.ledger.figures import COUNTS
from tests.cli.quick import environ, quick_household
from tests.conftest import CHECKOUT, Cli
from tests.mirror.household import name_of, transcript

SLOW = (
    "hashlib", "importlib.resources", "rich", "subprocess", "syncd.ledger.entry_bytes", "syncd.ledger.projection",
    "syncd.ledger.transcripts", "syncd.ledger.writer", "syncd.mirror.catchup", "syncd.mirror.ingest", "syncd.service",
    "syncd.sources.archive", "syncd.sources.store_scan", "tenacity", "watchdog", "yaml",
)  # fmt: skip


def test_status_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    house = quick_household(tmp_path)
    house.write(name_of(1), transcript(1, 3))
    house.catch_up()
    script = (
        "import sys; from syncd.cli.main import main; code = main(['status', '--json'])\n"
        f"print(code, [name for name in {SLOW!r} if name in sys.modules], file=sys.stderr)"
    )
    env = {**os.environ, **house.environ}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=CHECKOUT, env=env, check=True)
    assert done.stderr.decode().strip() == "3 []"
    # A configuration file must be read, and then PyYAML is what reads it.
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, cwd=CHECKOUT, env={**env, **environ(house)}, check=True
    )
    assert done.stderr.decode().strip() == "3 ['yaml']"


def test_its_counts_come_from_indexes_and_no_row_is_read(tmp_path: Path) -> None:
    house = quick_household(tmp_path)
    house.catch_up()
    with open_for_reading(house.ledger_path) as ledger:
        plan = [str(row[3]) for row in ledger.execute(f"EXPLAIN QUERY PLAN {COUNTS}")]
    reads = [step for step in plan if step.startswith(("SCAN", "SEARCH")) and step != "SCAN CONSTANT ROW"]
    assert len(reads) == 5
    assert [step for step in reads if "COVERING INDEX" not in step] == []


def test_before_the_ledger_is_made_all_that_waits_for_it_is_counted_and_locks_are_seen(
    cli_in_process: Cli, tmp_path: Path
) -> None:
    house = quick_household(tmp_path)
    house.write(name_of(1), transcript(1, 3))
    lock = house.lock(name_of(1), os.getpid())
    shown = cli_in_process("status", "--json", env=environ(house))
    assert (shown.exit_code, shown.json["behind_bytes"]) == (3, len(transcript(1, 3)))
    assert [(each["path"], each["pid"]) for each in shown.json["locks"]] == [(str(lock), os.getpid())]
    assert "freshness   nothing is mirrored yet\n" in cli_in_process("status", env=environ(house)).stdout
    assert not house.ledger_path.exists()
