"""Where the body of a tool result lies: found by letters, dropped without a change to anything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.result_bodies import blanked, body_spans

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def result(**fields: object) -> dict[str, object]:
    return {"type": "message", "id": "a", "message": {"role": "toolResult", "toolCallId": "c", **fields}}


@given(JSON, JSON, JSON, st.sampled_from([(",", ":"), (", ", ": ")]), st.booleans())
def test_only_the_body_becomes_blank(
    content: object, details: object, other: object, separators: tuple[str, str], ascii_only: bool
) -> None:
    value = result(content=content, note={"content": other, "details": [other]}, details=details, isError=False)
    line = json.dumps(value, separators=separators, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    without = blanked(line, body_spans(line))
    assert len(without) == len(line)
    if without == line:
        return
    kept = json.loads(without)
    expected = {"content": type(content)() if isinstance(content, (list, dict)) else content}
    expected["details"] = type(details)() if isinstance(details, (list, dict)) else details
    for name, before in (("content", content), ("details", details)):
        after = kept["message"].pop(name)
        assert after == expected[name] if not isinstance(before, str) else not after.strip()
        value["message"].pop(name)  # type: ignore[attr-defined]
    assert kept == value


def test_every_usual_body_is_found() -> None:
    line = json.dumps(result(content=[{"type": "text", "text": 'a "quoted" ] }'}], details={"stdout": "x"})).encode()
    spans = body_spans(line)
    assert len(spans) == 2
    assert b"quoted" not in blanked(line, spans)
    assert b"stdout" not in blanked(line, spans)
    assert body_spans(blanked(line, spans)) == [], "what was dropped has no body any more"


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"message","message":{"role":"user","content":[{"type":"text","text":"hello"}]}}',
        b'{"type":"message","message":{"role":"toolResult","content":[1,2',
        b'{"content":["not where a body is"]}',
        b"not json",
        b"",
        b']]]"message":{"content":"x"}',
    ],
)
def test_what_is_no_tool_result_has_no_body(line: bytes) -> None:
    assert body_spans(line) == []
