"""Rows that are not what their checksum says, put right: exactly where a backup or the checksum itself tells how.

A backup's value is proven by the row's own checksum, whatever became of the row since. Failing that, a single changed
byte is undone. Failing that too, a backup's row as it was then is better than a damaged one, but not of `sessions`:
OpenClaw's index knows those better. What nothing tells stays as it is. Each is told in `sync_events`, and sealed anew.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import apsw

from syncd.ledger.events import note_event
from syncd.ledger.row_audit import damaged_rows
from syncd.ledger.row_checksums import OUTDATED, guarded_tables, know_checksums, row_checksum
from syncd.ledger.row_correction import correction, is_only_the_sum_damaged
from syncd.ledger.sessions import distrust_entries
from syncd.ledger.transaction import writing
from syncd.openclaw.session_entries import entry_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from syncd.ledger.database import Ledger
    from syncd.ledger.row_audit import DamagedRow
    from syncd.ledger.row_checksums import Guarded, Value

SESSIONS = "sessions"
_WITH_NAMES = ("transcripts", "sessions", "session_ids", "cron_runs", "pins", "tombstones", "_kept_out", "_hash_key")
_BY_CHECKSUM, _BY_BACKUP, _OLDER, _INDEX, _KEPT = "checksum", "backup", "older_backup", "index", "kept"
_MOST_UNSEEN_BYTES = 64 * 1024
"""Of what has no form that would show a damage. Of as many, one damage in 250 looks like that of a single byte."""
# It only grows, and raw bytes are laid out by it.
_TOLD_GENERATION = """UPDATE transcripts SET generation = told.last FROM (SELECT transcript_id AS id,
    max(max(generation, coalesce(superseded_in, 0))) AS last FROM _blocks WHERE transcript_id = ?) AS told
    WHERE transcripts.id = told.id AND generation < told.last"""
# Where a transcript lies by now, and how it ends, its file tells; its rows are derived anew.
_DISTRUST_FILES = "UPDATE _files SET is_proven = 0, ctime_ns = 0, scanned = 0 WHERE transcript_id = ?"
_DOUBT = {
    "_tails": (_DISTRUST_FILES,),
    "transcripts": (
        _DISTRUST_FILES, _TOLD_GENERATION, "UPDATE transcripts SET projection = -abs(projection) WHERE id = ?",
    ),
}  # fmt: skip
_IS_PURGE_UNDER_WAY = "SELECT 1 FROM tombstones WHERE scoured_at IS NULL LIMIT 1"
_IS_REMOVED = "SELECT status = 'removed' FROM sessions WHERE id = ?"


@dataclass(slots=True)
class MendedRows:
    right: int = 0
    """Exactly what was written, by proof."""
    doubtful: list[DamagedRow] = field(default_factory=list)
    """As a backup had them, or as they are: nothing proves that."""
    sessions: list[int] = field(default_factory=list)
    """To be made again from what their entries, their versions and OpenClaw's index say."""

    @property
    def in_doubt(self) -> int:
        """Where no index is asked."""
        return len(self.doubtful) + len(self.sessions)


@dataclass(frozen=True, slots=True)
class _Row:
    values: tuple[Value, ...]
    checksum: int | None

    def fits(self, values: tuple[Value, ...]) -> bool:
        return row_checksum(*values) == self.checksum


def mend_names(ledger: Ledger, backups: Iterable[Path], now_ms: int) -> None:
    """By which sessions are known: one with a wrong letter would stay where the session is purged. What nothing proves
    is left as it is, to a repair.
    """
    damaged = list(damaged_rows(ledger, _WITH_NAMES))
    if damaged:
        mend_rows(ledger, damaged, backups, now_ms, only_proven=True)


def mend_rows(
    ledger: Ledger, damaged: Iterable[DamagedRow], backups: Iterable[Path], now_ms: int, *, only_proven: bool = False
) -> MendedRows:  # fmt: skip
    """`backups`: the newest first. Nothing of the writer's may wait to be committed."""
    done, tables = MendedRows(), guarded_tables(ledger.connection)
    with ExitStack() as stack:
        copies = [copy for path in backups if (copy := opened(path, stack)) is not None]
        for each in damaged:
            with writing(ledger):
                how = _mend(ledger, tables[each.table], each, copies, now_ms, only_proven=only_proven)
            if how in (_BY_CHECKSUM, _BY_BACKUP):
                done.right += 1
            elif how == _INDEX:
                done.sessions.append(each.key[0])
            elif how is not None:
                done.doubtful.append(each)
    return done


def _mend(
    ledger: Ledger, guarded: Guarded, damaged: DamagedRow, copies: list[apsw.Connection], now_ms: int, *,
    only_proven: bool,
) -> str | None:  # fmt: skip
    """How; None where nothing is wrong with it any more, or nothing was done."""
    row = _read(ledger.connection, guarded, damaged.key)
    if row is None or row.fits(row.values):
        return None
    ways: tuple[tuple[str, Callable[[], tuple[Value, ...] | None]], ...] = (
        (_BY_CHECKSUM, lambda: _with_other_sum(row)),
        (_BY_BACKUP, lambda: _proven_by_backup(guarded, damaged, row, copies)),
        (_BY_CHECKSUM, lambda: _corrected(guarded, row)),
        (_OLDER, lambda: _as_it_was(ledger, guarded, damaged, row, copies)),
    )
    how, values = _KEPT, row.values
    for way, find in ways[:-1] if only_proven else ways:
        found = find()
        if found is not None and _put(ledger, guarded, damaged, found):
            how, values = way, found
            break
    else:
        if only_proven:
            return None
        _seal(ledger, guarded, damaged)
        if guarded.table == SESSIONS and ledger.row(_IS_REMOVED, damaged.key) == (0,):
            how = _INDEX
    if how in (_OLDER, _KEPT, _INDEX):
        _leave_in_doubt(ledger, guarded, damaged)
    pairs = zip(guarded.columns, row.values, values, strict=True)
    changed = [name for name, before, after in pairs if before != after]
    shown = [part.hex() if isinstance(part, bytes) else part for part in damaged.key]
    detail = {"action": "checksums", "table": guarded.table, "row": shown, "by": how, "columns": changed}
    note_event(ledger, now_ms, "repair", None, detail)
    return how


