"""What the kept versions of a session's entry say it was: a second witness beside `sessions` and `session_ids`.

Retention and purge remove versions, so what none of them mentions may have been anything. Nothing is decided here;
`restore_pairings` writes what the versions tell of session ids, where a damage took it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from syncd.ledger.tombstones import KeptOut
from syncd.openclaw.session_entries import NOT_AN_OBJECT, entry_of, object_or_empty, session_id_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger

_VERSIONS = "SELECT seen_at, changed_json FROM session_versions WHERE session = ? AND id > ? ORDER BY id"
# Whatever removes rows leaves one, and versions that have gaps prove nothing.
_IS_THINNED_OUT = "SELECT 1 FROM tombstones LIMIT 1"
_UNPAIRED = """SELECT id FROM sessions WHERE status = 'live' AND session_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM session_ids WHERE session = sessions.id AND session_ids.session_id = sessions.session_id)
    UNION SELECT session FROM (SELECT session, changed_json ->> '$.sessionId' AS told FROM session_versions
      WHERE json_valid(changed_json) AND json_type(changed_json, '$.sessionId') = 'text') AS each
    WHERE trim(told) != '' AND NOT EXISTS (
      SELECT 1 FROM session_ids WHERE session = each.session AND session_id = each.told)"""
_EVENTS = """SELECT at, kind, detail_json FROM sync_events
    WHERE kind IN ('session_renamed', 'session_id_change', 'removal') AND json_valid(detail_json) ORDER BY id"""
_PAIR = """INSERT OR IGNORE INTO session_ids (session, session_id, session_key, agent_id, first_seen_at, last_seen_at,
    ended_by) VALUES (?, ?, ?, ?, ?, ?, ?)"""


class _Told(NamedTuple):
    """A change of the key or of the session id behind it, as it was noted."""

    at: int
    former_key: str | None
    former_agent: str | None
    former_id: str | None
    ended_by: str | None


def is_thinned_out(ledger: Ledger) -> bool:
    return ledger.row(_IS_THINNED_OUT) is not None


def versions_of(ledger: Ledger, session: int, since: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """When each change behind `since` was read, and the fields that it changed; one that rotted tells nothing."""
    for seen_at, text in ledger.execute(_VERSIONS, (session, since)):
        try:
            changed = entry_of(text)
        except (ValueError, RecursionError):
            continue
        yield seen_at, dict(object_or_empty(changed))


def told_fields(ledger: Ledger, session: int) -> dict[str, Any]:
    """Every field that a version mentions, as the last of them has it; None where it was gone."""
    fields: dict[str, Any] = {}
    for _, changed in versions_of(ledger, session):
        fields |= changed
    return fields


def told_entry(told: dict[str, Any]) -> Any:
    """The entry that these fields make, if they are all of it."""
    fields = {name: value for name, value in told.items() if value is not None}
    return fields[NOT_AN_OBJECT] if [*fields] == [NOT_AN_OBJECT] else fields


def unpaired_sessions(ledger: Ledger) -> list[int]:
    """Those that had a session id, as their row or a version tells, of which `session_ids` knows nothing."""
    purged = KeptOut.now(ledger)
    found = [row[0] for row in ledger.execute(_UNPAIRED)]
    return [session for session in found if any(_lost_pairings(ledger, session, (), purged))] if purged else found


def restore_pairings(ledger: Ledger, sessions: Iterable[int]) -> None:
    """From versions, and from the events that tell what ended each. Inside a transaction."""
    sessions = tuple(sessions)
    purged, events = KeptOut.now(ledger), _events(ledger) if sessions else {}
    for session in sessions:
        for pairing in list(_lost_pairings(ledger, session, events.get(session, ()), purged)):
            ledger.run(_PAIR, pairing)


def _events(ledger: Ledger) -> dict[int, list[_Told]]:
    found: dict[int, list[_Told]] = defaultdict(list)
    for at, kind, text in ledger.execute(_EVENTS):
        about = orjson.loads(text)
        former_id = about.get("former_session_id") if kind == "session_id_change" else about.get("session_id")
        ended_by = "migrated" if kind == "session_renamed" else about.get("ended_by")
        found[about.get("session")].append(
            _Told(at, about.get("former_key"), about.get("former_agent_id"), former_id, ended_by)
        )
    return found


def _lost_pairings(ledger: Ledger, session: int, events: Iterable[_Told], purged: KeptOut) -> Iterator[tuple[Any, ...]]:
    """Rows of `session_ids` that are not there. The key is the one of that time, where a rename tells it."""
    row = ledger.row("SELECT session_key, agent_id, status FROM sessions WHERE id = ?", (session,))
    if row is None:
        return
    key, agent, status = row
    known = {each[0] for each in ledger.execute("SELECT session_id FROM session_ids WHERE session = ?", (session,))}
    renames = [event for event in events if event.former_key is not None]
    ends = {event.former_id: event.ended_by for event in events if event.former_key is None}
    spans = _spans(ledger, session)
    for place, (session_id, first, last) in enumerate(spans):
        rename = next((event for event in renames if event.at > first), None)
        own_key, own_agent = (rename.former_key, rename.former_agent) if rename is not None else (key, agent)
        is_present = place == len(spans) - 1 and status == "live" and rename is None
        # Nothing else makes a new session id of an old key without saying why.
        ended_by = None if is_present else ends.get(session_id) or ("migrated" if rename else "rollover")
        if session_id not in known and not purged.is_session(session_id):
            yield session, session_id, own_key, own_agent or agent, first, last, ended_by


def _spans(ledger: Ledger, session: int) -> list[tuple[str, int, int]]:
    """(session id, first and last version under it), in the order in which they were taken up."""
    spans: list[tuple[str, int, int]] = []
    current: str | None = None
    for seen_at, changed in versions_of(ledger, session):
        if "sessionId" in changed:
            current = session_id_of(changed)
        if current is not None and spans and spans[-1][0] == current:
            spans[-1] = (current, spans[-1][1], seen_at)
        elif current is not None:
            spans.append((current, seen_at, seen_at))
    return spans
