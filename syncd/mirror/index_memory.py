"""What is remembered between two looks at the indexes of one installation; lost at a stop, and not missed.

Waits are counted in monotonic time here: how long a lock has been held, an index torn, an entry missing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from syncd.ledger.session_changes import Name
    from syncd.records import FileStat
    from syncd.sources.index_file import Fault, Unreadable
    from syncd.sources.openclaw_config import ConfigRead

ATTEMPTS = 5
_FIRST_PAUSE_SECONDS = 0.025
_LAST_PAUSE_SECONDS = 0.4


@dataclass(slots=True)
class StoreMemory:
    """One index."""

    proven: FileStat | None = None
    """The stat under which its bytes need no second reading."""
    seen_at: int = 0
    """When it was last found to be what the ledger has."""
    locked_since: float | None = None
    fault: Fault | None = None
    """Why it could not be read at the last look."""
    fault_stat: FileStat | None = None
    fault_told: tuple[str, str] | None = None
    broken: frozenset[str] = frozenset()
    """Keys whose entries could not be read, when the others were read last."""
    attempts: int = 0
    next_attempt: float = 0.0
    next_reading: float = 0.0
    """Not before then: reading all of a large database again and again would keep a processor busy."""

    def read_well(self, proven: FileStat | None, now_ms: int) -> None:
        self.proven, self.seen_at = proven, now_ms
        self.forget_fault()

    def forget_fault(self) -> None:
        """Whatever was wrong with it is wrong no more."""
        self.fault, self.fault_stat, self.fault_told, self.attempts, self.next_attempt = None, None, None, 0, 0.0

    def read_badly(self, found: Unreadable, monotonic: float) -> None:
        if found.reason != self.fault:
            self.attempts = 0
        self.attempts += 1
        self.fault, self.fault_stat, self.fault_told = found
        pause = min(_LAST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2 ** min(self.attempts - 1, 8))
        self.next_attempt = monotonic + pause * random.uniform(0.75, 1.25)  # noqa: S311 - jitter, not a secret

    @property
    def is_given_up(self) -> bool:
        """Not a passing moment any more: looked at again when it changes, and by the rescan."""
        return self.attempts >= ATTEMPTS


@dataclass(slots=True)
class IndexMemory:
    """All indexes of one installation."""

    stores: dict[str, StoreMemory] = field(default_factory=dict)
    config: ConfigRead | None = None
    missing: dict[tuple[int, Name], float] = field(default_factory=dict)
    """Monotonic time at which an entry was first found missing from an index."""
    lifecycles_due: float = 0.0

    def store(self, path: str) -> StoreMemory:
        return self.stores.setdefault(path, StoreMemory())
