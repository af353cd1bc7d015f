"""What is wrong with what the ledger has of a file, as values: where the two part, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncd.path_text import printable
from syncd.sources.opening import BUSY_CODE

if TYPE_CHECKING:
    from syncd.records import FileProblem

SHORTER = "the file is shorter"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a file and the ledger part. A `path` whose file is gone names a transcript that only the ledger has."""

    path: str
    generation: int
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class Damaged(Difference):
    """The ledger's own bytes are not what was taken in, whatever the file says."""


@dataclass(frozen=True, slots=True)
class Busy(Difference):
    """Nothing is known of it yet: OpenClaw is at work in its database."""


def unread(problem: FileProblem | None) -> Difference | None:
    if problem is None:
        return None
    kind = Busy if problem.code == BUSY_CODE else Difference
    return kind(printable(problem.path), 0, 0, f"{problem.reason}; {problem.hint}")


def damaged(path: str, generation: int, offset: int, reason: str, transcript_id: int) -> Damaged:
    return Damaged(path, generation, offset, f"{reason} in the ledger (transcript {transcript_id})")
