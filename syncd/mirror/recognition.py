"""How a file that was read is known again: its stat, its first bytes, and the bytes before the cursor.

Hints that make a look cheap; whether all bytes are the ledger's is compare's to prove.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO

from syncd.ledger.files import NO_HASH, KnownFile
from syncd.ledger.raw import PIECE_BYTES
from syncd.mirror.compare import HEAD_BYTES, MARK_BYTES, fingerprint
from syncd.path_text import printable
from syncd.records import FileStat
from syncd.sources.opening import read_pieces

if TYPE_CHECKING:
    from syncd.ledger.transcripts import Transcript


def known_file(transcript_id: int | None, role: str, stat: FileStat, *, is_proven: bool = True) -> KnownFile:
    return KnownFile(transcript_id, role, True, stat, is_proven, 0, NO_HASH, 0, NO_HASH, 0)


def with_prints(
    file: KnownFile, source: BinaryIO, cursor: int, scanned: int, before: KnownFile | None = None
) -> KnownFile:
    """With what a cheap look recognises the file by: its head, and the bytes before the cursor.

    `before`: the same file as it was known, if its head is proven to be what it was.
    """
    head, mark = min(HEAD_BYTES, cursor), min(MARK_BYTES, cursor)
    is_full = before is not None and before.head_bytes == HEAD_BYTES
    return file._replace(
        head_bytes=head,
        head_hash=before.head_hash if before is not None and is_full else fingerprint(source, 0, head),
        mark_bytes=mark,
        mark_hash=fingerprint(source, cursor - mark, cursor),
        scanned=scanned,
    )


def is_inode_at(path: str, stat: FileStat) -> bool:
    """Is that path still this file? Inode numbers are used again."""
    try:
        return FileStat.of(os.lstat(path))[:2] == stat[:2]
    except OSError:
        return False


def is_as_read(known: KnownFile, stat: FileStat, transcript: Transcript, path: str) -> bool:
    """Was all of it read under this very stat, in its transcript's own place?"""
    is_here = known.is_present and transcript.state != "gone" and transcript.path == printable(path)
    return known.role == "place" and known.stat == stat and known.scanned == stat.size and is_here


def has_grown(known: KnownFile, stat: FileStat, transcript: Transcript) -> bool:
    same_file = (known.stat.dev, known.stat.ino) == (stat.dev, stat.ino)
    return known.role == "place" and same_file and stat.size > known.stat.size and stat.size >= transcript.bytes > 0


def matches(known: KnownFile, source: BinaryIO, cursor: int) -> bool:
    """Head and mark are what they were: the bytes before the cursor are, as far as a cheap look tells, untouched."""
    mark = fingerprint(source, cursor - known.mark_bytes, cursor)
    return mark == known.mark_hash and fingerprint(source, 0, known.head_bytes) == known.head_hash


def sha256_of(source: BinaryIO) -> str:
    digest = sha256()
    for piece in read_pieces(source, 0, None, PIECE_BYTES):
        digest.update(piece)
    return digest.hexdigest()
