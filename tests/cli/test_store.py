"""The verbs, with sessions in OpenClaw's own SQLite: each does what it does with files."""

import json
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.jobs.traces import places_with
from tests.mirror.household import Household, header, household, message, session_id, transcript
from tests.mirror.test_store import store_path
from tests.mirror_checks import query
from tests.openclaw_store import AgentStore

ONE, TWO = session_id(1), session_id(2)
WORD = "zyxquandary"


@pytest.fixture
def house(tmp_path: Path) -> Household:
    house = household(tmp_path)
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, header(1) + message(1, f"what of the {WORD}?") + message(2))
        store.import_lines(TWO, transcript(2, 3))
    return house


def test_every_verb_works_on_a_store(house: Household, cli_in_process: Cli) -> None:
    def run(*args: str, code: int = 0) -> str:
        done = cli_in_process(*args, env=house.environ)
        assert done.exit_code == code, (args, done.stdout, done.stderr)
        return done.stdout

    assert json.loads(run("run", "--once", "--json"))["transcripts"] == 2
    assert json.loads(run("resync", "--json"))["lines"] == 0
    assert json.loads(run("verify", "--json"))["transcripts"] == 2
    for name in (ONE, f"{ONE}.jsonl", f"{store_path(house)}/{ONE}.jsonl"):
        assert run("export", name).encode() == header(1) + message(1, f"what of the {WORD}?") + message(2)
    status = json.loads(run("status", "--json", code=3))
    assert (status["behind_bytes"], status["transcripts"], status["degraded"]) == (0, 2, [])
    assert WORD in run("search", WORD)
    assert WORD in run("show", ONE)
    assert json.loads(run("resync", "--rebuild", "--json"))["ok"]
    with AgentStore(store_path(house)) as store:
        store.append(TWO, message(4))
    behind = json.loads(run("status", "--json", code=3))["behind_bytes"]
    assert behind == len(message(4))
    assert json.loads(run("verify", "--json", code=1))["differences"][0]["reason"] == "the file is longer"
    assert json.loads(run("resync", "--session", TWO, "--json"))["lines"] == 1
    run("verify")
    assert "sqlite" in run("sql", "SELECT era FROM installations", "--json")


def test_a_purged_session_stays_out_while_its_store_goes_on(house: Household, cli_in_process: Cli) -> None:
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    assert cli_in_process("purge", ONE, "--yes", env=house.environ).exit_code == 0
    with AgentStore(store_path(house)) as store:
        store.append(ONE, message(3, f"more of the {WORD}"))
        store.rewrite_row(ONE, 1, message(1, f"another {WORD}"))
        assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
        assert cli_in_process("verify", env=house.environ).exit_code == 0
    assert query(house.ledger_path, "SELECT session_id FROM transcripts") == [(TWO,)]
    assert places_with(house.ledger_path.parent, WORD) == []


def test_what_is_left_of_a_move_is_told_by_verify(house: Household, cli_in_process: Cli) -> None:
    house.write(f"{TWO}.jsonl", transcript(2, 2))
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    done = cli_in_process("verify", env=house.environ)
    assert done.exit_code == 0
    assert f"{TWO}.jsonl: is no longer written; its session goes on in {store_path(house)}/{TWO}.jsonl" in done.stdout
    assert len(cli_in_process("verify", "--json", env=house.environ).json["stale"]) == 1


def test_a_database_of_a_newer_release_is_told_as_what_it_is(house: Household, cli_in_process: Cli) -> None:
    with AgentStore(store_path(house)) as store:
        store.connection.execute("PRAGMA user_version = 77")
    told = cli_in_process("run", "--once", env=house.environ)
    assert (told.exit_code, "last known state kept" in told.stdout) == (0, False)
    heading, what = told.stdout.splitlines()[-2:]
    assert heading == "of a release that is newer than this syncd:"
    assert f"{store_path(house)} has schema 77" in what
    found = cli_in_process("doctor", "--json", env=house.environ).json["findings"]
    (finding,) = (each for each in found if each["code"] == "store_newer")
    assert (finding["severity"], finding["path"]) == ("warning", str(store_path(house)))
    assert finding["remedy"] == "upgrade syncd"


