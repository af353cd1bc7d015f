"""Names that begin with what somebody has typed so far, for a shell's completion: few, quick, the freshest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

_MOST = 100
_KEYS = """SELECT session_key, coalesce(title, '') FROM sessions WHERE session_key >= ?1 AND session_key < ?1 || ?2
    ORDER BY updated_at DESC LIMIT ?3"""
_IDS = """SELECT session_id, max(id) FROM transcripts WHERE session_id >= ?1 AND session_id < ?1 || ?2
    GROUP BY session_id ORDER BY max(id) DESC LIMIT ?3"""
_AGENTS = """SELECT agent_id FROM sessions WHERE substr(agent_id, 1, length(?1)) = ?1
    UNION SELECT agent_id FROM transcripts WHERE substr(agent_id, 1, length(?1)) = ?1 ORDER BY 1 LIMIT ?2"""
_CHANNELS = """SELECT DISTINCT channel FROM sessions WHERE substr(channel, 1, length(?1)) = ?1 ORDER BY 1 LIMIT ?2"""
_LAST = "\U0010ffff"


def sessions_starting(ledger: Ledger, start: str) -> list[tuple[str, str]]:
    """Session keys with their titles; then, once something is typed, session ids too."""
    found = [(str(key), str(title)) for key, title in ledger.execute(_KEYS, (start, _LAST, _MOST))]
    if start:
        found += [(str(session_id), "") for session_id, _ in ledger.execute(_IDS, (start, _LAST, _MOST))]
    return found


def agents_starting(ledger: Ledger, start: str) -> list[tuple[str, str]]:
    return [(str(agent), "") for (agent,) in ledger.execute(_AGENTS, (start, _MOST))]


def channels_starting(ledger: Ledger, start: str) -> list[tuple[str, str]]:
    return [(str(channel), "") for (channel,) in ledger.execute(_CHANNELS, (start, _MOST))]
