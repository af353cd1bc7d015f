"""Trajectories of OpenClaw's own SQLite taken into the ledger, raw, each event once.

What the ledger has ends with some event; what OpenClaw has after that one is new. Where that event is gone, the number
of the last one tells, which is kept with the rows. What OpenClaw lets go stays in the ledger, and what it changes
becomes a generation, as with files: found where all is compared (`trajectory_compare`). Never waits.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import LedgerCorrupt, SourceError
from syncd.ledger import transcripts
from syncd.ledger.files import note_log_position
from syncd.ledger.tally import Tally
from syncd.ledger.tombstones import KeptOut
from syncd.mirror.path_text import printable
from syncd.mirror.placement import new_transcript
from syncd.mirror.trajectory_compare import compare, last_taken
from syncd.openclaw.file_kinds import classify
from syncd.records import FileStat, ListedFile
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.store_opening import handles_kept
from syncd.sources.store_places import store_places
from syncd.sources.store_trajectories import (
    FIRST_SEQ,
    events_after,
    last_events,
    newest_row,
    recorded_after,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript
    from syncd.ledger.writer import Writer
    from syncd.mirror.index_look import IndexOptions
    from syncd.sources.store_places import StorePlace

SUFFIX = ".trajectory.jsonl"
_NO_STAT = FileStat(0, 0, 0, 0, 0)


@dataclass(slots=True)
class TrajectoryMemory:
    taken: dict[tuple[str, str], int] = field(default_factory=dict)
    """By database and session, the last event that the ledger has."""
    places: dict[str, StorePlace] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    """By database, the last row that was looked at."""


class _Site(NamedTuple):
    """A database, and whose it is."""

    writer: Writer
    installation_id: int
    state_dir: str
    place: StorePlace


def stored_places(state_dir: str, agents: tuple[str, ...], environ: Mapping[str, str]) -> tuple[StorePlace, ...]:
    config = read_openclaw_config(state_dir, environ).config
    return store_places(state_dir, config, agents, home_of(environ))


def known_trajectory(ledger: Ledger, installation_id: int, store_path: str, session_id: str) -> Transcript | None:
    path = printable(f"{store_path}/{session_id}{SUFFIX}")
    condition = "installation_id = ? AND kind = 'trajectory' AND path = ?"
    return next(iter(transcripts.load_where(ledger, condition, (installation_id, path))), None)


def sync_trajectories(
    writer: Writer,
    installation_id: int,
    state_dir: str,
    options: IndexOptions,
    memory: TrajectoryMemory,
    tally: Tally,
    *,
    compares_all: bool = False,
) -> None:
    """Take in what is new, where it can be read now: whoever lists the sessions of a database says what is wrong.

    `compares_all`: also look for what was changed of events that were taken. `tally`: where all of it is counted.
    """
    places = stored_places(state_dir, options.agents, options.environ)
    memory.places = {place.path: place for place in places}
    for place in places:
        with suppress(SourceError), handles_kept():
            memory.rows[place.path] = newest_row(place.path)
            found = last_events(place.path)
            new = {
                each: last
                for each, last in found.items()
                if compares_all or memory.taken.get((place.path, each)) != last
            }
            site = _Site(writer, installation_id, state_dir, place)
            _take_all(site, new, memory, tally, compares_all=compares_all)


def follow_trajectories(
    writer: Writer, installation_id: int, state_dir: str, path: str, memory: TrajectoryMemory, tally: Tally
) -> bool:
    """The same of one database that was written, for what was recorded since; False: there is more of it.

    What is numbered anew, since the newest rows were let go, is left to the next look at everything.
    """
    place, row = memory.places.get(path), memory.rows.get(path)
    if place is None or row is None:
        return True  # nobody has looked at all of it yet
    with suppress(SourceError), handles_kept():
        found = recorded_after(path, row)
        _take_all(_Site(writer, installation_id, state_dir, place), found.newest, memory, tally, is_live=True)
        memory.rows[path] = found.row
        return found.is_all
    return True


def compare_again(writer: Writer, state_dir: str, place: StorePlace, transcript: Transcript) -> None:
    """One trajectory with all that OpenClaw has of it, though nothing says that it changed. SourceError: not now."""
    site = _Site(writer, transcript.installation_id, state_dir, place)
    with handles_kept():
        newest = last_events(place.path).get(transcript.session_id)
        if newest is not None:
            writer.flush()
            _take(site, transcript.session_id, newest, None, Tally(), compares_all=True)
            writer.flush()


def _take_all(
    site: _Site,
    new: dict[str, int],
    memory: TrajectoryMemory,
    tally: Tally,
    *,
    is_live: bool = False,
    compares_all: bool = False,
) -> None:
    if not new:
        return
    writer, path = site.writer, site.place.path
    purged = KeptOut.now(writer.ledger)
    writer.flush()
    for session_id, newest in new.items():
        if not purged.is_session(session_id):
            known = memory.taken.get((path, session_id)) if is_live else None
            memory.taken[path, session_id] = _take(site, session_id, newest, known, tally, compares_all=compares_all)
    writer.flush()


def _take(site: _Site, session_id: str, newest: int, taken: int | None, tally: Tally, *, compares_all: bool) -> int:
    """`taken`: the last event that was, where it is known, since it was just now; else the ledger is asked."""
    writer, place = site.writer, site.place
    listed = ListedFile(place.agent_id, place.path, f"{session_id}{SUFFIX}", _NO_STAT, 1, is_regular=True)
    transcript = known_trajectory(writer.ledger, site.installation_id, place.path, session_id)
    path = os.fsencode(listed.path).removeprefix(os.fsencode(site.state_dir) + b"/")
    if transcript is not None:
        if taken is None or taken > newest:
            taken = last_taken(writer.ledger, place.path, transcript)
        seq = _judged(writer, place, transcript, taken, path) if compares_all or taken > newest else taken
    else:
        transcript = new_transcript(writer, site.installation_id, listed, classify(listed.name), session_id)
        seq = FIRST_SEQ
    is_last = False
    while not is_last:
        events, is_last = events_after(place.path, session_id, seq)
        if events:
            data = b"".join(event.line for event in events)
            seq = events[-1].seq
            writer.append(transcript, data, is_read=False, is_last=is_last, tally=tally)
            note_log_position(writer, transcript, path, seq)
    writer.no_more_at_hand(transcript)
    return seq


def _judged(writer: Writer, place: StorePlace, transcript: Transcript, taken: int, path: bytes) -> int:
    """From which event on it is to be read; what was changed or cut off is of the past then."""
    try:
        found = compare(writer.ledger, transcript, place.path, taken)
    except LedgerCorrupt:
        return taken  # nothing can be told of bytes that the ledger has lost
    if found.is_anew:
        return FIRST_SEQ
    if found.parting is None:
        return taken
    parting = found.parting
    writer.supersede_from(transcript, parting.offset, "truncation" if parting.is_shorter else "rewrite")
    note_log_position(writer, transcript, path, parting.after_seq)
    return parting.after_seq
