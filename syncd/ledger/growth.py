"""A transcript's tree and turns in memory while its lines come in: a branch then costs the way to it, and no more.

A transcript that is read from its first line on has one from the start; one that branches later gets it from `refold`.
Bounded: whoever holds growths gives up those of many entries, and `refold` makes them anew when they are needed.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncd.openclaw.tree import NOWHERE, Tree

if TYPE_CHECKING:
    from syncd.ledger.transcripts import Transcript
    from syncd.openclaw.tree import Link
    from syncd.openclaw.turns import Stand, Turn

MOST_ENTRIES = 50_000
"""In all growths that are held at once: about 500 bytes each."""


@dataclass(slots=True)
class Growth:
    """Places are those of the tree: an entry's number among the live ones, in file order."""

    tree: Tree = field(default_factory=Tree)
    row_ids: array[int] = field(default_factory=lambda: array("q"))
    """entries.id by place."""
    has_branched: bool = False
    answers: set[int | str | None] | None = field(default_factory=set)
    """Times and entry ids of all answers so far; None: not all are known."""
    stands: dict[int, Stand | None] = field(default_factory=dict)
    """How the turn of a place stood there; of all places where that changed."""
    unreached: set[int] = field(default_factory=set)
    """Ids of turns that began beside the conversation, and through which it never ran."""

    def add(self, row_id: int, link: Link, version: str | None) -> tuple[int, int, bool]:
        """Take in the next entry: the tip before it, the place that it follows or moves the tip to, is it a step."""
        tree, before, place = self.tree, self.tree.tip, len(self.row_ids)
        tree.add(link, version)
        self.row_ids.append(row_id)
        is_step = tree.tip == place
        return before, tree.parents[place] if is_step else tree.tip, is_step

    def is_new_answer(self, entry_id: str | None, at: int | None) -> bool:
        """Is there certainly no answer in the transcript that this one repeats? It is one of them from now on."""
        known = self.answers
        if known is None:
            return False
        is_new = at not in known and entry_id not in known
        known.add(at)
        known.add(entry_id)
        return is_new

    def parent_of_latest(self) -> int:
        """The place that the latest entry follows."""
        return self.tree.parents[-1]

    def note_stand(self, stand: Stand) -> None:
        """How the turn of the latest entry stands there, for when the conversation comes back to it."""
        self.stands[len(self.row_ids) - 1] = stand

    def stand_at(self, place: int) -> Stand | None:
        """After the nearest message on the way up from that place, itself included."""
        passed = []
        while place != NOWHERE and place not in self.stands:
            passed.append(place)
            place = self.tree.parents[place]
        stand = self.stands.get(place)
        for each in passed:
            self.stands[each] = stand  # so that no way is walked twice
        return stand

    def turn_at(self, place: int) -> Turn | None:
        stand = self.stand_at(place)
        return stand[0] if stand is not None else None

    def move(self, tip: int, new_tip: int) -> tuple[dict[int, int], list[Stand]]:
        """What changes when the tip moves, between the two and at the last entry they share.

        Whether entries are on the active path now, by entries.id; and how turns stand there, the last one first.
        """
        parents, row_ids, controls, stands = self.tree.parents, self.row_ids, self.tree.controls, self.stands
        is_on_path: dict[int, int] = {}
        found: list[Stand] = []
        turn = None
        while tip != new_tip:
            # A parent is always an earlier entry: the later one of two different places is on one way only.
            if tip > new_tip:
                if tip not in controls:
                    is_on_path[row_ids[tip]] = 0
                tip = parents[tip]
                continue
            if new_tip not in controls:
                is_on_path[row_ids[new_tip]] = 1
            stand = stands[new_tip] if new_tip in stands else self.stand_at(new_tip)
            if stand is not None and stand[0] is not turn:
                turn = stand[0]
                found.append(stand)
            new_tip = parents[new_tip]
        stand = self.stand_at(tip)
        if stand is not None and stand[0] is not turn:
            found.append(stand)
        return is_on_path, found


class Growths:
    """Those of transcripts that branched of late: the next branch will not be far."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[int, int, int, Growth]] = {}
        self._entries = 0

    def keep(self, transcript: Transcript) -> None:
        """As the transcript now stands in the ledger. Those that waited longest make room."""
        self._give_up(transcript.id)
        if transcript.growth is None or not transcript.growth.has_branched:
            return
        entries = len(transcript.growth.row_ids)
        self._kept[transcript.id] = (transcript.generation, transcript.bytes, entries, transcript.growth)
        self._entries += entries
        while self._entries > MOST_ENTRIES:
            self._give_up(next(iter(self._kept)))

    def take_up(self, transcript: Transcript) -> None:
        """Give it back to a transcript that was loaded anew, unless that has gone on without it."""
        kept = self._kept.get(transcript.id)
        if kept is not None and kept[:2] == (transcript.generation, transcript.bytes):
            growth = transcript.growth = kept[3]
            transcript.turn = growth.turn_at(growth.tree.tip)

    def _give_up(self, transcript_id: int) -> None:
        if (kept := self._kept.pop(transcript_id, None)) is not None:
            self._entries -= kept[2]
