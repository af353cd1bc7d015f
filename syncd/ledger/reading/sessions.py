"""Sessions as people list them: which, in what order, and what was said first and last in each.

One pass over the narrow columns chooses the rows; only those that are shown are read whole. Transcripts that no index
ever knew are listed too, apart: OpenClaw leaves such files behind, and the ledger keeps them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from syncd.ledger.reading.folding import can_fold
from syncd.openclaw.letter_case import folded
from syncd.openclaw.lines import Decoded, decode_line
from syncd.openclaw.session_entries import pinned_at

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

SORTS: Final = ("recent", "created", "size", "title")
_SAID_CHARACTERS: Final = 300
"""How much of a message a list shows at most."""
_STEPS: Final = 200
"""How far from either end of a transcript a message of a person is looked for."""

Row = dict[str, Any]

_LAST_AT = "coalesce(updated_at, last_interaction_at, created_at, 0)"
_BYTES = """(SELECT coalesce(sum(bytes), 0) FROM transcripts WHERE transcripts.session = sessions.id
    AND transcripts.session_id = sessions.session_id AND transcripts.kind != 'trajectory')"""
_ORDER = {
    "recent": f"{_LAST_AT} DESC",
    "created": "coalesce(created_at, session_started_at, updated_at, 0) DESC",
    "size": f"{_BYTES} DESC",
    "title": "folded(coalesce(title, display_name, session_key))",
}
_RANK = """CASE WHEN kind NOT IN ('primary', 'fork', 'successor', 'reset', 'deleted') THEN 2
    WHEN state = 'live' AND kind NOT IN ('reset', 'deleted') THEN 0 ELSE 1 END"""
_PROJECT = "instr(coalesce(nullif(folded_cwd, ''), mentions), ?)"
"""By the working directory; where there is none, by what the first messages speak of."""
_FACTS = "id, path, kind, state, bytes, lines, generation, cwd, started_at, tip_turn_id, title"
_TRANSCRIPTS = f"""SELECT {_FACTS} FROM transcripts
    WHERE session_id = ? AND installation_id = ? AND kind != 'trajectory' ORDER BY {_RANK}, id DESC"""
_WITHOUT_ENTRY = "FROM transcripts WHERE session IS NULL AND kind != 'trajectory'"
_ENDED = """(SELECT at FROM entries WHERE entries.transcript_id = transcripts.id AND superseded_in IS NULL
    ORDER BY byte_offset DESC LIMIT 1)"""
_FIRST_SAID = f"""SELECT substr(text, 1, {_SAID_CHARACTERS}) FROM (SELECT id, byte_offset FROM entries
    WHERE transcript_id = ? AND superseded_in IS NULL ORDER BY byte_offset LIMIT {_STEPS}) AS head
    CROSS JOIN messages ON messages.id = head.id WHERE role = 'user' AND text IS NOT NULL
    AND silence IS NULL ORDER BY byte_offset LIMIT 1"""
_PROMPT_OF_TURN = f"""WITH RECURSIVE turn(id, parent, prompt, step) AS (
    SELECT id, parent_turn_id, user_message_id, 1 FROM turns WHERE id = ?
    UNION ALL SELECT turns.id, parent_turn_id, user_message_id, step + 1 FROM turns JOIN turn ON turns.id = turn.parent
    WHERE step < {_STEPS})
    SELECT substr(text, 1, {_SAID_CHARACTERS}) FROM turn CROSS JOIN messages ON messages.id = turn.prompt
    WHERE silence IS NULL LIMIT 1"""


class Filters(NamedTuple):
    """What to list; None and False: do not ask."""

    agent: str | None = None
    channel: str | None = None
    project: str | None = None
    since: int | None = None
    active: bool = False
    removed: bool = False


class Listing(NamedTuple):
    sessions: list[Row]
    total: int
    """How many there are without the limit."""
    transcripts: list[Row]
    """Those whose session no index ever knew; one per agent and session id."""
    transcripts_total: int


def list_sessions(ledger: Ledger, filters: Filters, sort: str, limit: int) -> Listing:
    """At most `limit` of each; to be used inside one read transaction."""
    where, bindings = _conditions(filters)
    can_fold(ledger)
    chosen = f"SELECT id FROM sessions{where} ORDER BY {_ORDER[sort]}, id DESC LIMIT ?"
    ids = [row[0] for row in ledger.execute(chosen, (*bindings, limit))]
    (total,) = ledger.row(f"SELECT count(*) FROM sessions{where}", bindings) or (0,)
    lost, lost_total = _without_entry(ledger, filters, sort, limit)
    names = tuple(name for (name,) in ledger.execute("SELECT name FROM pragma_table_info('sessions') ORDER BY cid"))
    return Listing([_session_row(ledger, each, names) for each in ids], total, lost, lost_total)


def _conditions(filters: Filters) -> tuple[str, tuple[Any, ...]]:
    parts: list[tuple[str, object]] = []
    if filters.agent is not None:
        parts.append(("agent_id = ?", filters.agent))
    if filters.channel is not None:
        parts.append(("channel = lower(?)", filters.channel))
    if filters.since is not None:
        parts.append((f"{_LAST_AT} >= ?", filters.since))
    if filters.project is not None:
        parts.append((f"id IN (SELECT session FROM transcripts WHERE {_PROJECT})", folded(filters.project)))
    conditions = [condition for condition, _ in parts]
    if filters.active:
        conditions.append("lifecycle = 'active'")
    if filters.removed:
        conditions.append("status = 'removed'")
    return f" WHERE {' AND '.join(conditions)}" if conditions else "", tuple(value for _, value in parts)


def _session_row(ledger: Ledger, session: int, names: tuple[str, ...]) -> Row:
    """All columns of the session's row, and what its transcript adds."""
    found_row = ledger.row("SELECT * FROM sessions WHERE id = ?", (session,))
    assert found_row is not None  # the same transaction has just seen it
    row = dict(zip(names, found_row, strict=True))
    found = list(ledger.execute(_TRANSCRIPTS, (row["session_id"], row["installation_id"])))
    row["transcripts"] = len(found)
    row["openclaw_pinned_at"] = _pinned_at(row["entry_json"])
    return row | _of_transcript(ledger, found[0] if found else None)


