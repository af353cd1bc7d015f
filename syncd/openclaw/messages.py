"""What a message says: its text, its thinking, its tool calls and what it cost.

Called for every message of a catch-up, so each function makes one pass and copies little. Takes
decoded JSON of any shape, also that of plugins and of older releases: what does not fit is
skipped, nothing raises. Types are compared with `is`: decoded JSON has no subclasses.
"""

from typing import Any, Final

from syncd.openclaw.json_values import bindable_int, real_or_none

ToolCall = tuple[str | None, str | None, Any]
"""Call id, name, arguments (as written, None where there are none)."""
Usage = tuple[int | None, int | None, int | None, int | None, int | None, float | None]
"""Input, output, cache read, cache write and total tokens, total cost."""

CALL_TYPES: Final = ("toolCall", "toolUse", "functionCall")
"""Blocks that call a tool: OpenClaw's own word, and those of others that it takes over as they are."""
_INT64_MAX: Final = 2**63 - 1


def message_of(entry: object) -> dict[str, Any]:
    """The message of a message entry; empty where it is no object."""
    message = entry.get("message") if type(entry) is dict else None
    return message if type(message) is dict else {}


def message_text(content: object) -> str | None:
    """The text of a message's content: a string as it is, text blocks joined by newlines."""
    if type(content) is str:
        return content
    if type(content) is not list:
        return None
    found: str | None = None
    parts: list[str] | None = None
    for block in content:
        if type(block) is dict and block.get("type") == "text":
            text = block.get("text")
            if type(text) is not str:
                continue
            if found is None:
                found = text
            elif parts is None:
                parts = [found, text]
            else:
                parts.append(text)
    return found if parts is None else "\n".join(parts)


def answer_parts(content: object) -> tuple[str | None, str | None, list[ToolCall]]:
    """The text of an answer's content, its thinking, and its tool calls in order, foreign forms included.

    Thinking blocks are joined by newlines too; older ones keep theirs in `text`; empty is None.
    """
    calls: list[ToolCall] = []
    if type(content) is not list:
        return message_text(content), None, calls
    texts: list[str] = []
    thoughts: list[str] = []
    for block in content:
        if type(block) is not dict:
            continue
        kind = block.get("type")
        if kind == "text":
            text = block.get("text")
            if type(text) is str:
                texts.append(text)
        elif kind == "toolCall" or kind == "toolUse" or kind == "functionCall":  # noqa: PLR1714 - a set would need a hashable kind
            call_id, name, arguments = block.get("id"), block.get("name"), block.get("arguments")
            calls.append(
                (
                    call_id if type(call_id) is str else None,
                    name if type(name) is str else None,
                    block.get("input") if arguments is None else arguments,
                )
            )
        elif kind == "thinking":
            text = block.get("thinking")
            if type(text) is not str:
                text = block.get("text")
            if type(text) is str and text:
                thoughts.append(text)
    return "\n".join(texts) if texts else None, "\n".join(thoughts) if thoughts else None, calls


def usage_of(message: object) -> Usage | None:
    """What an assistant message used, or None where it does not say.

    A missing or senseless number is None. A missing total is the sum of what is there, as OpenClaw
    reckons it.
    """
    usage = message.get("usage") if type(message) is dict else None
    if type(usage) is not dict:
        return None
    counts = [usage.get("input"), usage.get("output"), usage.get("cacheRead"), usage.get("cacheWrite")]
    counts.append(usage.get("totalTokens"))
    for count in counts:
        if type(count) is not int or not -_INT64_MAX <= count <= _INT64_MAX:
            counts = list(map(bindable_int, counts))
            break
    tokens_in, tokens_out, cache_read, cache_write, total = counts
    if total is None and (tokens_in, tokens_out, cache_read, cache_write) != (None,) * 4:
        total = (tokens_in or 0) + (tokens_out or 0) + (cache_read or 0) + (cache_write or 0)
        total = total if -_INT64_MAX <= total <= _INT64_MAX else None
    cost = usage.get("cost")
    cost_total = real_or_none(cost.get("total")) if type(cost) is dict else None
    return tokens_in, tokens_out, cache_read, cache_write, total, cost_total


def is_delivery_mirror(message: object) -> bool:
    """A copy of what was delivered elsewhere, not an answer of a model: counts for nothing."""
    if type(message) is not dict or message.get("provider") != "openclaw":
        return False
    model = message.get("model")
    return bool(model == "delivery-mirror" or model == "gateway-injected")  # noqa: PLR1714 - as above


def text_bytes_of(content: object) -> int:
    """The length in UTF-8 of `message_text`, without making that text."""
    if type(content) is str:
        return _utf8_length(content)
    if type(content) is not list:
        return 0
    total = 0
    texts = 0
    for block in content:
        if type(block) is dict and block.get("type") == "text":
            text = block.get("text")
            if type(text) is str:
                total += _utf8_length(text)
                texts += 1
    return total + max(0, texts - 1)


def _utf8_length(text: str) -> int:
    # A decoded line holds no lone surrogate; one from elsewhere must not raise either.
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