def _leave_in_doubt(ledger: Ledger, guarded: Guarded, damaged: DamagedRow) -> None:
    """What others know of it is to be asked, also where a crash lets nobody here do so: the row counts as sound now."""
    if guarded.table == SESSIONS:
        distrust_entries(ledger.connection, damaged.key)
    for statement in _DOUBT.get(damaged.table, ()):
        ledger.connection.execute(statement, damaged.key)


def _with_other_sum(row: _Row) -> tuple[Value, ...] | None:
    is_so = row.checksum is not None and is_only_the_sum_damaged(row.values, row.checksum)
    return row.values if is_so else None


def _proven_by_backup(
    guarded: Guarded, damaged: DamagedRow, row: _Row, copies: list[apsw.Connection]
) -> tuple[Value, ...] | None:  # fmt: skip
    """With one value of a backup's, or with all of them: the rest may have changed since."""
    for copy in copies:
        kept = _read(copy, guarded, damaged.key)
        if kept is None:
            continue
        if row.fits(kept.values) or (row.checksum is None and kept.fits(row.values)):
            return kept.values
        for column, value in enumerate(kept.values):
            values = (*row.values[:column], value, *row.values[column + 1 :])
            if row.fits(values):
                return values
    return None


def _corrected(guarded: Guarded, row: _Row) -> tuple[Value, ...] | None:
    found = correction(row.values, row.checksum) if row.checksum is not None else None
    if found is None:
        return None
    values = (*row.values[: found.column], found.value, *row.values[found.column + 1 :])
    return values if _can_be(guarded, values) else None


def _can_be(guarded: Guarded, values: tuple[Value, ...]) -> bool:
    """Of a long row with many damaged bytes, one that is whole often fits the checksum too: the damage stays then."""
    unseen = 0
    for name, value in zip(guarded.columns, values, strict=True):
        if not isinstance(value, bytes):
            continue
        try:
            text = value.decode() if name in guarded.texts else ""
            if name in guarded.texts and name.endswith("_json"):
                entry_of(text)
            else:
                unseen += len(value)
        except (ValueError, RecursionError):
            return False
    return unseen <= _MOST_UNSEEN_BYTES


def _as_it_was(
    ledger: Ledger, guarded: Guarded, damaged: DamagedRow, row: _Row, copies: list[apsw.Connection]
) -> tuple[Value, ...] | None:  # fmt: skip
    """In the newest backup that has it whole."""
    if guarded.table == SESSIONS or ledger.row(_IS_PURGE_UNDER_WAY) is not None:
        return None  # or another one's, which was purged: its id may be this one's by now
    found = (_read(copy, guarded, damaged.key) for copy in copies)
    whole = (kept for kept in found if kept is not None and kept.fits(kept.values))
    return next((kept.values for kept in whole if _is_same(guarded, row, kept)), None)


def _is_same(guarded: Guarded, row: _Row, kept: _Row) -> bool:
    """The id of a row that was removed may have been given again: then hardly a value is the same, but its key."""
    pairs = zip(guarded.columns, row.values, kept.values, strict=True)
    same = [here == there for name, here, there in pairs if name not in guarded.key]
    return 2 * sum(same) >= len(same)


def _read(connection: apsw.Connection, guarded: Guarded, key: tuple[Any, ...]) -> _Row | None:
    """None: there is none, it cannot be read, or the file is of another schema."""
    query = f"SELECT {guarded.values()}, {{}} FROM {guarded.table} WHERE {guarded.is_this}"
    for checksum in (guarded.kept(), "NULL"):  # a backup of before there were any can prove all the same
        with suppress(apsw.Error):
            row = connection.execute(query.format(checksum), key).fetchone()
            return _Row(row[:-1], row[-1] if row[-1] != OUTDATED else None) if row is not None else None
    return None


def _put(ledger: Ledger, guarded: Guarded, damaged: DamagedRow, values: tuple[Value, ...]) -> bool:
    """False: it would break a rule of the table, so it is no row of this ledger."""
    changes = ", ".join([*map(guarded.assignment, guarded.columns), guarded.keeping(str(row_checksum(*values)))])
    # Where no row id tells the key, it may be what was damaged: the row of the right one is this one.
    update = "UPDATE" if guarded.has_row_ids else "UPDATE OR REPLACE"
    try:
        query = f"{update} {guarded.table} SET {changes} WHERE {guarded.is_this}"
        ledger.connection.execute(query, (*values, *damaged.key))
    except apsw.ConstraintError:
        return False
    return True


def _seal(ledger: Ledger, guarded: Guarded, damaged: DamagedRow) -> None:
    query = f"UPDATE {guarded.table} SET {guarded.keeping(guarded.sum_of())} WHERE {guarded.is_this}"
    ledger.connection.execute(query, damaged.key)


def opened(path: Path, stack: ExitStack) -> apsw.Connection | None:
    """A backup, to be read; None: it cannot be."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error:
        return None
    stack.callback(connection.close)
    know_checksums(connection)
    return connection
