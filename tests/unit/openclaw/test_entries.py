"""Types, headers and the older shapes of entries."""

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
        *((True, "unknown"), ([], "unknown"), ({}, "unknown"), (2**70, "unknown")),
    ],
)
def test_header_versions_are_text(version: object, text: str) -> None:
    assert entries.header_version({"type": "session", "version": version}) == text


def test_a_header_without_version_is_version_1() -> None:
    header = {"type": "session", "id": "s", "timestamp": "2026-11-16T04:22:14.548Z", "cwd": "/w"}
    assert entries.is_header(header)
    assert entries.header_of(header) == entries.Header("s", "1", header["timestamp"], "/w", None)


def test_a_fork_names_its_parent() -> None:
    header = {"type": "session", "version": 3, "id": "s", "parentSession": "/a/b.jsonl"}
    assert entries.header_of(header).parent_session == "/a/b.jsonl"


def test_ids_are_strings_or_none() -> None:
    assert entries.entry_ids({"id": "a", "parentId": None}) == ("a", None)
    assert entries.entry_ids({"id": 7, "parentId": "b"}) == (None, "b")


def test_compactions_of_every_age() -> None:
    today = {
        "type": "compaction",
        "summary": "s",
        "firstKeptEntryId": "e1",
        "tokensBefore": 9000,
        "tokensAfter": 1000,
        "fromHook": False,
        "details": {"readFiles": []},
    }
    assert entries.compaction_of(today) == entries.Compaction(
        "s", "e1", None, None, 9000, 1000, False, {"readFiles": []}
    )
    old = {"type": "compaction", "summary": "s", "firstKeptEntryIndex": 4, "tokensBefore": "many"}
    assert entries.compaction_of(old)[:5] == ("s", None, 4, None, None)
    assert entries.compaction_of({"type": "compaction", "compactedCount": 12}).compacted_count == 12


def test_branch_summaries_of_every_age() -> None:
    today = {"type": "branch_summary", "summary": "s", "fromId": "root", "fromHook": True}
    assert entries.branch_summary_of(today) == entries.BranchSummary("s", "root", True, None)
    older = {"type": "branch_summary", "summary": "s", "branchPoint": "e7"}
    assert entries.branch_summary_of(older).from_id == "e7"


def test_the_tables_cannot_be_changed() -> None:
    for table in (entries.ENTRY_FIELDS, entries.MESSAGE_FIELDS, entries.BLOCK_FIELDS):
        with pytest.raises(TypeError):
            table["new"] = ()  # type: ignore[index]


@given(OBJECTS)
def test_no_shape_of_json_raises(value: dict[str, Any]) -> None:
    assert entries.entry_type(value)
    assert isinstance(entries.header_of(value).version, str)
    entries.entry_ids(value)
    entries.compaction_of(value)
    entries.branch_summary_of(value)
    entries.is_header(value)
