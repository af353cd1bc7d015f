"""What stands for the entry of a session in OpenClaw's database where none can be read: the other columns of its row.

OpenClaw puts a session's row there with an empty entry when its transcript begins, and leaves such a row behind where
it deletes a session and keeps its transcripts. An entry that is no JSON it makes anew from the same columns (`openclaw
doctor`). Not here: what follows from that for a session that is known.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from syncd.openclaw.index import parsed_entry
from syncd.openclaw.session_entries import entry_text, session_id_of

Kind = Literal["read", "bare", "broken"]

BARE_FIELDS: Final = frozenset({"sessionId", "createdAt"})
"""No entry of OpenClaw's has only these: it always says when it was written last."""
BROKEN_FIELDS: Final = frozenset({"sessionId", "updatedAt"})


class StoreEntry(NamedTuple):
    key: bytes
    text: bytes
    kind: Kind = "read"


def store_entry(key: bytes, text: bytes, session_id: bytes | None, updated_at: int | None) -> StoreEntry:
    """`session_id`: what the row says beside its entry; None where OpenClaw found that entry to be whole."""
    if session_id is None:
        return StoreEntry(key, text)
    entry = parsed_entry(text)
    if session_id_of(entry) is not None:
        return StoreEntry(key, text)
    told: dict[str, Any] = {"sessionId": session_id.decode(errors="replace")} if session_id.strip() else {}
    if type(entry) is not dict:
        return StoreEntry(key, _text({**told, "updatedAt": updated_at}), "broken")
    if not entry:
        return StoreEntry(key, _text({**told, "createdAt": updated_at}), "bare")  # written when its transcript began
    return StoreEntry(key, _text({**entry, **told}))


def _text(entry: dict[str, Any]) -> bytes:
    return entry_text(entry).encode()
