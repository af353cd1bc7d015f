"""Every line of which the ledger once said that it has it: at the end it must have each, in some generation.

What the ledger says is its row of a file, with the stat under which that was read; the bytes are read from the file
itself, under the same stat. So a promise is never a guess, whatever faults were under way. Of a session in OpenClaw's
own SQLite the bytes are read from the ledger: what it could give back once, it must give back at the end.
"""

import hashlib
import os
import threading
import time
from contextlib import suppress
from typing import NamedTuple

import apsw

from syncd.ledger.codec import UnpackError, unpack
from tests.mirror.household import Household
from tests.mirror_checks import generations, transcripts

LOOK_SECONDS = 2.0
_KNOWN = """SELECT path, transcript_id, ino, size, mtime_ns, ctime_ns FROM _files
    WHERE present = 1 AND is_proven = 1 AND role = 'place'"""
_LIVE_BLOCKS = """SELECT codec, data FROM _blocks WHERE transcript_id = ? AND superseded_in IS NULL
    ORDER BY byte_offset"""
_IN_A_STORE = b".sqlite/"
_HEAD_BYTES = 120
_Stat = tuple[int, ...]
"""Inode, size, time of writing and of change; of a session in a store, its watermark in that shape."""


class Promise(NamedTuple):
    """A line that must be in the ledger from now on, and enough to find out what became of it."""

    path: str
    seconds: float
    head: bytes

    def __str__(self) -> str:
        return f"{self.path} after {self.seconds:.1f} s: {self.head!r}"


class Witness:
    def __init__(self, house: Household) -> None:
        self._house = house
        self.ledger_use = threading.Lock()
        """Held while this process has the ledger open: a fault that opens its file plainly takes it too."""
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="witness")
        self._seen: dict[bytes, _Stat] = {}
        self._promised: dict[bytes, Promise] = {}
        self._began = time.monotonic()
        self.looks = 0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> bool:
        """False: it had ended before, and has promised nothing since."""
        was_alive = self._thread.is_alive()
        self._ends.set()
        self._thread.join(30)
        return was_alive

    @property
    def lines(self) -> int:
        return len(self._promised)

    def missing(self) -> list[Promise]:
        """The lines that no generation has; the daemon has ended."""
        kept: set[bytes] = set()
        for row in transcripts(self._house.ledger_path):
            for content in generations(self._house.ledger_path, row):
                kept.update(map(_digest, content.split(b"\n")))
        return [promise for digest, promise in self._promised.items() if digest not in kept]

    def _watch(self) -> None:
        while not self._ends.wait(LOOK_SECONDS):
            with suppress(apsw.Error, UnpackError):  # being moved, locked or damaged just now: another time
                self._look()
                self.looks += 1

    def _look(self) -> None:
        with self.ledger_use:
            connection = apsw.Connection(str(self._house.ledger_path), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                with connection:  # all of one moment
                    rows = [(path, of, (ino, *times)) for path, of, ino, *times in connection.execute(_KNOWN)]
                    stored = [row for row in rows if _IN_A_STORE in row[0] and self._seen.get(row[0]) != row[2]]
                    for path, transcript_id, stat in stored:
                        blocks = connection.execute(_LIVE_BLOCKS, (transcript_id,))
                        self._promise(path, stat, b"".join(unpack(codec, data) for codec, data in blocks))
            finally:
                connection.close()
        for path, _, stat in rows:
            if self._seen.get(path) != stat and (content := self._read_under(path, stat)) is not None:
                self._promise(path, stat, content)

    def _promise(self, path: bytes, stat: _Stat, content: bytes) -> None:
        self._seen[path] = stat
        where, when = os.fsdecode(path), time.monotonic() - self._began
        for line in filter(bytes.strip, content[: content.rfind(b"\n") + 1].split(b"\n")):
            self._promised.setdefault(_digest(line), Promise(where, when, line[:_HEAD_BYTES]))

    def _read_under(self, path: bytes, stat: _Stat) -> bytes | None:
        """The file's content, if its stat is this one before and after."""
        full = os.path.join(os.fsencode(self._house.state_dir), path)
        if full.endswith(b".zst"):
            return None
        try:
            if _stat_of(full) != stat:
                return None
            with open(full, "rb") as file:
                content = file.read()
            return content if _stat_of(full) == stat else None
        except OSError:
            return None


def _stat_of(path: bytes) -> _Stat:
    found = os.lstat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _digest(line: bytes) -> bytes:
    return hashlib.blake2b(line, digest_size=12).digest()
