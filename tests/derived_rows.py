"""All that a ledger derives from its raw bytes, in a form that does not depend on the order in which it was derived.

Row ids are replaced by the place of the line they stand for; everything else is compared as it is.
"""

import re
from pathlib import Path
from typing import Any

from syncd.ledger.rows import TYPE_TABLES
from tests.mirror_checks import query

MAX_WORDS = 40
KEPT = ("transcripts", "_blocks", "_tails", "_files", "sync_events", "installations")
"""Not derived: these must not change at all."""

Derived = dict[str, list[Any]]
_PLACE = "(SELECT printf('%d:%d:%d', transcript_id, generation, byte_offset) FROM entries WHERE id = {})"
_FIRST_OF_TURN = f"""SELECT {_PLACE.format("first.id")} FROM messages AS first
    WHERE first.turn_id = {{}} ORDER BY first.id LIMIT 1"""


def derived_rows(ledger_path: Path) -> Derived:
    """Every derived row of every table, and what the search finds for every word of the messages."""
    found: Derived = {}
    for table in ("entries", "quarantine"):
        columns = ", ".join(_columns(ledger_path, table, "id"))
        found[table] = query(
            ledger_path, f"SELECT {columns} FROM {table} ORDER BY transcript_id, generation, byte_offset"
        )
    for table in ("messages", *TYPE_TABLES):
        columns = ", ".join(_columns(ledger_path, table, "id", "turn_id"))
        found[table] = query(
            ledger_path, f"SELECT {_PLACE.format(f'{table}.id')} AS place, {columns} FROM {table} ORDER BY place"
        )
    columns = ", ".join(_columns(ledger_path, "tool_calls", "id", "message_id", "result_message_id"))
    places = f"{_PLACE.format('tool_calls.message_id')} AS place, {_PLACE.format('tool_calls.result_message_id')}"
    number = "row_number() OVER (PARTITION BY message_id ORDER BY id) AS number"
    found["tool_calls"] = query(
        ledger_path, f"SELECT {places}, {number}, {columns} FROM tool_calls ORDER BY place, number"
    )
    places = f"{_PLACE.format('message_id')} AS place, {_PLACE.format('counted_id')}"
    found["_repeats"] = query(ledger_path, f"SELECT {places} FROM _repeats ORDER BY place")
    places = f"transcript_id, id_tail, {_PLACE.format('message_id')} AS place"
    found["_answer_ids"] = query(ledger_path, f"SELECT {places} FROM _answer_ids ORDER BY transcript_id, place")
    turn = f"({_FIRST_OF_TURN.format('messages.turn_id')})"
    found["turns of messages"] = query(
        ledger_path, f"SELECT {_PLACE.format('messages.id')} AS place, {turn} FROM messages ORDER BY place"
    )
    ids = ("id", "parent_turn_id", "user_message_id", "final_message_id")
    columns = ", ".join(_columns(ledger_path, "turns", *ids))
    places = ", ".join(_PLACE.format(f"turns.{name}") for name in ids[2:])
    own, parent = _FIRST_OF_TURN.format("turns.id"), _FIRST_OF_TURN.format("turns.parent_turn_id")
    found["turns"] = query(
        ledger_path, f"SELECT ({own}) AS place, ({parent}), {places}, {columns} FROM turns ORDER BY place"
    )
    return found


def searched(ledger_path: Path) -> dict[str, list[str]]:
    """Word -> places of the messages that a search for it finds; by the words of the messages, not of the index."""
    texts = query(ledger_path, "SELECT text FROM messages WHERE text IS NOT NULL")
    words = sorted({word for (text,) in texts for word in re.findall(r"[a-z]{4,}", text.lower())})
    sql = f"SELECT {_PLACE.format('search.rowid')} FROM search WHERE search MATCH ? ORDER BY 1"
    return {word: [place for (place,) in query(ledger_path, sql, f'"{word}"')] for word in words[:MAX_WORDS]}


def kept_rows(ledger_path: Path) -> Derived:
    # The turn at the tip is a row id, and rows are numbered anew.
    columns = {table: ", ".join(_columns(ledger_path, table, "tip_turn_id")) for table in KEPT}
    return {table: query(ledger_path, f"SELECT {columns[table]} FROM {table} ORDER BY 1") for table in KEPT}


def _columns(ledger_path: Path, table: str, *left_out: str) -> list[str]:
    return [name for _, name, *_ in query(ledger_path, f"PRAGMA table_info({table})") if name not in left_out]
