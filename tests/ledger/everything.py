"""A household whose ledger has rows in every table, with a value in nearly every column: more than `testimony`."""

import json

from syncd.jobs.policies import Policies
from tests.jobs.old_sessions import DAY, call, retained, settle, tool_result
from tests.ledger.testimony import testify
from tests.mirror.household import Household, header, line, message, name_of, transcript

LIVE = name_of(30)
OTHER = name_of(31)
_AT = "2026-11-16T04:22:12.000Z"


def _entry(number: int, kind: str, **fields: object) -> bytes:
    about = {"type": kind, "id": f"{number:08x}", "parentId": f"{number - 1:08x}", "timestamp": _AT}
    return line({**about, **fields})


def of_every_type(number: int) -> bytes:
    """A transcript with a line of each."""
    said = {"role": "assistant", "timestamp": 1_794_802_940_000, "provider": "p", "model": "m", "api": "a",
            "stopReason": "error", "errorMessage": "no more", "responseId": "r1",
            "usage": {"input": 5, "output": 7, "cacheRead": 3, "cacheWrite": 2, "totalTokens": 17,
                      "cost": {"total": 0.5}},
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "NO_REPLY"}]}  # fmt: skip
    return b"".join([
        header(number), message(1, "what was asked"),
        _entry(2, "message", message=said), call(3), tool_result(4, "failed"),
        _entry(5, "compaction", summary="so far", firstKeptEntryId="00000001", firstKeptEntryIndex=3,
               compactedCount=2, tokensBefore=900, tokensAfter=90, fromHook=True, details={"a": 1}),
        _entry(6, "branch_summary", fromId="00000001", summary="a way", fromHook=True, details={"b": 2}),
        _entry(7, "custom", customType="mine", data={"c": 3}),
        _entry(8, "custom_message", customType="mine", content="for the model", display=True, details={"d": 4}),
        _entry(9, "model_change", provider="p", modelId="m2"), _entry(10, "thinking_level_change", thinkingLevel="low"),
        _entry(11, "label", targetId="00000001", label="here"), _entry(12, "session_info", name="called so"),
        _entry(13, "leaf", targetId="00000012", appendParentId="00000012", appendMode="side"),
        line({"runId": "run", "seq": 3, "stream": "tool", "ts": 1_794_802_941_000, "data": {"e": 5}}),
        _entry(14, "reset", reason="new", firstKeptEntryId="00000001"),
        b"no JSON at all\n", message(15, "what was asked next"),
    ])  # fmt: skip


def everything(house: Household) -> None:
    testify(house)
    house.write(LIVE, of_every_type(30))
    house.write(OTHER, transcript(31, 6))
    house.write(name_of(32), transcript(32, 9))
    settle(house)
    house.write(name_of(32), transcript(32, 4) + message(5, "other words"))
    house.write(f"{name_of(33)}", header(33, parentSession=str(house.path(name_of(32)))) + transcript(32, 3)[-300:])
    settle(house)
    house.write(name_of(32), transcript(32, 2) + b"a bad line\n" + message(3, "others again"))
    settle(house)
    retained(house, Policies(superseded=DAY), days=2)
    house.write(name_of(32), transcript(32, 2) + message(3, "and others once more"))
    settle(house, days=3)
    runs = house.state_dir / "cron" / "runs"
    run = {"ts": 1_794_802_950_000, "jobId": "another", "action": "finished", "status": "ok", "durationMs": 5,
           "sessionId": "s", "sessionKey": "agent:main:main", "usage": {"input": 3}}  # fmt: skip
    (runs / "another.jsonl").write_text(f"{json.dumps(run)}\n")
    settle(house, days=3)
