"""OpenClaw's own SQLite made by hand: the schema of a genuine 2026.9.6 database, or of an older one, and its writes.

Writes as OpenClaw does: an append is one transaction at max(seq) + 1 with a later `transcript_updated_at`; removing and
replacing rotate the generation. By apsw, since one process may use one driver only for a file.
"""

import ast
import json
import os
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any, Self

import apsw

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RELEASES = Path(__file__).parent / "data" / "openclaw"
GENUINE = RELEASES / "2026.9.6" / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
NEWEST = 23
_generations = count(1)

_OLD_TABLES = """
CREATE TABLE sessions (
  session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, transcript_updated_at INTEGER DEFAULT NULL
) STRICT;
CREATE TABLE session_entries (
  session_key TEXT NOT NULL PRIMARY KEY, session_id TEXT NOT NULL, entry_json TEXT NOT NULL,
  updated_at INTEGER NOT NULL, status TEXT
) STRICT;
"""
_OLD_EVENTS = """
CREATE TABLE transcript_events (
  session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT NOT NULL, created_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, seq)
) STRICT;
"""
_OLD_WATERMARKS = """
CREATE TABLE transcript_rewrite_watermarks (
  session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
"""
_OLD_SECRETS = "CREATE TABLE auth_profile_store (store_key TEXT NOT NULL PRIMARY KEY, store_json TEXT NOT NULL) STRICT;"


