"""JSON made odd without ceasing to be JSON: bytes changed blindly are refused at the first brace."""

import json
import random
from typing import Any

_ODD: list[Any] = [
    None, True, False, 0, -1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30, 1e308, 5e-324, -0.0, "",
    " ", "\0", "\ud83d", "\udc00x", "\u2028", "x" * 300, [], {}, [[]], [None], {"": None}, [{}], "1750000000000",
    1750000000000, "2026-11-16T04:22:11.250Z", "9999-99-99T99:99:99Z", "message", "session", "compaction", "leaf",
    "toolCall", "assistant",
]  # fmt: skip
_KEYS = (
    "type", "id", "parentId", "timestamp", "message", "role", "content", "usage", "toolCallId", "isError", "arguments",
    "targetId", "appendParentId", "summary", "firstKeptEntryId", "customType", "data", "sessionId", "updatedAt", "cost",
)  # fmt: skip
_AROUND = (b"", b"\xef\xbb\xbf", b"\0" * 7, b"\r", b" \t", b"\xff")
"""What crashes and other tools leave beside a record; and records may be glued."""
_DEEP = 40


def mutated(data: bytes, seed: int, max_bytes: int) -> bytes | None:
    """One of its JSON lines with one value changed, moved, doubled or taken away; None: there is no such line."""
    rng = random.Random(seed)
    lines = data.split(b"\n")
    number = rng.randrange(len(lines))
    try:
        value = json.loads(lines[number])
    except (ValueError, RecursionError):
        return None
    for _ in range(rng.choice((1, 1, 2, 4))):
        value = _changed(value, rng)
    lines[number] = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:
        before, behind = rng.choice(_AROUND), rng.choice((b"", *_AROUND))
        lines[number] = before + lines[number] * rng.choice((1, 2, 3)) + behind
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines) + 1), lines[number])
    found = b"\n".join(lines)
    return found if len(found) <= max_bytes else None


def _changed(value: Any, rng: random.Random, depth: int = 0) -> Any:
    """A copy that differs in one place."""
    if depth < _DEEP and isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        match rng.randrange(6):
            case 0:
                return {name: item for name, item in value.items() if name != key}
            case 1:
                return {**value, rng.choice(_KEYS): rng.choice(_ODD)}
            case 2:
                return {**value, rng.choice(_KEYS): value[key]}
            case _:
                return {**value, key: _changed(value[key], rng, depth + 1)}
    if depth < _DEEP and isinstance(value, list) and value and rng.random() < 0.85:
        place = rng.randrange(len(value))
        changed = _changed(value[place], rng, depth + 1)
        return [*value[:place], changed, *value[place + rng.randrange(2) :]]
    odd = rng.choice(_ODD)
    return rng.choice((odd, odd, [value, odd], {rng.choice(_KEYS): value}))
