"""The tree of a transcript's entries: what each one follows, where the tip is, and the path from the root to it.

The rules are those by which 2026.7.1 scans a transcript. Files of older releases have no side appends and no leaf
controls, and then the rules come down to theirs: every entry moves the tip to itself. Entries are folded in file order,
so a parent is always an earlier entry: dangling ids begin a new root, and no cycle can arise.
"""

from __future__ import annotations

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

    parents: list[int] = field(default_factory=list)
    tip: int = NOWHERE
    tip_id: str | None = None
    append_id: str | None = None
    """What the next entry in the file will name as its parent, if it simply goes on."""
    controls: set[int] = field(default_factory=set)
    """Places of leaf controls: steps on a path, not part of it."""
    beside: dict[int, int] = field(default_factory=dict)
    """Place of an entry that is no step of the conversation -> the tip when it came."""

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


def grow(links: Iterable[Link], *, is_linear: bool = False) -> Tree:
    """Fold entries in file order. `is_linear`: a version-1 file, whose entries have no ids and follow one another."""
    tree = Tree()
    by_id: dict[str, int] = {}
    ignored: set[str] = set()  # leaf controls that name what is not there
    for place, link in enumerate(links):
        tree.parents.append(NOWHERE)
        if link.type == HEADER_TYPE:
            continue
        if not link.entry_id:
            if is_linear and link.type in CANONICAL_TYPES:
                tree.parents[place] = tree.tip
                tree.tip, tree.tip_id, tree.append_id = place, None, None
            else:
                tree.beside[place] = tree.tip
            continue
        if link.type == LEAF_TYPE and link.is_linked:
            _steer(tree, place, link, by_id, ignored)
        elif link.type in CANONICAL_TYPES:
            _follow(tree, place, link, by_id)
        elif link.is_linked:
            tree.parents[place] = _place(by_id, link.parent_id)
            tree.append_id = link.entry_id
        else:
            continue
        by_id[link.entry_id] = place
    return tree


def _follow(tree: Tree, place: int, link: Link, by_id: dict[str, int]) -> None:
    goes_on = not link.is_linked or (not link.is_side and link.parent_id == tree.append_id)
    parent = tree.tip if goes_on else _place(by_id, link.parent_id)
    while parent in tree.controls:
        parent = tree.parents[parent]
    tree.parents[place] = parent
    tree.append_id = link.entry_id
    if link.is_side:
        tree.beside[place] = tree.tip
    else:
        tree.tip, tree.tip_id = place, link.entry_id


def _steer(tree: Tree, place: int, link: Link, by_id: dict[str, int], ignored: set[str]) -> None:
    """A leaf control moves the tip; one that names an unknown entry moves nothing."""
    assert link.entry_id is not None
    tree.controls.add(place)
    if not all(
        each is None or (each in by_id and each not in ignored) for each in (link.target_id, link.append_parent_id)
    ):
        ignored.add(link.entry_id)
        tree.parents[place] = _place(by_id, link.parent_id)
        return
    tree.tip = tree.parents[place] = _place(by_id, link.target_id)
    tree.tip_id, tree.append_id = link.target_id, link.append_parent_id


def _place(by_id: dict[str, int], entry_id: str | None) -> int:
    return NOWHERE if entry_id is None else by_id.get(entry_id, NOWHERE)
