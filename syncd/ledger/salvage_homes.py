"""Rows that a damaged ledger has lost and others point to, told by those: installations, and logs of cron runs.

Without its installation no transcript and no session can be kept: where its own page is gone and no backup has it, the
paths of its transcripts still say where the state dir is. A row made so is one that catching up finds again.
"""

from __future__ import annotations

import os
import socket
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.remains import Remains

_POINTING = """SELECT tables.name FROM pragma_table_list AS tables JOIN pragma_foreign_key_list(tables.name) AS links
    WHERE tables.schema = 'main' AND links."table" = 'installations' AND links."from" = 'installation_id'"""
# A release that calls sessions by their label writes this field, too.
_MAKE = """INSERT OR IGNORE INTO installations (id, state_dir, host, first_seen_at, titles_by_label)
    VALUES (?1, ?2, ?3, ?4, EXISTS (SELECT 1 FROM sessions WHERE installation_id = ?1 AND json_valid(entry_json)
    AND json_extract(entry_json, '$.lastActivityAt') IS NOT NULL))"""
_LOST_LOGS = """SELECT log_id, installation_id, min(job_id), count(DISTINCT job_id), state_dir FROM cron_runs
    JOIN installations ON installations.id = installation_id WHERE log_id NOT IN (SELECT id FROM _cron_logs)
    GROUP BY log_id, installation_id"""
_MAKE_LOG = """INSERT OR IGNORE INTO _cron_logs (id, installation_id, path, bytes, mark_bytes, mark_hash, dev, ino,
    size, mtime_ns, ctime_ns, is_proven) VALUES (?, ?, ?, 0, 0, x'', 0, 0, 0, 0, 0, 0)"""


def name_homes_again(ledger: Ledger, remains: Remains) -> int:
    """How many rows were made. Inside the caller's transaction, with foreign keys off."""
    known = {row[0] for row in ledger.execute("SELECT id FROM installations")}
    taken = {row[0] for row in ledger.execute("SELECT state_dir FROM installations")}
    made = 0
    for lost in sorted(_pointed_at(ledger, remains) - known):
        told = [place for place, _ in Counter(_state_dirs(remains, lost)).most_common() if place not in taken]
        # Nothing tells it: a name that no directory has, so that at least what belongs to it is kept.
        state_dir = told[0] if told else f"lost installation {lost}"
        first = min((facts["first_seen_at"] for facts in _transcripts_of(remains, lost)), default=0)
        ledger.run(_MAKE, (lost, state_dir, socket.gethostname(), first))
        taken.add(state_dir)
        made += 1
    return made


def name_logs_again(ledger: Ledger) -> int:
    """Likewise, where runs are known that were read from them. All of such a log is compared at the next look."""
    lost = list(ledger.execute(_LOST_LOGS))
    for log_id, installation_id, job_id, jobs, state_dir in lost:
        usual = os.path.join(state_dir, "cron", "runs", f"{job_id}.jsonl")
        path = usual if jobs == 1 else f"lost log {log_id}"  # a database's: its runs are matched one by one
        ledger.run(_MAKE_LOG, (log_id, installation_id, os.fsencode(path)))
    return len(lost)


def _pointed_at(ledger: Ledger, remains: Remains) -> set[int]:
    found = {facts.get("installation_id") for facts in remains.transcripts.values()}
    for (table,) in list(ledger.execute(_POINTING)):
        found.update(row[0] for row in ledger.execute(f"SELECT DISTINCT installation_id FROM {table}"))
    return {each for each in found if isinstance(each, int) and each > 0}


def _transcripts_of(remains: Remains, installation_id: int) -> Iterator[dict[str, Any]]:
    return (facts for facts in remains.transcripts.values() if facts.get("installation_id") == installation_id)


def _state_dirs(remains: Remains, installation_id: int) -> Iterator[str]:
    """By each transcript that lies where OpenClaw puts it: `<state dir>/agents/<agent>/...`."""
    for facts in _transcripts_of(remains, installation_id):
        path, agent_id = facts.get("path"), facts.get("agent_id")
        if isinstance(path, str) and os.path.isabs(path):
            state_dir, mark, _ = path.rpartition(f"/agents/{agent_id}/")
            if mark and state_dir:
                yield state_dir
