"""The faults a person is told about: each has a title, a hint, a stable type and an exit code.

Not for bad data in OpenClaw's files, which is a value and never an exception. Foreign exceptions
are translated into these at the border where they arise; the command line turns them into words.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple


class SyncdError(Exception):
    """`title` says what is wrong, `hint` what to do about it; `type` and `exit_code` are public."""

    type: ClassVar[str] = "failed"
    exit_code: ClassVar[int] = 1

    def __init__(self, title: str, hint: str = "") -> None:
        super().__init__(title, hint)
        self.title = title
        self.hint = hint

    def __str__(self) -> str:
        return self.title

    def details(self) -> Mapping[str, object]:
        """Further fields of the error document of `--json`."""
        return {}


class UserError(SyncdError):
    """The command was asked for something that cannot be meant."""

    type = "usage"
    exit_code = 2


class AmbiguousName(UserError):
    """A name that can mean several things; `candidates` tells them apart."""

    type = "ambiguous"

    def __init__(self, title: str, hint: str = "", candidates: Sequence[Mapping[str, object]] = ()) -> None:
        super().__init__(title, hint)
        self.candidates = tuple(candidates)

    def details(self) -> Mapping[str, object]:
        return {"candidates": list(self.candidates)}


class Problem(NamedTuple):
    """One fault of the configuration: where (dotted key, line of the file) and what."""

    path: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line is not None else ""
        return f"{place}{self.path}: {self.message}" if self.path else f"{place}{self.message}"


class ConfigError(SyncdError):
    """All faults of one configuration at once."""

    type = "config"
    exit_code = 78

    def __init__(self, title: str, problems: Sequence[Problem] = (), hint: str = "") -> None:
        super().__init__(title, hint)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n  ".join([self.title, *map(str, self.problems)])

    def details(self) -> Mapping[str, object]:
        return {"problems": [problem._asdict() for problem in self.problems]}


class SourceError(SyncdError):
    """One of OpenClaw's files could not be read: counted, tried again, never the end of a run."""

    type = "source"

    def __init__(self, title: str, hint: str = "", *, path: str = "") -> None:
        super().__init__(title, hint)
        self.path = path

    @property
    def reason(self) -> str:
        """What is wrong, for where the path is named already."""
        return self.title.removeprefix(f"{self.path} ") if self.path else self.title

    def details(self) -> Mapping[str, object]:
        return {"path": self.path} if self.path else {}


class ShortageError(SyncdError):
    """The system gives this process no file descriptor or memory just now; trying again later helps."""

    type = "shortage"


class LedgerError(SyncdError):
    """The ledger cannot be used as it was meant to be."""

    type = "ledger"


class LedgerAbsent(LedgerError):
    """There is none yet, or its first run was cut short before it was made."""


class LedgerBusy(LedgerError):
    """Another process holds the write lock; trying again helps."""

    type = "ledger_busy"


class LedgerNewer(LedgerError):
    """The ledger was written by a newer syncd; it is left untouched."""

    type = "ledger_newer"
    exit_code = 78


class LedgerMoved(LedgerError):
    """Moved or deleted while it was open; opened anew, it is whole.

    `is_another`: somebody has put another ledger in its place.
    """

    type = "ledger_moved"

    def __init__(self, title: str, hint: str = "", *, is_another: bool = False) -> None:
        super().__init__(title, hint)
        self.is_another = is_another


class LedgerGone(LedgerError):
    """Moved or deleted while it was open, and not put back yet: what is open is all there is of it."""

    type = "ledger_gone"


class LedgerOlder(LedgerError):
    """Its schema is of an older syncd's: whoever may write brings it forward."""


class LedgerCorrupt(LedgerError):
    """Its file or its raw bytes are damaged: the daemon puts it right by itself, verbs point to what does."""

    type = "ledger_corrupt"


class LedgerFull(LedgerError):
    """The disk is full: nothing of the batch was kept; the files still hold it."""

    type = "ledger_full"


class ServiceError(SyncdError):
    """systemd or launchd is not there, or did not do what it was asked."""

    type = "service"


class AlreadyRunning(SyncdError):
    """Another instance holds the ledger; `pid` is its owner where that is known."""

    type = "already_running"
    exit_code = 75

    def __init__(self, title: str, hint: str = "", *, pid: int | None = None) -> None:
        super().__init__(title, hint)
        self.pid = pid

    def details(self) -> Mapping[str, object]:
        return {"pid": self.pid}
