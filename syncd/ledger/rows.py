"""Rows on their way into the ledger: one batch, one transaction.

Filled by projection, emptied by writer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from syncd.openclaw.turns import TURN_FIELDS

if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw

    from syncd.openclaw.turns import Turn

Row = tuple[Any, ...]

SYNTHETIC = "synthetic"
ORPHAN = "orphan"
DUPLICATE = "duplicate"
"""Faults of tool results: made up by OpenClaw; without a call; of a call that has another one."""

# The simple tables: one INSERT each.
_TYPED_COLUMNS = {
    "compactions": "id,transcript_id,summary,first_kept_entry_id,first_kept_entry_index,compacted_count,tokens_before,"
    "tokens_after,from_hook,details_json",
    "branch_summaries": "id,transcript_id,from_id,summary,from_hook,details_json",
    "custom_entries": "id,transcript_id,custom_type,data_json",
    "custom_messages": "id,transcript_id,custom_type,text,display,details_json",
    "model_changes": "id,transcript_id,provider,model_id",
    "thinking_changes": "id,transcript_id,thinking_level",
    "labels": "id,transcript_id,target_id,label",
    "session_infos": "id,transcript_id,name",
    "leaf_moves": "id,transcript_id,target_id,append_parent_id,append_mode",
    "resets": "id,transcript_id,reason,first_kept_entry_id",
    "run_events": "id,transcript_id,run_id,seq,stream,at,data_json",
}
TYPE_TABLES = tuple(_TYPED_COLUMNS)
LONG_COLUMNS = {
    "compactions": {2, 9},  # summary, details_json
    "branch_summaries": {3, 5},  # summary, details_json
    "custom_entries": {3},  # data_json
    "custom_messages": {3, 5},  # text, details_json
    "run_events": {6},  # data_json
}
"""Places in the rows above that take a giant text as UTF-8 bytes."""


def _insert(table: str, columns: str, long_columns: Collection[int] = ()) -> str:
    """Columns by name: people add their own. And no blank too many: the driver reads the text again for every row.

    CAST: giant texts come as UTF-8 bytes, so that no wide Python string is made of them.
    """
    marks = ["CAST(? AS TEXT)" if place in long_columns else "?" for place in range(columns.count(",") + 1)]
    return f"INSERT INTO {table}({columns})VALUES({','.join(marks)})"


_INSERT_ENTRIES = _insert(
    "entries",
    "id,transcript_id,line_no,byte_offset,byte_length,generation,entry_id,parent_id,type,at,on_active_path,salvaged,flags",
)
SET_ON_PATH = "UPDATE entries SET on_active_path = ? WHERE id = ?"
# One statement for every role: rows go in by ascending id, which leaves no half-empty pages behind.
_INSERT_MESSAGES = _insert(
    "messages",
    "id,transcript_id,role,at,text,text_bytes,thinking,provider,model,api,stop_reason,error_message,input_tokens,"
    "output_tokens,cache_read_tokens,cache_write_tokens,total_tokens,cost_total,response_id,is_delivery_mirror,"
    "tool_call_id,tool_name,is_error,turn_id,silence,says_error,result_fault",
    {4, 6, 11},  # text, thinking, error_message
)
_INSERT_TOOL_CALLS = _insert(
    "tool_calls",
    "message_id,transcript_id,call_id,name,arguments_json,started_at,result_message_id,is_error,finished_at,status",
    {4},  # arguments_json
)
_INSERT_QUARANTINE = """INSERT INTO quarantine (transcript_id, line_no, byte_offset, byte_length, generation, reason,
    raw) VALUES (?, ?, ?, ?, ?, ?, ?)"""
_INSERT_TYPED = {
    table: _insert(table, columns, LONG_COLUMNS.get(table, ())) for table, columns in _TYPED_COLUMNS.items()
}
# A result whose call stands in an earlier batch. The newest live call of that id before it gets the first result, or
# the first that OpenClaw did not make up; any other is only noted.
_CALL_OF_RESULT = """(SELECT tool_calls.id FROM tool_calls JOIN entries ON entries.id = tool_calls.message_id
    WHERE tool_calls.transcript_id = ?4 AND call_id = ?5 AND superseded_in IS NULL
    AND message_id < ?1 ORDER BY tool_calls.id DESC LIMIT 1)"""
_TAKES_IT = """(result_message_id IS NULL OR (NOT ?6 AND EXISTS (SELECT 1 FROM messages
    WHERE messages.id = result_message_id AND result_fault = 'synthetic')))"""
_PAIR_LATE_RESULT = f"""UPDATE tool_calls SET
    status = CASE WHEN result_message_id IS NULL THEN 'paired' ELSE 'duplicate_result' END,
    is_error = CASE WHEN {_TAKES_IT} THEN ?2 ELSE is_error END,
    finished_at = CASE WHEN {_TAKES_IT} THEN ?3 ELSE finished_at END,
    result_message_id = CASE WHEN {_TAKES_IT} THEN ?1 ELSE result_message_id END
    WHERE id = {_CALL_OF_RESULT}"""
_NOTE_LATE_FAULT = f"""UPDATE messages SET result_fault = coalesce(result_fault,
    CASE (SELECT result_message_id FROM tool_calls WHERE id = {_CALL_OF_RESULT})
    WHEN ?1 THEN NULL ELSE iif({_CALL_OF_RESULT} IS NULL, '{ORPHAN}', '{DUPLICATE}') END)
    WHERE id = ?1"""

# Turns name messages and messages name turns: a turn comes before its messages, and names them behind them. Else SQLite
# would search all turns for those that wait for each message. No upsert: it would keep a copy of each page, to undo it.
_MESSAGES_OF_TURN = ("user_message_id", "final_message_id")
_BEGUN_WITH = tuple(name for name in TURN_FIELDS if name not in _MESSAGES_OF_TURN)
_GOES_ON_WITH = tuple(name for name in TURN_FIELDS if name not in ("id", "transcript_id", "parent_turn_id"))
_BEGIN_TURN = f"INSERT INTO turns ({', '.join(_BEGUN_WITH)}) VALUES ({', '.join('?' * len(_BEGUN_WITH))})"
_NAME_MESSAGES = f"UPDATE turns SET {', '.join(f'{name} = ?' for name in _MESSAGES_OF_TURN)} WHERE id = ?"
_GO_ON_WITH_TURN = f"UPDATE turns SET {', '.join(f'{name} = ?' for name in _GOES_ON_WITH)} WHERE id = ?"
_begun_with, _messages_of_turn = attrgetter(*_BEGUN_WITH), attrgetter(*_MESSAGES_OF_TURN, "id")
_goes_on_with = attrgetter(*_GOES_ON_WITH, "id")
PUT_TURN = f"""INSERT INTO turns ({", ".join(TURN_FIELDS)}) VALUES ({", ".join("?" * len(TURN_FIELDS))})
    ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in TURN_FIELDS[1:])}"""

INDEX_TEXT = "INSERT INTO search (rowid, text) SELECT id, text FROM _searchable WHERE id BETWEEN ? AND ?"

_RESULT, _IS_ERROR, _FINISHED, _STATUS = 6, 7, 8, 9  # places in a tool-call row
_NO_RESULT = (None, None, None, "pending")


@dataclass(slots=True)
class Rows:
    """One batch. `next_entry_id` and `next_turn_id` go on from the ledger's last."""

    next_entry_id: int
    next_turn_id: int
    entries: list[Row] = field(default_factory=list)
    messages: list[Row] = field(default_factory=list)
    turns: dict[int, Turn] = field(default_factory=dict)
    """Those that began or went on, by id."""
    path_changes: dict[int, int] = field(default_factory=dict)
    """entries.id of those that came onto the active path (1) or left it (0) after they were added."""
    tool_calls: list[list[Any]] = field(default_factory=list)
    late_results: list[Row] = field(default_factory=list)
    doubtful_answers: list[int] = field(default_factory=list)
    """messages.id of answers that may repeat others; those of the batch that are not here do not."""
    quarantine: list[Row] = field(default_factory=list)
    typed: dict[str, list[Row]] = field(default_factory=dict)
    first_turn_id: int = field(init=False)
    is_heavy: bool = False
    is_inexact: bool = False
    """Rows of the last entry hold JSON of a number that was read as a float and may have been an integer."""
    _open_calls: dict[tuple[int, str], list[Any]] = field(default_factory=dict)
    _made_up: set[int] = field(default_factory=set)
    """Synthetic results in this batch."""
    _last_pairing: tuple[int, list[Any], list[Any]] | None = None
    """The result that was paired last, its call's row, and what that said of results before."""

    def __post_init__(self) -> None:
        self.first_turn_id = self.next_turn_id

    def withdraw(self, entry_id: int) -> None:
        """Take back the rows of the last entry, which is to be added again."""
        tables: list[list[Any]] = [self.entries, self.messages, self.tool_calls, self.late_results]
        for rows in tables + list(self.typed.values()):
            while rows and rows[-1][0] == entry_id:
                rows.pop()
        if self.doubtful_answers and self.doubtful_answers[-1] == entry_id:
            self.doubtful_answers.pop()
        if self._last_pairing is not None and self._last_pairing[0] == entry_id:
            _, call, before = self._last_pairing
            call[_RESULT:] = before
        self.next_entry_id = entry_id
        self.is_inexact = False

    def add(self, table: str, row: Row) -> None:
        self.typed.setdefault(table, []).append(row)

    def add_tool_call(
        self, transcript_id: int, message_id: int, call_id: str | None, name: str | None, arguments: str | None,
        at: int | None,
    ) -> None:  # fmt: skip
        row = [message_id, transcript_id, call_id, name, arguments, at, *_NO_RESULT]
        self.tool_calls.append(row)
        if call_id is not None:
            self._open_calls[transcript_id, call_id] = row

    def pair_result(
        self, transcript_id: int, call_id: str, row_id: int, is_error: int, at: int | None, *, is_synthetic: bool
    ) -> None:
        """Link a result, the last row of `messages`, to its call; here in memory when both are in this batch."""
        call = self._open_calls.get((transcript_id, call_id))
        if call is None:
            self.late_results.append((row_id, is_error, at, transcript_id, call_id, is_synthetic))
            return
        self._last_pairing = (row_id, call, call[_RESULT:])
        if is_synthetic:
            self._made_up.add(row_id)
        if call[_RESULT] is None:
            call[_RESULT], call[_IS_ERROR], call[_FINISHED], call[_STATUS] = row_id, is_error, at, "paired"
        elif call[_RESULT] in self._made_up and not is_synthetic:
            call[_RESULT], call[_IS_ERROR], call[_FINISHED], call[_STATUS] = row_id, is_error, at, "duplicate_result"
        else:
            call[_STATUS] = "duplicate_result"
            if not is_synthetic:
                self.note_fault(DUPLICATE)

    def note_fault(self, fault: str) -> None:
        """Of the tool result that came last."""
        self.messages[-1] = (*self.messages[-1][:-1], fault)


