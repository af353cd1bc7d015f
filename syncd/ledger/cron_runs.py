"""The table cron_runs, and how far each cron run log was read. Loads and writes; decides nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.openclaw.cron_runs import CronRun
from syncd.records import FileStat

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from syncd.ledger.database import Ledger

_COLUMNS = CronRun._fields
_INSERT = f"""INSERT INTO cron_runs (installation_id, log_id, {", ".join(_COLUMNS)})
    VALUES ({", ".join("?" * (len(_COLUMNS) + 2))})"""
_PUT_LOG = """INSERT INTO _cron_logs (installation_id, path, bytes, mark_bytes, mark_hash, dev, ino, size, mtime_ns,
    ctime_ns, is_proven) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (installation_id, path) DO UPDATE SET bytes = excluded.bytes, mark_bytes = excluded.mark_bytes,
    mark_hash = excluded.mark_hash, dev = excluded.dev, ino = excluded.ino, size = excluded.size,
    mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns, is_proven = excluded.is_proven RETURNING id"""


class KnownLog(NamedTuple):
    """A row of `_cron_logs`."""

    id: int
    cursor: int
    mark_bytes: int
    mark_hash: bytes
    stat: FileStat
    is_proven: bool


class LogState(NamedTuple):
    """How far a log was read, under which stat."""

    cursor: int
    mark_bytes: int
    mark_hash: bytes
    stat: FileStat
    is_proven: bool


def known_logs(ledger: Ledger, installation_id: int) -> dict[str, KnownLog]:
    """By path."""
    query = """SELECT path, id, bytes, mark_bytes, mark_hash, is_proven, dev, ino, size, mtime_ns, ctime_ns
        FROM _cron_logs WHERE installation_id = ?"""
    return {
        os.fsdecode(path): KnownLog(log_id, cursor, mark_bytes, mark_hash, FileStat._make(stat), bool(is_proven))
        for path, log_id, cursor, mark_bytes, mark_hash, is_proven, *stat in ledger.execute(query, (installation_id,))
    }


def last_lines(ledger: Ledger, log_id: int, count: int) -> list[str]:
    """The last lines that were read from the log, oldest first."""
    query = "SELECT raw_json FROM cron_runs WHERE log_id = ? ORDER BY id DESC LIMIT ?"
    return [row[0] for row in ledger.execute(query, (log_id, count))][::-1]


def counts_of_lines(ledger: Ledger, log_id: int, lines: Iterable[str]) -> dict[str, int]:
    """How often each of these lines was read from the log; those that never were are left out."""
    wanted, counts = set(lines), dict[str, int]()
    for (text,) in ledger.execute("SELECT raw_json FROM cron_runs WHERE log_id = ?", (log_id,)):
        if text in wanted:
            counts[text] = counts.get(text, 0) + 1
    return counts


def runs_at(ledger: Ledger, installation_id: int, but_of: int | None, job_id: str, at: int | None) -> list[str]:
    """Runs of this job that ended at this moment (None: they say none), but for those that were read from this log."""
    query = """SELECT raw_json FROM cron_runs WHERE installation_id = ? AND log_id IS NOT ? AND job_id = ? AND at IS ?
        ORDER BY id"""
    return [row[0] for row in ledger.execute(query, (installation_id, but_of, job_id, at))]


def write_runs(
    connection: apsw.Connection, installation_id: int, path: str, state: LogState, runs: Iterable[CronRun]
) -> None:
    """New lines and the cursor behind them, in the caller's transaction."""
    values = (state.cursor, state.mark_bytes, state.mark_hash, *state.stat, int(state.is_proven))
    log_id = connection.execute(_PUT_LOG, (installation_id, os.fsencode(path), *values)).get
    connection.executemany(_INSERT, ((installation_id, log_id, *run) for run in runs))
