"""Complete lines from a byte offset, in bounded memory; never a torn one.

Yields chunks of whole lines; a line above the limit is yielded as its span alone, to be streamed by the caller. Knows
nothing of what a line means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.sources.opening import read_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines that start at `offset`, newlines included. `is_last`: the file ended behind them when it was read."""

    offset: int
    data: bytes
    is_last: bool


@dataclass(frozen=True, slots=True)
class LongLine:
    """A complete line of `length` bytes, newline included, too long to be held in memory."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Tail:
    """What follows the last newline: `length` bytes from `offset`; `data` unless it is too long to be held."""

    offset: int
    length: int
    data: bytes | None


def complete_lines(
    source: BinaryIO, offset: int, max_line_bytes: int, *, scanned: int = 0, end: int | None = None
) -> Iterator[Chunk | LongLine | Tail]:
    """Everything from `offset` on: chunks and long lines in order, then always one Tail.

    Where the file cannot be read further, SourceError comes after all complete lines before that.
    `end`: look no further than this; None = as far as it goes.
    `scanned`: no newline stands between `offset` and there, as an earlier call found; spares looking again.
    """
    max_line_bytes += 1  # the limit is on what stands before the newline
    held: list[bytes] = []  # pieces since the last newline
    start = offset  # where `held` begins
    length = 0  # bytes since the last newline, held or not
    fault: SourceError | None = None
    if scanned - offset > max_line_bytes:
        length = scanned - offset
        position = scanned
    else:
        position = offset
    pieces = read_pieces(source, position, end, CHUNK_BYTES)
    piece = next(pieces, b"")
    while piece:
        try:
            following = next(pieces, b"")
        except SourceError as error:
            following, fault = b"", error
        is_last = not following
        newline, last = piece.find(b"\n"), piece.rfind(b"\n") + 1
        if newline >= 0 and length > min(CHUNK_BYTES, max_line_bytes):
            # A line that spans whole pieces, or is too long to be held, goes alone: nothing else in memory beside it.
            first_length = length + newline + 1
            if first_length > max_line_bytes:
                yield LongLine(start, first_length)
            else:
                held.append(piece[: newline + 1])
                line, held = b"".join(held), []
                yield Chunk(start, line, is_last and last == newline + 1)
                del line
            start, held, length = start + first_length, [], 0
            piece, last = piece[newline + 1 :], last - newline - 1
        if last > 0:
            held.append(piece[:last])
            data, held = b"".join(held) if len(held) > 1 else held[0], []
            yield from _without_long_lines(Chunk(start, data, is_last), max_line_bytes)
            start, piece, length = start + len(data), piece[last:], 0
        if piece:
            length += len(piece)
            if length > max_line_bytes:
                held = []  # too long to be parsed: only its extent is followed from here
            else:
                held.append(piece)
        piece = following
    if fault is not None:
        raise fault
    yield Tail(start, length, b"".join(held) if length < max_line_bytes else None)  # no newline here to allow for


def _without_long_lines(chunk: Chunk, max_line_bytes: int) -> Iterator[Chunk | LongLine]:
    """A chunk as it is, unless the limit is so low that long lines fit into one chunk."""
    if max_line_bytes >= 2 * CHUNK_BYTES or len(chunk.data) <= max_line_bytes:
        yield chunk
        return
    start = position = 0
    data = chunk.data
    while position < len(data):
        after = data.find(b"\n", position) + 1
        if after - position > max_line_bytes:
            if position > start:
                yield Chunk(chunk.offset + start, data[start:position], is_last=False)
            yield LongLine(chunk.offset + position, after - position)
            start = after
        position = after
    if start < len(data):
        yield Chunk(chunk.offset + start, data[start:], chunk.is_last)
