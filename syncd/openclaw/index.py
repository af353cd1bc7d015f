"""The session index (sessions.json): the entry behind each session key, as the file has it.

OpenClaw itself takes an unreadable index for an empty one; here it is None, so that no caller takes a half-written
file for a mass deletion. JSON first, then JSON as Python reads it, then JSON5, which releases before 2026.3.13 read.
What an entry means is for `session_entries`.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson

from syncd.openclaw.exact_integers import made_exact
from syncd.openclaw.json_repair import repaired
from syncd.openclaw.session_entries import entry_text, session_id_of, storable, updated_at_of

_MAX_NESTING: Final = 256
_DIGEST_BYTES: Final = 16
_MAX_MENDED_BYTES: Final = 8 * 1024 * 1024
_NO_JSON: Final = object()
_NONE_KNOWN: Final[Mapping[bytes, str]] = {}
# JSON.stringify(index, null, 2): members stand at an indent of two, all else deeper, and no string holds a newline.
_BETWEEN_MEMBERS: Final = b',\n  "'
_KEY: Final = re.compile(rb'((?:[^"\\]|\\.)*+)": ', re.DOTALL)


class KnownEntry(NamedTuple):
    """An entry whose bytes were read before."""

    digest: bytes


class ReadEntry(NamedTuple):
    """An entry as text: a large index as Python objects would take five times its size."""

    digest: bytes
    text: bytes
    session_id: str | None
    updated_at: int | None

    def value(self) -> Any:
        return _json(self.text)


IndexEntries = dict[str, KnownEntry | ReadEntry]


def read_entries(raw: bytes, known: Mapping[bytes, str] = _NONE_KNOWN) -> IndexEntries | None:
    """Every entry by its key; those that are `known`, digest to key, are not parsed again. None: this is no index.

    An index is rewritten several times a turn for the sake of one entry: only what changed is worth parsing.
    """
    by_member = _members(raw, known)
    if by_member is not None:
        return by_member
    index = _parsed(raw)
    if type(index) is not dict:
        return None
    found: IndexEntries = {}
    for key, entry in index.items():
        text = entry_text(entry).encode()
        digest = digest_of(b"%b %b" % (key.encode("utf-8", "surrogatepass"), text))
        found[storable(key)] = _read(digest, text, entry)
    return found


def read_entry(digest: bytes, text: bytes) -> ReadEntry | None:
    """One entry by itself; None where this is no JSON."""
    value = _json(text)
    return _read(digest, text, value) if value is not _NO_JSON else None


def parsed_entry(text: bytes) -> Any:
    """The value of one entry; None also where this is no JSON."""
    value = _json(text)
    return value if value is not _NO_JSON else None


def digest_of(data: bytes) -> bytes:
    return sha256(data).digest()[:_DIGEST_BYTES]  # where the processor helps, twice as fast as blake2b


def _members(raw: bytes, known: Mapping[bytes, str]) -> IndexEntries | None:
    """The members of an index in OpenClaw's own layout; None for any other, or where one does not parse.

    Exact: the file is `{`, these members joined by commas, `}`, and each of them is valid by itself.
    """
    body = raw.strip()
    if not (body.startswith(b'{\n  "') and body.endswith(b"\n}")):
        return None
    found: IndexEntries = {}
    for member in body[5:-2].split(_BETWEEN_MEMBERS):
        digest = digest_of(member)
        known_key = known.get(digest)
        if known_key is not None:
            found[known_key] = KnownEntry(digest)
            continue
        match = _KEY.match(member)
        if match is None:
            return None
        key, text = _json(b'"%b"' % match[1]), member[match.end() :]
        value = _json(text)
        if type(key) is not str or value is _NO_JSON:
            return None
        found[storable(key)] = _read(digest, text, value)
    return found


def _read(digest: bytes, text: bytes, value: object) -> ReadEntry:
    return ReadEntry(digest, text, session_id_of(value), updated_at_of(value))


def _parsed(raw: bytes) -> Any:
    value = _json(raw)
    # Nearly JSON comes from old releases and from editors, whose indexes are small; a torn one may be of any size.
    if value is not _NO_JSON or len(raw) > _MAX_MENDED_BYTES:
        return value
    body, _ = repaired(raw)
    value = _json(body)
    return value if value is not _NO_JSON else _json5(body)


def _json(text: bytes) -> Any:
    try:
        return made_exact(text, orjson.loads(text))
    except orjson.JSONDecodeError as error:
        if error.pos >= len(text):  # it ends too early: no other parser will find more
            return _NO_JSON
    try:
        # Half surrogate pairs stay what they are.
        return json.loads(text.decode(), parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return _NO_JSON


def _json5(body: bytes) -> Any:
    import pyjson5

    try:
        return pyjson5.decode_utf8(body, maxdepth=_MAX_NESTING)
    except (pyjson5.Json5Exception, ValueError, RecursionError):
        return _NO_JSON
