"""Lines of every shape that was ever found in a transcript, or should be feared there.

Headers are apart (`header`): the machine decides where one may stand. Every shape takes a number, so that two lines of
one shape differ.
"""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

MAX_LINE_BYTES = 400
"""The limit the model runs with: above it a line is kept, not parsed."""

_TEXTS = ("hello", "grüße 😀 \u2028 漢字", "", 'a "quoted" \\ word', "x" * 150)
Shape = Callable[[int], bytes]


def header(session_id: str, parent: str | None = None) -> bytes:
    """The first line of a transcript; of a fork, if it names a parent."""
    forked = {"parentSession": parent} if parent is not None else {}
    return _json({"type": "session", "id": session_id, "version": 3, "cwd": "/w", **forked}) + b"\n"


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _entry(number: int, entry_type: str, **fields: Any) -> bytes:
    entry_id = f"e{number}"
    return _json({"type": entry_type, "id": entry_id, "parentId": None, "timestamp": 1750000000000 + number, **fields})


def _message(number: int, role: str, content: Any, **fields: Any) -> bytes:
    return _entry(number, "message", message={"role": role, "content": content, **fields})


def _user(number: int) -> bytes:
    return _message(number, "user", _TEXTS[number % len(_TEXTS)])


def _answer(number: int) -> bytes:
    text = [{"type": "text", "text": _TEXTS[number % len(_TEXTS)]}]
    return _message(number, "assistant", text, model="m", usage={"input": number, "output": 1})


def _call(number: int) -> bytes:
    block = {"type": "toolCall", "id": f"c{number % 3}", "name": "exec", "arguments": {"n": number}}
    return _message(number, "assistant", [block])


def _result(number: int) -> bytes:
    fields = {"toolCallId": f"c{number % 3}", "toolName": "exec", "isError": number % 2 == 1}
    return _message(number, "toolResult", [{"type": "text", "text": f"out {number}"}], **fields)


def _of_length(length: int) -> Shape:
    """A message of exactly so many bytes before its newline."""

    def shape(number: int) -> bytes:
        bare = len(_message(number, "user", ""))
        return _message(number, "user", "z" * (length - bare))

    return shape


def _ended(shape: Shape, end: bytes = b"\n") -> Shape:
    return lambda number: shape(number) + end


_SHAPES: dict[str, Shape] = {
    "user": _ended(_user),
    "answer": _ended(_answer),
    "call": _ended(_call),
    "result": _ended(_result),
    "crlf": _ended(_user, b"\r\n"),
    "empty": lambda number: b"\n" * (1 + number % 2),
    "blank": lambda number: (b" \t\r\n", b"\r\n", b"   \n")[number % 3],
    "unknown_type": lambda number: _entry(number, "from_the_future", data=[number]) + b"\n",
    "compaction": lambda number: _entry(number, "compaction", summary="s", firstKeptEntryId="e1") + b"\n",
    "custom": lambda number: _entry(number, "custom", customType="t", data={"n": number}) + b"\n",
    "run_event": lambda number: _json({"runId": "r", "seq": number, "stream": "s", "ts": 1, "data": {}}) + b"\n",
    "untyped": lambda number: _json({"no": "type", "n": number}) + b"\n",
    "nuls_then_user": lambda number: b"\0" * (1 + number) + _user(number) + b"\n",
    "nuls": lambda number: b"\0" * (1 + number) + b"\n",
    "invalid_utf8": lambda number: _user(number).replace(b'"role"', b'"\xff\xfe":1,"role"') + b"\n",
    "cut_utf8": lambda number: b'{"n": %d, "broken": "\xf0\x9f\n' % number,
    "glued": lambda number: _user(number) + _result(number + 1) + b"\n",
    "spliced": lambda number: _answer(number)[: 20 + number] + _call(number) + b"\n",
    "no_object": lambda number: (b"42\n", b"[]\n", b"null\n", b'"text"\n', b"}\n")[number % 5],
    "lone_surrogate": lambda number: _user(number).replace(b'"role"', b'"half":"\\ud83d","role"') + b"\n",
    "odd_numbers": lambda number: _user(number).replace(b'"role"', b'"n":NaN,"big":1' + b"0" * 30 + b',"role"') + b"\n",
    "just_short_enough": _ended(_of_length(MAX_LINE_BYTES - 1)),
    "at_the_limit": _ended(_of_length(MAX_LINE_BYTES)),
    "just_too_long": _ended(_of_length(MAX_LINE_BYTES + 1)),
    "crlf_just_too_long": _ended(_of_length(MAX_LINE_BYTES), b"\r\n"),
    "long": _ended(_of_length(3 * MAX_LINE_BYTES)),
}


def line(shape: str, number: int) -> bytes:
    """One line with its newline (of "empty", sometimes two)."""
    return _SHAPES[shape](number)


SHAPE_NAMES = tuple(_SHAPES)
lines = st.builds(line, st.sampled_from(SHAPE_NAMES), st.integers(0, 9))
some_lines = st.lists(lines, max_size=5).map(b"".join)
