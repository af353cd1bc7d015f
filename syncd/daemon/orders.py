"""What the loop is told to do, by the configuration as it is now; another set of them may come while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from syncd.daemon.health_log import HealthLog
    from syncd.mirror.catchup import CatchUpOptions
    from syncd.mirror.errands import Errand
    from syncd.mirror.index_look import IndexOptions

BEAT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class LoopOptions:
    catch_up: CatchUpOptions
    index: IndexOptions
    rescan_seconds: float = 60.0
    mode: str = "auto"
    """auto or events: events, with polling where there are none; poll: polling only."""
    beat_seconds: float = BEAT_SECONDS
    health_log: HealthLog | None = None
    """For whoever reports; None: as it was begun."""
    errands: Mapping[str, Errand] = field(default_factory=dict)
    """What verbs may ask for, by name."""


@dataclass(frozen=True, slots=True)
class Orders:
    """`find_state_dirs` may name some that are not there (yet)."""

    find_state_dirs: Callable[[], tuple[str, ...]]
    options: LoopOptions
    refused: str | None = None
    """What of the configuration cannot be done without a restart."""
