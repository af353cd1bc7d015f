"""What must hold of a ledger after genuine OpenClaw was at work, wherever it keeps its sessions."""

import json
import os
import random
import sqlite3
from pathlib import Path
from typing import Any

from syncd.sources.store_entries import BARE_FIELDS
from tests.mirror.household import Household
from tests.mirror_checks import generations, query, transcripts
from tests.openclaw.real_openclaw import RealOpenClaw
from tests.openclaw.scenario import Witness

SECONDS = float(os.environ.get("SYNCD_OPENCLAW_SECONDS") or 0)
"""For how long it writes; none of these tests runs without, since they install OpenClaw."""
SEED = int(os.environ.get("SYNCD_OPENCLAW_SEED") or random.randrange(10**6))
QUIET_SECONDS = 30


def indexes_on_disk(house: Household) -> dict[tuple[str, str], Any]:
    """Every entry of every sessions.json."""
    return {
        (path.parts[-3], key): entry
        for path in house.state_dir.glob("agents/*/sessions/sessions.json")
        for key, entry in json.loads(path.read_bytes()).items()
    }


def entries_in_stores(state_dir: Path) -> dict[tuple[str, str], Any]:
    """Every entry of every store, read when OpenClaw is gone. 2026.7.1 has such a file, too, with no session in it."""
    found = {}
    for path in state_dir.glob("agents/*/agent/openclaw-agent.sqlite"):
        has_log = path.with_name(f"{path.name}-wal").exists()
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro{'' if has_log else '&immutable=1'}", uri=True)
        if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'session_nodes'").fetchone():
            rows = connection.execute("SELECT session_key, entry_json FROM session_nodes WHERE entry_valid != -1")
            found.update({(path.parts[-3], key): json.loads(text) for key, text in rows})
        connection.close()
    return found


def sessions_in_ledger(house: Household) -> dict[tuple[str, str], Any]:
    """What is there of a session without an entry, such as its id, is not counted for one."""
    rows = query(house.ledger_path, "SELECT agent_id, session_key, entry_json FROM sessions WHERE status = 'live'")
    entries = {(agent, key): json.loads(entry) for agent, key, entry in rows}
    return {name: entry for name, entry in entries.items() if entry.keys() != BARE_FIELDS}


def assert_no_duplicates(house: Household) -> None:
    twice = """SELECT transcript_id, entry_id, count(*) FROM entries
        WHERE superseded_in IS NULL AND entry_id IS NOT NULL AND type != 'session'
        GROUP BY transcript_id, entry_id HAVING count(*) > 1"""
    assert query(house.ledger_path, twice) == []


def assert_nothing_missed(house: Household, witness: Witness) -> None:
    """Every line that was on the disk for a while is in some generation of some transcript."""
    kept: set[bytes] = set()
    for row in transcripts(house.ledger_path):
        for content in generations(house.ledger_path, row):
            kept.update(content.split(b"\n"))
    missed = [(path, line[:200]) for line, path in witness.lines.items() if line not in kept]
    assert missed == []


def assert_was_at_work(claw: RealOpenClaw, witness: Witness) -> None:
    """Else all that follows would hold of nothing: turns came to an answer, lines were written, and were seen."""
    done = claw.done
    assert any(done[act] for act in done if act.startswith("turn ")), claw.refused
    assert min(done["append user"], done["append assistant"], done["burst"]) > 0, (done, claw.refused)
    assert len(witness.lines) > done["append user"]


def figures(house: Household, claw: RealOpenClaw, witness: Witness) -> str:
    counts = {
        name: query(house.ledger_path, f"SELECT count(*) FROM {name}")[0][0]
        for name in ("transcripts", "entries", "sessions", "session_versions", "session_ids")
    }
    kinds = dict(query(house.ledger_path, "SELECT kind, count(*) FROM sync_events GROUP BY kind"))
    kept = dict(query(house.ledger_path, "SELECT kind, count(*) FROM transcripts GROUP BY kind"))
    acts = f"{sum(claw.done.values())} acts {dict(claw.done)}, refused {dict(claw.refused)}"
    return f"{acts}\n  {len(witness.lines)} lines witnessed; ledger {counts} {kept}; events {kinds}"
