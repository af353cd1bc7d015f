"""The kinds of transcript lines and the fields of each, in every release.

Tables, and small readers where shapes changed over time; what a message says is in `messages`.
Not a validator: unknown types and fields are kept, since the raw bytes are the record. Values
come from `lines.decode_line` and may have any JSON shape; nothing here raises on one.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from syncd.openclaw.json_values import bindable_int, bool_or_none, text_or_none

HEADER_TYPE: Final = "session"
RUN_EVENT_TYPE: Final = "event"  # the old lines {runId, seq, stream, ts, data}, which have no type
UNTYPED: Final = "untyped"  # an object without a usable type: an entry all the same
HEADER_VERSIONS: Final = ("1", "2", "3", "4")

COMMON_FIELDS: Final = ("type", "id", "parentId", "timestamp", "appendMode")
ENTRY_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "session": ("version", "id", "timestamp", "cwd", "parentSession"),
        "message": ("message",),
        "model_change": ("provider", "modelId"),
        "thinking_level_change": ("thinkingLevel",),
        "compaction": (
            "summary",
            "firstKeptEntryId",
            "tokensBefore",
            "tokensAfter",
            "details",
            "fromHook",
            "__openclaw",
            "firstKeptEntryIndex",  # header version 1
            "compactedCount",  # older still
        ),
        "branch_summary": ("fromId", "summary", "details", "fromHook", "branchPoint"),
        "custom": ("customType", "data"),
        "custom_message": ("customType", "content", "display", "details"),
        "label": ("targetId", "label"),
        "session_info": ("name",),
        "leaf": ("targetId", "appendParentId", "appendMode"),
        "reset": ("reason", "firstKeptEntryId"),
        RUN_EVENT_TYPE: ("runId", "seq", "stream", "ts", "data"),
    }
)
"""The fields a type has beside the common ones, older names last."""

ENTRY_TYPES: Final = frozenset(ENTRY_FIELDS)

MESSAGE_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "user": ("content", "timestamp", "provenance", "idempotencyKey", "__openclaw"),
        "assistant": (
            "content",
            "api",
            "provider",
            "model",
            "responseModel",
            "responseId",
            "diagnostics",
            "usage",
            "stopReason",
            "errorMessage",
            "timestamp",
        ),
        "toolResult": ("toolCallId", "toolName", "content", "details", "isError", "timestamp"),
        "bashExecution": (
            "command",
            "output",
            "exitCode",
            "cancelled",
            "truncated",
            "fullOutputPath",
            "excludeFromContext",
            "timestamp",
        ),
        "custom": ("customType", "content", "display", "details", "timestamp"),
        "hookMessage": ("customType", "content", "display", "details", "timestamp"),  # version 2
    }
)
"""The fields a message has beside its role."""

BLOCK_FIELDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "text": ("text", "textSignature"),
        "thinking": ("thinking", "thinkingSignature", "redacted", "text"),  # `text`: older
        "image": ("data", "mimeType"),
        "toolCall": ("id", "name", "arguments", "thoughtSignature", "partialArgs"),
        # Foreign blocks that OpenClaw tolerates:
        "toolUse": ("id", "name", "input", "arguments"),
        "functionCall": ("id", "name", "input", "arguments"),
        "input_image": ("image_url", "source"),
        "image_url": ("image_url",),
    }
)


class Header(NamedTuple):
    session_id: str | None
    version: str
    timestamp: object
    """As written; `timestamps.to_epoch_ms` reads it."""
    cwd: str | None
    parent_session: str | None
    """Absolute path of the transcript this one was forked from or succeeds."""


class Compaction(NamedTuple):
    summary: str | None
    first_kept_entry_id: str | None
    first_kept_entry_index: int | None
    compacted_count: int | None
    tokens_before: int | None
    tokens_after: int | None
    from_hook: bool | None
    details: object


class BranchSummary(NamedTuple):
    summary: str | None
    from_id: str | None
    """The entry left behind; `root` is possible. Older files call it `branchPoint`."""
    from_hook: bool | None
    details: object


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


def is_header(value: Mapping[str, Any]) -> bool:
    return value.get("type") == HEADER_TYPE


def header_of(value: Mapping[str, Any]) -> Header:
    """The fields of a header line; a missing version is version 1."""
    return Header(
        text_or_none(value.get("id")),
        header_version(value),
        value.get("timestamp"),
        text_or_none(value.get("cwd")),
        text_or_none(value.get("parentSession")),
    )


def header_version(value: Mapping[str, Any]) -> str:
    """The version as text: missing or null is "1", what is no number or text is "unknown"."""
    version = value.get("version")
    if version is None:
        return "1"
    if type(version) is str:
        return version
    number = bindable_int(version)
    if number is not None:
        return str(number)
    return str(version) if type(version) is float and not version.is_integer() else "unknown"


def entry_ids(value: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Id and parent id; both None in version 1, whose lines follow one another."""
    return text_or_none(value.get("id")), text_or_none(value.get("parentId"))


def compaction_of(value: Mapping[str, Any]) -> Compaction:
    return Compaction(
        text_or_none(value.get("summary")),
        text_or_none(value.get("firstKeptEntryId")),
        bindable_int(value.get("firstKeptEntryIndex")),
        bindable_int(value.get("compactedCount")),
        bindable_int(value.get("tokensBefore")),
        bindable_int(value.get("tokensAfter")),
        bool_or_none(value.get("fromHook")),
        value.get("details"),
    )


def branch_summary_of(value: Mapping[str, Any]) -> BranchSummary:
    from_id = text_or_none(value.get("fromId"))
    return BranchSummary(
        text_or_none(value.get("summary")),
        text_or_none(value.get("branchPoint")) if from_id is None else from_id,
        bool_or_none(value.get("fromHook")),
        value.get("details"),
    )
