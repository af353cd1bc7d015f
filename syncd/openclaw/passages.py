"""What a reader sees of an entry: passages of text, each with what it is. The same for a terminal, a page and a file.

Tells everything that an entry of any type and release says, in its order; what is shortened, left out or coloured is
for whoever shows it. Takes decoded entries of any shape; nothing raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from syncd.openclaw.entries import entry_type
from syncd.openclaw.json_values import json_text
from syncd.openclaw.main_argument import main_argument
from syncd.openclaw.messages import CALL_TYPES, message_of, message_text

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]
Kind = Literal["text", "thinking", "call", "result", "attachment", "summary", "note", "error"]


class Passage(NamedTuple):
    kind: Kind
    text: str
    title: str = ""
    """Of a call or result the tool; of an attachment, a summary or a note what it is."""
    is_error: bool = False
    arguments: object = None
    """Of a call: all of its arguments; `text` is the main one."""


def passages_of(entry: Json) -> list[Passage]:
    """In the order in which they stand."""
    kind = entry_type(entry)
    if kind == "message":
        return list(message_passages(message_of(entry)))
    if kind == "custom_message":
        return list(_blocks(entry.get("content"), _text(entry.get("customType"))))
    return [_of_other(kind, entry)]


def message_passages(message: Json) -> Iterator[Passage]:
    role = message.get("role")
    if role == "toolResult":
        yield from _result(message)
    elif role == "bashExecution":
        yield Passage("call", _text(message.get("command")), "bash", arguments=message.get("command"))
        code = message.get("exitCode")
        yield Passage("result", _text(message.get("output")), "bash", is_error=bool(code))
    elif role in ("compactionSummary", "branchSummary"):
        yield Passage("summary", _text(message.get("summary")), _SUMMARIES[role])
    else:
        title = _text(message.get("customType")) if role in ("custom", "hookMessage") else ""
        yield from _blocks(message.get("content"), title)
        yield from _failure(message)


_SUMMARIES = {"compactionSummary": "compaction", "branchSummary": "branch"}


def _result(message: Json) -> Iterator[Passage]:
    name, is_error = _text(message.get("toolName")), message.get("isError") is True
    content = message.get("content")
    text = message_text(content)
    if text is not None or type(content) is not list:
        yield Passage("result", text if text is not None else _text(content), name, is_error)
    elif not content:
        yield Passage("result", "", name, is_error)
    if type(content) is list:
        yield from (each for each in _blocks(content, name) if each.kind != "text")


def _blocks(content: object, title: str) -> Iterator[Passage]:
    if type(content) is not list:
        if content is not None:
            yield Passage("text", _text(content), title)
        return
    for block in content:
        if type(block) is not dict:
            yield Passage("text", _text(block), title)
            continue
        kind = block.get("type")
        if kind == "text":
            yield Passage("text", _text(block.get("text")), title)
        elif kind == "thinking":
            thought = block.get("thinking")
            yield Passage("thinking", _text(block.get("text") if thought is None else thought))
        elif kind in CALL_TYPES:
            arguments = block.get("input") if block.get("arguments") is None else block.get("arguments")
            yield Passage("call", main_argument(arguments), _text(block.get("name")), arguments=arguments)
        else:
            yield _attachment(block)


def _attachment(block: Json) -> Passage:
    data, kind = block.get("data"), block.get("mimeType") or block.get("type") or "unknown"
    size = f"{len(data) * 3 // 4} bytes" if type(data) is str else ""
    return Passage("attachment", size, _text(kind))


def _failure(message: Json) -> Iterator[Passage]:
    reason, stopped = message.get("errorMessage"), message.get("stopReason")
    if reason:
        yield Passage("error", _text(reason), _text(stopped) or "error", is_error=True)
    elif stopped in ("error", "aborted"):
        yield Passage("error", "", _text(stopped), is_error=True)


def _of_other(kind: str, entry: Json) -> Passage:
    if kind in ("compaction", "branch_summary"):
        return Passage("summary", _text(entry.get("summary")), "compaction" if kind == "compaction" else "branch")
    if kind == "model_change":
        return Passage("note", f"{_text(entry.get('provider'))}/{_text(entry.get('modelId'))}", "model")
    if kind in _NOTES:
        title, field = _NOTES[kind]
        return Passage("note", _text(entry.get(field)), title)
    return Passage("note", "", kind)


_NOTES = {
    "thinking_level_change": ("thinking", "thinkingLevel"),
    "label": ("label", "label"),
    "session_info": ("session name", "name"),
    "custom": ("custom", "customType"),
    "leaf": ("moved to", "targetId"),
    "reset": ("reset", "reason"),
    "session": ("session", "id"),
    "event": ("event", "stream"),
}


def _text(value: object) -> str:
    if type(value) is str:
        return value
    return "" if value is None else json_text(value)
