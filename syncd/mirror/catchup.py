"""Catching up: every file of a state dir looked at, everything new taken in, until the ledger equals the files.

One pass lists, takes in what changed (places first, then archives, then copies) and marks what is gone. Files that are
still settling, locked or racing are looked at again, for a bounded time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncd.allocator import give_back_large_buffers
from syncd.ledger.transcripts import COPY_KINDS
from syncd.ledger.writer import Writer
from syncd.mirror.ingest import Deferred, Ingest
from syncd.mirror.installation import enrol
from syncd.mirror.lineage import link_parents
from syncd.mirror.rebuild import derive_stale
from syncd.mirror.selection import is_file_of_sessions, is_path_of_sessions
from syncd.openclaw.file_kinds import classify
from syncd.openclaw.state_dirs import agents_dir
from syncd.records import FileProblem
from syncd.sources.scan import OLDEST_AGENT, is_wanted, list_one, scan, session_directories

if TYPE_CHECKING:
    from collections.abc import Iterable

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import FileStat, ListedFile

TRANSCRIPT_KINDS = frozenset({"primary", "reset", "deleted", "trajectory"}) | COPY_KINDS
MAX_PASSES = 5

Listed = tuple["ListedFile", "FileName"]


@dataclass(frozen=True, slots=True)
class CatchUpOptions:
    """What to look at and how long to wait."""

    agents: tuple[str, ...] = ("*",)
    session_ids: frozenset[str] | None = None
    settle_seconds: float = 1.0
    max_line_bytes: int = 16 * 1024 * 1024
    lock_wait_seconds: float = 30.0
    prove_all: bool = False
    """Compare every byte of every file, also of those whose stat says that nothing changed."""


@dataclass(slots=True)
class CatchUp:
    """What a catch-up did."""

    transcripts: int = 0
    lines: int = 0
    bytes: int = 0
    quarantined: int = 0
    seconds: float = 0.0
    problems: list[FileProblem] = field(default_factory=list)
    in_progress: list[FileProblem] = field(default_factory=list)


class Progress:
    """Told how far a catch-up is; the command line draws it."""

    def expect(self, total_bytes: int) -> None: ...
    def advance(self, done_bytes: int) -> None: ...


def catch_up(
    ledger: Ledger, clock: Clock, state_dirs: Iterable[str], options: CatchUpOptions, progress: Progress | None = None
) -> CatchUp:
    """Bring the ledger level with the files of every state dir. The caller holds the writer lock."""
    started = clock.monotonic()
    give_back_large_buffers()
    result = CatchUp()
    derive_stale(ledger, options.max_line_bytes, progress or Progress())
    quarantined_before = _quarantined(ledger)
    writer = Writer(ledger, clock)
    try:
        for state_dir in state_dirs:
            _catch_up_one(writer, state_dir, options, progress or Progress(), result)
    finally:
        writer.close()
    result.quarantined = _quarantined(ledger) - quarantined_before
    result.seconds = clock.monotonic() - started
    return result


def _catch_up_one(writer: Writer, state_dir: str, options: CatchUpOptions, progress: Progress, result: CatchUp) -> None:
    ledger, files = writer.ledger, enrol(writer, state_dir)
    ingest = Ingest(
        writer,
        files,
        writer.clock,
        settle_seconds=options.settle_seconds,
        max_line_bytes=options.max_line_bytes,
        thorough=True,
    )
    for attempt in range(MAX_PASSES):
        known = _wanted(files.stats(), state_dir, options)
        if options.prove_all and attempt == 0:
            known = dict.fromkeys(known)
        found = scan(session_directories(state_dir, options.agents), known)
        result.problems = found.problems.copy()
        listed = [(item, name) for item in found.changed if (name := classify(item.name)).kind in TRANSCRIPT_KINDS]
        missing = found.missing
        if options.session_ids is not None:
            listed = [each for each in listed if is_file_of_sessions(ledger, options.session_ids, files, *each)]
            missing = [path for path in missing if is_path_of_sessions(ledger, options.session_ids, files, path)]
        if not listed and not missing:
            break
        progress.expect(sum(item.stat.size for item, _ in listed))
        deferred = _take_all(ingest, listed, progress, result)
        writer.flush()  # what is missing may have been found in another place just now
        for path in missing:
            ingest.lose(path)
        writer.flush()
        _wait_for(ingest, deferred, options, result)
        link_parents(writer)
    result.transcripts += len(ingest.tally.transcripts)
    result.lines += ingest.tally.lines
    result.bytes += ingest.tally.bytes


def _take_all(
    ingest: Ingest, listed: list[Listed], progress: Progress, result: CatchUp
) -> list[tuple[Listed, Deferred]]:
    """One look at each file: places first, so that an archive finds the transcript whose place was taken."""
    deferred = []
    was_archive = False
    for item in sorted(listed, key=lambda each: (_rank(each[1]), each[0].path)):
        if _rank(item[1]) > 0 and not was_archive:
            was_archive = True
            ingest.writer.flush()
        outcome = ingest.take(*item)
        if isinstance(outcome, Deferred):
            deferred.append((item, outcome))
        elif isinstance(outcome, FileProblem):
            result.problems.append(outcome)
        progress.advance(item[0].stat.size)
    return deferred


def _rank(name: FileName) -> int:
    return 0 if name.kind in ("primary", "trajectory") else 2 if name.kind in COPY_KINDS else 1


def _wait_for(
    ingest: Ingest, deferred: list[tuple[Listed, Deferred]], options: CatchUpOptions, result: CatchUp
) -> None:
    """Look again at what was not at rest, as long as it takes, but no longer than the lock wait."""
    clock = ingest.writer.clock
    deadline = clock.monotonic() + options.lock_wait_seconds
    while deferred:
        pause = min(item.seconds for _, item in deferred)
        if clock.monotonic() + pause > deadline:
            break
        clock.sleep(pause)
        again: list[tuple[Listed, Deferred]] = []
        for (listed, name), _ in deferred:
            now_listed = list_one(listed.agent_id, listed.path)
            outcome = ingest.take(now_listed, name) if now_listed is not None else None
            if isinstance(outcome, Deferred) and now_listed is not None:
                again.append(((now_listed, name), outcome))
            elif isinstance(outcome, FileProblem):
                result.problems.append(outcome)
        ingest.writer.flush()
        deferred = again
    result.in_progress = [FileProblem(listed.path, item.reason) for (listed, _), item in deferred]


def _wanted(stats: dict[str, FileStat | None], state_dir: str, options: CatchUpOptions) -> dict[str, FileStat | None]:
    """Known files of the agents looked at: the others are not missing, only not asked for."""
    if options.agents == ("*",):
        return stats
    prefix = agents_dir(state_dir) + "/"
    return {path: stat for path, stat in stats.items() if _is_of_wanted_agent(path, prefix, options)}


def _is_of_wanted_agent(path: str, prefix: str, options: CatchUpOptions) -> bool:
    agent_id = path.removeprefix(prefix).split("/", 1)[0] if path.startswith(prefix) else OLDEST_AGENT
    return is_wanted(agent_id, options.agents)


def _quarantined(ledger: Ledger) -> int:
    row = ledger.row("SELECT count(*) FROM quarantine")
    return int(row[0]) if row else 0
