"""The copies of a ledger that lie beside it: backups, those made before a migration, those moved aside.

What was purged must go from them too. A copy is written anew, without it, and takes its former self's place in one
step; one of ours that cannot be read any more is deleted: nobody can tell what is in it. Other people's databases are
none of our business. Touches no open ledger, so that it may run on any thread.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from syncd.errors import LedgerCorrupt, LedgerError, LedgerNewer
from syncd.ledger.backups import BACKUP_NAME
from syncd.ledger.database import APPLICATION_ID, Ledger
from syncd.ledger.faults import translated
from syncd.ledger.migrate import bring_forward, current_version, schema_version
from syncd.ledger.removal import remove_buried
from syncd.ledger.row_checksums import keep_checksums
from syncd.ledger.row_mending import mend_names
from syncd.ledger.scour import merge_search
from syncd.ledger.search_index import mend_search_of_copy, page_fault
from syncd.paths import put_on_disk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.tombstones import Burials

_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_AT = 68
_OUR_ENDS = re.compile(r"\.(?:rescued|restoring|schema-\d+\.bak|(?:corrupt|replaced|displaced)-[^/]*)", re.DOTALL)
"""Behind the ledger's own name: made by nobody else, however damaged it may be; as what `backups` names so."""
_SIDECARS = ("-wal", "-shm", "-journal")
_STEPS_BETWEEN_LOOKS = 100_000


class CleanedCopy(NamedTuple):
    path: str
    is_deleted: bool
    """It could not be written anew."""
    reason: str = ""


def is_clean(path: Path, burials: Burials) -> bool:
    """Has all of it gone from this copy before, or was the copy made since?"""
    wanted = {row[:3] for row in burials.tombstones.values()}
    query = "SELECT at, what, why FROM tombstones WHERE scoured_at IS NOT NULL"
    try:
        connection = _open(path)
    except (LedgerError, apsw.Error):
        return False
    try:
        is_ours = connection.execute("SELECT key FROM _hash_key").get == burials.key
        return is_ours and wanted <= set(connection.execute(query))
    except apsw.Error:
        return False
    finally:
        connection.close()


def copies_of(ledger_path: Path) -> list[Path]:
    """All that are there now, half-made ones included. Nothing of the ledger's own files is opened."""
    real = ledger_path.resolve()
    own = {real.name, *(real.name + end for end in _SIDECARS)}
    beside = [item for item in _files_in(real.parent) if item.name.startswith(f"{real.name}.") and item.name not in own]
    ours = [item for item in beside if _OUR_ENDS.fullmatch(item.name[len(real.name) :])]
    backups = list(_files_in(real.parent / "backups"))
    ours += [item for item in backups if BACKUP_NAME.fullmatch(item.name)]
    found = {*ours, *(item for item in (*beside, *backups) if _is_ledger(item))}
    return sorted(item for item in found if not item.name.endswith(_SIDECARS))


def remove_lone_sidecars(ledger_path: Path) -> list[tuple[str, str]]:
    """Logs of copies that are not there any more: whoever removed those, or the ledger before it was moved aside, has
    left in them what a copy holds. Gives path and reason of those that stay, since they cannot be removed.
    """
    real, kept = ledger_path.resolve(), list[tuple[str, str]]()
    for item in (*_files_in(real.parent), *_files_in(real.parent / "backups")):
        end = next((end for end in _SIDECARS if item.name.endswith(end)), None)
        if end is None or os.path.lexists(copy := item.with_name(item.name.removesuffix(end))):
            continue
        if item.parent == real.parent:
            is_ours = copy.name.startswith(real.name) and _OUR_ENDS.fullmatch(copy.name[len(real.name) :])
        else:
            is_ours = BACKUP_NAME.fullmatch(copy.name)
        try:
            if is_ours:
                item.unlink(missing_ok=True)
        except OSError as error:
            kept.append((str(item), error.strerror or str(error)))
    return kept


def clean_copy(path: Path, burials: Burials, now_ms: int) -> CleanedCopy | None:
    """Without what was purged, or gone; None where nothing of it was in there."""
    if is_clean(path, burials):
        return None
    try:
        write_anew(path, burials, now_ms)
    except LedgerNewer:
        raise
    except (LedgerCorrupt, apsw.Error, ValueError) as fault:  # others say nothing of the copy: it stays as it is
        path.unlink(missing_ok=True)
        _remove_sidecars(path)
        return CleanedCopy(str(path), is_deleted=True, reason=str(fault))
    return CleanedCopy(str(path), is_deleted=False)


def write_anew(path: Path, burials: Burials, now_ms: int) -> None:
    """Without what was purged, whatever its own tombstones say. Where that fails it stays as it is."""
    scratch = [_scratch_file(path), _scratch_file(path)]
    try:
        _write_clean(path, scratch[0], scratch[1], burials, now_ms)
        put_on_disk(scratch[1])
        os.replace(scratch[1], path)
        _remove_sidecars(path)
    finally:
        for file in scratch:
            file.unlink(missing_ok=True)
            _remove_sidecars(file)


def _write_clean(path: Path, scratch: Path, target: Path, burials: Burials, now_ms: int) -> None:
    """Through two files, so that the last one never held a byte of it."""
    connection = _open(path)
    try:
        with translated(path):
            if connection.pragma("application_id") != APPLICATION_ID:
                raise ValueError("it is no ledger any more")
            if (found := schema_version(connection)) > current_version():
                raise LedgerNewer(
                    f"{path} was made by a newer syncd (schema {found})",
                    "purge again with that syncd, or remove the file: it still has what was purged",
                )
            connection.execute("VACUUM INTO ?", (str(scratch),))
    finally:
        connection.close()
    connection = _open(scratch)
    try:
        with translated(path):
            connection.execute("PRAGMA journal_mode = OFF")
            bring_forward(connection)  # else the tombstones would have no table
            keep_checksums(connection)
            ledger = Ledger(scratch, connection)
            mend_search_of_copy(ledger)
            mend_names(ledger, (), now_ms)
            remove_buried(ledger, burials, now_ms)
            merge_search(ledger)
            connection.execute("UPDATE tombstones SET scoured_at = ? WHERE scoured_at IS NULL", (now_ms,))
            connection.execute("VACUUM INTO ?", (str(target),))
    finally:
        connection.close()
    connection = _open(target)
    try:
        is_sound = page_fault(connection, "quick_check") is None
    except apsw.Error:
        is_sound = False
    finally:
        connection.close()
    if not is_sound:  # no fault of the copy that was read, which stays
        raise LedgerError(f"{target} was not written as it should be", "look at the disk's health, then purge again")


def _open(path: Path) -> apsw.Connection:
    with translated(path):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        # Not to end anything: a signal can be answered only where Python is asked now and then.
        connection.set_progress_handler(lambda: False, _STEPS_BETWEEN_LOOKS)
        connection.execute("PRAGMA foreign_keys = OFF")
        return connection


def _remove_sidecars(path: Path) -> None:
    for end in _SIDECARS:
        Path(f"{path}{end}").unlink(missing_ok=True)


def _scratch_file(path: Path) -> Path:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:150]}.", suffix=".cleaning")
    os.close(descriptor)
    return Path(name)


def _files_in(directory: Path) -> Iterator[Path]:
    try:
        with os.scandir(directory) as entries:
            yield from [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
    except OSError:
        return


def _is_ledger(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_APPLICATION_ID_AT + 4)
    except OSError:
        return False
    return head.startswith(_MAGIC) and head[_APPLICATION_ID_AT:] == APPLICATION_ID.to_bytes(4)
