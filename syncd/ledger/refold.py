"""The tree and the turns of one transcript, worked out anew from its live rows and stored where they differ.

Says the same as `conversation` does line by line where lines simply go on; here branches, moved tips and rewrites are
followed too. Runs inside the transaction that brought the lines, and reads rows only. The tree that it made stays with
the transcript for what comes next.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.ledger.conversation import APPEND_AT_ROOT, LINEAR_VERSION, SIDE, UNLINKED
from syncd.ledger.growth import Growth
from syncd.ledger.rows import PUT_TURN, SET_ON_PATH
from syncd.openclaw.tree import Link
from syncd.openclaw.turns import TURN_FIELDS, Turn, begins_turn

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

_LINKS = """SELECT type, entry_id, parent_id, flags, target_id, append_parent_id, on_active_path, entries.id
    FROM entries LEFT JOIN leaf_moves ON leaf_moves.id = entries.id AND type = 'leaf'
    WHERE entries.transcript_id = ? AND superseded_in IS NULL AND salvaged = 0 ORDER BY byte_offset"""
_MESSAGES = """SELECT entries.id, role, messages.at, stop_reason, is_delivery_mirror, input_tokens, output_tokens,
      cost_total, model, turn_id,
      CASE role WHEN 'assistant' THEN (SELECT count(*) FROM tool_calls WHERE message_id = entries.id) ELSE 0 END
    FROM entries JOIN messages ON messages.id = entries.id
    WHERE entries.transcript_id = ? AND superseded_in IS NULL AND salvaged = 0 ORDER BY byte_offset"""
_LEAVE_TURNS = """UPDATE messages SET turn_id = NULL WHERE turn_id IS NOT NULL
    AND id IN (SELECT id FROM entries WHERE transcript_id = ? AND superseded_in IS NOT NULL)"""
_REMOVE_EMPTY_TURNS = """DELETE FROM turns WHERE transcript_id = ?
    AND NOT EXISTS (SELECT 1 FROM messages WHERE turn_id = turns.id)"""
_FACTS_OF_TURN = attrgetter(*TURN_FIELDS)


class _Message(NamedTuple):
    id: int
    role: str
    at: int | None
    stop_reason: str | None
    is_mirror: int
    input_tokens: int | None
    output_tokens: int | None
    cost_total: float | None
    model: str | None
    turn_id: int | None
    tool_call_count: int


def refold(ledger: Ledger, transcript: Transcript, next_turn_id: int) -> int:
    """Place every live entry, find every turn, store what changed; the turn id to go on from."""
    were_on_path: list[bool] = []
    growth = Growth(has_branched=True, answers=None)
    is_linear = transcript.header_version == LINEAR_VERSION
    for row in ledger.execute(_LINKS, (transcript.id,)):
        were_on_path.append(bool(row[6]))
        growth.row_ids.append(row[7])
        growth.tree.add(link_of(*row[:6]), is_linear=is_linear)
    transcript.leaf_entry_id, transcript.append_entry_id = growth.tree.tip_id, growth.tree.append_id
    _store_path(ledger, growth, were_on_path)
    turns = _Turns(transcript.id, next_turn_id, growth)
    places = iter(enumerate(growth.row_ids))
    for row in ledger.execute(_MESSAGES, (transcript.id,)):
        turns.take(_Message._make(row), next(place for place, row_id in places if row_id == row[0]))
    turn = transcript.turn = growth.turn_before(growth.tree.tip)
    transcript.tip_turn_id = turn.id if turn is not None else None
    turns.store(ledger, transcript)
    transcript.is_tree_due, transcript.growth = False, growth
    return turns.next_id


def link_of(
    kind: str, entry_id: str | None, parent_id: str | None, flags: str | None, target: str | None, append: str | None
) -> Link:
    """What an entry says of its place, from its row and, of a leaf control, that of `leaf_moves`."""
    known = flags.split(",") if flags else ()
    if append is None and APPEND_AT_ROOT not in known:
        append = target
    return Link(kind, entry_id, parent_id, UNLINKED not in known, SIDE in known, target, append)


def _store_path(ledger: Ledger, growth: Growth, were_on_path: list[bool]) -> None:
    are_on_path = [False] * len(were_on_path)
    for place in growth.tree.path():
        are_on_path[place] = True
    changes = (
        (int(is_now), row_id)
        for row_id, was, is_now in zip(growth.row_ids, were_on_path, are_on_path, strict=True)
        if was != is_now
    )
    ledger.connection.executemany(SET_ON_PATH, changes)


class _Turns:
    """The turns of a transcript's messages, which come in file order."""

    def __init__(self, transcript_id: int, next_id: int, growth: Growth) -> None:
        self.next_id = next_id
        self._transcript_id = transcript_id
        self._growth = growth
        self._turns: dict[int, Turn] = {}
        self._moved: list[tuple[int | None, int]] = []

    def take(self, message: _Message, place: int) -> None:
        tree = self._growth.tree
        is_beside = place in tree.beside
        turn = self._growth.turn_before(tree.beside[place] if is_beside else tree.parents[place])
        if not is_beside:
            if begins_turn(message.role, turn, is_mirror=bool(message.is_mirror)):
                turn = self._begin(message, turn)
            if turn is not None:
                self._growth.put_turn(place, turn)
                _add_to(turn, message)
        turn_id = turn.id if turn is not None else None
        if turn_id != message.turn_id:
            self._moved.append((turn_id, message.id))

    def _begin(self, message: _Message, before: Turn | None) -> Turn:
        turn_id = message.turn_id
        if turn_id is None or turn_id in self._turns:
            turn_id, self.next_id = self.next_id, self.next_id + 1
        turn = Turn.begun(turn_id, self._transcript_id, before, message.role, message.id, message.at)
        self._turns[turn_id] = turn
        return turn

    def store(self, ledger: Ledger, transcript: Transcript) -> None:
        """What differs from the rows that are there. Superseded messages belong to no turn any more."""
        for turn in self._turns.values():
            if turn is not transcript.turn:
                turn.is_left()
        connection = ledger.connection
        connection.executemany(PUT_TURN, map(_FACTS_OF_TURN, self._turns.values()))
        connection.executemany("UPDATE messages SET turn_id = ? WHERE id = ?", self._moved)
        connection.execute(_LEAVE_TURNS, (transcript.id,))
        connection.execute(_REMOVE_EMPTY_TURNS, (transcript.id,))


def _add_to(turn: Turn, message: _Message) -> None:
    if message.role == "assistant" and not message.is_mirror:
        turn.take_answer(
            message.id,
            message.at,
            message.stop_reason,
            message.tool_call_count,
            message.input_tokens,
            message.output_tokens,
            message.cost_total,
            message.model,
        )
    elif message.role == "toolResult":
        turn.take_result(message.at)


def next_turn_id(ledger: Ledger) -> int:
    row: tuple[Any, ...] | None = ledger.row("SELECT max(id) FROM turns")
    return 1 + int(row[0] or 0) if row else 1
