"""Another file in the ledger's place: the one that was there is moved aside, whole, and never overwritten.

Safe from a crash at any moment: what is to be done is written down first, and whoever opens the ledger for writing next
finishes it. The caller holds the writer lock, and no connection to the ledger is open in this process.
"""

from __future__ import annotations

import errno
import json  # names may hold bytes that are no UTF-8, which orjson refuses
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from syncd.clock import utc_stamp
from syncd.errors import LedgerError, LedgerFull, SyncdError
from syncd.paths import put_on_disk, write_private_file

if TYPE_CHECKING:
    from pathlib import Path

DAMAGED = "corrupt"
REPLACED = "replaced"
DISPLACED = "displaced"
"""Deleted under a writer, and another put in its place meanwhile."""
_SIDECARS = ("", "-wal", "-shm")
_KEPT_ASIDE = 3
"""Of each sort: a disk that fails again and again must not fill itself up with them."""


def moved_aside(ledger_path: Path) -> list[Path]:
    """Former ledgers, the newest first, without their sidecars (-wal, -shm)."""
    real = ledger_path.resolve()
    found = [
        file
        for reason in (DAMAGED, REPLACED)
        for file in real.parent.glob(f"{_escaped(real.name)}.{reason}-*")
        if not file.name.endswith(_SIDECARS[1:])
    ]
    return sorted(found, key=lambda file: file.name.rpartition("-")[2], reverse=True)


def scratch_place(ledger_path: Path) -> Path:
    """Where the next ledger is made: beside the present one, so that a rename puts it in place."""
    real = ledger_path.resolve()
    return real.with_name(f"{real.name}.restoring")


def remove_scratch(ledger_path: Path) -> None:
    """Unless it is about to take the ledger's place: then whoever opens that next goes on."""
    if is_cut_short(ledger_path):
        return
    scratch, note = scratch_place(ledger_path), _note_place(ledger_path)
    for pattern in (f"{_escaped(scratch.name)}*", f".{_escaped(note.name)}.*"):  # a note that was not yet one, too
        for file in scratch.parent.glob(pattern):
            file.unlink(missing_ok=True)


def is_cut_short(ledger_path: Path) -> bool:
    """Is there a replacement that whoever opens the ledger for writing next has to finish?"""
    return os.path.lexists(_note_place(ledger_path))


def aside_place(ledger_path: Path, now_ms: int, reason: str) -> Path:
    """Where `put_in_place` moves what is there."""
    real = ledger_path.resolve()
    return real.with_name(f"{real.name}.{reason}-{utc_stamp(now_ms)}")


def put_in_place(ledger_path: Path, now_ms: int, reason: str) -> Path | None:
    """The finished scratch file becomes the ledger; where the former one is now, None if there was none."""
    real, scratch = ledger_path.resolve(), scratch_place(ledger_path)
    aside = aside_place(ledger_path, now_ms, reason)
    was_there = any(os.path.lexists(f"{real}{suffix}") for suffix in _SIDECARS)
    try:
        put_on_disk(scratch)
        write_private_file(_note_place(ledger_path), json.dumps({"aside": aside.name}).encode(), replace=True)
    except (OSError, SyncdError) as fault:
        raise LedgerError(
            f"the ledger {ledger_path} could not be replaced: {fault}",
            "see that its directory is writable for you, and has space",
        ) from fault
    finish_replacing(ledger_path)
    for surplus in [file for file in moved_aside(real) if f".{reason}-" in file.name][_KEPT_ASIDE:]:
        for suffix in _SIDECARS:
            surplus.with_name(surplus.name + suffix).unlink(missing_ok=True)
    return aside if was_there else None


def finish_replacing(ledger_path: Path) -> None:
    """What a crash cut short. Nothing to do is the usual case, and costs one look.

    LedgerError: not now. Before it is done nothing may be made at the ledger's path, where there is perhaps no file.
    """
    if not is_cut_short(ledger_path):
        return
    try:
        _finish(ledger_path, _note_place(ledger_path))
    except OSError as fault:
        kind = LedgerFull if fault.errno in (errno.ENOSPC, errno.EDQUOT) else LedgerError
        raise kind(
            f"the ledger {ledger_path} could not be replaced: {fault.strerror}",
            "see that its directory is writable for you, and has space; it is tried again",
        ) from fault


def _finish(ledger_path: Path, note: Path) -> None:
    real, scratch = ledger_path.resolve(), scratch_place(ledger_path)
    try:
        aside = str(json.loads(note.read_bytes())["aside"])
    except (OSError, ValueError, KeyError, TypeError):
        aside = f"{real.name}.{DAMAGED}-unknown"
    if scratch.exists():  # else it is in place already
        for suffix in reversed(_SIDECARS):  # the log first: beside another file it would be taken for that one's
            with suppress(FileNotFoundError):
                os.rename(f"{real}{suffix}", real.with_name(f"{aside}{suffix}"))
        scratch.rename(real)
        put_on_disk(real.parent)
    elif not os.path.lexists(real) and os.path.lexists(former := real.with_name(aside)):
        for suffix in _SIDECARS:  # somebody removed what was to come: what was there is better than nothing
            with suppress(FileNotFoundError):
                os.rename(f"{former}{suffix}", f"{real}{suffix}")
    note.unlink(missing_ok=True)
    put_on_disk(real.parent)


def _note_place(ledger_path: Path) -> Path:
    scratch = scratch_place(ledger_path)
    return scratch.with_name(f"{scratch.name}.json")


def _escaped(name: str) -> str:
    import glob

    return glob.escape(name)
