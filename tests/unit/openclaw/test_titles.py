"""What a session is called, against what OpenClaw's own code calls it."""

import json

import pytest

from syncd.openclaw.titles import Opening, is_in_head, opening_of_lines, session_title
from tests.conftest import CHECKOUT

GENUINE = CHECKOUT / "tests/data/openclaw/titles.jsonl"
"""The beginning of a transcript, an index entry, and the title that each release derived from them."""


def opening_of_head(head: bytes) -> Opening:
    lines, offset = [], 0
    for number, line in enumerate(head.splitlines(keepends=True), 1):
        if is_in_head(number, offset, len(line)):
            lines.append(line)
        offset += len(line)
    return opening_of_lines(lines)


@pytest.mark.parametrize("release", ["2026.5.7", "2026.7.1"])
def test_every_session_is_called_as_openclaw_calls_it(release: str) -> None:
    for text in GENUINE.read_text().splitlines():
        case = json.loads(text)
        entry, expected = case["entry"], case["titles"][release]
        label = entry.get("label") if release != "2026.5.7" else None  # of which that release takes no notice
        names = (label, entry.get("displayName"), entry.get("subject"))
        words = opening_of_head(case["head"].encode()).title
        title = session_title(names, words, entry.get("sessionId"), entry.get("updatedAt"))
        if expected is not None:  # a character cut in two is written so
            expected = expected.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        assert title == expected, text


def test_a_line_that_ends_behind_the_head_is_not_looked_at() -> None:
    long = json.dumps({"message": {"role": "user", "content": "x" * 8192}}).encode()
    short = json.dumps({"message": {"role": "user", "content": "short"}}).encode()
    assert opening_of_head(long + b"\n" + short + b"\n").title is None
    assert opening_of_head(b"\n" * 9 + short + b"\n").title == "short"
    assert opening_of_head(b"\n" * 10 + short + b"\n").title is None


def test_odd_instants_make_no_day() -> None:
    assert session_title((), None, "0a000001-0000", None) == "0a000001"
    assert session_title((), None, "0a000001-0000", -1) == "0a000001"
    assert session_title((), None, "0a000001-0000", 8_640_000_000_000_000) == "0a000001"
    assert session_title((), None, None, 1) is None


def test_the_words_of_the_first_messages_are_kept_one_by_one_for_finding_projects() -> None:
    lines = [{"message": {"role": role, "content": text}} for role, text in [
        ("user", "Look at /home/me/src/Ledger, please"), ("assistant", "not mine"), ("user", "and  at\nOther-One!"),
    ]]  # fmt: skip
    head = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    assert opening_of_head(head).mentions == " look at home me src ledger please and at other-one "
