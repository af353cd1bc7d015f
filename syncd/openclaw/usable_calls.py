"""Tool calls that OpenClaw leaves out of what it sends: without arguments, id or a proper name, or broken off halfway.

As 2026.7.1 does it (`sanitizeToolCallInputs`), for any provider; what it does for signed thinking of one provider is
left out. Pure; takes messages of any shape.
"""

from __future__ import annotations

import re
from typing import Any, Final

import orjson

from syncd.openclaw.javascript_text import trimmed

Json = dict[str, Any]

_CALL_TYPES: Final = frozenset({"toolCall", "toolUse", "functionCall", "tool_call", "tool_use", "function_call"})
_ID_FIELDS: Final = ("id", "call_id", "toolCallId", "toolUseId", "tool_call_id", "tool_use_id")
_NAME: Final = re.compile(r"[A-Za-z0-9_:.-]{1,64}")
_NONE: Final = object()


def with_usable_calls(message: Json) -> Json | None:
    """The message as it is, or without calls that cannot be sent; None where nothing is left of it."""
    content = message.get("content")
    if message.get("role") != "assistant" or type(content) is not list:
        return message
    blocks = [usable for block in content if (usable := _usable(message, block)) is not _NONE]
    if len(blocks) == len(content) and all(one is other for one, other in zip(blocks, content, strict=True)):
        return message
    return {**message, "content": blocks} if blocks else None


def _usable(message: Json, block: object) -> object:
    if type(block) is not dict or type(block.get("type")) is not str or block["type"] not in _CALL_TYPES:
        return block
    has_input = block.get("input") is not None or block.get("arguments") is not None
    has_id = any(type(value := block.get(field)) is str and trimmed(value) for field in _ID_FIELDS)
    name = trimmed(block["name"]) if type(block.get("name")) is str else ""
    if not has_input or not has_id or _NAME.fullmatch(name) is None:
        return _NONE
    if type(block.get("partialJson")) is str:
        if not _is_finished(message, block):
            return _NONE
        block = {field: value for field, value in block.items() if field != "partialJson"}
    return block if block["name"] == name else {**block, "name": name}


def _is_finished(message: Json, block: Json) -> bool:
    """Is what came in parts whole after all? Only calls of OpenAI's Responses, whose ids have two halves, ever are."""
    arguments, partial, call_id = block.get("arguments"), block["partialJson"], block.get("id")
    if message.get("stopReason") != "toolUse" or "input" in block or type(arguments) is not dict:
        return False
    if not _is_object(partial) and (trimmed(partial) or arguments):
        return False
    return type(call_id) is str and 0 < call_id.find("|") < len(call_id) - 1


def _is_object(text: str) -> bool:
    try:
        return type(orjson.loads(text)) is dict
    except orjson.JSONDecodeError:
        return False
