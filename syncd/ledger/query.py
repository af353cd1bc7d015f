"""One question in SQL from a person: read-only, guarded, bounded in time and size.

Not for syncd's own queries. The connection is read-only, the authorizer lets nothing but reads through, and a progress
handler ends what takes too long. `raw_json(entries.id)` and `raw_bytes(entries.id)` reach the lines themselves.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from syncd.errors import SyncdError, UserError
from syncd.ledger.database import open_for_reading
from syncd.ledger.entry_bytes import EntryBytes
from syncd.ledger.faults import translate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger

_MAX_ANSWER_BYTES = 64 * 1024 * 1024
_MAX_VALUE_BYTES = 256 * 1024 * 1024
_STEPS_BETWEEN_LOOKS = 5000  # a few times per millisecond
_HOW_TO_LIST = (
    'the tables are listed by: syncd sql "SELECT name, type FROM pragma_table_list ORDER BY name";'
    " docs/ledger.md explains each"
)

_READS = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_RECURSIVE})
_REFUSED_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"})
_PRAGMAS_ABOUT = frozenset(
    {
        "foreign_key_list", "function_list", "index_info", "index_list", "index_xinfo", "table_info", "table_list",
        "table_xinfo",
    }
)  # fmt: skip
_PRAGMAS_ALONE = frozenset(
    {
        "application_id", "collation_list", "compile_options", "data_version", "database_list", "encoding",
        "freelist_count", "module_list", "page_count", "page_size", "pragma_list", "schema_version", "user_version",
    }
)  # fmt: skip


class _Statement(NamedTuple):
    text: str
    columns: tuple[str, ...]
    is_readonly: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """`cut`: why there is not more, "" when this is all."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    cut: str = ""


def ask(path: Path, query: str, clock: Clock, *, timeout_seconds: float, max_rows: int) -> Answer:
    """The rows of one SELECT; a UserError holds SQLite's own words about a bad one."""
    with open_for_reading(path) as ledger:
        try:
            _guard(ledger, clock, timeout_seconds)
            return _fetch(ledger.connection, _only_statement(ledger.connection, query), max_rows)
        except apsw.InterruptError:
            raise SyncdError(
                f"the query took longer than {timeout_seconds:g} s", "make it narrower, or allow more with --timeout"
            ) from None
        except apsw.Error as error:
            raise _fault(error, query, path) from None
        except UnicodeDecodeError:
            raise UserError("the answer holds text that is no UTF-8", "ask for hex(...) of that column") from None


def _guard(ledger: Ledger, clock: Clock, timeout_seconds: float) -> None:
    connection, lines = ledger.connection, EntryBytes(ledger)
    connection.create_scalar_function("raw_json", _of_entry(lines.json), 1)
    connection.create_scalar_function("raw_bytes", _of_entry(lines.line), 1)
    connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
    deadline = clock.monotonic() + timeout_seconds
    connection.set_progress_handler(lambda: clock.monotonic() > deadline, _STEPS_BETWEEN_LOOKS)
    connection.authorizer = _authorize


def _of_entry(find: Callable[[int], str | bytes | None]) -> Callable[..., str | bytes | None]:
    return lambda entry_id: find(entry_id) if isinstance(entry_id, int) else None


def _authorize(action: int, first: str | None, second: str | None, _database: str | None, _trigger: str | None) -> int:
    if action in _READS:
        allowed = True
    elif action == apsw.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in _REFUSED_FUNCTIONS
    elif action == apsw.SQLITE_PRAGMA:
        name = (first or "").lower()
        allowed = name in _PRAGMAS_ABOUT or (name in _PRAGMAS_ALONE and second is None)
    else:
        allowed = False
    return apsw.SQLITE_OK if allowed else apsw.SQLITE_DENY


def _only_statement(connection: apsw.Connection, query: str) -> _Statement:
    try:
        query.encode()
    except UnicodeEncodeError:
        raise UserError("the query is no UTF-8 text", "write it in UTF-8; other bytes can be given as x'...'") from None
    found: list[_Statement] = []
    rest = query
    while rest and len(found) < 2:
        text, statement = _prepared(connection, rest)
        rest = rest[len(text) :] if text else ""
        if statement is not None:
            found.append(statement)
    if not found:
        raise UserError("there is no query", "try: syncd sql 'SELECT path, lines FROM transcripts LIMIT 10'")
    if len(found) > 1:
        raise UserError("several statements in one query", "give them one at a time")
    if not found[0].is_readonly:
        raise _not_allowed()
    return found[0]


def _prepared(connection: apsw.Connection, query: str) -> tuple[str, _Statement | None]:
    """The text of the first statement and what it is; None for comments and blanks. Nothing is run."""
    seen: list[tuple[str, _Statement | None]] = []

    def note(cursor: apsw.Cursor, text: str, _bindings: object) -> bool:
        columns = tuple(column[0] for column in cursor.get_description()) if cursor.has_vdbe else ()
        seen.append((text, _Statement(text, columns, cursor.is_readonly) if cursor.has_vdbe else None))
        return False

    cursor = connection.cursor()
    cursor.exec_trace = note
    with suppress(apsw.ExecTraceAbort):
        cursor.execute(query)
    return seen[0] if seen else ("", None)


def _fetch(connection: apsw.Connection, statement: _Statement, max_rows: int) -> Answer:
    rows: list[tuple[Any, ...]] = []
    size, cut = 0, ""
    cursor = connection.cursor()
    for row in cursor.execute(statement.text):
        if len(rows) == max_rows:
            cut = f"only the first {max_rows} rows are shown; more with --limit"
            break
        size += sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
        if rows and size > _MAX_ANSWER_BYTES:
            cut = f"only the first {len(rows)} rows are shown: the answer is larger than {_MAX_ANSWER_BYTES >> 20} MiB"
            break
        rows.append(row)
    cursor.close(force=True)
    return Answer(statement.columns, rows, cut)


def _not_allowed() -> UserError:
    return UserError("only reading is allowed here", "`syncd sql` takes SELECT and a few PRAGMAs that show the schema")


def _fault(error: apsw.Error, query: str, path: Path) -> SyncdError:
    if isinstance(error, apsw.AuthError | apsw.ReadOnlyError) or str(error) == "not authorized":
        return _not_allowed()
    if (fault := translate(error, path)) is not None:
        return fault
    offset = getattr(error, "error_offset", -1)
    near = query.encode()[offset:].decode(errors="replace").split("\n", 1)[0] if offset >= 0 else ""
    hint = f"at: {near[:60]}" if near else ""
    return UserError(str(error), _HOW_TO_LIST if str(error).startswith("no such table") else hint)
