"""Three habits of the system below that do not suit a mirror, switched off.

glibc raises its limit for buffers that go back to the system each time one is freed, so a few lines of megabytes would
leave a long-running process fat for good. Python looks for reference cycles after every few hundred new objects, and
a catch-up makes millions that have none; and a thread that computes lets others wait for 5 ms, in which whole batches
are packed and committed. Not a memory limit.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 4 * 1024 * 1024
_KEPT_BYTES = 8 * 1024 * 1024
_HANDOVER_SECONDS = 0.0005


def give_back_large_buffers() -> None:
    """From now on buffers of some mebibytes are returned to the system when freed. A no-op elsewhere."""
    # musl, macOS and Windows: their allocators have no such habit, or no such switch.
    with suppress(AttributeError, OSError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        # Naming one limit freezes the other, so low that every batch's memory is given back and asked for anew.
        library.mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)


def give_back_freed_memory() -> None:
    """What a backlog used and freed goes back to the system: a daemon idles for months after its first catch-up."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def bulk_work() -> Iterator[None]:
    """Makes many objects in bounded batches, each freed by its count, and has other threads work beside it."""
    was_enabled, usual_seconds = gc.isenabled(), sys.getswitchinterval()
    gc.disable()
    sys.setswitchinterval(_HANDOVER_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(usual_seconds)
        if was_enabled:
            gc.enable()
