"""A sessions folder on a real disk, and what is in each of its files, remembered as plain bytes.

Every way in which OpenClaw, its repairs and people change such files. Knows nothing of the mirror.
"""

import json
import os
import sys
from datetime import UTC, datetime
from typing import Literal, NamedTuple

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

How = Literal["in_place", "rename_over", "unlink_first"]
HOWS: tuple[How, ...] = ("in_place", "rename_over", "unlink_first")

AGENT = "main"
SESSION_IDS = tuple(f"{number}0000000-0000-4000-8000-00000000000{number}" for number in range(3))
PRIMARIES = (f"{SESSION_IDS[0]}.jsonl", f"{SESSION_IDS[1]}.jsonl", f"{SESSION_IDS[0]}-topic-7.jsonl")
TRAJECTORY = f"{SESSION_IDS[0]}.trajectory.jsonl"
_COPY_NAMES = {
    "backup": "{of}.bak-77-{ms}",
    "checkpoint": "{stem}.checkpoint.aaaaaaaa-0000-4000-8000-{ms:012d}.jsonl",
    "corrupt": "{of}.corrupt-{time}-0000abcd.jsonl",
}
COPY_KINDS = tuple(_COPY_NAMES)
"""Copies that lie in the sessions folder itself."""
_IMPORTED = ".imported-"


class Place(NamedTuple):
    """What a name says."""

    kind: str
    session_id: str
    of: str | None = None
    """The primary it was renamed or copied from."""


class Stat(NamedTuple):
    """What tells that a file was written to, or replaced."""

    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, stat: os.stat_result) -> "Stat":
        return cls(stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


class Deleted(NamedTuple):
    name: str
    content: bytes


def is_zst(name: str) -> bool:
    return name.endswith(".zst")


class SessionsFolder:
    def __init__(self, state_dir: str) -> None:
        agent_dir = os.path.join(state_dir, "agents", AGENT)
        self.path = os.path.join(agent_dir, "sessions")
        self.import_archive = os.path.join(agent_dir, "session-sqlite-import-archive")
        os.makedirs(self.path)
        os.makedirs(self.import_archive)
        self.content: dict[str, bytes] = {}
        """What each file holds; of a .zst, what it decompresses to."""
        self.places = {name: Place("primary", name[:36]) for name in PRIMARIES}
        self.places[TRAJECTORY] = Place("trajectory", SESSION_IDS[0])
        self.past: dict[str, list[bytes]] = {}
        """Earlier contents of each name."""
        self.torn: dict[str, bytes] = {}
        """The rest of the line whose beginning was written last."""
        self.deleted: list[Deleted] = []
        self.locked: set[str] = set()
        self._names_made = 0

    def path_of(self, name: str) -> str:
        return f"{self.import_archive if _IMPORTED in name else self.path}/{name}"

    def stats(self) -> dict[str, Stat]:
        return {name: Stat.of(os.stat(self.path_of(name))) for name in self.content}

    # Contents

    def write(self, name: str, content: bytes, how: How) -> None:
        """The whole file anew."""
        self._remember(name)
        path = self.path_of(name)
        packed = zstd.compress(content) if is_zst(name) else content
        target = f"{path}.tmp" if how == "rename_over" else path
        if how == "unlink_first" and name in self.content:
            os.unlink(path)  # ext4 gives the inode to the next file
        with open(target, "wb") as file:
            file.write(packed)
        if how == "rename_over":
            os.rename(target, path)
        self.content[name] = content

    def append(self, name: str, data: bytes) -> None:
        if is_zst(name):
            self.write(name, self.content[name] + data, "rename_over")
            return
        self._remember(name)
        with open(self.path_of(name), "ab") as file:
            file.write(data)
        self.content[name] += data

    def patch(self, name: str, offset: int, data: bytes, *, keeps_mtime: bool) -> None:
        """Other bytes at the same size."""
        self._remember(name)
        path = self.path_of(name)
        before = os.stat(path)
        descriptor = os.open(path, os.O_WRONLY)
        os.pwrite(descriptor, data, offset)
        os.close(descriptor)
        if keeps_mtime:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        old = self.content[name]
        self.content[name] = old[:offset] + data + old[offset + len(data) :]

    def truncate(self, name: str, size: int) -> None:
        """Shorter, or longer with a hole of NULs at the end."""
        self._remember(name)
        os.truncate(self.path_of(name), size)
        self.content[name] = self.content[name][:size].ljust(size, b"\0")

    def _remember(self, name: str) -> None:
        self.torn.pop(name, None)
        if name in self.content:
            self.past[name] = [*self.past.get(name, [])[-3:], self.content[name]]

    # Names

    def archive(self, name: str, how: str, *, packed: bool) -> str:
        """OpenClaw's rename to .reset. or .deleted., or the export that takes the file's place."""
        time = self._next_time()
        target = f"{name}.{how}.{time[:19]}.{time[20:]}" + (".zst" if packed else "")
        self.places[target] = Place(how, self.places[name].session_id, name)
        if packed:
            self.write(target, self.content.pop(name), "in_place")
            os.unlink(self.path_of(name))
            self.torn.pop(name, None)
        else:
            self._rename(name, target)
        return target

    def copy(self, name: str, kind: str) -> str:
        time = self._next_time()
        target = _COPY_NAMES[kind].format(of=name, stem=name.removesuffix(".jsonl"), ms=self._names_made, time=time)
        self.places[target] = Place(kind, self.places[name].session_id, name)
        self.write(target, self.content[name], "in_place")
        return target

    def move_to_import_archive(self, name: str, *, keeps_original: bool) -> str:
        """The migration into SQLite moves what it has imported; a restore, or a crash, leaves both."""
        self._names_made += 1
        target = f"agent-main-main.{name}{_IMPORTED}{self._names_made}"
        self.places[target] = Place("import_archive", self.places[name].session_id, name)
        if keeps_original:
            self.write(target, self.content[name], "in_place")
        else:
            self._rename(name, target)
        return target

    def _rename(self, name: str, target: str) -> None:
        os.rename(self.path_of(name), self.path_of(target))
        self.content[target] = self.content.pop(name)
        if name in self.torn:
            self.torn[target] = self.torn.pop(name)

    def lock(self, name: str) -> None:
        """As a live OpenClaw process holds it: ours."""
        payload = {"pid": os.getpid(), "createdAt": datetime.now(UTC).isoformat()}
        with open(self.path_of(name) + ".lock", "w") as file:
            json.dump(payload, file)
        self.locked.add(name)

    def unlock(self, name: str) -> None:
        os.unlink(self.path_of(name) + ".lock")
        self.locked.remove(name)

    def delete(self, name: str) -> None:
        os.unlink(self.path_of(name))
        self.torn.pop(name, None)
        self.deleted.append(Deleted(name, self.content.pop(name)))

    def _next_time(self) -> str:
        self._names_made += 1
        minutes, seconds = divmod(self._names_made, 60)
        return f"2026-01-01T00-{minutes:02d}-{seconds:02d}-000Z"
