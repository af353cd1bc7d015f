"""What lies around the ledger: its sizes, the disk it is on, and the programs that have it open.

Stats and the kernel's own lists only: nothing of the ledger is opened, so it can be asked while the ledger cannot be
used, and drops none of SQLite's locks. What a system does not tell is empty or None.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MAX_HOLDERS = 20
# SQLite's locks on the -shm file, by byte: 120 writing, 123 to 127 reading, 128 having it open.
_WRITING, _READING = 120, range(123, 128)
_RANKS = ("open", "reads", "writes")
_NETWORK = frozenset((
    "afs", "cifs", "davfs", "fuse.davfs", "fuse.davfs2", "fuse.gcsfuse", "fuse.rclone", "fuse.s3fs", "fuse.sshfs",
    "ncpfs", "nfs", "nfs4", "smb2", "smb3", "smbfs",
))  # fmt: skip
_OCTAL = r"\\([0-7]{3})"


class Holder(NamedTuple):
    """Another process that has the ledger open. `does`: open, reads (at this moment), or writes."""

    pid: int
    program: str
    does: str

    def __str__(self) -> str:
        return f"{self.program or 'a program'} (pid {self.pid}, {self.does})"


class Surroundings(NamedTuple):
    ledger_bytes: int
    wal_bytes: int
    disk_free_bytes: int | None
    holders: tuple[Holder, ...] = ()


def surroundings(ledger_path: Path, *, own_pid: int | None = None) -> Surroundings:
    """`own_pid`: of the daemon, which is no stranger to its ledger."""
    strangers = [each for each in holders(ledger_path) if each.pid not in (own_pid, os.getpid())]
    return Surroundings(
        size_of(ledger_path), size_of(_beside(ledger_path, "-wal")), _free_bytes(ledger_path), tuple(strangers)
    )


def holders(ledger_path: Path) -> list[Holder]:
    """Every process that has the ledger open, as far as /proc/locks tells."""
    ranks: dict[int, int] = {}
    for pid, rank in _locks_on(*_kernels_list(_beside(ledger_path, "-shm"))):
        ranks[pid] = max(rank, ranks.get(pid, 0))
    return [Holder(pid, _program(pid), _RANKS[rank]) for pid, rank in sorted(ranks.items())[:_MAX_HOLDERS]]


def locker_pid(ledger_path: Path) -> int | None:
    """Who has locked the ledger's own file, as its writer does; None where nobody has, or nobody tells."""
    inode, lines = _kernels_list(_beside(ledger_path, ""))
    for line in lines:  # 9: FLOCK  ADVISORY  WRITE 30668 fe:00:6127731 0 EOF
        fields = line.split()
        if len(fields) == 8 and (fields[1], fields[3], fields[5]) == ("FLOCK", "WRITE", inode):
            return int(fields[4]) if fields[4].isdecimal() else None
    return None


def _kernels_list(path: Path) -> tuple[str, list[str]]:
    """A file as the list of all locks names it, and that list; it is empty where there is no file."""
    try:
        status = os.stat(path)
        with open("/proc/locks", encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return "", []
    return f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}", lines


def _locks_on(inode: str, lines: list[str]) -> Iterator[tuple[int, int]]:
    """Pid and rank of each lock: `7: POSIX  ADVISORY  READ 30668 fe:00:6127730 128 128`; `->` only waits for one."""
    for line in lines:
        fields = line.split()
        if len(fields) != 8 or fields[1] != "POSIX" or fields[5] != inode:
            continue
        with suppress(ValueError):  # a lock to the end of the file (`EOF`) is none of SQLite's
            pid, first, last = int(fields[4]), int(fields[6]), int(fields[7])
            locked = range(first, last + 1)
            is_writing = fields[3] == "WRITE" and _WRITING in locked
            is_reading = any(each in locked for each in _READING)
            if pid > 0:  # others are of another container, or of nobody
                yield pid, 2 if is_writing else 1 if is_reading else 0


def file_system(path: Path) -> str:
    """The kind of the file system that holds the path, or will: ext4, nfs4, ...; empty where nobody tells."""
    real = os.path.realpath(path)
    best, kind = "", ""
    with suppress(OSError), open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            before, separator, after = line.partition(" - ")
            fields = before.split()
            if not separator or len(fields) < 5 or not after.split():
                continue
            point = re.sub(_OCTAL, lambda found: chr(int(found[1], 8)), fields[4])
            is_around = real == point or real.startswith(point.rstrip("/") + "/")
            if is_around and len(point) >= len(best):  # a later mount on the same place lies above the earlier
                best, kind = point, after.split()[0]
    return kind


def is_network(kind: str) -> bool:
    """Do several machines reach such a file system? SQLite's log is shared memory: it needs one machine."""
    return kind in _NETWORK


def _free_bytes(ledger_path: Path) -> int | None:
    for place in ledger_path.parents:  # the nearest that is there
        with suppress(OSError):
            status = os.statvfs(place)
            return status.f_bavail * status.f_frsize
    return None


def _program(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _beside(ledger_path: Path, suffix: str) -> Path:
    real = ledger_path.resolve()
    return real.with_name(real.name + suffix)


def size_of(path: str | os.PathLike[str]) -> int:
    """0: there is none. By its name only: opening a file of the ledger beside SQLite would drop its locks."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
