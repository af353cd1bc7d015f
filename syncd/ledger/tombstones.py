"""What was purged must not come back: recognised by hashes under a key that only this ledger has.

Nothing else of a purged session is kept. Loads and writes the hashes; which files, index entries and log lines are held
against them is mirror/kept_out's.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.errors import LedgerCorrupt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    from syncd.ledger.database import Ledger
    from syncd.records import FileStat

KINDS = ("session", "key", "line")
"""What is known by its hash."""
_HASH_BYTES = 16
_AT_ONCE = 1000
_FIRST_LINES = 64
"""Of a session purged without its forks: by so many a copy of it is known that says no session id."""
COLUMNS = ("at", "what", "why", "sessions", "transcripts", "entries", "bytes", "with_forks", "scoured_at")
"""Of a tombstone that is carried into another ledger."""
_COLUMNS = ", ".join(COLUMNS)
_INSERT = """INSERT INTO tombstones (at, what, why, sessions, transcripts, entries, bytes, with_forks, transcript_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"""
_KEEP_OUT = """INSERT INTO _kept_out (hash, kind, tombstone_id, with_forks) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT DO UPDATE SET with_forks = max(with_forks, excluded.with_forks)"""
TELLING_TYPES = ("message", "compaction", "branch_summary", "custom_message")
"""Lines that say something: by one of these a copy or a fork is known."""
LONGEST_LINE_BYTES = 256 * 1024
_LINES = f"""SELECT byte_offset, byte_length, generation FROM entries WHERE transcript_id = ?
    AND type IN {TELLING_TYPES} AND salvaged = 0 AND byte_length <= {LONGEST_LINE_BYTES} ORDER BY byte_offset LIMIT ?"""


class Tombstone(NamedTuple):
    """`what` and `why` as in the table; the rest is counts."""

    what: str
    why: str
    sessions: int = 0
    transcripts: int = 0
    entries: int = 0
    bytes: int = 0
    with_forks: bool = False
    transcript_id: int | None = None


def _hash_key(connection: apsw.Connection) -> bytes:
    """The ledger's own, made when it is first asked for. Inside a write transaction."""
    found: bytes | None = connection.execute("SELECT key FROM _hash_key").get
    if found is None:
        found = os.urandom(32)
        connection.execute("INSERT INTO _hash_key (id, key) VALUES (1, ?)", (found,))
    return found


def bury(connection: apsw.Connection, at: int, tombstone: Tombstone) -> int:
    """A new tombstone; its id. Inside a write transaction."""
    return int(connection.execute(_INSERT, (at, *tombstone)).get)


def keep_out(
    connection: apsw.Connection, tombstone_id: int, session_ids: Iterable[str], keys: Iterable[str], *, with_forks: bool
) -> None:
    """From now on, whatever is of these sessions. Inside a write transaction."""
    key = _hash_key(connection)
    found = [(_hash(key, "session", each), "session") for each in session_ids]
    found += [(_hash(key, "key", each), "key") for each in keys]
    connection.executemany(_KEEP_OUT, [(*each, tombstone_id, int(with_forks)) for each in found])


def keep_lines_out(ledger: Ledger, tombstone_id: int, transcript_id: int, *, with_forks: bool) -> None:
    """And whatever repeats these lines. Inside a write transaction, before they go."""
    connection = ledger.connection
    key, lines = _hash_key(connection), first_lines(ledger, transcript_id, -1 if with_forks else _FIRST_LINES)
    while some := list(islice(lines, _AT_ONCE)):
        rows = [(_hash(key, "line", line), "line", tombstone_id, int(with_forks)) for line in some]
        connection.executemany(_KEEP_OUT, rows)


def first_lines(ledger: Ledger, transcript_id: int, most: int) -> Iterator[bytes]:
    """The first lines of a transcript by which it would be known again; -1: all of them."""
    from syncd.ledger.entry_bytes import EntryBytes  # reads lines, which `status` never does, and is to be quick

    lines = EntryBytes(ledger)
    for offset, length, generation in list(ledger.execute(_LINES, (transcript_id, most))):
        try:
            raw = lines.at(transcript_id, offset, length, generation)
        except LedgerCorrupt:
            continue
        if raw is not None:
            yield raw.strip()


class Burials(NamedTuple):
    """All that keeps purged sessions out of a ledger, to be carried into another one."""

    key: bytes
    tombstones: dict[int, tuple[Any, ...]]
    hashes: list[tuple[bytes, str, int, int]]


def burials_of(ledger: Ledger) -> Burials | None:
    """None: nothing was purged."""
    key = ledger.row("SELECT key FROM _hash_key")
    if key is None:
        return None
    rows = ledger.execute(f"SELECT id, {_COLUMNS} FROM tombstones WHERE what = 'session'")
    tombstones = {number: tuple(row) for number, *row in rows}
    hashes = ledger.execute("SELECT hash, kind, tombstone_id, with_forks FROM _kept_out")
    return Burials(key[0], tombstones, [(digest, kind, number, forks) for digest, kind, number, forks in hashes])


def carry_over(burials: Burials, connection: apsw.Connection) -> None:
    """Into a ledger that was copied before, or is to take the place of theirs. Inside a write transaction.

    What that one has under the same key stays. Hashes under another key are of no use any more: they go.
    """
    if _hash_key(connection) != burials.key:
        connection.execute("DELETE FROM _kept_out")
        connection.execute("DELETE FROM tombstones WHERE what = 'session'")
        connection.execute("UPDATE _hash_key SET key = ?", (burials.key,))
    marks = ", ".join("?" * len(COLUMNS))
    numbers: dict[int, int] = {}
    for number, row in burials.tombstones.items():
        same = connection.execute("SELECT id FROM tombstones WHERE (at, what, why) = (?, ?, ?)", row[:3]).get
        insert = f"INSERT INTO tombstones ({_COLUMNS}) VALUES ({marks}) RETURNING id"
        numbers[number] = same if same is not None else connection.execute(insert, row).get
    rows = [(digest, kind, numbers[number], forks) for digest, kind, number, forks in burials.hashes]
    connection.executemany(_KEEP_OUT, rows)


@dataclass(slots=True)
class KeptOut:
    """What is recognised. Truthy where anything is: most ledgers never purge, and nothing may cost them."""

    _ledger: Ledger
    _key: bytes | None = None
    _names: dict[bytes, bool] = field(default_factory=dict)
    _last_id: int = 0
    _knows_forks: bool = False
    verdicts: dict[str, FileStat] = field(default_factory=dict)
    """Path -> the stat under which a file was found to be one of them."""

    @classmethod
    def now(cls, ledger: Ledger) -> KeptOut:
        """For one look."""
        known = cls(ledger)
        known.refresh()
        return known

    def refresh(self) -> None:
        """After a look at the ledger that others may have written to."""
        row = self._ledger.row("SELECT max(id) FROM tombstones WHERE what = 'session'")
        if row is None or (row[0] or 0) == self._last_id:
            return
        self._last_id = int(row[0] or 0)
        key = self._ledger.row("SELECT key FROM _hash_key")
        self._key = key[0] if key is not None else None
        query = "SELECT hash, with_forks FROM _kept_out WHERE kind IN ('session', 'key')"
        self._names = {digest: bool(with_forks) for digest, with_forks in self._ledger.execute(query)}
        self._knows_forks = any(self._names.values())

    def __bool__(self) -> bool:
        return bool(self._names)

    @property
    def knows_forks(self) -> bool:
        """Is there one whose forks are kept out too?"""
        return self._knows_forks

    def is_session(self, session_id: str | None) -> bool:
        return self._found("session", session_id) is not None

    def takes_forks_of(self, session_id: str | None) -> bool:
        return bool(self._found("session", session_id))

    def is_key(self, session_key: str | None) -> bool:
        return self._found("key", session_key) is not None

    def is_named(self, session_id: str | None, session_key: str | None) -> bool:
        """Of what names a session: by its id, which tells; by its key only where it says no id."""
        return self.is_session(session_id) or (session_id is None and self.is_key(session_key))

    def has_one_of(self, lines: Iterable[bytes], *, only_forks: bool) -> bool:
        """`only_forks`: of those whose forks are kept out too."""
        if self._key is None:
            return False
        query = "SELECT 1 FROM _kept_out WHERE hash = ? AND kind = 'line' AND with_forks >= ?"
        hashes = [_hash(self._key, "line", line.strip()) for line in lines]
        return any(self._ledger.row(query, (digest, int(only_forks))) is not None for digest in hashes)

    def _found(self, kind: str, text: str | None) -> bool | None:
        if self._key is None or text is None:
            return None
        return self._names.get(_hash(self._key, kind, text))


def is_purged(ledger: Ledger, name: str) -> bool:
    """Is this the session id or key of a purged session?"""
    known = KeptOut.now(ledger)
    return known.is_session(name) or known.is_key(name)


def unscoured(ledger: Ledger) -> list[int]:
    """Tombstones of which traces may be left in the ledger's files."""
    return [row[0] for row in ledger.execute("SELECT id FROM tombstones WHERE scoured_at IS NULL ORDER BY id")]


def _hash(key: bytes, kind: str, what: str | bytes) -> bytes:
    from hashlib import blake2b  # most ledgers never purge, and `status` is to be quick

    encoded = what if isinstance(what, bytes) else what.encode("utf-8", "surrogatepass")
    return blake2b(encoded, digest_size=_HASH_BYTES, key=key, person=kind.encode()).digest()
