"""What OpenClaw says of its sessions by its own readers, held against what the ledger says.

Fields of `openclaw sessions --json` against those of `syncd sessions --json`; the gateway's list, history and usage
against titles, active path and sums; what the model sent against messages, turns and tool calls.
"""

from collections import Counter
from typing import Any

import pytest

from tests.daemon.process import syncd
from tests.mirror.household import Household
from tests.mirror_checks import query
from tests.openclaw.real_gateway import RealGateway
from tests.openclaw.real_openclaw import RealOpenClaw

FIELDS = {
    "agentId": "agent_id",
    "key": "session_key",
    "sessionId": "session_id",
    "updatedAt": "updated_at",
    "sessionStartedAt": "session_started_at",
    "lastInteractionAt": "last_interaction_at",
    "model": "model",
    "modelProvider": "model_provider",
    "inputTokens": "input_tokens",
    "outputTokens": "output_tokens",
    "totalTokens": "total_tokens",
    "contextTokens": "context_tokens",
}
"""Of `openclaw sessions --json`, and what `syncd sessions --json` calls them; 2026.5.7 does not list all of them."""
FROM_CONFIGURATION = {"model", "modelProvider", "contextTokens"}
"""Where the index says nothing, OpenClaw tells what would be used."""
SAID = ("user", "assistant", "toolResult")


def assert_same_listing(house: Household, gateway: RealGateway) -> None:
    ours = _live_sessions(house)
    theirs = {session["key"]: session for session in gateway.listing()}
    assert sorted(ours) == sorted(theirs)
    listed = {name: column for name, column in FIELDS.items() if any(name in session for session in theirs.values())}
    assert not {"key", "sessionId", "updatedAt", "totalTokens"} - set(listed)
    for key, session in theirs.items():
        for name, column in listed.items():
            told, kept = session.get(name), ours[key][column]
            if kept is not None or name not in FROM_CONFIGURATION:
                assert kept == told, (key, name)


def assert_same_titles(house: Household, gateway: RealGateway) -> None:
    listed = gateway.asked("sessions.list", limit=100, includeDerivedTitles=True)["sessions"]
    ours = _live_sessions(house)
    assert {key: row["title"] for key, row in ours.items()} == {
        each["key"]: each.get("derivedTitle") for each in listed
    }


def assert_same_histories(house: Household, gateway: RealGateway) -> None:
    """Ids and roles one by one. Its texts are shortened or put in other words; the contexts hold ours against."""
    for key in _live_sessions(house):
        told = gateway.asked("chat.history", sessionKey=key, limit=1000)["messages"]
        theirs = [(message["__openclaw"]["id"], message["role"]) for message in told]
        code, shown = syncd(house, "show", key)
        assert code == 0
        resets = [number for number, entry in enumerate(shown["entries"]) if entry["type"] == "reset"]
        latest = shown["entries"][resets[-1] if resets else 0 :]  # where its history begins
        ours = [(entry["entry_id"], _role(entry)) for entry in latest if _role(entry)]
        assert ours == theirs, key


def assert_same_contexts(house: Household, claw: RealOpenClaw) -> None:
    """What the model would be given next, word for word."""
    for key in _live_sessions(house):
        theirs = [(each["role"], each["text"]) for each in claw.asked("context", key)["messages"]]
        code, shown = syncd(house, "show", key, "--context", "--full")
        assert code == 0
        roles = {"compaction": "compactionSummary"}
        entries = [entry for entry in shown["entries"] if entry["type"] in ("message", "compaction")]
        ours = [(entry["role"] or roles[entry["type"]], entry["text"] or "") for entry in entries]
        assert ours == theirs, key


def assert_same_usage(house: Household, gateway: RealGateway) -> None:
    """The sums of each agent, once OpenClaw has reckoned them up."""
    if gateway.release.version < "2026.6":
        _assert_same_usage_of_files(house, gateway)
        return
    code, usage = syncd(house, "usage", "--by", "agent")
    assert code == 0
    for row in usage["rows"]:
        totals = _usage_told(gateway, agentId=row["agent_id"])["totals"]
        assert (row["input_tokens"], row["output_tokens"]) == (totals["input"], totals["output"]), (row, totals)
        assert row["cost_total"] == pytest.approx(totals["totalCost"]), (row, totals)


def _assert_same_usage_of_files(house: Household, gateway: RealGateway) -> None:
    """2026.5.7 knows no agents here, and forgets an archive whose file has a successor of the same name."""
    spent = """SELECT coalesce(sum(m.input_tokens), 0), coalesce(sum(m.output_tokens), 0) FROM messages AS m
        JOIN entries AS e ON e.id = m.id JOIN transcripts AS t ON t.id = m.transcript_id
        WHERE e.superseded_in IS NULL AND t.path = ?"""
    told = [session["usage"] for session in _usage_told(gateway)["sessions"]]
    assert len(told) >= len(_live_sessions(house))
    for usage in told:
        ours = query(house.ledger_path, spent, usage["sessionFile"])
        assert ours == [(usage["input"], usage["output"])], usage["sessionFile"]


def _usage_told(gateway: RealGateway, **whose: str) -> Any:
    told = gateway.asked("sessions.usage", limit=1000, **whose)
    assert told.get("cacheStatus", {}).get("status", "fresh") == "fresh"
    return told


def assert_all_that_was_sent(house: Household, account: list[dict[str, Any]]) -> None:
    """Every answer of the model counts, once, and each of its tool calls has its one result."""
    answers = [request for request in account if request["kind"] == "answer"]
    code, usage = syncd(house, "usage", "--by", "model")
    assert code == 0
    total = usage["total"]
    assert total["input_tokens"] == sum(answer["usage"]["prompt_tokens"] for answer in answers)
    assert total["output_tokens"] == sum(answer["usage"]["completion_tokens"] for answer in answers)
    calls = """SELECT c.call_id, c.status FROM tool_calls AS c JOIN entries AS e ON e.id = c.message_id
        JOIN transcripts AS t ON t.id = c.transcript_id
        WHERE e.superseded_in IS NULL AND t.kind IN ('primary', 'reset', 'deleted')"""
    made = Counter(call for answer in answers for call in answer["calls"])
    kept = Counter(query(house.ledger_path, calls))
    assert kept == Counter({(call, "paired"): n for call, n in made.items()}), kept


def _live_sessions(house: Household) -> dict[str, dict[str, Any]]:
    code, told = syncd(house, "sessions", "--limit", "1000")
    assert code == 0
    return {row["session_key"]: row for row in told["sessions"] if row["status"] == "live"}


def _role(entry: dict[str, Any]) -> str | None:
    """As the gateway's history calls it; None for what is not part of it."""
    if entry["type"] in ("compaction", "reset"):
        return "system"
    return entry["role"] if entry["role"] in SAID else None
