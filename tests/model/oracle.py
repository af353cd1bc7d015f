"""What the ledger must say, from plain lists of bytes: the contract's rules of identity and of generations.

Reads no ledger and shares no code with the product. `look` is told what the files hold at a catch-up and moves every
logical transcript on; the checks compare the ledger with the result.
"""

import itertools
import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.model.folder import COPY_KINDS, Place, Stat

BLANK = b" \t\r\n\v\f"
_ARCHIVES = ("reset", "deleted")
_COPIES = ("import_archive", *COPY_KINDS)


class Line(NamedTuple):
    line_no: int
    offset: int
    length: int
    text: bytes


@dataclass(eq=False)
class Logical:
    """A logical transcript: where it is, what was seen of it, generation by generation."""

    name: str
    kind: str
    session_id: str
    state: str = "live"
    has_header: bool = False
    versions: list[bytes] = field(default_factory=lambda: [b""])
    tail: bytes = b""
    row_id: int | None = None
    is_fork: bool = False
    former_names: set[str] = field(default_factory=set)
    """Where it was seen, now and before."""

    @property
    def taken(self) -> bytes:
        return self.versions[-1]

    @property
    def state_when_there(self) -> str:
        return "live" if self.kind in ("primary", "fork", "trajectory") else "archived"

    def facts(self) -> tuple[object, ...]:
        """Everything that a look may change."""
        return (self.name, self.kind, self.session_id, self.state, tuple(self.versions), self.tail)


def lines_of(content: bytes) -> list[Line]:
    """Every line, blank ones included; the last may lack its newline."""
    found: list[Line] = []
    offset = 0
    while offset < len(content):
        end = content.find(b"\n", offset) + 1 or len(content)
        found.append(Line(len(found) + 1, offset, end - offset, content[offset:end]))
        offset = end
    return found


def complete(content: bytes) -> bytes:
    return content[: content.rfind(b"\n") + 1]


def header_of(line: bytes) -> dict[str, object] | None:
    try:
        value = json.loads(line) if b'"session"' in line else None
    except ValueError:
        return None
    return value if isinstance(value, dict) and value.get("type") == "session" else None


def _headers(content: bytes) -> list[dict[str, object]]:
    return [each for line in lines_of(content) if (each := header_of(line.text)) is not None]


def _kept(taken: bytes, visible: bytes) -> bytes:
    """The complete lines that a look finds as they were."""
    pairs = zip(lines_of(taken), lines_of(visible), strict=False)
    same = itertools.takewhile(lambda pair: pair[0].text == pair[1].text and pair[0].text.endswith(b"\n"), pairs)
    return b"".join(line.text for line, _ in same)


def id_of(header: dict[str, object] | None) -> str | None:
    found = header.get("id") if header is not None else None
    return found if isinstance(found, str) and found else None


def leading_header(content: bytes) -> str | None:
    """The id in the first line that is not blank, if that is a header."""
    filled = (line.text for line in lines_of(complete(content)) if line.text.strip(BLANK))
    return id_of(header_of(next(filled, b"")))


def goes_on(taken: bytes, content: bytes) -> bool:
    """Are the lines taken in still the first lines of the content?"""
    return content.startswith(taken) and (taken == content or not taken or taken.endswith(b"\n"))


class Seen(NamedTuple):
    """The files at the moment of a catch-up."""

    content: Mapping[str, bytes]
    places: Mapping[str, Place]
    stats: Mapping[str, Stat]
    locked: AbstractSet[str]