def store(connection: apsw.Connection, batch: Rows) -> None:
    """Insert the batch; the text index is the caller's to feed, with INDEX_TEXT."""
    # A statement that is kept for the next time keeps its last giant text as well.
    executemany = partial(connection.executemany, can_cache=not batch.is_heavy)
    executemany(_INSERT_ENTRIES, batch.entries)
    executemany(SET_ON_PATH, ((is_on_path, row_id) for row_id, is_on_path in batch.path_changes.items()))
    begun = [turn for turn in batch.turns.values() if turn.id >= batch.first_turn_id]
    executemany(_BEGIN_TURN, map(_begun_with, begun))
    executemany(_INSERT_MESSAGES, batch.messages)
    executemany(_NAME_MESSAGES, map(_messages_of_turn, begun))
    gone_on = (turn for turn in batch.turns.values() if turn.id < batch.first_turn_id)
    executemany(_GO_ON_WITH_TURN, map(_goes_on_with, gone_on))
    executemany(_INSERT_TOOL_CALLS, batch.tool_calls)
    executemany(_PAIR_LATE_RESULT, batch.late_results)
    executemany(_NOTE_LATE_FAULT, ((*result[:1], None, None, *result[3:5]) for result in batch.late_results))
    executemany(_INSERT_QUARANTINE, batch.quarantine)
    for table, typed in batch.typed.items():
        executemany(_INSERT_TYPED[table], typed)
