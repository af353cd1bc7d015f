"""The conversation while lines come in: where an entry stands in the tree, and to which turn a message belongs.

Only what simply goes on is placed here, at the cost of a comparison. What branches off, moves the tip or follows a
rewrite makes the transcript's tree *due*: `refold` then places all of its entries anew, before the batch is committed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncd.openclaw.tree import CANONICAL_TYPES, HEADER_TYPE, LEAF_TYPE
from syncd.openclaw.turns import Turn, begins_turn

if TYPE_CHECKING:
    from syncd.ledger.rows import Rows
    from syncd.ledger.transcripts import Transcript

SIDE = "side"
UNLINKED = "unlinked"
APPEND_AT_ROOT = "append_at_root"
"""Flags of entries: appended beside the conversation; without a field for its parent; a leaf control whose next entry
has no parent, though its target is an entry."""
LINEAR_VERSION = "1"


def place_flag(kind: str, value: dict[str, Any]) -> str | None:
    """What the entry's other columns do not tell of its place."""
    if kind == LEAF_TYPE:
        at_root = "appendParentId" in value and value["appendParentId"] is None and value.get("targetId") is not None
        return APPEND_AT_ROOT if at_root else None
    if value.get("appendMode") == "side":
        return SIDE
    return UNLINKED if "parentId" not in value and value.get("id") and kind != HEADER_TYPE else None


def place_entry(
    transcript: Transcript,
    kind: str,
    entry_id: str | None,
    parent_id: str | None,
    flag: str | None,
    value: dict[str, Any],
) -> int:
    """1 if the entry is on the active path. For all that does not follow the one before it in the plainest way."""
    if transcript.is_tree_due or kind == HEADER_TYPE:
        return 0
    if not entry_id:
        if kind in CANONICAL_TYPES and transcript.header_version == LINEAR_VERSION:
            transcript.leaf_entry_id = transcript.append_entry_id = None
            return 1
        return 0
    if kind == LEAF_TYPE:
        if flag is not None or transcript.leaf_entry_id is None or value.get("targetId") != transcript.leaf_entry_id:
            transcript.is_tree_due = True
        else:
            transcript.append_entry_id = value.get("appendParentId", transcript.leaf_entry_id)
        return 0
    if kind not in CANONICAL_TYPES:
        if flag != UNLINKED:
            transcript.append_entry_id = entry_id
        return 0
    if flag == SIDE:
        transcript.append_entry_id = entry_id
        return 0
    goes_on = flag == UNLINKED or parent_id in (transcript.append_entry_id, transcript.leaf_entry_id)
    if not goes_on:
        transcript.is_tree_due = True
        return 0
    transcript.leaf_entry_id = transcript.append_entry_id = entry_id
    return 1


def turn_of(
    rows: Rows, transcript: Transcript, role: str, message_id: int, at: int | None, *, is_mirror: bool = False
) -> Turn | None:
    """The turn that a message belongs to, begun here if it is the first of one."""
    turn = transcript.turn
    if transcript.is_tree_due or transcript.is_beside:
        return None if transcript.is_tree_due else turn
    if begins_turn(role, turn, is_mirror=is_mirror):
        if turn is None and transcript.bytes > 0:
            transcript.is_tree_due = True  # other branches may have turns, which are followed by this one
            return None
        if turn is not None:
            turn.is_followed()
            rows.turns[turn.id] = turn
        turn = Turn.begun(rows.next_turn_id, transcript.id, turn, role, message_id, at)
        rows.next_turn_id += 1
        transcript.turn = turn
    if turn is not None:
        rows.turns[turn.id] = turn
    return turn