def _pinned_at(entry_json: str | None) -> int | None:
    decoded = decode_line((entry_json or "").encode("utf-8", "surrogatepass"))
    return pinned_at(decoded.value) if isinstance(decoded, Decoded) else None


def _of_transcript(ledger: Ledger, found: tuple[Any, ...] | None) -> Row:
    if found is None:
        names = ("transcript_id", "path", "transcript_kind", "transcript_state", "generation", "cwd")
        said = ("first_user_message", "last_user_message")
        return {**dict.fromkeys(names), "bytes": 0, "lines": 0, **dict.fromkeys(said)}
    transcript_id, path, kind, state, size, lines, generation, cwd, _, tip_turn, _ = found
    first = ledger.row(_FIRST_SAID, (transcript_id,))
    last = ledger.row(_PROMPT_OF_TURN, (tip_turn,)) if tip_turn is not None else None
    return {
        "transcript_id": transcript_id,
        "path": path,
        "transcript_kind": kind,
        "transcript_state": state,
        "generation": generation,
        "cwd": cwd,
        "bytes": size,
        "lines": lines,
        "first_user_message": first[0] if first else None,
        "last_user_message": last[0] if last else None,
    }


def _without_entry(ledger: Ledger, filters: Filters, sort: str, limit: int) -> tuple[list[Row], int]:
    if filters.channel is not None or filters.active:
        return [], 0
    conditions: list[str] = [_WITHOUT_ENTRY]
    bindings: list[object] = []
    if filters.agent is not None:
        conditions.append("agent_id = ?")
        bindings.append(filters.agent)
    if filters.project is not None:
        conditions.append(_PROJECT)
        bindings.append(folded(filters.project))
    if filters.removed:
        conditions.append("state != 'live'")
    if filters.since is not None:
        conditions.append(f"coalesce({_ENDED}, started_at, changed_at) >= ?")
        bindings.append(filters.since)
    order = {"size": "bytes DESC", "created": "started_at DESC"}.get(sort, "last_at DESC")
    query = f"""SELECT {_FACTS}, agent_id, session_id, installation_id,
        coalesce({_ENDED}, started_at, changed_at) AS last_at, min({_RANK}), count(*)
        {" AND ".join(conditions)} GROUP BY installation_id, agent_id, session_id ORDER BY {order} LIMIT ?"""
    found = list(ledger.execute(query, (*bindings, limit)))
    if len(found) < limit:
        total = len(found)
    else:
        each = f"SELECT 1 {' AND '.join(conditions)} GROUP BY installation_id, agent_id, session_id"
        counting = f"SELECT count(*) FROM ({each})"
        (total,) = ledger.row(counting, tuple(bindings)) or (0,)
    return [_lost_row(ledger, row) for row in found], total


def _lost_row(ledger: Ledger, row: tuple[Any, ...]) -> Row:
    agent, session_id, installation, last_at, _, count = row[11:]
    return {
        "installation_id": installation,
        "agent_id": agent,
        "session_key": None,
        "session_id": session_id,
        "title": row[10],
        "started_at": row[8],
        "last_at": last_at,
        "transcripts": count,
        **_of_transcript(ledger, row[:11]),
    }
