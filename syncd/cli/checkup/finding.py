"""One thing that `doctor` has to say, and what would put it right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Severity = Literal["ok", "note", "warning", "error"]
"""error: the mirror does not work, or loses ground. warning: it works, but will miss something. note: good to know."""


class Fix(NamedTuple):
    """Safe to do unasked: on files of syncd's own only. `act` raises OSError where it cannot."""

    does: str
    path: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Finding:
    """`code` is stable; `why` it matters and the `remedy` are empty where all is well."""

    code: str
    severity: Severity
    what: str
    why: str = ""
    remedy: str = ""
    path: str = ""
    fix: Fix | None = None

    def document(self) -> dict[str, object]:
        words = {"code": self.code, "severity": self.severity, "what": self.what}
        words |= {"why": self.why, "remedy": self.remedy, "path": self.path}
        return {**words, "fixable": self.fix is not None}


def well(code: str, what: str, path: str = "") -> Finding:
    return Finding(code, "ok", what, path=path)
