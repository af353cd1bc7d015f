"""The conversation while lines come in: where an entry stands in the tree, and to which turn a message belongs.

What simply goes on is placed at the cost of a comparison. What branches off or moves the tip is placed in the tree that
the transcript has in memory (`growth`). Without one, and after a rewrite, the tree becomes *due*: `refold` then places
all of the transcript's entries anew, before the batch is committed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.openclaw.tree import CANONICAL_TYPES, HEADER_TYPE, LEAF_TYPE, LINEAR_VERSION, Link
from syncd.openclaw.turns import Turn, begins_turn

if TYPE_CHECKING:
    from syncd.ledger.growth import Growth
    from syncd.ledger.rows import Rows
    from syncd.ledger.transcripts import Transcript
    from syncd.openclaw.turns import Stand

SIDE = "side"
UNLINKED = "unlinked"
APPEND_AT_ROOT = "append_at_root"
"""Flags of entries: appended beside the conversation; without a field for its parent; a leaf control whose next entry
has no parent, though its target is an entry."""


def place_flag(kind: str, value: dict[str, Any]) -> str | None:
    """What the entry's other columns do not tell of its place."""
    if kind == LEAF_TYPE:
        if "parentId" not in value or "targetId" not in value:
            return UNLINKED  # it steers nothing
        at_root = "appendParentId" in value and value["appendParentId"] is None and value.get("targetId") is not None
        return APPEND_AT_ROOT if at_root else None
    if value.get("appendMode") == "side":
        return SIDE
    return UNLINKED if "parentId" not in value and value.get("id") and kind != HEADER_TYPE else None


def place_entry(
    rows: Rows,
    transcript: Transcript,
    row_id: int,
    kind: str,
    entry_id: str | None,
    parent_id: str | None,
    flag: str | None,
    value: dict[str, Any],
) -> int:
    """1 if the entry is on the active path. For all that does not follow the one before it in the plainest way."""
    if transcript.is_tree_due:
        return 0
    if transcript.growth is None:
        return _place_by_tip(transcript, kind, entry_id, parent_id, flag, value)
    target, append = None, None
    if kind == LEAF_TYPE:
        target = value.get("targetId")
        append = value.get("appendParentId", target)
        if not all(each is None or isinstance(each, str) for each in (target, append)):
            transcript.tree_falls_due()
            return 0
    link = Link(kind, entry_id, parent_id, flag != UNLINKED, flag == SIDE, target, append)
    return _place_in(transcript.growth, rows, transcript, row_id, link)


def _place_by_tip(
    transcript: Transcript,
    kind: str,
    entry_id: str | None,
    parent_id: str | None,
    flag: str | None,
    value: dict[str, Any],
) -> int:
    """Without a tree in memory: what goes on from the tip, and what stands beside it. All else makes the tree due."""
    if kind == HEADER_TYPE:
        return 0
    if not entry_id:
        if kind in CANONICAL_TYPES and transcript.header_version == LINEAR_VERSION:
            transcript.leaf_entry_id = transcript.append_entry_id = None
            return 1
        return 0
    leaf, known = transcript.leaf_entry_id, (transcript.leaf_entry_id, transcript.append_entry_id)
    is_step = kind in CANONICAL_TYPES and flag != SIDE
    is_aside = flag == SIDE and kind == "message"  # only the tree knows its turn
    goes_on = is_step and (flag == UNLINKED or parent_id == transcript.append_entry_id or parent_id == leaf is not None)
    if kind == LEAF_TYPE:
        # One that lets the next entry name another than the tip may not do so behind a reset, of which a tip knows not.
        goes_on = (
            flag is None and leaf is not None and value.get("targetId") == value.get("appendParentId", leaf) == leaf
        )
    if is_aside or (not goes_on and (is_step or kind == LEAF_TYPE)) or (entry_id in known and not is_step):
        transcript.tree_falls_due()
        return 0
    if kind == LEAF_TYPE:
        transcript.append_entry_id = leaf
    elif is_step or flag != UNLINKED:
        transcript.append_entry_id = entry_id
    if is_step:
        transcript.leaf_entry_id = entry_id
    return int(is_step)


def _place_in(growth: Growth, rows: Rows, transcript: Transcript, row_id: int, link: Link) -> int:
    before, reached, is_step = growth.add(row_id, link, transcript.header_version)
    transcript.leaf_entry_id, transcript.append_entry_id = growth.tree.tip_id, growth.tree.append_id
    if reached != before:
        growth.has_branched = True
        _move(growth, rows, transcript, before, reached)
    return int(is_step)


def _move(growth: Growth, rows: Rows, transcript: Transcript, before: int, reached: int) -> None:
    """The tip of the conversation is in another place now: entries change sides, turns stand as they did there."""
    path_changes, stands = growth.move(before, reached)
    rows.path_changes.update(path_changes)
    left, transcript.turn = transcript.turn, growth.turn_at(reached)
    transcript.tip_turn_id = transcript.turn.id if transcript.turn is not None else None
    if left is not None:
        left.is_left()
        rows.turns[left.id] = left
    for stand in stands:
        turn = stand[0]
        growth.unreached.discard(turn.id)
        if turn.stand() != stand:
            turn.stand_again(stand)
            if turn is not transcript.turn:
                turn.is_left()
            rows.turns[turn.id] = turn


def turn_of(
    rows: Rows, transcript: Transcript, role: str, message_id: int, at: int | None, *, is_mirror: bool = False
) -> Turn | None:
    """The turn that a message belongs to, begun here if it is the first of one."""
    turn = transcript.turn
    if transcript.is_tree_due or transcript.is_beside:
        return None if transcript.is_tree_due else turn
    if begins_turn(role, turn, is_mirror=is_mirror):
        if turn is not None:
            turn.is_left()
            rows.turns[turn.id] = turn
        turn = Turn.begun(rows.next_turn_id, transcript.id, turn, role, message_id, at)
        rows.next_turn_id += 1
        transcript.turn = turn
        note_stand(transcript, turn.stand())
    if turn is not None:
        rows.turns[turn.id] = turn
    return turn


def note_stand(transcript: Transcript, stand: Stand) -> None:
    """How the turn of the entry at hand stands now, for when the conversation comes back to this place."""
    if transcript.growth is not None:
        transcript.growth.note_stand(stand)


class Aside(NamedTuple):
    """What to come back to after a message that was appended beside the conversation."""

    growth: Growth
    at_tip: Turn | None
    followed: Turn | None
    stand: Stand | None
    """Of the turn that the message follows: how it stood."""


def step_aside(transcript: Transcript, entry_id: str | None) -> Aside | None:
    """A message that was appended beside the conversation is next: its turn is that on its own way from the root.

    None: the entry has no place in the tree, or the tree is not known yet.
    """
    growth = transcript.growth
    if growth is None or not entry_id:
        return None
    at_tip, there = transcript.turn, growth.stand_at(growth.parent_of_latest())
    followed = transcript.turn = there[0] if there is not None else None
    stand = followed.stand() if followed is not None else None
    if followed is not None and there is not None:
        followed.stand_again(there)
    return Aside(growth, at_tip, followed, stand)


def come_back(transcript: Transcript, aside: Aside) -> None:
    """A turn through which the conversation ran stands as it did there, whatever was added beside it."""
    growth, at_tip, followed, stand = aside
    turn = transcript.turn
    transcript.turn = at_tip
    if turn is not None and turn is not followed:
        growth.unreached.add(turn.id)
    if turn is not None and turn.id in growth.unreached:
        turn.is_left()
    if followed is not None and stand is not None and (turn is not followed or followed.id not in growth.unreached):
        followed.stand_again(stand)
