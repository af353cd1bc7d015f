"""An OpenClaw state dir as the ledger knows it, also after it was moved.

OpenClaw moves a legacy state dir to its new name and leaves a symlink; people move theirs. The path is only where it
is: what the ledger knows of a moved one goes on under the new path. A second state dir is another installation.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.files import FileTable
from syncd.ledger.transaction import writing
from syncd.ledger.writer import INSERT_EVENT, event_row
from syncd.mirror.path_text import printable

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.writer import Writer

_MOVE_TRANSCRIPTS = """UPDATE transcripts SET path = ?3 || substr(path, length(?2) + 1)
    WHERE installation_id = ?1 AND substr(path, 1, length(?2) + 1) = ?2 || '/'"""
# Of blobs, `||` makes a text. A path that is known in its new place already keeps what is known of it there.
_MOVE_BLOBS = """UPDATE OR IGNORE {table} SET path = CAST(?3 || substr(path, length(?2) + 1) AS BLOB)
    WHERE installation_id = ?1 AND substr(path, 1, length(?2) + 1) = CAST(?2 || '/' AS BLOB)"""
_TABLES_WITH_BLOBS = ("_indexes", "_cron_logs")  # _files keeps its paths relative to the state dir


class _Installation(NamedTuple):
    id: int
    state_dir: str


def enrol(writer: Writer, state_dir: str) -> FileTable:
    """The files of this state dir; its row is made at the first sight, or follows it to where it was moved."""
    if _enrolled(writer.ledger, state_dir) is None:
        moved = _moved_to(writer.ledger, state_dir)
        if moved is not None:
            _move(writer, moved, printable(state_dir))
        else:
            writer.ledger.run(
                "INSERT INTO installations (state_dir, host, first_seen_at) VALUES (?, ?, ?)",
                (printable(state_dir), _host(), writer.clock.now_ms()),
            )
    return known_files(writer.ledger, state_dir)


def known_files(ledger: Ledger, state_dir: str) -> FileTable:
    """The files of this state dir as far as the ledger knows it; none if it was never mirrored."""
    found = _enrolled(ledger, state_dir) or _moved_to(ledger, state_dir)
    return FileTable(ledger, found.id if found else 0, state_dir)


def _enrolled(ledger: Ledger, state_dir: str) -> _Installation | None:
    row = ledger.row("SELECT id, state_dir FROM installations WHERE state_dir = ?", (printable(state_dir),))
    return _Installation._make(row) if row else None


def _moved_to(ledger: Ledger, state_dir: str) -> _Installation | None:
    """The installation of this host that lies here now, and no longer as itself where the ledger has it."""
    query = "SELECT id, state_dir FROM installations WHERE host = ? ORDER BY id"
    linked, gone = [], []
    for known in map(_Installation._make, ledger.execute(query, (_host(),))):
        if os.path.realpath(known.state_dir) == state_dir:
            linked.append(known)
        elif not os.path.exists(known.state_dir):
            gone.append(known)
    with_its_files = (known for known in [*linked, *gone] if _has_a_file_of(ledger, known, state_dir))
    # Where only a link tells it, it may have been copied to another disk: no inode is the same then.
    return next(with_its_files, None) or next(iter(linked), None)


def _has_a_file_of(ledger: Ledger, known: _Installation, state_dir: str) -> bool:
    """Is any file of it here under the same name, the very same by device and inode? One may have been replaced."""
    query = "SELECT path, dev, ino FROM _files WHERE installation_id = ? AND substr(path, 1, 1) != x'2f'"
    top = os.fsencode(state_dir)
    for path, dev, ino in ledger.execute(query, (known.id,)):
        try:
            status = os.lstat(os.path.join(top, path))
        except OSError:
            continue
        if (status.st_dev, status.st_ino) == (dev, ino):
            return True
    return False


def _move(writer: Writer, known: _Installation, state_dir: str) -> None:
    """Every path below the former place, in one transaction; no file's bytes are looked at for it."""
    writer.flush()
    former, now = os.fsencode(known.state_dir), os.fsencode(state_dir)
    detail = {"installation": known.id, "former": known.state_dir, "path": state_dir}
    with writing(writer.ledger) as connection:
        connection.execute("UPDATE installations SET state_dir = ? WHERE id = ?", (state_dir, known.id))
        connection.execute(_MOVE_TRANSCRIPTS, (known.id, known.state_dir, state_dir))
        for table in _TABLES_WITH_BLOBS:
            connection.execute(_MOVE_BLOBS.format(table=table), (known.id, former, now))
        connection.execute(INSERT_EVENT, event_row(writer.clock, "moved", None, detail))


def _host() -> str:
    import socket  # `status` reads installations too, and seldom needs it

    return socket.gethostname()
