"""The model's context: which messages of a path OpenClaw would put before the model.

From the entries of a path, root first: the summary of its latest compaction, what that kept, what follows; branch
summaries and custom messages in their place. After a reset, which 2026.9.6 knows, what was said and kept, and what
follows. As 2026.5.7, 2026.7.1 and 2026.9.6 build it, which is the same. Bad entries are passed over, nothing raises.
Not the pairing of tool calls with their results: that is `replay`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from syncd.openclaw.json_values import bindable_int
from syncd.openclaw.messages import message_of
from syncd.openclaw.replay import replayed
from syncd.openclaw.timestamps import to_epoch_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]

_ROLES: Final = frozenset(
    {"user", "assistant", "toolResult", "custom", "hookMessage", "branchSummary", "compactionSummary"}
)
"""A hookMessage is what a custom one was called in files of version 2."""


class InContext(NamedTuple):
    """A message of the context, and the place on the path of the entry it was made from."""

    place: int
    message: Json


def model_context(path: Sequence[Json]) -> list[InContext]:
    """What the model would be given after this path of entries."""
    compacted, reset = None, None
    for place, entry in enumerate(path):
        kind = entry.get("type")
        if kind == "compaction":
            compacted, reset = place, None
        elif kind == "reset":
            compacted, reset = None, place
    if reset is not None:
        places: Sequence[int] = [*_kept_at_reset(path, reset), *range(reset + 1, len(path))]
    else:
        places = range(len(path)) if compacted is None else _places_after(path, compacted)
    return [
        InContext(place, found)
        for place in places
        if (found := _message(path[place], is_latest_compaction=place == compacted)) is not None
    ]


def _places_after(path: Sequence[Json], compacted: int) -> list[int]:
    """The compaction itself, what it kept, what follows. An id that comes twice is its first bearer, as in OpenClaw."""
    compaction = path[compacted]
    if compaction.get("id") is None:  # a version-1 file, whose entries have no ids: the index counts the header too
        index = bindable_int(compaction.get("firstKeptEntryIndex"))
        start = compacted if index is None or index < 1 else min(index - 1, compacted)
        return [compacted, *range(start, compacted), *range(compacted + 1, len(path))]
    first = next(
        place
        for place in range(compacted + 1)
        if path[place].get("type") == "compaction" and path[place].get("id") == compaction["id"]
    )
    kept = compaction.get("firstKeptEntryId")
    start = next((place for place in range(first) if path[place].get("id") == kept), first)
    return [compacted, *range(start, first), *(place for place in range(first + 1, len(path)) if place != compacted)]


def _kept_at_reset(path: Sequence[Json], reset: int) -> list[int]:
    """Only what was said, and results of the calls among it: from the first entry that the reset names, if it does."""
    named = path[reset].get("firstKeptEntryId")
    start = next((place for place in range(reset) if path[place].get("id") == named), reset)
    places = [place for place in range(start, reset) if path[place].get("type") == "message"]
    paired = {each.place for each in replayed([message_of(path[place]) for place in places])}
    said = ("user", "assistant")
    return [
        place
        for number, place in enumerate(places)
        if (role := message_of(path[place]).get("role")) in said or (role == "toolResult" and number in paired)
    ]


def _message(entry: Json, *, is_latest_compaction: bool) -> Json | None:
    kind = entry.get("type")
    if kind == "message":
        message = entry.get("message")
        return message if type(message) is dict else None
    if kind == "custom_message":
        return _made("custom", entry, "customType", "content", "display", "details")
    if kind == "branch_summary" and entry.get("summary"):
        return _made("branchSummary", entry, "summary", "fromId")
    if is_latest_compaction:
        return _made("compactionSummary", entry, "summary", "tokensBefore")
    return None


def _made(role: str, entry: Json, *fields: str) -> Json:
    made = {"role": role, **{field: entry[field] for field in fields if field in entry}}
    return {**made, "timestamp": to_epoch_ms(entry.get("timestamp"))}


def is_given(message: Json) -> bool:
    """Does the model see such a message at all? Commands that a person kept from it, and unknown roles, it does not."""
    role = message.get("role")
    if role == "bashExecution":
        return not message.get("excludeFromContext")
    return type(role) is str and role in _ROLES
