"""What the ledger and the transcripts say about a session key that changed its session id. Looks, decides nothing."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from syncd.errors import SourceError
from syncd.ledger.transcripts import SQL_NO_SESSIONS
from syncd.mirror.placement import HEADER_BYTES
from syncd.openclaw.endings import Evidence
from syncd.openclaw.file_kinds import classify
from syncd.openclaw.lines import Undecodable, decode_line
from syncd.openclaw.session_entries import entry_of, object_or_empty, updated_at_of
from syncd.openclaw.session_files import session_file
from syncd.openclaw.timestamps import to_epoch_ms
from syncd.sources.opening import open_source, read_pieces

if TYPE_CHECKING:
    from syncd.ledger.database import Ledger
    from syncd.ledger.sessions import KnownSession

_RECENTLY_MS = 10 * 60_000
_NEW_TRANSCRIPT = f"""SELECT parent_session, started_at FROM transcripts WHERE session_id = ? AND installation_id = ?
    AND kind NOT IN {SQL_NO_SESSIONS} ORDER BY id LIMIT 1"""
_OLD_COPIES = """SELECT max(kind = 'reset'), max(kind = 'corrupt' AND first_seen_at >= ?) FROM transcripts
    WHERE session_id = ? AND installation_id = ?"""
_PAIRED_BEFORE = "SELECT 1 FROM session_ids WHERE session_id = ? LIMIT 1"
_PAIRED_SINCE = "SELECT min(first_seen_at) FROM session_ids WHERE session = ? AND session_id = ?"


def gather_evidence(
    ledger: Ledger,
    installation_id: int,
    sessions_dir: str,
    known: KnownSession,
    entry: object,
    new_id: str,
    reset_hour: int,
    now_ms: int,
) -> Evidence:
    """About the change from `known.session_id` to `new_id`, whose entry is now `entry`."""
    old_id = known.session_id or ""
    parent, started_at = _new_transcript(ledger, installation_id, sessions_dir, entry, new_id)
    parent_name = os.path.basename(parent or "")
    of = classify(parent_name)
    former_file = session_file(entry_of(known.entry_json), sessions_dir).path
    has_reset, has_corrupt = ledger.row(_OLD_COPIES, (now_ms - _RECENTLY_MS, old_id, installation_id)) or (0, 0)
    since = ledger.row(_PAIRED_SINCE, (known.id, old_id))
    is_older = started_at is not None and since is not None and since[0] is not None and started_at < since[0]
    began = to_epoch_ms(object_or_empty(entry).get("sessionStartedAt")) or updated_at_of(entry) or now_ms
    return Evidence(
        is_successor=bool(parent_name)
        and (of.session_id == old_id or parent_name == os.path.basename(former_file or "")),
        is_from_checkpoint=of.kind == "checkpoint",
        has_reset_archive=bool(has_reset),
        has_corrupt_copy=bool(has_corrupt),
        is_id_known=is_older or ledger.row(_PAIRED_BEFORE, (new_id,)) is not None,
        day_began_at=_last_reset_before(began, reset_hour),
    )


def _last_reset_before(moment_ms: int, hour: int) -> int | None:
    """The last time before `moment_ms` that the clock on the wall struck `hour`."""
    try:
        local = time.localtime(moment_ms / 1000)
        day = local.tm_mday if local.tm_hour >= hour else local.tm_mday - 1
        struck = time.mktime((local.tm_year, local.tm_mon, day, hour, 0, 0, 0, 0, -1))
    except (OverflowError, ValueError, OSError):  # a year beyond the calendar
        return None
    return int(struck * 1000)


def _new_transcript(
    ledger: Ledger, installation_id: int, sessions_dir: str, entry: object, new_id: str
) -> tuple[str | None, int | None]:
    """Parent and start of the new session's transcript, from the ledger or, where that is behind, the file."""
    row = ledger.row(_NEW_TRANSCRIPT, (new_id, installation_id))
    if row is not None:
        return row[0], row[1]
    path = session_file(entry, sessions_dir).path
    if path is None:
        return None, None
    try:
        with open_source(path) as source:
            head = b"".join(read_pieces(source, 0, HEADER_BYTES, HEADER_BYTES))
    except (SourceError, ValueError):
        return None, None
    line, newline, _ = head.partition(b"\n")
    decoded = decode_line(line) if newline else None
    if decoded is None or isinstance(decoded, Undecodable) or decoded.value.get("id") != new_id:
        return None, None
    parent = decoded.value.get("parentSession")
    return parent if isinstance(parent, str) else None, to_epoch_ms(decoded.value.get("timestamp"))
