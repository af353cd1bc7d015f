"""Frozen types that travel between the rooms; no behaviour beyond their own fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import os

_INT64 = 0x7FFF_FFFF_FFFF_FFFF


class FileStat(NamedTuple):
    """What tells a change of a file: equal only if nothing was written, replaced or touched."""

    dev: int
    ino: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, stat: os.stat_result) -> FileStat:
        # Some file systems number inodes with all 64 bits; SQLite's integers are signed.
        return cls(stat.st_dev & _INT64, stat.st_ino & _INT64, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


StatFields = tuple[int, int, int, int, int]
"""What a FileStat is equal to, and a third of its cost: for every file there is, most of them unchanged."""


class ListedFile(NamedTuple):
    """A file seen in a sessions directory; not opened yet."""

    agent_id: str
    directory: str
    name: str
    stat: FileStat
    link_count: int
    is_regular: bool

    @property
    def path(self) -> str:
        return f"{self.directory}/{self.name}"


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file or directory that could not be read, why, and what can be done about it."""

    path: str
    reason: str
    hint: str = ""
    code: str = ""
    """The public name of this state, where it has one of its own."""
