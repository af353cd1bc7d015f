"""Cron runs in OpenClaw's own database: the same rows as from its logs, once, through every place they moved to."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd.mirror.companions import read_companions
from syncd.mirror.cron_store import CronMemory
from syncd.mirror.index_look import IndexOptions
from syncd.openclaw.cron_runs import cron_run
from syncd.sources import cron_store
from tests.mirror.stores import written
from tests.mirror.test_cron_logs import JOB, Logs, logs, run

__all__ = ["logs"]

# As 2026.7.1 and 2026.9.6 make them.
_LOGS = """CREATE TABLE cron_run_logs (store_key TEXT NOT NULL, job_id TEXT NOT NULL, seq INTEGER NOT NULL,
    ts INTEGER NOT NULL, status TEXT, error TEXT, summary TEXT, diagnostics_summary TEXT, delivery_status TEXT,
    delivery_error TEXT, delivered INTEGER, session_id TEXT, session_key TEXT, run_id TEXT, run_at_ms INTEGER,
    duration_ms INTEGER, next_run_at_ms INTEGER, model TEXT, provider TEXT, total_tokens INTEGER,
    entry_json TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (store_key, job_id, seq))"""
_TASKS = """CREATE TABLE task_runs (task_id TEXT NOT NULL PRIMARY KEY, runtime TEXT NOT NULL, source_id TEXT,
    child_session_key TEXT, run_id TEXT, task TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL,
    started_at INTEGER, ended_at INTEGER, detail_json TEXT) STRICT"""


@pytest.fixture
def database(logs: Logs) -> Path:
    path = logs.house.state_dir / "state" / "openclaw.sqlite"
    path.parent.mkdir()
    with written(path) as connection:
        connection.execute(_LOGS)
        connection.execute("CREATE TABLE auth_profile_store (secret TEXT)")
        connection.execute("CREATE TABLE task_runs (task_id TEXT PRIMARY KEY, runtime TEXT, ended_at INTEGER)")
    return path


def log(path: Path, *lines: bytes) -> None:
    """As 2026.7.1 does it."""
    with written(path) as connection:
        for line in lines:
            entry = json.loads(line)
            seq = connection.execute("SELECT coalesce(max(seq), 0) + 1 FROM cron_run_logs").fetchone()[0]
            values = ("/home/claw/.openclaw/cron/jobs.json", entry["jobId"], seq, entry["ts"], line.decode().strip(), 0)
            connection.execute(
                """INSERT INTO cron_run_logs (store_key, job_id, seq, ts, entry_json, created_at)
                VALUES (?, ?, ?, ?, ?, ?)""",
                values,
            )


def move_to_tasks(path: Path) -> None:
    """As 2026.9.6's doctor does it; the columns that are told nowhere else are gone."""
    with written(path) as connection:
        connection.execute("DROP TABLE task_runs")
        connection.execute(_TASKS)
        rows = connection.execute("SELECT job_id, ts, store_key, entry_json FROM cron_run_logs").fetchall()
        for job_id, ts, store_key, text in rows:
            entry = json.loads(text)
            name = f"cron-runlog-import:{job_id}:{ts}:1"
            about = {"completionStatus": "unknown", "error": None, "summary": None, "storeKey": store_key}
            told = {key: entry[key] for key in ("runId", "sessionId", "durationMs", "usage") if key in entry}
            end_task(connection, name, job_id, ts, entry["sessionKey"], {"status": "ok", **about, **told})
        connection.execute("DROP TABLE cron_run_logs")


def end_task(
    connection: sqlite3.Connection, name: str, job: str, at: int, session_key: str, detail: dict[str, Any]
) -> None:
    connection.execute(
        "INSERT INTO task_runs VALUES (?, 'cron', ?, ?, ?, ?, 'succeeded', ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
        "ended_at = excluded.ended_at, detail_json = excluded.detail_json",
        (name, job, session_key, name, job, at, at, at, json.dumps({"kind": "cron-run", **detail})),
    )


def runs(logs: Logs) -> list[tuple[Any, ...]]:
    query = "SELECT job_id, at, status, session_id, session_key, duration_ms, usage FROM cron_runs ORDER BY id"
    return list(logs.writer.ledger.execute(query))


@pytest.fixture
def as_from_a_log() -> list[tuple[Any, ...]]:
    """What a log with these lines gives."""
    return [cron_run(run(number).strip(), JOB)[:7] for number in range(1, 6)]


def test_rows_are_the_runs_that_a_log_would_give(
    logs: Logs, database: Path, as_from_a_log: list[tuple[Any, ...]]
) -> None:
    log(database, *(run(number) for number in range(1, 4)))
    assert logs.look().added == 3
    assert runs(logs) == as_from_a_log[:3]
    log(database, run(4), run(5))
    assert logs.look().added == 2
    assert runs(logs) == as_from_a_log
    assert logs.look().added == 0


def test_a_restart_and_a_pruned_table_add_nothing(logs: Logs, database: Path) -> None:
    log(database, *(run(number, runId=f"run-{number}") for number in range(1, 4)))
    logs.look()
    with written(database) as connection:
        connection.execute("DELETE FROM cron_run_logs WHERE seq < 3")
    logs.memory = CronMemory()
    assert logs.look().added == 0
    log(database, run(4, runId="run-4"))
    assert logs.look().added == 1
    assert len(runs(logs)) == 4


