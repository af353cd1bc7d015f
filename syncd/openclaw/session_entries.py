"""What an entry of sessions.json says, in the columns of `sessions`, whichever release wrote it.

An entry is the JSON value behind a session key. It may be anything: what has the wrong type is None, never an
exception, and the entry itself is kept verbatim beside the columns. Not the reading of the file: that is `index`.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson

from syncd.openclaw.exact_integers import made_exact
from syncd.openclaw.json_values import bindable_int, json_text
from syncd.openclaw.session_keys import SessionKey
from syncd.openclaw.timestamps import to_epoch_ms

_NOTHING: Final[Mapping[str, Any]] = {}
NOT_AN_OBJECT: Final = ""
"""Stands for the whole value where an entry is no object, so that its versions can be told apart too."""


class SessionColumns(NamedTuple):
    """Columns of `sessions` by their names there."""

    session_id: str | None
    title: str | None
    kind: str
    channel: str | None
    chat_type: str | None
    peer: str | None
    thread_id: str | None
    label: str | None
    display_name: str | None
    subject: str | None
    spawned_by: str | None
    parent_session_key: str | None
    model: str | None
    model_provider: str | None
    input_tokens: int | None
    output_tokens: int | None
    total_tokens: int | None
    context_tokens: int | None
    compaction_count: int | None
    memory_flush_at: int | None
    memory_flush_compaction_count: int | None
    session_started_at: int | None
    last_interaction_at: int | None
    created_at: int | None
    updated_at: int | None
    parent_key: str | None


def columns_of(key: SessionKey, entry: object) -> SessionColumns:
    """Chat, peer and thread come from the key where it names them, else from where OpenClaw last delivered to."""
    fields = object_or_empty(entry)
    flush = object_or_empty(fields.get("memoryFlush"))  # since 2026.9.6
    label, display_name = _text(fields.get("label")), _text(fields.get("displayName"))
    subject = _text(fields.get("subject"))
    started_at, updated_at = to_epoch_ms(fields.get("sessionStartedAt")), updated_at_of(entry)
    spawned_by, parent_key = _text(fields.get("spawnedBy")), _text(fields.get("parentSessionKey"))
    parent_key = parent_key or _text(object_or_empty(fields.get("forkSource")).get("sessionKey"))
    known_since = [at for at in (started_at, updated_at) if at is not None]
    return SessionColumns(
        session_id=session_id_of(entry),
        # 2026.5.7 and before look at the label last; there is no telling who wrote the entry.
        title=next((text.strip() for text in (label, display_name, subject) if text and text.strip()), None),
        kind=key.kind,
        channel=_text(key.channel) or _delivered(fields, "channel"),
        chat_type=_text(fields.get("chatType")) or key.chat_type or _delivered(fields, "chatType"),
        peer=_text(key.peer) or _text(fields.get("groupId")) or _delivered(fields, "to"),
        thread_id=_text(key.thread_id) or _delivered(fields, "threadId"),
        label=label,
        display_name=display_name,
        subject=subject,
        spawned_by=spawned_by,
        parent_session_key=parent_key,
        model=_text(fields.get("model")),
        model_provider=_text(fields.get("modelProvider")),
        input_tokens=bindable_int(fields.get("inputTokens")),
        output_tokens=bindable_int(fields.get("outputTokens")),
        total_tokens=bindable_int(fields.get("totalTokens")),
        context_tokens=bindable_int(fields.get("contextTokens")),
        compaction_count=bindable_int(fields.get("compactionCount")),
        memory_flush_at=to_epoch_ms(fields.get("memoryFlushAt")),
        memory_flush_compaction_count=bindable_int(
            fields.get("memoryFlushCompactionCount", flush.get("compactionCount"))
        ),
        session_started_at=started_at,
        last_interaction_at=to_epoch_ms(fields.get("lastInteractionAt")),
        created_at=to_epoch_ms(fields.get("createdAt")) or min(known_since, default=None),
        updated_at=updated_at,
        parent_key=spawned_by or parent_key or _text(key.base_key),
    )


def session_id_of(entry: object) -> str | None:
    session_id = object_or_empty(entry).get("sessionId")
    return storable(session_id) if type(session_id) is str and session_id.strip() else None


def updated_at_of(entry: object) -> int | None:
    return to_epoch_ms(object_or_empty(entry).get("updatedAt"))


def last_activity_of(entry: object) -> int | None:
    """The last interaction with a person; entries of old releases know only their last change."""
    fields = object_or_empty(entry)
    names = ("lastInteractionAt", "lastActivityAt", "lastMessageAt", "updatedAt")
    return next((at for name in names if (at := to_epoch_ms(fields.get(name))) is not None), None)


def is_archived(entry: object) -> bool:
    return to_epoch_ms(object_or_empty(entry).get("archivedAt")) is not None


def pinned_at(entry: object) -> int | None:
    """When it was pinned in OpenClaw, so that it stays on top there."""
    return to_epoch_ms(object_or_empty(entry).get("pinnedAt"))


def has_run(entry: object) -> bool:
    """Did a model ever answer in it, as far as the entry tells?"""
    fields = object_or_empty(entry)
    return any(bindable_int(fields.get(name)) for name in ("inputTokens", "outputTokens", "totalTokens"))


def changed_fields(old: object, new: object) -> dict[str, Any]:
    """Fields of `new` that differ from `old`, with their new values; None for those that are gone."""
    before, after = _as_fields(old), _as_fields(new)
    gone = dict.fromkeys(name for name in before if name not in after)
    return gone | {
        name: value
        for name, value in after.items()
        if name not in before or entry_text(before[name]) != entry_text(value)
    }


def entry_text(value: object) -> str:
    """The value as compact JSON text that says the same, half surrogate pairs and huge integers included."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        pass
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        return json_text(value)


