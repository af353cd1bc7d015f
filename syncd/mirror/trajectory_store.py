"""Trajectories of OpenClaw's own SQLite taken into the ledger, raw, each event once.

What the ledger has ends with some event; what OpenClaw has after that one is new. Where that event is gone, the number
of the last one tells, which is kept with the rows. What OpenClaw lets go stays in the ledger, and what it changes
becomes a generation, as with files: found where all is compared (`trajectory_compare`). Never waits.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import LedgerCorrupt, SourceError
from syncd.ledger import transcripts
from syncd.ledger.files import move_log, note_log_position
from syncd.ledger.tally import Tally
from syncd.ledger.tombstones import KeptOut
from syncd.mirror.placement import new_transcript
from syncd.mirror.trajectory_compare import Mark, compare, digest_of, last_taken
from syncd.mirror.trajectory_places import known_elsewhere, known_trajectory
from syncd.openclaw.file_kinds import classify
from syncd.path_text import printable
from syncd.records import FileStat, ListedFile
from syncd.sources.known_places import NOWHERE
from syncd.sources.openclaw_config import home_of, read_openclaw_config
from syncd.sources.opening import BUSY_CODE, BUSY_POLL_SECONDS, NotThereError, is_surely_gone, problem_of
from syncd.sources.owners import Owners
from syncd.sources.scan import is_wanted
from syncd.sources.store_opening import handles_kept
from syncd.sources.store_paths import is_stored, store_of
from syncd.sources.store_places import store_places
from syncd.sources.store_trajectories import (
    FIRST_SEQ,
    events_after,
    last_events,
    line_at,
    newest_row,
    recorded_after,
    trajectory_name,
)

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript
    from syncd.ledger.writer import Writer
    from syncd.records import FileProblem
    from syncd.sources.known_places import KnownPlaces
    from syncd.sources.store_places import StorePlace
    from syncd.sources.store_trajectories import Newest, Row

_NO_STAT = FileStat(0, 0, 0, 0, 0)


class Scope(NamedTuple):
    """Which trajectories are meant."""

    agents: tuple[str, ...]
    environ: Mapping[str, str]
    session_ids: frozenset[str] | None = None
    """None: those of every session."""
    known_places: KnownPlaces = NOWHERE
    """Databases that are read as well, whatever the configuration names."""

    def is_meant(self, session_id: str) -> bool:
        return self.session_ids is None or session_id in self.session_ids

    def owners(self, state_dir: str) -> Owners:
        return Owners(state_dir, self.environ)

    def places(self, state_dir: str) -> tuple[StorePlace, ...]:
        config = read_openclaw_config(state_dir, self.environ).config
        return store_places(state_dir, config, self.agents, home_of(self.environ), self.known_places)


class _Taken(NamedTuple):
    """The last event that the ledger has."""

    seq: int
    digest: bytes


@dataclass(slots=True)
class TrajectoryMemory:
    seen: dict[tuple[str, str], Newest] = field(default_factory=dict)
    """By database and session, the newest event at the last look at everything: all of it is in the ledger."""
    taken: dict[tuple[str, str], _Taken] = field(default_factory=dict)
    places: dict[str, StorePlace] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    """By database, the last row that was looked at."""


class _Site(NamedTuple):
    """A database, and whose it is."""

    writer: Writer
    installation_id: int
    state_dir: str
    place: StorePlace
    owners: Owners


def sync_trajectories(
    writer: Writer,
    installation_id: int,
    state_dir: str,
    scope: Scope,
    memory: TrajectoryMemory,
    tally: Tally,
    *,
    compares_all: bool = False,
) -> list[FileProblem]:
    """Take in what is new; what could not be read, by the path of its database or its own.

    `compares_all`: also look for what was changed of events that were taken. `tally`: where all of it is counted.
    """
    places, owners = scope.places(state_dir), scope.owners(state_dir)
    memory.places |= {place.path: place for place in places}
    problems: list[FileProblem] = []
    listed: dict[str, Container[str]] = {}
    for place in places:
        looked = _look(
            _Site(writer, installation_id, state_dir, place, owners), scope, memory, tally, compares_all=compares_all
        )
        problems += looked.problems
        if looked.sessions is not None:
            listed[printable(place.path)] = looked.sessions
    _mark_gone(writer, installation_id, scope, listed, memory)
    return problems


class _Looked(NamedTuple):
    problems: list[FileProblem]
    sessions: Container[str] | None = None
    """Those that have events; None: it could not be told."""


def _look(site: _Site, scope: Scope, memory: TrajectoryMemory, tally: Tally, *, compares_all: bool) -> _Looked:
    path = site.place.path
    try:
        with handles_kept():
            row = newest_row(path)
            if row is None:
                return _Looked([])  # of an older release, or on its way to another: that says nothing of its events
            found = last_events(path)
            for key in [each for each in memory.seen if each[0] == path and each[1] not in found]:
                del memory.seen[key]
            new = {
                session_id: newest
                for session_id, newest in found.items()
                if scope.is_meant(session_id) and (compares_all or memory.seen.get((path, session_id)) != newest)
            }
            numbers = {session_id: newest.seq for session_id, newest in new.items()}
            problems, done = _take_all(site, numbers, memory, tally, compares_all=compares_all)
    except NotThereError:
        return _Looked([])
    except SourceError as error:
        return _Looked([problem_of(error, path)])
    memory.seen |= {(path, session_id): new[session_id] for session_id in done}
    if scope.session_ids is None and not _is_busy(problems):
        memory.rows[path] = row
    return _Looked(problems, found)


def _is_busy(problems: list[FileProblem]) -> bool:
    return any(problem.code == BUSY_CODE for problem in problems)


def follow_trajectories(
    writer: Writer,
    installation_id: int,
    state_dir: str,
    path: str,
    scope: Scope,
    memory: TrajectoryMemory,
    tally: Tally,
) -> float | None:
    """The same of one database that was written, for what was recorded since; the seconds until it is worth a look."""
    place, row = memory.places.get(path), memory.rows.get(path)
    if place is None or row is None:
        return None  # nobody has looked at all of it yet
    site = _Site(writer, installation_id, state_dir, place, scope.owners(state_dir))
    try:
        with handles_kept():
            found = recorded_after(path, row)
            if found.is_numbered_anew:
                problems, is_all = _look(site, scope, memory, tally, compares_all=False).problems, True
            else:
                problems, done = _take_all(site, found.newest, memory, tally, is_live=True)
                is_all = found.is_all
                for session_id in done:
                    memory.seen.pop((path, session_id), None)  # more is in the ledger by now: a way back is a change
                if not _is_busy(problems):
                    memory.rows[path] = found.row
    except SourceError as error:
        problems, is_all = [problem_of(error, path)], True
    if _is_busy(problems):
        return BUSY_POLL_SECONDS
    return None if is_all else 0.0


def may_wait(path: str, memory: TrajectoryMemory) -> bool:
    """Has a database other rows than were looked at? Costs one row of it; whose they are, only a count tells."""
    try:
        return newest_row(path) not in (None, memory.rows.get(path))
    except SourceError:
        return False  # nothing can be counted in it either


def compare_again(writer: Writer, owners: Owners, state_dir: str, place: StorePlace, transcript: Transcript) -> None:
    """One trajectory with all that OpenClaw has of it, though nothing says that it changed. SourceError: not now."""
    site = _Site(writer, transcript.installation_id, state_dir, place, owners)
    with handles_kept():
        newest = last_events(place.path).get(transcript.session_id)
        if newest is not None:
            writer.flush()
            try:
                _take(site, transcript.session_id, newest.seq, None, Tally(), compares_all=True)
            finally:
                writer.flush()


def _take_all(
    site: _Site,
    new: dict[str, int],
    memory: TrajectoryMemory,
    tally: Tally,
    *,
    is_live: bool = False,
    compares_all: bool = False,
) -> tuple[list[FileProblem], list[str]]:
    """What could not be read, and the sessions of which all was."""
    problems: list[FileProblem] = []
    done: list[str] = []
    if not new:
        return problems, done
    writer, path = site.writer, site.place.path
    purged = KeptOut.now(writer.ledger)
    writer.flush()
    for session_id, newest in new.items():
        if purged.is_session(session_id):
            continue
        known = memory.taken.pop((path, session_id), None)
        try:
            taken = _take(site, session_id, newest, known if is_live else None, tally, compares_all=compares_all)
        except SourceError as error:
            problem = problem_of(error, f"{path}/{trajectory_name(session_id)}")
            if problem.code == BUSY_CODE:  # whatever else is in it has to wait, too
                writer.flush()
                return [*problems, problem_of(error, path)], done
            problems.append(problem)
            continue
        done.append(session_id)
        if taken is not None:
            memory.taken[path, session_id] = taken
    writer.flush()
    return problems, done


def _take(
    site: _Site, session_id: str, newest: int, known: _Taken | None, tally: Tally, *, compares_all: bool
) -> _Taken | None:
    """`known`: the last event that was taken, where that was just now; else the ledger is asked."""
    writer, place = site.writer, site.place
    listed = ListedFile(place.agent_id, place.path, trajectory_name(session_id), _NO_STAT, 1, is_regular=True)
    transcript = known_trajectory(writer.ledger, site.installation_id, place.path, session_id)
    path = os.fsencode(listed.path).removeprefix(os.fsencode(site.state_dir) + b"/")
    if transcript is None:
        elsewhere = known_elsewhere(writer.ledger, site.owners, site.installation_id, place, session_id, newest)
        if elsewhere is not None and elsewhere.is_stale:
            return None
        if elsewhere is not None:
            transcript, compares_all = elsewhere.transcript, True
            _move(site, transcript, listed, path)
    if transcript is not None:
        mark = _mark(writer.ledger, place.path, transcript, newest, known)
        is_doubted = compares_all or mark.is_moved or mark.seq > newest
        seq = _judged(writer, place, transcript, mark, path) if is_doubted else mark.seq
    else:
        transcript = new_transcript(writer, site.installation_id, listed, classify(listed.name), session_id)
        seq = FIRST_SEQ
    if transcript.state != "live":
        transcript.state = "live"  # it had been let go of as a whole, and goes on
        writer.touch(transcript)
    taken, is_last = known if known is not None and known.seq == seq else None, False
    while not is_last:
        events, is_last = events_after(place.path, session_id, seq)
        if events:
            data = b"".join(event.line for event in events)
            seq = events[-1].seq
            taken = _Taken(seq, digest_of(events[-1].line))
            writer.append(transcript, data, is_read=False, is_last=is_last, tally=tally)
            note_log_position(writer, transcript, path, seq)
    writer.no_more_at_hand(transcript)
    return taken


def _move(site: _Site, transcript: Transcript, listed: ListedFile, path: bytes) -> None:
    """Its database was put elsewhere: another place, and nothing else is new."""
    writer, former, owner = site.writer, transcript.path, printable(listed.agent_id)
    transcript.path = printable(listed.path)
    move_log(writer, transcript, path)
    if site.owners.is_given(former, transcript.agent_id, transcript.path, owner):
        writer.give_to(transcript, owner)
    writer.event("migration", transcript, former=former, path=transcript.path)
    writer.touch(transcript)


def _mark(ledger: Ledger, store_path: str, transcript: Transcript, newest: int, known: _Taken | None) -> Mark:
    if known is None or known.seq > newest:
        return last_taken(ledger, store_path, transcript)
    there = line_at(store_path, transcript.session_id, known.seq)
    if there is None or digest_of(there) == known.digest:
        return Mark(known.seq)
    return last_taken(ledger, store_path, transcript)


def _judged(writer: Writer, place: StorePlace, transcript: Transcript, mark: Mark, path: bytes) -> int:
    """From which event on it is to be read; what was changed or cut off is of the past then."""
    try:
        found = compare(writer.ledger, transcript, place.path, mark.seq)
    except LedgerCorrupt:
        return mark.seq  # nothing can be told of bytes that the ledger has lost
    if found.is_anew:
        return FIRST_SEQ
    if found.parting is None:
        if mark.is_moved:
            note_log_position(writer, transcript, path, mark.seq)  # should its text be dropped, its number still tells
        return mark.seq
    parting = found.parting
    writer.supersede_from(transcript, parting.offset, "truncation" if parting.is_shorter else "rewrite")
    note_log_position(writer, transcript, path, parting.after_seq)
    return parting.after_seq


def _mark_gone(
    writer: Writer, installation_id: int, scope: Scope, listed: Mapping[str, Container[str]], memory: TrajectoryMemory
) -> None:
    """Trajectories of which there is not one event any more. `listed`: by database, the sessions that have some."""
    condition = "installation_id = ? AND kind = 'trajectory' AND state = 'live'"
    for transcript in transcripts.load_where(writer.ledger, condition, (installation_id,)):
        is_asked_for = is_wanted(transcript.agent_id, scope.agents) and scope.is_meant(transcript.session_id)
        if not is_asked_for or not is_stored(transcript.path):
            continue
        store = store_of(transcript.path)
        if transcript.session_id not in listed[store] if store in listed else is_surely_gone(store):
            transcript.state = "gone"
            writer.event("gone", transcript, path=transcript.path, bytes=transcript.bytes, lost_bytes=0)
            writer.touch(transcript)
            for key in [key for key in memory.seen if key[1] == transcript.session_id]:
                del memory.seen[key]  # another database may have a part of it, and goes on with it then
    writer.flush()
