"""What the ledger knows of each file of OpenClaw's: the stat it was read under, and whose bytes it holds.

A path is only a place; the transcript is the identity. Paths are kept as the file system's bytes: relative to the state
dir, absolute where they lie outside of it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from syncd.ledger.tombstones import KeptOut
from syncd.records import FileStat, StatFields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript
    from syncd.ledger.writer import Writer

NO_HASH = b""
_IN_STORE = ".sqlite/"

_UPSERT = """INSERT INTO _files (installation_id, path, transcript_id, role, present, dev, ino, size, mtime_ns,
    ctime_ns, is_proven, head_bytes, head_hash, mark_bytes, mark_hash, scanned)
    VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (installation_id, path) DO UPDATE SET transcript_id = excluded.transcript_id, role = excluded.role,
    present = 1, dev = excluded.dev, ino = excluded.ino, size = excluded.size, mtime_ns = excluded.mtime_ns,
    ctime_ns = excluded.ctime_ns, is_proven = excluded.is_proven, head_bytes = excluded.head_bytes,
    head_hash = excluded.head_hash, mark_bytes = excluded.mark_bytes, mark_hash = excluded.mark_hash,
    scanned = excluded.scanned"""
# The same, where the row is known and whose bytes they are stays: no index has to be written.
_SEEN_AGAIN = """UPDATE _files SET role = ?, present = 1, dev = ?, ino = ?, size = ?, mtime_ns = ?, ctime_ns = ?,
    is_proven = ?, head_bytes = ?, head_hash = ?, mark_bytes = ?, mark_hash = ?, scanned = ?
    WHERE installation_id = ? AND path = ?"""
_SELECT = """SELECT transcript_id, role, present, dev, ino, size, mtime_ns, ctime_ns, is_proven, head_bytes, head_hash,
    mark_bytes, mark_hash, scanned FROM _files WHERE installation_id = ? AND path = ?"""
EXPECT_PLACE = """INSERT OR IGNORE INTO _files (installation_id, path, transcript_id, role, present, dev, ino, size,
    mtime_ns, ctime_ns, is_proven, head_bytes, head_hash, mark_bytes, mark_hash, scanned)
    VALUES (?, ?, ?, 'place', 1, 0, 0, 0, 0, 0, 0, 0, x'', 0, x'', 0)"""
"""Of a transcript whose file is known by its name alone: the next look compares all of it."""
RECLAIM_PLACE = """UPDATE _files SET transcript_id = ?1, role = 'place', present = 1, is_proven = 0, ctime_ns = 0,
    scanned = 0
    WHERE installation_id = ?2 AND path = ?3 AND NOT EXISTS (SELECT 1 FROM transcripts
    WHERE id = _files.transcript_id AND path = ?4 AND state != 'gone')"""
"""The same where a file is known there as another's, or nobody's, which no transcript's own row says (?4)."""
# What is read on by the number of an event and not by bytes; no listing of files finds it.
_LOG = """INSERT INTO _files (installation_id, path, transcript_id, role, present, dev, ino, size, mtime_ns, ctime_ns,
    is_proven, head_bytes, head_hash, mark_bytes, mark_hash, scanned)
    VALUES (?, ?, ?, 'log', 1, 0, 0, 0, ?, 0, 0, 0, x'', 0, x'', 0)
    ON CONFLICT (installation_id, path) DO UPDATE SET transcript_id = excluded.transcript_id, role = 'log',
    mtime_ns = excluded.mtime_ns"""

_AGENT_AT = """SELECT agent_id, max(transcripts.id) FROM _files CROSS JOIN transcripts ON transcripts.id = transcript_id
    WHERE _files.installation_id = ?1 AND _files.path > ?2 AND _files.path < ?3
    AND instr(substr(_files.path, length(?2) + 1), x'2f') = 0 AND (present = 1 OR role = 'place' AND state = 'gone')
    GROUP BY agent_id ORDER BY count(*) DESC, max(transcripts.id) DESC LIMIT 1"""
# Of two state dirs that know a place, the one that began a transcript there last is the one to read it.
_IS_OF_ANOTHER = """SELECT 1 FROM installations CROSS JOIN _files ON installation_id = installations.id
    WHERE installations.id != ?1 AND _files.path > ?2 AND _files.path < ?3
    AND instr(substr(_files.path, length(?2) + 1), x'2f') = 0 AND present = 1 AND transcript_id > ?4 LIMIT 1"""
_MOVE_LOG = "UPDATE OR REPLACE _files SET path = ? WHERE installation_id = ? AND transcript_id = ? AND role = 'log'"


