"""A session of OpenClaw's own SQLite, to be read and sought like a file: its events, each followed by a newline.

As it was when it was opened: appends that come later are not in it, and a rewrite ends the reading. Events are fetched
by pages, each in a short transaction of its own, so a session of any size needs little memory and holds nobody up. An
event that does not decode is a line of NULs of its length: what stands behind it is read all the same.
"""

from __future__ import annotations

import io
import os
import sys
from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from syncd.sources.cold_archive import cold_events
from syncd.sources.opening import DoubtedError, NotThereError, StoreError
from syncd.sources.store_opening import read_store
from syncd.sources.store_paths import session_id_of, store_of
from syncd.sources.store_sessions import (
    EVENTS,
    FIRST_SEQ,
    Anchor,
    Measured,
    forget_measures,
    length_of,
    measure_in,
    session_in,
    stat_without_size,
    store_inode,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.records import FileStat
    from syncd.sources.store_opening import Store

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PAGE_BYTES = 1024 * 1024
_GIANT_BYTES = PAGE_BYTES
_MOST_PAGE_BYTES = 2 * PAGE_BYTES
_MOST_PACKED_BYTES = 4 * 1024 * 1024  # OpenClaw packs no longer event than this
_MOST_FRAMES = 16  # OpenClaw writes one
_STEPS_BACK = 64
_HEAD_BYTES, _MARK_BYTES = 1024, 256
"""What a look recognises a transcript by: its first bytes, and those before what is new."""
_BEGINNING = Anchor(0, FIRST_SEQ, None)


class _Unknown(NamedTuple):
    """The bytes [start, end) of the event `seq`, which does not decode."""

    start: int
    end: int
    seq: int


class _Window(NamedTuple):
    offset: int
    data: bytes
    unknown: tuple[_Unknown, ...] = ()


class StoreFile(io.RawIOBase):
    """`stat` is what a file's stat would be; it never changes while this is open."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.session_id = session_id_of(path)
        self._store_path = store_of(path)
        self._inode = store_inode(self._store_path)
        self._windows: list[_Window] = []
        self._anchors = [_BEGINNING]
        self._cold: Iterator[tuple[int, bytes]] = iter(())
        self._cold_offset: int | None = None
        self._position = 0
        self._unknown: dict[int, _Unknown] = {}
        measured = self._measured()
        self._session = measured.session
        self._is_remembered = measured.is_remembered
        self.stat: FileStat = stat_without_size(measured.session, self._inode)._replace(size=measured.size)
        for anchor in measured.anchors:
            self._note(anchor)

    def _measured(self) -> Measured:
        """In the same transaction, what is nearly always asked for next: its first bytes, and those that are new."""
        while True:
            found, windows = read_store(self._store_path, self._open_in)
            if found is None:
                raise NotThereError(f"{self.path} is gone", "nothing to do", path=self.path)
            if not isinstance(found, Anchor):
                self._windows = windows
                for window in windows:
                    self._note_unknown(window)
                return found
            self._note(found)

    def _open_in(self, store: Store) -> tuple[Measured | Anchor | None, list[_Window]]:
        so_far = self._anchors[-1] if len(self._anchors) > 1 else None
        found = measure_in(store, self._inode, self.session_id, so_far)
        if not isinstance(found, Measured) or found.size == 0 or found.session.cold_seq is not None:
            return found, []
        if store.is_page_full:
            return found, []
        last_seq = found.session.last_seq
        is_new = len(found.anchors) == 1
        windows = [_page(store, self.session_id, last_seq, _BEGINNING, 0, PAGE_BYTES if is_new else _HEAD_BYTES)[0]]
        if not is_new and (former := found.anchors[-2]).offset >= _HEAD_BYTES:
            mark = former.offset - _MARK_BYTES
            start = _back_from(store, self.session_id, former, mark)
            if start is not None:
                windows.append(_page(store, self.session_id, last_seq, start, start.offset, PAGE_BYTES)[0])
        return found, windows

    @property
    def flaw(self) -> StoreError | None:
        """What did not decode of all that was read so far."""
        if not self._unknown:
            return None
        return _bad_event(self._store_path, self.session_id, min(self._unknown.values()).seq, "the rest of the session")

    @property
    def unknown(self) -> list[tuple[int, int]]:
        """Where the bytes read so far stand for others that nobody knows."""
        return [(item.start, item.end) for item in self._unknown.values()]

    def doubt(self) -> None:
        """Its bytes are not what they were. DoubtedError: maybe since they are not where they were; open it anew."""
        if self._is_remembered:
            forget_measures(self._store_path, self.session_id)
            reason = f"has changed session {self.session_id} without a word of it"
            raise DoubtedError("store_busy", self._store_path, reason, "nothing to do: it is read again")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence != os.SEEK_SET:
            raise io.UnsupportedOperation("a session is sought from its start only")
        self._position = offset
        return offset

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes, fewer where a page or the session ends. StoreError: not now, or not this event."""
        if size < 0:
            return b"".join(iter(lambda: self.read(PAGE_BYTES), b""))
        wanted = min(size, self.stat.size - self._position)
        if wanted <= 0:
            return b""
        window = self._window_at(self._position)
        start = self._position - window.offset
        part = window.data[start : start + wanted]
        self._position += len(part)
        return part

    def read_at(self, start: int, end: int) -> bytes:
        """The bytes in [start, end); fewer where the session ends."""
        parts = []
        while start < min(end, self.stat.size):
            window = self._window_at(start)
            parts.append(window.data[start - window.offset : end - window.offset])
            start += len(parts[-1])
        return b"".join(parts)

    def _window_at(self, position: int) -> _Window:
        for window in self._windows:
            if window.offset <= position < window.offset + len(window.data):
                return window
        if position < self._session.cold_bytes:
            window = self._cold_at(position)
        else:
            window, following = read_store(self._store_path, partial(self._fetch, position=position))
            self._note(following)
            self._note_unknown(window)
        self._windows = [*self._windows[-1:], window]  # the one before stays: a line may begin there
        return window

    def _cold_at(self, position: int) -> _Window:
        """Out of cold storage, which is read from its start on: events of a page, and more where one is longer."""
        if self._cold_offset is None or self._cold_offset > position:
            self._cold, self._cold_offset = cold_events(self._store_path, self.session_id), 0
        start, parts, total = self._cold_offset, [], 0
        for _, event in self._cold:
            if start + len(event) + 1 <= position:
                start += len(event) + 1
                continue
            parts += [event, b"\n"]
            total += len(event) + 1
            if total >= PAGE_BYTES:
                break
        self._cold_offset = start + total
        if not total or self._cold_offset > self._session.cold_bytes:
            reason = f"has put session {self.session_id} away with another length than it says"
            raise StoreError("cold_archive_damaged", self._store_path, reason, "what was read before is kept")
        return _Window(start, b"".join(parts))

    def _fetch(self, store: Store, position: int) -> tuple[_Window, Anchor]:
        session = session_in(store, self.session_id)
        if session is None or session.version != self._session.version or session.last_seq < self._session.last_seq:
            raise _changed(store, self.session_id)
        at = bisect_right(self._anchors, position, key=_offset_of)
        anchor = self._anchors[at - 1]
        if at < len(self._anchors) and self._anchors[at].offset - position < position - anchor.offset:
            anchor = _back_from(store, self.session_id, self._anchors[at], position) or anchor
        return _page(store, self.session_id, self._session.last_seq, anchor, position, PAGE_BYTES)

    def _note_unknown(self, window: _Window) -> None:
        self._unknown.update((item.start, item) for item in window.unknown)

    def _note(self, anchor: Anchor) -> None:
        at = bisect_right(self._anchors, anchor.offset, key=_offset_of)
        if self._anchors[at - 1].offset != anchor.offset:
            self._anchors.insert(at, anchor)


def _offset_of(anchor: Anchor) -> int:
    return anchor.offset


def _back_from(store: Store, session_id: str, anchor: Anchor, position: int) -> Anchor | None:
    """The event at this position, a few steps before the anchor."""
    query = f"""SELECT seq, {length_of(store)} FROM {EVENTS} WHERE session_id = ? AND seq < ?
        ORDER BY seq DESC LIMIT {_STEPS_BACK}"""
    offset = anchor.offset
    for seq, length in store.rows(query, (session_id, anchor.seq)):
        offset -= length + 1
        if offset <= position:
            return Anchor(offset, seq, None)
    return None


def _page(
    store: Store, session_id: str, last_seq: int, anchor: Anchor, position: int, page_bytes: int
) -> tuple[_Window, Anchor]:
    """Bytes from `position` on, about so many, and where to go on. `anchor`: an event at or before the position."""
    has_packed = "event_zstd" in store.columns(EVENTS)
    lengths = f"SELECT seq, {length_of(store)} FROM {EVENTS} WHERE session_id = ? AND seq BETWEEN ? AND ? ORDER BY seq"
    offset, at = anchor.offset, None
    for seq, length in store.rows(lengths, (session_id, anchor.seq, last_seq)):
        if offset + length + 1 > position:
            at = seq
            break
        offset += length + 1
    if at is None:
        raise _changed(store, session_id)
    text_if_short = f"iif({length_of(store)} <= {_GIANT_BYTES}, CAST(event_json AS BLOB), NULL)"
    packed_or_not = "event_zstd" if has_packed else "NULL"
    query = f"""SELECT seq, rowid, {length_of(store)}, {text_if_short}, {packed_or_not}, event_json IS NULL
        FROM {EVENTS} WHERE session_id = ? AND seq BETWEEN ? AND ? ORDER BY seq"""
    parts: list[bytes] = []
    unknown: list[_Unknown] = []
    start, total = offset, 0
    for seq, rowid, length, text, packed, is_without_text in store.rows(query, (session_id, at, last_seq)):
        is_text = packed is None and not is_without_text
        is_giant = is_text and text is None
        is_apart = is_giant or not (is_text or 0 <= length <= _MOST_PACKED_BYTES)
        is_full = total >= page_bytes or total + length > _MOST_PAGE_BYTES or store.is_page_full
        if total and (is_apart or is_full):
            return _Window(start, b"".join(parts), tuple(unknown)), Anchor(start + total, seq, None)
        if is_giant:
            return _piece(store, rowid, Anchor(offset, seq, None), length, position)
        if is_apart:
            raise _bad_event(store.path, session_id, seq, "what stands before it")
        event = _unpacked(packed, length) if packed is not None else text
        if event is None:
            event = bytes(length)
            unknown.append(_Unknown(start + total, start + total + length, seq))
        parts += (event, b"\n")
        total += len(event) + 1
    return _Window(start, b"".join(parts), tuple(unknown)), Anchor(start + total, last_seq + 1, None)


def _piece(store: Store, rowid: int, event: Anchor, length: int, position: int) -> tuple[_Window, Anchor]:
    """Of an event that is too long to be held as a whole."""
    start = position - event.offset
    end = min(start + PAGE_BYTES, length)
    data = store.piece(EVENTS, "event_json", rowid, start, end) if start < end else b""
    if end == length:
        return _Window(position, data + b"\n"), Anchor(event.offset + length + 1, event.seq + 1, None)
    return _Window(position, data), event


def _unpacked(packed: bytes, length: int) -> bytes | None:
    """None: it does not decode to what it is said to be."""
    event = b""
    try:
        for _ in range(_MOST_FRAMES):
            decoder = zstd.ZstdDecompressor()
            event += decoder.decompress(packed, length + 1 - len(event))
            packed = decoder.unused_data
            if not decoder.eof or not packed:
                return event if decoder.eof and len(event) == length else None
    except zstd.ZstdError:
        pass
    return None


def _changed(store: Store, session_id: str) -> StoreError:
    reason = f"has rewritten session {session_id} while it was read"
    return StoreError("store_busy", store.path, reason, "nothing to do: it is read again")


def _bad_event(store_path: str, session_id: str, seq: int, kept: str) -> StoreError:
    reason = f"has an event that does not decode: number {seq} of session {session_id}"
    hint = f"{kept} is mirrored; `openclaw doctor` may know more, and it is tried again"
    return StoreError("store_bad_event", store_path, reason, hint)
