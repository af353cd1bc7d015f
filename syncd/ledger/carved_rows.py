"""Rows of guarded tables out of a file whose schema cannot be read: their own checksum proves what they are, and whose.

For tables that cannot be asked in SQL, and those alone: a page that is free by now may hold a row as it was before.
Tables without row ids are kept as indexes are, and not found here. Only reads.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import apsw

from syncd.ledger.row_checksums import COLUMN, guarded_tables, row_checksum

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from syncd.ledger.carving import Pages
    from syncd.ledger.database import Ledger


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
    asked = {table: known[table] for table in tables if table in known and known[table].has_row_ids}
    columns = {table: [str(row[1]) for row in ledger.execute(f"PRAGMA table_info({table})")] for table in asked}
    found: dict[str, dict[int, tuple[Any, ...]]] = {table: {} for table in asked}
    counts = {len(names) for names in columns.values()}

    for record in pages.records(lambda types: len(types) in counts):
        values = pages.values(record)
        if values is None:
            continue
        for table, names in columns.items():
            row = dict(zip(names, values, strict=True)) if len(names) == len(values) else {}
            (key,) = asked[table].key
            row |= {key: record.row_id}
            if row.get(COLUMN) is None or any(name not in row for name in asked[table].columns):
                continue
            if row_checksum(*(_summed_up(row[name]) for name in asked[table].columns)) == row[COLUMN]:
                found[table][record.row_id] = tuple(row[name] for name in names)
    return {table: list(rows.values()) for table, rows in found.items()}


def _summed_up(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value
