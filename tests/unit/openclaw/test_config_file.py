"""openclaw.json: the few settings that matter to a mirror, and nothing else of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.openclaw.config_file import (
    Agent,
    OpenClawConfig,
    is_sqlite_store,
    parse_config,
    store_path,
)

CONFIG = b"""
// by hand
{
  session: {
    store: "${BASE}/{agentId}/sessions.json", scope: 'global', mainKey: "Home",
    reset: {mode: "idle", idleMinutes: 30},
    maintenance: {mode: "warn", pruneAfter: "7d", maxEntries: 100, resetArchiveRetention: false},
    sendPolicy: {default: "deny"},
  },
  cron: {
    store: "~/cron/jobs.json", sessionRetention: 12, webhookToken: "hunter2", runLog: {maxBytes: 1000, keepLines: 5},
  },
  agents: {list: [{id: "Main"}, {id: "ops", default: true, agentDir: "/srv/ops"}], entries: {later: {agentDir: "~/l"}}},
  models: {providers: {x: {apiKey: "sk-secret"}}},
}
"""


def test_what_matters_is_read() -> None:
    found = parse_config(CONFIG, {"BASE": "/data"})
    assert found == OpenClawConfig(
        store="/data/{agentId}/sessions.json",
        main_key="home",
        default_agent="ops",
        agents=(Agent("main", None), Agent("ops", "/srv/ops"), Agent("later", "~/l")),
        resets_daily=False,
        reset_hour=4,
        idle_minutes=30,
        cron_store="~/cron/jobs.json",
        retention=(
            ("session.maintenance.mode", "warn"),
            ("session.maintenance.pruneAfter", "7d"),
            ("session.maintenance.maxEntries", "100"),
            ("session.maintenance.resetArchiveRetention", "false"),
            ("cron.sessionRetention", "12"),
        ),
    )


def test_nothing_else_of_it_is_kept() -> None:
    kept = repr(parse_config(CONFIG, {"BASE": "/data"}))
    assert "hunter2" not in kept
    assert "sk-secret" not in kept
    assert "deny" not in kept


def test_an_empty_configuration_is_the_defaults() -> None:
    assert parse_config(b"{}", {}) == OpenClawConfig()


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"42", b"\xff\xfe"])
def test_what_is_no_configuration_is_none(raw: bytes) -> None:
    assert parse_config(raw, {}) is None


def test_a_store_with_an_unknown_variable_is_no_known_place() -> None:
    found = parse_config(b'{"session": {"store": "${NOWHERE}/sessions.json"}}', {})
    assert found is not None
    assert found.store is None


def test_the_first_agent_is_the_default_unless_another_is_marked() -> None:
    found = parse_config(b'{"agents": {"list": [{"id": "Work"}, {"id": "home"}, 7, {"id": 8}]}}', {})
    assert found is not None
    assert (found.default_agent, [agent.agent_id for agent in found.agents]) == ("work", ["work", "home"])


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("/data/sessions.json", "/data/sessions.json"),
        ("/data/{agentId}/{agentId}.json", "/data/ops/ops.json"),
        ("~/s/{agentId}.json", "/home/x/s/ops.json"),
        ("~", "/home/x"),
        ("s/../t.json", "/home/x/t.json"),
        ("~other/t.json", "/home/x/~other/t.json"),
    ],
)
def test_a_store_template_becomes_a_path(template: str, expected: str) -> None:
    assert store_path(template, "ops", "/home/x") == expected


def test_a_store_in_sqlite_is_told_by_its_name() -> None:
    assert is_sqlite_store("/data/openclaw-agent.sqlite")
    assert not is_sqlite_store("/data/sessions.json")


def test_idle_minutes_of_old_releases_replace_the_daily_reset() -> None:
    found = parse_config(b'{"session": {"idleMinutes": 60}}', {})
    assert found is not None
    assert (found.resets_daily, found.idle_minutes) == (False, 60)


@given(st.text(alphabet="{}[]:,'\"\\/* \n0agentsldirsocron", max_size=60))
def test_no_text_raises(text: str) -> None:
    parse_config(text.encode(), {})
