"""What `syncd doctor` says of each agent where its sessions moved: elsewhere, out of reach, or into the database."""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.cli.quick import environ, quick_household
from tests.conftest import CHECKOUT, Cli
from tests.mirror.household import RESET_TIME, name_of, session_id, transcript
from tests.mirror_checks import query
from tests.openclaw_store import AgentStore
from tests.other_user import as_another_user, common_place, give_away

MIGRATED = CHECKOUT / "tests/data/openclaw/migrated-7.1-to-9.6"


def agents(cli: Cli, env: dict[str, str]) -> dict[str, dict[str, Any]]:
    return {each["agent_id"]: each for each in cli("doctor", "--json", env=env).json["agents"]}


def add_store(path: Path, number: int) -> None:
    with AgentStore(path) as store:
        store.import_lines(session_id(number), transcript(number, 2))


def test_databases_that_session_store_puts_elsewhere_are_looked_into(cli_in_process: Cli, tmp_path: Path) -> None:
    house = quick_household(tmp_path)
    there = tmp_path / "elsewhere"
    config = {"session": {"store": f"{there}/foo.json"}, "agents": {"list": [{"id": "main"}, {"id": "ops"}]}}
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))
    add_store(there / "foo.sqlite", 1)
    add_store(there / "foo.ops.sqlite", 2)
    house.write(f"{name_of(3)}.reset.{RESET_TIME}", transcript(3, 1))  # what was left behind says nothing of now
    found = agents(cli_in_process, environ(house))
    assert {name: (each["era"], each["sessions"]) for name, each in found.items()} == {
        "main": ("sqlite", 1),
        "ops": ("sqlite", 1),
    }
    assert (found["main"]["transcripts"], found["ops"]["transcripts"]) == (2, 1)
    assert not any("to 2026.7.1" in each["release"] for each in found.values())


def test_of_a_database_that_cannot_be_read_nothing_is_claimed(cli_in_process: Cli) -> None:
    with common_place() as place:
        house = quick_household(place)
        house.write(f"{name_of(3)}.reset.{RESET_TIME}", transcript(3, 1))
        store = house.state_dir / "agents/main/agent/openclaw-agent.sqlite"
        add_store(store, 1)
        give_away(*place.rglob("*"))
        store.chmod(0)
        with as_another_user():
            env = {**environ(house), "HOME": str(place)}
            found = agents(cli_in_process, env)["main"]
            shown = cli_in_process("doctor", env=env).stdout
    assert [found[name] for name in ("era", "release", "sessions", "unread")] == [None, None, 0, str(store)]
    assert f"main: not known, since {store} cannot be read; 1 transcript beside it" in shown


def test_what_a_migration_kept_is_not_counted_a_second_time(cli_in_process: Cli, tmp_path: Path) -> None:
    house = quick_household(tmp_path)
    shutil.rmtree(house.state_dir)
    shutil.copytree(MIGRATED, house.state_dir)
    assert cli_in_process("run", "--once", env=environ(house)).exit_code == 0
    found = agents(cli_in_process, environ(house))
    counts = query(house.ledger_path, "SELECT agent_id, count(*), sum(bytes) FROM transcripts GROUP BY 1")
    assert {(name, each["transcripts"], each["bytes"]) for name, each in found.items()} == set(counts)
    (house.state_dir / "agents/ops/agent/openclaw-agent.sqlite").unlink()
    assert agents(cli_in_process, environ(house))["ops"]["transcripts"] == 2, "now they are all that there is"
