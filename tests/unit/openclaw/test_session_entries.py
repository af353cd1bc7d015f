"""Entries of sessions.json of every release, and of none, in the columns of `sessions`."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.session_entries import (
    SessionColumns,
    changed_fields,
    columns_of,
    entry_of,
    entry_text,
    has_run,
    is_archived,
    last_activity_of,
)
from syncd.openclaw.session_keys import parse_session_key
from tests.unit.openclaw.json_shapes import JSON

DATA = Path(__file__).parents[2] / "data" / "openclaw"
NOW = 1_794_802_930_000


def columns(entry: object, key: str = "agent:main:main") -> SessionColumns:
    return columns_of(parse_session_key(key), entry)


def test_every_plain_field_reaches_its_column() -> None:
    found = columns(
        {
            "sessionId": "s1",
            "label": "Mine",
            "displayName": "Alex",
            "subject": "Garden",
            "spawnedBy": "agent:main:main",
            "parentSessionKey": "agent:main:direct:1",
            "model": "stub-1",
            "modelProvider": "stub",
            "inputTokens": 1,
            "outputTokens": 2,
            "totalTokens": 3,
            "contextTokens": 200000,
            "compactionCount": 4,
            "memoryFlushAt": NOW + 5,
            "memoryFlushCompactionCount": 6,
            "sessionStartedAt": NOW + 7,
            "lastInteractionAt": NOW + 8,
            "createdAt": NOW + 1,
            "updatedAt": NOW + 9,
        }
    )
    assert found == SessionColumns(
        session_id="s1",
        title="Mine",
        kind="main",
        channel=None,
        chat_type=None,
        peer=None,
        thread_id=None,
        label="Mine",
        display_name="Alex",
        subject="Garden",
        spawned_by="agent:main:main",
        parent_session_key="agent:main:direct:1",
        model="stub-1",
        model_provider="stub",
        input_tokens=1,
        output_tokens=2,
        total_tokens=3,
        context_tokens=200000,
        compaction_count=4,
        memory_flush_at=NOW + 5,
        memory_flush_compaction_count=6,
        session_started_at=NOW + 7,
        last_interaction_at=NOW + 8,
        created_at=NOW + 1,
        updated_at=NOW + 9,
        parent_key="agent:main:main",
    )


DELIVERIES = {
    "2026.1: provider": {"lastProvider": "telegram", "lastTo": "42"},
    "2026.2: last fields": {"lastChannel": "telegram", "lastTo": "42", "lastThreadId": 7},
    "2026.2: delivery context": {"deliveryContext": {"channel": "telegram", "to": 42, "threadId": "7"}},
    "2026.2: origin": {"origin": {"provider": "telegram", "from": "42", "to": "bot", "threadId": 7}},
    "2026.7: route": {"route": {"channel": "telegram", "target": {"to": "42"}, "thread": {"id": 7}}},
    "2026.9: external delivery": {
        "delivery": {
            "kind": "external",
            "route": {"channel": "telegram", "target": {"to": "42", "chatType": "direct"}, "thread": {"id": 7}},
            "context": {"channel": "telegram", "to": "42"},
            "origin": {"provider": "telegram"},
        }
    },
}


@pytest.mark.parametrize("release", DELIVERIES)
def test_where_answers_go_is_found_in_the_words_of_each_release(release: str) -> None:
    found = columns(DELIVERIES[release])
    assert (found.channel, found.peer) == ("telegram", "42")
    assert found.thread_id == (None if "2026.1" in release else "7")


def test_the_key_is_believed_before_the_last_delivery() -> None:
    entry = {"lastChannel": "webchat", "lastTo": "somebody", "lastThreadId": "9", "chatType": "group"}
    found = columns(entry, "agent:main:telegram:group:-100:topic:7")
    assert (found.kind, found.channel, found.peer, found.thread_id) == ("group", "telegram", "-100", "7")
    assert columns({}, "agent:main:discord:channel:99").chat_type == "channel"
    assert columns({"chatType": "group"}, "agent:main:discord:channel:99").chat_type == "group"
    assert columns({"delivery": {"kind": "none"}}).channel is None


def test_a_memory_flush_is_read_in_both_forms() -> None:
    old = columns({"memoryFlushAt": NOW, "memoryFlushCompactionCount": 3})
    new = columns({"memoryFlush": {"kind": "succeeded", "compactionCount": 3}})
    assert (old.memory_flush_at, old.memory_flush_compaction_count) == (NOW, 3)
    assert (new.memory_flush_at, new.memory_flush_compaction_count) == (None, 3)


def test_a_fork_names_its_parent_in_either_form() -> None:
    assert columns({"forkSource": {"sessionKey": "agent:main:main"}}).parent_session_key == "agent:main:main"


def test_the_title_is_the_first_of_label_name_and_subject_that_says_something() -> None:
    assert columns({"label": " ", "displayName": " Alex ", "subject": "Garden"}).title == "Alex"
    assert columns({"subject": "Garden"}).title == "Garden"
    assert columns({}).title is None


def test_existence_begins_with_the_earliest_time_an_entry_knows() -> None:
    assert columns({"sessionStartedAt": NOW, "updatedAt": NOW + 5}).created_at == NOW
    assert columns({"updatedAt": NOW + 5}).created_at == NOW + 5
    assert columns({}).created_at is None


def test_activity_is_the_last_word_of_a_person_else_the_last_change() -> None:
    assert last_activity_of({"lastInteractionAt": NOW, "updatedAt": NOW + 9}) == NOW
    assert last_activity_of({"updatedAt": NOW + 9}) == NOW + 9
    assert last_activity_of([]) is None


def test_archived_and_run_are_told_by_the_entry() -> None:
    assert is_archived({"archivedAt": NOW})
    assert not is_archived({"archivedAt": None})
    assert has_run({"outputTokens": 3})
    assert not has_run({"outputTokens": 0, "updatedAt": NOW})


@pytest.mark.parametrize("release", ["2026.5.7", "2026.7.1"])
def test_a_genuine_entry_keeps_every_field_in_its_text(release: str) -> None:
    index = json.loads((DATA / release / "agents/main/sessions/sessions.json").read_bytes())
    for key, entry in index.items():
        assert json.loads(entry_text(entry)) == entry
        found = columns(entry, key)
        assert found.session_id == entry["sessionId"]
        assert found.updated_at == entry["updatedAt"]
        assert found.model == entry.get("model")
        assert found.spawned_by == entry.get("spawnedBy")


# Differences


def test_only_changed_fields_are_a_change_and_a_removed_one_is_null() -> None:
    old = {"sessionId": "s", "label": "a", "skills": [1, 2], "gone": 1}
    new = {"sessionId": "s", "label": "b", "skills": [1, 2], "fresh": {"x": None}}
    assert changed_fields(old, new) == {"label": "b", "fresh": {"x": None}, "gone": None}
    assert changed_fields(new, new) == {}


def test_values_that_python_calls_equal_are_still_different_values() -> None:
    assert changed_fields({"a": 1}, {"a": True}) == {"a": True}
    assert changed_fields({"a": 1}, {"a": 1.0}) == {"a": 1.0}


def test_an_entry_that_is_no_object_has_versions_too() -> None:
    assert changed_fields(5, 6) == {"": 6}
    assert changed_fields(5, {"a": 1}) == {"": None, "a": 1}
    assert changed_fields({"a": 1}, None) == {"a": None, "": None}


def test_text_keeps_half_an_emoji_and_large_integers() -> None:
    value = {"subject": "\ud83d", "count": 2**70, "deep": [[[]]]}
    assert entry_of(entry_text(value)) == value
    assert entry_text({"a": float("nan")}) == '{"a":null}'


def test_columns_can_always_be_bound() -> None:
    found = columns({"sessionId": "s\ud83d", "label": "\udc00x", "inputTokens": 2**70, "updatedAt": "soon"})
    assert (found.session_id, found.label, found.input_tokens, found.updated_at) == ("s\ufffd", "\ufffdx", None, None)


names = st.sampled_from(
    ["sessionId", "label", "delivery", "deliveryContext", "origin", "route", "memoryFlush", "forkSource", "updatedAt"]
)


@given(st.one_of(JSON, st.dictionaries(names, JSON)))
def test_no_entry_raises(entry: Any) -> None:
    found = columns(entry)
    assert all(value is None or type(value) in (str, int) for value in found)
    assert "\n".join(value for value in found if type(value) is str).encode()
    assert changed_fields(entry, entry) == {}
    kept = entry_text(entry_of(entry_text(entry)))  # infinite numbers become null, as in OpenClaw
    assert entry_text(entry_of(kept)) == kept
