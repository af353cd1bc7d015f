"""How raw bytes are packed inside the ledger: as they are or as one zstd frame, and behind that its CRC-32.

Where retention dropped bytes there are holes: blanks stand there, and before the frame their sha256. The checksum is of
what is stored, so no byte of a block can change unseen: `unpack` tells. Not for OpenClaw's own .zst archives: sources/
reads those.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from struct import Struct
from typing import NamedTuple
from zlib import crc32

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# 0 and 1 are the same without the checksum, as the first ledgers of all have them.
_ZSTD_UNCHECKED = 1
PLAIN = 2
ZSTD = 3
DROPPED = 4
SMALLEST_PACKED = 512  # below this a frame saves nothing worth a call

# Level 3 with tables that fit the processor's cache: measured 8 % smaller than level 1, and no slower than it.
# No checksum inside the frame: it would be of the raw bytes, several times as many, and blind to bits without effect.
_OPTIONS: Mapping[int, int] = {
    zstd.CompressionParameter.compression_level: 3,
    zstd.CompressionParameter.hash_log: 15,
    zstd.CompressionParameter.chain_log: 14,
}
_CHECKSUM_BYTES = 4
_BLANKS = bytes(each if each == ord("\n") else ord(" ") for each in range(256))
_PACKED = (_ZSTD_UNCHECKED, ZSTD, DROPPED)
IS_GONE = f"codec = {DROPPED} AND substr(data, 1, 1) = x'01'"
"""Of a row of _blocks: nothing of its bytes is left."""
NOT_GONE = f"(codec != {DROPPED} OR substr(data, 1, 1) = x'00')"
_HEAD = Struct("<?I")
_HOLE = Struct("<II32s")

PackedBytes = tuple[int, bytes]


class UnpackError(Exception):
    """What is stored is not what was packed."""


def pack(raw: bytes | memoryview) -> PackedBytes:
    """(codec, data). Releases the GIL while it works."""
    if len(raw) < SMALLEST_PACKED:
        return PLAIN, _with_checksum(raw)
    packed = zstd.compress(raw, options=_OPTIONS)
    return (ZSTD, _with_checksum(packed)) if len(packed) < len(raw) else (PLAIN, _with_checksum(raw))


def unpack(codec: int, data: bytes) -> bytes:
    """The raw bytes. Damage shows as UnpackError."""
    if not is_intact(codec, data):
        raise UnpackError("the checksum does not fit")
    stored = memoryview(data)[:-_CHECKSUM_BYTES] if codec >= PLAIN else memoryview(data)
    if codec == DROPPED:
        stored = stored[_table_bytes(stored) :]
    try:
        return zstd.decompress(stored) if codec in _PACKED else bytes(stored)
    except zstd.ZstdError as error:
        raise UnpackError(str(error)) from error


class Hole(NamedTuple):
    """Bytes of a block that were dropped."""

    start: int
    end: int
    sha256: bytes


def cut(raw: bytes, known: Sequence[Hole], spans: Iterable[tuple[int, int]]) -> PackedBytes:
    """A block without the bytes of these spans. `raw` is what was there, with blanks where the `known` holes are.

    Newlines stay: lines are where they were.
    """
    without, holes = bytearray(raw), list(known)
    for start, end in spans:
        gone = raw[start:end]
        holes.append(Hole(start, end, sha256(gone).digest()))
        without[start:end] = gone.translate(_BLANKS)
    table = b"".join(_HOLE.pack(*hole) for hole in sorted(holes))
    is_all = sum(hole.end - hole.start for hole in holes) == len(raw)
    frame = zstd.compress(without, options=_OPTIONS)
    return DROPPED, _with_checksum(_HEAD.pack(is_all, len(holes)) + table + frame)


def holes_of(codec: int, data: bytes) -> list[Hole]:
    """In order; none where nothing was dropped, or where that is not to be told any more."""
    if codec != DROPPED or not is_intact(codec, data):
        return []
    return [Hole(*found) for found in _HOLE.iter_unpack(data[_HEAD.size : _table_bytes(data)])]


def left_of(length: int, known: Iterable[Hole]) -> Iterator[tuple[int, int]]:
    """The spans of a block that are no holes."""
    position = 0
    for start, end in [*[hole[:2] for hole in known], (length, length)]:
        if start > position:
            yield position, start
        position = end


def has_hole_across(codec: int, data: bytes, first: int, last: int) -> bool:
    """Would bytes [first, last) of a block begin or end in a hole? Half a hole has no hash, and cannot stay known."""
    return any(hole.start < border < hole.end for hole in holes_of(codec, data) for border in (first, last))


def part_of(content: bytes, codec: int, data: bytes, first: int, last: int) -> tuple[bytes, PackedBytes]:
    """Bytes [first, last) of a block, raw and packed; where retention dropped some of them, that stays known.

    Not where one would `has_hole_across`: its blanks would pass for bytes.
    """
    holes = [
        Hole(hole.start - first, hole.end - first, hole.sha256)
        for hole in holes_of(codec, data)
        if hole.start >= first and hole.end <= last
    ]
    part = content[first:last]
    return part, cut(part, holes, ()) if holes else pack(part)


def _table_bytes(data: bytes | memoryview) -> int:
    return _HEAD.size + int(_HEAD.unpack_from(data)[1]) * _HOLE.size


def is_intact(codec: int, data: bytes) -> bool:
    """Does the checksum fit? Quicker than `unpack`; what has none is taken as it is."""
    return codec < PLAIN or _checksum(memoryview(data)[:-_CHECKSUM_BYTES]) == data[-_CHECKSUM_BYTES:]


def _with_checksum(stored: bytes | memoryview) -> bytes:
    return b"".join((stored, _checksum(stored)))


def _checksum(stored: bytes | memoryview) -> bytes:
    return crc32(stored).to_bytes(_CHECKSUM_BYTES, "little")
