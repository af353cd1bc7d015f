"""The tree and the turns of one transcript, worked out anew from its live rows and stored where they differ.

The lines are gone through again in their order, by the code that takes them in live. Only what a moved tip means for
turns and entries far from it waits for the end, so that the work grows with the lines and not with the moves. Runs
inside the transaction that brought the lines, and reads rows only. The tree that it made stays with the transcript for
what comes next.
"""

from __future__ import annotations

from array import array
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.ledger.conversation import APPEND_AT_ROOT, SIDE, UNLINKED, come_back, note_stand, step_aside, turn_of
from syncd.ledger.growth import Growth
from syncd.ledger.rows import PUT_TURN, SET_ON_PATH, Rows
from syncd.openclaw.tree import NOWHERE, Link
from syncd.openclaw.turns import TURN_FIELDS

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript

_ENTRIES = """SELECT entries.id, on_active_path, type, entry_id, parent_id, flags, target_id, append_parent_id,
      role, messages.at, stop_reason, is_delivery_mirror, input_tokens, output_tokens, cost_total, model, turn_id,
      CASE role WHEN 'assistant' THEN (SELECT count(*) FROM tool_calls WHERE message_id = entries.id) ELSE 0 END
    FROM entries LEFT JOIN messages ON messages.id = entries.id
    LEFT JOIN leaf_moves ON leaf_moves.id = entries.id AND type = 'leaf'
    WHERE entries.transcript_id = ? AND superseded_in IS NULL AND salvaged = 0 ORDER BY byte_offset"""
_LEAVE_TURNS = """UPDATE messages SET turn_id = NULL WHERE turn_id IS NOT NULL
    AND id IN (SELECT id FROM entries WHERE transcript_id = ? AND superseded_in IS NOT NULL)"""
_REMOVE_EMPTY_TURNS = """DELETE FROM turns WHERE transcript_id = ?
    AND NOT EXISTS (SELECT 1 FROM messages WHERE turn_id = turns.id)"""
_FACTS_OF_TURN = attrgetter(*TURN_FIELDS)
_NEVER = -1


class _Message(NamedTuple):
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
    transcript.is_tree_due, transcript.turn = False, None
    growth = transcript.growth = Growth(has_branched=True, answers=None)
    replay = _Replay(transcript, growth, next_turn_id)
    for row in ledger.execute(_ENTRIES, (transcript.id,)):
        link = link_of(*row[2:8])
        is_step = replay.place(row[0], link, was_on_path=bool(row[1]))
        if row[8] is not None:
            aside = step_aside(transcript, link.entry_id) if link.is_side and not is_step else None
            transcript.is_beside = not is_step and aside is None
            replay.take(row[0], _Message._make(row[8:]))
            if aside is not None:
                come_back(transcript, aside)
    transcript.leaf_entry_id, transcript.append_entry_id = growth.tree.tip_id, growth.tree.append_id
    transcript.turn, transcript.is_beside = growth.turn_at(growth.tree.tip), False
    transcript.tip_turn_id = transcript.turn.id if transcript.turn is not None else None
    replay.settle()
    replay.store(ledger)
    return replay.rows.next_turn_id


def link_of(
    kind: str, entry_id: str | None, parent_id: str | None, flags: str | None, target: str | None, append: str | None
) -> Link:
    """What an entry says of its place, from its row and, of a leaf control, that of `leaf_moves`."""
    known = flags.split(",") if flags else ()
    if append is None and APPEND_AT_ROOT not in known:
        append = target
    return Link(kind, entry_id, parent_id, UNLINKED not in known, SIDE in known, target, append)


