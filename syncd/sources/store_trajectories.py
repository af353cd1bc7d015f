"""Trajectories in OpenClaw's own SQLite (`trajectory_runtime_events`): the flight recorder, kept raw.

OpenClaw keeps a window of the newest events of each session and lets the oldest go as new ones come, and whole runs
that are old, wherever they stand: a log, not a file.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from syncd.sources.store_opening import read_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.sources.store_opening import Store

TABLE: Final = "trajectory_runtime_events"
PAGE_BYTES: Final = 1024 * 1024
_LAST: Final = f"""WITH RECURSIVE each (session_id) AS (SELECT min(session_id) FROM {TABLE} WHERE session_id > ?
    UNION ALL SELECT (SELECT min(t.session_id) FROM {TABLE} AS t WHERE t.session_id > each.session_id) FROM each
    WHERE each.session_id IS NOT NULL)
    SELECT session_id, (SELECT max(t.seq) FROM {TABLE} AS t WHERE t.session_id = each.session_id) FROM each
    WHERE session_id IS NOT NULL"""
_NEWEST_ROW: Final = f"SELECT coalesce(max(rowid), 0) FROM {TABLE}"
_ROWS_AFTER: Final = f"SELECT rowid, session_id, seq FROM {TABLE} WHERE rowid > ? ORDER BY rowid"
_AFTER: Final = f"""SELECT seq, CAST(event_json AS BLOB) FROM {TABLE} WHERE session_id = ? AND seq > ?
    ORDER BY seq"""
_AS_LONG: Final = f"""SELECT seq, CAST(event_json AS BLOB) FROM {TABLE} WHERE session_id = ?
    AND octet_length(event_json) = ? ORDER BY seq DESC"""
FIRST_SEQ: Final = -1


class Event(NamedTuple):
    """`line` ends with a newline."""

    seq: int
    line: bytes


class Page(NamedTuple):
    """Some events, in order."""

    events: list[Event]
    is_last: bool


class Recorded(NamedTuple):
    """What was recorded, as far as this row: by session, the `seq` of its newest event."""

    newest: dict[str, int]
    row: int
    is_all: bool


def last_events(store_path: str) -> dict[str, int]:
    """By session, the `seq` of its newest event. In as many transactions as that takes."""
    found: dict[str, int] = {}
    after: str | None = ""
    while after is not None:
        page, after = read_store(store_path, partial(_page_of_sessions, after=after))
        found |= page
    return found


def newest_row(store_path: str) -> int:
    """Rows are numbered as they come, of whichever session."""
    row = read_store(store_path, lambda store: store.row(_NEWEST_ROW) if store.has(TABLE) else None)
    return row[0] if row is not None else 0


def recorded_after(store_path: str, row: int) -> Recorded:
    """What came behind this row. It costs what is new, however much there is."""
    return read_store(store_path, partial(_recorded, after=row))


def place_of(store_path: str, session_id: str, event: bytes) -> int | None:
    """The `seq` of the newest event that is this one; None: it is not there any more."""
    return read_store(store_path, partial(_place, session_id=session_id, event=event))


def events_after(store_path: str, session_id: str, seq: int) -> Page:
    return read_store(store_path, partial(_page, session_id=session_id, after=seq))


def all_events(store_path: str, session_id: str) -> Iterator[Event]:
    """Those that are there still, in as many transactions as that takes."""
    seq, is_last = FIRST_SEQ, False
    while not is_last:
        events, is_last = events_after(store_path, session_id, seq)
        yield from events
        seq = events[-1].seq if events else seq


def _page_of_sessions(store: Store, after: str) -> tuple[dict[str, int], str | None]:
    found: dict[str, int] = {}
    if store.has(TABLE):
        for session_id, seq in store.rows(_LAST, (after,)):
            found[session_id] = seq
            if store.is_page_full:
                return found, session_id
    return found, None


def _recorded(store: Store, after: int) -> Recorded:
    found: dict[str, int] = {}
    if store.has(TABLE):
        for row, session_id, seq in store.rows(_ROWS_AFTER, (after,)):
            found[session_id], after = seq, row
            if store.is_page_full:
                return Recorded(found, after, is_all=False)
    return Recorded(found, after, is_all=True)


def _place(store: Store, session_id: str, event: bytes) -> int | None:
    same = (seq for seq, text in store.rows(_AS_LONG, (session_id, len(event))) if text == event)
    return next(same, None)


def _page(store: Store, session_id: str, after: int) -> Page:
    events: list[Event] = []
    total = 0
    for seq, text in store.rows(_AFTER, (session_id, after)):
        if total and (total + len(text) > PAGE_BYTES or store.is_page_full):
            return Page(events, is_last=False)
        # An event is JSON of one line; were it not, it would still be one here.
        events.append(Event(seq, text.replace(b"\n", b" ") + b"\n"))
        total += len(text) + 1
    return Page(events, is_last=True)
