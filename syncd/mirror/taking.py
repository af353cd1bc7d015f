"""The files of one pass, each looked at in its turn; what is not at rest is looked at again, for a bounded time.

The hands of `catchup`, which says what there is to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from syncd.mirror.placement import is_continuing
from syncd.mirror.settling import Deferred
from syncd.openclaw.file_kinds import COPY_KINDS
from syncd.records import FileProblem
from syncd.sources.opening import BUSY_CODE, BUSY_POLL_SECONDS
from syncd.sources.scan import list_one
from syncd.sources.store_opening import handles_kept, let_go_of_handles
from syncd.sources.store_paths import is_stored

if TYPE_CHECKING:
    from syncd.clock import Clock
    from syncd.mirror.catchup import CatchUp, CatchUpOptions, Pace, Progress
    from syncd.mirror.ingest import Ingest
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile

_SHORTEST_PAUSE_SECONDS = 0.025  # as OpenClaw polls; without one, a settle time of 0 would wait for a lock for ever

Listed = tuple["ListedFile", "FileName"]


class Waiting(NamedTuple):
    """A file that was not at rest, and how to look at it again."""

    path: str
    look_again: Callable[[], Deferred | FileProblem | None]
    deferred: Deferred


def take_all(ingest: Ingest, listed: list[Listed], progress: Progress, pace: Pace, result: CatchUp) -> list[Waiting]:
    """One look at each file: archives first, so that what now has their former place is not taken for a rewrite."""
    with handles_kept():
        return _taken(ingest, listed, progress, pace, result)


def _taken(ingest: Ingest, listed: list[Listed], progress: Progress, pace: Pace, result: CatchUp) -> list[Waiting]:
    waiting = []
    reached = 0
    for item in sorted(listed, key=lambda each: (rank(each[1]), each[0].path)):
        if not is_stored(item[0].path):
            let_go_of_handles()
        if rank(item[1]) > reached:
            reached = rank(item[1])
            ingest.writer.flush()
        outcome = _take_in_slices(ingest, item, pace)
        deferred = _deferred(outcome)
        if deferred is not None:
            waiting.append(Waiting(item[0].path, partial(_take_again, ingest, *item), deferred))
        elif isinstance(outcome, FileProblem):
            result.problems.append(outcome)
        progress.advance(item[0].stat.size)
        pace.at_border()
    return waiting


def _deferred(outcome: Deferred | FileProblem | None) -> Deferred | None:
    """A database that OpenClaw is at work in will be free again."""
    if isinstance(outcome, FileProblem) and outcome.code == BUSY_CODE:
        return Deferred("locked", BUSY_POLL_SECONDS)
    return outcome if isinstance(outcome, Deferred) else None


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


def lose_all(ingest: Ingest, missing: list[str]) -> list[Waiting]:
    ingest.writer.flush()
    with handles_kept():
        return [
            Waiting(path, partial(ingest.lose_if_missing, path), deferred)
            for path in missing
            if (deferred := _lost(ingest, path)) is not None
        ]


def _lost(ingest: Ingest, path: str) -> Deferred | None:
    if not is_stored(path):
        let_go_of_handles()
    return ingest.lose_if_missing(path, is_flushed=True)


def rank(name: FileName) -> int:
    """The order in which files of one pass are looked at."""
    if name.kind in COPY_KINDS:
        return 2
    return 0 if is_continuing(name) else 1


def wait_for(
    waiting: list[Waiting], ingest: Ingest, options: CatchUpOptions, pace: Pace, result: CatchUp
) -> list[FileProblem]:
    """Look again at what was not at rest, as long as it takes, but all passes together no longer than the lock wait.

    All is committed then. Returns what is still not at rest.
    """
    ingest.writer.flush()
    while waiting:
        pause = max(_SHORTEST_PAUSE_SECONDS, min(item.deferred.seconds for item in waiting))
        if not may_wait(ingest.writer.clock, pause, options, result):
            break
        pace.wait(pause)
        again = []
        for item in waiting:
            outcome = item.look_again()
            deferred = _deferred(outcome)
            if deferred is not None:
                again.append(item._replace(deferred=deferred))
            elif isinstance(outcome, FileProblem):
                result.problems.append(outcome)
        ingest.writer.flush()
        waiting = again
    return [FileProblem(item.path, item.deferred.reason) for item in waiting]


def may_wait(clock: Clock, seconds: float, options: CatchUpOptions, result: CatchUp) -> bool:
    """Is there so much left of the lock wait? What is done between two pauses counts: a file may never be at rest."""
    now = clock.monotonic()
    if result.waiting_since is None:
        result.waiting_since = now
    result.waited_seconds = now - result.waiting_since
    return result.waited_seconds + seconds <= options.lock_wait_seconds