@pytest.mark.parametrize("limit", [("--session", ONE), ("--agent", "main"), ()])
def test_resync_takes_in_what_verify_compares(house: Household, cli_in_process: Cli, limit: tuple[str, ...]) -> None:
    """Trajectories too, whatever it is limited to."""
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    for _ in range(2):
        with AgentStore(store_path(house)) as store:
            store.record(ONE, b'{"event":1}')
        found = cli_in_process("verify", "--json", *limit, env=house.environ)
        assert (found.exit_code, len(found.json["differences"])) == (1, 1)
        assert cli_in_process("resync", "--json", *limit, env=house.environ).json["lines"] == 1
        assert cli_in_process("verify", *limit, env=house.environ).exit_code == 0
    other = cli_in_process("resync", "--json", "--session", TWO, env=house.environ).json
    assert (other["ok"], other["lines"]) == (True, 0)


def test_verify_export_status_and_sql_agree_on_a_trajectory(house: Household, cli_in_process: Cli) -> None:
    with AgentStore(store_path(house)) as store:
        store.record(ONE, b'{"event":1}', b'{"event":2}')
    taken = cli_in_process("run", "--once", "--json", env=house.environ).json
    compared = cli_in_process("verify", "--json", env=house.environ).json
    assert (taken["transcripts"], taken["bytes"]) == (compared["transcripts"], compared["bytes"]) == (3, taken["bytes"])
    assert cli_in_process("status", "--json", env=house.environ).json["transcripts"] == 3
    place = f"{store_path(house)}/{ONE}.trajectory.jsonl"
    exported = cli_in_process("export", place, env=house.environ)
    assert (exported.exit_code, exported.stdout_bytes) == (0, b'{"event":1}\n{"event":2}\n')
    assert cli_in_process("purge", ONE, "--yes", env=house.environ).exit_code == 0
    with AgentStore(store_path(house)) as store:
        store.record(ONE, b'{"event":3}')
    for verb in (("run", "--once"), ("verify",), ("resync", "--rebuild")):
        assert cli_in_process(*verb, env=house.environ).exit_code == 0
    assert query(house.ledger_path, "SELECT session_id FROM transcripts") == [(TWO,)]


def test_a_database_without_its_tables_is_told_by_status_and_doctor(house: Household, cli_in_process: Cli) -> None:
    """As one that is being made anew: nothing of it counts as gone, and nobody calls the ledger level."""
    with AgentStore(store_path(house)) as store:
        store.record(ONE, b'{"event":1}')
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    content = store_path(house).read_bytes()
    store_path(house).write_bytes(b"")
    done = cli_in_process("run", "--once", "--lock-wait", "0", "--json", env=house.environ)
    assert (done.exit_code, [each["code"] for each in done.json["problems"]]) == (1, ["store_unknown"])
    status = cli_in_process("status", "--json", env=house.environ).json
    assert [(each["path"], each["code"]) for each in status["not_known"]] == [(str(store_path(house)), "store_unknown")]
    told = cli_in_process("doctor", "--json", env=house.environ)
    found = {each["code"]: each for each in told.json["findings"]}
    assert (told.exit_code, found["unreadable"]["path"]) == (4, str(store_path(house)))
    assert "is level" not in json.dumps(told.json).replace("whether the ledger is level is not known", "")
    assert query(house.ledger_path, "SELECT DISTINCT state FROM transcripts") == [("live",)]
    store_path(house).write_bytes(content)
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    assert cli_in_process("verify", env=house.environ).exit_code == 0
    assert cli_in_process("status", "--json", env=house.environ).json["not_known"] == []


def test_a_list_of_sessions_that_is_not_as_any_known_release_makes_it_is_told(
    house: Household, cli_in_process: Cli
) -> None:
    with AgentStore(store_path(house)) as store:
        store.connection.execute("ALTER TABLE session_nodes RENAME COLUMN entry_json TO entry")
    done = cli_in_process("run", "--once", "--json", env=house.environ)
    assert (done.exit_code, [each["code"] for each in done.json["problems"]]) == (1, ["store_unknown"])
    assert done.json["transcripts"] == 2
    assert cli_in_process("verify", env=house.environ).exit_code == 0


def test_a_database_that_openclaw_holds_is_no_error_to_the_doctor(house: Household, cli_in_process: Cli) -> None:
    assert cli_in_process("run", "--once", env=house.environ).exit_code == 0
    with AgentStore(store_path(house)) as store:
        store.use_journal()
        store.connection.execute("BEGIN EXCLUSIVE")
        told = cli_in_process("doctor", "--json", env=house.environ)
        store.connection.execute("ROLLBACK")
    found = {each["code"]: each for each in told.json["findings"]}
    assert (told.exit_code, found["store_busy"]["severity"]) == (0, "note")
    assert "is not known" in found["not_running"]["what"]
