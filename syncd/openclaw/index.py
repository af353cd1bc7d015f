"""The session index (sessions.json): which session id each session key points to.

Not the full reading of its entries. OpenClaw itself takes an unreadable index for an empty one;
here it is None, so that no caller takes a half-written file for a mass deletion.
JSON first, then mended JSON, then JSON5, which releases before 2026.3.13 read.
"""

from typing import Any, Final

import orjson

from syncd.openclaw.json_repair import repaired

_MAX_NESTING: Final = 256


def session_ids_by_key(raw: bytes) -> dict[str, str] | None:
    """Session key to session id, entries without one left out; None where this is no index."""
    index = _parsed(raw)
    if type(index) is not dict:
        return None
    found: dict[str, str] = {}
    for key, entry in index.items():
        if type(entry) is dict:
            session_id = entry.get("sessionId")
            if type(session_id) is str and session_id.strip():
                found[key] = session_id
    return found


def _parsed(raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass
    body, _ = repaired(raw)
    if not body:
        return None
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return _parsed_json5(body)


def _parsed_json5(body: bytes) -> Any:
    import pyjson5

    try:
        return pyjson5.decode_utf8(body, maxdepth=_MAX_NESTING)
    except (pyjson5.Json5Exception, ValueError, RecursionError):
        return None
