"""Answers and what becomes of them, as OpenClaw writes and repeats them: for tests of what was used."""

from typing import Any

from syncd.ledger.check_repeats import repeat_faults
from syncd.ledger.database import open_for_reading
from syncd.ledger.usage import Scope, Usage, usage_by
from tests.mirror.household import Household, header, line, session_id
from tests.mirror_checks import query
from tests.usage_recount import Recount, Sums

STARTED_AT = 1794802930000
"""The time in `header(...)`."""
SUMS = """messages, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, total_tokens, cost_total"""


def answer(
    number: int,
    *,
    entry_id: str | None = None,
    at: int | None = None,
    output: int = 10,
    response: str | None = None,
    model: str = "claude-opus-4-5",
    calls: tuple[str, ...] = (),
    **message: Any,
) -> bytes:
    """Answer `number`; what is not said follows from the number."""
    usage = {"input": 100 + number, "output": output, "cacheRead": 7, "cacheWrite": 3}
    usage["totalTokens"] = sum(usage.values())
    said = [{"type": "text", "text": f"answer {number}"}]
    told = [{"type": "toolCall", "id": f"call-{number}-{name}", "name": name, "arguments": {}} for name in calls]
    return line(
        {
            "type": "message",
            "id": entry_id or f"{number:08x}",
            "parentId": None,
            "timestamp": "2026-11-16T04:22:11.000Z",
            "message": {
                "role": "assistant",
                "content": [*said, *told],
                "api": "anthropic-messages",
                "provider": "anthropic",
                "model": model,
                "usage": {**usage, "cost": {"total": 0.25 + output / 64}},
                "stopReason": "stop",
                "timestamp": STARTED_AT + 1000 + number if at is None else at,
                **({"responseId": response} if response else {}),
                **message,
            },
        }
    )


def result(number: int, name: str, *, is_error: bool = False, after_ms: int = 40) -> bytes:
    """What the tool that answer `number` called gave back."""
    message = {
        "role": "toolResult", "toolCallId": f"call-{number}-{name}", "toolName": name, "isError": is_error,
        "content": [{"type": "text", "text": "done"}], "timestamp": STARTED_AT + 1000 + number + after_ms,
    }  # fmt: skip
    return line({"type": "message", "id": f"f{number:07x}", "parentId": None, "message": message})


def answers(first: int, last: int) -> bytes:
    return b"".join(answer(number) for number in range(first, last + 1))


def fork_header(number: int, parent: int, seconds: int = 30) -> bytes:
    started = f"2026-11-16T04:22:{10 + seconds}.000Z"
    return header(number, timestamp=started, parentSession=f"/somewhere/sessions/{session_id(parent)}.jsonl")


def fork_name(number: int) -> str:
    return f"2026-11-16T04-22-14-584Z_{session_id(number)}.jsonl"


def used(house: Household, by: str = "model", **scope: Any) -> Usage:
    with open_for_reading(house.ledger_path) as ledger:
        return usage_by(ledger, by, Scope(**scope))


def outputs(house: Household, **scope: Any) -> tuple[int, int]:
    """Messages and output tokens in all."""
    total = used(house, **scope).total
    return total["messages"], total["output_tokens"]


def assert_recounted(house: Household, recount: Recount) -> None:
    """`usage` and the views say what the lines say, and the ledger's own check finds nothing amiss."""
    with open_for_reading(house.ledger_path) as ledger:
        assert list(repeat_faults(ledger)) == []
    for live in (False, True):
        counted = recount.usage(live=live)
        for by, key in (("day", "day"), ("model", "model"), ("agent", "agent_id")):
            rows = used(house, by, live=live).rows
            found = {(row["model_provider"], row["model"]) if by == "model" else row[key]: row for row in rows}
            _assert_same({group: _sums(row) for group, row in found.items()}, counted[by])
        _assert_same({None: _sums(used(house, "session", live=live).total)}, counted["all"] or {None: (0.0,) * 7})
    counted = recount.usage()
    days = query(house.ledger_path, f"SELECT day, agent_id, {SUMS} FROM daily_usage")
    by_day: dict[Any, list[float]] = {}
    for day, _, *sums in days:
        by_day[day] = [a + b for a, b in zip(by_day.get(day, [0.0] * 7), sums, strict=True)]
    _assert_same({day: tuple(sums) for day, sums in by_day.items()}, counted["day"])
    models = query(house.ledger_path, f"SELECT model_provider, model, {SUMS} FROM model_usage")
    _assert_same({tuple(row[:2]): tuple(row[2:]) for row in models}, counted["model"])


def _sums(row: dict[str, Any]) -> tuple[float, ...]:
    return tuple(row[name.strip()] for name in SUMS.split(","))


def _assert_same(found: Sums, expected: Sums) -> None:
    assert set(found) == set(expected)
    for group, sums in expected.items():
        assert found[group][:-1] == sums[:-1], group
        assert abs(found[group][-1] - sums[-1]) < 1e-6, group
