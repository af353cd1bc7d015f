"""Rows of dropped lines that are not those of their seal, put right: by the seal itself, or by a copy of the ledger.

Whatever is put there has the seal's sha256, so it is what was there. A single changed byte is found by the CRC-32, as
in `row_correction`; else the newest copy whose rows fit gives all of them, also one from before the drop: what was said
in them stays dropped. What nothing proves stays as it is, is told in `sync_events` once, and sealed anew.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import apsw

from syncd.ledger.damage import rewrites
from syncd.ledger.derived import without_foreign_keys
from syncd.ledger.events import note_event
from syncd.ledger.originals import keep_ids_again, part_from, rejoin
from syncd.ledger.past_seals import (
    BY_LINE,
    ODD_CALL,
    SEALED,
    Seal,
    broken_seals,
    past_rows,
    seal_past,
    sealed_transcripts,
    seals_of,
)
from syncd.ledger.row_audit import DamagedRow
from syncd.ledger.row_correction import correction
from syncd.ledger.row_mending import MendedRows, opened
from syncd.ledger.transaction import writing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from syncd.ledger.database import Ledger
    from syncd.ledger.past_seals import PastRow
    from syncd.ledger.row_checksums import Value

_BY_SEAL, _BY_COPY, _KEPT = "seal", "backup", "kept"
_AT = "SELECT id FROM {} WHERE transcript_id = ? AND byte_offset = ? AND generation = ?"
_PAST = "SELECT id FROM {} WHERE transcript_id = ? AND superseded_in = ?"
_IMPOSSIBLE = """SELECT id FROM {} WHERE transcript_id = ?1 AND superseded_in = ?2 AND NOT (generation >= 1
    AND generation < ?2 AND byte_offset >= ?3 AND byte_length > 0 AND byte_offset + byte_length <= ?4)"""
_ANSWERS = """SELECT messages.id FROM entries CROSS JOIN messages ON messages.id = entries.id
    WHERE entries.transcript_id = ? AND superseded_in = ? AND role = 'assistant'"""
_REST = f"""UPDATE tool_calls SET status = 'missing_result', is_error = NULL, finished_at = NULL WHERE {ODD_CALL}
    AND message_id IN (SELECT id FROM entries WHERE transcript_id = ? AND superseded_in = ?)"""
_FORGET = "INSERT INTO search (search, rowid, text) SELECT 'delete', id, text FROM _searchable WHERE id = ?"
# Of what went, or may have changed since: as it is in lines of the past, all at rest.
_BESIDE = {"quarantine": {"raw": "x''"}, "tool_calls": {"status": "'missing_result'"}}


def mend_past(
    ledger: Ledger, transcript_ids: Iterable[int], copies: Iterable[Path], now_ms: int, *, only_proven: bool = False
) -> MendedRows:  # fmt: skip
    """`copies`: of the ledger, the newest first. Nothing of the writer's may wait to be committed."""
    done = MendedRows()
    with ExitStack() as stack:
        others = [copy for path in copies if (copy := opened(path, stack)) is not None]
        for transcript_id in transcript_ids:
            for superseded_in, seal in broken_seals(ledger, transcript_id).items():
                with without_foreign_keys(ledger), writing(ledger):
                    how = _mend(ledger, transcript_id, superseded_in, seal, others)
                    if how is None and only_proven:
                        continue
                    detail = {"action": "past_rows", "generation": superseded_in, "by": how or _KEPT}
                    note_event(ledger, now_ms, "repair", transcript_id, detail)
                    if how is None:
                        _remove_impossible(ledger, transcript_id, superseded_in)
                        seal_past(ledger, transcript_id, superseded_in, now_ms)
                        which = f"transcript {transcript_id}, superseded in generation {superseded_in}"
                        done.doubtful.append(DamagedRow(f"rows of dropped lines of {which}", ()))
                    else:
                        done.right += 1
    return done


def mend_copy(ledger: Ledger, copies: Iterable[Path], now_ms: int, *, only_proven: bool = False) -> MendedRows:
    """In all transcripts of a ledger that is to take another's place."""
    return mend_past(ledger, sealed_transcripts(ledger), copies, now_ms, only_proven=only_proven)


def _mend(
    ledger: Ledger, transcript_id: int, superseded_in: int, seal: Seal, copies: list[apsw.Connection]
) -> str | None:  # fmt: skip
    """How; None: nothing tells what they were. Which answers repeat which is told by the rows as they are then."""
    connection = ledger.connection
    parted = part_from(connection, transcript_id)
    how = _put_right(connection, transcript_id, superseded_in, seal, copies)
    keep_ids_again(connection, transcript_id)
    rejoin(connection, sorted({*parted, *_ids(connection, _ANSWERS, (transcript_id, superseded_in))}))
    return how


