"""A line of megabytes gives the rows that a short one gives: the way through `heavy_lines` shows in no column."""

import json
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from syncd.ledger import projection, rows
from syncd.ledger.database import Ledger
from syncd.ledger.projection import project_lines
from syncd.ledger.refold import refold
from syncd.ledger.transcripts import UPDATE
from syncd.ledger.writer import Writer
from syncd.openclaw import dense_lines, heavy_lines
from syncd.openclaw.heavy_lines import GIANT_BYTES, HEAVY_BYTES
from tests.examples import examples
from tests.ledger.scratch import scratch_ledger, scratch_writer, started
from tests.unit.openclaw.json_shapes import OBJECTS

AT = "2026-11-16T04:22:11.250Z"
TABLES = ("transcripts", "entries", "messages", "tool_calls", *rows.TYPE_TABLES, "quarantine")
Rows = dict[str, list[tuple[Any, ...]]]


class Desk:
    """Projects lines into a real ledger, one transcript each, and gives the rows back; nothing stays."""

    def __init__(self, ledger: Ledger, writer: Writer) -> None:
        self.ledger = ledger
        self.writer = writer
        self.number = count(1)

    def rows(self, data: bytes) -> Rows:
        self.ledger.run("BEGIN")
        try:
            self.writer._next_transcript_id = 1
            transcript = started(self.writer, 1)
            transcript.store(self.ledger.connection)
            batch = rows.Rows(1, 1)
            project_lines(batch, transcript, data)
            rows.store(self.ledger.connection, batch)
            if transcript.is_tree_due:
                refold(self.ledger, transcript, batch.next_turn_id)
            transcript.title = transcript.mentions = None  # of lines of 8 KiB at most, which are never heavy
            self.ledger.run(UPDATE, transcript.update_row())
            self.ledger.run("UPDATE transcripts SET checksum = NULL")  # what it is made of is compared
            self._number_turns()
            found = {table: list(self.ledger.execute(f"SELECT * FROM {table} ORDER BY 1")) for table in TABLES}
        finally:
            self.ledger.run("ROLLBACK")
        return found

    def _number_turns(self) -> None:
        """From one on: a line that was read a second time, for its digits, has used up a number."""
        self.ledger.run("PRAGMA defer_foreign_keys = ON")
        for table, column in (("messages", "turn_id"), ("transcripts", "tip_turn_id")):
            rank = f"(SELECT count(*) FROM turns WHERE id <= {column})"
            self.ledger.run(f"UPDATE {table} SET {column} = {rank} WHERE {column} IS NOT NULL")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with scratch_ledger(tmp_path_factory.mktemp("desk")) as ledger, scratch_writer(ledger) as writer:
        yield Desk(ledger, writer)


def entry(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "id": "0000000b", "parentId": "0000000a", "timestamp": AT, **more}


