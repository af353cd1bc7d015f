"""What each line becomes: every type's columns exactly, from lines as OpenClaw writes them."""

import json
from pathlib import Path
from typing import Any

import pytest

from syncd.openclaw.entries import ENTRY_TYPES
from tests.ledger.projected import AT, AT_MS, entry, projected
from tests.mirror.household import session_id


def test_the_header_is_an_entry_and_tells_of_the_transcript(tmp_path: Path) -> None:
    line = {
        "type": "session",
        "version": 3,
        "id": session_id(9),
        "timestamp": AT,
        "cwd": "/home/s",
        "parentSession": "/p/x.jsonl",
    }
    transcript, found = projected(tmp_path, line)
    assert found == {
        "entries": [
            {
                "id": 1,
                "transcript_id": 1,
                "line_no": 1,
                "byte_offset": 0,
                "byte_length": len(json.dumps(line)) + 1,
                "generation": 1,
                "entry_id": session_id(9),
                "type": "session",
                "at": AT_MS,
                "on_active_path": 0,
                "salvaged": 0,
            }
        ]
    }
    assert (transcript.session_id, transcript.header_version, transcript.cwd) == (session_id(9), "3", "/home/s")
    assert (transcript.started_at, transcript.parent_session, transcript.kind) == (AT_MS, "/p/x.jsonl", "fork")


@pytest.mark.parametrize(
    ("fields", "version"),
    [({}, "1"), ({"version": None}, "1"), ({"version": 1}, "1"), ({"version": 4}, "4"), ({"version": "9.6"}, "9.6")],
)
def test_the_version_of_a_header_is_text_and_its_absence_the_first(
    tmp_path: Path, fields: dict[str, Any], version: str
) -> None:
    transcript, _ = projected(tmp_path, {"type": "session", "id": "x", **fields})
    assert transcript.header_version == version


def test_a_second_header_is_an_entry_and_changes_nothing(tmp_path: Path) -> None:
    first, second = ({"type": "session", "version": n, "id": f"s{n}", "cwd": f"/{n}"} for n in (2, 3))
    transcript, found = projected(tmp_path, first, second)
    assert (transcript.session_id, transcript.header_version, transcript.cwd) == ("s2", "2", "/2")
    assert [row["type"] for row in found["entries"]] == ["session", "session"]


def test_a_second_header_is_flagged_and_one_of_another_session_tells_so(tmp_path: Path) -> None:
    header = {"type": "session", "version": 3, "id": "s1"}
    _, found = projected(tmp_path, b"\n", header, header, {**header, "id": "s2"}, b"\0" + json.dumps(header).encode())
    assert [row.get("flags") for row in found["entries"]] == [
        None,
        "second_header",
        "second_header,other_session",
        "nul_stripped,second_header",
    ]


def test_a_users_message(tmp_path: Path) -> None:
    content = [
        {"type": "text", "text": "grüße"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "text", "text": "😀"},
    ]
    _, found = projected(
        tmp_path, entry("message", message={"role": "user", "content": content, "timestamp": 1794802930001})
    )
    assert found["entries"][0] | {"byte_length": 0} == {
        "id": 1,
        "transcript_id": 1,
        "line_no": 1,
        "byte_offset": 0,
        "byte_length": 0,
        "generation": 1,
        "entry_id": "0000000b",
        "parent_id": "0000000a",
        "type": "message",
        "at": AT_MS,
        "on_active_path": 1,
        "salvaged": 0,
    }
    assert found["messages"] == [
        {
            "id": 1,
            "transcript_id": 1,
            "role": "user",
            "at": 1794802930001,
            "text": "grüße\n😀",
            "text_bytes": 12,
            "is_delivery_mirror": 0,
            "turn_id": 1,
        }
    ]


