"""A checksum on every row that tells what nothing else in the ledger does: where, of what, and how it is kept.

A table of ours is guarded by having the column `checksum`: all else that is needed is read from the schema. Triggers
fill it, which live in our own connections only, so that other programs find plain tables; what those change shows as
damage. An update never makes a damaged row sound, but takes its checksum, which would prove what was there before:
`OUTDATED`. What is done about such rows is `row_mending`'s.

Of a transcript, when it last changed has a checksum of its own, in the upper half of the same number: an append, which
moves it, gives both at the price of four bytes. Lower halves alone are from before that.
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
TABLES: Final = frozenset({
    "_cut_results", "_hash_key", "_kept_out", "_tails", "cron_runs", "installations", "job_runs", "pins", "session_ids",
    "session_versions", "sessions", "sync_events", "tombstones", "transcripts",
})  # fmt: skip
"""By name: a table that somebody else has put into the ledger may have such a column, too."""
UNGUARDED: Final = {
    "transcripts": ("leaf_entry_id", "append_entry_id", "is_tree_due", "tip_turn_id", "bytes", "lines", "tail_bytes",
                    "open_bytes", "changed_at"),
}  # fmt: skip
"""What each appended line changes: it would pay for the checksum. All but the time, which has its own, is derived."""
TIMES: Final = "transcripts.changed_at"
"""The time, as a guarded table: its rows are known by the upper halves."""
_LOWER_HALF: Final = 0xFFFFFFFF
_COLUMNS: Final = """SELECT tables.name, columns.name, columns.type, columns.pk, tables.wr
    FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns
    WHERE tables.schema = 'main' AND tables.type = 'table' ORDER BY tables.name, columns.cid"""
_NULL, _INTEGER, _REAL, _BYTES = b"\0", 1, 2, 3
_pack_integer, _pack_real, _pack_length = (struct.Struct(form).pack for form in (">Bq", ">Bd", ">BQ"))
_FRAME_BYTES: Final = 9  # of bytes: their sort and their length

Value = int | float | bytes | None
"""Of a row as it is summed up: a text is its bytes, since one that is damaged may be no text any more."""


class Guarded(NamedTuple):
    """A table, with what its checksum is made of in the order of its columns."""

    table: str
    columns: tuple[str, ...]
    texts: frozenset[str]
    key: tuple[str, ...]
    has_row_ids: bool
    half: str = ""
    """lower or upper, where it shares a number with another."""

    def values(self, of: str = "") -> str:
        """As SQL; `of` is what stands before each name."""
        return ", ".join(self.value(name, of) for name in self.columns)

    def value(self, name: str, of: str = "") -> str:
        """One bit can make a text of any value: one that is none, even."""
        as_bytes = f"CAST({of}{name} AS BLOB)"
        return as_bytes if name in self.texts else f"iif(typeof({of}{name}) = 'text', {as_bytes}, {of}{name})"

    def sum_of(self, of: str = "") -> str:
        return f"{_FUNCTION}({self.values(of)})"

    def kept(self, of: str = "") -> str:
        """The checksum as it is kept; null where nothing was sealed yet."""
        whole = f"{of}{COLUMN}"
        if self.half == "upper":
            return f"iif({whole} >> 32 IN (0, {OUTDATED}), NULL, {whole} >> 32 & {_LOWER_HALF})"
        return f"iif({whole} = {OUTDATED}, {whole}, {whole} & {_LOWER_HALF})" if self.half else whole

    def keeping(self, checksum: str) -> str:
        """As an assignment; the other half stays."""
        if self.half == "upper":
            lower = f"coalesce({COLUMN}, 0) & {_LOWER_HALF}"
            whole = f"iif({COLUMN} = {OUTDATED}, {OUTDATED}, ({lower}) | ({checksum} << 32))"
        elif self.half:
            other = f"iif({COLUMN} = {OUTDATED}, 0, coalesce({COLUMN}, 0)) >> 32 << 32"
            whole = f"iif({checksum} = {OUTDATED}, {OUTDATED}, {other} | {checksum})"
        else:
            whole = checksum
        return f"{COLUMN} = {whole}"

    @property
    def is_damaged(self) -> str:
        if self.half == "upper":
            return f"{self.kept()} != {self.sum_of()}"
        return f"{self.kept()} IS NOT {self.sum_of()}"

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
    """So that no two rows are the same bytes; each value behind its sort, bytes behind their length too.

    Every row that is written pays for this, most of them twice: hence no function for one value.
    """
    parts: list[bytes] = []
    for value in values:
        if value is None:
            parts.append(_NULL)
        elif isinstance(value, int):
            parts.append(_pack_integer(_INTEGER, value))
        elif isinstance(value, float):
            parts.append(_pack_real(_REAL, value))
        else:
            parts += (_pack_length(_BYTES, len(value)), value)
    return b"".join(parts)


def encoded_value(value: Value) -> tuple[bytes, bytes]:
    """What frames it, and itself."""
    whole, frame = encoded((value,)), _FRAME_BYTES if isinstance(value, bytes) else 1
    return whole[:frame], whole[frame:]


def guarded_tables(connection: apsw.Connection) -> dict[str, Guarded]:
    """Of the schema as it is now, none where it is of before. What people added comes behind the checksum."""
    found: dict[str, list[tuple[str, str, int, int]]] = {}
    guarded = set()
    for table, *column in connection.execute(_COLUMNS):
        if table not in TABLES:
            continue
        if column[0] == COLUMN:
            guarded.add(table)
        elif table not in guarded and column[0] not in UNGUARDED.get(table, ()):
            found.setdefault(table, []).append(tuple(column))
    tables = {
        table: Guarded(
            table,
            tuple(name for name, *_ in columns),
            frozenset(name for name, kind, *_ in columns if kind == "TEXT"),
            tuple(name for name, _, place, _ in sorted(columns, key=lambda each: each[2]) if place),
            not columns[0][3],
            "lower" if TIMES.startswith(f"{table}.") else "",
        )
        for table, columns in found.items()
        if table in guarded
    }
    table, _, column = TIMES.partition(".")
    if table in tables:
        tables[TIMES] = Guarded(table, ("id", column), frozenset(), ("id",), has_row_ids=True, half="upper")
    return tables


def know_checksums(connection: apsw.Connection) -> None:
    """The function, for whoever asks: a reader too."""

    def of_arguments(*values: SQLiteValue) -> int:
        return row_checksum(*values)  # type: ignore[arg-type]  # texts are cast to blobs

    connection.create_scalar_function(_FUNCTION, of_arguments, deterministic=True, flags=apsw.SQLITE_INNOCUOUS)


def keep_checksums(connection: apsw.Connection) -> None:
    """From here on this connection seals what it writes. A row that comes with a checksum, as a copy does, keeps it."""
    know_checksums(connection)
    tables = guarded_tables(connection)
    for each in tables.values():
        if each.half == "upper":
            continue
        this = " AND ".join(f"{name} = NEW.{name}" for name in each.key)
        old, new = each.sum_of("OLD."), each.sum_of("NEW.")
        outdated = f"iif({each.kept('OLD.')} IS {old}, {new}, {OUTDATED})"
        connection.execute(
            f"""CREATE TEMP TRIGGER IF NOT EXISTS _seal_new_{each.table} AFTER INSERT ON main.{each.table}
            WHEN NEW.{COLUMN} IS NULL
            BEGIN UPDATE {each.table} SET {each.keeping(new)} WHERE {this}; END;
            CREATE TEMP TRIGGER IF NOT EXISTS _seal_{each.table}
            AFTER UPDATE OF {", ".join(each.columns)} ON main.{each.table}
            WHEN {each.kept("NEW.")} IS NOT {new} AND {old} IS NOT {new}
            BEGIN UPDATE {each.table} SET {each.keeping(outdated)} WHERE {this}; END"""
        )
    if TIMES in tables:
        _keep_times(connection, tables[TIMES])


def _keep_times(connection: apsw.Connection, times: Guarded) -> None:
    """Whoever moves one and the checksum with it, as an append does, has sealed it."""
    seal = f"UPDATE {times.table} SET {times.keeping(times.sum_of('NEW.'))} WHERE id = NEW.id"
    connection.execute(
        f"""CREATE TEMP TRIGGER IF NOT EXISTS _seal_new_time AFTER INSERT ON main.{times.table}
        WHEN NEW.{COLUMN} IS NULL BEGIN {seal}; END;
        CREATE TEMP TRIGGER IF NOT EXISTS _seal_time AFTER UPDATE OF {times.columns[1]} ON main.{times.table}
        WHEN NEW.{COLUMN} IS OLD.{COLUMN} AND NEW.{times.columns[1]} IS NOT OLD.{times.columns[1]}
        BEGIN {seal}; END"""
    )


def seal_unsealed(connection: apsw.Connection) -> None:
    """Rows of before there were checksums, or of before their table had a column more."""
    know_checksums(connection)
    for each in guarded_tables(connection).values():
        connection.execute(f"UPDATE {each.table} SET {each.keeping(each.sum_of())} WHERE {each.kept()} IS NULL")