class AgentStore:
    """A store that stays open, as under a running gateway, until it is closed."""

    def __init__(self, path: Path, schema: int = NEWEST, *, is_log_kept: bool = False) -> None:
        self.path, self.schema = path, schema
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        self.connection = apsw.Connection(str(path))
        self.connection.set_busy_timeout(5000)  # as OpenClaw has it
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA foreign_keys = ON")
        if is_log_kept:
            self.connection.execute("PRAGMA wal_autocheckpoint = 0")
            self.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        if is_new:
            self._make()
        latest = self.connection.execute(f"SELECT max(updated_at) FROM {self._windows}").get
        self._now = count(max(latest or 0, 1794802931000) + 1)

    @property
    def _windows(self) -> str:
        return "session_windows" if self.schema >= 14 else "sessions"

    @property
    def _has_watermarks(self) -> bool:
        return self.schema >= 13

    def _make(self) -> None:
        with self.connection:
            for statement in self._schema():
                self.connection.execute(statement)
            self.connection.execute(f"PRAGMA user_version = {self.schema}")

    def _schema(self) -> list[str]:
        if self.schema >= NEWEST:
            with _genuine() as genuine:
                wanted = "name NOT LIKE 'sqlite%' AND name NOT LIKE '%\\_fts%' ESCAPE '\\' AND sql IS NOT NULL"
                order = "ORDER BY type != 'table'"
                return [sql for (sql,) in genuine.execute(f"SELECT sql FROM sqlite_schema WHERE {wanted} {order}")]
        made = [_OLD_SECRETS, _OLD_EVENTS]
        if self.schema >= 14:
            with _genuine() as genuine:
                names = "('session_nodes', 'session_windows', 'conversations')"
                made += [sql for (sql,) in genuine.execute(f"SELECT sql FROM sqlite_schema WHERE name IN {names}")]
        else:
            made.append(_OLD_TABLES)
        return [*made, _OLD_WATERMARKS] if self._has_watermarks else made

    def own(self, agent_id: str) -> None:
        """Say whose it is, as OpenClaw does in each database that it makes."""
        self.connection.execute(
            """INSERT OR REPLACE INTO schema_meta (meta_key, role, schema_version, agent_id, created_at, updated_at)
            VALUES ('primary', 'agent', ?, ?, 1, 1)""",
            (self.schema, agent_id),
        )

    def set_clock(self, now_ms: int) -> None:
        """What the next write is dated."""
        self._now = count(now_ms)

    def _moment(self) -> int:
        return next(self._now)

    def _touch(self, session_id: str, moment: int) -> None:
        self.connection.execute(
            f"UPDATE {self._windows} SET updated_at = ?1, transcript_updated_at = ?1 WHERE session_id = ?2",
            (moment, session_id),
        )

    def add_session(self, session_id: str, key: str | None = None, **entry: Any) -> None:
        """A session without a line yet."""
        key, moment = key or f"agent:main:direct:{session_id}", self._moment()
        text = json.dumps({"sessionId": session_id, "updatedAt": moment, **entry})
        with self.connection:
            if self.schema >= 14:
                self.connection.execute(
                    "INSERT INTO session_nodes (session_key, current_session_id, entry_json, updated_at) "
                    "VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET current_session_id = ?2, entry_json = ?3",
                    (key, session_id, text, moment),
                )
            else:
                self.connection.execute(
                    "INSERT OR REPLACE INTO session_entries VALUES (?, ?, ?, ?, NULL)", (key, session_id, text, moment)
                )
            self.connection.execute(
                f"INSERT INTO {self._windows} (session_id, session_key, created_at, updated_at) VALUES (?, ?, ?, ?)",
                (session_id, key, moment, moment),
            )
            self._rotate(session_id, moment)

    def _rotate(self, session_id: str, moment: int) -> None:
        if self._has_watermarks:
            self.connection.execute(
                "INSERT OR REPLACE INTO transcript_rewrite_watermarks VALUES (?, ?, ?)",
                (session_id, f"{next(_generations) * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128:032x}", moment),
            )

    def append(self, session_id: str, *events: bytes, is_packed: bool = False) -> None:
        """Each event in a transaction of its own. Events come as lines: their newline is not stored."""
        for event in events:
            with self.connection:
                moment = self._moment()
                self._insert(session_id, self._next_seq(session_id), event, moment, is_packed=is_packed)
                self._touch(session_id, moment)

    def record(self, session_id: str, *events: bytes) -> None:
        """Into the flight recorder, behind what it has of this session."""
        for event in events:
            self.connection.execute(
                """INSERT INTO trajectory_runtime_events (session_id, seq, run_id, event_json, created_at)
                SELECT ?1, coalesce(max(seq) + 1, 0), 'run', ?2, 1 FROM trajectory_runtime_events
                WHERE session_id = ?1""",
                (session_id, event.removesuffix(b"\n").decode()),
            )

    def import_lines(self, session_id: str, content: bytes, key: str | None = None) -> None:
        """As the migration does: all lines of a file in one transaction."""
        self.add_session(session_id, key)
        with self.connection:
            moment = self._moment()
            for seq, event in enumerate(content.splitlines(keepends=True)):
                self._insert(session_id, seq, event, moment, is_packed=False)
            self._touch(session_id, moment)

    def replace(self, session_id: str, content: bytes) -> None:
        with self.connection:
            moment = self._moment()
            self.connection.execute("DELETE FROM transcript_events WHERE session_id = ?", (session_id,))
            for seq, event in enumerate(content.splitlines(keepends=True)):
                self._insert(session_id, seq, event, moment, is_packed=False)
            self._rotate(session_id, moment)
            self._touch(session_id, moment)

    def rewrite_row(self, session_id: str, seq: int, event: bytes) -> None:
        with self.connection:
            moment = self._moment()
            self.connection.execute(
                "UPDATE transcript_events SET event_json = ? WHERE session_id = ? AND seq = ?",
                (event.removesuffix(b"\n").decode(), session_id, seq),
            )
            self._rotate(session_id, moment)
            self._touch(session_id, moment)

    def remove_trailing(self, session_id: str, number: int) -> None:
        with self.connection:
            moment, first = self._moment(), self._next_seq(session_id) - number
            self.connection.execute(
                "DELETE FROM transcript_events WHERE session_id = ? AND seq >= ?", (session_id, first)
            )
            self._rotate(session_id, moment)
            self._touch(session_id, moment)

    def delete_session(self, session_id: str) -> None:
        with self.connection:
            for table in ("transcript_events", "transcript_rewrite_watermarks", self._windows):
                if table != "transcript_rewrite_watermarks" or self._has_watermarks:
                    self.connection.execute(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))

    def content(self, session_id: str) -> bytes:
        """Its events in order, each followed by a newline, by another way than the product's."""
        packed = "event_zstd" if self.schema >= NEWEST else "NULL"
        rows = self.connection.execute(
            f"SELECT event_json, {packed} FROM transcript_events WHERE session_id = ? ORDER BY seq", (session_id,)
        )
        return b"".join((zstd.decompress(blob) if text is None else text.encode()) + b"\n" for text, blob in rows)

    def is_plain(self, session_id: str, seq: int) -> bool:
        query = "SELECT event_json IS NOT NULL FROM transcript_events WHERE session_id = ? AND seq = ?"
        return bool(self.connection.execute(query, (session_id, seq)).get)

    def _next_seq(self, session_id: str) -> int:
        return int(
            self.connection.execute(
                "SELECT coalesce(max(seq), -1) + 1 FROM transcript_events WHERE session_id = ?", (session_id,)
            ).get
        )

    def _insert(self, session_id: str, seq: int, event: bytes, moment: int, *, is_packed: bool) -> None:
        event = event.removesuffix(b"\n")
        if not is_packed:
            self.connection.execute(
                "INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)",
                (session_id, seq, event.decode(), moment),
            )
            return
        navigation = (
            '{"version":1,"report":{"kind":"canonical"},"navigation":{},"reset":{},"model":{},"modelBytes":1,'
            '"modelWithoutCheckpointBytes":1,"withoutCustomDataBytes":1}'
        )
        options: dict[int, int] = {
            zstd.CompressionParameter.compression_level: 1,
            zstd.CompressionParameter.checksum_flag: 1,
        }
        self.connection.execute(
            "INSERT INTO transcript_events "
            "(session_id, seq, event_zstd, event_utf8_bytes, navigation_json, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            (session_id, seq, zstd.compress(event, options=options), len(event), navigation, moment),
        )

    def set_status(self, session_id: str, status: str | None) -> None:
        """`running` while a turn is under way."""
        table, column = (
            ("session_nodes", "current_session_id") if self.schema >= 14 else ("session_entries", "session_id")
        )
        now = time.time_ns() // 1_000_000
        query = f"UPDATE {table} SET status = ?, updated_at = ? WHERE {column} = ?"
        self.connection.execute(query, (status, now, session_id))

    def use_journal(self) -> None:
        """As OpenClaw does where a log cannot be: on a network file system."""
        self.connection.execute("PRAGMA journal_mode = DELETE")
        self.connection.execute("PRAGMA cache_size = 1")

    def leave_half_a_write(self, session_id: str) -> None:
        """Pages of a transaction that is never committed reach the file."""
        self.connection.execute("BEGIN")
        for _ in range(200):
            self._insert(session_id, self._next_seq(session_id), b"x" * 3000, 1, is_packed=False)

    def checkpoint(self) -> bool:
        """Everything out of the log into the main file, as OpenClaw's doctor needs it: could it be done?"""
        busy, _, _ = next(iter(self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")))
        return bool(busy == 0)

    def backfill(self) -> None:
        """Everything out of the log into the main file: the next write begins it anew, and it stays as large."""
        self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class OtherProcess:
    """An AgentStore open in a process of its own, as OpenClaw is. `do` runs one of its methods there."""

    def __init__(self, path: Path, schema: int = NEWEST) -> None:
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", f"from tests.openclaw_store import serve; serve({str(path)!r}, {schema})"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, encoding="utf-8"
        )
        self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        answer = self._process.stdout.readline().rstrip("\n")
        assert answer.startswith("="), answer
        return answer[1:]

    def do(self, method: str, *arguments: object, **options: object) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(repr((method, arguments, options)) + "\n")
        self._process.stdin.flush()
        return ast.literal_eval(self._answer())

    def kill(self) -> None:
        """Its log and its shared memory stay."""
        self._process.kill()
        self.close()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve(path: str, schema: int) -> None:
    """What the other process runs."""
    with AgentStore(Path(path), schema) as store:
        print("=", flush=True)
        for asked in sys.stdin:
            method, arguments, options = ast.literal_eval(asked)
            print(f"={getattr(store, method)(*arguments, **options)!r}", flush=True)


def _genuine() -> apsw.Connection:
    return apsw.Connection(f"file:{GENUINE}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
