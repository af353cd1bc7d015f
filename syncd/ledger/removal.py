"""Taking sessions out of a ledger for good: every row and every raw byte of theirs, in one transaction.

The one place where sessions are ever deleted. Works on any ledger file, backups too: sessions are named by their ids,
never by row numbers. Not the choice, nor the tombstone's reason: jobs/purge. That no byte of it is left in the file is
scour's.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from syncd.ledger.derived import remove_derived_rows, without_foreign_keys
from syncd.ledger.events import note_event
from syncd.ledger.tombstones import KeptOut, Tombstone, bury, carry_over, first_lines, keep_lines_out, keep_out
from syncd.ledger.transaction import writing
from syncd.ledger.transcripts import SQL_COPIES
from syncd.openclaw.file_kinds import classify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    from syncd.ledger.database import Ledger
    from syncd.ledger.tombstones import Burials

_OF_IDS = "session_id IN (SELECT value FROM json_each(?))"
_COPIES = f"""SELECT id, path FROM transcripts WHERE kind IN {SQL_COPIES}
    AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(path, value))"""
_CHILDREN = "SELECT DISTINCT session_id FROM transcripts WHERE parent_transcript_id IN (SELECT value FROM json_each(?))"
_WITH_IDS = f"""SELECT id, session_key, session_id FROM sessions WHERE id IN (
    SELECT session FROM session_ids WHERE {_OF_IDS}) OR {_OF_IDS} ORDER BY id"""
_KEPT_PAIRINGS = f"SELECT session_id FROM session_ids WHERE session = ? AND NOT {_OF_IDS} ORDER BY last_seen_at, id"
# From the first read of the pairing on, until the next one began.
_VERSIONS_OF_PAIRING = """DELETE FROM session_versions WHERE session = ?1 AND EXISTS (SELECT 1 FROM session_ids AS own
    WHERE own.session = ?1 AND own.session_id IN (SELECT value FROM json_each(?2)) AND seen_at >= own.first_seen_at
    AND seen_at < coalesce((SELECT min(next.first_seen_at) FROM session_ids AS next WHERE next.session = ?1 AND
      next.session_id NOT IN (SELECT value FROM json_each(?2)) AND next.first_seen_at > own.first_seen_at), 1 << 62))"""
_BLANK = """UPDATE sessions SET session_id = ?2, title = NULL, label = NULL, display_name = NULL, subject = NULL,
    entry_json = '{}', status = 'removed', removed_at = ?3, lifecycle = 'archived' WHERE id = ?1"""
_LINES_LOOKED_AT = 16
_KEPT_EVENTS = ("rewrite", "truncation")  # of others: they say how far generations reach, and name nobody


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to go: sessions by their ids, and by their keys where all of a key is meant."""

    session_ids: frozenset[str]
    keys: frozenset[str] = frozenset()
    with_forks: bool = False


class Counts(NamedTuple):
    sessions: int = 0
    transcripts: int = 0
    entries: int = 0
    bytes: int = 0


def transcripts_of(ledger: Ledger, session_ids: Iterable[str]) -> list[int]:
    """Of these sessions, trajectories and copies included, also copies that only their name binds to them."""
    wanted = frozenset(session_ids)
    found = {row[0] for row in ledger.execute(f"SELECT id FROM transcripts WHERE {_OF_IDS}", (_json(wanted),))}
    copies = ledger.execute(_COPIES, (_json(wanted),))
    found.update(row[0] for row in copies if classify(os.path.basename(row[1])).session_id in wanted)
    return sorted(found)


def with_descendants(ledger: Ledger, session_ids: frozenset[str]) -> frozenset[str]:
    """These and the sessions that were forked or continued from them, and from those."""
    found = session_ids
    while True:
        children = {row[0] for row in ledger.execute(_CHILDREN, (_json(transcripts_of(ledger, found)),))}
        if children <= found:
            return found
        found |= children


def count(ledger: Ledger, wanted: Wanted) -> Counts:
    """What a removal would take."""
    going = transcripts_of(ledger, wanted.session_ids)
    lines = """SELECT (SELECT count(*) FROM entries WHERE transcript_id IN (SELECT value FROM json_each(?1))),
        (SELECT coalesce(sum(byte_length), 0) FROM _blocks WHERE transcript_id IN (SELECT value FROM json_each(?1)))"""
    entries, size = ledger.row(lines, (_json(going),)) or (0, 0)
    return Counts(len(list(_sessions(ledger, wanted))), len(going), entries, size)


