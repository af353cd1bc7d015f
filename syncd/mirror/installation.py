"""An OpenClaw state dir as the ledger knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.ledger.files import FileTable
from syncd.mirror.path_text import printable

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.writer import Writer


def enrol(writer: Writer, state_dir: str) -> FileTable:
    """The files of this state dir; its row is made at the first sight."""
    import socket  # `status` reads installations too, and makes none

    writer.ledger.run(
        "INSERT INTO installations (state_dir, host, first_seen_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (printable(state_dir), socket.gethostname(), writer.clock.now_ms()),
    )
    return known_files(writer.ledger, state_dir)


def known_files(ledger: Ledger, state_dir: str) -> FileTable:
    """The files of this state dir as far as the ledger knows it; none if it was never mirrored."""
    row = ledger.row("SELECT id FROM installations WHERE state_dir = ?", (printable(state_dir),))
    return FileTable(ledger, int(row[0]) if row else 0, state_dir)
