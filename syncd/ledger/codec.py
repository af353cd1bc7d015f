"""How raw bytes are packed inside the ledger: as they are or as one zstd frame, and behind that its CRC-32.

The checksum is of what is stored, so no byte of a block can change unseen: `unpack` tells. Not for OpenClaw's own .zst
archives: sources/ reads those.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from zlib import crc32

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# 0 and 1 are the same without the checksum, as the first ledgers of all have them.
PLAIN = 2
ZSTD = 3
SMALLEST_PACKED = 512  # below this a frame saves nothing worth a call

# Level 3 with tables that fit the processor's cache: measured 8 % smaller than level 1, and no slower than it.
# No checksum inside the frame: it would be of the raw bytes, several times as many, and blind to bits without effect.
_OPTIONS: Mapping[int, int] = {
    zstd.CompressionParameter.compression_level: 3,
    zstd.CompressionParameter.hash_log: 15,
    zstd.CompressionParameter.chain_log: 14,
}
_CHECKSUM_BYTES = 4
_PACKED = (1, ZSTD)

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
    stored = memoryview(data)
    if codec >= PLAIN:
        stored = stored[:-_CHECKSUM_BYTES]
        if _checksum(stored) != data[-_CHECKSUM_BYTES:]:
            raise UnpackError("the checksum does not fit")
    try:
        return zstd.decompress(stored) if codec in _PACKED else bytes(stored)
    except zstd.ZstdError as error:
        raise UnpackError(str(error)) from error


def _with_checksum(stored: bytes | memoryview) -> bytes:
    return b"".join((stored, _checksum(stored)))


def _checksum(stored: bytes | memoryview) -> bytes:
    return crc32(stored).to_bytes(_CHECKSUM_BYTES, "little")
