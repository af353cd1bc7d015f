"""Scrub: every transcript's raw bytes read and compared with its file, though nothing says that either changed.

Finds what no stat tells of: a file changed behind its times, a block of the ledger that rotted. Little by little, so
that disk and live lines do not feel it; a pass that was interrupted goes on where it was. Only what is at rest is
compared: what moves is proven by the daemon when it rests. Judging and mending is `mirror`'s, as in a catch-up.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.jobs.job import Outcome
from syncd.ledger import transcripts
from syncd.ledger.backup_bytes import fill_from_backups
from syncd.ledger.backups import kept_backups
from syncd.ledger.damage import damage_of, is_readable
from syncd.mirror.compare import block_difference
from syncd.mirror.ingest import Ingest
from syncd.mirror.mend import Mender
from syncd.mirror.trajectory_store import Scope, compare_again
from syncd.openclaw.file_kinds import classify
from syncd.path_text import printable
from syncd.settings import Duration
from syncd.sources.locks import is_write_locked
from syncd.sources.opening import open_source, stat_at, stat_of
from syncd.sources.scan import list_one
from syncd.sources.store_paths import is_stored, session_id_of, store_of
from syncd.sources.store_sessions import forget_measures, is_same_but_for_size

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from syncd.jobs.job import Tools
    from syncd.ledger.transcripts import Transcript
    from syncd.mirror.catchup import Home

BYTES_A_SECOND = 8 * 1024 * 1024
STEP_BYTES = 2 * 1024 * 1024
STEP_SECONDS = 0.05
FILE_BYTES = 64 * 1024
"""What a transcript counts for at least: finding and opening its file costs as much as reading so many bytes."""
_DAY = 86_400
_NAMED = 20

_NEXT = "SELECT id FROM transcripts WHERE id >= ? ORDER BY id LIMIT 1"
_BLOCK_IDS = "SELECT id FROM _blocks WHERE transcript_id = ? AND id > ? ORDER BY id"
_BLOCK = "SELECT byte_offset, byte_length, codec, data, superseded_in FROM _blocks WHERE id = ?"


@dataclass(slots=True)
class Pass:
    """How far it is, and what it found. `transcript` and `block`: compared up to there."""

    transcript: int = 0
    block: int = 0
    total_bytes: int = 0
    transcripts: int = 0
    bytes: int = 0
    not_at_rest: int = 0
    unreadable: int = 0
    changed: int = 0
    mended: int = 0
    lost: int = 0
    lost_ids: str = ""

    @classmethod
    def going_on(cls, so_far: Mapping[str, object]) -> Pass:
        found = {each.name: so_far[each.name] for each in fields(cls) if each.name in so_far}
        return cls(**found)  # type: ignore[arg-type]  # as `asdict` gave it


def run(tools: Tools) -> Outcome:
    """One step of a pass."""
    state = Pass.going_on(tools.so_far)
    if not tools.so_far:
        row = tools.ledger.row("SELECT coalesce(sum(bytes), 0) FROM transcripts")
        state.total_bytes = int(row[0]) if row else 0
    deadline, spent = tools.clock.monotonic() + STEP_SECONDS, 0
    while spent < STEP_BYTES and tools.clock.monotonic() < deadline:
        found = tools.ledger.row(_NEXT, (state.transcript + (state.block == 0),))
        if found is None:
            return _done(state)
        if found[0] != state.transcript:
            state.transcript, state.block = found[0], 0
        spent += _look(tools, state, STEP_BYTES - spent)
    return Outcome(summary=asdict(state), goes_on_after=spent / _bytes_a_second(tools, state))


def _bytes_a_second(tools: Tools, state: Pass) -> float:
    """So that a pass takes no more than half of the time until the next."""
    chosen = tools.settings.jobs.scrub
    interval = chosen.seconds if isinstance(chosen, Duration) else _DAY
    return max(BYTES_A_SECOND, 2 * state.total_bytes / interval)


def _done(state: Pass) -> Outcome:
    summary = {name: value for name, value in asdict(state).items() if name not in ("transcript", "block")}
    if not state.lost:
        return Outcome(summary=summary)
    summary["reason"] = f"raw bytes are lost that neither a file nor a backup has: transcript {state.lost_ids}"
    summary["hint"] = "`syncd ledger check` says which bytes; an older copy may have them (`syncd ledger restore`)"
    return Outcome(ok=False, summary=summary, retries=False)


def _look(tools: Tools, state: Pass, limit: int) -> int:
    """At a transcript, or, where it is large, at the next part of it; bytes that this counts for."""
    transcript = transcripts.load(tools.ledger, state.transcript)
    home = next((each for each in tools.homes if each.files.installation_id == transcript.installation_id), None)
    spent = FILE_BYTES if state.block == 0 else 0
    if state.block == 0:
        state.transcripts += 1
    source, path, is_zst = None, None, False
    if home is not None and transcript.state != "gone":
        path = _place_at_rest(tools, state, home, transcript)
    if path is not None:
        is_zst = classify(os.path.basename(path)).is_zst
        source = _opened(state, path, is_zst=is_zst)
    try:
        for (block_id,) in list(tools.ledger.execute(_BLOCK_IDS, (transcript.id, state.block))):
            is_sound, length = _compare(tools, state, block_id, source)
            spent += length
            state.bytes += length
            if not is_sound:
                break
            if is_zst:
                tools.pace.at_border()  # to go on there later, all before it would have to be unpacked again
            elif spent >= limit:
                state.block = block_id
                return spent
        else:
            is_sound = not damage_of(tools.ledger, transcript.id, reads_bytes=False)
            is_sound = is_sound and (source is None or is_zst or not _is_behind(transcript, source))
    finally:
        if source is not None:
            source.close()
    state.block = 0
    if not is_sound:
        _judge(tools, state, home, transcript, path)
    elif home is not None and transcript.kind == "trajectory" and is_stored(transcript.path):
        _compare_log(tools, state, home, transcript)
    return spent


def _is_behind(transcript: Transcript, source: BinaryIO) -> bool:
    """Has its file more than was taken in, though it was proven as it is?"""
    return stat_of(source).size > transcript.bytes + transcript.tail_bytes


def _place_at_rest(tools: Tools, state: Pass, home: Home, transcript: Transcript) -> str | None:
    """Where its file is, if that is as it was when all of it was last proven, and nobody is about to write it."""
    path = next(iter(home.files.places_of(transcript.id)), None)
    known = home.files.get(path) if path is not None else None
    if path is None or known is None:
        return None
    now_ms = tools.clock.now_ms()
    if is_stored(path) and state.block == 0:
        forget_measures(store_of(path), session_id_of(path))
    stat = stat_at(path)
    if stat is None:
        return None  # gone, or not to be seen: the daemon finds that out by itself
    rested_seconds = now_ms / 1000 - stat.ctime_ns / 1e9
    is_rested = rested_seconds >= tools.options.settle_seconds or rested_seconds < 0
    if is_stored(path) and is_same_but_for_size(known.stat, stat):
        stat = known.stat  # nothing tells of that change but its bytes, which are to be compared
    if known.is_proven and known.stat == stat and is_rested and not is_write_locked(path, now_ms):
        return path
    state.not_at_rest += state.block == 0
    return None


def _opened(state: Pass, path: str, *, is_zst: bool) -> BinaryIO | None:
    try:
        return open_source(path, is_zst=is_zst)
    except SourceError:
        state.unreadable += state.block == 0  # and told of by the daemon itself
        return None


def _compare(tools: Tools, state: Pass, block_id: int, source: BinaryIO | None) -> tuple[bool, int]:
    """Is the block whole, and, if it is of the present, what the file has? And its length."""
    row = tools.ledger.row(_BLOCK, (block_id,))
    if row is None:
        return True, 0  # merged with others since: that one is to come
    offset, length, codec, data, superseded_in = row
    if source is None or superseded_in is not None:
        return is_readable(tools.ledger, block_id, length), length
    try:
        return block_difference(source, offset, length, codec, data) is None, length
    except SourceError:
        state.unreadable += 1
        return True, length


def _compare_log(tools: Tools, state: Pass, home: Home, transcript: Transcript) -> None:
    """What lies in OpenClaw's own SQLite as a log has no place among the files: it is judged by its events."""
    scope = Scope(tools.options.agents, tools.options.environ, known_places=home.files)
    places = scope.places(home.state_dir)
    place = next((each for each in places if printable(each.path) == store_of(transcript.path)), None)
    if place is None:
        return
    try:
        compare_again(tools.writer, scope.owners(home.state_dir), home.state_dir, place, transcript)
    except SourceError:
        state.unreadable += 1
        return
    _count_change(tools, state, transcript)


