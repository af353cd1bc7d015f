"""The session index of OpenClaw's own SQLite, as the same value that a sessions.json gives.

One look, all of one state, in as many short transactions as that takes; every outcome is a value. Where a row has no
entry that can be read, its columns tell (`store_entries`). Before schema 14 the tables had other names. Not here: what
an entry means.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.errors import SourceError
from syncd.openclaw.index import KnownEntry, digest_of, read_entry
from syncd.records import FileStat
from syncd.sources.index_file import Index, Unchanged, Unreadable, Window
from syncd.sources.opening import NotThereError, StoreError, is_surely_gone
from syncd.sources.store_entries import StoreEntry, store_entry
from syncd.sources.store_opening import handles_kept, read_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from syncd.openclaw.index import IndexEntries
    from syncd.sources.index_file import Fault, IndexLook
    from syncd.sources.store_opening import Store

# Text as the bytes that it is. Where OpenClaw found the entry to be whole, nothing else of the row is asked for.
_ENTRY = "SELECT rowid, CAST(session_key AS BLOB), CAST(entry_json AS BLOB), {}, updated_at FROM"
_SESSION = "CAST(current_session_id AS BLOB)"
_NODES = f"{_ENTRY} session_nodes WHERE rowid > ? ORDER BY rowid"
_VALIDATED_NODES = _NODES.format(f"iif(entry_valid = 1, NULL, {_SESSION})")
_NODES_BEFORE_VALIDITY = _NODES.format(_SESSION)
_ENTRIES = f"{_ENTRY} session_entries WHERE rowid > ? ORDER BY rowid".format("CAST(session_id AS BLOB)")
_WINDOWS = """SELECT rowid, CAST(session_id AS BLOB), CAST(session_key AS BLOB), CAST(previous_session_id AS BLOB),
    CAST(reason AS BLOB), created_at FROM session_windows WHERE rowid > ? ORDER BY rowid"""
_HOLLOW = ("bare", "broken")
_FAULTS: dict[str, Fault] = {"store_busy": "busy", "store_without_shm": "busy", "store_corrupt": "torn"}


class _Tables(NamedTuple):
    entries: list[StoreEntry]
    windows: list[tuple[Any, ...]]
    """Each with its row's number first."""


class _Place(NamedTuple):
    """Behind this row of that table."""

    table: int
    row: int


class _Page(NamedTuple):
    state: tuple[int, int]
    tables: _Tables
    next: _Place | None


_BEGIN = _Place(0, -(2**63))


def look_at_store_index(
    path: str,
    proven: FileStat | None = None,
    digest: bytes | None = None,
    known: Callable[[], Mapping[bytes, str]] = dict,
) -> IndexLook:
    """As `index_file.look_at_index`; what is proven is the database with its log."""
    before = store_stat(path)
    if before is None:
        return Unreadable("absent" if is_surely_gone(path) else "unreadable")
    if before == proven:
        return Unchanged(before)
    try:
        tables = _read(path)
    except NotThereError:
        return Unreadable("absent")
    except StoreError as error:
        return Unreadable(_FAULTS.get(error.code, "unreadable"), before, (error.code, error.reason))
    except SourceError:
        return Unreadable("unreadable", before)
    if tables is None:
        return Unreadable("absent")
    found = digest_of(b"\n".join(_told(tables)))
    if found == digest:
        return Unchanged(before)
    windows = tuple(_window(*row[1:-1]) for row in tables.windows)
    bare, broken = (frozenset(_text(row.key) for row in tables.entries if row.kind == kind) for kind in _HOLLOW)
    return Index(_entries(tables.entries, known()), before, found, windows, bare, broken)


def store_stat(path: str) -> FileStat | None:
    """One stat for a database and its log: whatever is written changes it."""
    try:
        main = os.lstat(path)
    except OSError:
        return None
    try:
        log = os.lstat(f"{path}-wal")
    except OSError:
        return FileStat.of(main)
    one, other = FileStat.of(main), FileStat.of(log)
    return one._replace(
        size=one.size + other.size,
        mtime_ns=max(one.mtime_ns, other.mtime_ns),
        ctime_ns=max(one.ctime_ns, other.ctime_ns),
    )


def _read(path: str) -> _Tables | None:
    """None: it is no index. Of two states of the database a session that is renamed meanwhile could show twice, or
    not at all: then all is read again, and once that was in vain, in one transaction, however long that is.
    """
    with handles_kept(with_locks=True):
        for is_whole in (False, False, True):
            tables, states = _Tables([], []), set()
            at: _Place | None = _BEGIN
            while at is not None:
                page = read_store(path, partial(_page, begin=at, is_whole=is_whole))
                if page is None:
                    return None
                states.add(page.state)
                tables.entries.extend(page.tables.entries)
                tables.windows.extend(page.tables.windows)
                at = page.next
            if len(states) == 1:
                break
    tables.windows.sort(key=lambda row: (row[-1], row[0]))  # as they were begun
    return tables


def _page(store: Store, begin: _Place, *, is_whole: bool) -> _Page | None:
    if (entries := _entries_query(store)) is None:
        return None
    tables = _Tables([], [])
    for number, query in enumerate((entries, _windows_query(store))):
        if query is None or number < begin.table:
            continue
        for row in store.rows(query, (begin.row if number == begin.table else _BEGIN.row,)):
            if number == 0:
                tables.entries.append(store_entry(*row[1:]))
            else:
                tables.windows.append(row)
            if store.is_page_full and not is_whole:
                return _Page(store.state, tables, _Place(number, row[0]))
    return _Page(store.state, tables, None)


def _entries_query(store: Store) -> str | None:
    if not store.has("transcript_events"):
        return None  # 2026.7.1 has the file too, for other things
    if store.has("session_nodes"):
        return _VALIDATED_NODES if "entry_valid" in store.columns("session_nodes") else _NODES_BEFORE_VALIDITY
    return _ENTRIES if store.has("session_entries") else None


def _windows_query(store: Store) -> str | None:
    return _WINDOWS if {"previous_session_id", "reason"} <= store.columns("session_windows") else None


def _told(tables: _Tables) -> Iterable[bytes]:
    for entry in tables.entries:
        yield entry.key
        yield entry.text
    for window in tables.windows:
        yield repr(window[1:-1]).encode()


def _entries(rows: Iterable[StoreEntry], known: Mapping[bytes, str]) -> IndexEntries:
    found: IndexEntries = {}
    for key, text, _ in rows:
        digest, name = digest_of(b"%b %b" % (key, text)), _text(key)
        if known.get(digest) == name:
            found[name] = KnownEntry(digest)
        elif (entry := read_entry(digest, text)) is not None:
            found[name] = entry
    return found


def _window(session_id: bytes, key: bytes, previous: bytes | None, reason: bytes | None) -> Window:
    return Window(_text(session_id), _text(key), _text(previous) if previous else None, _text(reason or b"") or None)


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")
