"""What messages say, in the shapes of every release and of foreign writers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.messages import (
    answer_parts,
    is_delivery_mirror,
    message_of,
    message_text,
    text_bytes_of,
    usage_of,
)
from tests.unit.openclaw.json_shapes import JSON

CONTENT = [
    {"type": "thinking", "thinking": "hm", "thinkingSignature": "x"},
    {"type": "text", "text": "Let me"},
    {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a"}, "partialArgs": ""},
    {"type": "image", "data": "AAAA", "mimeType": "image/png"},
    {"type": "text", "text": "look: €"},
    {"type": "thinking", "text": "older"},
    {"type": "thinking", "thinking": "", "redacted": True},
    {"type": "toolUse", "id": "c2", "name": "exec", "input": {"cmd": "ls"}},
    {"type": "functionCall", "id": 3, "input": "raw"},
    {"type": "input_image", "image_url": "data:"},
    {"type": "text", "text": ""},
]


def test_text_blocks_are_joined_by_newlines() -> None:
    assert message_text(CONTENT) == "Let me\nlook: €\n"
    assert message_text(CONTENT[:2]) == "Let me"


def test_a_plain_string_is_its_own_text() -> None:
    assert message_text("as it is") == "as it is"
    assert message_text("") == ""


@pytest.mark.parametrize("content", [None, 7, {}, [], ["text"], [{"type": "text", "text": 7}]])
def test_content_without_text_has_none(content: object) -> None:
    assert message_text(content) is None
    assert text_bytes_of(content) == 0


def test_thinking_is_read_in_its_older_form_too() -> None:
    assert answer_parts(CONTENT)[1] == "hm\nolder"
    assert answer_parts(CONTENT[6:])[1] is None
    assert answer_parts("hm")[1] is None


def test_tool_calls_come_in_order_with_foreign_forms() -> None:
    assert answer_parts(CONTENT)[2] == [
        ("c1", "read", {"path": "a"}),
        ("c2", "exec", {"cmd": "ls"}),
        (None, None, "raw"),
    ]
    assert answer_parts("text")[2] == []


def test_text_is_measured_in_bytes() -> None:
    assert text_bytes_of(CONTENT) == len("Let me\nlook: €\n".encode())
    assert text_bytes_of("€") == 3


def test_usage_is_read_whole() -> None:
    usage = {
        "input": 120,
        "output": 30,
        "cacheRead": 5,
        "cacheWrite": 0,
        "totalTokens": 155,
        "cost": {"input": 0.1, "total": 0.18},
    }
    assert usage_of({"usage": usage}) == (120, 30, 5, 0, 155, 0.18)


def test_a_missing_total_is_the_sum_of_what_is_there() -> None:
    assert usage_of({"usage": {"input": 3, "output": 4}}) == (3, 4, None, None, 7, None)
    assert usage_of({"usage": {}}) == (None, None, None, None, None, None)


def test_senseless_numbers_are_none_and_whole_floats_are_ints() -> None:
    usage = {"input": "many", "output": 2**64, "cacheRead": True, "cacheWrite": 3.0, "cost": 5}
    assert usage_of({"usage": usage}) == (None, None, None, 3, 3, None)
    assert usage_of({"usage": {"cost": {"total": 2}}}) == (None, None, None, None, None, 2.0)
    assert usage_of({"usage": {"input": 2**63 - 1, "output": 2**63 - 1}}) == (
        *(2**63 - 1, 2**63 - 1),
        *(None, None, None, None),
    )


@pytest.mark.parametrize("message", [{}, {"usage": None}, {"usage": []}, None, "text"])
def test_a_message_without_usage_has_none(message: object) -> None:
    assert usage_of(message) is None


@pytest.mark.parametrize(
    ("provider", "model", "expected"),
    [
        ("openclaw", "delivery-mirror", True),
        ("openclaw", "gateway-injected", True),
        ("openclaw", "claude", False),
        ("anthropic", "delivery-mirror", False),
        ("openclaw", ["delivery-mirror"], False),
        (None, None, False),
    ],
)
def test_delivery_mirrors_are_told_apart(provider: object, model: object, expected: bool) -> None:
    assert is_delivery_mirror({"provider": provider, "model": model}) is expected


def test_the_message_of_an_entry_is_always_an_object() -> None:
    assert message_of({"message": {"role": "user"}}) == {"role": "user"}
    assert message_of({"message": "text"}) == {}
    assert message_of([]) == {}


@given(st.one_of(JSON, st.lists(JSON, max_size=4)))
def test_no_shape_of_json_raises(value: Any) -> None:
    text = message_text(value)
    measured = text_bytes_of(value)
    assert measured == len((text or "").encode("utf-8", "surrogatepass"))
    text_of_answer, thinking, calls = answer_parts(value)
    assert text_of_answer == text
    assert thinking is None or thinking
    for call_id, name, _ in calls:
        assert call_id is None or isinstance(call_id, str)
        assert name is None or isinstance(name, str)
    assert is_delivery_mirror(value) in (True, False)
    used = usage_of(value)
    if used is not None:
        assert all(number is None or abs(number) <= 2**63 for number in used[:5])
    usage_of({"usage": value})
    message_of(value)
