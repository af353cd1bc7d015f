"""What a reader sees of an entry, of every type and any shape."""

from typing import Any

import pytest
from hypothesis import given, settings

from syncd.openclaw.main_argument import all_arguments, main_argument
from syncd.openclaw.passages import Passage, passages_of
from tests.examples import examples
from tests.unit.openclaw.json_shapes import OBJECTS


def said(**message: Any) -> list[Passage]:
    return passages_of({"type": "message", "message": message})


def test_blocks_of_an_answer_come_in_their_order() -> None:
    content = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Reading."},
        {"type": "toolCall", "name": "read", "arguments": {"path": "a.txt", "limit": 3}},
        {"type": "toolUse", "name": "exec", "input": {"command": "ls"}},
        {"type": "image", "mimeType": "image/png", "data": "A" * 400},
    ]
    found = said(role="assistant", content=content, stopReason="aborted")
    assert [(each.kind, each.title, each.text) for each in found] == [
        ("thinking", "", "hm"),
        ("text", "", "Reading."),
        ("call", "read", "a.txt"),
        ("call", "exec", "ls"),
        ("attachment", "image/png", "300 bytes"),
        ("error", "aborted", ""),
    ]


def test_results_errors_and_shell_commands_are_marked() -> None:
    (result,) = said(role="toolResult", toolName="exec", isError=True, content=[{"type": "text", "text": "no"}])
    assert result == Passage("result", "no", "exec", is_error=True)
    assert said(role="toolResult", toolName="x", content=[])[0].text == ""
    command, output = said(role="bashExecution", command="ls", output="a", exitCode=2)
    assert (command.kind, command.text, output.text, output.is_error) == ("call", "ls", "a", True)
    (failed,) = said(role="assistant", content=[], errorMessage="overloaded", stopReason="error")
    assert (failed.kind, failed.text, failed.is_error) == ("error", "overloaded", True)


@pytest.mark.parametrize(
    ("entry", "kind", "title", "text"),
    [
        ({"type": "compaction", "summary": "s"}, "summary", "compaction", "s"),
        ({"type": "branch_summary", "summary": "b"}, "summary", "branch", "b"),
        ({"type": "model_change", "provider": "p", "modelId": "m"}, "note", "model", "p/m"),
        ({"type": "label", "label": "here"}, "note", "label", "here"),
        ({"type": "custom_message", "customType": "c", "content": "x"}, "text", "c", "x"),
        ({"type": "custom", "customType": "c", "data": 1}, "note", "custom", "c"),
        ({"type": "of tomorrow"}, "note", "of tomorrow", ""),
        ({"runId": "r", "seq": 1, "stream": "tool"}, "note", "event", "tool"),
        ({}, "note", "untyped", ""),
    ],
)
def test_every_type_has_a_passage(entry: dict[str, Any], kind: str, title: str, text: str) -> None:
    (found,) = passages_of(entry)
    assert (found.kind, found.title, found.text) == (kind, title, text)


@settings(max_examples=examples(60))
@given(OBJECTS, OBJECTS)
def test_entries_of_any_shape_give_texts(entry: dict[str, Any], message: dict[str, Any]) -> None:
    for each in (entry, {**entry, "type": "message", "message": message}):
        assert all(isinstance(passage.text, str) for passage in passages_of(each))


@pytest.mark.parametrize(
    ("arguments", "main"),
    [
        ({"content": "long", "path": "a.txt"}, "a.txt"),
        ({"command": "ls -l", "workdir": "/x"}, "ls -l"),
        ({"other": "only one"}, "only one"),
        ({"a": 1, "b": [2]}, '{"a":1,"b":[2]}'),
        ({"path": ""}, ""),
        ({}, ""),
        (None, ""),
        ("as text", "as text"),
        ([1], "[1]"),
    ],
)
def test_the_main_argument_tells_what_a_call_was_about(arguments: object, main: str) -> None:
    assert main_argument(arguments) == main


@pytest.mark.parametrize(
    ("arguments", "laid_out"),
    [
        (None, ""),
        ({}, "{}"),
        ("as it is\n", "as it is\n"),
        ({"command": "ls\npwd"}, "ls\npwd"),
        ({"n": 1}, "n: 1"),
        ({"a": "x", "b": ""}, 'a: x\nb: ""'),
        ({"a": True, "b": None, "c": [], "d": {}}, "a: true\nb: null\nc: []\nd: {}"),
        ({"text": "one\ntwo", "n": 1.5}, "text:\n  one\n  two\nn: 1.5"),
        ({"list": ["a", {"b": 1, "c": [2]}, []]}, "list:\n  - a\n  - b: 1\n    c:\n      - 2\n  - []"),
        ({"odd: name\n": "x", "two words": 2}, '"odd: name\\n": x\ntwo words: 2'),
        ([1, "a"], "- 1\n- a"),
        (7, "7"),
    ],
)
def test_all_arguments_are_laid_out_to_be_read(arguments: object, laid_out: str) -> None:
    assert all_arguments(arguments) == laid_out


def test_arguments_that_nest_without_end_are_told_as_json_from_some_depth_on() -> None:
    deep: object = "core"
    for _ in range(900):
        deep = {"in": [deep], "by": 1}
    laid_out = all_arguments(deep)
    assert laid_out.count("core") == 1
    assert max(map(len, laid_out.splitlines()[:-1])) < 20_000
    assert len(laid_out) < 30_000