def _count_change(tools: Tools, state: Pass, transcript: Transcript) -> None:
    now = tools.ledger.row("SELECT generation FROM transcripts WHERE id = ?", (transcript.id,))
    state.changed += now is not None and now[0] > transcript.generation


def _backups(tools: Tools) -> list[Path]:
    return [kept.path for kept in kept_backups(tools.ledger.path.absolute())]


def _judge(tools: Tools, state: Pass, home: Home | None, transcript: Transcript, path: str | None) -> None:
    """Something is not as it should be: mend the ledger if it is that, then let a thorough look judge the file."""
    tools.writer.flush()
    mender = Mender.of(tools.ledger, tools.clock, [each.state_dir for each in tools.homes])
    found = transcripts.load(tools.ledger, transcript.id)
    not_in_files = mender.mend(found)
    if not_in_files and fill_from_backups(tools.ledger, found, tools.clock, _backups(tools)):
        state.lost += 1
        if state.lost <= _NAMED:
            state.lost_ids = ", ".join(filter(None, [state.lost_ids, str(transcript.id)]))
    else:
        state.mended += mender.repaired or bool(not_in_files)
    listed = list_one(transcript.agent_id, path) if path is not None else None
    if home is None or listed is None or not listed.is_regular:
        return
    ingest = Ingest(
        tools.writer,
        home.files,
        tools.clock,
        tools.options.environ,
        settle_seconds=tools.options.settle_seconds,
        max_line_bytes=tools.options.max_line_bytes,
        thorough=True,
        slice_bytes=tools.pace.slice_bytes,
        within_file=tools.pace.within_file,
    )
    ingest.take(listed, classify(listed.name))  # what it puts off, the daemon's next look at everything sees to
    tools.writer.flush()
    _count_change(tools, state, transcript)
