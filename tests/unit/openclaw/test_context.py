"""The model's context and the pairing of tool results, against what OpenClaw's own code made of the same."""

import json
from typing import Any

from syncd.openclaw.context import is_given, model_context
from syncd.openclaw.replay import replayed
from syncd.openclaw.tool_results import MISSING_TEXT
from syncd.openclaw.tree import grow
from tests.conftest import CHECKOUT
from tests.unit.openclaw.test_tree import link_of

DATA = CHECKOUT / "tests/data/openclaw"
"""contexts-*: random transcripts, and what SessionManager.open(file) says of them: getBranch, buildSessionContext, and
convertToLlm of its messages; of 2026.9.6, paths with resets, and what buildSessionContext makes of them.
repairs-*: random messages, and what sanitizeToolCallInputs and then
sanitizeToolUseResultPairing make of them as they are called before a prompt is sent; a number stands for the message
of that place."""

Json = dict[str, Any]


def cases(name: str) -> list[Json]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def plain(message: Json | None) -> Json | None:
    """As JSON of OpenClaw's has it, where what is undefined is not written."""
    return {key: value for key, value in message.items() if value is not None} if message is not None else None


def test_the_context_of_every_transcript_is_the_one_openclaw_builds() -> None:
    for case in cases("contexts-2026.7.1.jsonl"):
        entries = case["entries"]
        path = [entries[place] for place in grow(map(link_of, entries)).path()]
        assert [entry["id"] for entry in path] == case["branch"]
        context = model_context(path)
        own = {entry["id"]: entry["message"] for entry in entries if entry["type"] == "message"}
        expected = [own[each] if isinstance(each, str) else each for each in case["context"]["messages"]]
        assert [plain(each.message) for each in context] == [plain(each) for each in expected]
        given = [each.message for each in context if is_given(each.message)]
        for ours, sent in zip(given, case["sent"], strict=True):
            assert own[sent] == ours if isinstance(sent, str) else sent["role"] == "user", ours


def test_the_context_after_a_reset_is_the_one_openclaw_builds() -> None:
    for case in cases("contexts-2026.9.6.jsonl"):
        context = model_context(case["entries"])
        expected = case["context"]
        assert [plain(each.message) for each in context] == [plain(each) for each in expected["messages"]]


def test_results_are_paired_as_openclaw_pairs_them_before_it_sends() -> None:
    for case in cases("repairs-2026.7.1.jsonl"):
        messages = case["messages"]
        expected = [messages[each] if isinstance(each, int) else each for each in case["repaired"]]
        assert [each.message for each in replayed(messages)] == expected


def test_what_was_made_up_has_no_place_and_everything_else_keeps_its_own() -> None:
    call = {"role": "assistant", "content": [{"type": "toolCall", "id": "c1", "name": "read", "arguments": {}}]}
    given = replayed([{"role": "user"}, call, {"role": "user"}])
    assert [each.place for each in given] == [0, 1, None, 2]
    assert given[2].message["content"][0]["text"] == MISSING_TEXT


def test_thousands_of_calls_and_results_far_apart_are_paired_in_one_go() -> None:
    count = 4000
    call = {"type": "toolCall", "name": "x", "arguments": {}}
    calls = [{"role": "assistant", "content": [{**call, "id": f"c{n}"}]} for n in range(count)]
    results = [{"role": "toolResult", "toolCallId": f"c{n}", "toolName": "x"} for n in reversed(range(count))]
    given = replayed([*calls, *results])
    assert [each.message["role"] for each in given] == ["assistant", "toolResult"] * count
    assert all(given[at + 1].message["toolCallId"] == f"c{at // 2}" for at in range(0, 2 * count, 2))


def test_an_answer_that_failed_while_it_called_is_not_sent_and_neither_are_calls_broken_off() -> None:
    call = {"type": "toolCall", "id": "c1", "name": "read", "arguments": {}}
    result = {"role": "toolResult", "toolCallId": "c1", "toolName": "read"}
    aborted = {"role": "assistant", "content": [{"type": "text", "text": "I"}, call], "stopReason": "aborted"}
    said = {"role": "user", "content": "again"}
    assert [each.place for each in replayed([said, aborted, result, said])] == [0, 3]
    partly = {"type": "toolCall", "id": "c2", "name": "exec", "arguments": {}, "partialJson": '{"comm'}
    half = {"role": "assistant", "content": [call, partly], "stopReason": "toolUse"}
    given = replayed([half, result])
    assert [each.place for each in given] == [0, 1]
    assert given[0].message["content"] == [call]
    assert replayed([{"role": "assistant", "content": [partly], "stopReason": "stop"}]) == []
    blank = {"role": "assistant", "content": [{**call, "id": " ", "call_id": "c1"}]}
    assert [each.place for each in replayed([blank, result])] == [0, None]


def test_a_compaction_whose_id_comes_twice_gives_its_summary_once() -> None:
    one, two = ({"type": "compaction", "id": "c", "summary": text, "firstKeptEntryId": "x"} for text in ("a", "b"))
    said = {"type": "message", "id": "m", "message": {"role": "user", "content": "hello"}}
    assert [each.place for each in model_context([said, one, said, two, said])] == [3, 2, 4]


def test_commands_kept_from_the_model_and_unknown_roles_are_not_given_to_it() -> None:
    assert is_given({"role": "bashExecution", "command": "ls"})
    assert not is_given({"role": "bashExecution", "command": "ls", "excludeFromContext": True})
    unheard_of: list[Any] = ["unheard_of", None, 7, []]
    assert not any(is_given({"role": role}) for role in unheard_of)


def test_senseless_entries_give_no_context_and_no_crash() -> None:
    odd: list[Json] = [{}, {"type": "message"}, {"type": "message", "message": 7}, {"type": "compaction"}, {"type": []}]
    assert [each.message["role"] for each in model_context(odd)] == ["compactionSummary"]
    assert replayed([{}, {"role": "assistant", "content": [None, {"type": {}, "id": "x"}]}, {"role": "toolResult"}])


def test_a_version_1_file_names_what_was_kept_by_its_index_which_counts_the_header() -> None:
    said: list[Json] = [{"type": "message", "message": {"role": "user", "content": str(n)}} for n in range(4)]
    path = [*said[:3], {"type": "compaction", "summary": "s", "firstKeptEntryIndex": 2}, said[3]]
    assert [each.place for each in model_context(path)] == [3, 1, 2, 4]
