"""Pinning sessions, so that retention leaves them alone; and letting go of them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.ledger.pins import pin, unpin
from syncd.ledger.transaction import writing
from syncd.mirror.sessions_meant import sessions_meant

if TYPE_CHECKING:
    from syncd.mirror.errands import Answer, Arguments, Hands


def pin_errand(hands: Hands, arguments: Arguments) -> Answer:
    """`session`: as a person names it."""
    return _change(hands, str(arguments["session"]), is_pinned=True)


def unpin_errand(hands: Hands, arguments: Arguments) -> Answer:
    return _change(hands, str(arguments["session"]), is_pinned=False)


def _change(hands: Hands, name: str, *, is_pinned: bool) -> Answer:
    writer = hands.writer
    writer.flush()
    meant = sessions_meant(writer.ledger, name)
    with writing(writer.ledger) as connection:
        changed = pin(connection, meant.pins, writer.clock.now_ms()) if is_pinned else unpin(connection, meant.pins)
    return {"changed": changed, "session_ids": sorted(meant.session_ids), "session_keys": sorted(meant.keys)}
