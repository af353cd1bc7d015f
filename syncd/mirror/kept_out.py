"""Is a file one of a purged session? Then it is passed over, wherever it lies and whatever its name.

By the session id in its header, else in its name; by its lines where it says no id; and, where forks were purged too,
by the session it was forked from and by the lines it repeats. Reads the head of a file at most, and only of files
of which the ledger knows nothing, or no more than a header, in a ledger that has purged anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from syncd.errors import SourceError
from syncd.ledger.tombstones import LONGEST_LINE_BYTES, TELLING_TYPES
from syncd.mirror.placement import HEADER_BYTES, head_of
from syncd.openclaw.file_kinds import COPY_KINDS, RAW_KINDS, TRANSCRIPT_KINDS, classify
from syncd.openclaw.lines import Decoded, decode_line
from syncd.openclaw.session_files import parent_name
from syncd.sources.opening import open_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from syncd.ledger.files import FileTable
    from syncd.ledger.tombstones import KeptOut
    from syncd.openclaw.file_kinds import FileName
    from syncd.records import ListedFile

_LINES_LOOKED_AT = 16
_MOST_VERDICTS = 100_000
_HEAD_BYTES = 2 * LONGEST_LINE_BYTES


def without_kept_out(files: FileTable, listed: Iterable[ListedFile]) -> list[ListedFile]:
    """Those that may be taken in; of the purged ones, none."""
    known = files.kept_out
    if not known:
        return list(listed)
    return [item for item in listed if not _is_out(files, known, item)]


def _is_out(files: FileTable, known: KeptOut, item: ListedFile) -> bool:
    if known.verdicts.get(item.path) == item.stat:
        return True  # looked into before, and the very same since
    name = classify(item.name)
    if name.kind not in TRANSCRIPT_KINDS or not item.is_regular or files.holds_transcript(item.path):
        return False
    is_out = is_kept_out(known, item.path, name)
    if is_out and len(known.verdicts) < _MOST_VERDICTS:
        known.verdicts[item.path] = item.stat
    return is_out


def is_kept_out(known: KeptOut, path: str, name: FileName) -> bool:
    """The same of one file that is not open."""
    if not known:
        return False
    try:
        with open_source(path, is_zst=name.is_zst) as source:
            return is_source_kept_out(known, name, source)
    except SourceError:
        return known.is_session(name.session_id or name.stem)  # nothing but its name can be asked


def is_source_kept_out(known: KeptOut, name: FileName, source: BinaryIO) -> bool:
    if not known:
        return False
    if name.kind in RAW_KINDS:
        return known.is_session(name.session_id or name.stem)
    header = _header(source)
    if header is None:
        return known.is_session(name.session_id or name.stem) or known.has_one_of(_lines(source), only_forks=False)
    return _is_headed_out(known, name, header, source)


def shows_itself_kept_out(known: KeptOut, name: FileName, source: BinaryIO) -> bool:
    """The same of a file that was taken in before it said whose it is: only what it says now counts, not its name."""
    if not known or name.kind in RAW_KINDS:
        return False
    header = _header(source)
    if header is None:
        return known.has_one_of(_lines(source), only_forks=False)
    return _is_headed_out(known, name, header, source)


def _is_headed_out(known: KeptOut, name: FileName, header: dict[str, object], source: BinaryIO) -> bool:
    if isinstance(own_id := header.get("id"), str) and known.is_session(own_id):
        return True
    if name.kind in COPY_KINDS and known.is_session(name.session_id):
        return True
    if not known.knows_forks:
        return False
    parent = header.get("parentSession")
    named = classify(parent_name(parent)) if isinstance(parent, str) else None
    if named is not None and known.takes_forks_of(named.session_id or named.stem):
        return True
    return known.has_one_of(_lines(source), only_forks=True)


def _header(source: BinaryIO) -> dict[str, object] | None:
    """The first line, if it is one."""
    for raw in _first(source, HEADER_BYTES):
        decoded = decode_line(raw)
        return decoded.value if isinstance(decoded, Decoded) and decoded.value.get("type") == "session" else None
    return None


def _lines(source: BinaryIO) -> list[bytes]:
    """The first lines by which a copy is known."""
    found: list[bytes] = []
    for raw in _first(source, _HEAD_BYTES):
        decoded = decode_line(raw)
        if isinstance(decoded, Decoded) and decoded.value.get("type") in TELLING_TYPES:
            found.append(raw)
            if len(found) == _LINES_LOOKED_AT:
                break
    return found


def _first(source: BinaryIO, size: int) -> Iterator[bytes]:
    """Complete lines of the file's beginning that are not blank."""
    return filter(bytes.strip, head_of(source, size).split(b"\n")[:-1])
