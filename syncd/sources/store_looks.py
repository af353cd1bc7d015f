"""A quick look at one of OpenClaw's databases: which of its sessions may have changed since another.

It asks for no more than each session's watermark. Not here: what has changed in a session, and which archives came.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from syncd.sources.store_opening import read_store
from syncd.sources.store_sessions import MARKS, has_sessions, windows_of

if TYPE_CHECKING:
    from syncd.sources.store_opening import Store

Moments = dict[str, tuple[Any, Any]]
"""By session id: what a change is told by."""


def moments_of(store_path: str, since: int | None = None) -> Moments | None:
    """The same of all sessions, or of those that were written since then; None: these tables do not tell it.

    In as many transactions as that takes: an id stays what it is, so one that is in none of them is not there.
    """
    found: Moments = {}
    after: str | None = ""
    while after is not None:
        page = read_store(store_path, partial(_page_of_moments, since=since, after=after))
        if page is None:
            return None
        moments, after = page
        found |= moments
    return found


def changed_sessions(store_path: str, before: Moments, since: int | None = None) -> tuple[list[str], Moments] | None:
    """Ids whose events may have changed or gone since `before`, and how it is now; None: all is to be listed.

    `since`: only those that were written since then are looked at, which is quick however many there are.
    """
    now = moments_of(store_path, since)
    if now is None:
        return None
    changed = [session_id for session_id, moment in now.items() if before.get(session_id) != moment]
    if since is not None:
        return changed, {**before, **now} if changed else before
    return changed + [session_id for session_id in before if session_id not in now], now


def _page_of_moments(store: Store, since: int | None, after: str) -> tuple[Moments, str | None] | None:
    table = windows_of(store)
    if table is None or not has_sessions(store):
        return None
    generation = f"(SELECT CAST(generation AS BLOB) FROM {MARKS} AS m WHERE m.session_id = w.session_id)"
    query = f"""SELECT session_id, transcript_updated_at, {generation if store.has(MARKS) else "NULL"}
        FROM {table} AS w WHERE session_id > ?1 AND ?2 IS NULL ORDER BY session_id"""
    if since is not None:  # which has an index; the plus keeps SQLite from going through all ids instead
        query = query.replace("session_id > ?1 AND ?2 IS NULL", "+session_id > ?1 AND updated_at >= ?2")
        query = query.replace("ORDER BY session_id", "ORDER BY +session_id")
    found: Moments = {}
    for session_id, moment, version in store.rows(query, (after, since)):
        found[session_id] = (moment, version)
        if store.is_page_full:
            return found, session_id
    return found, None