def remove(ledger: Ledger, wanted: Wanted, why: str, now_ms: int) -> tuple[int, Counts]:
    """Everything, and the tombstone that keeps it out, in one transaction; the tombstone's id and what went.

    The writer lock is held, and nothing of the writer's waits to be committed.
    """
    if wanted.with_forks:
        wanted = Wanted(with_descendants(ledger, wanted.session_ids), wanted.keys, with_forks=True)
    counts = count(ledger, wanted)
    with deleting(ledger) as connection:
        what = Tombstone("session", why, *counts, with_forks=wanted.with_forks)
        tombstone_id = bury(connection, now_ms, what)
        keys = wanted.keys | {row[1] for row in _sessions(ledger, wanted) if not _kept_ids(ledger, row[0], wanted)}
        keep_out(connection, tombstone_id, wanted.session_ids, keys, with_forks=wanted.with_forks)
        for transcript_id in transcripts_of(ledger, wanted.session_ids):
            keep_lines_out(ledger, tombstone_id, transcript_id, with_forks=wanted.with_forks)
        _take_out(ledger, Wanted(wanted.session_ids, keys), now_ms)
        note_event(ledger, now_ms, "purged", None, {"tombstone": tombstone_id, "why": why, **counts._asdict()})
    return tombstone_id, counts


def remove_buried(ledger: Ledger, burials: Burials, now_ms: int) -> None:
    """From a copy of a ledger: what the ledger has purged since; the tombstones will keep it out of this one too."""
    with deleting(ledger) as connection:
        carry_over(burials, connection)
        _take_out(ledger, _buried(ledger, KeptOut.now(ledger), reads_lines=True), now_ms)


def remove_returned(ledger: Ledger, now_ms: int) -> int:
    """What was purged and is in the ledger all the same, as where an older one took its place; how many session ids.

    Its tombstones are unfinished again then.
    """
    known = KeptOut.now(ledger)
    found = _buried(ledger, known, reads_lines=False) if known else Wanted(frozenset())
    if not found.session_ids:
        return 0
    with deleting(ledger) as connection:
        _take_out(ledger, found, now_ms)
        connection.execute("UPDATE tombstones SET scoured_at = NULL WHERE what = 'session'")
    return len(found.session_ids)


def _buried(ledger: Ledger, known: KeptOut, *, reads_lines: bool) -> Wanted:
    """`reads_lines`: look for forks that nothing but their lines tells."""
    tables = ("transcripts", "session_ids", "sessions", "cron_runs")
    ids = " UNION ".join(f"SELECT session_id FROM {table}" for table in tables)
    found = {row[0] for row in ledger.execute(ids) if known.is_session(row[0])}
    if known.knows_forks:
        found |= with_descendants(ledger, frozenset(each for each in found if known.takes_forks_of(each)))
        query = "SELECT id, session_id FROM transcripts"
        for number, session_id in list(ledger.execute(query)) if reads_lines else ():
            lines = first_lines(ledger, number, _LINES_LOOKED_AT)
            if session_id not in found and known.has_one_of(lines, only_forks=True):
                found.add(session_id)
    keys = {row[0] for row in ledger.execute("SELECT session_key FROM session_ids") if known.is_key(row[0])}
    return Wanted(frozenset(found), frozenset(keys))


def _take_out(ledger: Ledger, wanted: Wanted, now_ms: int) -> None:
    connection = ledger.connection
    going = transcripts_of(ledger, wanted.session_ids)
    for transcript_id in going:
        remove_derived_rows(ledger, transcript_id)
    _remove_transcripts(connection, going)
    _remove_files(connection, wanted.session_ids)
    connection.execute(f"DELETE FROM pins WHERE {_OF_IDS}", (_json(wanted.session_ids),))  # a copy may be of then
    _remove_cron_runs(connection, wanted.session_ids, wanted.keys)
    for session, _, current in list(_sessions(ledger, wanted)):
        _remove_session(ledger, session, current, wanted, now_ms)
    _remove_events(connection, wanted.session_ids, wanted.keys)


@contextmanager
def deleting(ledger: Ledger) -> Iterator[apsw.Connection]:
    """A write transaction: what is deleted in it is overwritten with zeros, not only unlinked."""
    connection = ledger.connection
    connection.execute("PRAGMA secure_delete = ON")
    try:
        with without_foreign_keys(ledger), writing(ledger):
            yield connection
    finally:
        connection.execute("PRAGMA secure_delete = OFF")


def _remove_transcripts(connection: apsw.Connection, going: list[int]) -> None:
    ids = (_json(going),)
    these = "IN (SELECT value FROM json_each(?))"
    lineages = [
        row[0] for row in connection.execute(f"SELECT DISTINCT lineage_id FROM transcripts WHERE id {these}", ids)
    ]
    for table in ("_blocks", "_tails", "_files", "sync_events", "_answer_ids", "_cut_results"):
        connection.execute(f"DELETE FROM {table} WHERE transcript_id {these}", ids)
    connection.execute(f"UPDATE tombstones SET transcript_id = NULL WHERE transcript_id {these}", ids)
    connection.execute(f"UPDATE transcripts SET parent_transcript_id = NULL WHERE parent_transcript_id {these}", ids)
    connection.execute(f"DELETE FROM transcripts WHERE id {these}", ids)
    for lineage in lineages:  # named after its eldest, which may be gone now
        eldest = connection.execute("SELECT min(id) FROM transcripts WHERE lineage_id = ?", (lineage,)).get
        if lineage != 0 and eldest is not None:
            connection.execute("UPDATE transcripts SET lineage_id = ? WHERE lineage_id = ?", (eldest, lineage))


