"""The decompressed bytes of a .zst archive, to be read and sought like a file; damage is told where it lies.

Every byte before the damage can be read: a torn or still unfinished archive may be all that is left of a session.
Not buffered: whoever reads asks for pieces.
"""

from __future__ import annotations

import io
import os
import sys
from typing import BinaryIO

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from syncd.sources.opening import DamagedError

_INPUT_BYTES = 128 * 1024
_NARROWER = 64
_SKIP_BYTES = 1024 * 1024


class ArchiveFile(io.RawIOBase):
    """Owns the file beneath it and answers with its fileno().

    A call of the decompressor that meets damage yields nothing, not even what stands before it. So the input of that
    call is remembered as doubtful and fed again in smaller and smaller portions, at last byte by byte: then all that
    can be had came before the fault.
    """

    def __init__(self, plain: BinaryIO) -> None:
        self._plain = plain
        self._doubtful_from: int | None = None
        self._portion = _INPUT_BYTES
        self._fault: DamagedError | None = None
        self._decoder = zstd.ZstdDecompressor()
        self._position = 0
        self._fed_from = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._plain.fileno()

    def close(self) -> None:
        self._plain.close()
        super().close()

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """From the start only, and no further than the archive goes."""
        if whence != os.SEEK_SET:
            raise io.UnsupportedOperation("an archive is sought from its start only")
        if offset < self._position:
            self._rewind()
        while self._position < offset and self.read(min(_SKIP_BYTES, offset - self._position)):
            pass
        return self._position

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes, fewer where the archive ends or before its damage; there, DamagedError."""
        if size < 0:
            return b"".join(iter(lambda: self.read(_SKIP_BYTES), b""))
        start = self._position
        while True:
            try:
                return self._read(size)
            except DamagedError:
                if self._portion == 1:
                    raise
            self._doubtful_from, self._portion = self._fed_from, max(1, self._portion // _NARROWER)
            self._rewind()
            self.seek(start)

    def _read(self, size: int) -> bytes:
        parts: list[bytes] = []
        try:
            while size > 0 and (part := self._decompressed(size)):
                parts.append(part)
                size -= len(part)
        except DamagedError as error:
            if self._portion > 1 or not parts:
                raise
            self._fault = error  # of the next call
        return b"".join(parts)

    def _decompressed(self, size: int) -> bytes:
        """What one call of the decompressor yields, at most `size` bytes; nothing only at the end."""
        if self._fault is not None:
            raise self._fault
        while True:
            packed = b""
            if self._decoder.eof:  # of a frame: another may follow
                packed = self._decoder.unused_data or self._input()
                if not packed:
                    return b""
                self._decoder = zstd.ZstdDecompressor()
            elif self._decoder.needs_input:
                packed = self._input()
                if not packed:
                    raise DamagedError("it ends in the middle")
            try:
                part: bytes = self._decoder.decompress(packed, size)
            except zstd.ZstdError as error:
                raise DamagedError(str(error)) from error
            if part:
                self._position += len(part)
                return part

    def _input(self) -> bytes:
        self._fed_from = self._plain.tell()
        wanted = _INPUT_BYTES
        if self._doubtful_from is not None:
            before_it = self._doubtful_from - self._fed_from
            wanted = min(wanted, before_it) if before_it > 0 else self._portion
        return self._plain.read(wanted)

    def _rewind(self) -> None:
        self._plain.seek(0)
        self._decoder = zstd.ZstdDecompressor()
        self._position = self._fed_from = 0
        self._fault = None
