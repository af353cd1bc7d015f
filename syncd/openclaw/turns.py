"""Turns: a prompt and all that answers it. Which message begins one, and how it stands.

A turn begins at a user message; or at an answer that no prompt was written for (announcements, heartbeats), which shows
because there was no turn yet or the one before is done. Errors are retried, so an answer after one belongs to it. All
of that is judged by what stands on a message's own way from the root: answers on two branches to one prompt are one
turn, which counts what both have used and stands as it did when the conversation last ran through it, or, where that
never was, at its latest message.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

IN_PROGRESS: Final = "in_progress"
DONE: Final = "done"
ABORTED: Final = "aborted"
ERROR: Final = "error"

_STATUS_AFTER: Final = {"error": ERROR, "aborted": ABORTED, "toolUse": IN_PROGRESS}
_MOST_TOKENS: Final = 2**63 - 1
_ANSWERS: Final = ("assistant", "toolResult")


@dataclass(slots=True)
class Turn:
    """One turn while its messages come in. Ids are rows of `messages` and `turns`. Sums are those of all branches."""

    id: int
    transcript_id: int
    parent_turn_id: int | None
    user_message_id: int | None
    started_at: int | None
    status: str = IN_PROGRESS
    final_message_id: int | None = None
    ended_at: int | None = None
    tool_call_count: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_total: float = 0.0
    model: str | None = None

    @classmethod
    def begun(
        cls, turn_id: int, transcript_id: int, before: Turn | None, role: str, message_id: int, at: int | None
    ) -> Turn:
        """A turn that this message begins, after the turn before it on its path."""
        parent, prompt = before.id if before is not None else None, message_id if role == "user" else None
        return cls(turn_id, transcript_id, parent, prompt, at, ended_at=at)

    def take_answer(
        self,
        message_id: int,
        at: int | None,
        stop_reason: str | None,
        tool_call_count: int,
        input_tokens: int | None,
        output_tokens: int | None,
        cost_total: float | None,
        model: str | None,
    ) -> Stand:
        """An answer of the model: the last one is the final one, and says how the turn stands."""
        self.final_message_id = message_id
        self.status = status_after(stop_reason, tool_call_count)
        self.tool_call_count += tool_call_count
        if input_tokens:
            self.input_tokens = max(-_MOST_TOKENS, min(self.input_tokens + input_tokens, _MOST_TOKENS))
        if output_tokens:
            self.output_tokens = max(-_MOST_TOKENS, min(self.output_tokens + output_tokens, _MOST_TOKENS))
        if cost_total:
            self.cost_total += cost_total
        self.model = model
        if at is not None:
            self.ended_at = at
        return self, self.status, message_id, self.ended_at, model

    def take_result(self, at: int | None) -> Stand:
        """A tool has answered: the model's next words are awaited."""
        self.status = IN_PROGRESS
        if at is not None:
            self.ended_at = at
        return self.stand()

    def stand(self) -> Stand:
        """How it stands."""
        return self, self.status, self.final_message_id, self.ended_at, self.model

    def stand_again(self, stand: Stand) -> None:
        """The conversation came back to where the turn stood so."""
        _, self.status, self.final_message_id, self.ended_at, self.model = stand

    def is_left(self) -> None:
        """The conversation goes on in another turn: what was not brought to an end will not be any more."""
        if self.status == IN_PROGRESS:
            self.status = ABORTED


Stand = tuple[Turn, str, int | None, int | None, str | None]
"""How a turn stands after one of its messages: itself, status, final message, end and model. Plain: there are many."""
TURN_FIELDS: Final = tuple(each.name for each in fields(Turn))
"""Names of a turn's facts, which are those of its columns."""


def status_after(stop_reason: str | None, tool_call_count: int) -> str:
    """How a turn stands after an answer of the model."""
    return _STATUS_AFTER.get(stop_reason or "", IN_PROGRESS if tool_call_count and not stop_reason else DONE)


def begins_turn(role: str, current: Turn | None, *, is_mirror: bool) -> bool:
    """Does a message of this role begin a turn, where `current` is the one before it and stands as it does there?"""
    if role == "user":
        return True
    if role not in _ANSWERS:
        return False
    return current is None or (role == "assistant" and current.status == DONE and not is_mirror)
