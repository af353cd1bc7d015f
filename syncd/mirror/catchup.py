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
from syncd.ledger.transcripts import COPY_KINDS, TRANSCRIPT_KINDS
from syncd.ledger.writer import Writer
from syncd.mirror.at_rest import QUIET_SECONDS, judge_unfinished
from syncd.mirror.cron_logs import CronMemory, sync_cron_logs
from syncd.mirror.enrolment import enrol
from syncd.mirror.index_memory import IndexMemory
from syncd.mirror.index_sync import sync_index, sync_index_patiently
from syncd.mirror.ingest import Ingest
from syncd.mirror.lineage import is_linking_due, link_parents
from syncd.mirror.mend import Mender
from syncd.mirror.placement import is_continuing
from syncd.mirror.rebuild import derive_stale
from syncd.mirror.selection import is_file_of_sessions, is_path_of_sessions
from syncd.mirror.settling import Deferred
from syncd.openclaw.file_kinds import classify
from syncd.openclaw.state_dirs import agents_dir, old_import_archive_dir, old_sessions_dir
from syncd.records import FileProblem
from syncd.sources.opening import refused_file
from syncd.sources.scan import OLDEST_AGENT, is_wanted, list_one, state_dir_problem
from syncd.sources.transcript_dirs import scan_state_dir

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.mirror.index_look import Degraded, IndexOptions
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import FileStat, ListedFile

MAX_PASSES = 5
_SHORTEST_PAUSE_SECONDS = 0.025  # as OpenClaw polls; without one, a settle time of 0 would wait for a lock for ever

Listed = tuple["ListedFile", "FileName"]


class Waiting(NamedTuple):
    """A file that was not at rest, and how to look at it again."""

    path: str
    look_again: Callable[[], Deferred | FileProblem | None]
    deferred: Deferred


@dataclass(frozen=True, slots=True)
class CatchUpOptions:
    """What to look at and how long to wait."""

    agents: tuple[str, ...] = ("*",)
    session_ids: frozenset[str] | None = None
    settle_seconds: float = 1.0
    max_line_bytes: int = 16 * 1024 * 1024
    lock_wait_seconds: float = 30.0
    index: IndexOptions | None = None
    """None: transcripts only; the session indexes and the cron logs are left alone."""
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
    lost: list[FileProblem] = field(default_factory=list)
    """Raw bytes that the ledger has no more, and no file either."""
    waited_seconds: float = 0.0
    """For files that were not at rest; the lock wait bounds the sum."""
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
    """A state dir to be brought level: its files as the ledger knows them, and how its indexes are read."""

    state_dir: str
    files: FileTable
    read_indexes: Callable[[CatchUp], None]


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
            yield home(writer, state_dir, options)


def home(writer: Writer, state_dir: str, options: CatchUpOptions) -> Home:
    """For one who keeps nothing in mind between two catch-ups."""
    files = enrol(writer, state_dir)

    def read_indexes(result: CatchUp) -> None:
        if options.index is not None:
            _read_indexes(writer, files, options.index, result, is_patient=not options.goes_live)

    return Home(state_dir, files, read_indexes)


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
            part = CatchUp(waited_seconds=result.waited_seconds)
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
        if options.index is not None:
            home.read_indexes(result)
    finally:
        result.read_ids = ingest.tally.transcripts
        result.transcripts = len(result.read_ids)
        result.lines = ingest.tally.lines
        result.bytes = ingest.tally.bytes


def _refused(ingest: Ingest, state_dir: str, options: CatchUpOptions) -> list[FileProblem]:
    wanted = options.session_ids
    return [
        refused_file(path)
        for path in ingest.files.refused()
        if _is_asked_for(path, state_dir, (), options)
        and (wanted is None or is_path_of_sessions(ingest.ledger, wanted, ingest.files, path))
    ]


def _read_indexes(
    writer: Writer, files: FileTable, options: IndexOptions, result: CatchUp, *, is_patient: bool
) -> None:
    """Behind the transcripts, since what became of a session shows in them."""
    place = (writer, files.installation_id, files.state_dir, writer.clock)
    sync = sync_index_patiently if is_patient else sync_index
    outcome = sync(*place, options, IndexMemory())
    result.sessions, result.degraded = outcome.changed, list(outcome.degraded)
    logs = sync_cron_logs(*place, options.environ, CronMemory())
    result.problems += logs.problems


