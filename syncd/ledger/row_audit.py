"""Which rows are not what their checksum says: all of them, or as many as there is time for. Only reads."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.ledger.row_checksums import TIMES, guarded_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.row_checksums import Guarded

_AT_ONCE = 500
_BEFORE_ALL = -(1 << 63)
"""An id that changed may be none that is ever given: 0, or below."""


class DamagedRow(NamedTuple):
    table: str
    key: tuple[Any, ...]
    """Texts as bytes. Empty: `table` names rows of several."""

    @property
    def name(self) -> str:
        shown = (part.hex() if isinstance(part, bytes) else str(part) for part in self.key)
        return f"{self.table} row {', '.join(shown)}" if self.key else self.table


def damaged_rows(ledger: Ledger, tables: Iterable[str] | None = None) -> Iterator[DamagedRow]:
    """Of these tables, or of all that are guarded."""
    known = guarded_tables(ledger.connection)
    for guarded in known.values() if tables is None else (known[table] for table in tables):
        for _, found in _in_parts(ledger, guarded, _BEFORE_ALL):
            yield from found


def audit_rows(ledger: Ledger, audited_to: str, is_over: Callable[[], bool]) -> tuple[list[DamagedRow], str]:
    """From there on, until it is over; and how far it came: "" = to the end. At least a part is looked at."""
    first, _, last_id = audited_to.partition(" ")
    known = guarded_tables(ledger.connection)
    tables = sorted(table for table in known if table >= first)
    damaged: list[DamagedRow] = []
    for table, next_table in zip_longest(tables, tables[1:], fillvalue=""):
        begin = int(last_id) if table == first and last_id else _BEFORE_ALL
        for end, found in _in_parts(ledger, known[table], begin):
            damaged += found
            if is_over():
                return damaged, next_table if end is None else f"{table} {end}"
    return damaged, ""


def _in_parts(ledger: Ledger, guarded: Guarded, last_id: int) -> Iterator[tuple[int | None, list[DamagedRow]]]:
    """Each with the id of its last row, None = of the table's. Tables without ids are one part: few are so large."""
    names = ", ".join(map(guarded.value, guarded.key))
    query = f"SELECT {names} FROM {guarded.table} WHERE {guarded.is_damaged}"
    name = TIMES if guarded.half == "upper" else guarded.table
    if not guarded.has_row_ids:
        yield None, [DamagedRow(name, row) for row in ledger.execute(query)]
        return
    (own,) = guarded.key
    next_part = f"""SELECT max({own}), count(*) FROM (
        SELECT {own} FROM {guarded.table} WHERE {own} > ? ORDER BY {own} LIMIT {_AT_ONCE})"""
    count = _AT_ONCE
    while count == _AT_ONCE:
        end, count = ledger.row(next_part, (last_id,)) or (None, 0)
        part = ledger.execute(f"{query} AND {own} > ? AND {own} <= ?", (last_id, end))
        last_id = end
        yield end if count == _AT_ONCE else None, [DamagedRow(name, found) for found in part]
