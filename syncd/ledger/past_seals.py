"""Rows of past lines whose bytes retention dropped: nothing can make them again, so one digest tells if they change.

It is of all rows that one rewrite superseded, and stands in the event of the drop, which has a checksum of its own.
Left out is what went with the bytes, and what may change later. The newest event of a generation counts; one that was
dropped before there were digests gets its own with the next retention or repair. Who puts right what differs is
`past_mending`.
"""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from syncd.ledger.dropping import dropped_past
from syncd.ledger.events import note_event
from syncd.ledger.faults import translated
from syncd.ledger.row_checksums import encoded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from hashlib import _Hash as Hash

    import apsw

    from syncd.ledger.database import Ledger
    from syncd.ledger.row_checksums import Value

DROPPED: Final = "dropped"
"""The event's kind."""
_LINE: Final = ("transcript_id", "line_no", "byte_offset", "byte_length", "generation", "superseded_in")
SEALED: Final[dict[str, tuple[str, ...]]] = {
    "entries": (*_LINE, "entry_id", "parent_id", "type", "at", "on_active_path", "salvaged", "flags"),
    "quarantine": (*_LINE, "reason"),
    "messages": (
        "transcript_id", "role", "at", "text_bytes", "provider", "model", "api", "stop_reason", "input_tokens",
        "output_tokens", "cache_read_tokens", "cache_write_tokens", "total_tokens", "cost_total", "response_id",
        "is_delivery_mirror", "tool_call_id", "tool_name", "is_error", "silence", "says_error", "result_fault",
    ),
    "tool_calls": ("transcript_id", "call_id", "name", "started_at"),
    "compactions": (
        "transcript_id", "first_kept_entry_id", "first_kept_entry_index", "compacted_count", "tokens_before",
        "tokens_after", "from_hook",
    ),
    "branch_summaries": ("transcript_id", "from_id", "from_hook"),
    "custom_entries": ("transcript_id", "custom_type"),
    "custom_messages": ("transcript_id", "custom_type", "display"),
    "model_changes": ("transcript_id", "provider", "model_id"),
    "thinking_changes": ("transcript_id", "thinking_level"),
    "labels": ("transcript_id", "target_id"),
    "session_infos": ("transcript_id",),
    "leaf_moves": ("transcript_id", "target_id", "append_parent_id", "append_mode"),
    "resets": ("transcript_id", "reason", "first_kept_entry_id"),
    "run_events": ("transcript_id", "run_id", "seq", "stream", "at"),
}  # fmt: skip
"""By name and in this order for ever, or the digests of before would fit no more."""
BY_LINE: Final = ("entries", "quarantine")
_EVENTS: Final = f"""SELECT detail ->> 'generation', detail ->> 'crc32', detail ->> 'sha256'
    FROM (SELECT id, iif(json_valid(detail_json), detail_json, '{{}}') AS detail FROM sync_events
    WHERE transcript_id = ? AND kind = '{DROPPED}') ORDER BY id"""
ODD_CALL: Final = """result_message_id IS NULL
    AND (status NOT IN ('pending', 'missing_result') OR is_error IS NOT NULL OR finished_at IS NOT NULL)"""
"""Of a tool call: what may change later is as it cannot be."""
_ODD_CALLS: Final = f"""SELECT DISTINCT entries.superseded_in FROM entries
    CROSS JOIN tool_calls ON tool_calls.message_id = entries.id
    WHERE entries.transcript_id = ? AND entries.superseded_in IS NOT NULL AND {ODD_CALL}"""
_BEREFT: Final = """SELECT DISTINCT transcript_id FROM tombstones WHERE what = 'superseded'
    AND transcript_id IS NOT NULL ORDER BY 1"""


class PastRow(NamedTuple):
    superseded_in: int
    table: str
    id: int
    """Of the row; the line's is the same, but of a tool call and in quarantine."""
    values: tuple[Value, ...]
    """Of the sealed columns, texts as bytes."""
    line: tuple[Value, ...]
    """Where the line begins, and its generation."""
    place: int
    """Of the line among those of `entries`."""

    def told(self) -> tuple[Value, ...]:
        """All that is in the digest."""
        return (self.table.encode(), *(() if self.table in BY_LINE else (self.place,)), *self.values)


