"""What bears the ledger's name and never was one: told before anything is made beside it, by its kind and first bytes.

Not for a ledger that is damaged, which still has marks of its own; nor for one that has a lock file, which syncd made
there once. Relies on nobody in this process having the file open: closing it here would drop SQLite's locks.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from syncd.errors import LedgerCorrupt, LedgerError
from syncd.ledger.database import APPLICATION_ID

if TYPE_CHECKING:
    from pathlib import Path

LOOK_BYTES: Final = 4 * 1024 * 1024
_OURS: Final = (b"CREATE TABLE installations", b"CREATE TABLE _blocks", b"CREATE TABLE transcripts")
_APPLICATION_ID_AT: Final = slice(68, 72)
SQLITE: Final = b"SQLite format 3\0"
_ANY_TABLE: Final = b"CREATE "
_KINDS: Final = {
    stat.S_IFDIR: "a directory",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
}
_HINT: Final = "name another place with `ledger.path` in config.yaml or $SYNCD_LEDGER"
_HINT_WAS_OURS: Final = (
    "if a ledger was there, move what is there now and the files beside it (-wal, -shm) elsewhere, keep them, and put"
    " back a copy made by `syncd ledger backup`"
)


def is_of_a_ledger(head: bytes) -> bool:
    """Are these first bytes of a file a ledger's, whatever has happened to it?"""
    is_marked = head[_APPLICATION_ID_AT] == APPLICATION_ID.to_bytes(4, "big")
    return is_marked or any(text in head for text in _OURS)


def refuse_other_file(path: Path, lock: Path) -> None:
    """LedgerError: nobody's ledger can be there. What is not there yet, or not for us, opening it tells."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            what = _KINDS.get(stat.S_IFMT(status.st_mode), "no regular file")
            raise LedgerError(f"the ledger {path} cannot be used: it is {what}", _HINT)
        if status.st_size == 0 or os.path.lexists(lock):
            return
        with path.open("rb") as file:
            head = file.read(LOOK_BYTES)
    except OSError:
        return
    is_empty_database = head.startswith(SQLITE) and _ANY_TABLE not in head
    if not is_empty_database and not is_of_a_ledger(head):
        raise no_ledger(path)


def no_ledger(path: Path) -> LedgerCorrupt:
    return LedgerCorrupt(f"{path} is a file, but no ledger of syncd", f"{_HINT}; {_HINT_WAS_OURS}")
