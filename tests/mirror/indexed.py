"""A household with session indexes, written as OpenClaw writes them, and a ledger that is kept open between looks."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from syncd.ledger.database import Ledger, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import CatchUpOptions, catch_up
from syncd.mirror.enrolment import enrol
from syncd.mirror.index_look import IndexOptions
from syncd.mirror.index_memory import IndexMemory
from syncd.mirror.index_sync import IndexOutcome, sync_index, sync_index_patiently
from tests.mirror.household import HandClock, Household, household, session_id

MAIN = "agent:main:main"
TELEGRAM = "agent:main:telegram:direct:4242"
NOW = 1_794_802_930_000
Entries = Mapping[str, Any]
Row = dict[str, Any]


def entry(number: int, updated_at: int = NOW, **fields: Any) -> dict[str, Any]:
    return {"sessionId": session_id(number), "updatedAt": updated_at, **fields}


def index_text(entries: Entries) -> bytes:
    """JSON.stringify(entries, null, 2)."""
    return json.dumps(entries, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")


class Indexed:
    """The looks of one process at one household."""

    def __init__(self, house: Household, ledger: Ledger, clock: HandClock) -> None:
        self.house = house
        self.ledger = ledger
        self.clock = clock
        self.writer = Writer(ledger, clock)
        self.files = enrol(self.writer, str(house.state_dir))
        self.installation_id = self.files.installation_id
        self.memory = IndexMemory()
        self.options = IndexOptions({"HOME": str(house.state_dir.parent)})

    # OpenClaw's side

    def path(self, agent: str = "main") -> Path:
        return self.house.sessions(agent) / "sessions.json"

    def write(self, entries: Entries, path: Path | None = None) -> Path:
        """Temporary file and rename."""
        return self.rename_in(index_text(entries), path)

    def rename_in(self, data: bytes, path: Path | None = None) -> Path:
        path = path or self.path()
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"sessions.json.{os.getpid()}.{uuid4()}.tmp")
        temporary.write_bytes(data)
        temporary.chmod(0o600)
        temporary.rename(path)
        return path

    def lock(self, pid: int, age_seconds: float = 0.0) -> Path:
        """sessions.json.lock of 2026.2.3."""
        path = self.path().with_name("sessions.json.lock")
        path.write_text(json.dumps({"pid": pid, "startedAt": self.clock.now_ms()}))
        at = time.time() - age_seconds
        os.utime(path, (at, at))
        return path

    # syncd's side

    def look(self) -> IndexOutcome:
        """One look."""
        state_dir = str(self.house.state_dir)
        return sync_index(self.writer, self.installation_id, state_dir, self.clock, self.options, self.memory)

    def settle(self, seconds: float = 5.0) -> IndexOutcome:
        """As many looks as are due in the next seconds."""
        state_dir, looks = str(self.house.state_dir), (self.clock, self.options, self.memory)
        return sync_index_patiently(self.writer, self.installation_id, state_dir, *looks, seconds)

    def take_transcripts(self) -> None:
        self.writer.flush()
        catch_up(self.ledger, self.clock, [str(self.house.state_dir)], CatchUpOptions())

    def confirm(self) -> IndexOutcome:
        """Two looks, a removal's confirmation apart."""
        self.settle()
        self.clock.sleep(self.options.confirm_removal_seconds + 1)
        return self.settle()

    def restart(self) -> None:
        """Another process: what was only remembered is lost."""
        self.memory = IndexMemory()

    def rows(self, query: str, *bindings: Any) -> list[tuple[Any, ...]]:
        return list(self.ledger.execute(query, bindings))

    def sessions(self, status: str = "live") -> dict[str, Row]:
        """By key."""
        names = [row[1] for row in self.rows("PRAGMA table_info(sessions)")]
        rows = self.rows("SELECT * FROM sessions WHERE status = ?", status)
        return {row["session_key"]: row for row in (dict(zip(names, values, strict=True)) for values in rows)}

    def live(self) -> dict[str, Any]:
        """The index as the ledger has it."""
        return {key: json.loads(row["entry_json"]) for key, row in self.sessions().items()}

    def pairings(self) -> dict[tuple[str, str], str | None]:
        rows = self.rows("SELECT session_key, session_id, ended_by FROM session_ids ORDER BY id")
        return {(key, paired): ended_by for key, paired, ended_by in rows}

    def versions(self, key: str = MAIN) -> list[Any]:
        query = """SELECT changed_json FROM session_versions JOIN sessions ON sessions.id = session_versions.session
            WHERE session_key = ? ORDER BY session_versions.id"""
        return [json.loads(text) for (text,) in self.rows(query, key)]

    def events(self) -> list[tuple[str, Any]]:
        return [
            (k, json.loads(detail)) for k, detail in self.rows("SELECT kind, detail_json FROM sync_events ORDER BY id")
        ]

    def writes(self) -> int:
        return self.ledger.connection.total_changes()


@contextmanager
def indexed(place: Path, house: Household | None = None) -> Iterator[Indexed]:
    house = house or household(place)
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        made = Indexed(house, ledger, HandClock())
        try:
            yield made
        finally:
            made.writer.close()
