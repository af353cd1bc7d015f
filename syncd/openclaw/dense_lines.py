"""Lines with more values than memory should hold: only what rows are made of is read, the rest checked and passed by.

A parser makes half a gigabyte of objects from 16 MiB of small values. Here the line is walked in windows of whole
members or elements, each parsed and dropped again; a large value that a row wants becomes its compact JSON text, behind
a marker that `heavy_lines.restore` replaces. Relies on the parser for the windows and on regular expressions for where
they end. Not for other lines: those are parsed as a whole.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from syncd.openclaw.entries import ENTRY_TYPES
from syncd.openclaw.exact_integers import made_exact
from syncd.openclaw.heavy_lines import GIANT_BYTES, faults_of, is_readable, marker, rewritten, tree
from syncd.openclaw.json_repair import Flag, repaired
from syncd.openclaw.json_values import json_text
from syncd.openclaw.lines import MAX_NESTING, Salvaged, Undecodable, is_too_deep
from syncd.openclaw.messages import answer_parts
from syncd.openclaw.salvage import MAX_SALVAGED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_CALLS: Final = 50_000
CALLS_CUT: Final = "calls_cut"
"""Flag of an entry that has more tool calls than that."""
_WINDOW_BYTES: Final = 256 * 1024
_MAX_TRIES: Final = 64
_LEVELS: Final = 24  # of nesting inside a window; what is deeper is walked level by level

_ENTRY_FIELDS: Final = frozenset(
    """type id parentId timestamp version cwd parentSession message provider modelId thinkingLevel summary
    firstKeptEntryId firstKeptEntryIndex compactedCount tokensBefore tokensAfter details fromHook fromId branchPoint
    customType data content display targetId label name appendParentId appendMode reason runId seq stream
    ts""".split()  # noqa: SIM905 - thirty lines of one word each say no more
)
_MESSAGE_FIELDS: Final = frozenset(
    """role content timestamp provider model api stopReason errorMessage responseId usage toolCallId toolName isError
    command""".split()  # noqa: SIM905
)
_BLOCK_FIELDS: Final = frozenset(("type", "id", "name", "text", "thinking", "arguments", "input"))

_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = rb"[ \t\r\n]*+"
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ATOM: Final = rb'[^][{}",: \t\r\n]++'
_INSIDE: Final = rb'[^][{}"]++|' + _STRING


def _container(levels: int) -> bytes:
    """A container that nests no deeper; the parser has the last word on what is inside."""
    inner = _INSIDE if levels == 0 else _INSIDE + b"|" + _container(levels - 1)
    return rb"[\[{](?:" + inner + rb")*+[\]}]"


_VALUE: Final = rb"(?:" + _STRING + b"|" + _ATOM + b"|" + _container(_LEVELS) + b")"
_MEMBER: Final = _STRING + _SPACE + b":" + _SPACE + _VALUE
_ELEMENTS: Final = re.compile(b"(?:" + _VALUE + _SPACE + b"," + _SPACE + b")*+", re.DOTALL)
_MEMBERS: Final = re.compile(b"(?:" + _MEMBER + _SPACE + b"," + _SPACE + b")*+", re.DOTALL)
_STRING_AT: Final = re.compile(_STRING, re.DOTALL)
_ATOM_AT: Final = re.compile(_ATOM)
_BLANK: Final = re.compile(_SPACE)
_LIKELY_START: Final = re.compile(
    rb'\{[ \t]*"(?:type"[ \t]*:[ \t]*"(?:' + "|".join(sorted(ENTRY_TYPES)).encode() + rb')"|runId"[ \t]*:)'
)  # of a record behind a cut one


class Digest(NamedTuple):
    """What rows are made of. `giants`: see `heavy_lines.Light`, and the JSON text of large values."""

    value: dict[str, Any]
    giants: tuple[bytes, ...]
    flags: frozenset[str]


def digest_line(raw: bytes) -> Digest | Undecodable:
    """The entry on this line, or why there is none and where whole objects lie in it."""
    flags: set[str] = set()
    if b"\0" in raw:
        raw = raw.replace(b"\0", b"")
        flags.add("nul_stripped")
        salvages = False  # offsets are no longer the line's
    else:
        salvages = True
    start = _skip_blank(raw, 0)
    if raw.startswith(_BOM, start):
        flags.add("bom")
        start = _skip_blank(raw, start + len(_BOM))
    walk = _Walk(raw, flags)
    try:
        if raw[start : start + 1] == b"{":
            value, end = walk.entry(start)
        else:
            value, end = None, walk.copy(start, None)
        if _skip_blank(raw, end) == len(raw):
            return Undecodable("not_object") if value is None else Digest(value, tuple(walk.giants), frozenset(flags))
    except _NotJsonError:
        pass
    return _undecodable(raw) if salvages else Undecodable("not_json")


def _undecodable(raw: bytes) -> Undecodable:
    """Objects in a row from the line's start on, and known records behind what is broken."""
    walk = _Walk(raw, set())
    found: list[Salvaged] = []
    start, tries, is_all_objects = _skip_blank(raw, 0), 0, True
    while start < len(raw) and tries < _MAX_TRIES and len(found) < MAX_SALVAGED:
        try:
            end = walk.copy(start, None) if raw[start : start + 1] == b"{" else None
        except _NotJsonError:
            end = None
        follows = _skip_blank(raw, end) if end is not None else start
        if end is not None and (follows == len(raw) or raw[follows : follows + 1] == b"{"):
            found.append(Salvaged(start, end))
            start = follows
            continue
        is_all_objects = False
        tries += 1
        match = _LIKELY_START.search(raw, start + 1)
        start = match.start() if match is not None else len(raw)
    if found:
        return Undecodable("several_objects" if is_all_objects else "splice", tuple(found))
    return Undecodable("too_deep" if is_too_deep(raw) else "not_json")


