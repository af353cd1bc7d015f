"""Complete lines from an offset: whatever the bytes, the borders and the limit, nothing is lost, doubled or torn."""

import io
import tracemalloc
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.sources import lines
from syncd.sources.lines import CHUNK_BYTES, Chunk, LongLine, Tail, complete_lines
from syncd.sources.opening import open_source

NO_LIMIT = 1 << 30

runs = st.one_of(
    st.just(b"\n"),
    st.just(b"\r\n"),
    st.binary(max_size=6),
    st.sampled_from(["é", "😀", "漢字", "\u2028"]).map(str.encode),
    st.integers(1, 40).map(lambda count: b"x" * count),
)
contents = st.lists(runs, max_size=30).map(b"".join)


def parts_of(
    data: bytes,
    offset: int = 0,
    limit: int = NO_LIMIT,
    *,
    chunk: int = CHUNK_BYTES,
    scanned: int = 0,
    end: int | None = None,
) -> list[Chunk | LongLine | Tail]:
    with patch.object(lines, "CHUNK_BYTES", chunk):
        return list(complete_lines(io.BytesIO(data), offset, limit, scanned=scanned, end=end))


def assert_tiled(data: bytes, offset: int, parts: list[Chunk | LongLine | Tail], limit: int) -> Tail:
    """Every byte from `offset` on stands in exactly one part, each part keeps its promise; the tail comes last."""
    position = offset
    *whole, tail = parts
    for part in whole:
        assert part.offset == position
        if isinstance(part, Chunk):
            assert part.data
            assert part.data == data[position : position + len(part.data)]
            assert part.data.endswith(b"\n")
            assert max(map(len, part.data[:-1].split(b"\n"))) <= limit
            position += len(part.data)
        else:
            assert isinstance(part, LongLine)
            text = data[position : position + part.length]
            assert text.find(b"\n") == part.length - 1, "one line, whole"
            assert part.length - 1 > limit
            position += part.length
    assert isinstance(tail, Tail)
    rest = data[position:]
    assert b"\n" not in rest
    assert (tail.offset, tail.length) == (position, len(rest))
    assert tail.data == (rest if len(rest) <= limit else None)
    return tail


@given(
    data=contents,
    seat=st.floats(0, 1),
    cut=st.none() | st.floats(0, 1),
    limit=st.integers(0, 60),
    chunk=st.integers(1, 32),
)
def test_chunks_long_lines_and_tail_tile_the_bytes(
    data: bytes, seat: float, cut: float | None, limit: int, chunk: int
) -> None:
    offset = round(seat * len(data))
    end = None if cut is None else offset + round(cut * (len(data) - offset))
    parts = parts_of(data, offset, limit, chunk=chunk, end=end)
    assert_tiled(data[:end], offset, parts, limit)


@given(data=contents, limit=st.integers(0, 60), chunk=st.integers(1, 32))
def test_the_last_chunk_is_the_one_behind_which_the_file_ended(data: bytes, limit: int, chunk: int) -> None:
    *whole, _ = parts_of(data, 0, limit, chunk=chunk)
    for number, part in enumerate(whole, 1):
        if isinstance(part, Chunk):
            behind = part.offset + len(part.data) - 1
            is_of_last_piece = behind // chunk == (len(data) - 1) // chunk
            assert part.is_last == (number == len(whole) and is_of_last_piece)


@given(
    before=contents, torn=st.binary(max_size=80).map(lambda data: data.replace(b"\n", b"")), after=contents,
    known=st.floats(0, 1), limit=st.integers(0, 60), chunk=st.integers(1, 32),
)  # fmt: skip
def test_what_was_searched_before_is_not_searched_again_and_gives_the_same(
    before: bytes, torn: bytes, after: bytes, known: float, limit: int, chunk: int
) -> None:
    """`scanned`: an earlier look found no newline up to there; the line may be complete by now."""
    data, offset = before + torn + after, len(before)
    parts = parts_of(data, offset, limit, chunk=chunk, scanned=offset + round(known * len(torn)))
    assert_tiled(data, offset, parts, limit)


@given(
    data=contents, steps=st.lists(st.integers(0, 12), max_size=12), limit=st.integers(0, 60), chunk=st.integers(1, 32)
)
def test_a_file_that_grows_meanwhile_is_read_as_far_as_it_went(
    data: bytes, steps: list[int], limit: int, chunk: int
) -> None:
    class Growing(io.BytesIO):
        visible = 0

        def read(self, size: int | None = -1, /) -> bytes:
            self.visible = min(len(data), self.visible + (steps.pop() if steps else len(data)))
            place = self.tell()
            found = super().read(size)[: max(0, self.visible - place)]
            self.seek(place + len(found))
            return found

    with patch.object(lines, "CHUNK_BYTES", chunk):
        parts = list(complete_lines(Growing(data), 0, limit))
    tail = parts[-1]
    assert_tiled(data[: tail.offset + (tail.length if isinstance(tail, Tail) else 0)], 0, parts, limit)


@pytest.mark.parametrize("chunk", range(1, 12))
def test_a_character_on_a_border_stays_whole(chunk: int) -> None:
    text = "é😀漢字\u2028ü\n" * 3 + "😀"
    *chunks, tail = parts_of(text.encode(), chunk=chunk)
    read = [part.data.decode() for part in chunks if isinstance(part, Chunk)]
    assert "".join(read) + "😀" == text
    assert isinstance(tail, Tail)
    assert tail.data == "😀".encode()


def test_usual_files_come_in_few_chunks() -> None:
    data = b'{"a": 1}\n' * 400_000
    parts = parts_of(data)
    assert_tiled(data, 0, parts, NO_LIMIT)
    assert len(parts) <= len(data) // CHUNK_BYTES + 2
    assert [part.is_last for part in parts if isinstance(part, Chunk)] == [False] * (len(parts) - 2) + [True]


@pytest.mark.parametrize("is_complete", [True, False])
def test_a_line_above_the_limit_is_never_held_in_memory(tmp_path: Path, is_complete: bool) -> None:
    path, size = tmp_path / "long.jsonl", 48 * CHUNK_BYTES
    with path.open("wb") as file:
        file.truncate(size)  # a hole: NULs, and no disk
        file.seek(size)
        file.write(b"\n{}\n" if is_complete else b"")
    tracemalloc.start()
    try:
        with open_source(str(path)) as source:
            parts = list(complete_lines(source, 0, 2 * CHUNK_BYTES))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * CHUNK_BYTES
    if is_complete:
        assert parts == [LongLine(0, size + 1), Chunk(size + 1, b"{}\n", is_last=True), Tail(size + 4, 0, b"")]
    else:
        assert parts == [Tail(0, size, None)]


@pytest.mark.parametrize("limit", [CHUNK_BYTES // 2, CHUNK_BYTES, 2 * CHUNK_BYTES, 3 * CHUNK_BYTES])
@pytest.mark.parametrize("over", [-1, 0, 1])
def test_the_limit_is_exact_around_the_size_of_a_chunk(limit: int, over: int) -> None:
    data = b"{}\n" + b"x" * (limit + over) + b"\n{}\n"
    parts = parts_of(data, 0, limit)
    assert_tiled(data, 0, parts, limit)
    assert any(isinstance(part, LongLine) for part in parts) == (over > 0)
    torn = data[:-4]
    assert_tiled(torn, 0, parts_of(torn, 0, limit), limit)
