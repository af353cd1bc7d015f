"""The fuzzer's checks, on a few inputs in every run: that they hold, and that they can fail."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncd.ledger import projection
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


def test_an_entry_that_is_lost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "read_entries", lambda *_: {})
    with pytest.raises(AssertionError, match="every entry is"):
        check_index(INDEX)
