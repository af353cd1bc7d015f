"""Catching up: every file of a state dir looked at, everything new taken in, until the ledger equals the files.

One pass lists, takes in what changed (places first, then archives, then copies) and marks what is gone. Files that are
still settling, locked or racing are looked at again, for a bounded time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from syncd.allocator import bulk_work, give_back_large_buffers
from syncd.ledger.transaction import synced_at_the_end
from syncd.ledger.writer import Writer
from syncd.mirror.at_rest import QUIET_SECONDS, judge_unfinished
from syncd.mirror.companions import STORE_FAULTS, Wait, closed_among, read_companions
from syncd.mirror.enrolment import enrol
from syncd.mirror.era import note_era
from syncd.mirror.index_look import Degraded
from syncd.mirror.ingest import Ingest
from syncd.mirror.kept_out import without_kept_out
from syncd.mirror.lineage import is_linking_due, link_parents
from syncd.mirror.mend import Mender
from syncd.mirror.rebuild import derive_stale
from syncd.mirror.selection import is_file_of_sessions, is_path_of_sessions
from syncd.mirror.taking import Listed, lose_all, may_wait, take_all, wait_for
from syncd.mirror.trajectory_store import Scope, TrajectoryMemory, sync_trajectories
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from syncd.openclaw.state_dirs import agents_dir, old_import_archive_dir, old_sessions_dir
from syncd.records import FileProblem
from syncd.sources.opening import BUSY_CODE, BUSY_POLL_SECONDS, refused_file
from syncd.sources.owners import owners_by
from syncd.sources.scan import OLDEST_AGENT, is_wanted, state_dir_problem
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.ledger.tally import Tally
    from syncd.mirror.index_look import IndexOptions
    from syncd.records import FileStat
    from syncd.sources.known_places import KnownPlaces
    from syncd.sources.scan import KnownStats, Scan

_MAX_PASSES = 5


@dataclass(frozen=True, slots=True)
class CatchUpOptions:
    """What to look at and how long to wait."""

    agents: tuple[str, ...] = ("*",)
    session_ids: frozenset[str] | None = None
    settle_seconds: float = 1.0
    max_line_bytes: int = 16 * 1024 * 1024
    lock_wait_seconds: float = 30.0
    index: IndexOptions | None = None
    """None: transcripts and trajectories only; the session indexes and the cron logs are left alone."""
    prove_all: bool = False
    """Compare every byte of every file, also of those whose stat says that nothing changed."""
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    """For OpenClaw's configuration: it says where else transcripts lie."""
    goes_live: bool = False
    """The daemon follows right after, and sees to what would keep it from watching: rows to be derived, indexes that
    are locked, torn or to be confirmed."""


@dataclass(slots=True)
class CatchUp:
    """What a catch-up did."""

    transcripts: int = 0
    lines: int = 0
    bytes: int = 0
    quarantined: int = 0
    quarantined_before: int | None = None
    """Lines that were in quarantine when it began; None: it did not come to that."""
    seconds: float = 0.0
    problems: list[FileProblem] = field(default_factory=list)
    in_progress: list[FileProblem] = field(default_factory=list)
    refused: list[FileProblem] = field(default_factory=list)
    """What has a transcript's name and is no regular file: left alone, no fault, but not passed over in silence."""
    unknown: list[FileProblem] = field(default_factory=list)
    """What looks like a transcript, under a name that no release of OpenClaw gives: left alone, and counted."""
    sessions: int = 0
    """Sessions whose row changed, from OpenClaw's index."""
    degraded: list[Degraded] = field(default_factory=list)
    notes: list[FileProblem] = field(default_factory=list)
    """What is to be said of what could be read."""
    lost: list[FileProblem] = field(default_factory=list)
    """Raw bytes that the ledger has no more, and no file either."""
    waited_seconds: float = 0.0
    """Since it first had to wait for a file that was not at rest, looks included; the lock wait bounds it."""
    waiting_since: float | None = None
    """Monotonic time of that moment."""
    read_ids: set[int] = field(default_factory=set)
    """Of the transcripts that were read."""

    @property
    def is_complete(self) -> bool:
        return not self.problems and not self.lost


class Progress:
    """Told how far a catch-up is; the command line draws it."""

    def expect(self, total_bytes: int) -> None: ...
    def advance(self, done_bytes: int) -> None: ...


