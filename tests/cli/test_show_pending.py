"""`syncd show` and OpenClaw's own database: branches and contexts as 2026.9.6 has them, and input that still waits."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.reading import reader, take_in
from tests.cli.test_show import EXPECTED
from tests.conftest import Cli
from tests.mirror.household import Household
from tests.mirror.stores import database, written
from tests.mirror_fixtures import genuine

SESSION = "0a000003-0000-4000-8000-000000000003"
KEY = "agent:main:direct:branchy"


@pytest.fixture
def house(tmp_path: Path) -> Household:
    made = genuine(tmp_path, "2026.9.6")
    take_in(made)
    return made


def accept(house: Household, number: int, text: str, state: str = "queued", written_as: str | None = None) -> None:
    message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1794802930000 + number}
    with written(database(house)) as connection:
        connection.execute(
            """INSERT INTO session_pending_inputs (input_id, session_key, session_id, idempotency_key, run_id,
            request_hash, message_json, lifecycle_generation, state, accepted_at, consumed_event_id)
            VALUES (?1, ?2, ?3, ?1, 'run', 'hash', ?4, 'generation', ?5, ?6, ?7)""",
            (f"in-{number}", KEY, SESSION, json.dumps(message), state, 1794802930000 + number, written_as),
        )


def test_accepted_input_is_shown_as_pending_until_it_is_written(cli_in_process: Cli, house: Household) -> None:
    run = reader(cli_in_process, house)
    assert run("show", KEY, "--json").json["pending"] == []
    accept(house, 1, "Are you there?")
    accept(house, 2, "Hello?", state="interrupted")
    accept(house, 3, "Never mind", state="cancelled")
    accept(house, 4, "This one is in the transcript", written_as="0d000001")
    shown = run("show", KEY, "--json").json
    assert shown["pending"] == [
        {"state": "queued", "role": "user", "text": "Are you there?", "at": 1794802930001},
        {"state": "interrupted", "role": "user", "text": "Hello?", "at": 1794802930002},
    ]
    text = run("show", KEY).stdout
    assert text.rstrip().endswith("interrupted: not in the transcript yet\n  Hello?")
    assert "Are you there?" in text
    assert "\nuser  20" in text
    assert "in the transcript yet" not in run("show", KEY, "--generation", "1").stdout


def test_pending_input_is_redacted_like_all_else(cli_in_process: Cli, house: Household) -> None:
    accept(house, 1, "my key is sk-ant-api03-" + "A1b2C3d4" * 10)
    shown = reader(cli_in_process, house)("show", KEY, "--json", "--redact").json["pending"]
    assert "A1b2C3d4A1b2C3d4" not in json.dumps(shown)


def test_a_store_that_cannot_be_asked_leaves_the_conversation_to_read(cli_in_process: Cli, house: Household) -> None:
    path = database(house)
    path.write_bytes(b"no database" * 1000)
    shown = reader(cli_in_process, house)("show", KEY, "--json")
    assert shown.exit_code == 0
    assert (shown.json["pending"], bool(shown.json["entries"])) == ([], True)
    assert "what waits to be answered is not known" in shown.stderr


def test_path_and_context_of_every_stored_session_are_those_openclaw_computes(
    cli_in_process: Cli, house: Household
) -> None:
    run = reader(cli_in_process, house)
    cases: list[dict[str, Any]] = [json.loads(text) for text in EXPECTED.read_text().splitlines()]
    cases = [case for case in cases if case["release"] == "2026.9.6"]
    assert len(cases) == 12
    for case in cases:
        shown = run("show", case["path"], "--json").json
        assert [entry["entry_id"] for entry in shown["entries"]] == case["branch"], case["path"]
        assert shown["session"]["leaf_entry_id"] == case["leaf"]
        given = run("show", case["path"], "--context", "--json").json["entries"]
        expected = case["context"]["messages"]
        assert [entry["entry_id"] for entry in given if entry["type"] == "message"] == [
            each for each in expected if isinstance(each, str)
        ]
        assert len(given) == len(expected)
