"""Records out of a damaged SQLite file, read page by page: no index, no interior page and no header is needed for it.

Every leaf of a table gives the records it has, and every page of one without row ids, which is kept as an index is;
those of pages that are free by now too, which is no harm to raw blocks: the bytes at an offset of a generation never
change. Newer pages in the log beside the file stand for those in it. What
a record means, and whether it can be believed, is the caller's: raw blocks have a checksum. Reads plain files, so no
connection of this process may rely on its locks meanwhile.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from syncd.ledger.database import PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LEAF, _INDEX_LEAF, _INDEX_INTERIOR = 0x0D, 0x0A, 0x02
_MOST_IN_AN_INDEX = (PAGE_BYTES - 12) * 64 // 255 - 23
"""Bytes of a record that lie in the page itself; no longer one is looked for there."""
_WAL_MAGIC = (0x377F0682, 0x377F0683)
_WAL_HEADER, _FRAME_HEADER = 32, 24
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_MAX_COLUMNS = 64
_MAX_PAYLOAD = 64 * 1024 * 1024

Value = int | float | str | bytes | None
Types = tuple[int, ...]
"""A record's serial types, as SQLite's file format has them: 0 null, 8 and 9 the integers 0 and 1, 12 and above blobs
(even) and texts (odd)."""


class Record(NamedTuple):
    """Where one lies. Its values are read when they are asked for."""

    row_id: int
    """0 where there is none."""
    page: int
    start: int
    payload: int
    types: Types


class Pages:
    """The pages of a database file with those of its log laid over them. To be closed."""

    def __init__(self, path: str) -> None:
        self._main = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._log: int | None = None
        self._newer: dict[int, int] = {}
        try:
            self._log = os.open(f"{path}-wal", os.O_RDONLY | os.O_CLOEXEC)
            self._newer = _committed_frames(self._log)
        except OSError:
            pass  # none is the usual case; one that cannot be read has nothing to give
        size = os.fstat(self._main).st_size
        self.count = max([-(-size // PAGE_BYTES), *self._newer])

    def close(self) -> None:
        os.close(self._main)
        if self._log is not None:
            os.close(self._log)

    def page(self, number: int) -> bytes:
        """Empty where there is none."""
        if not 1 <= number <= self.count:
            return b""
        try:
            if number in self._newer and self._log is not None:
                return os.pread(self._log, PAGE_BYTES, self._newer[number])
            return os.pread(self._main, PAGE_BYTES, (number - 1) * PAGE_BYTES)
        except OSError:
            return b""  # a sector that cannot be read

    def records(self, is_wanted: Callable[[Types], bool]) -> Iterator[Record]:
        """All whose types are those of the records meant."""
        for number in range(1, self.count + 1):
            page = self.page(number)
            head = 100 if number == 1 else 0
            if len(page) == PAGE_BYTES and page[head] == _LEAF:
                yield from _records(page, number, head, is_wanted)

    def index_records(self, is_wanted: Callable[[Types], bool]) -> Iterator[Record]:
        """Likewise, of tables without row ids and of indexes: their inner pages have records, too."""
        for number in range(2, self.count + 1):
            page = self.page(number)
            if len(page) == PAGE_BYTES and page[0] in (_INDEX_LEAF, _INDEX_INTERIOR):
                yield from _index_records(page, number, is_wanted)

    def values(self, record: Record, *, blobs: bool = True) -> list[Value] | None:
        """None: not all of it can be read. Without `blobs` the bytes of a last blob are not looked for."""
        types = record.types if blobs else record.types[:-1]
        needed = _header_length(record.types) + sum(map(_length, types))
        data = self._payload(record, needed)
        if len(data) < needed:
            return None
        position, found = _header_length(record.types), list[Value]()
        for kind in types:
            end = position + _length(kind)
            try:
                found.append(_decoded(kind, data[position:end]))
            except UnicodeDecodeError:
                return None
            position = end
        return found

    def _payload(self, record: Record, needed: int) -> bytes:
        page, local = self.page(record.page), _local(record.payload)
        data = bytearray(page[record.start : record.start + min(local, record.payload)])
        if record.payload <= local:
            return bytes(data)
        following = int.from_bytes(page[record.start + local : record.start + local + 4], "big")
        hops = record.payload // (PAGE_BYTES - 4) + 2
        while following and len(data) < min(needed, record.payload) and hops:
            page, hops = self.page(following), hops - 1
            if len(page) < PAGE_BYTES:
                break
            data += page[4:]
            following = int.from_bytes(page[:4], "big")
        return bytes(data[: record.payload])


def _records(page: bytes, number: int, head: int, is_wanted: Callable[[Types], bool]) -> Iterator[Record]:
    for at in _cells(page, head, head + 8):
        try:
            payload, start = _varint(page, at)
            row_id, start = _varint(page, start)
            types = _types(page, start)
        except IndexError:
            continue  # damaged, or no cell at all
        if types is not None and payload <= _MAX_PAYLOAD and is_wanted(types):
            # A negative id would need all 64 bits: none of ours has it.
            yield Record(row_id, number, start, payload, types)


def _index_records(page: bytes, number: int, is_wanted: Callable[[Types], bool]) -> Iterator[Record]:
    is_leaf = page[0] == _INDEX_LEAF
    for at in _cells(page, 0, 8 if is_leaf else 12):
        try:
            payload, start = _varint(page, at if is_leaf else at + 4)  # behind the page that lies before it
            types = _types(page, start)
        except IndexError:
            continue  # as above
        if types is not None and payload <= _MOST_IN_AN_INDEX and is_wanted(types):
            yield Record(0, number, start, payload, types)


def _cells(page: bytes, head: int, first: int) -> Iterator[int]:
    """Where they begin, as the page's list says."""
    count = int.from_bytes(page[head + 3 : head + 5], "big")
    for place in range(first, min(first + 2 * count, PAGE_BYTES - 1), 2):
        yield int.from_bytes(page[place : place + 2], "big")