class Oracle:
    def __init__(self) -> None:
        self.transcripts: list[Logical] = []
        self.at: dict[str, Logical] = {}
        """Whose place a name is, also while no file is there."""
        self.copies: dict[str, Logical] = {}
        """The transcript whose bytes an import-archive file repeats."""
        self.outgrown: dict[str, Logical] = {}
        """The transcript that had an import-archive file's bytes, and was put away with more: no place of it now."""
        self.present: set[str] = set()
        """The files that were there when last looked at."""
        self.stats: dict[str, Stat] = {}
        """Of each file when it was last looked at."""
        self.held_back: set[str] = set()
        """Locked files that shrank or are missing: not judged yet."""

    def look(self, seen: Seen) -> None:
        """A catch-up sees these files: archives first, then places, then copies, then what is missing."""
        self.held_back = set()
        for name in sorted(seen.content, key=lambda each: (self._rank(each, seen), each)):
            self._see(name, seen)
            if name not in self.held_back:
                self.stats[name] = seen.stats[name]
                self.present.add(name)
        for name, logical in self.at.items():
            if name in self.present - seen.content.keys() and name in seen.locked and logical.state == "live":
                self.held_back.add(name)
        self.present &= seen.content.keys() | self.held_back
        for logical in self.transcripts:
            self._find(logical)
            logical.former_names.update(self.places_of(logical), [logical.name])

    def has_part_beside_import(self, content: Mapping[str, bytes]) -> bool:
        """Is a file back with no more than a part of what the import archive has of it, or with a last line that is not
        one any more? The mirror calls it stale then, as it does beside a database, and leaves it alone until it moves:
        not this oracle's concern.
        """
        return any(
            name in content
            and name not in self.present
            and not (content[name].startswith(logical.taken) and logical.taken[-1:] in (b"", b"\n"))
            and any(version.startswith(content[name]) for version in logical.versions)
            and any(copied is logical and copy in content for copy, copied in self.copies.items())
            for name, logical in self.at.items()
        )

    def _rank(self, name: str, seen: Seen) -> int:
        if name in self.copies and self.stats.get(name) == seen.stats[name]:
            return 4  # untouched: looked at again only because its original has changed
        ranks = {"reset": 0, "deleted": 0, "primary": 1, "trajectory": 1, "import_archive": 3}
        return ranks.get(seen.places[name].kind, 2)

    def paths_of(self, logical: Logical) -> list[str]:
        """Its own place, and its copies; no file need be there."""
        own = [name for name, each in self.at.items() if each is logical]
        return own + [name for name, each in self.copies.items() if each is logical]

    def places_of(self, logical: Logical) -> list[str]:
        """Where it was when last looked at; its own place first."""
        return [name for name in self.paths_of(logical) if name in self.present]

    def _see(self, name: str, seen: Seen) -> None:
        place, content = seen.places[name], seen.content[name]
        found = leading_header(content) if place.kind != "trajectory" else None
        if self._is_copy(name, place, found, content):
            return
        logical = self.at.get(name)
        if logical is not None and found is not None and logical.has_header and found != logical.session_id:
            del self.at[name]  # another session has this place now
            logical = self._restored(name, place, found, seen) or self._begin(name, place, found)
        elif logical is None:
            logical = self._continued(name, place, found, seen) or self._restored(name, place, found, seen)
            logical = logical or self._begin(name, place, found)
        elif self._is_held_back(logical, name, seen):
            self.held_back.add(name)
            return
        self._take(logical, content)

    def _begin(self, name: str, place: Place, found: str | None) -> Logical:
        logical = Logical(name, place.kind, found or place.session_id)
        self.transcripts.append(logical)
        self.at[name] = logical
        return logical

    def _is_copy(self, name: str, place: Place, found: str | None, content: bytes) -> bool:
        """Does an import-archive file repeat a known transcript to the last byte? Then it is another place of it."""
        if place.kind != "import_archive" or name in self.at:
            return False
        logical = self.copies.pop(name, None) or self.outgrown.pop(name, None)
        if not content:
            return False  # an empty file repeats nothing
        if (
            logical is not None
            and logical.taken + logical.tail != content
            and logical.kind in _ARCHIVES
            and any(version.startswith(content) for version in logical.versions)
        ):
            self.outgrown[name] = logical
            return True
        if logical is None or logical.taken + logical.tail != content:
            same = [
                each
                for each in self.transcripts
                if each.session_id in (found, place.session_id)
                and each.kind != "trajectory"
                and each.taken + each.tail == content
            ]
            logical = max(same, key=lambda each: (each.name == place.of, each.kind not in _COPIES), default=None)
        if logical is not None:
            self.copies[name] = logical
        return logical is not None

    def _continued(self, name: str, place: Place, found: str | None, seen: Seen) -> Logical | None:
        """The transcript an archive goes on with: its own, where it stood before, else the newest of its id."""
        if place.kind not in _ARCHIVES:
            return None
        content = seen.content[name]
        candidates = [
            each
            for each in self.transcripts
            if each.session_id == (found or place.session_id)
            and each.kind not in (*_COPIES, "trajectory")
            and (each.has_header or content.startswith(each.taken))
            and not any(
                each.name != place.of or self._holds(each, seen.content[other], elsewhere=content)
                for other in self.paths_of(each)
                if other in seen.content and other not in self.copies  # what was imported goes on without its copy
            )
        ]
        if not candidates:
            return None
        logical = max(candidates, key=lambda each: (each.name == place.of, bool(each.taken), self._age(each)))
        for other in [other for other, each in self.at.items() if each is logical]:
            del self.at[other]
        logical.name, logical.kind = name, place.kind
        self.at[name] = logical
        return logical

    def _restored(self, name: str, place: Place, found: str | None, seen: Seen) -> Logical | None:
        """The archived transcript that has its old name again: all its bytes are here, and no file is where it was."""
        candidates = [
            each
            for each in self.transcripts
            if place.kind == "primary"
            and each.session_id == (found or place.session_id)
            and each.kind in _ARCHIVES
            and each.taken
            and seen.content[name].startswith(each.taken)
            and not any(other in seen.content for other in self.paths_of(each))
        ]
        if not candidates:
            return None
        logical = candidates[-1]
        for other in [other for other, each in self.at.items() if each is logical]:
            del self.at[other]
        logical.name, logical.kind = name, "fork" if logical.is_fork else "primary"
        self.at[name] = logical
        return logical

    def _age(self, logical: Logical) -> int:
        return self.transcripts.index(logical)

    def _holds(self, logical: Logical, content: bytes, *, elsewhere: bytes) -> bool:
        """Does a file still hold the transcript? Its bytes prove it; the header does, if they are nowhere else."""
        found = leading_header(content)
        if found is not None and logical.has_header:
            if found != logical.session_id:
                return False
            if not logical.taken or not elsewhere.startswith(logical.taken):
                return True
        return content.startswith(logical.taken)

    def _is_held_back(self, logical: Logical, name: str, seen: Seen) -> bool:
        """A shrink is not believed while a live writer holds the lock, unless the file came by a rename."""
        content = seen.content[name]
        visible = content if logical.state_when_there == "archived" else complete(content)
        is_shrink = logical.taken.startswith(content) and not goes_on(logical.taken, visible)
        return (
            is_shrink
            and name in seen.locked
            and name in self.stats
            and self.stats[name].inode == seen.stats[name].inode
        )

    def _take(self, logical: Logical, content: bytes) -> None:
        logical.state = logical.state_when_there
        visible = content if logical.state == "archived" else complete(content)
        kept = _kept(logical.taken, visible)
        if goes_on(logical.taken, visible):
            logical.versions[-1] = visible
        else:
            logical.versions.append(visible)
        logical.tail = content[len(visible) :]
        if logical.kind != "trajectory":
            self._take_header(logical, visible, kept)

    def _take_header(self, logical: Logical, content: bytes, kept: bytes) -> None:
        """The first header ever seen names the session; where a rewrite took it away, the next is read again."""
        headers = _headers(content)
        if logical.has_header:
            headers = [each for each in headers[:1] if not _headers(kept) and id_of(each) == logical.session_id]
        if not headers:
            return
        logical.has_header, logical.session_id = True, id_of(headers[0]) or logical.session_id
        logical.is_fork = bool(headers[0].get("parentSession"))
        if logical.kind in ("primary", "fork"):
            logical.kind = "fork" if logical.is_fork else "primary"

    def _find(self, logical: Logical) -> None:
        """Where the transcript is now. Where no file is written to any more, its unfinished last line is a line."""
        places = self.places_of(logical)
        if places and self.at.get(places[0]) is logical:
            logical.name = places[0]
            return
        logical.name = places[0] if places else logical.name
        logical.state = "archived" if places else "gone"
        if logical.tail:
            kept = logical.taken
            logical.versions[-1] += logical.tail
            logical.tail = b""
            if logical.kind != "trajectory":
                self._take_header(logical, logical.taken, kept)
