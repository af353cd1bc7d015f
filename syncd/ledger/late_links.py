"""Links that should be there and are not: whose transcript, whose child, whose result.

They are made when either side comes in; what is here finds those that a fault, an older program or an odd order left
open, and makes them. Each function that finds only reads; those that make one are called inside a transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.ledger import session_parents, transcripts
from syncd.ledger.session_facts import OWNER, tell_sessions
from syncd.ledger.transcripts import NOT_LINKED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.database import Ledger

_NOT_LOOKED_FOR = f"SELECT id FROM transcripts WHERE lineage_id = {NOT_LINKED}"
# Of its own lineage only: what descends from it stays where it is.
_ORPHANED = """SELECT id FROM transcripts WHERE parent_transcript_id IS NULL AND parent_session IS NOT NULL
    AND lineage_id IN (id, 0) AND kind != 'trajectory' ORDER BY id"""
# Whose lineage is another's has a parent, unless that was purged.
_UNTIED = f"""SELECT id FROM transcripts WHERE parent_transcript_id IS NULL AND lineage_id NOT IN (id, {NOT_LINKED})
    AND kind != 'trajectory' ORDER BY id"""
_UNOWNED = f"""SELECT id FROM (SELECT id, session, {OWNER} AS owner FROM transcripts)
    WHERE owner IS NOT NULL AND session IS NOT owner"""
_EARLY = """SELECT tool_calls.id, min(result.id) FROM messages AS result JOIN entries AS line ON line.id = result.id
    JOIN tool_calls ON tool_calls.transcript_id = result.transcript_id AND tool_calls.call_id = result.tool_call_id
    JOIN entries AS call_line ON call_line.id = tool_calls.message_id
    WHERE result.result_fault = 'orphan' AND line.superseded_in IS NULL AND call_line.superseded_in IS NULL
    AND tool_calls.result_message_id IS NULL AND call_line.byte_offset > line.byte_offset GROUP BY tool_calls.id"""
TWINS = """FROM transcripts AS twin WHERE twin.session_id = transcripts.session_id AND twin.id != transcripts.id
    AND twin.installation_id = transcripts.installation_id AND twin.kind != 'trajectory'"""
"""Of a transcript, as a part of a query: what else was begun under its session's id, by whichever agent."""
LOOK_AGAIN_BESIDE_TWIN = f"""UPDATE transcripts SET lineage_id = {NOT_LINKED} WHERE id = ? AND lineage_id = id
    AND parent_transcript_id IS NULL AND kind != 'trajectory' AND EXISTS (SELECT 1 {TWINS})"""
"""Of a transcript that has got other lines: they may be those of another that was begun under its session's id."""
_PAIR = """UPDATE tool_calls SET result_message_id = ?1, status = 'paired',
    is_error = (SELECT is_error FROM messages WHERE id = ?1), finished_at = (SELECT at FROM messages WHERE id = ?1)
    WHERE id = ?2 AND result_message_id IS NULL"""


def orphaned_transcripts(ledger: Ledger, *, is_thorough: bool) -> list[int]:
    """Those whose parent was not looked for yet; if thorough, also those whose header names one that was not found."""
    return [row[0] for row in ledger.execute(_ORPHANED if is_thorough else _NOT_LOOKED_FOR)]


def untied_transcripts(ledger: Ledger) -> list[int]:
    """Those of another's lineage without a link to a parent."""
    return [row[0] for row in ledger.execute(_UNTIED)]


def look_for_parents_again(ledger: Ledger, transcript_ids: Iterable[int]) -> None:
    """At the next linking, among all transcripts there are."""
    for transcript_id in transcript_ids:
        ledger.run(
            "UPDATE transcripts SET lineage_id = ? WHERE id = ? AND lineage_id = id", (NOT_LINKED, transcript_id)
        )


def unowned_transcripts(ledger: Ledger) -> list[int]:
    """Also those that an older program gave to another agent's session, where their own has one of the same id."""
    return [row[0] for row in ledger.execute(_UNOWNED)]


def link_owners(ledger: Ledger, transcript_ids: Iterable[int]) -> None:
    for transcript_id in transcript_ids:
        found = transcripts.load(ledger, transcript_id)
        found.told = None
        tell_sessions(ledger, (found,))


def unbound_sessions(ledger: Ledger) -> list[int]:
    return [session for _, session in session_parents.unbound_sessions(ledger.connection)]


def bind_sessions(ledger: Ledger) -> None:
    for installation_id, session in session_parents.unbound_sessions(ledger.connection):
        session_parents.find_parents(ledger.connection, installation_id, (session,))


def early_results(ledger: Ledger) -> list[int]:
    """Calls whose result stands before them."""
    return [row[0] for row in ledger.execute(_EARLY)]


def pair_early_results(ledger: Ledger) -> None:
    """A result answers one call only."""
    taken: set[int] = set()
    for call_id, result_id in list(ledger.execute(_EARLY)):
        if result_id not in taken:
            taken.add(result_id)
            ledger.run(_PAIR, (result_id, call_id))
            ledger.run("UPDATE messages SET result_fault = NULL WHERE id = ?", (result_id,))
