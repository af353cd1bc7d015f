"""Directories and databases that the ledger has transcripts from, whatever OpenClaw's configuration names now.

Another `session.store`, or a configuration that is away for a moment, says nothing of what lies where it was: a gateway
may write there still, and its last lines may not be read yet. So such a place is read until it is gone, as that of the
agent that it was known for. Whether it is still there, whoever lists it asks.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from syncd.sources.scan import SessionDirectory, is_wanted
from syncd.sources.store_paths import STORE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator


class KnownPlaces(Protocol):
    """What the ledger tells of one state dir."""

    def places(self) -> Iterable[str]: ...

    def agent_at(self, place: str) -> str | None:
        """Whose the transcripts there are, or most of them; None: they are elsewhere by now."""
        ...


class _Nowhere:
    def places(self) -> Iterable[str]:
        return ()

    def agent_at(self, place: str) -> str | None:
        del place
        return None


NOWHERE: KnownPlaces = _Nowhere()
"""For who has no ledger at hand."""


def known_beside(
    known: KnownPlaces, agent_globs: Iterable[str], named: Container[str], *, are_stores: bool
) -> Iterator[SessionDirectory]:
    """Those of wanted agents. `named`: the real paths of what is looked at anyway, or is not to be."""
    globs = tuple(agent_globs)
    for place in sorted(known.places()):
        if place.endswith(STORE_SUFFIX) != are_stores or place in named or os.path.realpath(place) in named:
            continue
        agent_id = known.agent_at(place)
        if agent_id is not None and is_wanted(agent_id, globs):
            yield SessionDirectory(agent_id, place)