class Pace:
    """Where a catch-up can be interrupted, and how it waits. The daemon follows live files meanwhile."""

    slice_bytes: int | None = None
    """Read no more than about this much of a file between two borders."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def at_border(self) -> None:
        """Between two files, or two slices of one. May raise, to end it here."""

    def within_file(self) -> None:
        """Between two parts of a slice. Nothing else may be done here, but it may raise as well."""

    def wait(self, seconds: float) -> None:
        self._clock.sleep(seconds)


class Home(NamedTuple):
    """A state dir to be brought level: its files as the ledger knows them, and how all else is read."""

    state_dir: str
    files: FileTable
    read_indexes: Callable[[CatchUp, Wait], None]
    read_trajectories: Callable[[Scope, Tally], list[FileProblem]]
    """Of OpenClaw's databases: they are transcripts, and compared as a whole. What could not be read."""


def catch_up(
    ledger: Ledger,
    clock: Clock,
    state_dirs: Iterable[str],
    options: CatchUpOptions,
    progress: Progress | None = None,
    result: CatchUp | None = None,
    pace: Pace | None = None,
) -> CatchUp:
    """Bring the ledger level with the files of every state dir. The caller holds the writer lock.

    A `result` that is passed in says how far it came also when a signal ends it.
    """
    result = result if result is not None else CatchUp()
    state_dirs = tuple(state_dirs)
    with lone_writer(ledger, clock) as writer:
        mender = Mender.of(ledger, clock, state_dirs)
        homes = homes_of(writer, state_dirs, options, result)
        bring_level(writer, homes, options, progress or Progress(), pace or Pace(clock), mender, result)
    return result


@contextmanager
def lone_writer(ledger: Ledger, clock: Clock) -> Iterator[Writer]:
    """For one who has the process to himself, and reports only at the end."""
    give_back_large_buffers()
    with synced_at_the_end(ledger):
        writer = Writer(ledger, clock)
        try:
            with bulk_work():
                yield writer
        finally:
            writer.close()  # before the sync: it ends the transaction that a fault may have left open


def homes_of(writer: Writer, state_dirs: Iterable[str], options: CatchUpOptions, result: CatchUp) -> Iterator[Home]:
    """Those that are there; the others are problems."""
    for state_dir in state_dirs:
        if (problem := state_dir_problem(state_dir)) is not None:
            result.problems.append(problem)
        else:
            yield _home_at(writer, state_dir, options)


def _home_at(writer: Writer, state_dir: str, options: CatchUpOptions) -> Home:
    """For one who keeps nothing in mind between two catch-ups."""
    files = enrol(writer, state_dir)

    place = (writer, files.installation_id, files.state_dir)

    def read_indexes(result: CatchUp, wait: Wait) -> None:
        if options.index is not None:
            result.sessions, result.degraded, problems = read_companions(
                *place, options.index, wait, is_patient=not options.goes_live
            )
            add_problems(result, problems)

    def read_trajectories(scope: Scope, tally: Tally) -> list[FileProblem]:
        return sync_trajectories(*place, scope, TrajectoryMemory(), tally, compares_all=True)

    return Home(state_dir, files, read_indexes, read_trajectories)


def add_problems(result: CatchUp, problems: Iterable[FileProblem]) -> None:
    """Of a path that was told of already, once is enough."""
    told = {problem.path for problem in result.problems}
    result.problems += [problem for problem in problems if problem.path not in told]


def bring_level(
    writer: Writer, homes: Iterable[Home], options: CatchUpOptions, progress: Progress, pace: Pace, mender: Mender,
    result: CatchUp,
) -> None:  # fmt: skip
    """The act itself, with the writer of whoever does it."""
    started = writer.clock.monotonic()
    if not options.goes_live:
        derive_stale(writer.ledger, options.max_line_bytes, progress, mender, partial(border_of_rebuild, writer, pace))
    result.lost = list(dict.fromkeys([*result.lost, *mender.lost]))
    result.quarantined_before = quarantined(writer.ledger)
    try:
        for each in homes:
            part = CatchUp(waited_seconds=result.waited_seconds, waiting_since=result.waiting_since)
            try:
                _bring_one_level(writer, each, options, progress, pace, part)
            finally:
                _add(result, part)
    finally:
        result.seconds = writer.clock.monotonic() - started
    result.quarantined = quarantined(writer.ledger) - result.quarantined_before