def test_an_answer_with_thinking_usage_and_tool_calls(tmp_path: Path) -> None:
    message = {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm", "thinkingSignature": "s"},
            {"type": "text", "text": "I look."},
            {"type": "toolCall", "id": "call_1", "name": "exec", "arguments": {"command": "ls", "n": 2}},
            {"type": "toolUse", "id": "call_2", "name": "read", "input": {"path": "/x"}},
        ],
        "api": "anthropic-messages",
        "provider": "anthropic",
        "model": "claude",
        "responseId": "msg_1",
        "usage": {
            "input": 10,
            "output": 20,
            "cacheRead": 30,
            "cacheWrite": 40,
            "totalTokens": 100,
            "cost": {"input": 0.1, "output": 0.2, "cacheRead": 0, "cacheWrite": 0, "total": 0.25},
        },
        "stopReason": "toolUse",
        "errorMessage": "none really",
        "timestamp": 1794802932000,
    }
    _, found = projected(tmp_path, entry("message", message=message))
    assert found["messages"] == [
        {
            "id": 1,
            "transcript_id": 1,
            "role": "assistant",
            "at": 1794802932000,
            "text": "I look.",
            "text_bytes": 7,
            "thinking": "hm",
            "provider": "anthropic",
            "model": "claude",
            "api": "anthropic-messages",
            "stop_reason": "toolUse",
            "error_message": "none really",
            "input_tokens": 10,
            "output_tokens": 20,
            "cache_read_tokens": 30,
            "cache_write_tokens": 40,
            "total_tokens": 100,
            "cost_total": 0.25,
            "response_id": "msg_1",
            "is_delivery_mirror": 0,
            "turn_id": 1,
        }
    ]
    common = {"message_id": 1, "transcript_id": 1, "status": "pending", "started_at": 1794802932000}
    assert found["tool_calls"] == [
        {"id": 1, "call_id": "call_1", "name": "exec", "arguments_json": '{"command":"ls","n":2}', **common},
        {"id": 2, "call_id": "call_2", "name": "read", "arguments_json": '{"path":"/x"}', **common},
    ]


def test_a_delivery_mirror_is_known_for_one(tmp_path: Path) -> None:
    about = {"role": "assistant", "content": "sent", "provider": "openclaw"}
    lines = [
        entry("message", message={**about, "model": model}) for model in ("delivery-mirror", "gateway-injected", "x")
    ]
    _, found = projected(tmp_path, *lines)
    assert [row["is_delivery_mirror"] for row in found["messages"]] == [1, 1, 0]


def test_a_tool_result_keeps_its_length_and_leaves_its_text_in_the_raw_bytes(tmp_path: Path) -> None:
    call = {
        "role": "assistant",
        "content": [{"type": "toolCall", "id": "c1", "name": "exec", "arguments": {}}],
        "timestamp": 1,
    }
    answer = {
        "role": "toolResult",
        "toolCallId": "c1",
        "toolName": "exec",
        "isError": True,
        "timestamp": 2,
        "content": [{"type": "text", "text": "größe"}, {"type": "text", "text": "!"}],
    }
    _, found = projected(tmp_path, entry("message", message=call), entry("message", message=answer))
    assert found["messages"][1] == {
        "id": 2,
        "transcript_id": 1,
        "role": "toolResult",
        "at": 2,
        "text_bytes": 9,
        "is_delivery_mirror": 0,
        "turn_id": 2,
        "tool_call_id": "c1",
        "tool_name": "exec",
        "is_error": 1,
        "says_error": 0,
    }
    assert found["tool_calls"] == [
        {
            "id": 1,
            "message_id": 1,
            "transcript_id": 1,
            "call_id": "c1",
            "name": "exec",
            "arguments_json": "{}",
            "result_message_id": 2,
            "is_error": 1,
            "status": "paired",
            "started_at": 1,
            "finished_at": 2,
        }
    ]


def test_other_roles_and_a_message_without_a_time_of_its_own(tmp_path: Path) -> None:
    command = {"role": "bashExecution", "command": "make", "output": "ok", "exitCode": 0, "timestamp": 7}
    _, found = projected(
        tmp_path,
        entry("message", message=command),
        entry("message", message={"role": "custom", "customType": "t", "content": "for the model", "display": False}),
        entry("message", message={"role": "user", "content": "plain"}),
    )
    assert [(row["role"], row["text"], row["text_bytes"], row["at"]) for row in found["messages"]] == [
        ("bashExecution", "make", 4, 7),
        ("custom", "for the model", 13, AT_MS),
        ("user", "plain", 5, AT_MS),
    ]


