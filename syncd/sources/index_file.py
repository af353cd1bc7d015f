"""Reading one sessions.json: a single look, without waiting, whose every outcome is a value.

One descriptor, so that a rename in between cannot mix two versions; size and mtime before and after, so that a writer
in place cannot either. When to look again is the caller's to decide.
"""

from __future__ import annotations

import os
import stat as stat_flags
from typing import TYPE_CHECKING, Literal, NamedTuple

from syncd.errors import SourceError
from syncd.openclaw.index import digest_of, read_entries
from syncd.records import FileStat
from syncd.sources.opening import NotThereError, RefusedError, open_source, read_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from syncd.openclaw.index import IndexEntries

MAX_INDEX_BYTES = 128 * 1024 * 1024
_PIECE_BYTES = 4 * 1024 * 1024

Fault = Literal[
    "absent",
    "empty",  # 0 bytes, or nothing but blanks and NULs
    "torn",  # no index as it stands: half-written, or written to while it was read
    "symlink",  # OpenClaw refuses those itself
    "not_regular",
    "too_large",
    "unreadable",  # permissions, I/O
    "busy",  # OpenClaw's own database, held by OpenClaw
]


class Unchanged(NamedTuple):
    """The bytes are those that were read before; `stat` may be new (chmod, rewritten alike)."""

    stat: FileStat


class Window(NamedTuple):
    """A session id that a key stands for, or stood for, as OpenClaw's own database has it."""

    session_id: str
    session_key: str
    previous_session_id: str | None
    reason: str | None
    """Why the previous one ended."""


class Index(NamedTuple):
    entries: IndexEntries
    stat: FileStat
    digest: bytes
    windows: tuple[Window, ...] = ()
    bare: frozenset[str] = frozenset()
    """Of OpenClaw's own database: keys that have no entry, yet or any more; one with the session id stands for it."""
    broken: frozenset[str] = frozenset()
    """Of the same: keys whose entry is no JSON."""


class Unreadable(NamedTuple):
    reason: Fault
    stat: FileStat | None = None
    told: tuple[str, str] | None = None
    """Of OpenClaw's own database: the code of what is wrong with it, and why."""


IndexLook = Unchanged | Index | Unreadable


def look_at_index(
    path: str,
    proven: FileStat | None = None,
    digest: bytes | None = None,
    known: Callable[[], Mapping[bytes, str]] = dict,
    max_bytes: int = MAX_INDEX_BYTES,
) -> IndexLook:
    """The index as it stands now.

    `proven`: the stat under which its bytes need no second reading; `digest`: of the bytes read last; `known`: the
    entries read before, digest to key, asked for only if the bytes are new.
    """
    try:
        with open_source(path) as source:
            before = FileStat.of(os.fstat(source.fileno()))
            if before == proven:
                return Unchanged(before)
            if before.size > max_bytes:
                return Unreadable("too_large", before)
            raw = b"".join(read_pieces(source, 0, max_bytes + 1, _PIECE_BYTES))
            after = FileStat.of(os.fstat(source.fileno()))
    except NotThereError:
        return Unreadable("absent")
    except RefusedError:
        return Unreadable("symlink" if _is_symlink(path) else "not_regular")
    except SourceError:
        return Unreadable("unreadable")
    # A rename over the path changes the old file's ctime, not what was read.
    if (before.size, before.mtime_ns) != (after.size, after.mtime_ns) or len(raw) != before.size:
        return Unreadable("torn", after)
    found = digest_of(raw)
    if found == digest:
        return Unchanged(before)
    if not raw.strip(b" \t\r\n\0"):
        return Unreadable("empty", before)
    entries = read_entries(raw, known())
    return Index(entries, before, found) if entries is not None else Unreadable("torn", before)


def _is_symlink(path: str) -> bool:
    try:
        return stat_flags.S_ISLNK(os.lstat(path).st_mode)
    except OSError:
        return False
