"""Lines of a conversation made by hand: prompts, answers, calls and results, each following the one before."""

import json
from typing import Any

Step = tuple[str, dict[str, Any]]
AT = 1_794_802_931_000
MISSING = "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair."


def user(text: str, **more: Any) -> Step:
    return "user", {"content": text, **more}


def answer(text: str, stop_reason: str = "stop", **more: Any) -> Step:
    return "assistant", {"content": [{"type": "text", "text": text}], "stopReason": stop_reason, **more}


def call(*call_ids: str, text: str | None = None, name: str = "read", **arguments: Any) -> Step:
    blocks: list[dict[str, Any]] = [{"type": "thinking", "thinking": "hidden thoughts"}]
    blocks += [{"type": "text", "text": text}] if text is not None else []
    blocks += [{"type": "toolCall", "id": call_id, "name": name, "arguments": arguments} for call_id in call_ids]
    return "assistant", {"content": blocks, "stopReason": "toolUse"}


def result(call_id: str | None, text: str = "fine", **more: Any) -> Step:
    about = {"toolCallId": call_id} if call_id is not None else {}
    content = [{"type": "text", "text": text}]
    return "toolResult", {**about, "toolName": "read", "content": content, "details": {}, **more}


def made_up(call_id: str) -> Step:
    content = [{"type": "text", "text": MISSING}]
    return "toolResult", {"toolCallId": call_id, "toolName": "read", "content": content, "isError": True}


def lines(*steps: Step, first: int = 1) -> list[bytes]:
    """Entries `first` and following."""
    return [_line(number, *step) for number, step in enumerate(steps, first)]


def talk(*steps: Step, first: int = 1) -> bytes:
    return b"".join(lines(*steps, first=first))


def _line(number: int, role: str, about: dict[str, Any]) -> bytes:
    entry = {
        "type": "message",
        "id": f"{number:08x}",
        "parentId": f"{number - 1:08x}" if number > 1 else None,
        "timestamp": "2026-11-16T04:22:11.000Z",
        "message": {"role": role, "timestamp": AT + number, **about},
    }
    return json.dumps(entry, ensure_ascii=False).encode() + b"\n"
