"""An OpenClaw state dir as the ledger knows it, also where it was moved since. Only looks.

OpenClaw moves a legacy state dir to its new name and leaves a symlink; people move theirs. The path is only where it
is: what the ledger knows of a moved one holds under the new path. A second state dir is another installation.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import SourceError
from syncd.ledger.files import FileTable
from syncd.path_text import printable
from syncd.sources.store_paths import is_stored, session_id_of, store_of

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger


class Installation(NamedTuple):
    id: int
    state_dir: str


def known_files(ledger: Ledger, state_dir: str) -> FileTable:
    """The files of this state dir as far as the ledger knows it; none if it was never mirrored."""
    found = enrolled(ledger, state_dir) or moved_to(ledger, state_dir)
    return FileTable(ledger, found.id if found else 0, state_dir)


def enrolled(ledger: Ledger, state_dir: str) -> Installation | None:
    row = ledger.row("SELECT id, state_dir FROM installations WHERE state_dir = ?", (printable(state_dir),))
    return Installation._make(row) if row else None


def moved_to(ledger: Ledger, state_dir: str) -> Installation | None:
    """The installation of this host that lies here now, and no longer as itself where the ledger has it."""
    query = "SELECT id, state_dir FROM installations WHERE host = ? ORDER BY id"
    linked, gone = [], []
    for known in map(Installation._make, ledger.execute(query, (host(),))):
        if os.path.realpath(known.state_dir) == state_dir:
            linked.append(known)
        elif not os.path.exists(known.state_dir):
            gone.append(known)
    with_its_files = (known for known in [*linked, *gone] if _has_a_file_of(ledger, known, state_dir))
    # Where only a link tells it, it may have been copied to another disk: no inode is the same then.
    return next(with_its_files, None) or next(iter(linked), None)


def host() -> str:
    import socket  # seldom needed, and `status` is to be quick

    return socket.gethostname()


def _has_a_file_of(ledger: Ledger, known: Installation, state_dir: str) -> bool:
    """Is any file of it here under the same name, the very same by device and inode? Others may have been replaced.

    Or any session of its databases, by the database's inode or by the generation that OpenClaw gave it.
    """
    query = """SELECT path, dev, ino FROM _files WHERE installation_id = ? AND substr(path, 1, 1) != x'2f'
        AND role != 'log'"""
    for relative, dev, ino in ledger.execute(query, (known.id,)):
        path = os.path.join(state_dir, os.fsdecode(relative))
        if is_stored(path):
            if _is_session(path, dev, ino):
                return True
            continue
        try:
            status = os.lstat(path)
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == (dev, ino):
            return True
    return False


def _is_session(path: str, inode: int, version: int) -> bool:
    store_path = store_of(path)
    if not os.path.exists(store_path):
        return False
    from syncd.sources.store_sessions import stat_of_session, store_inode  # bring a driver; `status` is to be quick

    try:
        there = stat_of_session(store_path, session_id_of(path))
    except SourceError:
        return store_inode(store_path) == inode  # it cannot be asked now: what else is known of it has to do
    return there is not None and (there.dev == inode or there.ino == version)
