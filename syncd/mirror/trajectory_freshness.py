"""What OpenClaw's databases have of trajectories and the ledger has not, seen from outside: by the events' numbers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import SourceError
from syncd.ledger.files import log_positions
from syncd.path_text import printable
from syncd.sources.store_opening import handles_kept
from syncd.sources.store_trajectories import FIRST_SEQ, bytes_after, last_events, trajectory_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.files import FileTable
    from syncd.sources.store_places import StorePlace

_KNOWN = "SELECT session_id, agent_id FROM transcripts WHERE installation_id = ? AND kind = 'trajectory'"


class Waiting(NamedTuple):
    """Events of one session; `written_ms`: when the newest of them was."""

    agent_id: str
    bytes: int
    written_ms: int


def waiting_events(ledger: Ledger | None, files: FileTable | None, places: Iterable[StorePlace]) -> Iterator[Waiting]:
    """Of a database that cannot be read now, none: whoever lists its sessions says so."""
    taken: dict[str, int] | None = None
    known: set[tuple[str, str]] = set()
    for place in places:
        try:
            with handles_kept():
                found = last_events(place.path)
                if found and taken is None:
                    taken, known = _taken(ledger, files)
                for session_id, newest in found.items():
                    after = (taken or {}).get(f"{place.path}/{trajectory_name(session_id)}")
                    if after is None and (session_id, printable(place.agent_id)) in known:
                        continue  # the ledger has it from another database, which only a comparison tells from this one
                    after = FIRST_SEQ if after is None else after
                    if newest.seq > after and not (files is not None and files.kept_out.is_session(session_id)):
                        size = bytes_after(place.path, session_id, after)
                        yield Waiting(place.agent_id, size, newest.created_at)
        except SourceError:
            continue


def _taken(ledger: Ledger | None, files: FileTable | None) -> tuple[dict[str, int], set[tuple[str, str]]]:
    """The number of the last event taken, by path; and of which sessions and agents there are any."""
    if ledger is None or files is None:
        return {}, set()
    positions = {
        os.path.join(files.state_dir, os.fsdecode(path)): position
        for path, position in log_positions(ledger, files.installation_id)
    }
    return positions, {(row[0], row[1]) for row in ledger.execute(_KNOWN, (files.installation_id,))}
