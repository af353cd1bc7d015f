"""What of the ledger is to be put right: found by reading alone, in the ledger and in OpenClaw's directories.

A plan is a list of findings, each with what it concerns; `repair` applies it. Not damage of the file itself, which is
raised as LedgerCorrupt and is for `recovery`; not a comparison of bytes with files, which is scrub's and verify's.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from syncd.errors import LedgerCorrupt, LedgerFull
from syncd.ledger.check_repeats import repeat_faults
from syncd.ledger.check_sessions import session_faults
from syncd.ledger.cursors import misplaced_cursors
from syncd.ledger.damage import damage_of, torn_blocks
from syncd.ledger.derived import stale_transcripts
from syncd.ledger.faults import damaged
from syncd.ledger.late_links import (
    early_results,
    orphaned_transcripts,
    unbound_sessions,
    unowned_transcripts,
    untied_transcripts,
)
from syncd.ledger.past_seals import broken_seals
from syncd.ledger.projection import VERSION
from syncd.ledger.row_audit import audit_rows
from syncd.ledger.search_index import GivenUp, needlessly_indexed, search_fault, unindexed_messages
from syncd.ledger.second_ledger import SecondLedger
from syncd.ledger.snapshot import snapshot
from syncd.ledger.soundness import refuse_unsound
from syncd.ledger.unfinished import unfinished_transcripts
from syncd.ledger.wrong_places import wrong_places
from syncd.mirror.index_audit import sessions_amiss
from syncd.mirror.installation import known_files
from syncd.mirror.kept_out import without_kept_out
from syncd.mirror.lineage import ParentSearch
from syncd.mirror.rows_audit import has_wrong_rows
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.openclaw.lines import Undecodable, decode_line
from syncd.sources.owners import owners_by
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.ledger.row_audit import DamagedRow
    from syncd.mirror.catchup import CatchUpOptions

    IsGivenUp = Callable[[], bool]

AUDIT_SECONDS = 1.0
"""Of each scheduled run; the next goes on where it was, so that all rows have their turn within days."""
CHECKSUM_SECONDS = 0.25
"""The same for rows that have a checksum, of which a quarter of a million take about a second."""
_LINES_TRIED = 2000
_ENTRY_TABLES = """SELECT name FROM pragma_table_list AS each WHERE schema = 'main' AND type = 'table'
    AND EXISTS (SELECT 1 FROM pragma_table_info(each.name) WHERE name = 'transcript_id')"""
# What is known of a file that was proven must fit what was taken in of it. Of a compressed one the size says nothing.
_STALE_CURSORS = """SELECT _files.id, transcript_id FROM _files JOIN transcripts ON transcripts.id = transcript_id
    WHERE role = 'place' AND present = 1 AND is_proven = 1 AND size != bytes + tail_bytes
    AND substr(_files.path, -4) != CAST('.zst' AS BLOB)"""
_WITHOUT_PLACE = """SELECT id FROM transcripts WHERE state != 'gone' AND kind != 'corrupt'
    AND NOT EXISTS (SELECT 1 FROM _files WHERE transcript_id = transcripts.id AND present = 1)"""
_UNEVEN = """SELECT transcripts.id FROM transcripts LEFT JOIN (SELECT transcript_id, sum(byte_length) AS size
    FROM _blocks WHERE superseded_in IS NULL GROUP BY transcript_id) AS live ON live.transcript_id = transcripts.id
    WHERE coalesce(live.size, 0) != bytes"""
_MISREAD = """SELECT id FROM sessions WHERE status = 'live' AND (NOT json_valid(entry_json)
    OR (json_type(entry_json, '$.sessionId') = 'text' AND entry_json ->> '$.sessionId' IS NOT session_id))"""
_AUDITED_TO = """SELECT summary ->> '$.audited_to', summary ->> '$.checksums_to' FROM (
    SELECT id, iif(json_valid(summary_json), summary_json, '{}') AS summary FROM job_runs
    WHERE job = 'repair' AND finished_at IS NOT NULL) ORDER BY id DESC LIMIT 1"""
_QUARANTINED = """SELECT transcript_id, byte_length, reason, raw FROM quarantine
    WHERE superseded_in IS NULL AND id > ? ORDER BY id LIMIT ?"""


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind` names what is done about it; `ids` are of transcripts unless `ACTIONS` says otherwise."""

    kind: str
    count: int
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    findings: tuple[Finding, ...]
    is_thorough: bool
    audited_to: int = 0
    """Up to this transcript the rows were compared with the raw bytes; 0 = up to the last."""
    index_seconds: float | None = None
    """How long it took to hold the indexes against the rows, the search index included; None = not this time."""
    damaged_rows: tuple[DamagedRow, ...] = ()
    checksums_to: str = ""
    """Up to this row those that have a checksum were held against it; "" = up to the last."""
    is_cut: bool = False
    """Damaged rows stand in the way of all else: once they are put right, there may be more to be found."""

    def ids(self, kind: str) -> tuple[int, ...]:
        return next((item.ids for item in self.findings if item.kind == kind), ())

    def has(self, kind: str) -> bool:
        return any(item.kind == kind for item in self.findings)