SIMPLE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "compactions": (
        entry(
            "compaction",
            summary="so far",
            firstKeptEntryId="0000000a",
            tokensBefore=9000,
            tokensAfter=100,
            details={"a": [1]},
            fromHook=True,
        ),
        {
            "summary": "so far",
            "first_kept_entry_id": "0000000a",
            "tokens_before": 9000,
            "tokens_after": 100,
            "details_json": '{"a":[1]}',
            "from_hook": 1,
        },
    ),
    "compactions, first version": (
        entry("compaction", summary="s", firstKeptEntryIndex=4, tokensBefore=1),
        {"summary": "s", "first_kept_entry_index": 4, "tokens_before": 1},
    ),
    "compactions, older still": (
        entry("compaction", summary="s", compactedCount=12, fromHook=False),
        {"summary": "s", "compacted_count": 12, "from_hook": 0},
    ),
    "branch_summaries": (
        entry("branch_summary", fromId="root", summary="left", details={"k": "v"}, fromHook=False),
        {"from_id": "root", "summary": "left", "details_json": '{"k":"v"}', "from_hook": 0},
    ),
    "branch_summaries, older": (
        entry("branch_summary", branchPoint="0000000a", summary="left"),
        {"from_id": "0000000a", "summary": "left"},
    ),
    "branch_summaries, older, with an empty id": (
        entry("branch_summary", fromId=None, branchPoint="0000000a", summary="left"),
        {"from_id": "0000000a", "summary": "left"},
    ),
    "custom_entries": (
        entry("custom", customType="openclaw.cache-ttl", data={"timestamp": 1, "x": None}),
        {"custom_type": "openclaw.cache-ttl", "data_json": '{"timestamp":1,"x":null}'},
    ),
    "custom_messages": (
        entry(
            "custom_message",
            customType="note",
            content=[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            display=True,
            details={},
        ),
        {"custom_type": "note", "text": "a\nb", "display": 1, "details_json": "{}"},
    ),
    "model_changes": (
        entry("model_change", provider="openai", modelId="gpt"),
        {"provider": "openai", "model_id": "gpt"},
    ),
    "thinking_changes": (entry("thinking_level_change", thinkingLevel="high"), {"thinking_level": "high"}),
    "labels": (entry("label", targetId="0000000a", label="here"), {"target_id": "0000000a", "label": "here"}),
    "labels, cleared": (entry("label", targetId="0000000a"), {"target_id": "0000000a"}),
    "session_infos": (entry("session_info", name=""), {"name": ""}),
    "leaf_moves": (
        entry("leaf", targetId="0000000a", appendParentId="00000009", appendMode="side"),
        {"target_id": "0000000a", "append_parent_id": "00000009", "append_mode": "side"},
    ),
    "leaf_moves, to the root": (entry("leaf", targetId=None), {}),
    "resets": (
        entry("reset", reason="daily", firstKeptEntryId="0000000a"),
        {"reason": "daily", "first_kept_entry_id": "0000000a"},
    ),
    "run_events": (
        {"runId": "r", "seq": 4, "stream": "assistant", "ts": AT_MS, "data": {"text": "x"}},
        {"run_id": "r", "seq": 4, "stream": "assistant", "at": AT_MS, "data_json": '{"text":"x"}'},
    ),
}


@pytest.mark.parametrize("case", SIMPLE)
def test_the_columns_of_every_other_type(tmp_path: Path, case: str) -> None:
    line, columns = SIMPLE[case]
    _, found = projected(tmp_path, line)
    table = case.partition(",")[0]
    assert set(found) == {"entries", table}
    assert found[table] == [{"id": 1, "transcript_id": 1, **columns}]
    assert found["entries"][0]["type"] == line.get("type", "event")
    assert found["entries"][0]["at"] == AT_MS


def test_every_type_of_openclaw_has_its_table_here() -> None:
    here = {case[0]["type"] for case in SIMPLE.values() if "type" in case[0]} | {"session", "message", "event"}
    assert here == ENTRY_TYPES
