"""The raw bytes: any generation comes back exactly, whatever was appended, superseded and sealed in between."""

from itertools import count
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncd.errors import LedgerCorrupt
from syncd.ledger import raw
from syncd.ledger.codec import PLAIN, SMALLEST_PACKED, ZSTD, UnpackError, pack, unpack
from syncd.ledger.database import Ledger
from tests.examples import examples
from tests.ledger.scratch import scratch_ledger, scratch_writer, started

lines = st.one_of(st.just(b"\n"), st.integers(1, 90).map(lambda size: b"x" * size + b"\n"), st.binary(max_size=9).map(
    lambda data: data.replace(b"\n", b"") + b"\n"))  # fmt: skip
contents = st.lists(lines, min_size=1, max_size=8).map(b"".join)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "BLOCK_BYTES", 40)
    monkeypatch.setattr(raw, "PIECE_BYTES", 30)


@given(data=contents, last=st.binary(max_size=60).map(lambda data: data.replace(b"\n", b"")))
def test_cut_gives_whole_lines_in_blocks_of_about_one_size_and_long_lines_alone(data: bytes, last: bytes) -> None:
    position = 0
    for start, end, is_own in raw.block_spans(data + last):
        part = (data + last)[start:end]
        assert start == position
        position = end
        if is_own:
            assert 0 < len(part) <= raw.PIECE_BYTES
            assert part.find(b"\n") in (-1, len(part) - 1)
        else:
            assert 0 < len(part) <= raw.BLOCK_BYTES
            assert part.endswith(b"\n") or end == len(data + last)
            assert start == 0 or (data + last)[start - 1 : start] == b"\n"
    assert position == len(data + last)


@pytest.mark.parametrize("size", [0, 1, SMALLEST_PACKED - 1, SMALLEST_PACKED, 100_000])
def test_packed_bytes_come_back(size: int) -> None:
    for data in (b"abc " * (size // 4 + 1), bytes(range(256)) * (size // 256 + 1)):
        codec, packed = pack(data[:size])
        assert unpack(codec, packed) == data[:size]
        assert codec == (PLAIN if size < SMALLEST_PACKED else ZSTD)
    assert len(pack(b"a" * 100_000)[1]) < 1000


@pytest.mark.parametrize("data", [b"a short line\n", b'{"text": "a line"}\n' * 40, bytes(range(256)) * 3])
def test_no_byte_of_what_is_stored_can_change_unseen(data: bytes) -> None:
    codec, packed = pack(data)
    for place, byte in enumerate(packed):
        for bit in range(8):
            with pytest.raises(UnpackError):
                unpack(codec, packed[:place] + bytes([byte ^ (1 << bit)]) + packed[place + 1 :])
    for size in range(len(packed)):
        with pytest.raises(UnpackError):
            unpack(codec, packed[:size])
    with pytest.raises(UnpackError):
        unpack(ZSTD, pack(b"short\n")[1])


def test_blocks_of_the_first_ledgers_which_had_no_checksum_are_read_too() -> None:
    data = b'{"text": "a line"}\n' * 40
    _, packed = pack(data)
    assert unpack(0, data) == unpack(1, packed[:-4]) == data


class Act(NamedTuple):
    what: Literal["append", "supersede", "seal"]
    data: bytes
    is_open: bool
    where: float


acts = st.lists(
    st.builds(
        Act, st.sampled_from(["append", "append", "supersede", "seal"]), contents, st.booleans(), st.floats(0, 1)
    ),
    max_size=14,
)


def test_every_generation_and_every_range_of_it_reassembles_exactly(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger, scratch_writer(ledger) as writer:
        numbers = count(1)

        @settings(max_examples=examples(50))
        @given(history=acts, start=st.floats(0, 1), length=st.floats(0, 1))
        def check(history: list[Act], start: float, length: float) -> None:
            ledger.run("BEGIN")
            try:
                transcript_id = store_transcript(ledger, next(numbers))
                generations = [b""]
                for act in history:
                    apply(ledger, transcript_id, act, generations)
                    assert_reassembles(ledger, transcript_id, generations)
                assert_ranges(ledger, transcript_id, generations, start, length)
            finally:
                ledger.run("ROLLBACK")

        def store_transcript(ledger: Ledger, number: int) -> int:
            transcript = started(writer, number)
            transcript.store(writer.ledger.connection)
            return transcript.id

        check()


def apply(ledger: Ledger, transcript_id: int, act: Act, generations: list[bytes]) -> None:
    now = generations[-1]
    if act.what == "append":
        for first, end, is_own in raw.block_spans(act.data):
            part, is_open = act.data[first:end], int(act.is_open and not is_own)
            row = (transcript_id, len(now) + first, len(part), len(generations), is_open, *pack(part))
            ledger.run(raw.INSERT_BLOCK, row)
        generations[-1] = now + act.data
    elif act.what == "supersede":
        starts = [0, *(place + 1 for place, byte in enumerate(now) if byte == 10)]
        offset = starts[round(act.where * (len(starts) - 1))]
        raw.supersede_from(ledger, transcript_id, offset, len(generations) + 1)
        generations.append(now[:offset])
    else:
        raw.seal(ledger, transcript_id)
        open_blocks = (
            "SELECT byte_length FROM _blocks WHERE transcript_id = ? AND is_open = 1 AND superseded_in IS NULL"
        )
        still_open = [size for (size,) in ledger.execute(open_blocks, (transcript_id,))]
        assert len(still_open) <= 1
        assert all(size < raw.BLOCK_BYTES for size in still_open)
        assert raw.open_bytes(ledger, transcript_id) == sum(still_open)


def assert_reassembles(ledger: Ledger, transcript_id: int, generations: list[bytes]) -> None:
    for generation, expected in enumerate(generations, 1):
        parts = list(raw.blocks(ledger, transcript_id, generation))
        assert b"".join(part for _, part in parts) == expected
        assert [offset for offset, _ in parts] == [sum(len(part) for _, part in parts[:n]) for n in range(len(parts))]


def assert_ranges(ledger: Ledger, transcript_id: int, generations: list[bytes], at: float, length: float) -> None:
    for generation, expected in enumerate(generations, 1):
        start = round(at * len(expected))
        end = start + round(length * (len(expected) - start))
        for last in (end, None):
            parts = list(raw.blocks(ledger, transcript_id, generation, start, last))
            assert b"".join(part for _, part in parts) == expected[start:last]
            assert not expected[start:last] or parts[0][0] == start


def test_a_damaged_block_is_named_and_never_given_out(tmp_path: Path) -> None:
    with scratch_ledger(tmp_path) as ledger, scratch_writer(ledger) as writer:
        transcript = started(writer)
        transcript.store(writer.ledger.connection)
        codec, packed = pack(b"line of a transcript\n" * 1000)
        broken = packed[:-3] + bytes([packed[-3] ^ 1]) + packed[-2:]
        ledger.run(raw.INSERT_BLOCK, (transcript.id, 0, 21_000, 1, 0, codec, broken))
        with pytest.raises(LedgerCorrupt, match=f"raw bytes of transcript {transcript.id} in .* are damaged"):
            list(raw.blocks(ledger, transcript.id, 1))
