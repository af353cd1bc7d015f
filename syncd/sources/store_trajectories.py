"""Trajectories in OpenClaw's own SQLite (`trajectory_runtime_events`): the flight recorder, kept raw.

OpenClaw keeps a window of the newest events of each session and lets the oldest go as new ones come, and whole runs
that are old, wherever they stand: a log, not a file.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from syncd.sources.opening import StoreError
from syncd.sources.store_opening import read_store
from syncd.sources.store_paths import stored_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.sources.store_opening import Store

TABLE: Final = "trajectory_runtime_events"
PAGE_BYTES: Final = 1024 * 1024
_LAST: Final = f"""WITH RECURSIVE each (session_id) AS (SELECT min(session_id) FROM {TABLE} WHERE session_id > ?
    UNION ALL SELECT (SELECT min(t.session_id) FROM {TABLE} AS t WHERE t.session_id > each.session_id) FROM each
    WHERE each.session_id IS NOT NULL)
    SELECT newest.session_id, newest.seq, newest.created_at FROM each CROSS JOIN {TABLE} AS newest
    ON newest.session_id = each.session_id AND newest.seq =
    (SELECT max(t.seq) FROM {TABLE} AS t WHERE t.session_id = each.session_id)"""
_NEWEST_ROW: Final = f"SELECT rowid, session_id, seq, created_at FROM {TABLE} ORDER BY rowid DESC LIMIT 1"
_ROW: Final = f"SELECT rowid, session_id, seq, created_at FROM {TABLE} WHERE rowid = ?"
_ROWS_AFTER: Final = f"SELECT rowid, session_id, seq, created_at FROM {TABLE} WHERE rowid > ? ORDER BY rowid"
_AFTER: Final = f"""SELECT seq, CAST(event_json AS BLOB) FROM {TABLE} WHERE session_id = ? AND seq > ?
    ORDER BY seq"""
_AS_LONG: Final = f"""SELECT seq, CAST(event_json AS BLOB) FROM {TABLE} WHERE session_id = ?
    AND octet_length(event_json) = ? ORDER BY seq DESC"""
_BYTES: Final = f"""SELECT coalesce(sum(octet_length(event_json) + 1), 0) FROM {TABLE}
    WHERE session_id = ? AND seq > ?"""
_ANY: Final = f"SELECT 1 FROM {TABLE} WHERE session_id = ? LIMIT 1"
_AT: Final = f"SELECT seq, CAST(event_json AS BLOB) FROM {TABLE} WHERE session_id = ? AND seq = ?"
SUFFIX: Final = ".trajectory.jsonl"
FIRST_SEQ: Final = -(2**62)
"""Before any event: no release gives a number below 0, and from here it can still be counted up and down."""


class Newest(NamedTuple):
    """Of a session's events: another number, or another time, is another event."""

    seq: int
    created_at: int


class Event(NamedTuple):
    """`line` ends with a newline."""

    seq: int
    line: bytes


class Page(NamedTuple):
    """Some events, in order."""

    events: list[Event]
    is_last: bool


class Row(NamedTuple):
    """Rows are numbered as they come, of whichever session. A number is given again when the newest rows were let go:
    what else the row says tells whether it is the same.
    """

    number: int
    session_id: str
    seq: int
    created_at: int


NO_ROW: Final = Row(0, "", FIRST_SEQ, 0)


class Recorded(NamedTuple):
    """What was recorded, as far as this row: by session, the `seq` of its newest event."""

    newest: dict[str, int]
    row: Row
    is_all: bool
    is_numbered_anew: bool = False
    """The newest rows were let go: those that came since have their numbers, or will."""


def trajectory_name(session_id: str) -> str:
    """As that of a file; a session id that cannot be part of one is coded, as for its transcript."""
    return stored_name(session_id).removesuffix(".jsonl") + SUFFIX


def last_events(store_path: str) -> dict[str, Newest]:
    """By session, its newest event. In as many transactions as that takes."""
    found: dict[str, Newest] = {}
    after: str | None = ""
    while after is not None:
        page, after = read_store(store_path, partial(_page_of_sessions, after=after))
        found |= page
    return found


