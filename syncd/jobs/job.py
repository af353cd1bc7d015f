"""What a scheduled job is: a name, what it needs, what it says of itself. Not when it runs: that is `schedule`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from syncd.clock import Clock
    from syncd.ledger.database import Ledger
    from syncd.ledger.writer import Writer
    from syncd.mirror.catchup import CatchUpOptions, Home, Pace
    from syncd.settings import Settings


@dataclass(frozen=True, slots=True)
class Tools:
    """What every job works with. `pace.at_border()` is called between two small steps: live lines are read there.

    It may raise, to end the job: nothing half done may be open then, neither a transaction nor a read.
    """

    ledger: Ledger
    writer: Writer
    """Its own: `flush` before reading, as everywhere."""
    clock: Clock
    settings: Settings
    homes: tuple[Home, ...]
    """State dirs that are there, with their files."""
    pace: Pace
    options: CatchUpOptions
    """What a catch-up is asked for: agents, settle time, longest line, environment."""
    so_far: Mapping[str, object] = field(default_factory=dict)
    """The summary of this run's last step, or of a run that was cut short after such a step."""
    forget_in_logs: Callable[[Ledger], object] = lambda _: None
    """Takes the names of purged sessions out of our own logs."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`summary`: counts, ids and reasons, never message text; it becomes job_runs.summary_json."""

    ok: bool = True
    """False: it found what it could not mend; `summary["reason"]` says what. What went wrong is raised instead."""
    summary: Mapping[str, object] = field(default_factory=dict)
    goes_on_after: float | None = None
    """Not done yet: to be called again, with this summary as `so_far`, after so many seconds. Others come between."""
    retries: bool = True
    """If not ok: try again soon. False: later, since that would only find the same again."""


Job = Callable[[Tools], Outcome]
