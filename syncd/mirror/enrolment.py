"""Taking a state dir up: its row is made, or, where it was moved, follows it there with every path below it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from syncd.ledger.backups import kept_backups
from syncd.ledger.events import note_event
from syncd.ledger.row_audit import damaged_rows
from syncd.ledger.row_mending import mend_rows
from syncd.ledger.transaction import writing
from syncd.mirror.installation import enrolled, host, known_files, moved_to
from syncd.path_text import printable

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.ledger.row_mending import MendedRows
    from syncd.ledger.writer import Writer
    from syncd.mirror.installation import Installation

_MOVE_TRANSCRIPTS = """UPDATE transcripts SET path = ?3 || substr(path, length(?2) + 1)
    WHERE installation_id = ?1 AND substr(path, 1, length(?2) + 1) = ?2 || '/'"""
# Of blobs, `||` makes a text. A path that is known in its new place already keeps what is known of it there.
_MOVE_BLOBS = """UPDATE OR IGNORE {table} SET path = CAST(?3 || substr(path, length(?2) + 1) AS BLOB)
    WHERE installation_id = ?1 AND substr(path, 1, length(?2) + 1) = CAST(?2 || '/' AS BLOB)"""
_TABLES_WITH_BLOBS = ("_indexes", "_cron_logs")  # _files keeps its paths relative to the state dir


def enrol(writer: Writer, state_dir: str) -> FileTable:
    """The files of this state dir, which has a row of its own from now on."""
    if enrolled(writer.ledger, state_dir) is None:
        _mend_names(writer)
    if enrolled(writer.ledger, state_dir) is None:
        moved = moved_to(writer.ledger, state_dir)
        if moved is not None:
            _move(writer, moved, printable(state_dir))
        else:
            writer.ledger.run(
                "INSERT INTO installations (state_dir, host, first_seen_at) VALUES (?, ?, ?)",
                (printable(state_dir), host(), writer.clock.now_ms()),
            )
    return known_files(writer.ledger, state_dir)


def _mend_names(writer: Writer) -> None:
    """A letter that changed by itself must not make another installation of this one."""
    ledger = writer.ledger
    damaged = list(damaged_rows(ledger, ("installations",)))
    if damaged:
        backups = [kept.path for kept in kept_backups(ledger.path.absolute())]
        name_host_again(ledger, mend_rows(ledger, damaged, backups, writer.clock.now_ms()))


def name_host_again(ledger: Ledger, mended: MendedRows) -> None:
    """Where nothing tells what the row was, this at least can be asked; a state dir that is found moves it there."""
    for row in mended.doubtful:
        if row.table == "installations":
            ledger.run("UPDATE installations SET host = ? WHERE id = ?", (host(), *row.key))


def _move(writer: Writer, known: Installation, state_dir: str) -> None:
    """In one transaction; no file's bytes are looked at for it."""
    writer.flush()
    former, now = os.fsencode(known.state_dir), os.fsencode(state_dir)
    detail = {"installation": known.id, "former": known.state_dir, "path": state_dir}
    with writing(writer.ledger) as connection:
        connection.execute("UPDATE installations SET state_dir = ? WHERE id = ?", (state_dir, known.id))
        connection.execute(_MOVE_TRANSCRIPTS, (known.id, known.state_dir, state_dir))
        for table in _TABLES_WITH_BLOBS:
            connection.execute(_MOVE_BLOBS.format(table=table), (known.id, former, now))
        note_event(writer.ledger, writer.clock.now_ms(), "moved", None, detail)
