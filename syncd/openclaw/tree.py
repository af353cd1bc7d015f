"""The tree of a transcript's entries: what each one follows, where the tip is, and the path from the root to it.

The rules are those by which 2026.7.1 scans a transcript. Files of older releases have no side appends and no leaf
controls, and then the rules come down to theirs: every entry moves the tip to itself. Entries are folded in file order,
so a parent is always an earlier entry: dangling ids begin a new root, and no cycle can arise.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

CANONICAL_TYPES: Final = frozenset(
    {
        "message",
        "thinking_level_change",
        "model_change",
        "compaction",
        "branch_summary",
        "custom",
        "custom_message",
        "label",
        "session_info",
    }
)
"""Types that move the tip of the conversation. Others are only carried along."""
HEADER_TYPE: Final = "session"
LEAF_TYPE: Final = "leaf"
NOWHERE: Final = -1
"""The place of what has none: the parent of a root, the tip of an empty tree."""


class Link(NamedTuple):
    """What an entry says of its place in the tree."""

    type: str
    entry_id: str | None
    parent_id: str | None
    is_linked: bool = True
    """False: it has no field for its parent at all, as some appenders of old wrote it."""
    is_side: bool = False
    """Appended beside the conversation: the next entry may follow it, but it is not the tip."""
    target_id: str | None = None
    """Of a leaf control: the entry that becomes the tip."""
    append_parent_id: str | None = None
    """Of a leaf control: the entry that the next one will name as its parent."""


@dataclass(slots=True)
class Tree:
    """Entries by place (their number in file order), each with the place of the one it follows."""

    parents: array[int] = field(default_factory=lambda: array("q"))
    tip: int = NOWHERE
    tip_id: str | None = None
    append_id: str | None = None
    """What the next entry in the file will name as its parent, if it simply goes on."""
    controls: set[int] = field(default_factory=set)
    """Places of leaf controls: steps on a path, not part of it."""
    beside: dict[int, int] = field(default_factory=dict)
    """Place of an entry that is no step of the conversation -> the tip when it came."""
    _by_id: dict[str, int] = field(default_factory=dict)
    _ignored: set[str] = field(default_factory=set)
    """Leaf controls that name what is not there."""

    def path(self, tip: int | None = None) -> list[int]:
        """Places from the root to the tip, or to another entry."""
        places = []
        place = self.tip if tip is None else tip
        while place != NOWHERE:
            if place not in self.controls:
                places.append(place)
            place = self.parents[place]
        places.reverse()
        return places

    def go_on(self, entry_id: str) -> None:
        """Take in an entry that moves the tip and names as its parent what was expected: `add` in its plainest case."""
        parents = self.parents
        self._by_id[entry_id] = len(parents)
        tip, self.tip = self.tip, len(parents)
        while tip in self.controls:
            tip = parents[tip]
        parents.append(tip)
        self.tip_id = self.append_id = entry_id

    def add(self, link: Link, *, is_linear: bool = False) -> None:
        """Take in the next entry of the file. `is_linear`: as `grow` says."""
        place = len(self.parents)
        self.parents.append(NOWHERE)
        if link.type == HEADER_TYPE:
            return
        if not link.entry_id:
            if is_linear and link.type in CANONICAL_TYPES:
                self.parents[place] = self.tip
                self.tip, self.tip_id, self.append_id = place, None, None
            else:
                self.beside[place] = self.tip
            return
        if link.type == LEAF_TYPE and link.is_linked:
            self._steer(place, link, link.entry_id)
        elif link.type in CANONICAL_TYPES:
            self._follow(place, link)
        elif link.is_linked:
            self.parents[place] = self._place(link.parent_id)
            self.append_id = link.entry_id
        else:
            return
        self._by_id[link.entry_id] = place

    def _follow(self, place: int, link: Link) -> None:
        goes_on = not link.is_linked or (not link.is_side and link.parent_id == self.append_id)
        parent = self.tip if goes_on else self._place(link.parent_id)
        while parent in self.controls:
            parent = self.parents[parent]
        self.parents[place] = parent
        self.append_id = link.entry_id
        if link.is_side:
            self.beside[place] = self.tip
        else:
            self.tip, self.tip_id = place, link.entry_id

    def _steer(self, place: int, link: Link, entry_id: str) -> None:
        """A leaf control moves the tip; one that names an unknown entry moves nothing."""
        self.controls.add(place)
        named = (link.target_id, link.append_parent_id)
        if not all(each is None or (each in self._by_id and each not in self._ignored) for each in named):
            self._ignored.add(entry_id)
            self.parents[place] = self._place(link.parent_id)
            return
        self.tip = self.parents[place] = self._place(link.target_id)
        self.tip_id, self.append_id = named

    def _place(self, entry_id: str | None) -> int:
        return NOWHERE if entry_id is None else self._by_id.get(entry_id, NOWHERE)


def grow(links: Iterable[Link], *, is_linear: bool = False) -> Tree:
    """Fold entries in file order. `is_linear`: a version-1 file, whose entries have no ids and follow one another."""
    tree = Tree()
    for link in links:
        tree.add(link, is_linear=is_linear)
    return tree
