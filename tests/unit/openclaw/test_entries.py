"""Types of lines and versions of headers."""

from typing import Any

import pytest
from hypothesis import given

from syncd.openclaw import entries
from tests.unit.openclaw.json_shapes import OBJECTS


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"type": "session", "id": "s"}, "session"),
        ({"type": "message"}, "message"),
        ({"type": "from_the_future", "id": "x"}, "from_the_future"),
        ({"runId": "r", "seq": 1, "stream": "tool", "ts": 1, "data": {}}, "event"),
        ({"runId": "r", "seq": 1, "stream": "tool", "type": "custom"}, "custom"),
        ({"runId": 1, "seq": 1, "stream": "tool"}, "untyped"),
        ({"runId": "r", "seq": 1}, "untyped"),
        ({"type": 7}, "untyped"),
        ({"type": None}, "untyped"),
        ({"type": ""}, "untyped"),
        ({"type": ["message"]}, "untyped"),
        ({}, "untyped"),
    ],
)
def test_every_object_has_a_type(line: dict[str, Any], expected: str) -> None:
    assert entries.entry_type(line) == expected


@pytest.mark.parametrize(
    ("version", "text"),
    [
        *((number, str(number)) for number in (1, 2, 3, 4, 99)),
        *(("3", "3"), ("next", "next"), (3.0, "3"), (2.5, "2.5"), (None, "1")),
        *((True, "unknown"), ([], "unknown"), ({}, "unknown"), ("", "unknown"), (2**70, "unknown")),
    ],
)
def test_header_versions_are_text(version: object, text: str) -> None:
    assert entries.header_version({"type": "session", "version": version}) == text


@given(OBJECTS)
def test_no_shape_of_json_raises(value: dict[str, Any]) -> None:
    assert entries.entry_type(value)
    assert entries.header_version(value)