def _pass_until_level(
    ingest: Ingest, state_dir: str, options: CatchUpOptions, progress: Progress, pace: Pace, result: CatchUp
) -> list[str]:
    """The lock files of transcripts that the last pass saw."""
    writer, ledger, files = ingest.writer, ingest.ledger, ingest.files
    unreadable: dict[str, FileProblem] = {}
    locks: list[str] = []
    looked_at: dict[str, FileStat] = {}
    for attempt in range(MAX_PASSES):
        known = files.stats()
        if options.prove_all and attempt == 0:
            known = dict.fromkeys(known)
        found = scan_state_dir(state_dir, options.agents, options.environ, known)
        named = [(item, classify(item.name)) for item in found.changed]
        listed = [each for each in named if each[1].kind in TRANSCRIPT_KINDS]
        locks = [item.path for item, name in named if name.kind == "lock"]
        result.unknown = _unknown(named) if options.session_ids is None else []
        # What could not be read a moment ago, and is unchanged since, is for another time.
        given_up = {item.path for item, _ in listed if item.path in unreadable and looked_at[item.path] == item.stat}
        listed = [each for each in listed if each[0].path not in given_up]
        looked_at.update((item.path, item.stat) for item, _ in listed)
        result.problems = [*found.problems, *(unreadable[path] for path in sorted(given_up))]
        directories = {directory.path for directory in found.directories}
        missing = [path for path in found.missing if _is_asked_for(path, state_dir, directories, options)]
        if options.session_ids is not None:
            listed = [each for each in listed if is_file_of_sessions(ledger, options.session_ids, files, *each)]
            missing = [path for path in missing if is_path_of_sessions(ledger, options.session_ids, files, path)]
        if not listed and not missing:
            # Not before: an archive that goes on with such a line may have come since the listing of a busy pass.
            ingest.take_last_lines()
            writer.flush()
            if is_linking_due(ledger):
                link_parents(ledger)
            break
        progress.expect(sum(item.stat.size for item, _ in listed))
        imported = [each for each in listed if each[1].archive_reason == "imported"]
        others = [each for each in listed if each[1].archive_reason != "imported"]
        unrested = _wait_for(_take_all(ingest, others, progress, pace, result), ingest, options, pace, result)
        # What an import-archive file repeats must be at rest first.
        unrested += _wait_for(_take_all(ingest, imported, progress, pace, result), ingest, options, pace, result)
        unrested += _wait_for(_lose_all(ingest, missing), ingest, options, pace, result)
        result.in_progress = unrested
        unreadable = {problem.path: problem for problem in result.problems[len(found.problems) :]}
        writer.flush()
        link_parents(ledger)
    return locks


def _judge_unfinished(
    writer: Writer, files: FileTable, locks: list[str], options: CatchUpOptions, pace: Pace, result: CatchUp
) -> None:
    quiet_seconds = min(QUIET_SECONDS, options.settle_seconds)
    wait = judge_unfinished(writer, files, locks, quiet_seconds)
    if wait is not None and result.waited_seconds + wait <= options.lock_wait_seconds and not options.goes_live:
        pace.wait(wait)
        result.waited_seconds += wait
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
    result.waited_seconds = part.waited_seconds


def _take_all(ingest: Ingest, listed: list[Listed], progress: Progress, pace: Pace, result: CatchUp) -> list[Waiting]:
    """One look at each file: archives first, so that what now has their former place is not taken for a rewrite."""
    waiting = []
    reached = 0
    for item in sorted(listed, key=lambda each: (rank(each[1]), each[0].path)):
        if rank(item[1]) > reached:
            reached = rank(item[1])
            ingest.writer.flush()
        outcome = _take_in_slices(ingest, item, pace)
        if isinstance(outcome, Deferred):
            waiting.append(Waiting(item[0].path, partial(_take_again, ingest, *item), outcome))
        elif isinstance(outcome, FileProblem):
            result.problems.append(outcome)
        progress.advance(item[0].stat.size)
        pace.at_border()
    return waiting


def _take_in_slices(ingest: Ingest, item: Listed, pace: Pace) -> Deferred | FileProblem | None:
    """All of a backlog, with a border after each slice. What follows the first is proven by the next pass."""
    outcome = ingest.take(*item)
    while isinstance(outcome, Deferred) and outcome.reason == "backlog":
        pace.at_border()
        ingest.thorough = False  # else every slice would compare all slices before it
        try:
            outcome = _take_again(ingest, *item)
        finally:
            ingest.thorough = True
    return outcome


def _take_again(ingest: Ingest, listed: ListedFile, name: FileName) -> Deferred | FileProblem | None:
    now_listed = list_one(listed.agent_id, listed.path)
    return ingest.take(now_listed, name) if now_listed is not None else None


def _lose_all(ingest: Ingest, missing: list[str]) -> list[Waiting]:
    return [
        Waiting(path, partial(ingest.lose_if_missing, path), deferred)
        for path in missing
        if (deferred := ingest.lose_if_missing(path)) is not None
    ]


def rank(name: FileName) -> int:
    """The order in which files of one pass are looked at."""
    if name.kind in COPY_KINDS:
        return 2
    return 0 if is_continuing(name) else 1


def _wait_for(
    waiting: list[Waiting], ingest: Ingest, options: CatchUpOptions, pace: Pace, result: CatchUp
) -> list[FileProblem]:
    """Look again at what was not at rest, as long as it takes, but all passes together no longer than the lock wait.

    All is committed then. Returns what is still not at rest.
    """
    ingest.writer.flush()
    while waiting:
        pause = max(_SHORTEST_PAUSE_SECONDS, min(item.deferred.seconds for item in waiting))
        if result.waited_seconds + pause > options.lock_wait_seconds:
            break
        pace.wait(pause)
        result.waited_seconds += pause
        again = []
        for item in waiting:
            outcome = item.look_again()
            if isinstance(outcome, Deferred):
                again.append(item._replace(deferred=outcome))
            elif isinstance(outcome, FileProblem):
                result.problems.append(outcome)
        ingest.writer.flush()
        waiting = again
    return [FileProblem(item.path, item.deferred.reason) for item in waiting]


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
