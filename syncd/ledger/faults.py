"""SQLite's errors in our own words, each with what to do.

The border between apsw and the rest of syncd: nothing above ledger/ sees an exception of apsw's.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from syncd.errors import LedgerAbsent, LedgerBusy, LedgerCorrupt, LedgerError, LedgerFull

if TYPE_CHECKING:
    from pathlib import Path


_READ_BYTES = 1024 * 1024
_SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'search%'"  # what FTS5 makes is its own


def absent(path: Path) -> LedgerAbsent:
    return LedgerAbsent(f"there is no ledger at {path} yet", "run `syncd run --once` first")


def cut_short(path: Path) -> LedgerAbsent:
    """It is moved aside already, and what is to take its place is made."""
    return LedgerAbsent(
        f"the ledger {path} was being replaced, and that was cut short", "`syncd repair` finishes it, and so does a run"
    )


def unusable(path: Path, error: OSError, also: str = "") -> LedgerError:
    """`also`: a further hint."""
    return LedgerError(
        f"the ledger {path} cannot be used: {error.strerror}",
        "give yourself the right to read and write there (`syncd doctor` says what is amiss), or choose another place"
        f" with `ledger.path` in config.yaml or $SYNCD_LEDGER{also}",
    )


def damaged(path: Path, reason: str) -> LedgerCorrupt:
    return LedgerCorrupt(
        f"the ledger {path} is damaged: {reason}",
        "`syncd repair` puts it right, as the daemon does by itself; by hand: put back a copy made by `syncd ledger"
        " backup`, then run `syncd resync`; without one, move it and the files beside it (-wal, -shm) elsewhere first,"
        " and keep them: they may hold what OpenClaw has deleted since",
    )


def translate(error: Exception, path: Path) -> LedgerError | None:
    """The ledger fault an apsw error stands for; None when it is a mistake in our own SQL."""
    reason = str(error)
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return LedgerBusy(
            f"the ledger {path} is locked by another process",
            "close the program that writes to it (a database browser with unsaved changes?) and try again",
        )
    if isinstance(error, apsw.FullError):
        return LedgerFull(
            f"no space left for the ledger {path}",
            "free some disk space and run the command again; nothing is lost, it goes on where it stopped",
        )
    # What we bind has its type; a row that an update only passes through may have lost it to a flipped bit.
    is_mistyped = getattr(error, "extendedresult", None) == apsw.SQLITE_CONSTRAINT_DATATYPE
    is_misnamed = isinstance(error, apsw.SQLError) and _lacks_schema(path)
    is_at_odds = isinstance(error, apsw.ConstraintError) and _is_at_odds_with_itself(path)
    is_senseless = isinstance(error, apsw.CorruptError | apsw.NotADBError)
    is_senseless = is_senseless or (isinstance(error, UnicodeDecodeError) and not _is_of_another_file(error))
    is_senseless = is_senseless or "invalid fts5 file format" in reason  # the search index, in its own words
    # SQLite takes a page that the disk does not give for a damaged one.
    read_fault = _read_fault(path) if is_senseless else None
    if read_fault is None and (is_senseless or is_mistyped or is_misnamed or is_at_odds):
        other = _other_file(path) if isinstance(error, apsw.NotADBError) else None
        return other or damaged(path, reason)
    is_of_the_disk = isinstance(error, apsw.CantOpenError | apsw.ReadOnlyError | apsw.PermissionsError | apsw.IOError)
    if is_of_the_disk or read_fault is not None:
        return LedgerError(
            f"the ledger {path} cannot be used: {read_fault or reason}",
            "check that its directory exists, is writable for you, and lies on a healthy local disk",
        )
    return None


def _other_file(path: Path) -> LedgerError | None:
    """Was it never a ledger? Then there is nothing to be repaired; and who writes there would be refused, too."""
    from syncd.ledger.foreign import refuse_other_file  # which needs this module, by way of the database
    from syncd.ledger.hold import lock_path

    try:
        refuse_other_file(path, lock_path(path))
    except LedgerError as fault:
        return fault
    return None


def _is_of_another_file(error: UnicodeDecodeError) -> bool:
    """Was it bytes of OpenClaw's that were no text? It does not say whose they were; that, who asked for them does."""
    asking = ""
    trace = error.__traceback__
    while trace is not None:
        name = str(trace.tb_frame.f_globals.get("__name__", ""))
        asking = name if name.startswith("syncd.") else asking
        trace = trace.tb_next
    return asking.startswith("syncd.sources.")  # nothing there knows the ledger


def _read_fault(path: Path) -> str | None:
    """Why the ledger's files cannot be read to their ends; None where they can. Through SQLite, for its locks' sake."""
    for suffix in ("", "-wal"):
        name = f"{path}{suffix}"
        if suffix and not os.path.exists(name):
            continue
        flags = apsw.SQLITE_OPEN_READONLY | (apsw.SQLITE_OPEN_WAL if suffix else apsw.SQLITE_OPEN_MAIN_DB)
        try:
            file = apsw.VFSFile("", name, [flags, 0])
            try:
                for offset in range(0, file.xFileSize(), _READ_BYTES):
                    file.xRead(_READ_BYTES, offset)
            finally:
                file.xClose()
        except apsw.Error as error:
            return str(error)
    return None


def _lacks_schema(path: Path) -> bool:
    """Has the file lost a part of its schema, or a letter in it? Asked only after a statement of ours has failed."""
    from syncd.ledger.migrate import bring_forward  # which needs this module for its own faults

    try:
        with (
            closing(apsw.Connection(":memory:")) as sound,
            closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as found,
        ):
            bring_forward(sound)
            lost = set(sound.execute(_SCHEMA)) - set(found.execute(_SCHEMA))
    except apsw.Error:
        return False  # too busy to tell, or worse: the first fault stands
    return bool(lost)


def _is_at_odds_with_itself(path: Path) -> bool:
    """Does the file itself break its rules, so that no statement of ours can keep them? Asked after one has failed."""
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as found:
            if next(iter(found.execute("PRAGMA foreign_key_check")), None) is not None:
                return True
            return next(iter(found.execute("PRAGMA integrity_check(1)")), None) != ("ok",)
    except (apsw.CorruptError, UnicodeDecodeError):
        return True
    except apsw.Error:
        return False  # too busy to tell: the first fault stands


class translated:  # noqa: N801 - reads as the verb it is; a class, since a look at a file enters it a dozen times
    """Run a block of SQL; faults of the file leave it as LedgerError."""

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, apsw.Error | UnicodeDecodeError) and (fault := translate(error, self._path)) is not None:
            raise fault from error
