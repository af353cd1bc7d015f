"""What a read of the session index makes of the ledger, decided but not yet written.

Made by mirror.index_plan, written by ledger.sessions; only values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from syncd.openclaw.endings import EndedBy
    from syncd.openclaw.session_entries import SessionColumns
    from syncd.records import FileStat


class Name(NamedTuple):
    """What a session is called inside one installation."""

    agent_id: str
    session_key: str


class EndedPairing(NamedTuple):
    """A session id that a key stands for no more."""

    name: Name
    session_id: str
    ended_by: EndedBy


@dataclass(frozen=True, slots=True)
class SessionChange:
    """An entry that is new, changed, renamed or back."""

    name: Name
    session: int | None
    """sessions.id; None = a new row."""
    columns: SessionColumns
    lifecycle: str
    entry_json: str
    changed_json: str | None
    """None: the entry says what it said before."""
    ended: EndedPairing | None = None
    seen_before_at: int = 0
    """When the pairing that ended was last seen."""
    is_mend: bool = False
    """Nothing happened: the row was not what the entry makes."""


@dataclass(frozen=True, slots=True)
class Removal:
    """An entry found missing for good."""

    session: int
    ended: EndedPairing | None
    seen_before_at: int


class Placement(NamedTuple):
    """An entry stands in an index with these bytes."""

    index_id: int
    name: Name
    digest: bytes
    updated_at: int | None


class IndexState(NamedTuple):
    index_id: int
    digest: bytes
    stat: FileStat | None


@dataclass(slots=True)
class IndexPlan:
    """All that one look at the indexes of an installation changes, in the order it is written."""

    changes: list[SessionChange]
    removals: list[Removal]
    placements: list[Placement]
    missing: list[tuple[int, Name, int | None]]
    """Index, name, and since when: None = it is back."""
    unplaced: list[tuple[int, Name]]
    renamed: list[tuple[int, Name]]
    """Placements under the former name of a renamed session."""
    states: list[IndexState]
    events: list[tuple[str, dict[str, Any]]]
    pairings: list[EndedPairing]
    """Of the past, as an index tells of it; what a change or a removal ended stands with that."""
    is_called_by_label: bool = False
    """A changed entry shows that the release which writes them calls sessions by their label."""

    @classmethod
    def empty(cls) -> IndexPlan:
        return cls([], [], [], [], [], [], [], [], [])

    def is_empty(self) -> bool:
        parts = (self.changes, self.removals, self.placements, self.missing, self.unplaced, self.renamed, self.states)
        return not any(parts) and not self.events and not self.pairings
