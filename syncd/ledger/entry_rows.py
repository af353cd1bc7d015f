"""What an entry becomes: its row in `entries`, and one in the table of its type. Pure, and hot: every line comes here.

What OpenClaw's entries mean is openclaw/'s knowledge; here it is only laid out in the ledger's columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from syncd.ledger.conversation import SIDE, come_back, note_stand, place_entry, place_flag, step_aside, turn_of
from syncd.ledger.rows import ORPHAN, SYNTHETIC
from syncd.ledger.transcripts import NOT_LINKED
from syncd.openclaw.entries import RUN_EVENT_TYPE, entry_type, is_run_event
from syncd.openclaw.exact_integers import may_be_inexact
from syncd.openclaw.json_values import bindable_int, json_text
from syncd.openclaw.messages import (
    answer_parts,
    is_delivery_mirror,
    message_text,
    text_bytes_of,
    usage_of,
)
from syncd.openclaw.silence import silence_of_answer, silence_of_prompt
from syncd.openclaw.timestamps import MAX_EPOCH_MS, SECONDS_TO, to_epoch_ms
from syncd.openclaw.titles import HEAD_BYTES, is_in_head
from syncd.openclaw.tool_results import is_synthetic, says_error
from syncd.openclaw.tree import LEAF_TYPE, PLAIN_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from syncd.ledger.rows import Rows
    from syncd.ledger.transcripts import Transcript

_ENTRY_ID = 6  # place in a row of `entries`
_NO_USAGE = (None,) * 6
_NO_ANSWER = (None,) * 13  # thinking to response_id, in the columns' order
_NOT_AN_ANSWER = (*_NO_ANSWER, 0, None, None, None)  # up to turn_id

Json = dict[str, Any]


def add_entry(
    rows: Rows,
    transcript: Transcript,
    value: Json,
    offset: int,
    length: int,
    line_no: int,
    flags: str | None,
    salvaged: int,
) -> None:
    """The rows of one decoded entry. In one piece: every line comes here, and a call more for each would be felt."""
    kind = value.get("type")
    if kind.__class__ is not str or kind not in _PROJECT:
        kind = entry_type(value)
    if kind == "session" and offset > 0:
        if transcript.is_second_header():
            found = "second_header" if value.get("id") == transcript.session_id else "second_header,other_session"
            flags = f"{flags},{found}" if flags else found
        else:
            transcript.tree_falls_due()  # how the entries before it are linked shows only now
    row_id = rows.next_entry_id
    rows.next_entry_id = row_id + 1
    at = to_epoch_ms(value.get("timestamp"))
    if at is None and kind == RUN_EVENT_TYPE:
        at = to_epoch_ms(value.get("ts"))
    entry_id, parent_id = value.get("id"), value.get("parentId")
    if entry_id.__class__ is not str:
        entry_id = as_text(rows, entry_id)
    if parent_id.__class__ is not str:
        parent_id = as_text(rows, parent_id)
    flag = None
    if ("appendMode" in value or parent_id is None or kind == LEAF_TYPE) and not salvaged:
        flag = place_flag(kind, value)
    if flag is not None:
        flags = f"{flags},{flag}" if flags else flag
    aside = None
    if (
        parent_id == transcript.append_entry_id
        and entry_id
        and kind in PLAIN_TYPES
        and flag is None
        and not transcript.is_tree_due
        and not salvaged
    ):
        transcript.leaf_entry_id = transcript.append_entry_id = entry_id
        on_path = 1
        if (growth := transcript.growth) is not None:
            growth.tree.go_on(entry_id)
            growth.row_ids.append(row_id)
    else:
        on_path = 0
        if not salvaged:
            on_path = place_entry(rows, transcript, row_id, kind, entry_id, parent_id, flag, value)
        if flag == SIDE and kind == "message" and not on_path:
            aside = step_aside(transcript, entry_id)
        transcript.is_beside = not on_path and aside is None
    rows.entries.append(
        (
            row_id,
            transcript.id,
            line_no,
            offset,
            length,
            transcript.generation,
            entry_id,
            parent_id,
            kind,
            at,
            on_path,
            salvaged,
            flags,
        )
    )
    if transcript.is_opening:
        transcript.note_opening(kind, entry_id)
    project = _PROJECT.get(kind)
    if project is not None:
        turn = transcript.turn
        if salvaged:
            transcript.turn = None  # a step of no conversation
        project(rows, transcript, row_id, value, at)
        if salvaged:
            transcript.turn = turn
        if aside is not None:
            come_back(transcript, aside)
    transcript.is_beside = False


def _header(_rows: Rows, transcript: Transcript, _row_id: int, value: Json, at: int | None) -> None:
    transcript.take_header(value, at)


def _message(rows: Rows, transcript: Transcript, row_id: int, value: Json, at: int | None) -> None:
    message = value.get("message")
    if message.__class__ is not dict:
        message = {}
    role, content = message.get("role"), message.get("content")
    own_at = message.get("timestamp")
    if own_at.__class__ is not int or not SECONDS_TO <= own_at <= MAX_EPOCH_MS:
        own_at = to_epoch_ms(own_at)
    at = at if own_at is None else own_at
    if role == "assistant":
        _assistant(rows, transcript, row_id, message, content, at)
    elif role == "toolResult":
        _tool_result(rows, transcript, row_id, message, content, at)
    else:
        text = message_text(content)
        if text is None and role == "bashExecution":
            text = as_text(rows, message.get("command"))
        if role == "user" and transcript.bytes < HEAD_BYTES and is_in_head(*rows.entries[-1][2:5]):
            transcript.opening = transcript.opening.with_message(message, has_cwd=transcript.cwd is not None)
        size, role = _utf8_bytes(text), as_text(rows, role) or ""
        turn = turn_of(rows, transcript, role, row_id, at)
        turn_id = turn.id if turn is not None else None
        silence = silence_of_prompt(text) if text and role == "user" else None
        rows.messages.append(
            (row_id, transcript.id, role, at, text, size, *_NOT_AN_ANSWER, turn_id, silence, None, None)
        )


def _assistant(rows: Rows, transcript: Transcript, row_id: int, message: Json, content: object, at: int | None) -> None:
    text, thinking, calls = answer_parts(content)
    provider, model, api = message.get("provider"), message.get("model"), message.get("api")
    response_id, stop_reason = message.get("responseId"), message.get("stopReason")
    if not (
        provider.__class__ is model.__class__ is api.__class__ is stop_reason.__class__ is str
        and (response_id is None or response_id.__class__ is str)
    ):
        provider, model, api = as_text(rows, provider), as_text(rows, model), as_text(rows, api)
        response_id, stop_reason = as_text(rows, response_id), as_text(rows, stop_reason)
    mirror = is_delivery_mirror(message)
    usage = usage_of(message) or _NO_USAGE
    turn = turn_of(rows, transcript, "assistant", row_id, at, is_mirror=mirror)
    if turn is not None and not mirror and not transcript.is_beside:
        stand = turn.take_answer(row_id, at, stop_reason, len(calls), usage[0], usage[1], usage[5], model)
        note_stand(transcript, stand)
    rows.messages.append(
        (
            row_id,
            transcript.id,
            "assistant",
            at,
            text,
            _utf8_bytes(text),
            thinking,
            provider,
            model,
            api,
            stop_reason,
            as_text(rows, message.get("errorMessage")),
            *usage,
            response_id,
            1 if mirror else 0,
            None,
            None,
            None,
            turn.id if turn is not None else None,
            silence_of_answer(text) if text else None,
            None,
            None,
        )
    )
    if not mirror and _may_repeat(transcript, rows.entries[-1][_ENTRY_ID], at):
        rows.doubtful_answers.append(row_id)
    for call_id, name, arguments in calls:
        rows.add_tool_call(
            transcript.id, row_id, as_text(rows, call_id), as_text(rows, name), as_json(rows, arguments), at
        )


def _may_repeat(transcript: Transcript, entry_id: str | None, at: int | None) -> bool:
    """Could there be an answer that this one repeats? Elsewhere, if it is older than its session or has relatives."""
    growth, started_at = transcript.growth, transcript.started_at
    return (
        growth is None
        or not growth.is_new_answer(entry_id, at)  # asked first: whatever it says, the answer is known from now on
        or transcript.lineage_id != NOT_LINKED
        or (started_at is not None and at is not None and at < started_at)
    )


def _tool_result(
    rows: Rows, transcript: Transcript, row_id: int, message: Json, content: object, at: int | None
) -> None:
    call_id = as_text(rows, message.get("toolCallId"))
    is_error = 1 if message.get("isError") is True else 0
    name = as_text(rows, message.get("toolName"))
    size = text_bytes_of(content)
    turn = turn_of(rows, transcript, "toolResult", row_id, at)
    if turn is not None and not transcript.is_beside:
        note_stand(transcript, turn.take_result(at))
    turn_id = turn.id if turn is not None else None
    fault = SYNTHETIC if is_error and is_synthetic(message) else None
    words = says_error(content)
    rows.messages.append(
        (
            *(row_id, transcript.id, "toolResult", at, None, size, *_NO_ANSWER, 0, call_id, name, is_error, turn_id),
            *(None, words, fault),
        )
    )
    if call_id is not None:
        rows.pair_result(transcript.id, call_id, row_id, is_error, at, is_synthetic=fault is not None)
    elif fault is None:
        rows.note_fault(ORPHAN)


def _compaction(rows: Rows, transcript: Transcript, row_id: int, value: Json, _at: int | None) -> None:
    first_kept = as_text(rows, value.get("firstKeptEntryId"))
    transcript.note_compaction(first_kept)
    rows.add(
        "compactions",
        (
            row_id,
            transcript.id,
            as_text(rows, value.get("summary")),
            first_kept,
            bindable_int(value.get("firstKeptEntryIndex")),
            bindable_int(value.get("compactedCount")),
            bindable_int(value.get("tokensBefore")),
            bindable_int(value.get("tokensAfter")),
            _as_flag(value.get("fromHook")),
            as_json(rows, value.get("details")),
        ),
    )


def _branch_summary(rows: Rows, transcript: Transcript, row_id: int, value: Json, _at: int | None) -> None:
    from_id = value.get("fromId")
    from_id = as_text(rows, value.get("branchPoint") if from_id is None else from_id)
    hook, details = _as_flag(value.get("fromHook")), as_json(rows, value.get("details"))
    rows.add("branch_summaries", (row_id, transcript.id, from_id, as_text(rows, value.get("summary")), hook, details))


def _custom(rows: Rows, transcript: Transcript, row_id: int, value: Json, _at: int | None) -> None:
    rows.add(
        "custom_entries",
        (row_id, transcript.id, as_text(rows, value.get("customType")), as_json(rows, value.get("data"))),
    )


def _custom_message(rows: Rows, transcript: Transcript, row_id: int, value: Json, _at: int | None) -> None:
    rows.add(
        "custom_messages",
        (
            row_id,
            transcript.id,
            as_text(rows, value.get("customType")),
            message_text(value.get("content")),
            _as_flag(value.get("display")),
            as_json(rows, value.get("details")),
        ),
    )


def _event(rows: Rows, transcript: Transcript, row_id: int, value: Json, at: int | None) -> None:
    if is_run_event(value):
        _run_event(rows, transcript, row_id, value, at)


def _run_event(rows: Rows, transcript: Transcript, row_id: int, value: Json, _at: int | None) -> None:
    rows.add(
        "run_events",
        (
            row_id,
            transcript.id,
            as_text(rows, value.get("runId")),
            bindable_int(value.get("seq")),
            as_text(rows, value.get("stream")),
            to_epoch_ms(value.get("ts")),
            as_json(rows, value.get("data")),
        ),
    )


def _texts(table: str, *fields: str) -> Callable[[Rows, Transcript, int, Json, int | None], None]:
    """The projection of a type whose columns are plain texts."""

    def project(rows: Rows, transcript: Transcript, row_id: int, value: Json, _at: int | None) -> None:
        rows.add(table, (row_id, transcript.id, *[as_text(rows, value.get(field)) for field in fields]))

    return project


_PROJECT: dict[str, Callable[[Rows, Transcript, int, Json, int | None], None]] = {
    "message": _message,
    "session": _header,
    "compaction": _compaction,
    "branch_summary": _branch_summary,
    "custom": _custom,
    "custom_message": _custom_message,
    "model_change": _texts("model_changes", "provider", "modelId"),
    "thinking_level_change": _texts("thinking_changes", "thinkingLevel"),
    "label": _texts("labels", "targetId", "label"),
    "session_info": _texts("session_infos", "name"),
    "leaf": _texts("leaf_moves", "targetId", "appendParentId", "appendMode"),
    "reset": _texts("resets", "reason", "firstKeptEntryId"),
    "event": _event,
}


def as_text(rows: Rows, value: object) -> str | None:
    """A text column's value: strings as they are, anything else as its JSON."""
    if value is None or value.__class__ is str:
        return value
    return as_json(rows, value)


def _utf8_bytes(text: str | None) -> int:
    if text is None:
        return 0
    return len(text) if text.isascii() else len(text.encode())


def _as_flag(value: object) -> int | None:
    return None if value is None else int(value is True)


def as_json(rows: Rows, value: object) -> str | None:
    """JSON text of a decoded value; None stays None."""
    if value is None:
        return None
    if may_be_inexact(value):
        rows.is_inexact = True
    return json_text(value)
