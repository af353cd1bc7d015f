"""The one way to the managers' programs: a plain callable, so that tests record what would be done.

Not a shell: arguments are lists. A program that is missing or does not answer in time is an answer too.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE_SECONDS = 60.0
MISSING, TOO_LATE = 127, 124


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str = ""
    err: str = ""

    @property
    def words(self) -> str:
        """What it said, in one line."""
        return " ".join((self.err or self.out).split())[:500]


class Run(Protocol):
    """`shown`: what it prints goes where ours goes, for as long as it likes, and is not returned."""

    def __call__(self, args: Sequence[str], *, shown: bool = False) -> Done: ...


def run_command(args: Sequence[str], *, shown: bool = False) -> Done:
    try:
        if shown:
            return Done(subprocess.run(args, check=False).returncode)
        done = subprocess.run(
            args, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE_SECONDS, check=False,
            encoding="utf-8", errors="surrogateescape",
        )  # fmt: skip
    except FileNotFoundError:
        return Done(MISSING, err=f"{args[0]} is not there")
    except OSError as fault:
        return Done(MISSING, err=f"{args[0]} cannot be started: {fault.strerror}")
    except subprocess.TimeoutExpired:
        return Done(TOO_LATE, err=f"{args[0]} did not answer within {PATIENCE_SECONDS:.0f} s")
    return Done(done.returncode, done.stdout, done.stderr)
