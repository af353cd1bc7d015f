"""Events that OpenClaw moved out of its database into cold storage: `cold/<sha256>.jsonl.zst`, or a blob of the same.

Such an archive is the only place of its events, so none is given before all of it was found whole: name, size, sha256
are those that the database tells, as the number of events must be. Other records were made from the events.
"""

from __future__ import annotations

import io
import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, cast

from syncd.openclaw.lines import Decoded, decode_line
from syncd.sources.archive import ArchiveFile
from syncd.sources.opening import DamagedError, NotThereError, StoreError, open_source
from syncd.sources.store_opening import read_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.sources.store_opening import Store

TABLE: Final = "session_transcript_cold_archives"
_ARCHIVE: Final = f"""SELECT rowid, archive_name, archive_sha256, archive_bytes, event_count, storage FROM {TABLE}
    WHERE session_id = ?"""
_FILES: Final = f"""SELECT session_id, archive_name FROM {TABLE} AS cold WHERE storage != 'sqlite'
    AND NOT EXISTS (SELECT 1 FROM transcript_events AS event
        WHERE event.session_id = cold.session_id AND event.seq <= cold.last_seq) ORDER BY session_id"""
"""Those that are needed: events may be back in their table."""
_FILES_COLUMNS: Final = frozenset({"session_id", "archive_name", "storage", "last_seq"})
_NAME: Final = re.compile(r"[0-9a-f]{64}\.jsonl\.zst", re.ASCII)
_PIECE_BYTES: Final = 1024 * 1024
_HINT: Final = "put it back from a backup of OpenClaw's state; what the ledger has of the session is kept"


class _Archive(NamedTuple):
    """A row of the table."""

    rowid: int
    name: str
    sha256: str
    size: int
    events: int
    storage: str


def cold_events(store_path: str, session_id: str) -> Iterator[tuple[int, bytes]]:
    """(seq, event) of a session in cold storage, in order; none where it is not there.

    StoreError: `cold_archive_missing`, `cold_archive_damaged`, or why the database cannot be asked.
    """
    row = read_store(store_path, lambda store: _row(store, session_id))
    if row is None:
        return
    archive = _Archive._make(row)
    with _opened(store_path, archive) as plain:
        _check(store_path, archive, plain)
        plain.seek(0)
        found = 0
        for found, event in enumerate(_events(store_path, archive, plain), 1):  # noqa: B007 - counted after the loop
            yield event
        if found != archive.events:
            raise _damaged(store_path, archive, f"has {found} events, not {archive.events}")


def missing_archives(store_path: str) -> dict[str, StoreError]:
    """By session id: what is wrong with archives that should be there, as far as their directory tells."""
    rows = read_store(store_path, _files)
    paths = ((session_id, cold_archive_path(store_path, name)) for session_id, name in rows)
    return {session_id: _missing(path) for session_id, path in paths if not os.path.lexists(path)}


def cold_archive_path(store_path: str, name: str) -> str:
    return os.path.join(archive_directory(store_path), "cold", name)


def archive_directory(store_path: str) -> str:
    """Beside the database, or in `sessions` beside its directory where that is an agent's own."""
    directory = os.path.dirname(store_path)
    if os.path.basename(directory) == "agent":
        return os.path.join(os.path.dirname(directory), "sessions")
    return directory


def _files(store: Store) -> list[tuple[str, str]]:
    return list(store.rows(_FILES)) if store.columns(TABLE) >= _FILES_COLUMNS else []


def _row(store: Store, session_id: str) -> tuple[object, ...] | None:
    return store.row(_ARCHIVE, (session_id,)) if store.has(TABLE) else None


def _opened(store_path: str, archive: _Archive) -> BinaryIO:
    if archive.storage == "sqlite":
        return cast("BinaryIO", _BlobFile(store_path, archive))
    if _NAME.fullmatch(archive.name) is None:
        raise _damaged(store_path, archive, "has a name that OpenClaw would not read")
    path = cold_archive_path(store_path, archive.name)
    try:
        return open_source(path)
    except NotThereError as error:
        raise _missing(path) from error


def _missing(path: str) -> StoreError:
    return StoreError("cold_archive_missing", path, "is missing", _HINT)


def _check(store_path: str, archive: _Archive, plain: BinaryIO) -> None:
    digest, size = sha256(), 0
    while piece := plain.read(_PIECE_BYTES):
        digest.update(piece)
        size += len(piece)
    if size != archive.size:
        raise _damaged(store_path, archive, f"has {size} bytes, not {archive.size}")
    if digest.hexdigest() != archive.sha256:
        raise _damaged(store_path, archive, "is not the one that was written (sha256)")


def _events(store_path: str, archive: _Archive, plain: BinaryIO) -> Iterator[tuple[int, bytes]]:
    try:
        for line in _lines(ArchiveFile(plain)):
            record = decode_line(line)
            if not isinstance(record, Decoded):
                raise DamagedError(record.reason)
            if record.value.get("kind") == "event":
                yield int(record.value["row"]["seq"]), record.value["row"]["event_json"].encode()
    except (DamagedError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise _damaged(store_path, archive, "has a record that cannot be read") from error


def _lines(source: ArchiveFile) -> Iterator[bytes]:
    parts: list[bytes] = []
    while piece := source.read(_PIECE_BYTES):
        *whole, rest = piece.split(b"\n")
        for line in whole:
            yield b"".join((*parts, line))
            parts.clear()
        parts.append(rest)
    if last := b"".join(parts):
        yield last


class _BlobFile(io.RawIOBase):
    """An archive that is still in the database, read in pieces, each in a transaction of its own."""

    def __init__(self, store_path: str, archive: _Archive) -> None:
        self._store_path, self._archive, self._position = store_path, archive, 0

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        assert whence == os.SEEK_SET
        self._position = offset
        return offset

    def read(self, size: int = -1) -> bytes:
        start = self._position
        end = self._archive.size if size < 0 else min(start + size, self._archive.size)
        if start >= end:
            return b""
        row = self._archive.rowid
        piece = read_store(self._store_path, lambda store: store.piece(TABLE, "archive_blob", row, start, end))
        self._position += len(piece)
        return piece


def _damaged(store_path: str, archive: _Archive, reason: str) -> StoreError:
    path = store_path if archive.storage == "sqlite" else cold_archive_path(store_path, archive.name)
    return StoreError("cold_archive_damaged", path, f"{reason} (cold archive {archive.name})", _HINT)
