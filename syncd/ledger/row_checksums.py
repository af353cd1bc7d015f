"""A checksum on every row that tells what nothing else in the ledger does: where, of what, and how it is kept.

A table is guarded by having the column `checksum`: all that is needed is read from the schema. Triggers fill it, which
live in our own connections only, so that other programs find plain tables; what those change shows as damage. An update
never makes a damaged row sound, but takes its checksum, which would prove what was there before: `OUTDATED`. What is
done about such rows is `row_mending`'s.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

import apsw

if TYPE_CHECKING:
    from apsw import SQLiteValue

COLUMN: Final = "checksum"
OUTDATED: Final = -1
"""In a checksum's place, and never one: the row was damaged, then changed. Nothing can prove what it was to be."""
_FUNCTION: Final = "row_checksum"
UNGUARDED: Final = {
    "transcripts": ("leaf_entry_id", "append_entry_id", "is_tree_due", "tip_turn_id", "bytes", "lines", "tail_bytes",
                    "open_bytes", "changed_at"),
}  # fmt: skip
"""What each appended line changes: it would pay for the checksum, and all but the time can be derived."""
_COLUMNS: Final = """SELECT tables.name, columns.name, columns.type, columns.pk, tables.wr
    FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns
    WHERE tables.schema = 'main' AND tables.type = 'table' ORDER BY tables.name, columns.cid"""
_NULL, _INTEGER, _REAL, _BYTES = b"\0", b"\1", b"\2", b"\3"

Value = int | float | bytes | None
"""Of a row as it is summed up: a text is its bytes, since one that is damaged may be no text any more."""


class Guarded(NamedTuple):
    """A table, with what its checksum is made of in the order of its columns."""

    table: str
    columns: tuple[str, ...]
    texts: frozenset[str]
    key: tuple[str, ...]
    has_row_ids: bool

    def values(self, of: str = "") -> str:
        """As SQL; `of` is what stands before each name."""
        return ", ".join(self.value(name, of) for name in self.columns)

    def value(self, name: str, of: str = "") -> str:
        """One bit can make a text of any value: one that is none, even."""
        as_bytes = f"CAST({of}{name} AS BLOB)"
        return as_bytes if name in self.texts else f"iif(typeof({of}{name}) = 'text', {as_bytes}, {of}{name})"

    def sum_of(self, of: str = "") -> str:
        return f"{_FUNCTION}({self.values(of)})"

    @property
    def is_damaged(self) -> str:
        return f"{COLUMN} IS NOT {self.sum_of()}"

    @property
    def is_this(self) -> str:
        """As a condition, with a binding for each value of the key."""
        return " AND ".join(f"{name} = {self._bound(name)}" for name in self.key)

    def assignment(self, name: str) -> str:
        return f"{name} = {self._bound(name)}"

    def _bound(self, name: str) -> str:
        return "CAST(? AS TEXT)" if name in self.texts else "?"


def row_checksum(*values: Value) -> int:
    return crc32(encoded(values))


def encoded(values: tuple[Value, ...]) -> bytes:
    """So that no two rows are the same bytes; each value behind its sort, bytes behind their length too."""
    return b"".join([part for value in values for part in encoded_value(value)])


def encoded_value(value: Value) -> tuple[bytes, bytes]:
    """What frames it, and itself."""
    if value is None:
        return _NULL, b""
    if isinstance(value, int):
        return _INTEGER, value.to_bytes(8, "big", signed=True)
    if isinstance(value, float):
        return _REAL, struct.pack(">d", value)
    return _BYTES + len(value).to_bytes(8, "big"), value


def guarded_tables(connection: apsw.Connection) -> dict[str, Guarded]:
    """Of the schema as it is now, none where it is of before."""
    found: dict[str, list[tuple[str, str, int, int]]] = {}
    guarded = set()
    for table, *column in connection.execute(_COLUMNS):
        if column[0] == COLUMN:
            guarded.add(table)
        elif column[0] not in UNGUARDED.get(table, ()):
            found.setdefault(table, []).append(tuple(column))
    return {
        table: Guarded(
            table,
            tuple(name for name, *_ in columns),
            frozenset(name for name, kind, *_ in columns if kind == "TEXT"),
            tuple(name for name, _, place, _ in sorted(columns, key=lambda each: each[2]) if place),
            not columns[0][3],
        )
        for table, columns in found.items()
        if table in guarded
    }


def know_checksums(connection: apsw.Connection) -> None:
    """The function, for whoever asks: a reader too."""

    def of_arguments(*values: SQLiteValue) -> int:
        return row_checksum(*values)  # type: ignore[arg-type]  # texts are cast to blobs

    connection.create_scalar_function(_FUNCTION, of_arguments, deterministic=True, flags=apsw.SQLITE_INNOCUOUS)


def keep_checksums(connection: apsw.Connection) -> None:
    """From here on this connection seals what it writes. A row that comes with a checksum, as a copy does, keeps it."""
    know_checksums(connection)
    for each in guarded_tables(connection).values():
        this = " AND ".join(f"{name} = NEW.{name}" for name in each.key)
        connection.execute(
            f"""CREATE TEMP TRIGGER IF NOT EXISTS _seal_new_{each.table} AFTER INSERT ON main.{each.table}
            WHEN NEW.{COLUMN} IS NULL
            BEGIN UPDATE {each.table} SET {COLUMN} = {each.sum_of("NEW.")} WHERE {this}; END;
            CREATE TEMP TRIGGER IF NOT EXISTS _seal_{each.table}
            AFTER UPDATE OF {", ".join(each.columns)} ON main.{each.table}
            WHEN NEW.{COLUMN} IS NOT {each.sum_of("NEW.")} AND {each.sum_of("OLD.")} IS NOT {each.sum_of("NEW.")}
            BEGIN UPDATE {each.table} SET {COLUMN} =
            iif(OLD.{COLUMN} IS {each.sum_of("OLD.")}, {each.sum_of("NEW.")}, {OUTDATED}) WHERE {this}; END"""
        )


def seal_unsealed(connection: apsw.Connection) -> None:
    """Rows of before there were checksums, or of before their table had a column more."""
    know_checksums(connection)
    for each in guarded_tables(connection).values():
        connection.execute(f"UPDATE {each.table} SET {COLUMN} = {each.sum_of()} WHERE {COLUMN} IS NULL")
