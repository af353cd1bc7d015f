"""Input that OpenClaw has accepted for a session and not written to its transcript yet: `session_pending_inputs`.

It is in OpenClaw's own database for as long as it waits, and in the transcript afterwards; so it is asked for there and
not kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from syncd.openclaw.lines import Decoded, decode_line
from syncd.sources.store_opening import read_store

if TYPE_CHECKING:
    from syncd.sources.store_opening import Store

TABLE: Final = "session_pending_inputs"
MAX_INPUTS: Final = 100
_WAITING: Final = f"""SELECT CAST(message_json AS BLOB), state, accepted_at FROM {TABLE}
    WHERE session_id = ? AND consumed_event_id IS NULL AND state != 'cancelled' ORDER BY seq LIMIT {MAX_INPUTS}"""


class PendingInput(NamedTuple):
    message: dict[str, Any]
    state: str
    """`queued`, or `interrupted`: its turn was ended before it began."""
    accepted_at: int


def pending_inputs(store_path: str, session_id: str) -> list[PendingInput]:
    """Oldest first. SourceError: the database cannot be asked now."""
    return read_store(store_path, lambda store: _read(store, session_id))


def _read(store: Store, session_id: str) -> list[PendingInput]:
    if "consumed_event_id" not in store.columns(TABLE):
        return []
    found = ((decode_line(text), state, at) for text, state, at in store.rows(_WAITING, (session_id,)))
    return [PendingInput(each.value, state, at) for each, state, at in found if isinstance(each, Decoded)]
