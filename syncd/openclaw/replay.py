"""Tool results as OpenClaw puts them right before it sends a conversation: each right after its call.

A call without a result gets an error in OpenClaw's own words; results of nothing, second results, broken calls
(`usable_calls`) and answers that failed while they called are left out. The rules are those of 2026.7.1 (2026.5.7
looks for a displaced result only up to the next answer). Pure; the ledger keeps the order as written. Takes any shape.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from syncd.openclaw.javascript_text import trimmed
from syncd.openclaw.messages import CALL_TYPES
from syncd.openclaw.tool_results import MISSING_TEXT, SYNTHETIC_MARK
from syncd.openclaw.usable_calls import with_usable_calls

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]

_RESULT_ID_FIELDS: Final = ("toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id")


class Replayed(NamedTuple):
    """A message in its new place. `place`: where it was; None for a result that was made up."""

    place: int | None
    message: Json


class _Call(NamedTuple):
    id: str
    name: str | None


def replayed(messages: Sequence[Json]) -> list[Replayed]:
    """The messages, in the order and number in which they would be sent."""
    usable = [(place, kept) for place, each in enumerate(messages) if (kept := with_usable_calls(each)) is not None]
    places = [place for place, _ in usable]
    paired = _paired([message for _, message in usable])
    return [Replayed(None if each.place is None else places[each.place], each.message) for each in paired]


def _paired(messages: Sequence[Json]) -> list[Replayed]:
    pairing = _Pairing(messages)
    place = 0
    while place < len(messages):
        message = messages[place]
        calls = _calls(message)
        if calls:
            place = pairing.take_calls(place, calls)
        else:
            if message.get("role") != "toolResult":
                pairing.out.append(Replayed(place, message))
            place += 1
    return pairing.out


class _Pairing:
    def __init__(self, messages: Sequence[Json]) -> None:
        self.out: list[Replayed] = []
        self._messages = messages
        self._put: dict[str, int] = {}
        self._results = _Results(messages)

    def take_calls(self, place: int, calls: list[_Call]) -> int:
        """An answer with calls and all up to the next such answer, whose place is returned."""
        answer, names = self._messages[place], {call.id: call.name for call in calls}
        found: dict[str, Replayed] = {}
        others: list[Replayed] = []
        end = place + 1
        while end < len(self._messages) and not _calls(self._messages[end]):
            each = self._messages[end]
            if each.get("role") == "toolResult":
                self._take_result(Replayed(end, _with_legacy_id(each, calls)), names, found)
            else:
                others.append(Replayed(end, each))
            end += 1
        if answer.get("stopReason") not in ("error", "aborted"):
            self.out.append(Replayed(place, answer))
            given = [found.get(call.id) or self._later(end, call, calls, names) for call in calls]
            for call, result in zip(calls, given, strict=True):
                self._push(result or Replayed(None, _missing(call)))
        self.out += others
        return end

    def _take_result(self, result: Replayed, names: dict[str, str | None], found: dict[str, Replayed]) -> None:
        result_id = _result_id(result.message)
        if result_id is None or (result_id not in names and result_id not in self._put):
            return
        result = Replayed(result.place, _with_name(result.message, names.get(result_id)))
        if result_id in self._put:
            self._push(result)
        elif result_id not in found or _replaces(result, found[result_id]):
            found[result_id] = result

    def _later(self, start: int, call: _Call, calls: list[_Call], names: dict[str, str | None]) -> Replayed | None:
        if call.id in self._put:
            return None
        place = self._results.first(start, call, is_only=len(calls) == 1)
        if place is None:
            return None
        return Replayed(place, _with_name(_with_legacy_id(self._messages[place], calls), names[call.id]))

    def _push(self, result: Replayed) -> None:
        result_id = _result_id(result.message)
        at = self._put.get(result_id) if result_id is not None else None
        if result_id is None:  # for a call whose id is nothing but white space
            self.out.append(result)
        elif at is None:
            self._put[result_id] = len(self.out)
            self.out.append(result)
        elif _replaces(result, self.out[at]):
            self.out[at] = result


class _Results:
    """Where results are, so that a displaced one is found without a walk through all that follow."""

    def __init__(self, messages: Sequence[Json]) -> None:
        self._by_id: dict[str, list[int]] = {}
        self._nameless_ids: dict[str | None, list[int]] = {}
        """Places of results without an id (old releases), by the tool's name; under None all of them."""
        for place, message in enumerate(messages):
            if message.get("role") != "toolResult":
                continue
            result_id = _result_id(message)
            if result_id is not None:
                self._by_id.setdefault(result_id, []).append(place)
            else:
                for name in {_name(message.get("toolName")) or "", None}:
                    self._nameless_ids.setdefault(name, []).append(place)

    def first(self, start: int, call: _Call, *, is_only: bool) -> int | None:
        """The first result for the call from `start` on; one without an id answers only a single call.

        The ids of results are trimmed, those of calls are not: a call with white space around its id has no result.
        """
        groups = [self._by_id.get(call.id, [])]
        if is_only and _name(call.id) == call.id:
            name = _name(call.name)
            groups += [self._nameless_ids.get(each, []) for each in ((name, "") if name else (None,))]
        found = [places[at] for places in groups if (at := bisect_left(places, start)) < len(places)]
        return min(found, default=None)


def _calls(message: Json) -> list[_Call]:
    content = message.get("content")
    if message.get("role") != "assistant" or type(content) is not list:
        return []
    return [
        _Call(block["id"], block["name"] if type(block.get("name")) is str else None)
        for block in content
        if type(block) is dict
        and type(block.get("id")) is str
        and block["id"]
        and type(block.get("type")) is str
        and block["type"] in CALL_TYPES
    ]


def _result_id(message: Json) -> str | None:
    return next((found for field in _RESULT_ID_FIELDS if (found := _name(message.get(field)))), None)


def _name(value: object) -> str | None:
    return (trimmed(value) or None) if isinstance(value, str) else None


def _with_legacy_id(result: Json, calls: list[_Call]) -> Json:
    if len(calls) != 1 or _result_id(result) is not None:
        return result
    name, called = _name(result.get("toolName")), _name(calls[0].name)
    if name and called and name != called:
        return result
    return {**result, "toolCallId": calls[0].id, "isError": True}


def _with_name(result: Json, name: str | None) -> Json:
    own = result.get("toolName")
    wanted = _name(own) or _name(name) or ("unknown" if type(own) is str else None)
    return result if wanted is None or wanted == own else {**result, "toolName": wanted}


def _missing(call: _Call) -> Json:
    return {
        "role": "toolResult",
        "toolCallId": call.id,
        "toolName": call.name if call.name is not None else "unknown",
        "content": [{"type": "text", "text": MISSING_TEXT}],
        "details": {SYNTHETIC_MARK: True},
        "isError": True,
    }


def _is_synthetic(message: Json) -> bool:
    """An error that OpenClaw's repair wrote because there was no result."""
    if not message.get("isError"):
        return False
    details, content = message.get("details"), message.get("content")
    if type(details) is dict and details.get(SYNTHETIC_MARK) is True:
        return True
    return type(content) is list and any(
        type(block) is dict and block.get("type") == "text" and block.get("text") == MISSING_TEXT for block in content
    )


def _replaces(result: Replayed, there: Replayed) -> bool:
    """A true result takes the place of a made-up one; else the first stays."""
    return _is_synthetic(there.message) and not _is_synthetic(result.message)
