"""Where an installation keeps its sessions now, for people to see: in files, or in OpenClaw's own SQLite.

By evidence: the side on which a transcript last moved; where none is known yet, databases that have the table.
Not what anything else here goes by: that is decided for each transcript by its bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.sources.store_opening import read_store
from syncd.sources.store_paths import STORE_SUFFIX, is_stored

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.files import FileTable
    from syncd.ledger.writer import Writer
    from syncd.sources.scan import SessionDirectory
    from syncd.sources.store_opening import Store

_LAST_MOVED = """SELECT path FROM transcripts WHERE installation_id = ? AND state = 'live' AND kind != 'trajectory'
    ORDER BY changed_at DESC, id DESC LIMIT 1"""


def note_era(writer: Writer, files: FileTable, directories: Iterable[SessionDirectory]) -> None:
    """After a look at everything; the writer's batch is flushed."""
    stores = [item.path for item in directories if item.path.endswith(STORE_SUFFIX)]
    known = writer.ledger.row("SELECT era, version FROM installations WHERE id = ?", (files.installation_id,))
    if known is None or (not stores and known[0] == "jsonl"):
        return  # nearly always, and at no cost
    moved = writer.ledger.row(_LAST_MOVED, (files.installation_id,))
    is_sqlite = is_stored(moved[0]) if moved is not None else bool(stores)
    versions = [version for store in stores if (version := _version(store)) is not None]
    now = ("sqlite" if is_sqlite else "jsonl", max(versions, key=_order, default=known[1]))
    if now != known:
        query = "UPDATE installations SET era = ?, version = ? WHERE id = ?"
        writer.ledger.run(query, (*now, files.installation_id))


def _version(store_path: str) -> str | None:
    """The release that last opened the database to write, as it says itself."""
    try:
        return read_store(store_path, _app_version)
    except SourceError:
        return None


def _app_version(store: Store) -> str | None:
    if "app_version" not in store.columns("schema_meta"):
        return None
    row = store.row("SELECT app_version FROM schema_meta WHERE role = 'agent' ORDER BY updated_at DESC LIMIT 1")
    return row[0] if row is not None and isinstance(row[0], str) else None


def _order(version: str) -> list[int]:
    return [int(part) if part.isdecimal() else -1 for part in version.replace("-", ".").split(".")]
