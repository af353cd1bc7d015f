"""Long work beside the loop, on a thread of its own, while live files are followed.

Such a thread never writes to the ledger: the loop's is the only one that does. What reads it has its own connection.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from syncd.ledger.database import open_for_reading

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncd.ledger.database import Ledger
    from syncd.mirror.catchup import Pace

    IsGivenUp = Callable[[], bool]

T = TypeVar("T")
_LOOK_SECONDS = 0.05
_AT_LEAST_SECONDS = 0.002
"""Whoever's waits take no time, as where a clock is wound by hand, would keep the thread beside from its work."""


def do_beside(pace: Pace, act: Callable[[IsGivenUp], T]) -> T:
    """What comes of `act`. It is to ask now and then whether it is given up: `pace` may end the whole."""
    is_given_up = Event()
    with ThreadPoolExecutor(1, "syncd-beside") as beside:
        work = beside.submit(act, is_given_up.is_set)
        try:
            while not wait((work,), _AT_LEAST_SECONDS).done:
                pace.wait(_LOOK_SECONDS)
            return work.result()
        finally:
            is_given_up.set()


def read_beside(path: Path, pace: Pace, act: Callable[[Ledger, IsGivenUp], T]) -> T:
    """What `act` finds in the ledger."""

    def read(is_given_up: IsGivenUp) -> T:
        with open_for_reading(path) as ledger:
            return act(ledger, is_given_up)

    return do_beside(pace, read)
