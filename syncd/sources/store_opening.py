"""Asking OpenClaw's own SQLite something so that OpenClaw never notices: one short read transaction, then closed.

Nothing can be written or created, whatever happens meanwhile (`store_files`), nor locked, as a rule: a database with a
log is read as its files are, one without as immutable, and what was read counts only if it is of one state. Only where
the log is long, or others are too busy for that, the locks of SQLite are taken. Tables that are not named here cannot
be read, since some of them hold credentials. Not here: what the tables mean.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import quote

import apsw

from syncd.paths import is_utf8
from syncd.sources.opening import StoreError
from syncd.sources.store_files import UNLOCKED, VFS_NAME, is_long, last_opened_log, reading_vfs
from syncd.sources.store_standing import Standing, standing_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.errors import SourceError
    from syncd.sources.store_files import LogFile

NEWEST_SCHEMA: Final = 23
"""Of an agent's database, as of 2026.9.6. What a newer one has in known tables is read all the same."""

AGENT_TABLES: Final = frozenset(
    {
        "schema_meta",
        "session_entries",
        "session_nodes",
        "session_pending_inputs",
        "session_transcript_archives",
        "session_transcript_cold_archives",
        "session_windows",
        "sessions",
        "trajectory_runtime_events",
        "transcript_events",
        "transcript_rewrite_watermarks",
    }
)
_SCHEMA_TABLES: Final = frozenset({"sqlite_master", "sqlite_schema", "pragma_table_info"})
_READABLE_PRAGMAS: Final = frozenset({"user_version", "schema_version", "data_version", "table_info"})

PAGE_SECONDS: Final = 0.05
"""What one transaction may take: whoever reads much asks again for the rest."""
_BUSY_MS: Final = 100
_SECONDS_BEFORE_ATTEMPTS: Final = (0.0, 0.002, 0.02, 0.02)
"""Who closes a database, or empties its log, is done with it after some milliseconds. The last attempt takes locks."""
_BUSY_SECONDS: Final = 1.0
"""So long a database is read with locks at once, where it could not be read without: many questions may follow."""
_LONG_LOG_FRAMES: Final = 4096
"""Without the shared memory, all of the log has to be gone through."""
_MOST_KNOWN: Final = 1000
_KEPT_SECONDS: Final = 1.0

_LOCKING: Final = "readonly_shm=1"
_UNLOCKED: Final = f"{UNLOCKED}=1"
_IMMUTABLE: Final = "immutable=1"

_T = TypeVar("_T")

_BUSY_HINT: Final = "nothing to do: it is tried again, and what is known is kept"


class _StoreChangedError(Exception):
    """What was read may be of two states of the file."""