class _NotJsonError(Exception):
    """Inside this module only: the line is no JSON from here on."""


class _Walk:
    """One pass over a line; `giants` and `flags` are what it gathers on its way."""

    def __init__(self, raw: bytes, flags: set[str]) -> None:
        self._raw = raw
        self._flags = flags
        self._calls = 0
        self.giants: list[bytes] = []

    # What rows are made of

    def entry(self, start: int) -> tuple[dict[str, Any], int]:
        return self._fields(start, _ENTRY_FIELDS, {"message": self._message, "content": self._content})

    def _message(self, start: int) -> tuple[Any, int]:
        if self._raw[start : start + 1] != b"{":
            return self._leaf(start)
        return self._fields(start, _MESSAGE_FIELDS, {"content": self._content})

    def _content(self, start: int) -> tuple[Any, int]:
        """Blocks, as few as say the same: the texts of a window as one block, and so its thinking."""
        if self._raw[start : start + 1] != b"[":
            return self._leaf(start)
        blocks: list[Any] = []
        position = _skip_blank(self._raw, start + 1)
        if self._raw[position : position + 1] == b"]":
            return blocks, position + 1
        while True:
            end = self._window(_ELEMENTS, position, before_escape=True)
            if end > position:
                self._take(self._parsed(b"[%b]" % self._without_comma(position, end)), blocks)
                position = end
                continue
            if self._raw[position : position + 1] == b"{":
                block, position = self._fields(position, _BLOCK_FIELDS, {})
                self._take([block], blocks)
            else:
                position = self.copy(position, None)
            position, is_end = self._after(position, b"]")
            if is_end:
                return blocks, position

    def _take(self, window: list[Any], blocks: list[Any]) -> None:
        said, thought, calls = answer_parts(window)
        for kind, text in (("text", said), ("thinking", thought)):
            if text is not None:
                body = orjson.dumps(text)[1:-1] if len(text) > GIANT_BYTES else None
                blocks.append({"type": kind, kind: text if body is None else self._giant(body)})
        if self._calls + len(calls) > MAX_CALLS:
            self._flags.add(CALLS_CUT)
            del calls[MAX_CALLS - self._calls :]
        self._calls += len(calls)
        blocks.extend({"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}
                      for call_id, name, arguments in calls)  # fmt: skip

    def _fields(
        self, start: int, wanted: frozenset[str], readers: Mapping[str, Callable[[int], tuple[Any, int]]]
    ) -> tuple[dict[str, Any], int]:
        """The wanted members of the object at `start`; the last of equal keys wins."""
        value: dict[str, Any] = {}
        position = _skip_blank(self._raw, start + 1)
        if self._raw[position : position + 1] == b"}":
            return value, position + 1
        while True:
            end = self._window(_MEMBERS, position, before_escape=True)
            if end > position:
                members = self._parsed(b"{%b}" % self._without_comma(position, end))
                value.update((key, members[key]) for key in members.keys() & wanted)
                position = end
                continue
            key, position = self._key(position)
            if key in wanted:
                value[key], position = readers.get(key, self._leaf)(position)
            else:
                position = self.copy(position, None)
            position, is_end = self._after(position, b"}")
            if is_end:
                return value, position

    def _leaf(self, start: int) -> tuple[Any, int]:
        """A value as it is, or what stands for a large one."""
        sign = self._raw[start : start + 1]
        if sign == b'"':
            end = self._string_end(start)
            # A short one may look like a marker itself, if it has an escape such as the marker begins with.
            if end - start > GIANT_BYTES or self._raw.find(b"\\u00", start, end) >= 0:
                return self._giant(self._body(start, end)), end
            return self._parsed(self._raw[start:end]), end
        out = bytearray()
        end = self.copy(start, out)
        if len(out) <= GIANT_BYTES and b"\\u00" not in out:
            return self._parsed(bytes(out)), end
        self.giants.append(bytes(out))
        return tree(len(self.giants) - 1, is_list=sign == b"["), end

    def _giant(self, body: bytes) -> str:
        self.giants.append(body)
        return marker(len(self.giants) - 1)

    # Where values end

    def copy(self, position: int, out: bytearray | None) -> int:
        """Check the value at `position`, append its compact text to `out`; where it ends."""
        closers: list[bytes] = []
        while True:
            sign = self._raw[position : position + 1]
            if sign == b"[" or sign == b"{":  # noqa: PLR1714 - in b"[{" would also hold for nothing
                if len(closers) >= MAX_NESTING:
                    raise _NotJsonError
                closers.append(b"]" if sign == b"[" else b"}")
                _write(out, sign)
                position = _skip_blank(self._raw, position + 1)
                if self._raw[position : position + 1] != closers[-1]:
                    position = self._copy_run(position, closers[-1], out)
                    continue
            elif sign == b'"':
                end = self._string_end(position)
                _write(out, b'"%b"' % rewritten(self._body(position, end)))
                position = end
            else:
                match = _ATOM_AT.match(self._raw, position)
                if match is None:
                    raise _NotJsonError
                _write(out, _text(self._parsed(match[0])))
                position = match.end()
            while closers:
                closer = closers[-1]
                position, is_end = self._after(position, closer)
                if not is_end:
                    _write(out, b",")
                    position = self._copy_run(position, closer, out)
                    break
                _write(out, closers.pop())
            else:
                return position

    def _copy_run(self, position: int, closer: bytes, out: bytearray | None) -> int:
        """Whole windows of what the container holds; where the next value begins."""
        pattern, around = (_ELEMENTS, b"[%b]") if closer == b"]" else (_MEMBERS, b"{%b}")
        while (end := self._window(pattern, position)) > position:
            value = self._parsed(around % self._without_comma(position, end))
            if out is not None:
                out += _text(value)[1:-1]
                out += b","
            position = end
        if closer == b"]":
            return position
        start = position
        key_end = self._string_end(start)
        _, position = self._key(start)
        _write(out, b'"%b":' % rewritten(self._body(start, key_end)))
        return position

    def _window(self, pattern: re.Pattern[bytes], position: int, *, before_escape: bool = False) -> int:
        """Where the whole members or elements from `position` on end that fit; before what may look like a marker."""
        limit = min(len(self._raw), position + _WINDOW_BYTES)
        if before_escape and (escape := self._raw.find(b"\\u00", position, limit)) >= 0:
            limit = escape
        match = pattern.match(self._raw, position, limit)
        return _skip_blank(self._raw, match.end()) if match is not None else position

    def _without_comma(self, start: int, end: int) -> bytes:
        return self._raw[start:end].rstrip()[:-1]

    def _after(self, position: int, closer: bytes) -> tuple[int, bool]:
        """Past the comma or the closer that must follow a value; True for the closer."""
        position = _skip_blank(self._raw, position)
        sign = self._raw[position : position + 1]
        if sign == closer:
            return position + 1, True
        if sign != b",":
            raise _NotJsonError
        return _skip_blank(self._raw, position + 1), False

    def _key(self, position: int) -> tuple[str, int]:
        """The key, and where its value begins; a giant one is nobody's wanted key."""
        end = self._string_end(position)
        key = self._parsed(self._raw[position:end]) if end - position <= GIANT_BYTES else ""
        end = _skip_blank(self._raw, end)
        if self._raw[end : end + 1] != b":":
            raise _NotJsonError
        return key, _skip_blank(self._raw, end + 1)

    def _string_end(self, position: int) -> int:
        match = _STRING_AT.match(self._raw, position)
        if match is None:
            raise _NotJsonError
        return match.end()

    def _body(self, start: int, end: int) -> bytes:
        if not is_readable(self._raw, start + 1, end - 1):
            raise _NotJsonError
        body = self._raw[start + 1 : end - 1]
        self._flags.update(faults_of(body))
        return body

    def _parsed(self, piece: bytes) -> Any:
        flags: tuple[Flag, ...] = ()
        try:
            value = orjson.loads(piece)
        except orjson.JSONDecodeError:
            piece, flags = repaired(piece)
            try:
                value = orjson.loads(piece)
            except orjson.JSONDecodeError:
                raise _NotJsonError from None
        self._flags.update(flags)
        return made_exact(piece, value)


def _text(value: object) -> bytes:
    return json_text(value).encode()


def _write(out: bytearray | None, text: bytes) -> None:
    if out is not None:
        out += text


def _skip_blank(raw: bytes, position: int) -> int:
    match = _BLANK.match(raw, position)
    return match.end() if match is not None else position