ACTIONS = {
    "checksums": "rows that are not as they were written, by their checksum: undo the change, by it or by a backup",
    "search": "messages that the search index lacks or has wrong, or a damage of it: index all of them anew",
    "foreign_keys": "rows that refer to rows that are not there: derive them again",
    "ends": "transcripts whose cursor is not where their raw bytes end: put it there",
    "bytes": "transcripts whose raw bytes have gaps or damage: take them from the files, or from a backup",
    "rows": "transcripts whose rows were made by older rules: derive them again",
    "past_rows": "transcripts with rows of dropped lines that have changed: undo it, by their digest or by a backup",
    "wrong_rows": "transcripts whose rows are not what their raw bytes make: derive them again",
    "quarantine": "quarantined lines that can be read now: derive their transcripts again",
    "wrong_places": "files that are known as those of another transcript: give them back, and compare them",
    "cursors": "files whose cursor does not fit what was read of them: compare them again",
    "places": "transcripts of which no file is known: look where they were",
    "files": "files that are new, changed or gone since the last look: read them",
    "index": "sessions that are not what OpenClaw's index and their versions said: read it again",
    "parents": "transcripts that descend from one that was not found, or is not linked any more: look for it again",
    "owners": "transcripts whose session is known and not linked: link them",
    "spawners": "sessions whose parent is known and not linked: link them",
    "results": "tool results that came before their call: pair them",
    "unfinished": "transcripts with a turn or a call without an end: judge whether they are at rest",
}
"""What can be found, in the order in which it is put right."""


def plan_repairs(
    ledger: Ledger, state_dirs: Iterable[str], options: CatchUpOptions, *,
    is_thorough: bool = False, reads_indexes: bool = True, is_given_up: IsGivenUp = lambda: False,
) -> Plan:  # fmt: skip
    """Reads only. LedgerCorrupt: the file itself is damaged.

    `is_thorough`: every block and orphan; `reads_indexes`: every row in every index, every word in that of the search.
    """
    started = time.monotonic()
    is_sound = refuse_unsound(ledger, is_given_up, is_quick=not reads_indexes)
    index_seconds = time.monotonic() - started if reads_indexes and is_sound else None
    damaged_rows, checksums_to = _look_at_checksums(ledger, is_given_up, is_thorough=is_thorough)
    try:
        plan = _plan_others(
            ledger, state_dirs, options, is_given_up, is_thorough=is_thorough, index_seconds=index_seconds
        )
    except LedgerCorrupt:
        if not damaged_rows:
            raise
        plan = Plan((), is_thorough, is_cut=True)
    if damaged_rows:
        plan = replace(plan, findings=(Finding("checksums", len(damaged_rows)), *plan.findings))
    return replace(plan, damaged_rows=tuple(damaged_rows), checksums_to=checksums_to)


