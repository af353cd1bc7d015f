"""Is the schema, which SQLite keeps as text, still the text that our migrations made? And flipped bytes of it undone.

One letter there can hide a table, or turn a column into a comment: then SQLite calls the file malformed, or reads and
writes every row of a table as something else. What differs from a migration's text in more than a few bytes is no
damage but another's doing, or an earlier text of ours, and stays.
"""

from __future__ import annotations

from contextlib import closing, suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import apsw

from syncd.ledger.faults import translated
from syncd.ledger.migrate import bring_forward, current_version, schema_version

if TYPE_CHECKING:
    from pathlib import Path

_ROWS = """SELECT rowid, CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)
    FROM sqlite_schema"""
_PUT = """UPDATE sqlite_schema SET type = CAST(? AS TEXT), name = CAST(? AS TEXT), tbl_name = CAST(? AS TEXT),
    sql = CAST(? AS TEXT) WHERE rowid = ?"""
_MOST_FLIPPED = 16
"""Bytes of one row. By far not what an edit of ours, of the same length, would leave."""

_Row = tuple[bytes | None, ...]
"""type, name, tbl_name, sql."""


class FlippedRow(NamedTuple):
    row_id: int
    right: _Row

    @property
    def name(self) -> str:
        return (self.right[1] or b"").decode()


def flipped_rows(connection: apsw.Connection) -> list[FlippedRow]:
    """Of a ledger of the present schema. SQLite's own fault where it cannot read the schema at all."""
    if schema_version(connection) != current_version():
        return []
    found = {row_id: tuple(row) for row_id, *row in connection.execute(_ROWS)}
    right, present = _right_rows(), {*found.values()}
    strange = {row_id: row for row_id, row in found.items() if row not in right}
    return [
        FlippedRow(row_id, each)
        for each in right
        if each not in present
        for row_id, row in strange.items()
        if _is_flipped(row, each)
    ]


def mend_schema(path: Path) -> list[str]:
    """The names of what was put right. The caller holds the writer lock, and has closed the ledger."""
    with translated(path), closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        with suppress(apsw.Error):  # the first one is refused; the next sees what of the schema could be read
            connection.execute(_ROWS)
        flipped = flipped_rows(connection)
        if flipped:
            with connection:
                for each in flipped:
                    connection.execute(_PUT, (*each.right, each.row_id))
    return [each.name for each in flipped]


@cache
def _right_rows() -> frozenset[_Row]:
    with closing(apsw.Connection(":memory:")) as connection:
        bring_forward(connection)
        return frozenset(tuple(row) for _, *row in connection.execute(_ROWS))


def _is_flipped(row: _Row, right: _Row) -> bool:
    one, other = (b"\0".join(part or b"" for part in each) for each in (row, right))
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) <= _MOST_FLIPPED
