"""Calls and results by call id: those that do not fit are marked, whether they come together or one by one."""

import json
from pathlib import Path
from typing import Any

import pytest

from syncd.ledger.database import Ledger
from tests.ledger.scratch import scratch_ledger, scratch_writer, started
from tests.ledger.talk import MISSING, Step, answer, call, lines, made_up, result, user
from tests.mirror.household import header


def taken_in(ledger: Ledger, steps: tuple[Step, ...], *, one_by_one: bool) -> tuple[list[Any], list[Any]]:
    return told_of(ledger, [header(1), *lines(*steps)], one_by_one=one_by_one)


def told_of(ledger: Ledger, told: list[bytes], *, one_by_one: bool) -> tuple[list[Any], list[Any]]:
    """(status, number of the result) of the calls, and the faults of the results in order."""
    with scratch_writer(ledger) as writer:
        transcript = started(writer)
        for line in told if one_by_one else [b"".join(told)]:
            writer.append(transcript, line)
            if one_by_one:
                writer.flush()
        writer.flush()
    calls = list(ledger.execute("SELECT status, result_message_id - 1 FROM tool_calls ORDER BY id"))
    faults = list(ledger.execute("SELECT result_fault FROM messages WHERE role = 'toolResult' ORDER BY id"))
    return calls, [fault for (fault,) in faults]


CASES = {
    "one for each": ((call("a", "b"), result("b"), result("a")), [("paired", 3), ("paired", 2)], [None, None]),
    "none": ((call("a"),), [("pending", None)], []),
    "two": ((call("a"), result("a"), result("a")), [("duplicate_result", 2)], [None, "duplicate"]),
    "one for nobody": ((call("a"), result("x"), result(None)), [("pending", None)], ["orphan", "orphan"]),
    "one made up": ((call("a"), made_up("a")), [("paired", 2)], ["synthetic"]),
    "the true one after one made up": (
        (call("a"), made_up("a"), result("a")), [("duplicate_result", 3)], ["synthetic", None],
    ),
    "one made up after the true one": (
        (call("a"), result("a"), made_up("a")), [("duplicate_result", 2)], [None, "synthetic"],
    ),
    "the same id again": (
        (call("a"), result("a"), call("a"), result("a")), [("paired", 2), ("paired", 4)], [None, None],
    ),
}  # fmt: skip


@pytest.mark.parametrize("one_by_one", [False, True], ids=["together", "one by one"])
@pytest.mark.parametrize("name", CASES)
def test_calls_and_results_find_each_other(tmp_path: Path, name: str, *, one_by_one: bool) -> None:
    steps, calls, faults = CASES[name]
    with scratch_ledger(tmp_path) as ledger:
        assert taken_in(ledger, steps, one_by_one=one_by_one) == (calls, faults)


@pytest.mark.parametrize("one_by_one", [False, True], ids=["together", "one by one"])
@pytest.mark.parametrize("name", CASES)
def test_results_that_are_read_twice_for_a_large_number_are_paired_once(
    tmp_path: Path, name: str, *, one_by_one: bool
) -> None:
    steps, calls, faults = CASES[name]
    with scratch_ledger(tmp_path) as ledger:
        told = [header(1), *(_with_large_number(line) for line in lines(*steps))]
        assert told_of(ledger, told, one_by_one=one_by_one) == (calls, faults)
        others = """SELECT count(*) FROM messages JOIN entries USING (id)
            WHERE role = 'toolResult' AND NOT (entry_id LIKE '1%' AND length(entry_id) = 26)"""
        assert ledger.row(others) == (0,)


def _with_large_number(line: bytes) -> bytes:
    """As the id of a result: orjson makes a float of it, and the line is read again."""
    value = json.loads(line)
    if value["message"]["role"] == "toolResult":
        value["id"] = 10**25 + len(line)
    return json.dumps(value).encode() + b"\n"


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        ({"isError": True, "details": {"openclawSyntheticMissingToolResult": True}, "content": []}, "synthetic"),
        ({"isError": True, "content": [{"type": "text", "text": "aborted"}]}, "synthetic"),
        ({"isError": True, "details": {}, "content": [{"type": "text", "text": "aborted"}]}, None),
        ({"content": [{"type": "text", "text": MISSING}]}, None),
    ],
)
def test_results_that_openclaw_made_up_are_known_in_every_release(
    tmp_path: Path, about: dict[str, Any], expected: str | None
) -> None:
    with scratch_ledger(tmp_path) as ledger:
        found = taken_in(ledger, (call("a"), ("toolResult", {"toolCallId": "a", **about})), one_by_one=False)
        assert found[1] == [expected]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([{"type": "text", "text": "all is well"}], 0),
        ([{"type": "text", "text": "all"}, {"type": "text", "text": "Build FAILED"}], 1),
        ("TypeError: no", 1),
        ([{"type": "image", "data": "error"}], 0),
        ("the mirror shows terrain", 0),
        (None, 0),
        ([{"type": "text", "text": "x" * 1_100_000 + "error"}], 1),
        ([{"type": "text", "text": "x" * 1_100_000}], 0),
    ],
)
def test_a_result_that_speaks_of_an_error_is_marked(tmp_path: Path, content: object, expected: int) -> None:
    with scratch_ledger(tmp_path) as ledger:
        taken_in(ledger, (call("a"), ("toolResult", {"toolCallId": "a", "content": content})), one_by_one=False)
        assert ledger.row("SELECT says_error FROM messages WHERE role = 'toolResult'") == (expected,)


def test_what_was_meant_for_nobody_is_marked(tmp_path: Path) -> None:
    said = (
        user("[OpenClaw heartbeat poll]"),
        answer("HEARTBEAT_OK"),
        user("Pre-compaction memory flush. Store what is worth it."),
        answer("no_reply"),
        user("NO_REPLY"),
        answer("What do you mean by NO_REPLY?"),
    )
    with scratch_ledger(tmp_path) as ledger:
        taken_in(ledger, said, one_by_one=False)
        marks = [mark for (mark,) in ledger.execute("SELECT silence FROM messages ORDER BY id")]
    assert marks == ["heartbeat", "heartbeat_ok", "memory_flush", "no_reply", None, None]