def _plan_others(
    ledger: Ledger, state_dirs: Iterable[str], options: CatchUpOptions, is_given_up: IsGivenUp, *,
    is_thorough: bool, index_seconds: float | None,
) -> Plan:  # fmt: skip
    """`index_seconds`: as far as the look at the indexes is done; None = it is not to be."""
    wrong, broken, audited_to = _audit(ledger, options.max_line_bytes, is_given_up, is_thorough=is_thorough)
    if index_seconds is not None:
        started = time.monotonic()
        with snapshot(ledger):
            wrong += [fault.transcript_id for fault in repeat_faults(ledger) if fault.transcript_id is not None]
        index_seconds += time.monotonic() - started
    misplaced, strayed = misplaced_cursors(ledger), wrong_places(ledger)
    given_back = {place.owner for place in strayed}
    found = {
        "search": [*unindexed_messages(ledger), *needlessly_indexed(ledger)],
        "foreign_keys": _without_referent(ledger),
        "ends": [*misplaced],
        "bytes": [each for each in _damaged(ledger, is_given_up, is_thorough=is_thorough) if each not in misplaced],
        "rows": stale_transcripts(ledger, VERSION),
        "past_rows": broken,
        "wrong_rows": wrong,
        "quarantine": list(_understood(ledger, options.max_line_bytes, is_given_up)),
        "wrong_places": [place.file_id for place in strayed],
        "cursors": [file_id for file_id, own in ledger.execute(_STALE_CURSORS) if own not in misplaced],
        "places": [each for each in _ids(ledger, _WITHOUT_PLACE) if each not in given_back],
        "index": _ids(ledger, _MISREAD)
        + [fault.session for fault in session_faults(ledger, reads_versions=is_thorough)],
        "parents": _with_parents(ledger, options.environ, is_thorough=is_thorough),
        "owners": unowned_transcripts(ledger),
        "spawners": unbound_sessions(ledger),
        "results": early_results(ledger),
    }
    counts = {kind: len(ids) for kind, ids in found.items()}
    if index_seconds is not None and not counts["search"]:
        counts["search"], seconds = _look_at_search(ledger, is_given_up)
        index_seconds = round(index_seconds + seconds, 3) if seconds is not None else None
    counts["files"] = counts["unfinished"] = 0
    for state_dir in state_dirs:
        files = known_files(ledger, state_dir)
        counts["files"] += _files_to_look_at(files, options)
        counts["unfinished"] += len(unfinished_transcripts(ledger, files.installation_id))
        if is_thorough:
            about = (ledger, files.installation_id, state_dir, options.environ)
            found["index"] += sessions_amiss(*about, is_given_up)
    counts["index"] = len({*found["index"]})
    findings = [
        Finding(kind, counts[kind], tuple(dict.fromkeys(found.get(kind, ())))) for kind in ACTIONS if counts.get(kind)
    ]
    return Plan(tuple(findings), is_thorough, audited_to, index_seconds)


def _ids(ledger: Ledger, query: str) -> list[int]:
    return [row[0] for row in ledger.execute(query)]


def _look_at_search(ledger: Ledger, is_given_up: IsGivenUp) -> tuple[int, float | None]:
    """1: it is not what the texts make; and the seconds that this took."""
    started = time.monotonic()
    try:
        fault = search_fault(ledger, is_given_up)
    except (LedgerFull, GivenUp):
        return 0, None  # no space for temporary files: the next one will tell
    return int(fault is not None), time.monotonic() - started


def _without_referent(ledger: Ledger) -> list[int]:
    """Of the transcripts whose rows they are. Of a table that holds none of a transcript's, no rebuild helps."""
    strays: dict[str, list[int]] = {}
    for table, row_id, parent, _ in ledger.execute("PRAGMA foreign_key_check"):
        if row_id is None:
            raise damaged(ledger.path, f"rows of {table} refer to rows that {parent} has not")
        strays.setdefault(table, []).append(row_id)
    tables = {row[0] for row in ledger.execute(_ENTRY_TABLES)} | {"transcripts"}
    found: list[int] = []
    for table, row_ids in strays.items():
        if table not in tables:
            raise damaged(ledger.path, f"row {row_ids[0]} of {table} refers to a row that is not there")
        column = "id" if table == "transcripts" else "transcript_id"
        for row_id in row_ids:
            row = ledger.row(f"SELECT {column} FROM {table} WHERE rowid = ?", (row_id,))
            found += [row[0]] if row is not None and row[0] is not None else []
    return found