def border_of_rebuild(writer: Writer, pace: Pace) -> None:
    writer.renumber()
    pace.at_border()


def _bring_one_level(
    writer: Writer, home: Home, options: CatchUpOptions, progress: Progress, pace: Pace, result: CatchUp
) -> None:
    ingest = Ingest(
        writer,
        home.files,
        writer.clock,
        options.environ,
        settle_seconds=options.settle_seconds,
        max_line_bytes=options.max_line_bytes,
        thorough=True,
        slice_bytes=pace.slice_bytes,
        within_file=pace.within_file,
    )
    try:
        locks = _pass_until_level(ingest, home.state_dir, options, progress, pace, result)
        _judge_unfinished(writer, home.files, locks, options, pace, result)
        result.refused = _refused(ingest, home.state_dir, options)
        wait = _waiting(writer.clock, options, pace, result)
        add_problems(result, _take_trajectories(home, options, ingest.tally, wait))
        if is_linking_due(writer.ledger):
            link_parents(writer.ledger, owners_by(options.environ))
        if options.index is not None:
            home.read_indexes(result, wait)
            result.problems += closed_among(result.degraded, [problem.path for problem in result.problems])
            result.degraded = [fault for fault in result.degraded if fault.code not in STORE_FAULTS]
        result.degraded += [Degraded(note.code, note.path, note.reason) for note in result.notes]
    finally:
        result.read_ids = ingest.tally.transcripts
        result.transcripts = len(result.read_ids)
        result.lines = ingest.tally.lines
        result.bytes = ingest.tally.bytes


def _take_trajectories(home: Home, options: CatchUpOptions, tally: Tally, wait: Wait) -> list[FileProblem]:
    """What could not be read of them, once OpenClaw has let go of its databases, or the wait for it is over."""
    scope = Scope(options.agents, options.environ, options.session_ids, home.files)
    while True:
        problems = home.read_trajectories(scope, tally)
        if not any(problem.code == BUSY_CODE for problem in problems) or not wait(BUSY_POLL_SECONDS):
            return problems


def _refused(ingest: Ingest, state_dir: str, options: CatchUpOptions) -> list[FileProblem]:
    wanted = options.session_ids
    return [
        refused_file(path)
        for path in ingest.files.refused()
        if _is_asked_for(path, state_dir, (), options)
        and (wanted is None or is_path_of_sessions(ingest.ledger, wanted, ingest.files, path))
    ]


def _pass_until_level(
    ingest: Ingest, state_dir: str, options: CatchUpOptions, progress: Progress, pace: Pace, result: CatchUp
) -> list[str]:
    """The lock files of transcripts that the last pass saw."""
    writer, ledger, files = ingest.writer, ingest.ledger, ingest.files
    unreadable: dict[str, FileProblem] = {}
    locks: list[str] = []
    looked_at: dict[str, FileStat] = {}
    for attempt in range(_MAX_PASSES):
        known = files.stats()
        if options.prove_all and attempt == 0:
            known = dict.fromkeys(known)
        found = _scan_when_free(state_dir, options, known, files, _waiting(writer.clock, options, pace, result))
        named = [(item, classify(item.name)) for item in without_kept_out(files, found.changed)]
        listed = [each for each in named if each[1].kind in TRANSCRIPT_KINDS]
        locks = [item.path for item, name in named if name.kind == "lock"]
        result.unknown = _unknown(named) if options.session_ids is None else []
        as_it_was = {item.path for item, _ in listed if looked_at.get(item.path) == item.stat}
        # What could not be read a moment ago, and is unchanged since, is for another time.
        given_up = as_it_was & unreadable.keys()
        listed = [each for each in listed if each[0].path not in given_up]
        looked_at.update((item.path, item.stat) for item, _ in listed)
        result.notes = found.notes
        result.problems = [*found.problems, *(unreadable[path] for path in sorted(given_up))]
        directories = {directory.path for directory in found.directories}
        missing = [path for path in found.missing if _is_asked_for(path, state_dir, directories, options)]
        if options.session_ids is not None:
            listed = [each for each in listed if is_file_of_sessions(ledger, options.session_ids, files, *each)]
            missing = [path for path in missing if is_path_of_sessions(ledger, options.session_ids, files, path)]
        # So is what was not at rest for as long as anybody waits.
        waited_for = {problem.path for problem in result.in_progress}
        if {item.path for item, _ in listed} <= as_it_was & waited_for and waited_for.issuperset(missing):
            # Not before: an archive that goes on with such a line may have come since the listing of a busy pass.
            ingest.take_last_lines()
            writer.flush()
            note_era(writer, files, found.directories)
            if is_linking_due(ledger):
                link_parents(ledger, owners_by(options.environ))
            break
        progress.expect(sum(item.stat.size for item, _ in listed))
        imported = [each for each in listed if each[1].archive_reason == "imported"]
        others = [each for each in listed if each[1].archive_reason != "imported"]
        unrested = wait_for(take_all(ingest, others, progress, pace, result), ingest, options, pace, result)
        # What an import-archive file repeats must be at rest first.
        unrested += wait_for(take_all(ingest, imported, progress, pace, result), ingest, options, pace, result)
        unrested += wait_for(lose_all(ingest, missing), ingest, options, pace, result)
        result.in_progress = unrested
        unreadable = {problem.path: problem for problem in result.problems[len(found.problems) :]}
        writer.flush()
        link_parents(ledger, owners_by(options.environ))
    return locks


