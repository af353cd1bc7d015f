"""Is a file one of the sessions asked for? By the ledger, by its name, or by the header inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.mirror.placement import header_id
from syncd.openclaw.file_kinds import classify
from syncd.sources.opening import open_source

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable, KnownFile
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile

SessionIds = frozenset[str] | None
"""None: every session."""


def is_of_sessions(
    ledger: Ledger, wanted: SessionIds, name: FileName, known: KnownFile | None, source: BinaryIO
) -> bool:
    if wanted is None or name.session_id in wanted or _known_id(ledger, known) in wanted:
        return True
    return name.kind != "trajectory" and header_id(source) in wanted


def is_file_of_sessions(
    ledger: Ledger, wanted: frozenset[str], files: FileTable, listed: ListedFile, name: FileName
) -> bool:
    try:
        with open_source(listed.path, is_zst=name.is_zst) as source:
            return is_of_sessions(ledger, wanted, name, files.get(listed.path), source)
    except SourceError:
        return name.session_id in wanted


def is_path_of_sessions(ledger: Ledger, wanted: frozenset[str], files: FileTable, path: str) -> bool:
    """For a file that is not there any more."""
    name = classify(path.rpartition("/")[2])
    return name.session_id in wanted or _known_id(ledger, files.get(path)) in wanted


def _known_id(ledger: Ledger, known: KnownFile | None) -> str | None:
    if known is None or known.transcript_id is None:
        return None
    row = ledger.row("SELECT session_id FROM transcripts WHERE id = ?", (known.transcript_id,))
    return str(row[0]) if row else None
