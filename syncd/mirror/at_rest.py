"""Is a turn still under way? What lacks an end then, and what has none for good.

The one place that judges it: a live lock, or a database that calls the session running, says that a turn goes on;
without that, and once the file has been quiet for a while, a turn without an end is aborted and a tool call without a
result has none. A later line takes that back. Run at the end of a catch-up, and by the daemon when a file has become
quiet, when its lock comes or goes, and at each rescan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncd.ledger.transaction import writing
from syncd.ledger.unfinished import (
    is_finished,
    is_tip_in_progress,
    mark_in_progress,
    put_to_rest,
    unfinished_transcripts,
)
from syncd.sources.opening import stat_at
from syncd.sources.store_opening import handles_kept
from syncd.sources.store_turns import is_turn_under_way

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.ledger.files import FileTable
    from syncd.ledger.writer import Writer

QUIET_SECONDS = 0.25
"""For who reads once and goes: 2026.7.1 lets go of its lock for a tenth of a second within a turn."""
_LOCK = ".lock"
_CLOCK_SECONDS = 0.01
"""By so much a file's time and ours may differ."""


def judge_unfinished(writer: Writer, files: FileTable, locks: Iterable[str], quiet_seconds: float) -> float | None:
    """All that is unfinished, and the transcripts of these lock files; as `judge`."""
    writer.flush()
    found = dict.fromkeys(unfinished_transcripts(writer.ledger, files.installation_id))
    for path in locks:
        known = files.get(path.removesuffix(_LOCK))
        if known is not None and known.transcript_id is not None:
            found[known.transcript_id] = None
    return judge(writer, files, found, quiet_seconds)


def judge(writer: Writer, files: FileTable, transcript_ids: Iterable[int], quiet_seconds: float) -> float | None:
    """Judge what can be judged, in at most one transaction; seconds until the first of the others can be."""
    return min(judge_each(writer, files, transcript_ids, quiet_seconds).values(), default=None)


def judge_each(
    writer: Writer, files: FileTable, transcript_ids: Iterable[int], quiet_seconds: float
) -> dict[int, float]:
    """As `judge`; of each that cannot be judged yet, the seconds until it can be."""
    busy: list[int] = []
    rested: list[int] = []
    waits: dict[int, float] = {}
    with handles_kept():
        for transcript_id in transcript_ids:
            places = files.places_of(transcript_id)
            now_ms = writer.clock.now_ms()
            if any(is_turn_under_way(path, now_ms) for path in places):
                if not is_tip_in_progress(writer.ledger, transcript_id):
                    busy.append(transcript_id)
            elif is_finished(writer.ledger, transcript_id):
                continue
            elif (wait := _seconds_to_rest(writer, transcript_id, places, quiet_seconds)) is not None:
                waits[transcript_id] = wait
            else:
                rested.append(transcript_id)
    if busy or rested:
        with writing(writer.ledger) as connection:
            mark_in_progress(connection, busy)
            put_to_rest(connection, rested)
    return waits


def _seconds_to_rest(writer: Writer, transcript_id: int, places: list[str], quiet_seconds: float) -> float | None:
    """None: it is at rest. Written a moment ago, or not read to its end, it is not."""
    row = writer.ledger.row("SELECT state, bytes + tail_bytes FROM transcripts WHERE id = ?", (transcript_id,))
    if row is None or row[0] != "live":
        return None
    for path in places:
        stat = stat_at(path)
        if stat is None:
            continue
        age = writer.clock.now_ms() / 1000 - stat.ctime_ns / 1e9
        if 0 <= age < quiet_seconds or stat.size > row[1]:  # a time in the future tells nothing
            return max(quiet_seconds - max(age, 0.0), 0.0) + _CLOCK_SECONDS
    return None
