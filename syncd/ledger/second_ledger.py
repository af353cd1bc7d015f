"""A ledger of one transcript, in a temporary file without a name: to derive its rows anew beside those there are.

And what of those rows can be compared: not their ids, and not what rests on other transcripts, on locks or on time (who
repeats whom, whose turn goes on, which call has no result).
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from syncd.ledger.database import Ledger
from syncd.ledger.migrate import bring_forward
from syncd.ledger.rows import TYPE_TABLES
from syncd.ledger.unfinished import is_finished

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_NOT_COMPARED = frozenset({"id", "turn_id", "result_fault", "message_id"})
_BY_LINE = ("entries", "quarantine")
_COPIED = {
    "installations": "id = (SELECT installation_id FROM transcripts WHERE id = ?)",
    "transcripts": "id = ?",
    "_blocks": "transcript_id = ?",
    "sync_events": "transcript_id = ?",
    "_cut_results": "transcript_id = ?",
}
"""Tables, and which of their rows are a transcript's."""
# What a lock, or a session that is not at rest, leaves open is compared once it is settled. A result that repair paired
# with a call behind it has none by the rules.
_CALLS = """SELECT line.byte_offset, line.generation, call_id, name, arguments_json, started_at,
    iif(?2, iif(result.byte_offset < line.byte_offset, 'missing_result', status), NULL),
    iif(?2 AND result.byte_offset > line.byte_offset, result.byte_offset, NULL),
    iif(?2 AND result.byte_offset > line.byte_offset, is_error, NULL),
    iif(?2 AND result.byte_offset > line.byte_offset, finished_at, NULL)
    FROM tool_calls JOIN entries AS line ON line.id = tool_calls.message_id
    LEFT JOIN entries AS result ON result.id = result_message_id
    WHERE tool_calls.transcript_id = ?1 AND {} ORDER BY 1, 2, tool_calls.id"""
_TURNS = """SELECT prompt.byte_offset, answer.byte_offset, started_at, tool_call_count, input_tokens, output_tokens,
    cost_total, model, (SELECT byte_offset FROM turns AS elder JOIN entries ON entries.id = elder.user_message_id
    WHERE elder.id = turns.parent_turn_id), iif(?2, status, NULL), iif(?2, ended_at, NULL)
    FROM turns LEFT JOIN entries AS prompt ON prompt.id = user_message_id
    LEFT JOIN entries AS answer ON answer.id = final_message_id WHERE turns.transcript_id = ?1
    ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"""
_TURN_PLACE = """prompt.byte_offset, answer.byte_offset FROM {} LEFT JOIN turns ON turns.id = {}
    LEFT JOIN entries AS prompt ON prompt.id = user_message_id
    LEFT JOIN entries AS answer ON answer.id = final_message_id"""
_TURNS_OF_MESSAGES = f"""SELECT line.byte_offset, line.generation, {
    _TURN_PLACE.format("entries AS line CROSS JOIN messages ON messages.id = line.id", "messages.turn_id")
} WHERE line.transcript_id = ? AND {{}} ORDER BY 1, 2"""
_TIPS = f"""SELECT lines, leaf_entry_id, append_entry_id, {_TURN_PLACE.format("transcripts", "tip_turn_id")}
    WHERE transcripts.id = ?"""
_TABLES = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'"


class SecondLedger:
    """Serves one transcript after another. To be closed."""

    def __init__(self) -> None:
        self.ledger = Ledger(Path("a second ledger"), apsw.Connection(""))
        bring_forward(self.ledger.connection)
        self._tables = [str(name) for (name,) in self.ledger.execute(_TABLES)]
        self._columns = {table: self._compared(table) for table in (*_BY_LINE, "messages", *TYPE_TABLES)}
        self._copied = {table: self._names(table) for table in _COPIED}

    def close(self) -> None:
        self.ledger.close()

    def take(self, ledger: Ledger, transcript_id: int) -> None:
        """This transcript in place of the one before: its raw bytes, and no rows."""
        own = self.ledger.connection
        own.execute("PRAGMA foreign_keys = OFF")
        own.execute("PRAGMA ignore_check_constraints = ON")  # a word that rotted is another's to find
        with own:
            for table in self._tables:
                if not table.startswith("search"):
                    own.execute(f"DELETE FROM {table}")
            own.execute("INSERT INTO search (search) VALUES ('rebuild')")
            for table, names in self._copied.items():  # by name: people add columns of their own
                columns = ", ".join(names)
                query = f"SELECT {columns} FROM {table} WHERE {_COPIED[table]}"
                put = f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(names))})"
                own.executemany(put, ledger.execute(query, (transcript_id,)))
            own.execute("UPDATE transcripts SET tip_turn_id = NULL, parent_transcript_id = NULL, session = NULL")

    def has_rows_of(self, ledger: Ledger, transcript_id: int, underived: Collection[int] = ()) -> bool:
        """Are the rows here, derived anew, those that the other ledger has?

        `underived`: generations in which lines were superseded that cannot be derived any more.
        """
        is_rested = is_finished(ledger, transcript_id)
        one_by_one = [self._rows(each, transcript_id, underived, is_rested=is_rested) for each in (ledger, self.ledger)]
        pairs = zip_longest(*one_by_one)
        return all(one == other for one, other in pairs)

    def _rows(
        self, ledger: Ledger, transcript_id: int, underived: Collection[int], *, is_rested: bool
    ) -> Iterator[tuple[Any, ...]]:
        """In the order of the lines, whatever ids they have."""
        is_derived = f"coalesce({{}}superseded_in, 0) NOT IN ({', '.join(map(str, underived))})"
        for table, columns in self._columns.items():
            if table in _BY_LINE:
                query = f"""SELECT {columns} FROM {table} WHERE transcript_id = ? AND {is_derived.format("")}
                    ORDER BY byte_offset, generation"""
            else:
                query = f"""SELECT entries.byte_offset, entries.generation, {columns} FROM entries
                    CROSS JOIN {table} ON {table}.id = entries.id WHERE entries.transcript_id = ?
                    AND {is_derived.format("entries.")} ORDER BY entries.byte_offset, entries.generation"""
            yield from ((table, *row) for row in ledger.execute(query, (transcript_id,)))
        yield from ledger.execute(_TIPS, (transcript_id,))
        yield from ledger.execute(_TURNS_OF_MESSAGES.format(is_derived.format("line.")), (transcript_id,))
        calls = _CALLS.format(is_derived.format("line."))
        for table, query in (("tool_calls", calls), ("turns", _TURNS)):
            yield from ((table, *row) for row in ledger.execute(query, (transcript_id, is_rested)))

    def _compared(self, table: str) -> str:
        return ", ".join(f"{table}.{name}" for name in self._names(table) if name not in _NOT_COMPARED)

    def _names(self, table: str) -> list[str]:
        return [str(name) for (name,) in self.ledger.execute("SELECT name FROM pragma_table_info(?)", (table,))]