@dataclass(frozen=True, slots=True)
class Store:
    """An open read transaction."""

    path: str
    schema_version: int
    _connection: apsw.Connection
    state: tuple[int, int]
    """The same in two transactions of this process: nothing was committed between them."""
    _until: float
    _columns: dict[str, frozenset[str]]
    if_it_counts: list[Callable[[], None]] = field(default_factory=list)
    """What to remember of the answer, beside it: done only if all that was read was of one state."""

    def rows(self, sql: str, bindings: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        yield from self._connection.execute(sql, bindings)

    def row(self, sql: str, bindings: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        return next(iter(self._connection.execute(sql, bindings)), None)

    def columns(self, table: str) -> frozenset[str]:
        """Of a table; none where there is no such table."""
        if table not in self._columns:
            found = self._connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
            self._columns[table] = frozenset(name for (name,) in found)
        return self._columns[table]

    def has(self, table: str) -> bool:
        return bool(self.columns(table))

    def piece(self, table: str, column: str, rowid: int, start: int, end: int) -> bytes:
        """Bytes of one value, so that a giant one need not be held."""
        value = self._connection.blob_open("main", table, column, rowid, False)
        try:
            value.seek(start)
            return value.read(end - start)
        finally:
            value.close()

    @property
    def is_page_full(self) -> bool:
        """Has this transaction taken its time? The rest is for another one."""
        return time.monotonic() >= self._until


def read_store(path: str, question: Callable[[Store], _T], tables: frozenset[str] = AGENT_TABLES) -> _T:
    """The answer, of one state of the store. The question may be asked more than once.

    StoreError: not now, or not at all; NotThereError: there is no such database.
    """
    for attempt, seconds in enumerate(_SECONDS_BEFORE_ATTEMPTS, 1):
        if seconds:
            time.sleep(seconds)
        is_last = attempt == len(_SECONDS_BEFORE_ATTEMPTS)
        if is_last:
            if len(_busy_until) >= _MOST_KNOWN:
                _busy_until.clear()
            _busy_until[path] = time.monotonic() + _BUSY_SECONDS
        is_busy = is_last or _busy_until.get(path, 0.0) > time.monotonic()
        try:
            return _read_once(path, question, tables, is_busy=is_busy)
        except _StoreChangedError:
            continue
        except (apsw.Error, UnicodeError) as error:
            raise _fault(path, error) from error
        except OverflowError as error:
            reason = "holds a number beyond all that OpenClaw ever writes"
            hint = "what was read is kept; `openclaw doctor` may know more, and it is tried again"
            raise StoreError("store_unknown", path, reason, hint) from error
    raise StoreError("store_busy", path, "changes faster than it can be read", _BUSY_HINT)


_busy_until: dict[str, float] = {}


def _read_once(path: str, question: Callable[[Store], _T], tables: frozenset[str], *, is_busy: bool) -> _T:
    before = standing_of(path)
    if before.has_log and not before.has_shared_memory:
        reason = "has a log (-wal) without its shared memory (-shm): OpenClaw is about to open or to close it"
        hint = "if it stays so, start OpenClaw once, which puts it in order; nothing of it is touched here"
        raise StoreError("store_without_shm", path, reason, hint)
    if before.log is None:
        # It would have a log, and has none: nobody has it open. Shared memory without one is a leftover (a backup put
        # back without the log): whoever opens a database makes the log first, and removes it last.
        with suppress(apsw.CantOpenError):
            return _ask(path, question, tables, _LOCKING, before)
    elif before.has_shared_memory:
        is_locked = is_busy or is_long(f"{path}-wal", _LONG_LOG_FRAMES)
        return _ask(path, question, tables, _LOCKING if is_locked else _UNLOCKED, before)
    return _ask(path, question, tables, _IMMUTABLE, before)


def _ask(path: str, question: Callable[[Store], _T], tables: frozenset[str], how: str, standing: Standing) -> _T:
    """One read transaction. The handle is closed behind it, unless there is one who keeps it for the next question."""
    kept: _Kept | None = getattr(_keeper, "kept", None)
    place = (path, tables, how)
    if kept is not None:
        kept.let_go_of_old()
    known = kept.handles.pop(place, None) if kept is not None else None
    if known is not None and not known.is_still_good(standing):
        known.connection.close(force=True)
        known = None
    opened = known if known is not None else _open(path, tables, how, standing)
    connection = opened.connection
    try:
        try:
            with _owner_left_alone():
                connection.execute("BEGIN")
                version, schema = connection.pragma("user_version"), connection.pragma("schema_version")
        except apsw.Error:
            if how == _UNLOCKED:
                raise _StoreChangedError from None  # while its log was gone through; if not, the locks will show
            raise
        if how == _UNLOCKED and opened.log is None:
            opened.log = last_opened_log()
        columns = _columns_known(path, opened.standing.main[1], schema)
        try:
            state = (opened.number, connection.pragma("data_version"))
            store = Store(path, version, connection, state, time.monotonic() + PAGE_SECONDS, columns)
            answer = question(store)
        except Exception:
            if not opened.is_of_one_state(path):
                raise _StoreChangedError from None
            raise
        if not opened.is_of_one_state(path):
            raise _StoreChangedError
        connection.execute("ROLLBACK")
    except BaseException:
        connection.close(force=True)
        raise
    _note_columns(path, opened.standing.main[1], schema, columns)
    _schema_versions[path] = version
    for remember in store.if_it_counts:
        remember()
    if kept is not None and (kept.with_locks or how != _LOCKING):
        kept.handles[place] = opened
    else:
        connection.close(force=True)
    return answer


def _open(path: str, tables: frozenset[str], how: str, standing: Standing) -> _Opened:
    _refuse_unnameable(path)
    reading_vfs()
    uri = f"file:{quote(os.fsencode(path))}?mode=ro&{how}"
    connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, vfs=VFS_NAME)
    try:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.set_busy_timeout(_BUSY_MS)
        connection.execute("PRAGMA query_only = ON")
        if how == _UNLOCKED:
            # As if nobody else had it open: then SQLite needs no shared memory. The lock for that is never taken.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.authorizer = _authorizer(tables)
    except BaseException:
        connection.close(force=True)
        raise
    return _Opened(connection, standing, time.monotonic(), how)


def _refuse_unnameable(path: str) -> None:
    """SQLite would open it; the driver tells our VFS the names of files as text."""
    if not is_utf8(path):
        hint = "give the directories above it names in UTF-8; what is known is kept"
        raise StoreError("store_unreadable", path, "cannot be opened: its path is not UTF-8", hint)


_numbers = count(1)
_Place = tuple[str, frozenset[str], str]
_keeper = threading.local()


@dataclass(frozen=True, slots=True)
class _Kept:
    with_locks: bool
    handles: dict[_Place, _Opened] = field(default_factory=dict)

    def let_go_of_old(self) -> None:
        """Of whichever database: who asks one after the other comes back to none of them."""
        for place in [place for place, opened in self.handles.items() if opened.is_old]:
            self.handles.pop(place).connection.close(force=True)


@contextmanager
def handles_kept(*, with_locks: bool = False) -> Iterator[None]:
    """For many questions in a row, since opening costs more than most of them: handles stay open between two, without
    a transaction, and till the first question after a second. Who does something else in between lets go of them.

    `with_locks`: those too that are read under SQLite's locks, of which one on the main file lasts as long as the
    handle. For questions with nothing between them, and never further out than that.
    """
    outer: _Kept | None = getattr(_keeper, "kept", None)
    if outer is not None and not with_locks:
        yield
        return
    _keeper.kept = _Kept(with_locks)
    try:
        yield
    finally:
        let_go_of_handles()
        _keeper.kept = outer


def let_go_of_handles() -> None:
    """There is something else to be done first."""
    kept: _Kept | None = getattr(_keeper, "kept", None)
    while kept is not None and kept.handles:
        kept.handles.popitem()[1].connection.close(force=True)


_schema_versions: dict[str, int] = {}


def last_schema_version(path: str) -> int | None:
    """Of a database, when it was last read by this process; it costs nothing to ask."""
    return _schema_versions.get(path)


_known_columns: dict[str, tuple[int, int, dict[str, frozenset[str]]]] = {}


def _columns_known(path: str, inode: int, schema: int) -> dict[str, frozenset[str]]:
    """Of tables that were asked for before, in this file, under this version of its schema."""
    known = _known_columns.get(path)
    return dict(known[2]) if known is not None and known[:2] == (inode, schema) else {}


def _note_columns(path: str, inode: int, schema: int, columns: dict[str, frozenset[str]]) -> None:
    if len(_known_columns) >= _MOST_KNOWN:
        _known_columns.clear()
        _schema_versions.clear()
    _known_columns[path] = (inode, schema, columns)


@dataclass(slots=True)
class _Opened:
    connection: apsw.Connection
    standing: Standing
    since: float
    how: str
    number: int = field(default_factory=_numbers.__next__)
    log: LogFile | None = None
    """Where it is read without locks."""

    @property
    def is_old(self) -> bool:
        return time.monotonic() - self.since > _KEPT_SECONDS

    def is_still_good(self, standing: Standing) -> bool:
        """Is it the same database, and were none of its files put elsewhere? Without locks, not a byte may differ."""
        if self.how == _LOCKING or (self.log is not None and self.log.is_as_it_was):
            return standing.inodes == self.standing.inodes
        return standing == self.standing and not self.standing.is_fresh and not self.standing.has_fresh_log

    def is_of_one_state(self, path: str) -> bool:
        """Without locks: was nothing changed of what was read?

        What the log had in the beginning is read from there. A log that begins anew changes its head first; who closes
        the database removes it. Into the main file goes nothing but what was committed to the log: so the main file
        can only have changed, where we read it, if something was committed since, and then its time tells.
        """
        if self.how == _LOCKING:
            return True
        now = standing_of(path)
        if self.how == _IMMUTABLE:
            return now == self.standing and not self.standing.is_fresh
        if self.log is None:
            return False  # there was one when it was begun with
        if now.inodes != self.standing.inodes:
            return False
        if self.log.is_as_it_was:
            return True
        return self.log.has_same_head and now.main == self.standing.main and not self.standing.is_fresh


def _authorizer(tables: frozenset[str]) -> Callable[..., int]:
    readable = tables | _SCHEMA_TABLES

    def is_allowed(operation: int, first: str | None, second: str | None, *_: str | None) -> int:
        if operation == apsw.SQLITE_READ:
            return apsw.SQLITE_OK if first in readable else apsw.SQLITE_DENY
        if operation == apsw.SQLITE_PRAGMA:
            is_question = second is None or first == "table_info"
            return apsw.SQLITE_OK if first in _READABLE_PRAGMAS and is_question else apsw.SQLITE_DENY
        is_reading = operation in (apsw.SQLITE_SELECT, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE)
        return apsw.SQLITE_OK if is_reading or operation == apsw.SQLITE_TRANSACTION else apsw.SQLITE_DENY

    return is_allowed


def _fault(path: str, error: apsw.Error | UnicodeError) -> SourceError:
    if isinstance(error, UnicodeError):
        hint = "what was read is kept; `openclaw doctor` may help, and it is tried again"
        return StoreError("store_unknown", path, "has text that is not UTF-8, where OpenClaw writes nothing else", hint)
    if getattr(error, "extendedresult", None) == apsw.SQLITE_READONLY_ROLLBACK:
        reason = "was left in the middle of a write by a crash (-journal): it cannot be read without a trace"
        hint = "start OpenClaw once, which puts it in order; nothing of it is touched here"
        return StoreError("store_unreadable", path, reason, hint)
    if isinstance(error, apsw.BusyError | apsw.LockedError | apsw.SchemaChangeError | apsw.ReadOnlyError):
        return StoreError("store_busy", path, "is locked by OpenClaw", _BUSY_HINT)
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        hint = "what was read is kept; `openclaw doctor` says what can be saved of it"
        return StoreError("store_corrupt", path, f"is damaged: {error}", hint)
    if isinstance(error, apsw.SQLError | apsw.AuthError | apsw.MismatchError):
        hint = "what was read is kept; upgrade syncd to follow it"
        return StoreError(
            "store_unknown", path, f"has tables that are not as any known release makes them: {error}", hint
        )
    if isinstance(error, apsw.CantOpenError) and _is_changing(path):
        return StoreError("store_busy", path, "was being opened or closed", _BUSY_HINT)
    hint = "give this user the right to read it and the files beside it (-wal, -shm); it is tried again"
    return StoreError("store_unreadable", path, f"cannot be read: {error}", hint)


def _is_changing(path: str) -> bool:
    """Was it there to be opened? Then its log came or went in that moment."""
    effective = os.access in os.supports_effective_ids
    files = [path, f"{path}-wal", f"{path}-shm"]
    return all(os.access(each, os.R_OK, effective_ids=effective) for each in files if os.path.exists(each))


@contextmanager
def _owner_left_alone() -> Iterator[None]:
    """As root, SQLite gives the shared memory the database's owner whenever it opens it, also where it has that owner
    already, and the file's ctime changes by it. Meanwhile it calls a function of libc in place of fchown that does
    nothing. Not one of Python's: SQLite holds a lock of its own then, and whoever waits for that may have the GIL.
    """
    if os.geteuid() != 0:
        yield
        return
    import ctypes

    vfs = reading_vfs()
    vfs.xSetSystemCall("fchown", ctypes.cast(ctypes.CDLL(None).getppid, ctypes.c_void_p).value or 0)
    try:
        yield
    finally:
        vfs.xSetSystemCall("fchown", 0)  # SQLite's own again