class Seal(NamedTuple):
    crc32: int = 0
    sha256: str = ""


def past_rows(connection: apsw.Connection, transcript_id: int, superseded_in: int | None = None) -> Iterator[PastRow]:
    """What this generation superseded, or any: table by table, in the order of the lines. Of a backup too."""
    places = dict[int, int]()
    counts = defaultdict[int, int](int)
    generations = "= ?2" if superseded_in is not None else "IS NOT NULL"
    for table, names in SEALED.items():
        line, key = (table, "") if table in BY_LINE else ("entries", "message_id" if table == "tool_calls" else "id")
        join = f"CROSS JOIN {table} ON {table}.{key} = entries.id" if key else ""
        # One bit can make a text of any value, and one that is none.
        own = [f"iif(typeof({table}.{name}) = 'text', CAST({table}.{name} AS BLOB), {table}.{name})" for name in names]
        query = f"""SELECT {line}.superseded_in, {table}.id, {line}.id, {line}.byte_offset, {line}.generation,
            {", ".join(own)} FROM {line} {join} WHERE {line}.transcript_id = ?1 AND {line}.superseded_in {generations}
            ORDER BY {line}.byte_offset, {line}.generation, {table}.id"""
        bindings = (transcript_id,) if superseded_in is None else (transcript_id, superseded_in)
        for row in connection.execute(query, bindings):
            if table == "entries":
                places[row[1]] = counts[row[0]]
                counts[row[0]] += 1
            yield PastRow(row[0], table, row[1], row[5:], row[3:5], places.get(row[2], 0) if key else 0)


def seals_of(rows: Iterable[PastRow]) -> dict[int, Seal]:
    """By the generation that superseded them."""
    sums, digests = defaultdict[int, int](int), defaultdict[int, "Hash"](sha256)
    for row in rows:
        told = encoded(row.told())
        sums[row.superseded_in] = crc32(told, sums[row.superseded_in])
        digests[row.superseded_in].update(told)
    return {generation: Seal(sums[generation], digest.hexdigest()) for generation, digest in digests.items()}


def kept_seals(ledger: Ledger, transcript_id: int) -> dict[int, Seal]:
    """As the events tell them."""
    return {
        generation: Seal(total, digest)
        for generation, total, digest in ledger.execute(_EVENTS, (transcript_id,))
        if isinstance(generation, int) and isinstance(total, int) and isinstance(digest, str)
    }


def sealed_transcripts(ledger: Ledger) -> list[int]:
    query = f"SELECT DISTINCT transcript_id FROM sync_events WHERE kind = '{DROPPED}' AND transcript_id IS NOT NULL"
    return sorted(row[0] for row in ledger.execute(query))


def seal_past(ledger: Ledger, transcript_id: int, superseded_in: int, now_ms: int) -> None:
    """These rows are as they are to be. In the transaction that drops their bytes."""
    with translated(ledger.path):
        rows = past_rows(ledger.connection, transcript_id, superseded_in)
        seal = seals_of(rows).get(superseded_in, Seal())
    note_event(ledger, now_ms, DROPPED, transcript_id, {"generation": superseded_in, **seal._asdict()})


def seal_unsealed_past(ledger: Ledger, now_ms: int) -> None:
    """What was dropped before there were digests. Inside a transaction."""
    for (transcript_id,) in list(ledger.execute(_BEREFT)):
        for superseded_in in sorted(dropped_past(ledger, transcript_id) - kept_seals(ledger, transcript_id).keys()):
            seal_past(ledger, transcript_id, superseded_in, now_ms)


def broken_seals(ledger: Ledger, transcript_id: int) -> dict[int, Seal]:
    """Generations whose superseded rows are not those that were left when their bytes went, and what these were.

    Bytes that are there again, as from a backup, make their rows: nothing is asked of the digest then.
    """
    kept = kept_seals(ledger, transcript_id)
    if not kept:
        return {}
    dropped = dropped_past(ledger, transcript_id)
    with translated(ledger.path):
        found = seals_of(past_rows(ledger.connection, transcript_id))
    odd = {row[0] for row in ledger.execute(_ODD_CALLS, (transcript_id,))}
    return {
        generation: seal
        for generation, seal in sorted(kept.items())
        if generation in dropped and (found.get(generation, Seal()) != seal or generation in odd)
    }
