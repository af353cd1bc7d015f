"""A ledger of the test's own with transcripts to write to, and all of its rows to compare. No files of OpenClaw's."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from syncd.ledger.database import Ledger, open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.rows import TYPE_TABLES
from syncd.ledger.transcripts import Transcript
from syncd.ledger.writer import Writer
from syncd.mirror.placement import new_transcript
from syncd.openclaw.file_kinds import classify
from syncd.records import FileStat, ListedFile
from tests.mirror.household import name_of, session_id

TABLES = (
    "transcripts",
    "entries",
    "messages",
    "tool_calls",
    *TYPE_TABLES,
    "quarantine",
    "sync_events",
    "_blocks",
    "_tails",
)
Rows = list[tuple[Any, ...]]


class StillClock:
    """Always the same moment: two ways to one state give equal rows."""

    def now_ms(self) -> int:
        return 1_794_802_930_000

    def monotonic(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None: ...


@contextmanager
def scratch_ledger(directory: Path) -> Iterator[Ledger]:
    path = directory / "ledger.db"
    with writer_lock(path), open_for_writing(path) as ledger:
        ledger.run(
            "INSERT INTO installations (state_dir, host, first_seen_at) VALUES ('/s', 'h', 1) ON CONFLICT DO NOTHING"
        )
        yield ledger


@contextmanager
def scratch_writer(ledger: Ledger) -> Iterator[Writer]:
    writer = Writer(ledger, StillClock())
    try:
        yield writer
    finally:
        writer.close()


def started(writer: Writer, number: int = 1, name: str = "") -> Transcript:
    """A transcript that begins now; nothing of it is stored yet."""
    name = name or name_of(number)
    listed = ListedFile("main", "/s/agents/main/sessions", name, FileStat(1, number, 0, 0, 0), 1, is_regular=True)
    return new_transcript(writer, 1, listed, classify(name), session_id(number))


def dump(ledger: Ledger, *tables: str) -> dict[str, Rows]:
    """Every row of the tables, or of all that a writer fills."""
    return {table: list(ledger.execute(f"SELECT * FROM {table} ORDER BY 1")) for table in tables or TABLES}


def found(ledger: Ledger, words: str) -> list[int]:
    """entries.id of what a search finds."""
    return [row for (row,) in ledger.execute("SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid", (words,))]
