"""Whose child a session is, among the rows of `sessions`: a subagent of its spawner, a run of its cron job, and so on.

Follows from the keys that the index names. A parent may come later than its children. A bond that would close a circle
is not made, so the rows are always a forest; the keys still tell what OpenClaw wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

_SESSION = "SELECT agent_id, parent_key, session_key, parent FROM sessions WHERE id = ?"
_PARENT = """SELECT id FROM sessions WHERE session_key = ? AND installation_id = ? AND id != ?
    ORDER BY agent_id = ? DESC, status = 'live' DESC, id LIMIT 1"""
_HAD_KEY = "SELECT 1 FROM session_ids WHERE session = ? AND session_key = ? LIMIT 1"
_HAS_CHILDREN = "SELECT 1 FROM sessions WHERE parent = ? LIMIT 1"
# UNION, which takes each session once: it ends also in a ledger that somebody has tampered with.
_IS_ABOVE = """WITH RECURSIVE above(id) AS (SELECT ?1
    UNION SELECT sessions.parent FROM above JOIN sessions ON sessions.id = above.id WHERE sessions.parent IS NOT NULL)
    SELECT 1 FROM above WHERE id = ?2"""
_UNBOUND = """SELECT id, installation_id, agent_id, parent_key FROM sessions
    WHERE parent IS NULL AND parent_key IS NOT NULL"""
_WAITING = "SELECT id FROM sessions WHERE parent_key = ? AND parent IS NULL AND installation_id = ?"


def find_parents(connection: apsw.Connection, installation_id: int, sessions: Iterable[int]) -> None:
    """Of sessions that are new or changed, and of those that wait for one of them."""
    for session in sessions:
        found: tuple[str, str | None, str, int | None] | None = connection.execute(_SESSION, (session,)).fetchone()
        if found is None:
            continue
        agent_id, parent_key, session_key, parent = found
        _bind(connection, installation_id, session, agent_id, parent_key, parent)
        waiting: list[Any] = connection.execute(_WAITING, (session_key, installation_id)).fetchall()
        for (child,) in waiting:
            if child != session and not _is_below(connection, session, child):
                connection.execute("UPDATE sessions SET parent = ? WHERE id = ?", (session, child))


def unbound_sessions(connection: apsw.Connection) -> list[tuple[int, int]]:
    """(installation, session) of those that hang on one that is there, and are not bound to it."""
    waiting: list[Any] = connection.execute(_UNBOUND).fetchall()
    found = []
    for session, installation_id, agent_id, parent_key in waiting:
        parent = connection.execute(_PARENT, (parent_key, installation_id, session, agent_id)).get
        if parent is not None and not _is_below(connection, parent, session):
            found.append((installation_id, session))
    return found


def _bind(
    connection: apsw.Connection,
    installation_id: int,
    session: int,
    agent_id: str,
    parent_key: str | None,
    known: int | None,
) -> None:
    parent: int | None = None
    if parent_key is not None:
        parent = connection.execute(_PARENT, (parent_key, installation_id, session, agent_id)).get
        if parent is None:
            had_key = connection.execute(_HAD_KEY, (known, parent_key)).get
            parent = known if had_key is not None else None  # it was renamed since
        elif _is_below(connection, parent, session):
            parent = None
    if parent != known:
        connection.execute("UPDATE sessions SET parent = ? WHERE id = ?", (parent, session))


def _is_below(connection: apsw.Connection, session: int, other: int) -> bool:
    """Is `session` the other one or a descendant of it?"""
    if session == other or connection.execute(_HAS_CHILDREN, (other,)).get is None:
        return session == other
    return connection.execute(_IS_ABOVE, (session, other)).get is not None
