"""A copy of the ledger in one file, made while others write.

By VACUUM INTO: one read transaction sees one moment, a writer goes on meanwhile; the copy has no WAL beside it and no
free pages, and a damaged table fails the copy instead of being carried into it. The page-wise backup API was as fast
here, but keeps the damage, the free pages and WAL mode. Nothing bears the final name before it is whole, checked and
on disk.
"""

from __future__ import annotations

import errno
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from syncd.clock import utc_stamp
from syncd.errors import LedgerError, LedgerFull, UserError
from syncd.ledger.codec import is_intact
from syncd.ledger.damage import torn_blocks
from syncd.ledger.database import open_for_reading
from syncd.ledger.faults import translate
from syncd.ledger.migrate import schema_version
from syncd.ledger.search_index import GivenUp, page_fault
from syncd.paths import make_private_dir, put_on_disk

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.ledger.database import Ledger

_STEPS_BETWEEN_LOOKS = 100_000
_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS, errno.EACCES})


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    bytes: int
    schema_version: int
    torn_blocks: int = 0
    """Raw blocks that are damaged in the ledger itself, and so in its copy."""


def usual_place(ledger_path: Path, now_ms: int) -> Path:
    """`backups/ledger-<UTC time>.db` beside the ledger itself, wherever a link to it lies."""
    return ledger_path.resolve().parent / "backups" / f"ledger-{utc_stamp(now_ms)}.db"


def back_up(ledger: Ledger, target: Path, is_given_up: Callable[[], bool] = lambda: False) -> Backup:
    """Write a verified copy, 0600, to `target`, which must not exist. Needs no writer lock; changes nothing.

    `is_given_up` is asked now and then, and ends it without a trace: GivenUp.
    """
    if os.path.lexists(target):
        raise _exists(target)
    make_private_dir(target.parent)
    scratch = _scratch_file(target)
    try:
        _copy(ledger, scratch, target, is_given_up)
        version, torn = _verified(ledger, scratch, is_given_up)
        put_on_disk(scratch)
        size = scratch.stat().st_size
        _give_name(scratch, target)
    except OSError as fault:
        raise _cannot_write(target, fault) from fault
    finally:
        scratch.unlink(missing_ok=True)
    return Backup(target, size, version, torn)


def _scratch_file(target: Path) -> Path:
    try:
        # mkstemp makes it 0600 and empty, and VACUUM INTO takes an empty file.
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:200]}.", suffix=".partial")
    except OSError as fault:
        raise _cannot_write(target, fault) from fault
    os.close(descriptor)
    return Path(name)


def _copy(ledger: Ledger, scratch: Path, target: Path, is_given_up: Callable[[], bool]) -> None:
    connection = ledger.connection
    # query_only forbids VACUUM INTO too; the connection itself was opened read-only.
    connection.execute("PRAGMA query_only = OFF")
    # A signal, too, can be answered only where Python is asked now and then.
    connection.set_progress_handler(is_given_up, _STEPS_BETWEEN_LOOKS)
    try:
        connection.execute("VACUUM INTO ?", (str(scratch),))
    except apsw.InterruptError as end:
        raise GivenUp from end
    except apsw.FullError as fault:
        raise _no_space(target) from fault
    except (apsw.IOError, apsw.CantOpenError) as fault:
        raise LedgerError(
            f"the backup {target} could not be written: {fault}",
            "look at the space on its disk, at file size limits, and at the disk's health",
        ) from fault
    except apsw.Error as fault:
        raise translate(fault, ledger.path) or fault from fault
    finally:
        connection.set_progress_handler(None)
        connection.execute("PRAGMA query_only = ON")


def _verified(ledger: Ledger, scratch: Path, is_given_up: Callable[[], bool]) -> tuple[int, int]:
    """Its schema version, and how many of its blocks are as torn as the ledger's own."""

    def go_on() -> None:
        if is_given_up():
            raise GivenUp

    with open_for_reading(scratch) as copy:
        found = page_fault(copy.connection, "integrity_check")
        version = schema_version(copy.connection)
        torn = list(torn_blocks(copy, go_on)) if found is None else []
        worse = [row_id for row_id in torn if _is_intact_in(ledger, row_id)]
        if found is not None or version != schema_version(ledger.connection) or worse:
            what = f"{len(worse)} raw blocks differ" if worse else f"{found or 'it can be read'}, schema {version}"
            raise LedgerError(
                f"the copy of {ledger.path} is not sound: {what}",
                "run `syncd ledger check`, and look at the disk's health; no backup was kept",
            )
    return version, len(torn)


def _is_intact_in(ledger: Ledger, block_id: int) -> bool:
    """A block that was sealed or dropped meanwhile tells nothing."""
    row = ledger.row("SELECT codec, data FROM _blocks WHERE id = ?", (block_id,))
    return row is not None and is_intact(*row)


def _give_name(scratch: Path, target: Path) -> None:
    """A rename that replaces nothing: a link fails where the name is taken."""
    try:
        os.link(scratch, target)
    except FileExistsError:
        raise _exists(target) from None
    except OSError as fault:
        if fault.errno not in _NO_HARD_LINKS:
            raise
        if os.path.lexists(target):
            raise _exists(target) from None
        scratch.rename(target)
    put_on_disk(target.parent)


def _exists(target: Path) -> UserError:
    return UserError(f"{target} exists already", "a backup replaces nothing: name another file, or remove that one")


def _no_space(target: Path) -> LedgerFull:
    return LedgerFull(f"no space left for the backup {target}", "free some disk space, or name a file on another disk")


def _cannot_write(target: Path, fault: OSError) -> LedgerError:
    if fault.errno in _NO_SPACE:
        return _no_space(target)
    return LedgerError(
        f"the backup {target} could not be written: {fault.strerror}", "name a file in a directory you can write to"
    )
