"""Cron runs in `<state>/state/openclaw.sqlite`: `cron_run_logs` from 2026.7.1 on, `task_runs` from 2026.8 on.

Each as the line that a run log would have of it. Only these two tables of that database can be read here: others hold
credentials. A run that has not ended has no line yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from syncd.openclaw.json_values import json_text
from syncd.openclaw.lines import Decoded, decode_line
from syncd.sources.store_opening import read_store

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from syncd.sources.store_opening import Store

TABLES: Final = frozenset({"cron_run_logs", "task_runs"})
MAX_RUNS: Final = 2000
"""How many one look reads: what is left comes with the next one."""
_LOGGED: Final = "SELECT rowid, store_key, job_id, seq, ts FROM cron_run_logs ORDER BY rowid"
_LINE: Final = """SELECT job_id, entry_json, ts, status, error, summary, session_id, session_key, run_id, duration_ms
    FROM cron_run_logs WHERE rowid = ?"""
_COLUMNS: Final = ("ts", "status", "error", "summary", "sessionId", "sessionKey", "runId", "durationMs")
_ENDED: Final = """SELECT rowid, task_id, ended_at, detail_json IS NOT NULL FROM task_runs
    WHERE runtime = 'cron' AND ended_at IS NOT NULL ORDER BY ended_at, created_at, task_id"""
_TASK: Final = "SELECT source_id, detail_json, ended_at, child_session_key FROM task_runs WHERE rowid = ?"
_CRON_DETAIL: Final = "cron-run"
_NOT_OF_A_LINE: Final = ("kind", "storeKey")

RowName = tuple[Any, ...]


class StoredRun(NamedTuple):
    row: RowName
    """What its row is called; the same row is not read twice."""
    job_id: str
    line: bytes | None
    """None: a row of cron's that is no run."""


class StoredRuns(NamedTuple):
    runs: list[StoredRun]
    is_whole: bool


def stored_runs(path: str, seen: Container[RowName]) -> StoredRuns:
    """Those whose rows were not seen yet, oldest first. SourceError: not now; NotThereError: there is no database."""
    return read_store(path, lambda store: _read(store, seen), TABLES)


def _read(store: Store, seen: Container[RowName]) -> StoredRuns:
    found: list[StoredRun] = []
    for rowid, name in _unseen(store, seen):
        if len(found) == MAX_RUNS or (found and store.is_page_full):
            return StoredRuns(found, is_whole=False)
        found.append(_logged(store, rowid, name) if name[0] == "log" else _ended(store, rowid, name))
    return StoredRuns(found, is_whole=True)


def _unseen(store: Store, seen: Container[RowName]) -> Iterator[tuple[int, RowName]]:
    # 2026.7.1 has tasks already, which do not say what they were.
    queries = {"log": ("cron_run_logs", "entry_json", _LOGGED), "task": ("task_runs", "detail_json", _ENDED)}
    for kind, (table, column, query) in queries.items():
        for rowid, *name in list(store.rows(query)) if column in store.columns(table) else ():
            if (kind, *name) not in seen:
                yield rowid, (kind, *name)


def _logged(store: Store, rowid: int, name: RowName) -> StoredRun:
    row = store.row(_LINE, (rowid,))
    assert row is not None  # of the same transaction
    job_id, text, *values = row
    told = _object(text)
    if "ts" in told:
        return StoredRun(name, job_id, text.encode())
    # Rows of the first releases that had the table hold their columns only.
    columns = {key: value for key, value in zip(_COLUMNS, values, strict=True) if value is not None}
    return StoredRun(name, job_id, json_text({"jobId": job_id, **columns, **told}).encode())


def _ended(store: Store, rowid: int, name: RowName) -> StoredRun:
    row = store.row(_TASK, (rowid,))
    assert row is not None  # of the same transaction
    job_id, text, ended_at, session_key = row
    detail = _object(text)
    if detail.get("kind") != _CRON_DETAIL or job_id is None:
        return StoredRun(name, job_id or "", None)
    told = {key: value for key, value in detail.items() if value is not None and key not in _NOT_OF_A_LINE}
    about = {"ts": ended_at, "jobId": job_id, "action": "finished"}
    line = {**about, **told, **({"sessionKey": session_key} if session_key else {})}
    return StoredRun(name, job_id, json_text(line).encode())


def _object(text: object) -> dict[str, Any]:
    decoded = decode_line(text.encode()) if isinstance(text, str) else None
    return decoded.value if isinstance(decoded, Decoded) else {}
