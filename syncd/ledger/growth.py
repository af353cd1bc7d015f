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
    from collections.abc import Iterator

    from syncd.ledger.transcripts import Transcript
    from syncd.openclaw.turns import Turn

MOST_ENTRIES = 50_000
"""In all growths that are held at once: about 300 bytes each."""


@dataclass(slots=True)
class Growth:
    """Places are those of the tree: an entry's number among the live ones, in file order."""

    tree: Tree = field(default_factory=Tree)
    row_ids: array[int] = field(default_factory=lambda: array("q"))
    """entries.id by place."""
    has_branched: bool = False
    answers: set[int | str | None] | None = field(default_factory=set)
    """Times and entry ids of all answers so far; None: not all are known."""
    _turn_at: dict[int, Turn] = field(default_factory=dict)

    def put_turn(self, place: int, turn: Turn) -> None:
        self._turn_at[place] = turn

    def is_new_answer(self, entry_id: str | None, at: int | None) -> bool:
        """Is there certainly no answer in the transcript that this one repeats? It is one of them from now on."""
        if self.answers is None:
            return False
        if at in self.answers or entry_id in self.answers:
            return False
        self.answers.update((at, entry_id))
        return True

    def turn_before(self, place: int) -> Turn | None:
        """The turn of the nearest message on the way up from that place, itself included."""
        passed = []
        while place != NOWHERE and place not in self._turn_at:
            passed.append(place)
            place = self.tree.parents[place]
        turn = self._turn_at.get(place)
        if turn is not None:
            for each in passed:
                self._turn_at[each] = turn  # so that no way is walked twice
        return turn

    def path_changes(self, tip: int, new_tip: int) -> Iterator[tuple[int, int]]:
        """(entries.id, is it on the active path now) of those between two tips and the last entry they share."""
        while tip != new_tip:
            # A parent is always an earlier entry: the later one of two different places is on one way only.
            is_entered = new_tip > tip
            place = new_tip if is_entered else tip
            if place not in self.tree.controls:
                yield self.row_ids[place], int(is_entered)
            if is_entered:
                new_tip = self.tree.parents[place]
            else:
                tip = self.tree.parents[place]


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
            transcript.turn = growth.turn_before(growth.tree.tip)

    def _give_up(self, transcript_id: int) -> None:
        if (kept := self._kept.pop(transcript_id, None)) is not None:
            self._entries -= kept[2]
