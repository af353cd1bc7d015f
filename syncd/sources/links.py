"""Links on the way to a place: what is reached through fewer of them is the place, and the others are its names."""

from __future__ import annotations

import os


def links_to(path: str) -> int:
    """How many parts of a path are links, the last one not counted."""
    found, directory = 0, os.path.dirname(path)
    while directory != os.path.dirname(directory):
        found += os.path.islink(directory)
        directory = os.path.dirname(directory)
    return found