def _remove_files(connection: apsw.Connection, session_ids: frozenset[str]) -> None:
    """Names that were noted without a transcript: second links, what was refused."""
    unclaimed = list(connection.execute("SELECT id, path FROM _files WHERE transcript_id IS NULL"))
    named = [(number,) for number, path in unclaimed if _session_of(os.fsdecode(path)) in session_ids]
    connection.executemany("DELETE FROM _files WHERE id = ?", named)


def _remove_cron_runs(connection: apsw.Connection, session_ids: frozenset[str], keys: frozenset[str]) -> None:
    connection.execute(f"DELETE FROM cron_runs WHERE {_OF_IDS}", (_json(session_ids),))
    of_keys = "DELETE FROM cron_runs WHERE session_id IS NULL AND session_key IN (SELECT value FROM json_each(?))"
    connection.execute(of_keys, (_json(keys),))


def _sessions(ledger: Ledger, wanted: Wanted) -> Iterator[tuple[Any, ...]]:
    """(sessions.id, key, current session id) of those that have one of the ids, or are meant by their key."""
    ids = _json(wanted.session_ids)
    found = {row[0]: row for row in ledger.execute(_WITH_IDS, (ids, ids))}
    without_id = """SELECT id, session_key, session_id FROM sessions WHERE session_id IS NULL
        AND session_key IN (SELECT value FROM json_each(?))"""
    found |= {row[0]: row for row in ledger.execute(without_id, (_json(wanted.keys),))}
    yield from found.values()


def _kept_ids(ledger: Ledger, session: int, wanted: Wanted) -> list[str]:
    """Other session ids of the session, the latest last."""
    return [row[0] for row in ledger.execute(_KEPT_PAIRINGS, (session, _json(wanted.session_ids)))]


def _remove_session(ledger: Ledger, session: int, current: str | None, wanted: Wanted, now_ms: int) -> None:
    """All of it, or, where other session ids of its are kept, what is of these."""
    connection, ids = ledger.connection, _json(wanted.session_ids)
    kept = _kept_ids(ledger, session, wanted)
    if not kept:
        for table in ("session_versions", "session_ids", "_index_entries", "pins"):
            connection.execute(f"DELETE FROM {table} WHERE session = ?", (session,))
        connection.execute("UPDATE sessions SET parent = NULL WHERE parent = ?", (session,))
        connection.execute("UPDATE transcripts SET session = NULL WHERE session = ?", (session,))
        connection.execute("DELETE FROM sessions WHERE id = ?", (session,))
        return
    connection.execute(_VERSIONS_OF_PAIRING, (session, ids))
    connection.execute(f"DELETE FROM session_ids WHERE session = ? AND {_OF_IDS}", (session, ids))
    if current is not None and current in wanted.session_ids:
        connection.execute("DELETE FROM _index_entries WHERE session = ?", (session,))
        connection.execute(_BLANK, (session, kept[-1], now_ms))


def _remove_events(connection: apsw.Connection, session_ids: frozenset[str], keys: frozenset[str]) -> None:
    """Those that name one of these, as it is or in a path; where it is but a part of another word, they stay."""
    names, marks = session_ids | keys, ", ".join("?" * len(_KEPT_EVENTS))
    query = f"""SELECT id, CAST(detail_json AS BLOB) FROM sync_events WHERE kind NOT IN ({marks})
        AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(detail_json, value))"""
    needles = _json(orjson.dumps(name).decode()[1:-1] for name in names)
    for number, detail in list(connection.execute(query, (*_KEPT_EVENTS, needles))):
        if _tells_of(detail, names, session_ids):
            connection.execute("DELETE FROM sync_events WHERE id = ?", (number,))


def _tells_of(detail: bytes, names: frozenset[str], session_ids: frozenset[str]) -> bool:
    """Of one that rotted, in which a name stands, nobody can say of what it tells: it goes."""
    try:
        texts = _texts(orjson.loads(detail))
    except orjson.JSONDecodeError:
        return True
    return any(_is_about(text, names, session_ids) for text in texts)


def _is_about(text: str, names: frozenset[str], session_ids: frozenset[str]) -> bool:
    return text in names or ("/" in text and _session_of(text) in session_ids)


def _session_of(path: str) -> str | None:
    return classify(os.path.basename(path)).session_id


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _json(values: Iterable[object]) -> str:
    return orjson.dumps(sorted(values, key=str)).decode()