def _types(page: bytes, start: int) -> Types | None:
    """Of the record that begins there; None: it is none. IndexError: it does not end in this page."""
    length, position = _varint(page, start)
    types = list[int]()
    while position < start + length and len(types) <= _MAX_COLUMNS:
        kind, position = _varint(page, position)
        types.append(kind)
    return tuple(types) if position == start + length else None


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        byte = data[position]
        position += 1
        if count == 8:
            return value << 8 | byte, position
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, position


def _local(payload: int) -> int:
    """How much of a record lies in the leaf itself, as the file format reckons."""
    if payload <= PAGE_BYTES - 35:
        return payload
    least = (PAGE_BYTES - 12) * 32 // 255 - 23
    chosen = least + (payload - least) % (PAGE_BYTES - 4)
    return chosen if chosen <= PAGE_BYTES - 35 else least


def _header_length(types: Types) -> int:
    size = sum(_varint_length(kind) for kind in types)
    return size + _varint_length(size + 1)


def _varint_length(value: int) -> int:
    return max(1, -(-value.bit_length() // 7)) if value < 1 << 56 else 9


def _length(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    return 8 if kind == 7 else _INTEGERS.get(kind, 0)


def _decoded(kind: int, data: bytes) -> Value:
    if kind in _INTEGERS:
        return int.from_bytes(data, "big", signed=True)
    if kind >= 12:
        return bytes(data) if kind % 2 == 0 else data.decode()
    if kind == 7:
        import struct

        return float(struct.unpack(">d", data)[0])
    return {8: 0, 9: 1}.get(kind)


def _committed_frames(log: int) -> dict[int, int]:
    """Page number -> where its newest committed form begins in the log. Frames of an earlier round have other salts."""
    header = os.pread(log, _WAL_HEADER, 0)
    size = int.from_bytes(header[8:12], "big")
    if int.from_bytes(header[:4], "big") not in _WAL_MAGIC or size != PAGE_BYTES:
        return {}
    found: dict[int, int] = {}
    waiting: dict[int, int] = {}
    position = _WAL_HEADER
    while len(frame := os.pread(log, _FRAME_HEADER, position)) == _FRAME_HEADER and frame[8:16] == header[16:24]:
        waiting[int.from_bytes(frame[:4], "big")] = position + _FRAME_HEADER
        if int.from_bytes(frame[4:8], "big"):  # a commit
            found |= waiting
            waiting.clear()
        position += _FRAME_HEADER + PAGE_BYTES
    return found