def test_a_log_that_moved_into_the_database_is_not_doubled(logs: Logs, database: Path) -> None:
    logs.append(run(1) + run(2) + run(3))
    logs.look()
    log(database, run(1), run(2), run(3), run(4))
    assert logs.look().added == 1
    logs.path.unlink()
    assert logs.look().added == 0
    logs.append(run(1) + run(2) + run(3) + run(4) + run(5))  # and back
    assert logs.look().added == 1
    assert [row[1] for row in runs(logs)] == sorted(row[1] for row in runs(logs))


def test_the_move_from_one_table_to_the_next_adds_nothing(logs: Logs, database: Path) -> None:
    log(database, *(run(number, runId=f"run-{number}") for number in range(1, 4)))
    logs.look()
    before = runs(logs)
    move_to_tasks(database)
    assert logs.look().added == 0
    logs.memory = CronMemory()
    assert logs.look().added == 0
    assert runs(logs) == before


def test_tasks_alone_give_the_same_runs(logs: Logs, database: Path, as_from_a_log: list[tuple[Any, ...]]) -> None:
    log(database, *(run(number, runId=f"run-{number}") for number in range(1, 6)))
    move_to_tasks(database)
    assert logs.look().added == 5
    assert runs(logs) == as_from_a_log


def test_a_task_counts_when_it_has_ended_and_only_if_it_is_a_run(logs: Logs, database: Path) -> None:
    move_to_tasks(database)
    with written(database) as connection:
        connection.execute(
            "INSERT INTO task_runs VALUES ('t', 'cron', 'j', 'k', 't', 'j', 'running', 1, 1, NULL, NULL)"
        )
        connection.execute("INSERT INTO task_runs VALUES ('q', 'cron', 'j', 'k', 'q', 'j', 'done', 1, 1, 2, '{}')")
        connection.execute("INSERT INTO task_runs VALUES ('a', 'acp', 'j', 'k', 'a', 'j', 'done', 1, 1, 2, '{}')")
    assert logs.look().added == 0
    with written(database) as connection:
        connection.execute("UPDATE task_runs SET ended_at = 1794802930000 WHERE task_id = 't'")
    assert logs.look().added == 0  # what it was comes after
    with written(database) as connection:
        end_task(connection, "t", "j", 1_794_802_930_000, "k", {"status": "ok", "durationMs": 7})
    assert logs.look().added == 1
    assert runs(logs) == [("j", 1_794_802_930_000, "ok", None, "k", 7, None)]


def test_two_runs_that_ended_at_once_are_two(logs: Logs, database: Path) -> None:
    log(database, run(1, runId="one"), run(1, runId="two"))
    assert logs.look().added == 2
    logs.memory = CronMemory()
    assert logs.look().added == 0


def test_a_row_without_an_entry_is_told_by_its_columns(logs: Logs, database: Path) -> None:
    with written(database) as connection:
        connection.execute(
            """INSERT INTO cron_run_logs (store_key, job_id, seq, ts, status, session_key, entry_json, created_at)
            VALUES ('s', 'j', 1, 1794802930000, 'error', 'agent:main:cron:j', '{}', 0)"""
        )
    logs.look()
    assert runs(logs) == [("j", 1_794_802_930_000, "error", None, "agent:main:cron:j", None, None)]


def test_a_database_that_cannot_be_read_is_named_and_the_logs_are_read(logs: Logs, database: Path) -> None:
    database.write_bytes(b"no database" * 1000)
    logs.append(run(1))
    outcome = logs.look()
    assert outcome.added == 1
    assert [problem.path for problem in outcome.problems] == [str(database)]


def test_a_row_that_says_no_moment_comes_once(logs: Logs, database: Path) -> None:
    with written(database) as connection:
        for seq in (1, 2):
            connection.execute(
                """INSERT INTO cron_run_logs (store_key, job_id, seq, ts, entry_json, created_at)
                VALUES ('s', 'j', ?, 1, '{"jobId":"j","ts":"never","n":' || ? || '}', 0)""",
                (seq, seq),
            )
    assert logs.look().added == 2
    for _ in range(2):
        logs.memory = CronMemory()
        assert logs.look().added == 0
    assert len(runs(logs)) == 2


def beside(logs: Logs) -> list[str]:
    """What a catch-up could not read."""
    place = (logs.writer, logs.installation_id, str(logs.house.state_dir))
    options = IndexOptions({"HOME": str(logs.house.state_dir.parent)})
    return [problem.code for problem in read_companions(*place, options, lambda _: False, is_patient=False)[2]]


def test_a_catch_up_that_finds_the_database_locked_says_so(logs: Logs, database: Path) -> None:
    log(database, run(1))
    connection = apsw.Connection(str(database))  # of one driver: the locks of another in this process would not hold
    connection.execute("BEGIN EXCLUSIVE")
    assert beside(logs) == ["store_busy"]
    connection.close()
    assert beside(logs) == []
    assert len(runs(logs)) == 1


def test_a_catch_up_reads_all_runs_however_many_there_are(
    logs: Logs, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cron_store, "MAX_RUNS", 2)
    log(database, *(run(number, runId=f"run-{number}") for number in range(1, 8)))
    assert beside(logs) == []
    assert len(runs(logs)) == 7
