"""Sessions that begin with answers of another session, ids and all, though no header says so.

OpenClaw replays the last messages of a conversation into the session that takes its place. An answer that is older than
the header above it was not given there: it is looked for in the sessions of that agent that began before, latest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from syncd.ledger.originals import SAME_FACTS
from syncd.ledger.transcripts import SQL_NO_SESSIONS

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger

_OLDER = "transcript_id = transcripts.id AND role = 'assistant' AND at < transcripts.started_at"
_REPLAYING = f"""SELECT id FROM transcripts WHERE parent_transcript_id IS NULL AND parent_session IS NULL
    AND kind NOT IN {SQL_NO_SESSIONS}
    AND EXISTS (SELECT 1 FROM messages INDEXED BY messages_by_answer WHERE {_OLDER}) ORDER BY started_at, id"""
# OpenClaw replays three answers at most.
_OLDEST = f"""SELECT messages.id FROM transcripts CROSS JOIN messages INDEXED BY messages_by_answer ON {_OLDER}
    WHERE transcripts.id = ? ORDER BY at LIMIT 3"""
# Where both were known and nothing was found, nothing will be found now: one of the two must be new.
_SOURCE = f"""WITH new AS MATERIALIZED (SELECT value FROM json_each(?3))
    SELECT parent.id FROM transcripts AS child
    CROSS JOIN transcripts AS parent INDEXED BY transcripts_by_start ON parent.agent_id = child.agent_id
    CROSS JOIN json_each(?2) AS given CROSS JOIN messages AS answer ON answer.id = given.value
    CROSS JOIN entries AS line ON line.id = answer.id
    CROSS JOIN messages AS twin INDEXED BY messages_by_answer ON twin.transcript_id = parent.id
    CROSS JOIN entries AS other ON other.id = twin.id
    WHERE child.id = ?1 AND parent.started_at < child.started_at AND parent.installation_id = child.installation_id
    AND parent.lineage_id != child.lineage_id AND parent.kind NOT IN {SQL_NO_SESSIONS}
    AND (?4 OR parent.id IN new)
    AND twin.role = 'assistant' AND {SAME_FACTS} AND other.entry_id = line.entry_id
    ORDER BY parent.started_at DESC, parent.id DESC LIMIT 1"""


def replaying(ledger: Ledger) -> list[int]:
    """Transcripts without a parent that hold answers older than themselves, the eldest first."""
    return [row[0] for row in ledger.execute(_REPLAYING)]


def source_of(ledger: Ledger, transcript_id: int, new: set[int]) -> int | None:
    """The transcript of another lineage that these answers come from. `new`: those that nobody looked at before."""
    oldest = [row[0] for row in ledger.execute(_OLDEST, (transcript_id,))]
    is_new = transcript_id in new
    others = b"[]" if is_new else orjson.dumps(list(new))
    row = ledger.row(_SOURCE, (transcript_id, orjson.dumps(oldest).decode(), others.decode(), is_new))
    return None if row is None else int(row[0])
