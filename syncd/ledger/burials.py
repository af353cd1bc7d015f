"""What keeps purged sessions out when another ledger takes the place of the present one.

Read from the present one as far as that can be read, from every copy beside it, and from the note: a purge leaves its
hashes in each. Where another took its place unseen, the note alone tells. Hashes under another key than the first that
is found are another ledger's, and say nothing here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw

from syncd.errors import LedgerCorrupt
from syncd.ledger.backups import kept_backups
from syncd.ledger.burial_note import noted_burials
from syncd.ledger.copies import copies_of, is_clean, write_anew
from syncd.ledger.remains import rows_of
from syncd.ledger.removal import remove_buried
from syncd.ledger.tombstones import COLUMNS, KINDS, Burials
from syncd.ledger.transaction import writing

if TYPE_CHECKING:
    from pathlib import Path

    from syncd.ledger.database import Ledger

    Unfinished = tuple[Any, ...]
    """When, what and why of a tombstone."""

_KEY_BYTES = 32
_SCOURED_AT = COLUMNS.index("scoured_at")


def burials_beside(ledger_path: Path) -> Burials | None:
    """None: nothing was purged, or nothing that is left tells of it."""
    found: Burials | None = None
    sources = [_burials_in(path) for path in (ledger_path, *reversed(copies_of(ledger_path)))]
    for other in (*sources, noted_burials(ledger_path)):
        if other is not None and found is None:
            found = other
        elif other is not None and found is not None and other.key == found.key:
            found = _with(found, other)
    if found is None:
        return None
    for _, _, number, forks in found.hashes:
        found.tombstones.setdefault(number, _unknown(forks))  # lost, but the hash keeps out all the same
    return found


def keep_buried_out(scratch: Path, ledger_path: Path, now_ms: int) -> list[Unfinished]:
    """The file that is to become the ledger, without a byte of what was purged. Nobody has it open.

    Returns the purges that are not over: some copy is not clean of them yet.
    """
    burials = burials_beside(ledger_path)
    if burials is None:
        return []
    try:
        write_anew(scratch, burials, now_ms)
    except (apsw.Error, ValueError) as fault:
        raise LedgerCorrupt(
            f"{scratch} could not be freed of purged sessions: {fault}",
            "name another copy; the ledger was left as it is",
        ) from fault
    is_all = not all(is_clean(kept.path, burials) for kept in kept_backups(ledger_path))
    return [row[:3] for row in burials.tombstones.values() if is_all or row[_SCOURED_AT] is None]


def leave_unfinished(ledger: Ledger, unfinished: list[Unfinished]) -> None:
    """The next retention goes on with them."""
    if unfinished:
        with writing(ledger) as connection:
            query = "UPDATE tombstones SET scoured_at = NULL WHERE (at, what, why) = (?, ?, ?)"
            connection.executemany(query, unfinished)


def heed_note(ledger: Ledger, now_ms: int) -> None:
    """What was purged goes from an older ledger that somebody put in place by hand, and stays out of one begun anew.

    The next retention finishes it. A note under another key is of another ledger.
    """
    noted, key = noted_burials(ledger.path), ledger.row("SELECT key FROM _hash_key")
    if noted is None or (key is not None and key[0] != noted.key):
        return
    known = set(ledger.execute("SELECT at, what, why FROM tombstones WHERE what = 'session'"))
    hashes = {row[0] for row in ledger.execute("SELECT hash FROM _kept_out WHERE kind != 'line'")}
    heeded = {number for digest, _, number, _ in noted.hashes if digest in hashes}  # though its tombstone be damaged
    new = {number for number, row in noted.tombstones.items() if row[:3] not in known} - heeded
    if new:
        tombstones = {number: (*noted.tombstones[number][:_SCOURED_AT], None) for number in new}
        remove_buried(ledger, Burials(noted.key, tombstones, [row for row in noted.hashes if row[2] in new]), now_ms)


def _burials_in(path: Path) -> Burials | None:
    """Of a damaged ledger what can be had."""
    key = next((row[0] for row in rows_of(path, "_hash_key", ("key",)) if _is_key(row[0])), None)
    if key is None:
        return None
    rows = rows_of(path, "tombstones", ("id", *COLUMNS))
    tombstones = {number: tuple(row) for number, *row in rows if row[1] == "session"}
    hashes: list[tuple[bytes, str, int, int]] = []
    for digest, kind, number, forks in rows_of(path, "_kept_out", ("hash", "kind", "tombstone_id", "with_forks")):
        if isinstance(digest, bytes) and kind in KINDS:
            hashes.append((digest, kind, number, int(bool(forks))))
    return Burials(key, tombstones, hashes)


def _is_key(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == _KEY_BYTES


def _unknown(with_forks: int) -> tuple[Any, ...]:
    facts: dict[str, Any] = {"at": 0, "what": "session", "why": "purge", "with_forks": with_forks, "scoured_at": None}
    return tuple(facts.get(name, 0) for name in COLUMNS)


def _with(found: Burials, other: Burials) -> Burials:
    known = {row[:3]: number for number, row in found.tombstones.items()}
    tombstones, numbers = dict(found.tombstones), dict[int, int]()
    for number, row in other.tombstones.items():
        free = number if number not in tombstones else max(tombstones) + 1
        numbers[number] = known.get(row[:3], free)
        tombstones.setdefault(numbers[number], row)
    hashes = [(digest, kind, numbers.get(number, number), forks) for digest, kind, number, forks in other.hashes]
    return Burials(found.key, tombstones, list(dict.fromkeys([*found.hashes, *hashes])))
