"""A session whose row is in doubt: held against OpenClaw's index and its own versions. Only looks.

Its placement in the index has no digest then: a backup was restored, a rebuild asked for, or a repair found it wrong.
What happened is told by the versions, so that a row which rotted is put right without a change that never was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.ledger.session_history import is_thinned_out, told_entry, told_fields
from syncd.openclaw.session_entries import changed_fields, entry_of, entry_text, session_id_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.database import Ledger
    from syncd.ledger.session_changes import Name
    from syncd.ledger.sessions import KnownSession
    from syncd.mirror.index_plan import IndexView


class Recollection(NamedTuple):
    """What the versions of a session mention, and whether they are all that there ever were."""

    told: dict[str, Any]
    is_complete: bool


def recollection(ledger: Ledger, session: int) -> Recollection:
    return Recollection(told_fields(ledger, session), not is_thinned_out(ledger))


def doubted_names(views: Iterable[IndexView]) -> frozenset[Name]:
    return frozenset(name for view in views for name, placed in view.placed.items() if not placed.digest)


def as_recalled(known: KnownSession, memory: Recollection) -> KnownSession:
    """The session as it was before this look, by the versions where they tell everything."""
    if memory.is_complete and memory.told:
        entry = told_entry(memory.told)
    else:
        entry = _entry_or_none(known.entry_json)
        entry = entry if entry is not None else told_entry(memory.told)
        if entry == told_entry({}):
            return known._replace(entry_json=entry_text(entry))
    return known._replace(session_id=session_id_of(entry), entry_json=entry_text(entry))


def news(recalled: KnownSession, memory: Recollection, entry: object) -> dict[str, Any]:
    """What the entry says that no version does. Of a field that is null, versions cannot tell whether it is there."""
    changed = changed_fields(entry_of(recalled.entry_json), entry)
    told = memory.told
    known = {name for name, value in changed.items() if name in told and entry_text(told[name]) == entry_text(value)}
    unheard = {name for name, value in changed.items() if value is None and memory.is_complete and name not in told}
    return {name: value for name, value in changed.items() if name not in known | unheard}


def says(text: str, entry: object) -> bool:
    """Is this the entry, as it is kept?"""
    kept = _entry_or_none(text)
    return kept is not None and not changed_fields(kept, entry)


def _entry_or_none(text: str) -> Any:
    try:
        return entry_of(text)
    except ValueError:
        return None
