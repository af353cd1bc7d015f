"""The tree of a transcript's entries: what each one follows, where the tip is, and the path from the root to it.

The rules are those by which 2026.7.1 and, from header version 4 on, 2026.9.6 scan a transcript. Files of older releases
have no side appends, leaf controls and resets, and then the rules come down to theirs: every entry moves the tip to
itself. Entries are folded in file order, so a parent is always an earlier entry: dangling ids begin a new root, or
follow the tip since 2026.9.6, and no cycle can arise.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

RESET_TYPE: Final = "reset"
PLAIN_TYPES: Final = frozenset(
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
"""Types that move the tip of the conversation, and do nothing else to the tree."""
CANONICAL_TYPES: Final = PLAIN_TYPES | {RESET_TYPE}
"""Types that move the tip of the conversation. Others are only carried along."""
LINEAR_VERSION: Final = "1"
"""Of a header: entries have no ids and follow one another."""
_DANGLING_VERSIONS: Final = frozenset({None, LINEAR_VERSION, "2", "3"})
"""Of a header, of releases in which an entry that follows an unknown one begins a new root."""
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
    """Appended beside the conversation: the next entry may follow it, but it is not the tip. OpenClaw rewrites so since
    2026.9.6: side entries from the first one that differs, then a leaf control that leads to the last."""
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
    """Place of an entry without an id, which nothing can follow -> the tip when it came."""
    _by_id: dict[str, int] = field(default_factory=dict)
    _ignored: set[str] = field(default_factory=set)
    """Leaf controls that name what is not there."""
    _reset: int = NOWHERE
    """Place of the latest reset: what comes after follows it, whatever it names as its parent."""
    _astray: set[int] = field(default_factory=set)
    """Places after the reset that do not follow it."""

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
        if self._reset != NOWHERE and not self._is_after_reset(tip):
            self._astray.add(self.tip)
        parents.append(tip)
        self.tip_id = self.append_id = entry_id

    def add(self, link: Link, version: str | None = None) -> None:
        """Take in the next entry of the file. `version`: as its header says."""
        place = len(self.parents)
        self.parents.append(NOWHERE)
        if link.type == HEADER_TYPE:
            return
        if not link.entry_id:
            if version == LINEAR_VERSION and link.type in CANONICAL_TYPES:
                self.parents[place] = self.tip
                self.tip, self.tip_id, self.append_id = place, None, None
            else:
                self.beside[place] = self.tip
            return
        if link.type == LEAF_TYPE and link.is_linked:
            self._steer(place, link, link.entry_id)
        elif link.type in CANONICAL_TYPES:
            self._follow(place, link, version)
        elif link.is_linked:
            self.parents[place] = self._place(link.parent_id)
            self.append_id = link.entry_id
        else:
            return
        self._by_id[link.entry_id] = place
        if link.type == RESET_TYPE:
            self._reset = place
            self._astray.clear()
        elif self._reset != NOWHERE and not self._is_after_reset(self.parents[place]):
            self._astray.add(place)

    def _follow(self, place: int, link: Link, version: str | None) -> None:
        goes_on = not link.is_linked or (not link.is_side and link.parent_id == self.append_id)
        if not goes_on and not link.is_side:
            named = self._place(link.parent_id)
            is_dangling = named == NOWHERE and link.parent_id is not None and self.tip != NOWHERE
            goes_on = is_dangling and version not in _DANGLING_VERSIONS
            goes_on = goes_on or (self._reset != NOWHERE and not self._is_after_reset(named))
        parent = self.tip if goes_on else self._place(link.parent_id)
        while parent in self.controls:
            parent = self.parents[parent]
        self.parents[place] = parent
        self.append_id = link.entry_id
        if not link.is_side:
            self.tip, self.tip_id = place, link.entry_id

    def _steer(self, place: int, link: Link, entry_id: str) -> None:
        """A leaf control moves the tip; one that names an unknown entry moves nothing."""
        self.controls.add(place)
        named = (link.target_id, link.append_parent_id)
        if NOWHERE not in (self._reset, self.tip) and not self._is_after_reset(self._place(link.target_id)):
            named = (self.tip_id, self.tip_id)  # no way leads back behind a reset
        if not all(each is None or (each in self._by_id and each not in self._ignored) for each in named):
            self._ignored.add(entry_id)
            self._astray.add(place)
            self.parents[place] = self._place(link.parent_id)
            return
        self.tip = self.parents[place] = self._place(named[0])
        self.tip_id, self.append_id = named

    def _is_after_reset(self, place: int) -> bool:
        return place >= self._reset and place not in self._astray

    def _place(self, entry_id: str | None) -> int:
        return NOWHERE if entry_id is None else self._by_id.get(entry_id, NOWHERE)


def grow(links: Iterable[Link], version: str | None = None) -> Tree:
    """Fold entries in file order. `version`: as the header says."""
    tree = Tree()
    for link in links:
        tree.add(link, version)
    return tree