def message(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return entry("message", message={"role": role, "content": content, "timestamp": 1794802930001, **more})


BIG = "<big>"
SHAPES: dict[str, dict[str, Any]] = {
    "user, plain": message("user", BIG),
    "user, blocks": message(
        "user", [{"type": "text", "text": "grüße 😀"}, {"type": "text", "text": BIG}, {"type": "text", "text": "end"}]
    ),
    "user, image": message(
        "user", [{"type": "text", "text": "look"}, {"type": "image", "data": BIG, "mimeType": "image/png"}]
    ),
    "assistant": message(
        "assistant",
        [
            {"type": "thinking", "thinking": f"hm {BIG}"},
            {"type": "text", "text": f"so: {BIG}"},
            {"type": "toolCall", "id": "c1", "name": "write", "arguments": {"path": "/x", "content": BIG, "n": 1}},
            {"type": "toolCall", "id": "c2", "name": "read", "arguments": {"path": "/é"}},
        ],
        provider="p",
        model="m",
        api="a",
        responseId="r",
        stopReason="toolUse",
        errorMessage=BIG,
        usage={"input": 1, "output": 2},
    ),
    "assistant, older thinking": message("assistant", [{"type": "thinking", "text": BIG}]),
    "toolResult": message(
        "toolResult",
        [{"type": "text", "text": "a"}, {"type": "text", "text": BIG}],
        toolCallId="c1",
        toolName="exec",
        isError=True,
    ),
    "toolResult, plain": message("toolResult", BIG, toolCallId="c1", toolName="exec", isError=False),
    "bashExecution": entry("message", message={"role": "bashExecution", "command": BIG, "output": BIG}),
    "custom_message": entry(
        "custom_message", customType="t", content=[{"type": "text", "text": BIG}], display=True, details={"x": BIG}
    ),
    "compaction": entry(
        "compaction", summary=BIG, firstKeptEntryId="0000000a", details={"files": [BIG]}, tokensBefore=7
    ),
    "branch_summary": entry("branch_summary", fromId="root", summary=BIG),
    "custom": entry("custom", customType="t", data={"deep": [{"er": BIG}], BIG: 1}),
    "unknown": entry("from_the_future", data=BIG),
    "run event": {"runId": "r", "seq": 1, "stream": "s", "ts": 5, "data": {"text": BIG}},
    "every short field": {
        "type": "message",
        "id": BIG,
        "parentId": BIG,
        "message": {
            "role": "assistant",
            "provider": BIG,
            "model": BIG,
            "api": BIG,
            "stopReason": BIG,
            "responseId": BIG,
            "usage": {"input": 1},
            "content": [{"type": "toolCall", "id": BIG, "name": BIG, "arguments": BIG}],
        },
    },
    "short fields of a result": message("toolResult", "x", toolCallId=BIG, toolName=BIG),
    "a role": message(BIG, "x"),
    "a type": entry(BIG),
    "a header": {"type": "session", "version": BIG, "id": BIG, "cwd": BIG, "parentSession": BIG, "timestamp": AT},
    "objects in place of texts": message(
        "assistant", "x", model={"name": BIG}, errorMessage=[BIG], stopReason={BIG: BIG}
    ),
}
TEXTS = {
    "ascii": "all work and no play, ",
    "wide": "größe 漢字 😀 \u2028",
    "escapes": 'a "quoted" \\ back\nslash\t\x1b[0m \u0000',
}


def line(shape: dict[str, Any], text: str) -> bytes:
    return (
        json.dumps(shape, ensure_ascii=False)
        .replace(json.dumps(BIG)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
        .encode()
        + b"\n"
    )


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_rows_both_ways(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, shape: str, text: str
) -> None:
    data = line(SHAPES[shape], TEXTS[text] * 4000)
    usual = desk.rows(data)
    monkeypatch.setattr(projection, "HEAVY_BYTES", 1000)
    assert desk.rows(data) == usual


FAULTS = {
    "lone surrogate": b"half \\ud83d and \\uDC00 ",
    "broken UTF-8": b"caf\xe9 \xf0\x9f ",
    "NULs": b"nothing \0\0 there",
    "NUL in an escape": b"a line\\\0n",
    "raw control character": b"a raw \t tab",
    "unknown escape": b"\\x41 ",
    "cut escape": b"\\u12 ",
    "both": b"\xff \\ud83d \0",
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    "shape", ["user, plain", "assistant", "toolResult", "custom", "custom_message", "compaction", "unknown"]
)
def test_every_fault_inside_a_text_is_mended_flagged_or_quarantined_both_ways(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, shape: str, fault: str
) -> None:
    data = line(SHAPES[shape], BIG).replace(BIG.encode(), FAULTS[fault] * (GIANT_BYTES // len(FAULTS[fault]) + 1000))
    usual = desk.rows(data)
    assert usual["quarantine"] or usual["entries"][0][-1], "a fault that leaves no trace"
    monkeypatch.setattr(projection, "HEAVY_BYTES", 1000)
    assert desk.rows(data) == usual


@pytest.mark.parametrize("shape", SHAPES)
def test_just_below_and_just_above_the_limit_only_lengths_differ(desk: Desk, shape: str) -> None:
    places = line(SHAPES[shape], BIG).count(BIG.encode())
    around = (HEAVY_BYTES - len(line(SHAPES[shape], ""))) // places
    below, above = (line(SHAPES[shape], "z" * (around + more)) for more in (-2, 2))
    assert len(below) <= HEAVY_BYTES < len(above)
    assert shortened(desk.rows(below)) == shortened(desk.rows(above))


def shortened(found: Rows) -> dict[str, list[list[Any]]]:
    """Rows without what follows from the length of the text: the run of z, and every figure near it."""

    def cell(value: Any) -> Any:
        if isinstance(value, str):
            return re.sub("z{1000,}", "z", value)
        return "about the length" if isinstance(value, int) and HEAVY_BYTES // 9 < value < HEAVY_BYTES * 2 else value

    return {table: [[cell(value) for value in row] for row in of] for table, of in found.items()}


any_text = st.sampled_from(
    ["", "short", "é" * 30, "w" * 25, 'quote " \\ and \n line ' * 2, "\0syncd-giant-0~", "\0syncd-giant-1~ and more"]
)
any_value = any_text | OBJECTS | st.lists(any_text, max_size=2)
any_entry = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["message", "compaction", "custom", "custom_message", "session", "label", "leaf"])
        | any_text
    },
    optional={
        **dict.fromkeys(("summary", "details", "customType", "data", "content", "targetId", "label"), any_value),
        **dict.fromkeys(("id", "parentId", "firstKeptEntryId", "cwd", "version", "parentSession"), any_text),
        "message": st.fixed_dictionaries(
            {"role": st.sampled_from(["user", "assistant", "toolResult"]) | any_text},
            optional={
                "content": any_text
                | st.lists(
                    st.fixed_dictionaries(
                        {"type": st.sampled_from(["text", "thinking", "toolCall", "image"])},
                        optional={
                            **dict.fromkeys(("text", "thinking", "arguments", "data"), any_value),
                            **dict.fromkeys(("id", "name"), any_text),
                        },
                    ),
                    max_size=3,
                ),
                **dict.fromkeys(("errorMessage", "command", "stopReason", "toolName"), any_value),
                **dict.fromkeys(("model", "provider", "toolCallId"), any_text),
            },
        ),
    },
)


def test_any_entry_gives_the_same_rows_both_ways(desk: Desk) -> None:
    """With limits so low that nearly every string is a giant."""

    @settings(max_examples=examples(40))
    @given(values=st.lists(any_entry, min_size=1, max_size=3), is_ascii=st.booleans())
    def check(values: list[dict[str, Any]], is_ascii: bool) -> None:
        data = b"".join(json.dumps(value, ensure_ascii=is_ascii).encode() + b"\n" for value in values)
        usual = desk.rows(data)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(projection, "HEAVY_BYTES", 10)
            patch.setattr(heavy_lines, "GIANT_BYTES", 24)
            patch.setattr(heavy_lines, "_SLICE_BYTES", 16)
            assert desk.rows(data) == usual

    check()


@pytest.mark.parametrize("target", ["\0syncd-giant-0~", "é" * 40, {"deep": "é" * 40}, None])
@pytest.mark.parametrize("kind", ["leaf", "label"])
def test_ids_that_an_entry_names_are_the_same_both_ways(desk: Desk, kind: str, target: object) -> None:
    ids = {"id": "é" * 40, "parentId": None}
    told = [
        {"type": "message", "message": {"role": "user"}, **ids},
        {"type": kind, "id": "x", "targetId": target, "pad": "é" * 40},
    ]
    data = b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in told)
    usual = desk.rows(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projection, "HEAVY_BYTES", 10)
        patch.setattr(heavy_lines, "GIANT_BYTES", 24)
        patch.setattr(heavy_lines, "_SLICE_BYTES", 16)
        assert desk.rows(data) == usual


