"""What must hold after every catch-up, whatever happened to the files: one assertion for all tests of the mirror.

The oracle is the plain file and `bytes.split`; nothing of the product's own comparing is used. Reads the
ledger's tables through apsw, after the product has closed them.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from syncd.ledger.codec import unpack
from syncd.mirror.catchup import CatchUp, CatchUpOptions
from syncd.openclaw.file_kinds import TRANSCRIPT_KINDS, classify
from tests.mirror.household import HandClock, Household, decompressed

_BLANK = re.compile(rb"[ \t\r\n\v\f]*").fullmatch
Snapshot = dict[str, tuple[object, ...]]


class Line(NamedTuple):
    line_no: int
    byte_offset: int
    byte_length: int


class Row(NamedTuple):
    """One row of `transcripts`, as far as tests ask for it."""

    id: int
    session_id: str
    path: str
    kind: str
    state: str
    generation: int
    bytes: int
    lines: int
    tail_bytes: int
    parent_transcript_id: int | None
    header_version: str | None
    file_sha256: str | None
    agent_id: str

    @property
    def name(self) -> str:
        return os.path.basename(self.path)


def mirrored(house: Household, options: CatchUpOptions | None = None, clock: HandClock | None = None) -> CatchUp:
    """Catch up, and assert all that must hold afterwards when every file is readable and at rest."""
    before = snapshot(house.state_dir)
    result = house.catch_up(options, clock)
    assert result.problems == []
    assert result.in_progress == []
    assert_mirrors(house, options)
    assert_untouched(house.state_dir, before)
    return result


def assert_mirrors(house: Household, options: CatchUpOptions | None = None) -> None:
    """The ledger is sound and equals the files."""
    assert_sound(house.ledger_path)
    with _looking_into(house.ledger_path):
        for path in mirrored_files(house.state_dir):
            assert_file(house, path)
    verification = house.verify(options)
    assert verification.differences == [], verification.differences
    assert verification.in_progress == []


def assert_sound(ledger_path: Path) -> None:
    """Whole, without a dangling key, and every generation of every transcript adds up."""
    with _looking_into(ledger_path):
        _assert_sound(ledger_path)


def _assert_sound(ledger_path: Path) -> None:
    assert query(ledger_path, "PRAGMA integrity_check") == [("ok",)]
    assert query(ledger_path, "PRAGMA foreign_key_check") == []
    connection = apsw.Connection(str(ledger_path))
    try:
        connection.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    finally:
        connection.close()
    strays = """SELECT id FROM entries WHERE (type = 'message') != (id IN (SELECT id FROM messages))"""
    assert query(ledger_path, strays) == []
    open_bytes = """SELECT id FROM transcripts WHERE open_bytes != (SELECT coalesce(sum(byte_length), 0) FROM _blocks
        WHERE transcript_id = transcripts.id AND is_open = 1 AND superseded_in IS NULL)"""
    assert query(ledger_path, open_bytes) == []
    for row in transcripts(ledger_path):
        for generation in range(1, row.generation + 1):
            content = exported(ledger_path, row.id, generation)
            if row.kind != "trajectory":
                assert rows_of(ledger_path, row.id, generation) == non_blank_lines(content), (row, generation)
        assert len(content) == row.bytes, row
        assert len(split_lines(content)) == row.lines, row


def assert_file(house: Household, path: str) -> None:
    """The transcript of this path is the file's complete lines; of an archive, all its bytes."""
    relative = os.fsencode(path).removeprefix(os.fsencode(house.state_dir) + b"/")
    found = query(house.ledger_path, "SELECT transcript_id, role FROM _files WHERE path = ? AND present = 1", relative)
    assert len(found) == 1, f"{path} is not known"
    transcript_id, role = found[0]
    if role == "hard_link":
        assert os.lstat(path).st_nlink > 1
        return
    (row,) = transcripts(house.ledger_path, "id = ?", transcript_id)
    content = content_of(path)
    complete = content[: content.rfind(b"\n") + 1]
    expected = content if row.state == "archived" else complete
    assert row.state != "gone", path
    assert exported(house.ledger_path, row.id, row.generation) == expected, path
    assert row.tail_bytes == (len(content) - len(expected) if role == "place" else row.tail_bytes), path


def mirrored_files(state_dir: Path) -> list[str]:
    """Regular files whose name is one of a transcript, anywhere a transcript may be."""
    found = []
    for directory, _, names in os.walk(state_dir):
        if os.path.basename(directory) in ("sessions", "session-sqlite-import-archive"):
            paths = [(os.path.join(directory, name), classify(name).kind) for name in sorted(names)]
            found += [path for path, kind in paths if kind in TRANSCRIPT_KINDS and stat.S_ISREG(os.lstat(path).st_mode)]
    return found


def content_of(path: str) -> bytes:
    with open(path, "rb") as file:
        content = file.read()
    return decompressed(content) if path.endswith(".zst") else content