def _put_right(
    connection: apsw.Connection, transcript_id: int, superseded_in: int, seal: Seal, copies: list[apsw.Connection]
) -> str | None:  # fmt: skip
    connection.execute(_REST, (transcript_id, superseded_in))
    found = list(past_rows(connection, transcript_id, superseded_in))
    if seals_of(found).get(superseded_in, Seal()) == seal or _undo(connection, found, seal):
        return _BY_SEAL
    for copy in copies:
        with suppress(apsw.Error, UnicodeDecodeError):  # damaged itself, or of a schema that knew no such columns
            rows = list(past_rows(copy, transcript_id, superseded_in))
            if seals_of(rows).get(superseded_in) == seal:
                _replace(connection, transcript_id, superseded_in, rows)
                return _BY_COPY
    return None


def _undo(connection: apsw.Connection, rows: list[PastRow], seal: Seal) -> bool:
    """One byte of one value, as it was."""
    told = [(number, column) for number, row in enumerate(rows) for column in range(len(row.told()))]
    found = correction(tuple(value for row in rows for value in row.told()), seal.crc32)
    if found is None:
        return False
    number, column = told[found.column]
    row = rows[number]
    column -= len(row.told()) - len(row.values)
    if column < 0:
        return False  # the place of its line, which is no value of a row
    right = row._replace(values=(*row.values[:column], found.value, *row.values[column + 1 :]))
    if seals_of([*rows[:number], right, *rows[number + 1 :]]).get(row.superseded_in) != seal:
        return False
    update = f"UPDATE {row.table} SET {SEALED[row.table][column]} = {_bound(found.value)} WHERE id = ?"
    try:
        connection.execute(update, (found.value, row.id))
    except apsw.ConstraintError:
        return False
    return True


def _replace(connection: apsw.Connection, transcript_id: int, superseded_in: int, rows: list[PastRow]) -> None:
    """These in place of those that are there. What refers to a line by its id still does."""
    ids: dict[tuple[Value, ...], int] = {}
    for table in BY_LINE:
        for line in [row.line for row in rows if row.table == table]:
            for row_id in _ids(connection, _AT.format(table), (transcript_id, *line)):
                _remove_line(connection, table, row_id)
                ids |= {line: row_id} if table == "entries" else {}
        for row_id in _ids(connection, _PAST.format(table), (transcript_id, superseded_in)):
            _remove_line(connection, table, row_id)
    kept = frozenset(ids.values())
    for row in rows:
        if row.table == "entries" and row.line not in ids:
            ids[row.line] = _free_id(connection, row.id, kept)
        own_id = ids[row.line] if row.table not in ("quarantine", "tool_calls") else None
        beside = dict(_BESIDE.get(row.table, {}))
        if row.table == "tool_calls":
            beside["message_id"] = str(ids[row.line])
        names = ", ".join(["id", *SEALED[row.table], *beside])
        values = ", ".join(["?", *map(_bound, row.values), *beside.values()])
        connection.execute(f"INSERT OR REPLACE INTO {row.table} ({names}) VALUES ({values})", (own_id, *row.values))


def _remove_impossible(ledger: Ledger, transcript_id: int, superseded_in: int) -> None:
    """Lines that cannot have been superseded then: no check would ever call the ledger sound again."""
    spans = [each for each in rewrites(ledger, transcript_id) if each.generation == superseded_in]
    start, end = (spans[-1].start, spans[-1].end) if spans else (0, 1 << 62)
    for table in BY_LINE:
        lines = (transcript_id, superseded_in, start, end)
        for row_id in _ids(ledger.connection, _IMPOSSIBLE.format(table), lines):
            _remove_line(ledger.connection, table, row_id)


def _ids(connection: apsw.Connection, query: str, bindings: tuple[Value, ...]) -> list[int]:
    return [row[0] for row in connection.execute(query, bindings)]


def _remove_line(connection: apsw.Connection, table: str, row_id: int) -> None:
    if table == "entries":
        connection.execute(_FORGET, (row_id,))
        connection.execute("DELETE FROM tool_calls WHERE message_id = ?", (row_id,))
        for typed in SEALED.keys() - {*BY_LINE, "tool_calls"}:
            connection.execute(f"DELETE FROM {typed} WHERE id = ?", (row_id,))
    connection.execute(f"DELETE FROM {table} WHERE id = ?", (row_id,))


def _free_id(connection: apsw.Connection, wanted: int, kept: frozenset[int]) -> int:
    """The one that it had, unless another line has it by now. `kept`: those of lines that are still to come."""
    if wanted not in kept and connection.execute("SELECT 1 FROM entries WHERE id = ?", (wanted,)).get is None:
        return wanted
    last: int | None = connection.execute("SELECT max(id) FROM entries").get
    return max((last or 0, *kept)) + 1


def _bound(value: Value) -> str:
    return "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"