@pytest.fixture
def every_heavy_line_is_dense(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy_lines, "MAX_STRINGS", -1)


@pytest.mark.usefixtures("every_heavy_line_is_dense")
@pytest.mark.parametrize("window", [40, 1 << 18])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_rows_value_by_value(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, shape: str, text: str, window: int
) -> None:
    data = line(SHAPES[shape], TEXTS[text] * 4000)
    usual = desk.rows(data)
    monkeypatch.setattr(projection, "HEAVY_BYTES", 1000)
    monkeypatch.setattr(dense_lines, "_WINDOW_BYTES", window)
    assert desk.rows(data) == usual


@pytest.mark.usefixtures("every_heavy_line_is_dense")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("shape", ["user, plain", "assistant", "custom", "unknown"])
def test_every_fault_inside_a_text_is_mended_value_by_value(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, shape: str, fault: str
) -> None:
    data = line(SHAPES[shape], BIG).replace(BIG.encode(), FAULTS[fault] * (GIANT_BYTES // len(FAULTS[fault]) + 1000))
    usual = desk.rows(data)
    monkeypatch.setattr(projection, "HEAVY_BYTES", 1000)
    assert desk.rows(data) == usual


@pytest.mark.usefixtures("every_heavy_line_is_dense")
def test_any_entry_gives_the_same_rows_value_by_value(desk: Desk) -> None:
    @settings(max_examples=examples(40))
    @example(
        values=[{"type": "message", "id": "short", "message": {"role": "assistant", "errorMessage": [2.0**63]}}],
        is_ascii=False, window=1,
    )  # fmt: skip
    @given(values=st.lists(any_entry, min_size=1, max_size=3), is_ascii=st.booleans(), window=st.sampled_from([1, 60]))
    def check(values: list[dict[str, Any]], is_ascii: bool, window: int) -> None:
        data = b"".join(json.dumps(value, ensure_ascii=is_ascii).encode() + b"\n" for value in values)
        usual = desk.rows(data)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(projection, "HEAVY_BYTES", 10)
            patch.setattr(dense_lines, "GIANT_BYTES", 24)
            patch.setattr(dense_lines, "_WINDOW_BYTES", window)
            patch.setattr(heavy_lines, "_SLICE_BYTES", 16)
            assert desk.rows(data) == usual

    check()


LOW_BYTES = 1 << 17  # what counts as heavy here, of all but the numbers: coverage makes a million values slow
DENSE = {
    "numbers": entry("custom", customType="t", data=[1, 23, -4.5] * 300_000),
    "tiny objects": entry("custom", customType="t", data=[{"a": 1}, {"b": "é"}] * 20_000),
    "tiny lists, deep": entry("custom", customType="t", data={"x": [json.loads("[" * 40 + "]" * 40), 2**70] * 1500}),
    "members": {**entry("label", targetId="t", label="l"), **{f"k{n}": n for n in range(20_000)}},
    "text blocks": message("user", [{"type": "text", "text": "é"}] * 8000),
    "blocks": message(
        "assistant",
        [
            {"type": "thinking", "thinking": "t"},
            {"type": "image", "data": "x"},
            {"type": "toolCall", "id": "c", "name": "n", "arguments": {"a": [1, 2]}},
            {"type": "text", "text": "\x1b"},
        ]
        * 1500,
        usage={"input": 1},
    ),
    "a call's arguments": message(
        "assistant", [{"type": "toolCall", "id": "c", "name": "n", "arguments": {"x": [0, "s"] * 30_000}}]
    ),
    "a result's text": message("toolResult", [{"type": "text", "text": "ab"}] * 8000, toolCallId="c"),
    "details": entry("custom_message", content=[{"type": "text", "text": "a"}] * 4000, details=[None] * 20_000),
    "an id": entry("custom", id=[0] * 80_000),
}


@pytest.mark.parametrize("shape", DENSE)
def test_lines_of_hundreds_of_thousands_of_values_give_the_rows_that_a_plain_parser_gives(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, shape: str
) -> None:
    data = json.dumps(DENSE[shape], separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    assert len(data) > (HEAVY_BYTES if shape == "numbers" else LOW_BYTES)
    monkeypatch.setattr(projection, "HEAVY_BYTES", LOW_BYTES)
    monkeypatch.setattr(heavy_lines, "MAX_VALUES", 1000)
    dense = desk.rows(data)
    monkeypatch.setattr(projection, "HEAVY_BYTES", 1 << 30)
    assert dense == desk.rows(data)
    assert dense["quarantine"] == []


def test_of_more_tool_calls_than_a_batch_should_hold_the_first_are_kept_and_the_entry_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy_lines, "MAX_VALUES", 1000)
    monkeypatch.setattr(projection, "HEAVY_BYTES", LOW_BYTES)
    monkeypatch.setattr(dense_lines, "MAX_CALLS", 800)
    found = desk.rows(json.dumps(DENSE["blocks"]).encode() + b"\n")
    assert len(found["tool_calls"]) == 800
    assert [row[-1] for row in found["entries"]] == ["calls_cut"]


def test_whole_objects_in_a_dense_line_are_salvaged(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "HEAVY_BYTES", LOW_BYTES)
    monkeypatch.setattr(heavy_lines, "MAX_VALUES", 1000)
    whole = json.dumps(DENSE["tiny objects"]).encode()
    small = json.dumps(entry("label", label="l")).encode()
    found = desk.rows(small + whole + small + b"\n" + whole + whole[:-9] + small + b"\n" + small + b"\n")
    assert [row[7] for row in found["quarantine"]] == ["several_objects", "splice"]
    assert [(row[9], row[4], row[12]) for row in found["entries"]] == [
        ("label", len(small), 1),
        ("custom", len(whole), 1),
        ("label", len(small), 1),
        ("custom", len(whole), 1),
        ("label", len(small), 1),
        ("label", len(small) + 1, 0),
    ]
    assert len(found["custom_entries"]) == 2


EIGHTS = b"8," * (HEAVY_BYTES // 2)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\0" * HEAVY_BYTES, "nul"),
        (b"x" * HEAVY_BYTES, "not_json"),
        (b"[" * HEAVY_BYTES, "too_deep"),
        (b"8" * HEAVY_BYTES, "not_object"),
        (b"[" + EIGHTS + b"8]", "not_object"),
        (b"[" + EIGHTS + b"]", "not_json"),
        (b'{"a":[' + EIGHTS + b"8]", "not_json"),
        (b'{"a":[' + EIGHTS + b"8}}", "not_json"),
        (b'{"a":[' + EIGHTS + b"[1}]}", "not_json"),
        (b'{"a":[' + b"08," * (HEAVY_BYTES // 3 + 1) + b"8]}", "not_json"),
        (b'{"a":1,' * (HEAVY_BYTES // 6), "too_deep"),
        (b'{"a":[' + EIGHTS + b"8],}", "not_json"),
    ],
)
def test_a_heavy_line_that_is_no_entry_is_quarantined_with_its_reason(desk: Desk, body: bytes, reason: str) -> None:
    found = desk.rows(body + b"\n")
    assert [(row[4], row[7]) for row in found["quarantine"]] == [(len(body) + 1, reason)]
    assert found["entries"] == []


def test_a_heavy_blank_line_is_blank(desk: Desk) -> None:
    found = desk.rows(b" " * (HEAVY_BYTES + 1) + b"\n")
    assert (found["entries"], found["quarantine"]) == ([], [])
