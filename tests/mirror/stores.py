"""OpenClaw's own database in a household, changed as OpenClaw changes it: one transaction, then closed."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.mirror.household import Household
from tests.mirror_fixtures import DATA

NOW = 1_794_802_930_000
_NODE = """INSERT INTO session_nodes (session_key, current_session_id, entry_json, updated_at, created_at)
    VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT DO UPDATE SET current_session_id = excluded.current_session_id,
    entry_json = excluded.entry_json, updated_at = excluded.updated_at"""
_WINDOW = """INSERT INTO session_windows (session_id, session_key, previous_session_id, reason, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?5)"""


def database(house: Household, agent: str = "main") -> Path:
    return house.state_dir / "agents" / agent / "agent" / "openclaw-agent.sqlite"


def put_store(house: Household, release: str = "2026.9.6", agent: str = "main") -> Path:
    """The genuine database of a release."""
    path = database(house, agent)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(DATA / release / "agents" / agent / "agent" / path.name, path)
    return path


@contextmanager
def written(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def put_node(path: Path, key: str, entry: dict[str, Any], validity: int = 1) -> None:
    with written(path) as connection:
        text = json.dumps(entry, separators=(",", ":"))
        connection.execute(_NODE, (key, entry.get("sessionId", "none-yet"), text, entry.get("updatedAt", NOW)))
        connection.execute("UPDATE session_nodes SET entry_valid = ? WHERE session_key = ?", (validity, key))


def put_window(path: Path, key: str, session_id: str, previous: str | None = None, reason: str | None = None) -> None:
    with written(path) as connection:
        count = connection.execute("SELECT count(*) FROM session_windows").fetchone()[0]
        connection.execute(_WINDOW, (session_id, key, previous, reason, NOW + count))


def delete_node(path: Path, key: str) -> None:
    with written(path) as connection:
        connection.execute("DELETE FROM session_nodes WHERE session_key = ?", (key,))


def nodes(path: Path) -> dict[str, Any]:
    """Every entry that is one."""
    with written(path) as connection:
        rows = connection.execute("SELECT session_key, entry_json FROM session_nodes WHERE entry_valid = 1")
        return {key: json.loads(text) for key, text in rows}
