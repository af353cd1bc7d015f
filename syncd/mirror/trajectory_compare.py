"""Is what OpenClaw's own SQLite has of a trajectory what the ledger has of it?

OpenClaw lets events go: the oldest of a session, or a run somewhere among them. So the events that are there must stand
in the ledger in the same order; what stands between them there was let go. Reads only, on both sides.
"""

from __future__ import annotations

from hashlib import blake2b
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from syncd.errors import LedgerCorrupt
from syncd.ledger import raw
from syncd.ledger.files import log_position
from syncd.mirror.compare import differing_index
from syncd.sources.store_paths import is_stored, store_of
from syncd.sources.store_trajectories import FIRST_SEQ, all_events, line_at, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syncd.ledger.database import Ledger
    from syncd.ledger.transcripts import Transcript
    from syncd.sources.store_trajectories import Event


class Parting(NamedTuple):
    """Where the ledger's lines and OpenClaw's events part."""

    offset: int
    """Of the first line in the ledger that is not the event in its place."""
    after_seq: int
    """The last event before that."""
    byte: int
    """Of that line, or behind it: the first that differs."""
    is_shorter: bool = False
    """Is there no event in that place?"""


class Compared(NamedTuple):
    equal_bytes: int
    newest: int
    """The last event that OpenClaw has."""
    parting: Parting | None = None
    is_anew: bool = False
    """None of them is known: all that was known was let go, and they are counted from the beginning again."""


class Mark(NamedTuple):
    """The ledger's last event, by the number that it has or had."""

    seq: int
    is_moved: bool = False
    """Another event has the number that it was taken under: what was counted since is not what follows it."""


class _Line(NamedTuple):
    offset: int
    length: int
    digest: bytes | None
    """None: retention has dropped something of it."""


def last_taken(ledger: Ledger, store_path: str, transcript: Transcript) -> Mark:
    """The ledger's last event; where it is gone, or can be read no more, the number that it had."""
    if transcript.bytes == 0:
        return Mark(FIRST_SEQ)  # whatever is noted: a kill came between what is of the past now and what follows it
    session_id, noted = transcript.session_id, log_position(ledger, transcript.id)
    last = last_line(ledger, transcript)
    if last is None:
        return Mark(noted if noted is not None else transcript.lines - 1)
    if noted is None:
        seq = place_of(store_path, session_id, last)
        return Mark(seq if seq is not None else transcript.lines - 1)
    there = line_at(store_path, session_id, noted)
    if there == last:
        return Mark(noted)
    seq = place_of(store_path, session_id, last)
    return Mark(noted, is_moved=there is not None) if seq is None else Mark(seq, is_moved=True)


def last_line(ledger: Ledger, transcript: Transcript) -> bytes | None:
    """None: the ledger has lost it, or something of it was dropped by retention."""
    try:
        last = next(reversed(_last_lines(ledger, transcript, 1)), None)
        if last is None or last.digest is None:
            return None
        span = (last.offset, last.offset + last.length)
        return b"".join(data for _, data in raw.blocks(ledger, transcript.id, transcript.generation, *span))
    except LedgerCorrupt:
        return None  # whoever looks after the ledger's own bytes says so


def whole_trajectory(ledger: Ledger, transcript: Transcript) -> BinaryIO | None:
    """As the file that the ledger has of it; None: it is none of a database, or some of it was let go."""
    if transcript.kind != "trajectory" or not is_stored(transcript.path):
        return None
    noted, events = log_position(ledger, transcript.id), BytesIO()
    for event in all_events(store_of(transcript.path), transcript.session_id):
        if events.tell() >= transcript.bytes or (noted is not None and event.seq > noted):
            break
        events.write(event.line)
    return events if events.tell() == transcript.bytes else None


def compare(ledger: Ledger, transcript: Transcript, store_path: str, position: int) -> Compared:
    """`position`: the number of the ledger's last event. What comes behind that is new, and not looked at."""
    events = all_events(store_path, transcript.session_id)
    first = next(events, None)
    if first is None:
        return Compared(0, FIRST_SEQ)
    lines = _last_lines(ledger, transcript, position - first.seq + 1)
    at, last, equal = 0, first.seq - 1, 0
    for event in _with(first, events):
        if event.seq > position:
            return Compared(equal, event.seq)
        found = _found(lines, at, event)
        if found is None:
            parted = _parted(lines, at, last, equal, event, events, position)
            return parted if parted.parting is None else _to_the_byte(ledger, transcript, parted, parted.parting, event)
        at, last, equal = found + 1, event.seq, equal + len(event.line)
    if last == position or at == len(lines):
        return Compared(equal, last)
    place = max(at, len(lines) - (position - last))
    offset = lines[place].offset
    return Compared(equal, last, Parting(offset, last, offset, is_shorter=True))


def _with(first: Event, others: Iterator[Event]) -> Iterator[Event]:
    yield first
    yield from others


def _parted(
    lines: list[_Line], at: int, last: int, equal: int, event: Event, others: Iterator[Event], position: int
) -> Compared:
    """`event` is not to be found from line `at` on, where it should follow the event numbered `last`."""
    newest, has_known = event.seq, at > 0
    known = {line.digest for line in lines}
    for other in others:
        newest = other.seq
        has_known = has_known or (other.seq <= position and digest_of(other.line) in known)
    if not has_known and newest != position:
        return Compared(0, newest, is_anew=True)
    place = at + event.seq - last - 1  # behind what was let go in between
    end = lines[-1].offset + lines[-1].length if lines else 0
    offset = lines[place].offset if place < len(lines) else end
    return Compared(equal, newest, Parting(offset, last, offset))


def _to_the_byte(ledger: Ledger, transcript: Transcript, parted: Compared, parting: Parting, event: Event) -> Compared:
    span = (parting.offset, parting.offset + len(event.line))
    known = b"".join(data for _, data in raw.blocks(ledger, transcript.id, transcript.generation, *span))
    byte = parting.offset + differing_index(event.line, known)
    return parted._replace(parting=parting._replace(byte=byte))


def _found(lines: list[_Line], start: int, event: Event) -> int | None:
    length, digest = len(event.line), digest_of(event.line)
    for place in range(start, len(lines)):
        line = lines[place]
        if line.length == length and line.digest in (digest, None):
            return place
    return None


def _last_lines(ledger: Ledger, transcript: Transcript, count: int) -> list[_Line]:
    """Those that may still be there: as many as there were numbers since."""
    if count <= 0:
        return []
    start = raw.start_of_last_lines(ledger, transcript.id, transcript.generation, count)
    lines: list[_Line] = []
    begun, offset, is_whole = b"", start, True
    for block, data, holes in raw.pieces(ledger, transcript.id, transcript.generation, start):
        position = max(0, start - block)
        while position < len(data):
            newline = data.find(b"\n", position)
            end = newline + 1 if newline >= 0 else len(data)
            begun += data[position:end]
            is_whole = is_whole and not any(hole.start < end and hole.end > position for hole in holes)
            if newline >= 0:
                lines.append(_Line(offset, len(begun), digest_of(begun) if is_whole else None))
                begun, offset, is_whole = b"", block + end, True
            position = end
    if sum(line.length for line in lines) != transcript.bytes - start:
        raise LedgerCorrupt(f"raw bytes of transcript {transcript.id} in {ledger.path} are missing", raw.MENDING_HINT)
    return lines


def digest_of(line: bytes) -> bytes:
    return blake2b(line, digest_size=16).digest()