def _damaged(ledger: Ledger, is_given_up: IsGivenUp, *, is_thorough: bool) -> list[int]:
    found = set(_ids(ledger, _UNEVEN))
    if is_thorough:
        for block_id in torn_blocks(ledger):
            row = ledger.row("SELECT transcript_id FROM _blocks WHERE id = ?", (block_id,))
            found |= {row[0]} if row is not None else set()
        for (transcript_id,) in list(ledger.execute("SELECT id FROM transcripts")):
            if is_given_up():
                break
            if transcript_id not in found and damage_of(ledger, transcript_id, reads_bytes=False):
                found.add(transcript_id)
    return sorted(each for each in found if damage_of(ledger, each))


def _look_at_checksums(
    ledger: Ledger, is_given_up: IsGivenUp, *, is_thorough: bool
) -> tuple[list[DamagedRow], str]:  # fmt: skip
    row = ledger.row(_AUDITED_TO) if not is_thorough else None
    until = time.monotonic() + CHECKSUM_SECONDS
    return audit_rows(
        ledger, str(row[1] or "") if row else "",
        lambda: is_given_up() or (not is_thorough and time.monotonic() > until),
    )  # fmt: skip


def _audit(
    ledger: Ledger, max_line_bytes: int, is_given_up: IsGivenUp, *, is_thorough: bool
) -> tuple[list[int], list[int], int]:  # fmt: skip
    """Transcripts with wrong rows, and with changed ones of dropped lines, of all or of as many as a moment allows, and
    how far it came.
    """
    broken = list[int]()
    row = ledger.row(_AUDITED_TO) if not is_thorough else None
    last_id, until, wrong = int(row[0] or 0) if row else 0, time.monotonic() + AUDIT_SECONDS, list[int]()
    second = SecondLedger()
    try:
        while is_thorough or time.monotonic() < until:
            row = ledger.row("SELECT min(id) FROM transcripts WHERE id > ?", (last_id,))
            if row is None or row[0] is None or is_given_up():
                return wrong, broken, 0
            last_id = int(row[0])
            if has_wrong_rows(ledger, second, last_id, max_line_bytes):
                wrong.append(last_id)
            with snapshot(ledger):
                broken += [last_id] if broken_seals(ledger, last_id) else []
    finally:
        second.close()
    return wrong, broken, last_id


def _understood(ledger: Ledger, max_line_bytes: int, is_given_up: IsGivenUp) -> Iterator[int]:
    """Transcripts of quarantined lines that the present rules read, one for each line; the newest few are tried."""
    row = ledger.row("SELECT coalesce(max(id), 0) FROM quarantine")
    first = max(0, int(row[0] if row else 0) - _LINES_TRIED)
    for transcript_id, length, reason, head in list(ledger.execute(_QUARANTINED, (first, _LINES_TRIED))):
        if is_given_up():
            return
        is_now_short = reason == "too_long" and length <= max_line_bytes
        # Longer ones are read in another way, with reasons of its own.
        is_at_hand = reason != "too_long" and length <= len(head)
        if is_now_short or (is_at_hand and not isinstance(decode_line(bytes(head)), Undecodable)):
            yield transcript_id


def _with_parents(ledger: Ledger, environ: Mapping[str, str], *, is_thorough: bool) -> list[int]:
    """Of those that were looked for before, only what would be found now: a parent may be gone for good, or purged."""
    new = set(orphaned_transcripts(ledger, is_thorough=False))
    orphans = orphaned_transcripts(ledger, is_thorough=is_thorough)
    search = ParentSearch(ledger, owners_by(environ))
    found = [orphan_id for orphan_id in orphans if orphan_id in new or search.has_parent(orphan_id)]
    return found + [each for each in untied_transcripts(ledger) if search.has_named_parent(each)]


def _files_to_look_at(files: FileTable, options: CatchUpOptions) -> int:
    found = scan_state_dir(files.state_dir, options.agents, options.environ, files.stats(), places=files)
    changed = [item for item in found.changed if classify(item.name).kind in TRANSCRIPT_KINDS]
    changed = without_kept_out(files, changed)
    return len(changed) + (len(found.missing) if options.agents == ("*",) else 0)
