"""What a transcript is, for the head of a page: whose it is, behind which key, and what hangs together with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

_MAX_RELATIVES = 50

_SESSION = """SELECT sessions.id, sessions.session_key, coalesce(title, label, display_name, subject), sessions.channel,
    sessions.status, spawned_by, parent_session_key, updated_at FROM session_ids
    JOIN sessions ON sessions.id = session_ids.session WHERE session_ids.session_id = ? AND installation_id = ?
    ORDER BY ended_by IS NULL DESC, sessions.agent_id = ? DESC, sessions.status, last_seen_at DESC LIMIT 1"""
_NAMES = ("session", "session_key", "title", "channel", "status", "spawned_by", "parent_session_key", "updated_at")
_CHILDREN = """SELECT id, session_id, kind, state FROM transcripts WHERE parent_transcript_id = ?
    AND kind != 'trajectory' ORDER BY id LIMIT ?"""
_PARENT = "SELECT id, session_id, kind, state FROM transcripts WHERE id = ?"
_SPAWNED = """SELECT session_key, session_id, coalesce(title, label), status FROM sessions
    WHERE installation_id = ? AND (spawned_by = ?2 OR parent_session_key = ?2) ORDER BY id LIMIT ?"""


def about(ledger: Ledger, transcript: Transcript) -> dict[str, Any]:
    """The session and its transcript in one record; a transcript without an index entry has no key."""
    found = ledger.row(_SESSION, (transcript.session_id, transcript.installation_id, transcript.agent_id))
    session = dict(zip(_NAMES, found or (None,) * len(_NAMES), strict=True))
    return {
        **session,
        "title": session["title"] or transcript.title,
        "session_id": transcript.session_id,
        "agent_id": transcript.agent_id,
        "transcript_id": transcript.id,
        "kind": transcript.kind,
        "state": transcript.state,
        "generation": transcript.generation,
        "path": transcript.path,
        "cwd": transcript.cwd,
        "header_version": transcript.header_version,
        "started_at": transcript.started_at,
        "leaf_entry_id": transcript.leaf_entry_id,
        "bytes": transcript.bytes,
        "lines": transcript.lines,
    }


def relatives(ledger: Ledger, transcript: Transcript, session_key: str | None) -> dict[str, Any]:
    """Where it came from, what was forked, continued or copied from it, and the sessions it spawned."""
    parent = None
    if transcript.parent_transcript_id is not None:
        parent = ledger.row(_PARENT, (transcript.parent_transcript_id,))
    children = ledger.execute(_CHILDREN, (transcript.id, _MAX_RELATIVES))
    spawned: list[dict[str, Any]] = []
    if session_key is not None:
        names = ("session_key", "session_id", "title", "status")
        rows = ledger.execute(_SPAWNED, (transcript.installation_id, session_key, _MAX_RELATIVES))
        spawned = [dict(zip(names, row, strict=True)) for row in rows]
    return {
        "parent": _transcript(parent) if parent is not None else None,
        "children": [_transcript(row) for row in children],
        "spawned": spawned,
    }


def _transcript(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(("transcript_id", "session_id", "kind", "state"), row, strict=True))
