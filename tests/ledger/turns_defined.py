"""Turns by their definition, as plainly as it can be said and at any cost: what the ledger must come to.

How a turn stands at an entry is a matter of the way from the root to it. How it stands in the end: as it did at its
last entry on the active path, when that last ran through it, or at its latest message, if it never did; and only the
one at the tip may be in progress.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from syncd.openclaw.tree import NOWHERE, Link, Tree, grow

Entry = dict[str, Any]
STATUS = {"stop": "done", "toolUse": "in_progress", "error": "error", "aborted": "aborted"}


class At(NamedTuple):
    """A turn, named by the place of its first message, at one place."""

    turn: int
    status: str
    final: int | None
    ended_at: int | None
    model: str | None


class Turn(NamedTuple):
    parent: int | None
    prompt: int | None
    final: int | None
    started_at: int | None
    ended_at: int | None
    status: str
    tool_call_count: int
    input_tokens: int
    output_tokens: int
    cost_total: float
    model: str | None


def link(entry: Entry) -> Link:
    return Link(
        entry["type"],
        entry.get("id"),
        entry.get("parentId"),
        is_linked="parentId" in entry,
        is_side=entry.get("appendMode") == "side",
        target_id=entry.get("targetId"),
        append_parent_id=entry.get("appendParentId", entry.get("targetId")),
    )


class Defined:
    """The turns of some entries, which come in file order; `version` as `grow` has it."""

    def __init__(self, entries: list[Entry], *, version: str | None) -> None:
        self.entries = entries
        links = [link(entry) for entry in entries]
        self.trees: list[Tree] = [grow(links[:end], version) for end in range(1, len(links) + 1)]
        self.tree = self.trees[-1]

    def at(self, place: int) -> At | None:
        """After that entry, by what stands on the way to it."""
        if place == NOWHERE:
            return None
        before = self.at(self.tree.parents[place])
        if place in self.tree.beside or "message" not in self.entries[place]:
            return before
        message, at = self.entries[place]["message"], self.entries[place].get("timestamp")
        is_answer = message["role"] == "assistant" and message["model"] != "delivery-mirror"
        if (
            message["role"] == "user"
            or (before is None and message["role"] in ("assistant", "toolResult"))
            or (before is not None and before.status == "done" and is_answer)
        ):
            before = At(place, "in_progress", None, at, None)
        if before is None:
            return None
        ended_at = before.ended_at if at is None else at
        if is_answer:
            return At(before.turn, STATUS[message["stopReason"]], place, ended_at, message["model"])
        if message["role"] == "toolResult":
            return before._replace(status="in_progress", ended_at=ended_at)
        return before

    def turn_of(self, place: int) -> int | None:
        """The turn of a message; of one that has no place in the tree, that at the tip when it came."""
        found = self.at(self.tree.beside.get(place, place))
        return found.turn if found is not None else None

    def turns(self) -> dict[int, Turn]:
        last: dict[int, At] = {}
        for place, entry in enumerate(self.entries):
            if "message" in entry and place not in self.tree.beside and (found := self.at(place)) is not None:
                last[found.turn] = found
        for tree in self.trees:
            last |= {found.turn: found for place in tree.path() if (found := self.at(place)) is not None}
        tip = self.at(self.tree.tip)
        return {
            turn: self._turn(found if tip is not None and turn == tip.turn else _left(found))
            for turn, found in last.items()
        }

    def _turn(self, found: At) -> Turn:
        before = self.at(self.tree.parents[found.turn])
        first = self.entries[found.turn]
        answers = list(self._answers(found.turn))
        return Turn(
            before.turn if before is not None else None,
            found.turn if first["message"]["role"] == "user" else None,
            found.final,
            first.get("timestamp"),
            found.ended_at,
            found.status,
            sum(len(answer["content"]) for answer in answers),
            sum(answer["usage"]["input"] for answer in answers),
            sum(answer["usage"]["output"] for answer in answers),
            sum(answer["usage"]["cost"]["total"] for answer in answers),
            found.model,
        )

    def _answers(self, turn: int) -> Iterator[Entry]:
        """On whatever branch."""
        for place, entry in enumerate(self.entries):
            found = self.at(place)
            if place not in self.tree.beside and found is not None and (found.turn, found.final) == (turn, place):
                yield entry["message"]


def _left(found: At) -> At:
    return found._replace(status="aborted") if found.status == "in_progress" else found
