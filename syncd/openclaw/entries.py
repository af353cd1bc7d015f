"""The kinds of transcript lines, in every release, and the version in a header.

Not a validator: unknown types and fields are kept, since the raw bytes are the record. What a message says is in
`messages`. Values come from `lines.decode_line` and may have any JSON shape; nothing here raises on one.
"""

from collections.abc import Mapping
from typing import Any, Final

from syncd.openclaw.json_values import bindable_int
from syncd.openclaw.tree import CANONICAL_TYPES, HEADER_TYPE, LEAF_TYPE

RUN_EVENT_TYPE: Final = "event"  # the old lines {runId, seq, stream, ts, data}, which have no type
UNTYPED: Final = "untyped"  # an object without a usable type: an entry all the same

ENTRY_TYPES: Final = CANONICAL_TYPES | {HEADER_TYPE, LEAF_TYPE, RUN_EVENT_TYPE}


def entry_type(value: Mapping[str, Any]) -> str:
    """The type of a line: as written, also an unknown one; `event` for old run events.

    A line whose type is missing, empty or no string is `untyped`: an entry like any other, because
    it is a whole object in a transcript and its raw bytes are kept.
    """
    kind = value.get("type")
    if type(kind) is str and kind:
        return kind
    return RUN_EVENT_TYPE if is_run_event(value) else UNTYPED


def is_run_event(value: Mapping[str, Any]) -> bool:
    """An old event line: no type, but a run, its sequence number and a stream."""
    return (
        "runId" in value
        and "seq" in value
        and "stream" in value
        and type(value["runId"]) is str
        and type(value.get("type")) is not str
    )


def header_version(value: Mapping[str, Any]) -> str:
    """The version as text: missing or null is "1", an empty text or what is no number or text is "unknown"."""
    version = value.get("version")
    if version is None:
        return "1"
    if type(version) is str:
        return version or "unknown"
    number = bindable_int(version)
    if number is not None:
        return str(number)
    return str(version) if type(version) is float and not version.is_integer() else "unknown"
