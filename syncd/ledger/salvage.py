"""What only a damaged ledger still has, put into the one that takes its place: a restored backup, or an empty one.

A transcript that came further there than in the backup is taken over (`salvage_bytes`), and its rows are derived anew
from its bytes, never copied. Rows that cannot be derived are taken where the backup has none.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

from syncd.ledger.carved_rows import carved_rows, is_askable
from syncd.ledger.derived import without_foreign_keys
from syncd.ledger.dropping import forget_undropped
from syncd.ledger.files import EXPECT_PLACE
from syncd.ledger.remains import rows_of
from syncd.ledger.rows import TYPE_TABLES
from syncd.ledger.salvage_bytes import Salvaged, facts_of, is_further, places, take_transcript
from syncd.ledger.salvage_homes import name_homes_again, name_logs_again
from syncd.ledger.salvage_sessions import bring_forward, last_version
from syncd.ledger.transaction import writing

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.ledger.database import Ledger
    from syncd.ledger.remains import Remains
    from syncd.ledger.salvage_bytes import Holds

_DERIVED = frozenset(
    {"entries", "messages", "turns", "tool_calls", "quarantine", "_repeats", "_answer_ids", *TYPE_TABLES}
)
_OWN_WAY = frozenset({"transcripts", "_blocks", "_files", "sync_events"})
_TABLES = """SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
    AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'search%' ORDER BY name"""
# With the checksum that was found: what was damaged there stays so here, until a repair tells of it.
_INSERT_EVENT = """INSERT INTO sync_events (id, at, kind, transcript_id, detail_json, checksum)
    VALUES (?, ?, ?, ?, ?, ?)"""
_FIRST = ("installations", "sessions", "_indexes", "_cron_logs", "tombstones")


def salvage(ledger: Ledger, remains: Remains, holds: Holds, is_alive: Callable[[], None] = lambda: None) -> Salvaged:
    """Into the ledger that is to take the damaged one's place. The caller holds the writer lock."""
    done = Salvaged()
    with without_foreign_keys(ledger), writing(ledger):
        sessions, since = [row[0] for row in ledger.execute("SELECT id FROM sessions")], last_version(ledger)
        done.rows += _take_rows(ledger, remains)
        done.rows += name_homes_again(ledger, remains) + name_logs_again(ledger)
        bring_forward(ledger, remains, sessions, since)
        done.rows += _take_events(ledger, remains)
        known = {row[0] for row in ledger.execute("SELECT id FROM transcripts")}
        found = {*remains.transcripts, *remains.doubtful, *(key[0] for key in remains.pieces)}
        done.next_id = max(found | known, default=0) + 1
        files = places(ledger, remains)
        for transcript_id in sorted(found):
            is_alive()
            facts = facts_of(ledger, remains, transcript_id, files)
            if facts is not None and is_further(ledger, transcript_id, facts):
                take_transcript(ledger, remains, facts, holds, done, is_new=transcript_id not in known)
        for (transcript_id,) in list(ledger.execute("SELECT DISTINCT transcript_id FROM _cut_results")):
            is_alive()
            forget_undropped(ledger, transcript_id)  # where rows are as the backup has them
        _take_files(ledger, remains)
        _drop_strays(ledger)
    return done


# Rows that cannot be derived


def _take_rows(ledger: Ledger, remains: Remains) -> int:
    tables = [str(name) for (name,) in ledger.execute(_TABLES) if name not in _DERIVED | _OWN_WAY]
    before = ledger.connection.total_changes()
    unaskable = [table for table in tables if not is_askable(remains.path, table)]
    carved = carved_rows(remains.pages, ledger, unaskable) if unaskable else {}
    for table in sorted(tables, key=lambda name: (name not in _FIRST, name)):
        defaults = {str(row[1]): row[4] or "NULL" for row in ledger.execute(f"PRAGMA table_info({table})")}
        columns, marks = tuple(defaults), ", ".join("?" * len(defaults))
        for row in carved[table] if table in carved else rows_of(remains.path, table, columns, defaults):
            with suppress(apsw.ConstraintError):  # a value that lost its type
                insert = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({marks})"
                ledger.connection.execute(insert, row)
    return ledger.connection.total_changes() - before


def _take_events(ledger: Ledger, remains: Remains) -> int:
    last = ledger.row("SELECT coalesce(max(id), 0) FROM sync_events")
    newer = [event for row_id, event in sorted(remains.events.items()) if last is not None and row_id > last[0]]
    for event in newer:
        ledger.run(_INSERT_EVENT, event)
    return len(newer)


def _take_files(ledger: Ledger, remains: Remains) -> None:
    columns = tuple(str(row[1]) for row in ledger.execute("PRAGMA table_info(_files)") if row[1] != "id")
    marks = ", ".join("?" * len(columns))
    for row in rows_of(remains.path, "_files", columns):
        with suppress(apsw.ConstraintError):  # as above
            ledger.connection.execute(f"INSERT OR REPLACE INTO _files ({', '.join(columns)}) VALUES ({marks})", row)
    unplaced = """SELECT transcripts.id, installation_id, path, state_dir FROM transcripts
        JOIN installations ON installations.id = installation_id WHERE state != 'gone' AND kind != 'corrupt'
        AND NOT EXISTS (SELECT 1 FROM _files WHERE transcript_id = transcripts.id)"""
    for transcript_id, installation_id, path, state_dir in list(ledger.execute(unplaced)):
        relative = path.encode("utf-8", "surrogateescape").removeprefix(f"{state_dir}/".encode())
        ledger.run(EXPECT_PLACE, (installation_id, relative, transcript_id))


def _drop_strays(ledger: Ledger) -> None:
    """Rows that point to what could not be read."""
    for _ in range(4):  # what points to a stray is one then
        strays = list(ledger.execute("PRAGMA foreign_key_check"))
        if not strays:
            return
        for table, row_id, parent, number in strays:
            if row_id is None:
                _drop_without_parent(ledger, table, parent, number)
            elif table == "transcripts":
                ledger.run("UPDATE transcripts SET session = NULL, parent_transcript_id = NULL, tip_turn_id = NULL"
                           " WHERE id = ?", (row_id,))  # fmt: skip
            elif table == "_files" and parent == "transcripts":
                ledger.run("UPDATE _files SET transcript_id = NULL WHERE id = ?", (row_id,))
            elif table == "sync_events":
                ledger.run("UPDATE sync_events SET transcript_id = NULL WHERE id = ?", (row_id,))
            elif table not in _DERIVED:
                ledger.run(f"DELETE FROM {table} WHERE rowid = ?", (row_id,))


def _drop_without_parent(ledger: Ledger, table: str, parent: str, number: int) -> None:
    """Of a table without row ids."""
    query = 'SELECT "from", coalesce("to", \'id\') FROM pragma_foreign_key_list(?) WHERE id = ?'
    for own, other in list(ledger.execute(query, (table, number))):
        ledger.run(f"DELETE FROM {table} WHERE {own} NOT IN (SELECT {other} FROM {parent})")