def split_lines(content: bytes) -> list[bytes]:
    """Lines with their newline; the last one may lack it."""
    parts = content.split(b"\n")
    last = [parts.pop()]
    return [part + b"\n" for part in parts] + [part for part in last if part]


def non_blank_lines(content: bytes) -> list[Line]:
    lines, offset = [], 0
    for number, text in enumerate(split_lines(content), 1):
        if not _BLANK(text):
            lines.append(Line(number, offset, len(text)))
        offset += len(text)
    return lines


def rows_of(ledger_path: Path, transcript_id: int, generation: int) -> list[Line]:
    """Lines of one generation, as `entries` and `quarantine` tell it, in order of byte_offset."""
    of_generation = "transcript_id = ?1 AND generation <= ?2 AND (superseded_in IS NULL OR superseded_in > ?2)"
    sql = f"""SELECT line_no, byte_offset, byte_length FROM entries WHERE salvaged = 0 AND {of_generation}
        UNION ALL SELECT line_no, byte_offset, byte_length FROM quarantine WHERE {of_generation} ORDER BY byte_offset"""
    return [Line(*row) for row in query(ledger_path, sql, transcript_id, generation)]


def exported(ledger_path: Path, transcript_id: int, generation: int) -> bytes:
    """The raw bytes of one generation, by the rule of generations alone."""
    sql = """SELECT byte_offset, byte_length, codec, data FROM _blocks WHERE transcript_id = ?1 AND generation <= ?2
        AND (superseded_in IS NULL OR superseded_in > ?2) ORDER BY byte_offset"""
    content = bytearray()
    for offset, length, codec, data in query(ledger_path, sql, transcript_id, generation):
        assert offset == len(content), f"a hole or an overlap at {offset} in transcript {transcript_id}"
        content += unpack(codec, data)
        assert len(content) == offset + length
    return bytes(content)


def generations(ledger_path: Path, row: Row) -> list[bytes]:
    """Every generation from the first to the present one."""
    return [exported(ledger_path, row.id, number) for number in range(1, row.generation + 1)]


def transcripts(ledger_path: Path, condition: str = "true", *bindings: Any) -> list[Row]:
    columns = ", ".join(Row._fields)
    sql = f"SELECT {columns} FROM transcripts WHERE {condition} ORDER BY id"
    return [Row(*row) for row in query(ledger_path, sql, *bindings)]


def only_transcript(ledger_path: Path) -> Row:
    (row,) = transcripts(ledger_path)
    return row


def transcript_at(ledger_path: Path, name: str) -> Row:
    """The one transcript whose bytes are, or were last seen, under this file name."""
    (row,) = [row for row in transcripts(ledger_path) if row.name == name]
    return row


def events(ledger_path: Path) -> list[str]:
    return [kind for (kind,) in query(ledger_path, "SELECT kind FROM sync_events ORDER BY id")]


def quarantined(ledger_path: Path) -> list[tuple[int, str]]:
    """(byte_offset, reason) of live quarantined lines."""
    sql = "SELECT byte_offset, reason FROM quarantine WHERE superseded_in IS NULL ORDER BY transcript_id, byte_offset"
    return [(offset, reason) for offset, reason in query(ledger_path, sql)]


def query(ledger_path: Path, sql: str, *bindings: Any) -> list[tuple[Any, ...]]:
    if ledger_path in _open:
        return list(_open[ledger_path].execute(sql, bindings))
    with _looking_into(ledger_path):
        return query(ledger_path, sql, *bindings)


_open: dict[Path, apsw.Connection] = {}


@contextmanager
def _looking_into(ledger_path: Path) -> Iterator[None]:
    """One connection for many queries; never while the product has the ledger open for writing."""
    connection = apsw.Connection(str(ledger_path), flags=apsw.SQLITE_OPEN_READONLY)
    _open[ledger_path] = connection
    try:
        yield
    finally:
        del _open[ledger_path]
        connection.close()


def snapshot(state_dir: Path) -> Snapshot:
    """All that may not change under OpenClaw's directories: every name, and every fact of its inode but atime."""
    return {path: _facts(path) for path in _walk(str(state_dir))}


def assert_untouched(state_dir: Path, before: Snapshot) -> None:
    after = snapshot(state_dir)
    assert sorted(set(after) ^ set(before)) == [], "names came or went"
    assert [path for path in after if after[path] != before[path]] == [], "metadata changed"


def _walk(directory: str) -> Iterator[str]:
    yield directory
    for entry in os.scandir(directory):
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        else:
            yield entry.path


def _facts(path: str) -> tuple[object, ...]:
    facts = os.lstat(path)
    return (
        facts.st_mode,
        facts.st_dev,
        facts.st_ino,
        facts.st_nlink,
        facts.st_uid,
        facts.st_gid,
        facts.st_size,
        facts.st_mtime_ns,
        facts.st_ctime_ns,
    )
