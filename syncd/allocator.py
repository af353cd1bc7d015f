"""The C allocator's habit of keeping large buffers, switched off where it is glibc's.

glibc raises its limit for buffers that go back to the system each time one is freed, so a few lines of megabytes would
leave a long-running process fat for good. Not a memory limit.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 1024 * 1024


def give_back_large_buffers() -> None:
    """From now on buffers of a mebibyte and more are returned to the system when freed. A no-op elsewhere."""
    # musl, macOS and Windows: their allocators have no such habit, or no such switch.
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