def newest_row(store_path: str) -> Row | None:
    """None: there is no table of them."""
    return read_store(store_path, lambda store: _row(store, _NEWEST_ROW) if store.has(TABLE) else None)


def recorded_after(store_path: str, row: Row) -> Recorded:
    """What came behind this row. It costs what is new, however much there is."""
    return read_store(store_path, partial(_recorded, after=row))


def has_events(store_path: str, session_id: str) -> bool:
    asked = (session_id,)
    return read_store(store_path, lambda store: store.has(TABLE) and store.row(_ANY, asked) is not None)


def bytes_after(store_path: str, session_id: str, seq: int) -> int:
    """How many bytes the events behind this one are, newlines counted; none of them is read for it."""
    row = read_store(store_path, lambda store: store.row(_BYTES, (session_id, seq)) if store.has(TABLE) else None)
    return int(row[0]) if row is not None else 0


def line_at(store_path: str, session_id: str, seq: int) -> bytes | None:
    """The event of this number; None: there is none."""
    return read_store(store_path, partial(_line_at, session_id=session_id, seq=seq))


def place_of(store_path: str, session_id: str, line: bytes) -> int | None:
    """The `seq` of the newest event that is this one; None: it is not there any more."""
    return read_store(store_path, partial(_place, session_id=session_id, line=line))


def events_after(store_path: str, session_id: str, seq: int) -> Page:
    return read_store(store_path, partial(_page, session_id=session_id, after=seq))


def all_events(store_path: str, session_id: str) -> Iterator[Event]:
    """Those that are there still, in as many transactions as that takes."""
    seq, is_last = FIRST_SEQ, False
    while not is_last:
        events, is_last = events_after(store_path, session_id, seq)
        yield from events
        seq = events[-1].seq if events else seq


def _page_of_sessions(store: Store, after: str) -> tuple[dict[str, Newest], str | None]:
    found: dict[str, Newest] = {}
    if store.has(TABLE):
        for session_id, seq, created_at in store.rows(_LAST, (after,)):
            found[session_id] = Newest(seq, created_at)
            if store.is_page_full:
                return found, session_id
    return found, None


def _row(store: Store, query: str, *bindings: int) -> Row:
    found = store.row(query, bindings)
    return Row._make(found) if found is not None else NO_ROW


def _recorded(store: Store, after: Row) -> Recorded:
    found: dict[str, int] = {}
    if store.has(TABLE):
        there = _row(store, _ROW, after.number)
        if there != after and (there != NO_ROW or _row(store, _NEWEST_ROW).number < after.number):
            return Recorded(found, after, is_all=True, is_numbered_anew=True)
        for each in store.rows(_ROWS_AFTER, (after.number,)):
            after = Row._make(each)
            found[after.session_id] = after.seq
            if store.is_page_full:
                return Recorded(found, after, is_all=False)
    return Recorded(found, after, is_all=True)


def _line_at(store: Store, session_id: str, seq: int) -> bytes | None:
    row = store.row(_AT, (session_id, seq)) if store.has(TABLE) else None
    return _line(store, session_id, *row) if row is not None else None


def _place(store: Store, session_id: str, line: bytes) -> int | None:
    as_long = store.rows(_AS_LONG, (session_id, len(line) - 1))
    return next((seq for seq, text in as_long if _line(store, session_id, seq, text) == line), None)


def _page(store: Store, session_id: str, after: int) -> Page:
    events: list[Event] = []
    total = 0
    for seq, text in store.rows(_AFTER, (session_id, after)):
        if total and (text is None or total + len(text) > PAGE_BYTES or store.is_page_full):
            return Page(events, is_last=False)
        events.append(Event(seq, _line(store, session_id, seq, text)))
        total += len(text) + 1
    return Page(events, is_last=True)


def _line(store: Store, session_id: str, seq: int, text: bytes | None) -> bytes:
    """An event is JSON of one line; were it not, it would still be one here."""
    if text is None:
        reason = f"has an event that no known release writes: number {seq} of the trajectory of session {session_id}"
        hint = "what stands before it is mirrored; upgrade syncd to follow it"
        raise StoreError("store_bad_event", store.path, reason, hint)
    return text.replace(b"\n", b" ") + b"\n"
