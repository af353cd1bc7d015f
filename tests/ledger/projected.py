"""Lines put through a real ledger, and every row that came of them."""

import json
from pathlib import Path
from typing import Any

from syncd.ledger import rows
from syncd.ledger.database import Ledger
from syncd.ledger.transcripts import Transcript
from tests.ledger.scratch import scratch_ledger, scratch_writer, started

AT = "2026-11-16T04:22:11.250Z"
AT_MS = 1_794_802_931_250
COMMON = {"id": "0000000b", "parentId": "0000000a", "timestamp": AT}
Found = dict[str, list[dict[str, Any]]]


def projected(directory: Path, *lines: object) -> tuple[Transcript, Found]:
    """The transcript and every row that these lines made, by table; columns that are null are left out."""
    with scratch_ledger(directory) as ledger, scratch_writer(ledger) as writer:
        transcript = started(writer)
        writer.append(
            transcript,
            b"".join(item if isinstance(item, bytes) else json.dumps(item).encode() + b"\n" for item in lines),
        )
        writer.flush()
        return writer.load(transcript.id), {table: known(ledger, table) for table in TABLES if known(ledger, table)}


TABLES = ("entries", "messages", "tool_calls", *rows.TYPE_TABLES, "quarantine")


def known(ledger: Ledger, table: str) -> list[dict[str, Any]]:
    cursor = ledger.connection.execute(f"SELECT * FROM {table} ORDER BY 1")
    names = (
        [name for name, _ in cursor.get_description()] if list(ledger.execute(f"SELECT 1 FROM {table} LIMIT 1")) else []
    )
    return [{name: value for name, value in zip(names, row, strict=True) if value is not None} for row in cursor]


def entry(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **COMMON, **more}
