"""Trajectories of OpenClaw's own SQLite held against the ledger, for `verify`. Reads only, on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import LedgerCorrupt, SourceError
from syncd.ledger.snapshot import snapshot
from syncd.mirror.trajectory_compare import compare, last_taken
from syncd.mirror.trajectory_places import known_elsewhere, known_trajectory
from syncd.mirror.trajectory_store import Scope
from syncd.sources.opening import BUSY_CODE, NotThereError, problem_of
from syncd.sources.store_index import store_stat
from syncd.sources.store_opening import handles_kept
from syncd.sources.store_trajectories import last_events, trajectory_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.mirror.catchup import CatchUpOptions
    from syncd.sources.owners import Owners
    from syncd.sources.store_places import StorePlace


class Held(NamedTuple):
    """One trajectory: where it lies, whose it is in the ledger, how many bytes are equal, and where it parts, if so.

    Or a database of which none could be read.
    """

    path: str
    transcript_id: int | None
    bytes: int
    parting: tuple[int, int, str] | None
    """Generation, offset, and what is wrong there; generation 0: nothing could be compared."""
    is_moving: bool
    goes_on_in: str | None = None
    """Where the ledger's source of it is, if that is another database, and this one has nothing else."""


NOT_TAKEN = "not taken in yet"
LONGER = "the trajectory is longer"
SHORTER = "the trajectory is shorter"


@dataclass(frozen=True, slots=True)
class Trajectories:
    ledger: Ledger
    clock: Clock
    files: FileTable
    options: CatchUpOptions

    def held(self) -> Iterator[Held]:
        options, files = self.options, self.files
        scope = Scope(options.agents, options.environ, options.session_ids, files)
        owners = scope.owners(files.state_dir)
        for place in scope.places(files.state_dir):
            try:
                with handles_kept():
                    found = last_events(place.path)
            except NotThereError:
                continue  # since it was listed
            except SourceError as error:
                yield _unread(error, place.path, place.path)
                continue
            for session_id, newest in found.items():
                if scope.is_meant(session_id) and not files.kept_out.is_session(session_id):
                    held = self._held(owners, place, session_id, newest.seq)
                    if held is not None:
                        yield held

    def _held(self, owners: Owners, place: StorePlace, session_id: str, newest: int) -> Held | None:
        store_path, installation_id = place.path, self.files.installation_id
        path = f"{store_path}/{trajectory_name(session_id)}"
        stat = store_stat(store_path)
        age = self.clock.now_ms() / 1000 - stat.ctime_ns / 1e9 if stat is not None else 0.0
        is_moving = age < self.options.settle_seconds
        with snapshot(self.ledger):
            transcript = known_trajectory(self.ledger, installation_id, store_path, session_id)
            try:
                with handles_kept():
                    if transcript is None:
                        elsewhere = known_elsewhere(self.ledger, owners, installation_id, place, session_id, newest)
                        if elsewhere is not None and elsewhere.is_stale:
                            return Held(path, None, 0, None, is_moving, elsewhere.transcript.path)
                        return Held(path, None, 0, (0, 0, NOT_TAKEN), is_moving)
                    mark = last_taken(self.ledger, store_path, transcript)
                    found = compare(self.ledger, transcript, store_path, mark.seq)
            except LedgerCorrupt:
                return None  # told of by whoever looks at what only the ledger has
            except SourceError as error:
                return _unread(error, store_path, path)
        parting: tuple[int, int, str] | None = None
        if found.parting is not None:
            what = SHORTER if found.parting.is_shorter else "bytes differ"
            parting = (transcript.generation, found.parting.byte, what)
        elif found.is_anew or found.newest > mark.seq or newest > mark.seq:
            parting = (transcript.generation, transcript.bytes, LONGER)
        return Held(path, transcript.id, found.equal_bytes, parting, is_moving)


def _unread(error: SourceError, store_path: str, path: str) -> Held:
    """A database that OpenClaw is at work in is read a little later."""
    problem = problem_of(error, path)
    is_busy = problem.code == BUSY_CODE
    reason = problem.reason if is_busy else f"{problem.reason}; {problem.hint}"
    return Held(store_path if is_busy else path, None, 0, (0, 0, reason), is_busy)