class KnownFile(NamedTuple):
    """One row of `_files`."""

    transcript_id: int | None
    role: str
    is_present: bool
    stat: FileStat
    is_proven: bool
    head_bytes: int
    head_hash: bytes
    mark_bytes: int
    mark_hash: bytes
    scanned: int


class FileTable:
    """The files of one installation, by absolute path."""

    def __init__(self, ledger: Ledger, installation_id: int, state_dir: str) -> None:
        self._ledger = ledger
        self.installation_id = installation_id
        self.state_dir = state_dir
        self._prefix = os.fsencode(state_dir) + b"/"
        self._paths: set[str] = set()
        self._absent: set[str] = set()  # since the last `stats`, committed or not
        self._found: tuple[str, int | None] | None = None  # by the last `get`: a path with its transcript, as committed
        self._moved: set[str] = set()  # paths whose transcript changed since the last `stats`, committed or not
        self._places: set[str] = set()
        self._agents_at: dict[str, str | None] = {}
        self.has_stored = False
        """Are any sessions known that lie in OpenClaw's own SQLite?"""
        self._copied: set[int] = set()  # transcripts that have, or had, the same bytes in other files too
        self.kept_out = KeptOut(ledger)
        """What was purged, as of the last `stats` or `refresh`."""

    def stats(self) -> dict[str, StatFields | None]:
        """Path -> proven stat, for every file that was there at the last look. To be called before `get`."""
        query = """SELECT path, present, role, transcript_id, is_proven, dev, ino, size, mtime_ns, ctime_ns FROM _files
            WHERE installation_id = ?"""
        prefix = self.state_dir + "/"
        found: dict[str, StatFields | None] = {}
        absent: list[str] = []
        self._places, self._agents_at = set(), {}
        rows = self._ledger.execute(query, (self.installation_id,))
        for path, present, role, transcript_id, is_proven, dev, ino, size, mtime_ns, ctime_ns in rows:
            absolute = str(path, "utf-8", "surrogateescape")
            if absolute[:1] != "/":
                absolute = prefix + absolute
            if transcript_id is not None:
                if role == "copy":
                    self._copied.add(transcript_id)
                if present or role == "place":
                    self._places.add(absolute[: absolute.rfind("/")])
            if role == "log":
                continue
            if _IN_STORE in absolute:
                self.has_stored = True
            if present:
                found[absolute] = (dev, ino, size, mtime_ns, ctime_ns) if is_proven else None
            else:
                absent.append(absolute)
        self._paths, self._absent, self._moved = {*found, *absent}, set(), set()
        self.kept_out.refresh()
        return found

    def places(self) -> Iterable[str]:
        """Directories and databases that transcripts lie in, as of the last `stats`, or lay in before they moved."""
        return self._places

    def agent_at(self, place: str) -> str | None:
        """Whose the transcripts are that lie there, or lay there last: if of several agents, the one with the most."""
        if place not in self._agents_at:
            prefix = os.fsencode(f"{place}/").removeprefix(self._prefix)
            end = prefix[:-1] + b"0" if prefix else b"\xff"  # what follows every path that begins with the prefix
            within = (self.installation_id, prefix, end)
            agent_id, newest = self._ledger.row(_AGENT_AT, within) or (None, 0)
            is_of_another = self._ledger.row(_IS_OF_ANOTHER, (*within, newest)) is not None
            self._agents_at[place] = None if is_of_another else agent_id
        return self._agents_at[place]

    def get(self, path: str) -> KnownFile | None:
        if path not in self._paths:
            return None  # a first import asks this for every file: no query, which would wait for the commit beside it
        row = self._ledger.row(_SELECT, (self.installation_id, self._relative(path)))
        self._found = None
        if row is None:
            return None
        self._found = (path, row[0]) if path not in self._moved else None
        return KnownFile(row[0], row[1], bool(row[2]), FileStat(*row[3:8]), bool(row[8]), *row[9:])

    def holds_transcript(self, path: str) -> bool:
        """Is a transcript known there?"""
        known = self.get(path)
        return known is not None and known.transcript_id is not None

    def put(self, writer: Writer, path: str, file: KnownFile) -> None:
        """Store with the batch that holds the file's rows."""
        self._paths.add(path)
        self._absent.discard(path)
        self.has_stored = self.has_stored or _IN_STORE in path
        if file.role == "copy" and file.transcript_id is not None:
            self._copied.add(file.transcript_id)
        place = (self.installation_id, self._relative(path))
        values: tuple[Any, ...] = (file.role, *file.stat, int(file.is_proven), *file[5:])
        if self._found == (path, file.transcript_id):
            writer.also(_SEEN_AGAIN, (*values, *place))
        else:
            self._moved.add(path)
            writer.also(_UPSERT, (*place, file.transcript_id, *values))
        self._found = None

    def forget_transcript(self, writer: Writer, path: str, transcript_id: int) -> None:
        """The transcript that was here lives elsewhere now; what comes next at this path is judged afresh.

        Unless it came already: another session may have taken the path by now.
        """
        self._moved.add(path)
        self._found = None
        writer.also(
            """UPDATE _files SET transcript_id = NULL, is_proven = 0
               WHERE installation_id = ? AND path = ? AND transcript_id = ?""",
            (self.installation_id, self._relative(path), transcript_id),
        )

    def unprove_copies(self, writer: Writer, transcript_id: int) -> None:
        """The transcript has changed: files that held the same bytes are to be looked at again."""
        if transcript_id in self._copied:
            writer.also("UPDATE _files SET is_proven = 0 WHERE transcript_id = ? AND role = 'copy'", (transcript_id,))

    def mark_absent(self, writer: Writer, path: str) -> None:
        self._absent.add(path)
        writer.also(
            "UPDATE _files SET present = 0, is_proven = 0 WHERE installation_id = ? AND path = ?",
            (self.installation_id, self._relative(path)),
        )

    def with_inode(self, stat: FileStat, other_than: str) -> str | None:
        """Another present path with the same device and inode: a hard link."""
        query = """SELECT path FROM _files WHERE installation_id = ? AND present = 1 AND dev = ? AND ino = ?
            AND role = 'place'"""
        for (path,) in self._ledger.execute(query, (self.installation_id, stat.dev, stat.ino)):
            absolute = self._absolute(path)
            if absolute != other_than:
                return absolute
        return None

    def paths_of(self, transcript_id: int) -> list[str]:
        """Paths that hold this transcript's bytes, or did when a file was last seen there."""
        query = "SELECT path FROM _files WHERE transcript_id = ? AND role IN ('place', 'copy')"
        return [self._absolute(path) for (path,) in self._ledger.execute(query, (transcript_id,))]

    def places_of(self, transcript_id: int) -> list[str]:
        """Present paths that hold this transcript's bytes, as far as they are committed; its own place first."""
        query = """SELECT path FROM _files WHERE transcript_id = ? AND present = 1 AND role IN ('place', 'copy')
            ORDER BY role = 'copy', id"""
        paths = [self._absolute(path) for (path,) in self._ledger.execute(query, (transcript_id,))]
        return [path for path in paths if path not in self._absent]

    def unprove_stale(self, writer: Writer, transcript_id: int) -> list[str]:
        """The transcript is gone from where it went on: files that have a part of it are to be looked at again."""
        writer.also("UPDATE _files SET is_proven = 0 WHERE transcript_id = ? AND role = 'stale'", (transcript_id,))
        query = "SELECT path FROM _files WHERE transcript_id = ? AND role = 'stale' AND present = 1"
        return [self._absolute(path) for (path,) in self._ledger.execute(query, (transcript_id,))]

    def refused(self) -> list[str]:
        """Present paths with a transcript's name that are no regular files, in order."""
        query = """SELECT path FROM _files WHERE installation_id = ? AND role = 'refused' AND present = 1
            ORDER BY path"""
        return [self._absolute(path) for (path,) in self._ledger.execute(query, (self.installation_id,))]

    def _absolute(self, path: bytes) -> str:
        return os.fsdecode(os.path.join(self._prefix, path))

    def _relative(self, path: str) -> bytes:
        return os.fsencode(path).removeprefix(self._prefix)


def log_position(ledger: Ledger, transcript_id: int) -> int | None:
    """The number of the last event that was taken from a log; None: nothing tells it."""
    row = ledger.row("SELECT mtime_ns FROM _files WHERE transcript_id = ? AND role = 'log'", (transcript_id,))
    return row[0] if row is not None else None


def log_positions(ledger: Ledger, installation_id: int) -> Iterator[tuple[bytes, int]]:
    """The same of every log, by its path: relative to the state dir, absolute outside of it."""
    query = "SELECT path, mtime_ns FROM _files WHERE installation_id = ? AND role = 'log'"
    yield from ledger.execute(query, (installation_id,))


def note_log_position(writer: Writer, transcript: Transcript, path: bytes, position: int) -> None:
    """With the batch that holds the event. `path`: relative to the state dir, absolute outside of it."""
    writer.also(_LOG, (transcript.installation_id, path, transcript.id, position))


def move_log(writer: Writer, transcript: Transcript, path: bytes) -> None:
    """What is known of its number holds under another path, with the batch that has the transcript's own."""
    writer.also(_MOVE_LOG, (path, transcript.installation_id, transcript.id))
