"""Lines that OpenClaw does not write, or not so: each is an entry or in quarantine, and junk never stops a run."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncd.ledger import rows
from syncd.ledger.projection import project_lines
from syncd.ledger.transcripts import UPDATE
from syncd.openclaw.entries import ENTRY_TYPES
from tests.examples import examples
from tests.ledger.projected import AT_MS, TABLES, entry, projected
from tests.ledger.scratch import scratch_ledger, scratch_writer, started
from tests.unit.openclaw.json_shapes import KEYS, OBJECTS, SCALARS


@pytest.mark.parametrize("number", [2**64, 2**64 + 1, -(2**63) - 1, 123456789012345678901234567890])
def test_json_keeps_the_digits_of_every_integer(tmp_path: Path, number: int) -> None:
    value = {"n": [number, 1e300, "1"], "deep": {"er": [{"x": -number}]}}
    call = {"type": "toolCall", "id": "c1", "name": "read", "arguments": value}
    result = {"role": "toolResult", "toolCallId": number, "content": "x"}
    transcript, found = projected(
        tmp_path,
        {"type": "session", "version": 3, "id": "s"},
        entry("message", message={"role": "user", "content": "before"}),
        entry("custom", customType="t", data=value),
        entry("message", message={"role": "assistant", "content": [call, call], "model": number}),
        entry("message", message=result),
        entry("compaction", details=value, tokensBefore=number),
        entry("branch_summary", details=value),
        entry("custom_message", content="x", details=value),
        {"runId": "r", "seq": number, "stream": "s", "ts": AT_MS, "data": value},
        {"type": "future", "id": number, "parentId": -number},
        b"\0" + json.dumps(entry("custom", data=value)).encode() + b"\n",
        b'{"type":"mess' + json.dumps(entry("custom", data=value)).encode() + b"\n",
        entry("message", message={"role": "user", "content": "behind"}),
    )
    cells = [row["arguments_json"] for row in found["tool_calls"]]
    cells += [row["data_json"] for table in ("custom_entries", "run_events") for row in found[table]]
    for table in ("compactions", "branch_summaries", "custom_messages"):
        cells += [row["details_json"] for row in found[table]]
    assert len(cells) == 9
    for cell in cells:
        assert json.loads(cell) == value
    assert [row["id"] for row in found["entries"]] == list(range(1, 14))
    assert [row["text"] for row in found["messages"] if "text" in row] == ["before", "behind"]
    assert [row.get("model") for row in found["messages"]] == [None, str(number), None, None]
    assert found["messages"][2]["tool_call_id"] == str(number)
    assert [(row["entry_id"], row["parent_id"]) for row in found["entries"] if row["type"] == "future"] == [
        (str(number), str(-number))
    ]
    assert "tokens_before" not in found["compactions"][0]  # no column holds it
    assert transcript.lines == 13


def test_unknown_types_are_entries_with_that_type_and_untyped_objects_are_entries_too(tmp_path: Path) -> None:
    _, found = projected(tmp_path, entry("from_the_future", x=1), {"no": "type"}, {"type": 7}, {"type": ""})
    assert [row["type"] for row in found["entries"]] == ["from_the_future", "untyped", "untyped", "untyped"]
    assert set(found) == {"entries"}


def test_lines_that_had_to_be_mended_say_how(tmp_path: Path) -> None:
    lone = b'{"type":"message","message":{"role":"user","content":"half \\ud83d"}}\n'
    _, found = projected(
        tmp_path, lone, b"\0\0" + lone.replace(b"\\ud83d", b"\xff"), b'\xef\xbb\xbf{"type":"x","n":NaN}\n'
    )
    assert [row["flags"] for row in found["entries"]] == ["surrogate", "nul_stripped,invalid_utf8", "bom,not_finite"]
    assert [row["text"] for row in found["messages"]] == ["half \ufffd", "half \ufffd"]


def test_quarantined_lines_and_what_is_salvaged_from_them(tmp_path: Path) -> None:
    whole = json.dumps(entry("message", message={"role": "user", "content": "whole"})).encode()
    glued, spliced = whole + whole + b"\n", b'{"type":"mess' + whole + b"\n"
    _, found = projected(tmp_path, b"\n", glued, spliced, b"42\n", b"\0\0\n", b"{\n")
    offset = 1 + len(glued)
    assert [(row["line_no"], row["byte_offset"], row["byte_length"], row["reason"]) for row in found["quarantine"]] == [
        (2, 1, len(glued), "several_objects"),
        (3, offset, len(spliced), "splice"),
        (4, offset + len(spliced), 3, "not_object"),
        (5, offset + len(spliced) + 3, 3, "nul"),
        (6, offset + len(spliced) + 6, 2, "not_json"),
    ]
    assert found["quarantine"][0]["raw"] == glued[:-1]
    assert [(row["line_no"], row["byte_offset"], row["byte_length"], row["salvaged"]) for row in found["entries"]] == [
        (2, 1, len(whole), 1),
        (2, 1 + len(whole), len(whole), 1),
        (3, offset + 13, len(whole), 1),
    ]


def test_whole_objects_in_a_quarantined_line_are_entries_whatever_their_type(tmp_path: Path) -> None:
    glued = b'{"a":1}{"type":"new","id":"n"}{"runId":"r","seq":1,"stream":"s","ts":5}{"type":7}\n'
    spliced = b'{"type":"message","id":"x","mess{"type":"new","id":"\\ud83d"}{"b":2}\n'
    _, found = projected(tmp_path, glued, spliced)
    assert [row["reason"] for row in found["quarantine"]] == ["several_objects", "splice"]
    assert [(row["type"], row["salvaged"], row.get("flags")) for row in found["entries"]] == [
        ("untyped", 1, None),
        ("new", 1, None),
        ("event", 1, None),
        ("untyped", 1, None),
        ("new", 1, "surrogate"),
        ("untyped", 1, None),
    ]
    lines = glued + spliced
    for row in found["entries"]:
        assert lines[row["byte_offset"] :][: row["byte_length"]].startswith(b"{")
        assert lines[row["byte_offset"] :][: row["byte_length"]].endswith(b"}")


ENTRY_FIELDS = [
    "id",
    "parentId",
    "timestamp",
    "appendMode",
    "version",
    "cwd",
    "parentSession",
    "message",
    "provider",
    "modelId",
    "thinkingLevel",
    "summary",
    "firstKeptEntryId",
    "firstKeptEntryIndex",
    "compactedCount",
    "tokensBefore",
    "tokensAfter",
    "details",
    "fromHook",
    "fromId",
    "branchPoint",
    "customType",
    "data",
    "content",
    "display",
    "targetId",
    "label",
    "name",
    "appendParentId",
    "reason",
    "runId",
    "seq",
    "stream",
    "ts",
]
MESSAGE_FIELDS = [
    "content",
    "timestamp",
    "api",
    "provider",
    "model",
    "responseId",
    "usage",
    "stopReason",
    "errorMessage",
    "toolCallId",
    "toolName",
    "isError",
    "command",
    "output",
    "customType",
    "display",
    "details",
]
FIELDS = sorted({*ENTRY_FIELDS, *MESSAGE_FIELDS, "role"})
any_value = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=2),
    st.dictionaries(KEYS, SCALARS, max_size=2),
    st.sampled_from([2**63, -(2**63) - 1, 2**64, 1e308, -0.0, "\0", "x" * 70, 10**30]),
)
any_message = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "toolResult", "bashExecution", "custom"]) | any_value},
    optional=dict.fromkeys(MESSAGE_FIELDS, any_value),
)
any_entry = st.fixed_dictionaries(
    {"type": st.sampled_from(sorted(ENTRY_TYPES)) | any_value},
    optional={**dict.fromkeys(FIELDS, any_value), "message": any_message | any_value},
)


def test_fields_of_any_type_make_rows_and_never_stop_a_run(tmp_path: Path) -> None:
    """The tables are STRICT: a value of another type than its column's would be refused."""
    with scratch_ledger(tmp_path) as ledger, scratch_writer(ledger) as writer:
        numbers = count(1)

        @settings(max_examples=examples(50))
        @given(values=st.lists(any_entry | OBJECTS, min_size=1, max_size=4))
        def check(values: list[dict[str, Any]]) -> None:
            data = b"".join(json.dumps(value).encode() + b"\n" for value in values)
            ledger.run("BEGIN")
            try:
                transcript = started(writer, next(numbers))
                transcript.store(writer.ledger.connection)
                batch = rows.Rows(1, 1)
                project_lines(batch, transcript, data)
                rows.store(ledger.connection, batch)
                ledger.run(rows.INDEX_TEXT, (0, 100))
                lines = ledger.row("SELECT (SELECT count(*) FROM entries) + (SELECT count(*) FROM quarantine)")
                assert lines == (len(values),)
                assert (transcript.bytes, transcript.lines) == (len(data), len(values))
                assert list(ledger.execute("PRAGMA foreign_key_check")) == []
                ledger.run(UPDATE, transcript.update_row())
                for table in TABLES:
                    list(ledger.execute(f"SELECT * FROM {table}"))
            finally:
                ledger.run("ROLLBACK")

        check()