def _scan_when_free(
    state_dir: str, options: CatchUpOptions, known: KnownStats, places: KnownPlaces, wait: Wait
) -> Scan:
    """What there is, once OpenClaw lets its databases be read; what it still does not then is a problem."""
    while True:
        found = scan_state_dir(state_dir, options.agents, options.environ, known, places=places)
        is_busy = any(problem.code == BUSY_CODE for problem in found.problems)
        if not is_busy or not wait(BUSY_POLL_SECONDS):
            return found


def _waiting(clock: Clock, options: CatchUpOptions, pace: Pace, result: CatchUp) -> Wait:
    """The daemon looks again by itself, and waits for nothing before it follows."""

    def wait(seconds: float) -> bool:
        if options.goes_live or not may_wait(clock, seconds, options, result):
            return False
        pace.wait(seconds)
        return True

    return wait


def _judge_unfinished(
    writer: Writer, files: FileTable, locks: list[str], options: CatchUpOptions, pace: Pace, result: CatchUp
) -> None:
    quiet_seconds = min(QUIET_SECONDS, options.settle_seconds)
    wait = judge_unfinished(writer, files, locks, quiet_seconds)
    if wait is not None and not options.goes_live and may_wait(writer.clock, wait, options, result):
        pace.wait(wait)
        judge_unfinished(writer, files, locks, quiet_seconds)


def _unknown(named: list[Listed]) -> list[FileProblem]:
    paths = [item.path for item, name in named if name.kind == "unknown" and item.is_regular]
    reason = "is no name that OpenClaw gives to a transcript"
    return [FileProblem(path, reason) for path in sorted(paths) if ".jsonl" in os.path.basename(path).lower()]


def _add(result: CatchUp, part: CatchUp) -> None:
    result.transcripts += part.transcripts
    result.read_ids |= part.read_ids
    result.lines += part.lines
    result.bytes += part.bytes
    result.problems += part.problems
    result.in_progress += part.in_progress
    result.refused += part.refused
    result.unknown += part.unknown
    result.sessions += part.sessions
    result.degraded += part.degraded
    result.waited_seconds, result.waiting_since = part.waited_seconds, part.waiting_since


def _is_asked_for(path: str, state_dir: str, listed: Container[str], options: CatchUpOptions) -> bool:
    """Is a known file one of the agents looked at? The others are not missing, only not asked for."""
    if options.agents == ("*",):
        return True
    directory, prefix = os.path.dirname(path), agents_dir(state_dir) + "/"
    if path.startswith(prefix):
        return is_wanted(path.removeprefix(prefix).split("/", 1)[0], options.agents)
    if directory in (old_sessions_dir(state_dir), old_import_archive_dir(state_dir)):
        return is_wanted(OLDEST_AGENT, options.agents)
    return directory in listed  # beside a configured store: its name does not say whose it is


def quarantined(ledger: Ledger) -> int:
    """Lines in quarantine, those of earlier generations too."""
    row = ledger.row("SELECT count(*) FROM quarantine")
    return int(row[0]) if row else 0
