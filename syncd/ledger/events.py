"""Lines of `sync_events`: what became of files, transcripts and sessions, for people, and for what rewrites superseded.

A detail holds ids, counts and paths, never message text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.ledger.database import Ledger

INSERT_EVENT = "INSERT INTO sync_events (at, kind, transcript_id, detail_json) VALUES (?, ?, ?, ?)"


def event_row(at: int, kind: str, transcript_id: int | None, detail: Mapping[str, object]) -> tuple[Any, ...]:
    """For INSERT_EVENT."""
    return at, kind, transcript_id, orjson.dumps(detail).decode()


def note_event(ledger: Ledger, at: int, kind: str, transcript_id: int | None, detail: Mapping[str, object]) -> None:
    """At once, or in the transaction that the caller has begun. What belongs to a batch is `Writer.event`'s."""
    ledger.run(INSERT_EVENT, event_row(at, kind, transcript_id, detail))
