"""Rows that can be made again: taking a transcript's derived rows out, so that others take their place.

The raw bytes, the cursors and what is known of the files are never touched here.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from syncd.ledger.faults import translated
from syncd.ledger.originals import keep_ids_again, part_from, rejoin
from syncd.ledger.rows import TYPE_TABLES
from syncd.ledger.transaction import writing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from syncd.ledger.database import Ledger

# A call whose second result is of the past has one result again. What follows a later call of the same id is
# that one's.
_NO_LONGER_DUPLICATE = """UPDATE tool_calls SET status = 'paired' WHERE transcript_id = ?1
    AND status = 'duplicate_result' AND NOT EXISTS (SELECT 1 FROM entries JOIN messages USING (id)
        WHERE entries.transcript_id = ?1 AND superseded_in IS NULL AND tool_call_id = tool_calls.call_id
        AND entries.id > tool_calls.result_message_id
        AND NOT EXISTS (SELECT 1 FROM tool_calls AS later JOIN entries AS line ON line.id = later.message_id
            WHERE later.transcript_id = ?1 AND later.call_id = tool_calls.call_id AND line.superseded_in IS NULL
            AND later.message_id > tool_calls.message_id AND later.message_id < entries.id))"""


def mark_all_stale(ledger: Ledger) -> None:
    """Every transcript is due; until its turn comes it keeps its rows. A negative `projection` says so."""
    with writing(ledger) as connection:
        connection.execute("UPDATE transcripts SET projection = -abs(projection)")


def mark_stale(ledger: Ledger, transcript_ids: Iterable[int]) -> None:
    """The same of some."""
    with writing(ledger) as connection:
        for transcript_id in transcript_ids:
            connection.execute("UPDATE transcripts SET projection = -abs(projection) WHERE id = ?", (transcript_id,))


def stale_transcripts(ledger: Ledger, version: int) -> list[int]:
    return [
        row[0] for row in ledger.execute("SELECT id FROM transcripts WHERE projection != ? ORDER BY id", (version,))
    ]


def remove_derived_rows(ledger: Ledger, transcript_id: int, underived: Collection[int] = ()) -> None:
    """Inside a transaction, and with foreign keys off: the new rows follow in the same one.

    `underived`: those of lines superseded in these generations stay, because the bytes to make them from are lost.
    """
    also = f" AND coalesce(superseded_in, 0) NOT IN ({', '.join(map(str, underived))})"
    lines = f"(SELECT id FROM entries WHERE transcript_id = ?{also})"
    forget = f"INSERT INTO search (search, rowid, text) SELECT 'delete', id, text FROM _searchable WHERE id IN {lines}"
    ledger.run(forget, (transcript_id,))
    parted = part_from(ledger.connection, transcript_id)
    ledger.run(f"DELETE FROM tool_calls WHERE message_id IN {lines}", (transcript_id,))
    ledger.run("DELETE FROM turns WHERE transcript_id = ?", (transcript_id,))
    for table in ("messages", *TYPE_TABLES):
        ledger.run(f"DELETE FROM {table} WHERE id IN {lines}", (transcript_id,))
    for table in ("entries", "quarantine"):
        ledger.run(f"DELETE FROM {table} WHERE transcript_id = ?{also}", (transcript_id,))
    keep_ids_again(ledger.connection, transcript_id)
    rejoin(ledger.connection, parted)


def remove_orphans(ledger: Ledger) -> None:
    """Rows whose line has none any more, as damage leaves them: no transcript would take them out."""
    with without_foreign_keys(ledger), writing(ledger):
        for table in ("messages", *TYPE_TABLES):
            ledger.run(f"DELETE FROM {table} WHERE id NOT IN (SELECT id FROM entries)")
        for table in ("tool_calls", "_repeats", "_answer_ids"):
            ledger.run(f"DELETE FROM {table} WHERE message_id NOT IN (SELECT id FROM messages)")
        ledger.run("DELETE FROM _repeats WHERE counted_id NOT IN (SELECT id FROM messages)")


def supersede_rows(ledger: Ledger, transcript_id: int, generation: int, start: int, end: int = 2**62) -> None:
    """Live lines in [start, end) belong to the past from `generation` on; calls they answered wait again."""
    for table, also in (("entries", ", on_active_path = 0"), ("quarantine", "")):
        ledger.run(
            f"""UPDATE {table} SET superseded_in = ?{also} WHERE transcript_id = ? AND superseded_in IS NULL
                AND generation < ? AND byte_offset >= ? AND byte_offset < ?""",
            (generation, transcript_id, generation, start, end),
        )
    ledger.run(
        """UPDATE tool_calls SET result_message_id = NULL, is_error = NULL, finished_at = NULL, status = 'pending'
           WHERE transcript_id = ?1 AND result_message_id IN (SELECT id FROM entries
           WHERE transcript_id = ?1 AND superseded_in = ?2)""",
        (transcript_id, generation),
    )
    ledger.run(_NO_LONGER_DUPLICATE, (transcript_id,))


@contextmanager
def without_foreign_keys(ledger: Ledger) -> Iterator[None]:
    """Deleting a message would search all tool calls for it; the rows that refer to it go in the same transaction."""
    with translated(ledger.path):
        ledger.connection.execute("PRAGMA foreign_keys = OFF")
        try:
            yield
        finally:
            ledger.connection.execute("PRAGMA foreign_keys = ON")
