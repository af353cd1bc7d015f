"""What was meant for nobody, against what OpenClaw's own code says of the same texts."""

import json
from typing import Any

import pytest

from syncd.openclaw.silence import silence_of_answer, silence_of_prompt
from tests.conftest import CHECKOUT

GENUINE = CHECKOUT / "tests/data/openclaw/silence.jsonl"
"""Answers, with isSilentReplyPayloadText, stripHeartbeatToken and isHeartbeatOkResponse of each release; and prompts,
with isHeartbeatUserMessage."""


def cases(kind: str) -> list[dict[str, Any]]:
    return [case for text in GENUINE.read_text().splitlines() if kind in (case := json.loads(text))]


def test_every_answer_is_as_silent_as_openclaw_takes_it() -> None:
    for case in cases("text"):
        said, text = case["2026.7.1"], case["text"]
        expected = "heartbeat_ok" if said["ok"] else "no_reply" if said["silent"] else None
        if expected is None and said["ack"]:
            expected = "heartbeat_ack"
        if text.strip():  # nothing at all is no answer, which is another thing
            assert silence_of_answer(text) == expected, text


def test_what_an_older_release_held_back_is_silent_too() -> None:
    assert all(silence_of_answer(case["text"]) for case in cases("text") if case["2026.5.7"]["silent"])


def test_heartbeats_are_known_by_their_prompts() -> None:
    for case in cases("prompt"):
        assert (silence_of_prompt(case["prompt"]) == "heartbeat") == case["2026.7.1"]["heartbeat"], case["prompt"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pre-compaction memory flush. Store durable memories now.", "memory_flush"),
        ("[Mon 2026-11-16 03:52 UTC] Pre-compaction memory flush. Store durable memories only in memory/2026.md", "memory_flush"),  # noqa: E501
        ("[Mon 2026-11-16 03:52 UTC] [OpenClaw heartbeat poll]", "heartbeat"),
        ("[Mon 2026-11-16 03:52 UTC] good morning", None),
        ("What is a Pre-compaction memory flush?", None),
    ],
)  # fmt: skip
def test_an_envelope_does_not_hide_a_prompt_of_openclaw(text: str, expected: str | None) -> None:
    assert silence_of_prompt(text) == expected


def test_a_text_without_end_is_not_taken_apart() -> None:
    assert silence_of_answer("HEARTBEAT_OK" * 100_000) is None
    assert silence_of_answer("<think></think>" * 100_000 + "NO_REPLY") is None
    assert silence_of_prompt(" " * 1_000_000) is None
