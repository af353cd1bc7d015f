"""The tables sessions, session_ids and session_versions, and which entries stand in which index.

Loads what a plan is made from, and writes a plan in one transaction. Decides nothing. A session keeps its row whatever
its key becomes; what OpenClaw deletes is marked, never removed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.events import INSERT_EVENT, event_row
from syncd.ledger.session_changes import Name
from syncd.ledger.session_facts import adopt_transcripts, call_by_label, title_of
from syncd.ledger.session_parents import find_parents
from syncd.ledger.transcripts import SQL_NO_SESSIONS
from syncd.openclaw.session_entries import SessionColumns
from syncd.records import FileStat

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from syncd.ledger.database import Ledger
    from syncd.ledger.session_changes import EndedPairing, IndexPlan, Placement, Removal, SessionChange

_COLUMNS = SessionColumns._fields
_INSERT = f"""INSERT INTO sessions (installation_id, agent_id, session_key, {", ".join(_COLUMNS)}, lifecycle,
    entry_json) VALUES ({", ".join("?" * (len(_COLUMNS) + 5))}) RETURNING id"""
_UPDATE = f"""UPDATE sessions SET agent_id = ?, session_key = ?, {", ".join(f"{name} = ?" for name in _COLUMNS)},
    lifecycle = ?, entry_json = ?, status = 'live', removed_at = NULL WHERE id = ?"""
_REMOVE = "UPDATE sessions SET status = 'removed', removed_at = ?, lifecycle = 'archived' WHERE id = ?"
INSERT_VERSION = "INSERT INTO session_versions (session, seen_at, changed_json) VALUES (?, ?, ?)"
_SEE_PAIRING = """INSERT INTO session_ids (session, session_id, session_key, agent_id, first_seen_at, last_seen_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT (session, session_key, session_id)
    DO UPDATE SET last_seen_at = excluded.last_seen_at, ended_by = NULL"""
_KEEP_PAIRING = """INSERT INTO session_ids (session, session_id, session_key, agent_id, first_seen_at, last_seen_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT (session, session_key, session_id) DO UPDATE SET ended_by = NULL"""
_ADD_PAIRING = """INSERT INTO session_ids (session, session_id, session_key, agent_id, first_seen_at, last_seen_at,
    ended_by) VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6) ON CONFLICT (session, session_key, session_id)
    DO UPDATE SET ended_by = excluded.ended_by"""
_END_PAIRING = """UPDATE session_ids SET ended_by = ?, last_seen_at = max(last_seen_at, ?)
    WHERE session = ? AND session_key = ? AND session_id = ?"""
ENDED_BY_RESET = """UPDATE session_ids SET ended_by = 'reset' WHERE ended_by IN ('switch', 'recovery') AND id = (
    SELECT session_ids.id FROM session_ids JOIN sessions ON sessions.id = session_ids.session
    WHERE session_ids.session_id = ? AND sessions.installation_id = ?
    ORDER BY session_ids.agent_id = ? DESC, session_ids.ended_by IS NULL DESC, session_ids.last_seen_at DESC,
      session_ids.id DESC LIMIT 1)"""
"""OpenClaw changes the index first, then gives the transcript its `.reset.` name: once that is seen, the pairing that
ended last is known better than by what the index alone let suppose. Its agent's own, if there is one: a transcript in a
place of all agents may be of another one's session."""
_PLACE = """INSERT INTO _index_entries (index_id, agent_id, session_key, session, digest, updated_at)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET session = excluded.session, digest = excluded.digest,
    updated_at = excluded.updated_at, missing_at = NULL"""
_MISS = "UPDATE _index_entries SET missing_at = ? WHERE index_id = ? AND agent_id = ? AND session_key = ?"
_UNPLACE = "DELETE FROM _index_entries WHERE index_id = ? AND agent_id = ? AND session_key = ?"
_STATE = """UPDATE _indexes SET digest = ?, dev = ?, ino = ?, size = ?, mtime_ns = ?, ctime_ns = ? WHERE id = ?"""
# A transcript whose file is archived or gone is of the past, unless another of the same session lives on.
_STATE_OF_TRANSCRIPT = f"""(SELECT iif(max(state = 'live'), 'live', iif(count(*), 'archived', NULL)) FROM transcripts
    WHERE transcripts.session_id = {{}} AND transcripts.installation_id = {{}} AND lines > 0
    AND transcripts.kind NOT IN {SQL_NO_SESSIONS})"""
# As mirror.index_plan decides it from an entry that changed; here for those that say what they said.
_AGED = f"""SELECT id, now FROM (SELECT id, lifecycle, CASE {_STATE_OF_TRANSCRIPT.format("sessions.session_id", "?1")}
      WHEN 'archived' THEN 'archived'
      WHEN 'live' THEN iif(coalesce(last_interaction_at, updated_at, 0) < ?2, 'idle', 'active')
      ELSE iif(lifecycle = 'active' AND coalesce(last_interaction_at, updated_at, 0) < ?2, 'idle', lifecycle)
    END AS now FROM sessions WHERE installation_id = ?1 AND status = 'live' AND (lifecycle != 'archived'
    OR json_valid(entry_json) AND json_extract(entry_json, '$.archivedAt') IS NULL)) WHERE now != lifecycle"""
_NO_STAT = (None,) * len(FileStat._fields)


class KnownSession(NamedTuple):
    """A row of `sessions`, as far as a plan asks for it."""

    id: int
    session_id: str | None
    is_live: bool
    created_at: int | None
    entry_json: str


class PlacedEntry(NamedTuple):
    """A row of `_index_entries`."""

    session: int
    digest: bytes
    updated_at: int | None
    missing_at: int | None


class KnownIndex(NamedTuple):
    """A row of `_indexes`."""

    id: int
    digest: bytes
    stat: FileStat | None


def known_indexes(ledger: Ledger, installation_id: int) -> dict[str, KnownIndex]:
    """By path."""
    query = "SELECT path, id, digest, dev, ino, size, mtime_ns, ctime_ns FROM _indexes WHERE installation_id = ?"
    return {
        os.fsdecode(path): KnownIndex(index_id, digest, FileStat._make(stat) if stat[0] is not None else None)
        for path, index_id, digest, *stat in ledger.execute(query, (installation_id,))
    }


def add_index(ledger: Ledger, installation_id: int, path: str) -> KnownIndex:
    """An index seen for the first time; nothing of it is taken in yet."""
    query = "INSERT INTO _indexes (installation_id, path, digest) VALUES (?, ?, x'') RETURNING id"
    row = ledger.row(query, (installation_id, os.fsencode(path)))
    assert row is not None
    return KnownIndex(int(row[0]), b"", None)


def placed_entries(ledger: Ledger, index_id: int) -> dict[Name, PlacedEntry]:
    query = """SELECT agent_id, session_key, session, digest, updated_at, missing_at FROM _index_entries
        WHERE index_id = ?"""
    return {Name(agent, key): PlacedEntry(*rest) for agent, key, *rest in ledger.execute(query, (index_id,))}


def only_agent_in(ledger: Ledger, index_id: int) -> tuple[str, bool] | None:
    """The agent that all entries of an index are known for, and whether keys that name another are; None: several."""
    query = "SELECT min(agent_id), max(agent_id) FROM _index_entries WHERE index_id = ?"
    row = ledger.row(query, (index_id,))
    if row is None or row[0] is None or row[0] != row[1]:
        return None
    of_others = """SELECT 1 FROM _index_entries WHERE index_id = ?1 AND agent_id = ?2
        AND (session_key >= 'agent:' AND session_key < 'agent:' || ?2 || ':'
          OR session_key >= 'agent:' || ?2 || ';' AND session_key < 'agent;') LIMIT 1"""
    return str(row[0]), ledger.row(of_others, (index_id, row[0])) is not None


def has_missing_entries(ledger: Ledger, index_id: int) -> bool:
    query = "SELECT 1 FROM _index_entries WHERE index_id = ? AND missing_at IS NOT NULL LIMIT 1"
    return ledger.row(query, (index_id,)) is not None


def has_entries(ledger: Ledger, index_id: int) -> bool:
    return ledger.row("SELECT 1 FROM _index_entries WHERE index_id = ? LIMIT 1", (index_id,)) is not None


def has_entries_elsewhere(ledger: Ledger, index_id: int) -> bool:
    """Does an entry of this index stand in another one too, of the same installation, and is it no older there?"""
    query = """SELECT 1 FROM _index_entries AS here CROSS JOIN _indexes AS this ON this.id = here.index_id
        CROSS JOIN _indexes AS other ON other.installation_id = this.installation_id AND other.id != this.id
        CROSS JOIN _index_entries AS there ON there.index_id = other.id AND there.agent_id = here.agent_id
          AND there.session_key = here.session_key AND there.missing_at IS NULL
          AND coalesce(there.updated_at, 0) >= coalesce(here.updated_at, 0)
        WHERE here.index_id = ? LIMIT 1"""
    return ledger.row(query, (index_id,)) is not None


def has_sessions(ledger: Ledger, installation_id: int) -> bool:
    return ledger.row("SELECT 1 FROM sessions WHERE installation_id = ? LIMIT 1", (installation_id,)) is not None


def session_named(ledger: Ledger, installation_id: int, name: Name) -> KnownSession | None:
    query = """SELECT id, session_id, status = 'live', created_at, entry_json FROM sessions
        WHERE installation_id = ? AND agent_id = ? AND session_key = ?"""
    row = ledger.row(query, (installation_id, *name))
    return KnownSession(row[0], row[1], bool(row[2]), row[3], row[4]) if row is not None else None


def pairings(ledger: Ledger, installation_id: int) -> dict[tuple[Name, str], str | None]:
    """Every pairing of a key and a session id ever seen, with what ended it."""
    query = """SELECT session_ids.agent_id, session_ids.session_key, session_ids.session_id, ended_by FROM session_ids
        JOIN sessions ON sessions.id = session_ids.session WHERE installation_id = ?"""
    return {(Name(agent, key), one): ended for agent, key, one, ended in ledger.execute(query, (installation_id,))}


def transcript_state(ledger: Ledger, installation_id: int, session_id: str) -> str | None:
    """`live` or `archived`: what became of all that was taken in of this session; None = nothing was yet."""
    row = ledger.row(f"SELECT {_STATE_OF_TRANSCRIPT.format('?2', '?1')}", (installation_id, session_id))
    return row[0] if row is not None else None


def apply_index(connection: apsw.Connection, installation_id: int, plan: IndexPlan, now_ms: int) -> None:
    """Write the plan. The caller has begun a transaction and commits it."""
    if plan.is_called_by_label:
        call_by_label(connection, installation_id)
    ids = {change.name: _write_change(connection, installation_id, change, now_ms) for change in plan.changes}
    find_parents(connection, installation_id, ids.values())
    for pairing in plan.pairings:
        session = ids.get(pairing.name) or _session_id(connection, installation_id, pairing)
        about = (session, pairing.session_id, pairing.name.session_key, pairing.name.agent_id, now_ms)
        connection.execute(_ADD_PAIRING, (*about, pairing.ended_by))
        adopt_transcripts(connection, installation_id, pairing.session_id)
    for removal in plan.removals:
        _write_removal(connection, installation_id, removal, now_ms)
    for index_id, name in (*plan.unplaced, *plan.renamed):
        connection.execute(_UNPLACE, (index_id, *name))
    for placement in plan.placements:
        session = ids.get(placement.name) or _session_id(connection, installation_id, placement)
        connection.execute(
            _PLACE, (placement.index_id, *placement.name, session, placement.digest, placement.updated_at)
        )
    for index_id, name, since in plan.missing:
        connection.execute(_MISS, (since, index_id, *name))
    for state in plan.states:
        connection.execute(_STATE, (state.digest, *(state.stat or _NO_STAT), state.index_id))
    for kind, detail in plan.events:
        connection.execute(INSERT_EVENT, event_row(now_ms, kind, None, detail))


def _write_change(connection: apsw.Connection, installation_id: int, change: SessionChange, now_ms: int) -> int:
    columns = change.columns._replace(title=title_of(connection, installation_id, change.name.agent_id, change.columns))
    values = (*change.name, *columns, change.lifecycle, change.entry_json)
    if change.session is None:
        session = int(connection.execute(_INSERT, (installation_id, *values)).get)
    else:
        session = change.session
        connection.execute(_UPDATE, (*values, session))
    _end_pairing(connection, installation_id, session, change.ended, change.seen_before_at)
    if change.columns.session_id is not None:
        pairing = (session, change.columns.session_id, change.name.session_key, change.name.agent_id, now_ms)
        connection.execute(_KEEP_PAIRING if change.is_mend else _SEE_PAIRING, pairing)
        adopt_transcripts(connection, installation_id, change.columns.session_id)
    if change.changed_json is not None:
        connection.execute(INSERT_VERSION, (session, now_ms, change.changed_json))
    return session


def _write_removal(connection: apsw.Connection, installation_id: int, removal: Removal, now_ms: int) -> None:
    connection.execute(_REMOVE, (now_ms, removal.session))
    _end_pairing(connection, installation_id, removal.session, removal.ended, removal.seen_before_at)


def _end_pairing(
    connection: apsw.Connection, installation_id: int, session: int, ended: EndedPairing | None, seen_at: int
) -> None:
    if ended is not None:
        pairing = (session, ended.name.session_key, ended.session_id)
        connection.execute(_END_PAIRING, (ended.ended_by, seen_at, *pairing))
        adopt_transcripts(connection, installation_id, ended.session_id)


def _session_id(connection: apsw.Connection, installation_id: int, item: Placement | EndedPairing) -> int:
    query = "SELECT id FROM sessions WHERE installation_id = ? AND agent_id = ? AND session_key = ?"
    return int(connection.execute(query, (installation_id, *item.name)).get)


def has_made(ledger: Ledger, installation_id: int, session: int, name: Name, columns: SessionColumns) -> bool:
    """Is the row what its entry makes, the title included, and is its present pairing known?"""
    made = columns._replace(title=title_of(ledger.connection, installation_id, name.agent_id, columns))
    row = ledger.row(f"SELECT {', '.join(_COLUMNS)} FROM sessions WHERE id = ?", (session,))
    if row is None or tuple(row) != tuple(made):
        return False
    pairing = """SELECT 1 FROM session_ids WHERE session = ? AND session_key = ? AND session_id = ?
        AND ended_by IS NULL"""
    return made.session_id is None or ledger.row(pairing, (session, name.session_key, made.session_id)) is not None


def distrust_entries(connection: apsw.Connection, only: Iterable[int] | None = None) -> None:
    """What is known of sessions may not be so: the next look reads their entries, and holds the rows against them."""
    connection.execute("UPDATE _indexes SET digest = x'', dev = NULL")
    if only is None:
        connection.execute("UPDATE _index_entries SET digest = x''")
    for session in only or ():
        connection.execute("UPDATE _index_entries SET digest = x'' WHERE session = ?", (session,))


def aged_sessions(ledger: Ledger, installation_id: int, idle_before_ms: int) -> list[tuple[int, str]]:
    """(sessions.id, lifecycle) of those that moved on by themselves: time passed, or a transcript came or went."""
    return [(row[0], row[1]) for row in ledger.execute(_AGED, (installation_id, idle_before_ms))]


def set_lifecycles(connection: apsw.Connection, aged: Iterable[tuple[int, str]]) -> None:
    for session, lifecycle in aged:
        connection.execute("UPDATE sessions SET lifecycle = ? WHERE id = ?", (lifecycle, session))


def sharers_of(ledger: Ledger, session: KnownSession) -> list[Name]:
    """Other live sessions of the ledger that stand for the same session id."""
    query = """SELECT sessions.agent_id, sessions.session_key FROM session_ids
        JOIN sessions ON sessions.id = session_ids.session WHERE session_ids.session_id = ?
        AND session_ids.ended_by IS NULL AND sessions.status = 'live' AND sessions.id != ?"""
    return [Name(*row) for row in ledger.execute(query, (session.session_id, session.id))]
