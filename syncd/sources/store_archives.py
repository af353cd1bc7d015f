"""Deleted and reset transcripts that lie in OpenClaw's own SQLite only: `session_transcript_archives`.

OpenClaw puts a transcript there in the transaction that takes its rows, and writes it to a file afterwards. As long as
that file is not there, the row is a file to us: `<the database>/<the file's name>`. It is given whole or not at all, by
its sha256.
"""

from __future__ import annotations

import io
import os
from functools import cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, cast

from syncd.records import FileStat
from syncd.sources.archive import ArchiveFile
from syncd.sources.cold_archive import archive_directory
from syncd.sources.opening import NotThereError, StoreError
from syncd.sources.store_opening import read_store
from syncd.sources.store_paths import store_of
from syncd.sources.store_sessions import nanoseconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.sources.store_opening import Store

TABLE: Final = "session_transcript_archives"
_ROWS: Final = f"""SELECT archive_name, rowid, encoding, archive_sha256, octet_length(archive_blob), created_at
    FROM {TABLE} WHERE archive_blob IS NOT NULL"""
BEHIND_ROW: Final = f"{_ROWS} AND rowid > ?"
NAMED: Final = f"{_ROWS} AND archive_name = ?"
_PIECE_BYTES: Final = 1024 * 1024
_INT64: Final = 0x7FFF_FFFF_FFFF_FFFF


class StoredArchive(NamedTuple):
    """A row of which there is no file."""

    name: str
    rowid: int
    encoding: str
    sha256: str
    size: int
    created_at: int

    def stat(self, store_inode: int) -> FileStat:
        """As a file's that never changes."""
        version = int.from_bytes(sha256(self.sha256.encode()).digest()[:8]) & _INT64
        created_at = nanoseconds(self.created_at)
        return FileStat(store_inode, version, self.size, created_at, created_at)


def stored_archives(store_path: str) -> list[StoredArchive]:
    return read_store(store_path, _read)


class NewestArchive(NamedTuple):
    """The row with the highest number. One that is deleted leaves its number to another: the digest tells which."""

    rowid: int
    sha256: str


NO_ARCHIVE: Final = NewestArchive(0, "")


def archives_since(store_path: str, before: NewestArchive | None) -> tuple[list[str], NewestArchive]:
    """Names of those that came since, and the newest of now; None: it is asked for the newest alone.

    However many were there before, they are not looked at, as long as the newest of them is. Where it was deleted, any
    may have come in its place: all are named.
    """
    return read_store(store_path, partial(_since, before=before))


class StoredArchiveFile(io.RawIOBase):
    """Its bytes, decompressed where they are not plain. `stat` is what a file's stat would be: that it is there, and as
    it was, is known without a byte of it.
    """

    def __init__(self, path: str) -> None:
        self._path, self._store_path, name = path, store_of(path), os.path.basename(path)
        found = read_store(self._store_path, partial(_named, name=name))
        if found is None:
            raise NotThereError(f"{path} is gone", "nothing to do", path=path)
        self._found = found
        self.stat = found.stat(os.stat(self._store_path).st_ino & _INT64)

    @cached_property
    def _inner(self) -> io.RawIOBase:
        """Before its first byte is given, all are proven."""
        blob = _Blob(self._store_path, self._found)
        digest = sha256()
        for piece in iter(partial(blob.read, _PIECE_BYTES), b""):
            digest.update(piece)
        if digest.hexdigest() != self._found.sha256:
            hint = "what was read before is kept; `openclaw doctor` may know more"
            raise StoreError("cold_archive_damaged", self._path, "is not what OpenClaw put away (sha256)", hint)
        blob.seek(0)
        return ArchiveFile(cast("BinaryIO", blob)) if self._found.encoding == "zstd" else blob

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._inner.tell()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._inner.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        return self._inner.read(size) or b""

    def read_at(self, start: int, end: int) -> bytes:
        self.seek(start)
        return b"".join(self._pieces(end - start))

    def _pieces(self, wanted: int) -> Iterator[bytes]:
        while wanted > 0 and (piece := self.read(min(wanted, _PIECE_BYTES))):
            wanted -= len(piece)
            yield piece


class _Blob(io.RawIOBase):
    """Read in pieces, each in a transaction of its own."""

    def __init__(self, store_path: str, archive: StoredArchive) -> None:
        self._store_path, self._archive, self._position = store_path, archive, 0

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence != os.SEEK_SET:
            raise io.UnsupportedOperation("an archive is sought from its start only")
        self._position = offset
        return offset

    def read(self, size: int = -1) -> bytes:
        start, whole = self._position, self._archive.size
        end = whole if size < 0 else min(start + size, whole)
        if start >= end:
            return b""
        piece = read_store(self._store_path, partial(_piece, archive=self._archive, start=start, end=end))
        self._position += len(piece)
        return piece


def _read(store: Store, query: str = _ROWS, bindings: tuple[str | int, ...] = ()) -> list[StoredArchive]:
    if not _is_known(store):
        return []
    # Not by `published_at`: OpenClaw sets it after the file, and in between there would be two of one archive.
    directory = archive_directory(store.path)
    archives = (StoredArchive._make(row) for row in store.rows(query, bindings))
    return [archive for archive in archives if not os.path.lexists(os.path.join(directory, archive.name))]


def _since(store: Store, before: NewestArchive | None) -> tuple[list[str], NewestArchive]:
    if not _is_known(store):
        return [], NO_ARCHIVE
    row = store.row(f"SELECT rowid, archive_sha256 FROM {TABLE} ORDER BY rowid DESC LIMIT 1")
    newest = NewestArchive._make(row) if row is not None else NO_ARCHIVE
    if before is None or newest == before:
        return [], newest
    found = store.row(f"SELECT archive_sha256 FROM {TABLE} WHERE rowid = ?", (before.rowid,))
    last_known = before.rowid if found == (before.sha256,) else 0
    return [archive.name for archive in _read(store, BEHIND_ROW, (last_known,))], newest


def _is_known(store: Store) -> bool:
    return {"archive_blob", "archive_sha256"} <= store.columns(TABLE)


def _named(store: Store, name: str) -> StoredArchive | None:
    return next(iter(_read(store, NAMED, (name,))), None)


def _piece(store: Store, archive: StoredArchive, start: int, end: int) -> bytes:
    row = store.row(f"SELECT archive_sha256 FROM {TABLE} WHERE rowid = ?", (archive.rowid,))
    if row != (archive.sha256,):
        raise NotThereError(f"{store.path}/{archive.name} is gone", "nothing to do", path=store.path)
    return store.piece(TABLE, "archive_blob", archive.rowid, start, end)
