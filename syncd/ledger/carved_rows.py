"""Rows of guarded tables out of a file whose schema cannot be read: their checksum proves what they are, types whose.

For tables that cannot be asked in SQL, and those alone: a page that is free by now may hold a row as it was before.
Only reads.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import apsw

from syncd.ledger.row_checksums import COLUMN, guarded_tables, row_checksum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from syncd.ledger.carving import Pages, Types
    from syncd.ledger.database import Ledger
    from syncd.ledger.row_checksums import Guarded

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "INTEGER": (int,), "TEXT": (str,), "BLOB": (bytes,), "REAL": (int, float),
}  # fmt: skip
_HASH_KEY_BYTES: Final = 32


def is_askable(path: Path, table: str) -> bool:
    """Can SQL reach it, whatever pages of it are damaged?"""
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
            connection.execute("PRAGMA writable_schema = ON")  # as `remains` asks: a wrong letter hides its table alone
            connection.execute(f"SELECT 1 FROM {table} LIMIT 0").fetchall()
            return True
    except apsw.Error:
        return False


def carved_rows(pages: Pages, ledger: Ledger, tables: Iterable[str]) -> dict[str, list[tuple[Any, ...]]]:
    """By table, in the order of its columns in `ledger`, which is of the present schema."""
    known = guarded_tables(ledger.connection)
    asked = [known[table] for table in tables if table in known]
    kinds = {each.table: _kinds(ledger, each.table) for each in asked}
    columns = {table: list(of) for table, of in kinds.items()}
    found: dict[str, dict[object, tuple[Any, ...]]] = {each.table: {} for each in asked}
    for has_row_ids, records in ((True, pages.records), (False, pages.index_records)):
        meant = [(each, _stored_order(each, columns[each.table])) for each in asked if each.has_row_ids == has_row_ids]
        for record in records(_of_so_many({len(names) for _, names in meant})):
            values = pages.values(record)
            if values is None:
                continue
            for each, names in meant:
                if len(names) != len(values):
                    continue
                row = dict(zip(names, values, strict=True))
                row |= {each.key[0]: record.row_id} if has_row_ids else {}
                if _is_of(each.table, kinds[each.table], row) and _is_proven(each, row):
                    key = tuple(row[name] for name in each.key)
                    found[each.table][key] = tuple(row[name] for name in columns[each.table])
    return {table: list(rows.values()) for table, rows in found.items()}


def _kinds(ledger: Ledger, table: str) -> dict[str, str]:
    """By column, in their order."""
    return {str(row[1]): str(row[2]) for row in ledger.execute(f"PRAGMA table_info({table})")}


def _is_of(table: str, kinds: dict[str, str], row: dict[str, Any]) -> bool:
    """Could it be this table's? A checksum proves the values, not where they belong: others may have as many."""
    if any(value is not None and not isinstance(value, _TYPES.get(kinds[name], object)) for name, value in row.items()):
        return False
    # The one pair that no type tells apart. A tail of this very length is read again from its file.
    return table != "_tails" or row["transcript_id"] != 1 or len(row["data"] or b"") != _HASH_KEY_BYTES


def _of_so_many(columns: set[int]) -> Callable[[Types], bool]:
    return lambda types: len(types) in columns


def _stored_order(table: Guarded, columns: list[str]) -> list[str]:
    """Without row ids the columns of the key come first."""
    if table.has_row_ids:
        return columns
    return [*table.key, *(name for name in columns if name not in table.key)]


def _is_proven(table: Guarded, row: dict[str, Any]) -> bool:
    if row.get(COLUMN) is None or any(name not in row for name in table.columns):
        return False
    return bool(row_checksum(*(_summed_up(row[name]) for name in table.columns)) == row[COLUMN])


def _summed_up(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value