class _Replay:
    """Entries come in file order, each message right after it was placed."""

    def __init__(self, transcript: Transcript, growth: Growth, next_turn_id: int) -> None:
        self.rows = Rows(0, next_turn_id)
        """For the turns only."""
        self._transcript = transcript
        self._growth = growth
        self._were_on_path: list[bool] = []
        self._moved: list[tuple[int | None, int]] = []
        self._tip_times = array("q")
        """By place: when the tip was last there, in places of the entries that came then."""

    def place(self, row_id: int, link: Link, *, was_on_path: bool) -> bool:
        """Is it a step of the conversation?"""
        growth, transcript, now = self._growth, self._transcript, len(self._tip_times)
        before, reached, is_step = growth.add(row_id, link, transcript.header_version)
        if reached != before:
            stand = growth.stand_at(reached)
            transcript.turn = stand[0] if stand is not None else None
            if stand is not None:
                stand[0].stand_again(stand)
                growth.unreached.discard(stand[0].id)
        self._were_on_path.append(was_on_path)
        self._tip_times.append(_NEVER)
        if growth.tree.tip != NOWHERE:
            self._tip_times[growth.tree.tip] = now
        return is_step

    def take(self, message_id: int, message: _Message) -> None:
        rows, transcript, fresh_id = self.rows, self._transcript, self.rows.next_turn_id
        if message.turn_id is not None and message.turn_id not in rows.turns:
            rows.next_turn_id = message.turn_id  # a turn that begins here keeps its id: lower than any fresh one
        is_mirror = bool(message.is_mirror)
        turn = turn_of(rows, transcript, message.role, message_id, message.at, is_mirror=is_mirror)
        rows.next_turn_id = max(rows.next_turn_id, fresh_id)
        if turn is not None and not transcript.is_beside:
            if message.role == "assistant" and not is_mirror:
                _, at, stop_reason, _, used, given, cost, model, _, calls = message
                note_stand(transcript, turn.take_answer(message_id, at, stop_reason, calls, used, given, cost, model))
            elif message.role == "toolResult":
                note_stand(transcript, turn.take_result(message.at))
        turn_id = turn.id if turn is not None else None
        if turn_id != message.turn_id:
            self._moved.append((turn_id, message_id))

    def settle(self) -> None:
        """Each turn stands as it did when the conversation last ran through it; only the one at the tip is open.

        Where it never ran through, a turn stands as its latest message left it.
        """
        times, parents, stands = self._tip_times, self._growth.tree.parents, self._growth.stands
        for place in range(len(times) - 1, -1, -1):  # it ran through a place when the tip was there or further down
            parent = parents[place]
            if parent != NOWHERE and times[parent] < times[place]:
                times[parent] = times[place]
        for place in sorted(sorted(stands), key=times.__getitem__):  # of those on one way the last one counts
            stand = stands[place]
            if stand is not None and times[place] != _NEVER:
                stand[0].stand_again(stand)
                self._growth.unreached.discard(stand[0].id)
        for turn in self.rows.turns.values():
            if turn is not self._transcript.turn:
                turn.is_left()

    def store(self, ledger: Ledger) -> None:
        """What differs from the rows that are there. Superseded messages belong to no turn any more."""
        connection, transcript_id = ledger.connection, self._transcript.id
        are_on_path = [False] * len(self._were_on_path)
        for place in self._growth.tree.path():
            are_on_path[place] = True
        on_path = zip(self._growth.row_ids, self._were_on_path, are_on_path, strict=True)
        connection.executemany(SET_ON_PATH, ((int(is_now), row_id) for row_id, was, is_now in on_path if was != is_now))
        connection.executemany(PUT_TURN, map(_FACTS_OF_TURN, self.rows.turns.values()))
        connection.executemany("UPDATE messages SET turn_id = ? WHERE id = ?", self._moved)
        connection.execute(_LEAVE_TURNS, (transcript_id,))
        connection.execute(_REMOVE_EMPTY_TURNS, (transcript_id,))


def next_turn_id(ledger: Ledger) -> int:
    row: tuple[Any, ...] | None = ledger.row("SELECT max(id) FROM turns")
    return 1 + int(row[0] or 0) if row else 1
