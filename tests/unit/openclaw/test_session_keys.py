"""Session keys of every form that a release writes or reads (FORMAT "Key forms")."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.session_keys import SessionKey, is_alias, parse_session_key

DATA = Path(__file__).parents[2] / "data" / "openclaw"
UUID = "0b000000-0000-4000-8000-00000000000b"
OTHER = "0c000000-0000-4000-8000-00000000000c"


def main(kind: str, **parts: object) -> SessionKey:
    return SessionKey(**{"kind": kind, "agent_id": "main", **parts})  # type: ignore[arg-type]


FORMS = {
    # the main session
    "agent:main:main": main("main"),
    "agent:ops:main": SessionKey("main", agent_id="ops"),
    "agent:Ops Team:main": SessionKey("main", agent_id="ops-team"),
    # people
    "agent:main:direct:4242": main("direct", chat_type="direct", peer="4242"),
    "agent:main:dm:4242": main("direct", chat_type="direct", peer="4242"),
    "agent:main:telegram:direct:4242": main("direct", channel="telegram", chat_type="direct", peer="4242"),
    "agent:main:telegram:dm:4242": main("direct", channel="telegram", chat_type="direct", peer="4242"),
    "agent:main:telegram:work:direct:4242": main("direct", channel="telegram", chat_type="direct", peer="4242"),
    # groups, channels, rooms
    "agent:main:whatsapp:group:1203@g.us": main("group", channel="whatsapp", chat_type="group", peer="1203@g.us"),
    "agent:ops:discord:channel:99": SessionKey(
        "channel", agent_id="ops", channel="discord", chat_type="channel", peer="99"
    ),
    "agent:main:slack:room:C01": main("room", channel="slack", chat_type="channel", peer="C01"),
    "agent:main:discord:work:channel:99": main("channel", channel="discord", chat_type="channel", peer="99"),
    "agent:main:matrix:channel:!Room:example.org": main(
        "channel", channel="matrix", chat_type="channel", peer="!Room:example.org"
    ),
    # threads and topics
    "agent:main:telegram:group:-1001234:topic:7": main(
        "group",
        channel="telegram",
        chat_type="group",
        peer="-1001234",
        thread_id="7",
        base_key="agent:main:telegram:group:-1001234",
    ),
    "agent:main:slack:channel:C01:thread:171.5": main(
        "channel",
        channel="slack",
        chat_type="channel",
        peer="C01",
        thread_id="171.5",
        base_key="agent:main:slack:channel:C01",
    ),
    "agent:main:main:thread:17": main("thread", thread_id="17", base_key="agent:main:main"),
    "agent:main:matrix:channel:!r:e.org:thread:$Event:e.org": main(
        "channel",
        channel="matrix",
        chat_type="channel",
        peer="!r:e.org",
        thread_id="$Event:e.org",
        base_key="agent:main:matrix:channel:!r:e.org",
    ),
    # subagents and what else nobody typed
    f"agent:main:subagent:{UUID}": main("subagent"),
    f"agent:main:subagent:{UUID}:subagent:{OTHER}": main("subagent", base_key=f"agent:main:subagent:{UUID}"),
    f"agent:codex:acp:{UUID}": SessionKey("acp", agent_id="codex"),
    "agent:main:cron:job-1": main("cron"),
    f"agent:main:cron:job-1:run:{OTHER}": main("cron_run", base_key="agent:main:cron:job-1"),
    f"agent:main:hook:{UUID}": main("hook"),
    "agent:main:node:kitchen": main("node"),
    "agent:main:main:heartbeat": main("heartbeat", base_key="agent:main:main"),
    "agent:main:telegram:direct:4242:heartbeat": main(
        "heartbeat",
        channel="telegram",
        chat_type="direct",
        peer="4242",
        base_key="agent:main:telegram:direct:4242",
    ),
    "agent:main:explicit:my-notes": main("explicit"),
    f"agent:main:explicit:model-run-{UUID}": main("explicit"),
    f"agent:main:dashboard:{UUID}": main("dashboard"),
    f"agent:main:recovered:{UUID}": main("recovered"),
    # bare keys
    "global": SessionKey("global"),
    "unknown": SessionKey("unknown"),
    "main": SessionKey("main"),
    "cron:job-1": SessionKey("cron"),
    f"cron:job-1:run:{UUID}": SessionKey("cron_run", base_key="cron:job-1"),
    f"hook:{UUID}": SessionKey("hook"),
    f"subagent:{UUID}": SessionKey("subagent"),
    "group:120363@g.us": SessionKey("group", chat_type="group", peer="120363@g.us"),
    "120363@g.us": SessionKey("group", channel="whatsapp", chat_type="group", peer="120363@g.us"),
    "discord:guild-1:channel-99": SessionKey("channel", channel="discord", chat_type="channel", peer="99"),
    "+15551234567": SessionKey("direct", chat_type="direct", peer="+15551234567"),
    "whatsapp:+15551234567": SessionKey("direct", channel="whatsapp", chat_type="direct", peer="+15551234567"),
    # what fits no form
    "agent:main": SessionKey("other"),
    "agent::main": SessionKey("other"),
    "agent:main:telegram:slash:42": main("other"),
    "agent:main:cron:": main("other"),
    "": SessionKey("other"),
    ":::": SessionKey("other"),
}


@pytest.mark.parametrize("key", FORMS)
def test_every_form_gives_its_parts(key: str) -> None:
    assert parse_session_key(key) == FORMS[key]


def test_words_of_the_form_are_read_in_any_case_and_ids_keep_theirs() -> None:
    assert parse_session_key(" Agent:Main:Signal:Group:AbC= ") == main(
        "group", channel="signal", chat_type="group", peer="AbC="
    )


def test_the_households_own_main_key_is_the_main_session() -> None:
    assert parse_session_key("agent:main:Home", main_key="home").kind == "main"
    assert parse_session_key("agent:main:home").kind == "other"


@pytest.mark.parametrize(
    ("key", "other", "expected"),
    [
        ("agent:main:Telegram:direct:1", "agent:main:telegram:direct:1", True),
        ("main", "agent:main:main", True),
        ("agent:main:main", "agent:ops:main", True),
        ("agent:main:direct:1", "agent:main:direct:2", False),
        ("agent:main:main", "agent:main:direct:2", False),
    ],
)
def test_aliases_are_keys_that_openclaw_folds_into_one(key: str, other: str, expected: bool) -> None:
    assert is_alias(key, other) is expected


def test_an_endless_key_is_of_no_form() -> None:
    assert parse_session_key("agent:main:main" + ":heartbeat" * 10_000) == main("other")
    assert parse_session_key("agent:main:main" + ":heartbeat" * 100).kind == "heartbeat"


def test_every_key_of_the_genuine_indexes_has_a_form() -> None:
    kinds = {}
    for path in DATA.glob("*/agents/*/sessions/sessions.json"):
        kinds.update({key: parse_session_key(key).kind for key in json.loads(path.read_bytes())})
    assert "other" not in kinds.values()
    assert set(kinds.values()) == {"main", "direct", "group", "channel", "subagent", "cron", "cron_run"}


words = st.sampled_from(
    ["agent", "main", "cron", "run", "subagent", "thread", "topic", "direct", "group", "heartbeat", ""]
)


@given(st.one_of(st.text(max_size=40), st.lists(st.one_of(words, st.text(max_size=5)), max_size=12).map(":".join)))
def test_no_key_raises_and_all_parts_come_from_it(key: str) -> None:
    parsed = parse_session_key(key)
    for part in (parsed.peer, parsed.thread_id, parsed.base_key):
        assert part is None or part in key
