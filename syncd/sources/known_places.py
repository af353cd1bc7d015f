"""Directories and databases that the ledger has transcripts from, whatever OpenClaw's configuration names now.

Another `session.store`, or a configuration that is away for a moment, says nothing of what lies where it was: a gateway
may write there still, and its last lines may not be read yet. So such a place is read until it is gone, as that of the
agent that it was known for. Whether it is still there, whoever lists it asks.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from syncd.sources.links import links_to
from syncd.sources.opening import is_surely_gone
from syncd.sources.scan import SessionDirectory, is_wanted
from syncd.sources.store_paths import STORE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping


class KnownPlaces(Protocol):
    """What the ledger tells of one state dir."""

    def places(self) -> Iterable[str]: ...

    def agent_at(self, place: str) -> str | None:
        """Whose the transcripts there are, or most of them; None: they are elsewhere by now, or another state dir's."""
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
    known: KnownPlaces, names: Mapping[str, str], agent_globs: Iterable[str], named: Container[str]
) -> Iterator[SessionDirectory]:
    """Of these, those of wanted agents. `named`: the real paths of what is looked at anyway, or is not to be."""
    globs = tuple(agent_globs)
    for real, place in names.items():
        if real in named or is_surely_gone(place):
            continue
        agent_id = known.agent_at(place)
        if agent_id is not None and is_wanted(agent_id, globs):
            yield SessionDirectory(agent_id, place)


def known_names(known: KnownPlaces, *, are_stores: bool) -> dict[str, str]:
    """By real path, under which name a place is known; of several, the one that needs the fewest links.

    It keeps that name, whatever the configuration calls it: under another one, all that lies there would be new.
    """
    found = {}
    places = [place for place in known.places() if place.endswith(STORE_SUFFIX) == are_stores]
    for place in sorted(places, key=lambda each: (-links_to(f"{each}/"), each)):
        found[os.path.realpath(place)] = place
    return found
