"""SQLite's errors in our own words, each with what to do.

The border between apsw and the rest of syncd: nothing above ledger/ sees an exception of apsw's.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import apsw

from syncd.errors import LedgerBusy, LedgerCorrupt, LedgerError, LedgerFull

if TYPE_CHECKING:
    from pathlib import Path


_SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'search%'"  # what FTS5 makes is its own


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
    is_unreadable = isinstance(error, apsw.CorruptError | apsw.NotADBError | UnicodeDecodeError)
    if is_unreadable or is_mistyped or is_misnamed or is_at_odds:
        return LedgerCorrupt(
            f"the ledger {path} is damaged: {reason}",
            "put back a copy made by `syncd ledger backup`, then run `syncd resync`; without one, move it and the files"
            " beside it (-wal, -shm) elsewhere first, and keep them: they may hold what OpenClaw has deleted since",
        )
    if isinstance(error, apsw.CantOpenError | apsw.ReadOnlyError | apsw.PermissionsError | apsw.IOError):
        return LedgerError(
            f"the ledger {path} cannot be used: {reason}",
            "check that its directory exists, is writable for you, and lies on a healthy local disk",
        )
    return None


def _lacks_schema(path: Path) -> bool:
    """Has the file lost a part of its schema, or a letter in it? Asked only after a statement of ours has failed."""
    from syncd.ledger.migrate import migrations  # which needs this module for its own faults

    try:
        with (
            closing(apsw.Connection(":memory:")) as sound,
            closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as found,
        ):
            for _, sql in sorted(migrations().items()):
                sound.execute(sql)
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
