"""Which transcript a trajectory of OpenClaw's own SQLite is, also where its database was put elsewhere. Only looks.

A database is put elsewhere by `session.store`, by `agentDir` or by hand, moved or copied. What it has of a trajectory
goes on there as the transcript that it was. Where both databases have it, the one that has more is the source, and the
other is *stale*; two that went different ways are two. One that lay in a database which names no agent may turn out to
be another agent's than was known: its events tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from syncd.errors import LedgerCorrupt, SourceError
from syncd.ledger import transcripts
from syncd.mirror.trajectory_compare import compare, last_taken
from syncd.path_text import printable
from syncd.sources.opening import NotThereError
from syncd.sources.store_paths import is_stored, store_of
from syncd.sources.store_trajectories import has_events, trajectory_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript
    from syncd.sources.owners import Owners
    from syncd.sources.store_places import StorePlace

_AT = "installation_id = ? AND kind = 'trajectory' AND path = ?"
_OF = "installation_id = ? AND kind = 'trajectory' AND session_id = ?"


class Elsewhere(NamedTuple):
    """A trajectory that the ledger has from another database."""

    transcript: Transcript
    is_stale: bool
    """Has this database nothing that the other one has not?"""


def known_trajectory(ledger: Ledger, installation_id: int, store_path: str, session_id: str) -> Transcript | None:
    """The one that was taken from this database."""
    path = printable(f"{store_path}/{trajectory_name(session_id)}")
    return next(iter(transcripts.load_where(ledger, _AT, (installation_id, path))), None)


def known_elsewhere(
    ledger: Ledger, owners: Owners, installation_id: int, place: StorePlace, session_id: str, newest: int
) -> Elsewhere | None:
    """The one that this database goes on with, or has a part of. `newest`: the last event that it has.

    SourceError: that cannot be told now.
    """
    for transcript in _in_other_databases(ledger, owners, installation_id, place, session_id):
        is_foreign = transcript.agent_id != printable(place.agent_id)
        is_kept = _is_kept(store_of(transcript.path), session_id)
        if is_foreign and is_kept:
            continue  # two agents have one each
        if not is_foreign and not is_kept:
            return Elsewhere(transcript, is_stale=False)
        try:
            mark = last_taken(ledger, place.path, transcript)
            found = compare(ledger, transcript, place.path, mark.seq)
        except LedgerCorrupt:
            if is_foreign:
                continue
            return Elsewhere(transcript, is_stale=True)  # until its bytes are mended, nothing else can be told
        has_other = found.is_anew or (found.parting is not None and not found.parting.is_shorter)
        if not has_other:
            return Elsewhere(transcript, is_stale=is_kept and newest <= mark.seq)
    return None


def _in_other_databases(
    ledger: Ledger, owners: Owners, installation_id: int, place: StorePlace, session_id: str
) -> Iterator[Transcript]:
    """Likeliest first: the agent's own, the one that is live, and has the most."""
    known = transcripts.load_where(ledger, _OF, (installation_id, session_id))
    path, agent_id = f"{printable(place.path)}/{trajectory_name(session_id)}", printable(place.agent_id)

    def likelihood(item: Transcript) -> tuple[bool, bool, int]:
        return (item.agent_id == agent_id, item.state == "live", item.bytes)

    for transcript in sorted(known, key=likelihood, reverse=True):
        if not is_stored(transcript.path) or store_of(transcript.path) == printable(place.path):
            continue
        if owners.may_be_one(path, agent_id, transcript.path, transcript.agent_id):
            yield transcript


def _is_kept(store_path: str, session_id: str) -> bool:
    """A database that cannot be read now still has what it had."""
    try:
        return has_events(store_path, session_id)
    except NotThereError:
        return False
    except SourceError:
        return True
