"""A transcript's entries as a tree, in any generation, and the path to the tip or to any entry.

Reads rows, not the raw bytes: `lines` has those. The tree is grown by OpenClaw's own rules (`openclaw/tree`), so
cycles, dangling parents and ids that come twice are no danger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import UserError
from syncd.ledger.refold import link_of
from syncd.openclaw.tree import NOWHERE, Link, Tree, grow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

_COLUMNS = """entries.id, byte_offset, byte_length, generation, entry_id, parent_id, type, entries.at, on_active_path,
    flags, superseded_in"""
_OF_GENERATION = "generation <= ?2 AND (superseded_in IS NULL OR superseded_in > ?2)"
_ON_PATH = f"""SELECT {_COLUMNS} FROM entries WHERE transcript_id = ?1 AND superseded_in IS NULL AND on_active_path = 1
    AND salvaged = 0 ORDER BY byte_offset"""
_ALL = f"""SELECT {_COLUMNS}, target_id, append_parent_id FROM entries
    LEFT JOIN leaf_moves ON leaf_moves.id = entries.id AND type = 'leaf'
    WHERE entries.transcript_id = ?1 AND {_OF_GENERATION} AND salvaged = 0 ORDER BY byte_offset"""


class EntryRow(NamedTuple):
    """A row of `entries`, as far as reading needs it."""

    id: int
    byte_offset: int
    byte_length: int
    generation: int
    entry_id: str | None
    parent_id: str | None
    type: str
    at: int | None
    on_active_path: int
    flags: str | None
    superseded_in: int | None


@dataclass(frozen=True, slots=True)
class Outline:
    """Entries in file order, and the tree they make: `tree.parents[place]` is the place of the one before."""

    rows: list[EntryRow]
    tree: Tree

    def path(self, tip: int | None = None) -> list[EntryRow]:
        return [self.rows[place] for place in self.tree.path(tip)]

    def place_of(self, name: str) -> int:
        """The entry of this id, of this start of an id, or of this entries.id."""
        places = [place for place, row in enumerate(self.rows) if row.entry_id == name]
        if not places and name:
            places = [place for place, row in enumerate(self.rows) if row.entry_id and row.entry_id.startswith(name)]
            if len({self.rows[place].entry_id for place in places}) > 1:
                raise UserError(f"{len(places)} entries have ids that begin with {name}", "give more of the id")
        if not places and name.isdecimal():
            places = [place for place, row in enumerate(self.rows) if str(row.id) == name]
        if not places:
            raise UserError(f"there is no entry {name} in this transcript", "`syncd tree SESSION` shows the entries")
        return places[-1]

    def children(self) -> dict[int, list[int]]:
        """Places by the place they follow; NOWHERE has the roots. Headers are no part of the tree."""
        found: dict[int, list[int]] = {}
        for place, parent in enumerate(self.tree.parents):
            if self.rows[place].type != "session":
                found.setdefault(self.tree.beside.get(place, parent) if parent == NOWHERE else parent, []).append(place)
        return found


def outline(ledger: Ledger, transcript: Transcript, generation: int | None = None) -> Outline:
    """All entries of a generation; None is the present one."""
    wanted = transcript.generation if generation is None else generation
    rows: list[EntryRow] = []

    def links() -> Iterator[Link]:
        for *row, target, append in ledger.execute(_ALL, (transcript.id, wanted)):
            entry = EntryRow._make(row)
            rows.append(entry)
            yield link_of(entry.type, entry.entry_id, entry.parent_id, entry.flags, target, append)

    tree = grow(links(), transcript.header_version)
    return Outline(rows, tree)


def active_path(ledger: Ledger, transcript: Transcript) -> list[EntryRow]:
    """The conversation as it stands, by the rows alone."""
    return [EntryRow._make(row) for row in ledger.execute(_ON_PATH, (transcript.id,))]
