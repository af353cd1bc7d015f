"""The sessions in OpenClaw's own SQLite: which there are, what tells their change, and how many bytes they have.

A session's bytes are its events in the order of `seq`, each followed by a newline. Its stat is its watermark: device =
the database file, inode = the generation that OpenClaw gives anew with every rewrite (before schema 13: the time of the
last write), times = the last write, with the last `seq` in what a millisecond leaves over. Two sessions of equal stat
have equal bytes. Not here: reading the events.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from syncd.records import FileStat, StatFields
from syncd.sources.opening import StoreError
from syncd.sources.store_opening import NEWEST_SCHEMA, read_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.sources.store_opening import Store

EVENTS = "transcript_events"
_KNOWN_COLUMNS = frozenset({"session_id", "seq", "event_json"})
MARKS = "transcript_rewrite_watermarks"
_COLD = "session_transcript_cold_archives"
_INT64 = 0x7FFF_FFFF_FFFF_FFFF
_MS = 1_000_000
_ROWS_MEASURED = 1000  # in one transaction: OpenClaw waits for its end
_MOST_MEASURES = 4096
_MOST_ANCHORS = 4


class StoredSession(NamedTuple):
    """A session as one moment had it. `version` changes whenever anything but an append happens to its events."""

    session_id: str
    version: str
    last_seq: int
    updated_at: int
    cold_seq: int | None = None
    """The last event that lies in cold storage instead; None: all are in the table."""
    cold_bytes: int = 0
    size: int | None = None
    """In bytes, where it was measured."""


class Anchor(NamedTuple):
    """The event `seq` begins at this offset. `before` is what the one before it looked like: a check."""

    offset: int
    seq: int
    before: tuple[int, int] | None


def has_sessions(store: Store) -> bool:
    """Does OpenClaw keep its transcripts here? Releases before 2026.7.2 keep other things in such a file.

    StoreError: it seems so, in a way that is not known.
    """
    found = store.columns(EVENTS)
    if found >= _KNOWN_COLUMNS:
        return True
    if found or store.schema_version > NEWEST_SCHEMA:
        missing = f"table {EVENTS}" if not found else f"{EVENTS}.{min(_KNOWN_COLUMNS - found)}"
        reason = f"has schema {store.schema_version} and no {missing}: no known release makes such a one"
        raise StoreError("store_unknown", store.path, reason, "what was read is kept; upgrade syncd to follow it")
    return False


def length_of(store: Store) -> str:
    """SQL for the length of an event in bytes, newline not counted; no byte of it is read for that."""
    if "event_utf8_bytes" in store.columns(EVENTS):
        return "coalesce(octet_length(event_json), event_utf8_bytes, 0)"
    return "coalesce(octet_length(event_json), 0)"


def list_sessions(
    store_path: str, store_inode: int, is_known: Callable[[StoredSession], bool]
) -> list[StoredSession] | None:
    """All that have events, in as many transactions as that takes; None: these are not the tables of sessions.

    Those that are not known are measured, unless one is so long that it takes a transaction of its own.
    """
    found: list[StoredSession] = []
    after: str | None = ""
    while after is not None:
        asked = partial(_page_of_sessions, store_inode=store_inode, is_known=is_known, after=after)
        page = read_store(store_path, asked)
        if page is None:
            return None
        sessions, after = page
        found += sessions
    return found


def _page_of_sessions(
    store: Store, store_inode: int, is_known: Callable[[StoredSession], bool], after: str
) -> tuple[list[StoredSession], str | None] | None:
    if not has_sessions(store):
        return None
    found: list[StoredSession] = []
    cold = {row[0] for row in store.rows(f"SELECT session_id FROM {_COLD}")} if store.has(_COLD) else set()
    for session_id, last_seq, moment, generation in store.rows(_sessions_after(store), (after,)):
        session: StoredSession | None
        if last_seq is None or moment is None or session_id in cold:
            session = session_in(store, session_id)
        else:  # nearly always, and all at once
            session = StoredSession(session_id, _version(generation, moment), last_seq, moment)
        if session is not None:
            measured = None if is_known(session) else measure_in(store, store_inode, session_id)
            found.append(session._replace(size=measured.size) if isinstance(measured, Measured) else session)
        if store.is_page_full:
            return found, session_id
    return found, None


def _sessions_after(store: Store) -> str:
    """Id, last seq, moment and generation, in the order of ids. By leaps over the index, not through the events."""
    windows, has_marks, has_cold = windows_of(store), store.has(MARKS), store.has(_COLD)
    cold = f"UNION SELECT session_id FROM {_COLD} WHERE session_id > ?1" if has_cold else ""
    moment = f"(SELECT transcript_updated_at FROM {windows} WHERE session_id = id)" if windows is not None else "NULL"
    generation = f"(SELECT CAST(generation AS BLOB) FROM {MARKS} WHERE session_id = id)" if has_marks else "NULL"
    return f"""WITH RECURSIVE ids(id) AS (
            SELECT (SELECT min(session_id) FROM {EVENTS} WHERE session_id > ?1)
            UNION ALL
            SELECT (SELECT min(session_id) FROM {EVENTS} WHERE session_id > ids.id) FROM ids WHERE ids.id IS NOT NULL),
        all_ids(id) AS (SELECT id FROM ids WHERE id IS NOT NULL {cold})
        SELECT id, (SELECT max(seq) FROM {EVENTS} WHERE session_id = id), {moment}, {generation}
        FROM all_ids ORDER BY id"""


def _version(generation: bytes | None, moment: int) -> str:
    """Before schema 13 nothing tells a rewrite but the time of the last write."""
    return generation.decode("utf-8", "surrogateescape") if generation is not None else f"at {moment}"


def session_in(store: Store, session_id: str) -> StoredSession | None:
    """None: it has no events here (any more)."""
    last = store.row(
        f"SELECT seq, created_at FROM {EVENTS} WHERE session_id = ? ORDER BY seq DESC LIMIT 1", (session_id,)
    )
    cold = _cold(store, session_id)
    if last is None and cold is None:
        return None
    last_seq, written_at = last if last is not None else (cold[0], cold[2])  # type: ignore[index]
    if cold is not None and last is not None:
        first = store.row(f"SELECT min(seq) FROM {EVENTS} WHERE session_id = ?", (session_id,))
        if first is not None and first[0] <= cold[0]:
            cold = None  # they are back in the table
    updated_at = _updated_at(store, session_id)
    moment = updated_at if updated_at is not None else written_at
    generation = _generation(store, session_id)
    if generation is None and cold is not None:
        generation = cold[1]
    version = _version(generation, moment)
    if cold is None:
        return StoredSession(session_id, version, last_seq, moment)
    return StoredSession(session_id, version, last_seq, moment, cold[0], cold[3] + 1)


def _cold(store: Store, session_id: str) -> tuple[int, bytes, int, int] | None:
    """Last seq, generation, time and length; the length counts no newline behind the last event."""
    if not store.has(_COLD):
        return None
    query = f"SELECT last_seq, CAST(generation AS BLOB), archived_at, raw_bytes FROM {_COLD} WHERE session_id = ?"
    row = store.row(query, (session_id,))
    return (row[0], row[1], row[2], row[3]) if row is not None else None


def windows_of(store: Store) -> str | None:
    """The table that has a row per session id: renamed with schema 14."""
    for table in ("session_windows", "sessions"):
        if {"session_id", "transcript_updated_at"} <= store.columns(table):
            return table
    return None


def _updated_at(store: Store, session_id: str) -> int | None:
    table = windows_of(store)
    if table is None:
        return None
    row = store.row(f"SELECT transcript_updated_at FROM {table} WHERE session_id = ?", (session_id,))
    return row[0] if row is not None else None


def _generation(store: Store, session_id: str) -> bytes | None:
    if not store.has(MARKS):
        return None
    row = store.row(f"SELECT CAST(generation AS BLOB) FROM {MARKS} WHERE session_id = ?", (session_id,))
    return row[0] if row is not None else None


def store_inode(store_path: str) -> int:
    """Which file it is: another database in its place is another, whatever it holds."""
    try:
        return os.stat(store_path).st_ino & _INT64
    except OSError:
        return 0  # whoever opens it says what is wrong


def stat_without_size(session: StoredSession, store_inode: int) -> FileStat:
    version = int.from_bytes(blake2b(session.version.encode("utf-8", "surrogateescape"), digest_size=8).digest())
    moment = nanoseconds(session.updated_at)
    return FileStat(store_inode, version & _INT64, 0, moment + session.last_seq % _MS, moment)


def nanoseconds(moment: int) -> int:
    """Of a time in milliseconds, as a file's stat has them: none is further away than that can hold."""
    return max(0, min(moment, _INT64 // _MS - 1)) * _MS


def stat_of_session(store_path: str, session_id: str) -> FileStat | None:
    """The same of one session; None: it has no events there."""
    session = read_store(store_path, partial(session_in, session_id=session_id))
    return stat_without_size(session, store_inode(store_path)) if session is not None else None


def is_same_but_for_size(left: StatFields, right: FileStat) -> bool:
    return FileStat(*left)._replace(size=right.size) == right


# How many bytes: counted once, then only for what is appended.

_measures: OrderedDict[tuple[str, int, str, str], list[Anchor]] = OrderedDict()


class Measured(NamedTuple):
    session: StoredSession
    size: int
    anchors: tuple[Anchor, ...]
    """Where some of its events in the table begin; the last is behind its last event."""
    is_remembered: bool = False
    """Is some of it what an earlier look found? Then it holds if only appends came since."""


def measure(store_path: str, store_inode: int, session_id: str) -> StoredSession | None:
    """A session with its size, of one moment; None: there is no such session."""
    anchor: Anchor | None = None
    while True:
        asked = partial(measure_in, store_inode=store_inode, session_id=session_id, from_anchor=anchor)
        found = read_store(store_path, asked)
        if not isinstance(found, Anchor):
            return found.session._replace(size=found.size) if found is not None else None
        anchor = found


def measure_in(
    store: Store, store_inode: int, session_id: str, from_anchor: Anchor | None = None
) -> Measured | Anchor | None:
    """The same within a transaction. An Anchor: it is a long one, and this is how far it was measured."""
    session = session_in(store, session_id)
    if session is None:
        return None
    key = (store.path, store_inode, session_id, session.version)
    known = _measures.get(key, [])
    is_remembered = bool(known)
    usable = [item for item in [*known, *([from_anchor] if from_anchor else [])] if item.seq <= session.last_seq + 1]
    start = next((item for item in reversed(usable) if _is_still_so(store, session_id, item)), None)
    if start is None:
        usable = []
        start = Anchor(session.cold_bytes, session.cold_seq + 1 if session.cold_seq is not None else FIRST_SEQ, None)
    length = length_of(store)
    query = f"""SELECT count(*), coalesce(sum(bytes + 1), 0), max(seq) FROM (SELECT seq, {length} AS bytes
        FROM {EVENTS} WHERE session_id = ? AND seq >= ? ORDER BY seq LIMIT {_ROWS_MEASURED})"""
    row = store.row(query, (session_id, start.seq))
    assert row is not None
    count, size, last = row
    end = start
    if count:
        before = store.row(
            f"SELECT {length}, created_at FROM {EVENTS} WHERE session_id = ? AND seq = ?", (session_id, last)
        )
        end = Anchor(start.offset + size, last + 1, (before[0], before[1]) if before is not None else None)
    if count == _ROWS_MEASURED and end.seq <= session.last_seq:
        return end
    if not (isinstance(size, int) and 0 <= end.offset <= _INT64):  # SQLite's sums become floating ones
        raise OverflowError("no session has so many bytes")
    anchors = [*[item for item in usable if item.offset < end.offset][-_MOST_ANCHORS:], end]
    store.if_it_counts.append(partial(_remember, key, anchors))
    return Measured(session, end.offset, tuple(anchors), is_remembered)


FIRST_SEQ = -(2**63)


def _is_still_so(store: Store, session_id: str, anchor: Anchor) -> bool:
    if anchor.before is None:
        return False
    row = store.row(
        f"SELECT {length_of(store)}, created_at FROM {EVENTS} WHERE session_id = ? AND seq = ?",
        (session_id, anchor.seq - 1),
    )
    return row is not None and (row[0], row[1]) == anchor.before


def forget_measures(store_path: str, session_id: str) -> None:
    """Something else than an append came, and nothing told of it: all that is remembered may be wrong."""
    for key in [key for key in list(_measures) if (key[0], key[2]) == (store_path, session_id)]:
        _measures.pop(key, None)


def _remember(key: tuple[str, int, str, str], anchors: list[Anchor]) -> None:
    _measures[key] = anchors
    with suppress(KeyError):  # another thread may have made room
        _measures.move_to_end(key)
        while len(_measures) > _MOST_MEASURES:
            _measures.popitem(last=False)