def entry_of(text: str) -> Any:
    """The value that `entry_text` wrote."""
    try:
        return made_exact(text.encode(), orjson.loads(text))
    except orjson.JSONDecodeError:
        return json.loads(text)


def storable(text: str) -> str:
    """Text that SQLite can hold: half surrogate pairs become U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def object_or_empty(value: object) -> Mapping[str, Any]:
    return value if type(value) is dict else _NOTHING


def _as_fields(entry: object) -> Mapping[str, Any]:
    return entry if type(entry) is dict else {NOT_AN_OBJECT: entry}


def _text(value: object) -> str | None:
    """A string as SQLite can hold it, or a number (ids of chats are sometimes numbers) written out."""
    if type(value) is str:
        return storable(value) or None
    return str(value) if type(value) is int and bindable_int(value) is not None else None


def _delivered(fields: Mapping[str, Any], name: str) -> str | None:
    """`name` out of the records of where answers go, the most telling first."""
    state = object_or_empty(fields.get("delivery"))  # since 2026.9.6, in place of all others
    records = (
        object_or_empty(state.get("context")),
        _flat_route(state.get("route")),
        _flat_origin(state.get("origin")),
        object_or_empty(fields.get("deliveryContext")),
        {"channel": fields.get("lastChannel"), "to": fields.get("lastTo"), "threadId": fields.get("lastThreadId")},
        _flat_route(fields.get("route")),
        {"channel": fields.get("channel")},
        {"channel": fields.get("lastProvider")},  # the words of releases before 2026.2
        {"channel": fields.get("provider")},
        _flat_origin(fields.get("origin")),
    )
    return next((text for record in records if (text := _text(record.get(name)))), None)


def _flat_route(route: object) -> Mapping[str, Any]:
    fields = object_or_empty(route)
    target, thread = object_or_empty(fields.get("target")), object_or_empty(fields.get("thread"))
    return {
        "channel": fields.get("channel"),
        "to": target.get("to"),
        "chatType": target.get("chatType"),
        "threadId": thread.get("id"),
    }


def _flat_origin(origin: object) -> Mapping[str, Any]:
    """Where a message came from: its `from` is whom answers go to."""
    fields = object_or_empty(origin)
    return {
        "channel": fields.get("provider") or fields.get("surface"),
        "to": fields.get("from") or fields.get("to"),
        "chatType": fields.get("chatType"),
        "threadId": fields.get("threadId"),
    }
