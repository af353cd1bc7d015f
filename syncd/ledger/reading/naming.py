"""Sessions whose key, id or title is like what a person typed: a part of a key, the start of either, words of a title.

Finds candidates and says what tells them apart; whether one is meant is decided by whoever asked. Only a few are ever
returned. Sessions that no index knows are found by their id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.ledger.reading.folding import can_fold
from syncd.openclaw.letter_case import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger

MAX_CANDIDATES = 20
_LAST_CHARACTER = "\U0010ffff"

_SESSIONS = """SELECT installation_id, agent_id, session_key, session_id, coalesce(title, label, display_name, subject),
    status, coalesce(updated_at, last_interaction_at, created_at) AS last_at FROM sessions
    WHERE id IN (SELECT id FROM sessions WHERE {}) ORDER BY last_at DESC LIMIT ?"""
_PAIRED = """SELECT installation_id, session_ids.agent_id, session_ids.session_key, session_ids.session_id,
    coalesce(title, label, display_name, subject), status, last_seen_at FROM session_ids
    JOIN sessions ON sessions.id = session_ids.session WHERE {} ORDER BY last_seen_at DESC LIMIT ?"""
_TRANSCRIPTS = """SELECT installation_id, agent_id, NULL, session_id, title, state,
    max(coalesce(started_at, changed_at)) FROM transcripts WHERE {} GROUP BY installation_id, session_id
    ORDER BY session_id LIMIT ?"""

_TITLES = ("title", "label", "display_name", "subject")


class Candidate(NamedTuple):
    """A session that may be meant."""

    installation_id: int
    agent_id: str
    session_key: str | None
    session_id: str | None
    title: str | None
    status: str
    last_at: int | None


def keyed(ledger: Ledger, key: str) -> list[Candidate]:
    """The sessions of exactly this key: one of each installation and agent that has it."""
    return list(_found(ledger, [(_SESSIONS.format("session_key = ?"), (key,))]))


def ending_with(ledger: Ledger, end: str) -> list[Candidate]:
    """Sessions whose key ends with this, as a whole part of it or several: `main`, `direct:42`."""
    condition = "folded(substr(session_key, -length(?1))) = ?1"
    return list(_found(ledger, [(_SESSIONS.format(condition), (f":{folded(end)}",))]))


def beginning_with(ledger: Ledger, start: str) -> list[Candidate]:
    """Sessions whose id, of now or of before, or whose key begins with this."""
    span = (start, start + _LAST_CHARACTER)
    lowered = (start.lower(), start.lower() + _LAST_CHARACTER)
    return list(
        _found(
            ledger,
            [
                (_SESSIONS.format("session_key >= ? AND session_key < ?"), lowered),
                (_PAIRED.format("session_ids.session_id >= ? AND session_ids.session_id < ?"), span),
                (_TRANSCRIPTS.format("session_id >= ? AND session_id < ?"), span),
            ],
        )
    )


def titled(ledger: Ledger, words: str) -> list[Candidate]:
    """Sessions of exactly this title, or else those whose title has these words, in any case."""
    exactly = " OR ".join(f"folded({name}) = ?1" for name in _TITLES)
    within = f"instr(folded(concat_ws(char(10), {', '.join(_TITLES)})), ?1)"
    for of_session, of_transcript in (
        (exactly, "folded(title) = ?1"),
        (within, "instr(folded(title), ?1)"),
    ):
        lone = f"session IS NULL AND kind != 'trajectory' AND {of_transcript}"
        queries = [(_SESSIONS.format(of_session), (folded(words),)), (_TRANSCRIPTS.format(lone), (folded(words),))]
        if found := list(_found(ledger, queries)):
            return found
    return []


def _found(ledger: Ledger, queries: Iterable[tuple[str, tuple[Any, ...]]]) -> Iterator[Candidate]:
    """Each session id once, as the first query knows it: an index entry tells more than a file."""
    can_fold(ledger)
    seen: set[object] = set()
    for query, bindings in queries:
        for row in ledger.execute(query, (*bindings, MAX_CANDIDATES + 1)):
            candidate = Candidate._make(row)
            same = (candidate.installation_id, candidate.session_id or candidate.session_key)
            if same not in seen:
                seen.add(same)
                yield candidate
