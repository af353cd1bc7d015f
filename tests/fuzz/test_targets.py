"""The fuzzer's checks, on a few inputs in every run: that they hold, and that they can fail."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncd.ledger import entry_rows, projection
from syncd.openclaw import index
from syncd.openclaw.lines import Undecodable
from tests.examples import examples
from tests.fuzz import targets
from tests.fuzz.mutation import mutated
from tests.fuzz.targets import check_index, lines_target

GENUINE = Path(__file__).parents[1] / "data" / "openclaw" / "2026.7.1" / "agents" / "main" / "sessions"
LINES = [
    line
    for path in sorted(GENUINE.glob("*.jsonl"))
    for line in path.read_bytes().splitlines(keepends=True)
    if len(line) <= 4096
]
INDEX = (GENUINE / "sessions.json").read_bytes()


def _odd(lines: list[bytes], seed: int) -> bytes:
    data = b"".join(lines)
    found = mutated(data, seed, 1 << 20) or data
    rng = random.Random(seed)
    for _ in range(rng.randrange(3)):
        place = rng.randrange(len(found) + 1)
        found = found[:place] + rng.randbytes(rng.randrange(4)) + found[place + rng.randrange(9) :]
    return found


def test_any_lines_are_entries_or_in_quarantine(tmp_path: Path) -> None:
    with lines_target(tmp_path) as check:

        @settings(max_examples=examples(100))
        @given(st.lists(st.sampled_from(LINES), min_size=1, max_size=4), st.integers(0, 2**32))
        def run(lines: list[bytes], seed: int) -> None:
            check(_odd(lines, seed))

        run()


@settings(max_examples=examples(100))
@given(st.integers(0, 2**32))
def test_any_index_is_one_or_none(seed: int) -> None:
    check_index(_odd([INDEX.replace(b"\n", b" ")], seed))
    check_index(_odd([INDEX], seed))


def test_a_line_that_is_lost_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "_quarantine", lambda *_: None)
    with lines_target(tmp_path) as check, pytest.raises(AssertionError, match="every line is an entry"):
        check(b'{"type":"mess\n')


def test_a_line_that_is_salvaged_but_not_kept_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its salvaged record begins where the line does."""
    monkeypatch.setattr(projection, "_quarantine", lambda *_: None)
    with lines_target(tmp_path) as check, pytest.raises(AssertionError, match="every line is an entry"):
        check(b'{"type":"custom","id":"one"}{"type":"custom","id":"two"}\n')


def test_a_line_that_becomes_another_entry_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = entry_rows.add_entry

    def add_another(rows: Any, transcript: Any, value: Any, *place: Any) -> None:
        real(rows, transcript, {**value, "id": "another"}, *place)

    monkeypatch.setattr(projection, "add_entry", add_another)
    with lines_target(tmp_path) as check, pytest.raises(AssertionError, match="is that entry"):
        check(b'{"type":"custom","id":"one"}\n')


def test_a_record_of_a_glued_line_that_is_not_salvaged_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projection, "decode_line", lambda _: Undecodable("several_objects"))
    with lines_target(tmp_path) as check, pytest.raises(AssertionError, match="is salvaged"):
        check(b'{"type":"custom","id":"one"}{"type":"custom","id":"two"}\n')


def test_an_entry_that_is_lost_in_openclaws_own_layout_only_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """That layout has a reader of its own, and no input of the fuzzer keeps to it for long."""
    monkeypatch.setattr(index, "_members", lambda raw, _: {} if raw.startswith(b'{\n  "') else None)
    with pytest.raises(AssertionError, match="every entry is"):
        check_index(json.dumps(json.loads(INDEX)).encode())


def test_an_entry_that_says_something_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = index.ReadEntry
    monkeypatch.setattr(index, "ReadEntry", lambda digest, _, *more: real(digest, b"{}", *more))
    with pytest.raises(AssertionError, match="says what it says"):
        check_index(INDEX)


def test_an_entry_that_is_lost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "read_entries", lambda *_: {})
    with pytest.raises(AssertionError, match="every entry is"):
        check_index(INDEX)
