"""Looking for words in the files of a ledger as a stranger would: every byte of each file, packed blocks unpacked too.

Not through syncd's own reading: stdlib sqlite3 opens copies of the files, after the product has closed them.
"""

import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


def places_with(top: Path, *words: str) -> list[str]:
    """Where below `top` any of these words is: file names, bytes of files, zstd frames inside them, search terms."""
    found = []
    for path in sorted(item for item in top.rglob("*") if item.is_file()):
        for word in words:
            raw = word.encode()
            if raw in str(path).encode():
                found.append(f"{path.name}: its name has {word}")
            found += [f"{path.name}: {where} has {word}" for where, data in _contents(path) if raw in data]
            found += [f"{path.name}: {where} has {word}" for where in _terms_like(path, word)]
    return found


def _contents(path: Path) -> Iterator[tuple[str, bytes]]:
    data = path.read_bytes()
    yield "a byte of it", data
    # A term of the search index shares its first letters with the one before it.
    for match in re.finditer(re.escape(_ZSTD_MAGIC), data):
        try:
            yield f"a frame at {match.start()}", zstd.ZstdDecompressor().decompress(data[match.start() :])
        except zstd.ZstdError:
            continue
    yield from (("a packed block", block) for block in _blocks(path))


def _blocks(path: Path) -> Iterator[bytes]:
    """Frames that lie on overflow pages, and so not in one piece in the file."""
    for codec, data in _rows(path, "SELECT codec, data FROM _blocks"):
        if codec in (1, 3):
            yield zstd.decompress(data[:-4] if codec == 3 else data)
        else:
            yield data


def _terms_like(path: Path, word: str) -> list[str]:
    return [
        f"the search term {term}"
        for (term,) in _rows(
            path, "SELECT term FROM terms", "CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, search, 'row')"
        )
        if any(part in term for part in re.findall(r"[a-z0-9]+", word.lower()) if len(part) > 5)
    ]


def _rows(path: Path, query: str, before: str = "") -> list[tuple[Any, ...]]:
    if not path.read_bytes().startswith(b"SQLite format 3\0"):
        return []
    copy = path.with_name(f"{path.name}.looked-at")
    shutil.copy(path, copy)
    connection = sqlite3.connect(copy)
    try:
        if before:
            connection.execute(before)
        return connection.execute(query).fetchall()
    except sqlite3.DatabaseError:
        return []
    finally:
        connection.close()
        for end in ("", "-wal", "-shm", "-journal"):
            Path(f"{copy}{end}").unlink(missing_ok=True)
