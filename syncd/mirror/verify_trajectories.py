"""Trajectories of OpenClaw's own SQLite held against the ledger, for `verify`. Reads only, on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import LedgerCorrupt, SourceError
from syncd.ledger.snapshot import snapshot
from syncd.mirror.trajectory_compare import compare, last_taken
from syncd.mirror.trajectory_store import SUFFIX, known_trajectory, stored_places
from syncd.sources.store_index import store_stat
from syncd.sources.store_opening import handles_kept
from syncd.sources.store_trajectories import last_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.mirror.catchup import CatchUpOptions


class Held(NamedTuple):
    """One trajectory: where it lies, whose it is in the ledger, how many bytes are equal, and where it parts, if so."""

    path: str
    transcript_id: int | None
    bytes: int
    parting: tuple[int, int, str] | None
    """Generation, offset, and what is wrong there."""
    is_moving: bool


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
        """What cannot be read is passed over: whoever lists the sessions of a database says what is wrong with it."""
        options, files = self.options, self.files
        wanted = options.session_ids
        for place in stored_places(files.state_dir, options.agents, options.environ):
            try:
                with handles_kept():
                    found = last_events(place.path)
            except SourceError:
                continue
            for session_id, newest in found.items():
                if (wanted is None or session_id in wanted) and not files.kept_out.is_session(session_id):
                    held = self._held(place.path, session_id, newest)
                    if held is not None:
                        yield held

    def _held(self, store_path: str, session_id: str, newest: int) -> Held | None:
        path = f"{store_path}/{session_id}{SUFFIX}"
        stat = store_stat(store_path)
        age = self.clock.now_ms() / 1000 - stat.ctime_ns / 1e9 if stat is not None else 0.0
        is_moving = age < self.options.settle_seconds
        with snapshot(self.ledger):
            transcript = known_trajectory(self.ledger, self.files.installation_id, store_path, session_id)
            if transcript is None:
                # One who leaves the indexes alone has not taken it in, either.
                return Held(path, None, 0, (0, 0, NOT_TAKEN), is_moving) if self.options.index is not None else None
            try:
                with handles_kept():
                    position = last_taken(self.ledger, store_path, transcript)
                    found = compare(self.ledger, transcript, store_path, position)
            except (LedgerCorrupt, SourceError):
                return None  # told of by whoever looks at what only the ledger has, or lists the database
        parting: tuple[int, int, str] | None = None
        if found.parting is not None:
            what = SHORTER if found.parting.is_shorter else "bytes differ"
            parting = (transcript.generation, found.parting.byte, what)
        elif found.is_anew or found.newest > position or newest > position:
            parting = (transcript.generation, transcript.bytes, LONGER)
        return Held(path, transcript.id, found.equal_bytes, parting, is_moving)
