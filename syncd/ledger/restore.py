"""A backup becomes the ledger: copied, brought to the present schema and checked beside it first, then put in place.

Rows that are not what the copy's raw bytes make are made again from those, which are the record. What was there before
is moved aside, and the files of OpenClaw are compared from their first byte at the next catch-up: nothing that the
backup says of them is believed unseen. What was purged since stays out. The caller holds the writer lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import apsw

from syncd.errors import LedgerCorrupt, LedgerError, LedgerFull, UserError
from syncd.ledger.backups import kept_backups
from syncd.ledger.burials import keep_buried_out, leave_unfinished
from syncd.ledger.check import CHECKSUM, WRONG_ROWS, check
from syncd.ledger.check_sessions import mend_sessions
from syncd.ledger.check_transcript import PAST_ROWS
from syncd.ledger.database import APPLICATION_ID, open_for_writing
from syncd.ledger.faults import translate
from syncd.ledger.migrate import refuse_foreign, refuse_newer, schema_version
from syncd.ledger.past_mending import mend_copy
from syncd.ledger.replacing import REPLACED, finish_replacing, put_in_place, remove_scratch, scratch_place
from syncd.ledger.row_audit import damaged_rows
from syncd.ledger.row_mending import MendedRows, mend_rows
from syncd.ledger.search_index import mend_search_of_copy, page_fault
from syncd.ledger.sessions import distrust_entries
from syncd.ledger.transaction import writing
from syncd.paths import make_empty_file, make_private_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from syncd.ledger.check import Check, HasWrongRows
    from syncd.ledger.database import Ledger

_STEPS_BETWEEN_LOOKS = 100_000
_ANOTHER_COPY = "name another copy, made by `syncd ledger backup`; the ledger was left as it is"
_UNSOUND = frozenset({"sqlite", "foreign_key"})


@dataclass(frozen=True, slots=True)
class Restored:
    source: Path
    bytes: int
    transcripts: int
    schema_version: int
    moved_aside: Path | None
    derived: int = 0
    """Transcripts and sessions whose rows were damaged in the copy and made again, and other rows put right."""
    in_doubt: int = 0
    """Rows that were damaged in the copy, and are as another one had them or as they were: nothing proves them."""


class _Proven(NamedTuple):
    """What is wrong with the scratch file now, and what had to be done to it: as `Restored` has it."""

    check: Check
    derived: int = 0
    in_doubt: int = 0


class RowsCare(NamedTuple):
    """What is known elsewhere of rows: whether they are what raw bytes make, and how those make them again."""

    has_wrong_rows: HasWrongRows
    derive: Callable[[Ledger, Iterable[int]], None]


def restore(ledger_path: Path, source: Path | None, now_ms: int, care: RowsCare) -> Restored:
    """`source` None: the newest backup that proves sound. Nothing is changed unless one does."""
    finish_replacing(ledger_path)
    try:
        chosen, proven = _sound_copy(ledger_path, source, now_ms, care)
        scratch = scratch_place(ledger_path)
        unfinished = keep_buried_out(scratch, ledger_path, now_ms)
        with open_for_writing(scratch) as ledger:
            version = schema_version(ledger.connection)
            row = ledger.row("SELECT count(*) FROM transcripts")
            distrust_files(ledger)
            leave_unfinished(ledger, unfinished)
        size = scratch.stat().st_size
        moved = put_in_place(ledger_path, now_ms, REPLACED)
    finally:
        remove_scratch(ledger_path)
    return Restored(chosen, size, int(row[0]) if row else 0, version, moved, proven.derived, proven.in_doubt)


def _sound_copy(ledger_path: Path, source: Path | None, now_ms: int, care: RowsCare) -> tuple[Path, _Proven]:
    """The scratch file is that copy then; and what was made of it."""
    if source is not None:
        if not source.is_file():
            raise UserError(f"there is no file {source}", "name a copy made by `syncd ledger backup`")
        if source.resolve() == ledger_path.resolve():
            raise UserError(f"{source} is the ledger itself", "name a copy made by `syncd ledger backup`")
        try:
            proven = _proven_copy(ledger_path, source, now_ms, care)
        except LedgerCorrupt as damage:  # a ledger could be repaired; a copy is not the one to take
            raise LedgerCorrupt(damage.title.removeprefix("the ledger "), _ANOTHER_COPY) from damage
        if not proven.check.is_sound:
            raise _unsound(source, proven.check.findings[0].message)
        return source, proven
    refused: list[str] = []
    for kept in kept_backups(ledger_path):
        try:
            proven = _proven_copy(ledger_path, kept.path, now_ms, care)
        except LedgerFull:
            raise
        except LedgerError as error:
            refused.append(error.title)
            continue
        if proven.check.is_sound:
            return kept.path, proven
        refused.append(f"{kept.path}: {proven.check.findings[0].message}")
    if refused:
        raise LedgerCorrupt(
            f"no backup of {ledger_path} is sound: {'; '.join(refused)}",
            "name a copy that lies elsewhere, or let `syncd repair` save what can be saved",
        )
    raise LedgerError(f"there is no backup of {ledger_path}", "name a copy made by `syncd ledger backup`")


def _proven_copy(ledger_path: Path, source: Path, now_ms: int, care: RowsCare) -> _Proven:
    """Checked to the last byte, and again where rows had to be put right or made again."""
    found = copy_to_scratch(ledger_path, source, is_quick=False, has_wrong_rows=care.has_wrong_rows)
    if found.is_sound:
        return _Proven(found)
    with open_for_writing(scratch_place(ledger_path)) as copy:
        rows = MendedRows()
        is_of_rows = found.has(CHECKSUM) or found.has(PAST_ROWS)
        if is_of_rows and page_fault(copy.connection, "integrity_check") is None:
            others = [kept.path for kept in kept_backups(ledger_path) if kept.path != source]
            rows = mend_rows(copy, list(damaged_rows(copy)), others, now_ms)
            with writing(copy):
                mend_sessions(copy, rows.sessions)
            past = mend_copy(copy, others, now_ms)
            rows.right, rows.doubtful = rows.right + past.right, rows.doubtful + past.doubtful
            found = check(copy, is_quick=False, has_wrong_rows=care.has_wrong_rows)
        if found.is_sound or any(item.kind != WRONG_ROWS for item in found.findings):
            return _Proven(found, rows.right, rows.in_doubt)
        wrong = {item.transcript_id for item in found.findings if item.transcript_id is not None}
        sessions = {item.session for item in found.findings if item.session is not None}
        if found.is_cut:  # so many that not all were named
            wrong = {row[0] for row in copy.execute("SELECT id FROM transcripts")}
            sessions = {row[0] for row in copy.execute("SELECT id FROM sessions")}
        care.derive(copy, sorted(wrong))
        with writing(copy):
            mend_sessions(copy, sessions)
        again = check(copy, is_quick=False, has_wrong_rows=care.has_wrong_rows)
        return _Proven(again, len(wrong) + len(sessions) + rows.right, rows.in_doubt)


def copy_to_scratch(
    ledger_path: Path, source: Path, *, is_quick: bool, has_wrong_rows: HasWrongRows = lambda *_: False,
    is_alive: Callable[[], None] = lambda: None,
) -> Check:  # fmt: skip
    """The backup as the scratch file, in the present schema, and what is wrong with it. `source` stays as it is."""
    remove_scratch(ledger_path)
    scratch = scratch_place(ledger_path)
    make_private_dir(scratch.parent)
    try:
        connection = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error as fault:
        raise translate(fault, source) or fault from fault
    try:
        refuse_foreign(connection, source, APPLICATION_ID)
        refuse_newer(connection, source)
        if schema_version(connection) == 0:
            raise LedgerCorrupt(f"{source} holds no ledger", "name a copy made by `syncd ledger backup`")

        def look() -> bool:
            is_alive()
            return False

        connection.set_progress_handler(look, _STEPS_BETWEEN_LOOKS)
        make_empty_file(scratch)
        connection.execute("VACUUM INTO ?", (str(scratch),))
    except (apsw.Error, UnicodeDecodeError) as fault:
        raise translate(fault, source) or fault from fault
    finally:
        connection.close()
    with open_for_writing(scratch) as copy:
        for older in scratch.parent.glob(f"{scratch.name}.schema-*.bak"):
            older.unlink()  # `source` is that copy
        if page_fault(copy.connection, "quick_check") is None:
            _forget_runs_under_way(copy)
            mend_search_of_copy(copy)
            is_alive()
        found = check(copy, is_quick=is_quick, has_wrong_rows=has_wrong_rows)
        is_alive()
        return found


def _forget_runs_under_way(copy: Ledger) -> None:
    """Jobs that ran when the copy was made, the backup itself first of all: they were not cut short, they went on."""
    copy.run("DELETE FROM job_runs WHERE finished_at IS NULL")


def is_usable(found: Check) -> bool:
    """Can it be read and written, whatever raw bytes it lacks?"""
    return not any(item.kind in _UNSOUND for item in found.findings)


def distrust_files(ledger: Ledger) -> None:
    """What is known of OpenClaw's files may be of another time: each is compared whole at the next look."""
    with writing(ledger) as connection:
        connection.execute("UPDATE _files SET is_proven = 0, ctime_ns = 0, scanned = 0")
        distrust_entries(connection)
        connection.execute("UPDATE _cron_logs SET bytes = 0, is_proven = 0")


def _unsound(source: Path, reason: str) -> LedgerCorrupt:
    return LedgerCorrupt(f"{source} is not sound: {reason}", _ANOTHER_COPY)
