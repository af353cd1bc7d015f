"""Files of OpenClaw's beside the transcripts that this user may not read: named, and no success."""

from collections.abc import Iterator

import pytest

from tests.cli.quick import environ, quick_household
from tests.conftest import CHECKOUT, Cli, Result
from tests.mirror.household import Household, message, name_of, session_id, transcript
from tests.mirror.stores import database
from tests.mirror_checks import query
from tests.openclaw_store import AgentStore
from tests.other_user import as_another_user, common_place, give_away, is_open_to_others

pytestmark = pytest.mark.skipif(
    not is_open_to_others(CHECKOUT), reason="this checkout is closed to the other user, who has to load syncd from it"
)
FILES = ("agents/main/sessions/sessions.json", "openclaw.json")


@pytest.fixture
def house() -> Iterator[Household]:
    with common_place() as place:
        made = quick_household(place)
        made.write(name_of(1), transcript(1, 2))
        for name in FILES:
            (made.state_dir / name).write_text("{}")
        give_away(*place.rglob("*"))
        yield made


def ask(cli: Cli, house: Household, *call: str) -> Result:
    with as_another_user():
        return cli(*call, env={**environ(house), "HOME": str(house.state_dir.parent)})


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("verb", [("run", "--once"), ("resync",)], ids=" ".join)
def test_a_closed_index_or_configuration_is_named_and_the_others_are_done(
    cli_in_process: Cli, house: Household, verb: tuple[str, ...], name: str
) -> None:
    closed = house.state_dir / name
    closed.chmod(0)
    done = ask(cli_in_process, house, *verb, "--json")
    assert (done.exit_code, done.json["ok"], done.json["transcripts"]) == (1, False, 1)
    (problem,) = done.json["problems"]
    assert (problem["path"], "Permission denied" in problem["reason"]) == (str(closed), True)
    assert problem["hint"]
    told = ask(cli_in_process, house, *verb).stdout
    assert told.count(str(closed)) == 1


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("content", ["", "{half"])
def test_what_only_cannot_be_understood_is_no_failure(
    cli_in_process: Cli, house: Household, name: str, content: str
) -> None:
    (house.state_dir / name).write_text(content)
    done = ask(cli_in_process, house, "resync", "--json")
    assert (done.exit_code, done.json["problems"]) == (0, [])


@pytest.mark.parametrize("name", FILES)
def test_doctor_finds_it(cli_in_process: Cli, house: Household, name: str) -> None:
    closed = house.state_dir / name
    closed.chmod(0)
    shown = ask(cli_in_process, house, "doctor", "--json")
    told = [each for each in shown.json["findings"] if each["severity"] == "error" and each["path"] == str(closed)]
    assert [each["code"] for each in told] == ["unreadable"]
    assert shown.exit_code == 4


def test_a_closed_directory_stands_for_the_index_in_it(cli_in_process: Cli, house: Household) -> None:
    house.sessions().chmod(0)
    done = ask(cli_in_process, house, "resync", "--json")
    assert [each["path"] for each in done.json["problems"]] == [str(house.sessions())]
    shown = ask(cli_in_process, house, "doctor", "--json")
    told = [each["path"] for each in shown.json["findings"] if each["code"] == "unreadable"]
    assert told == [str(house.sessions())]


@pytest.fixture
def stored(house: Household) -> Household:
    """Its sessions are in OpenClaw's own database, and mirrored; those of another agent, too."""
    (house.state_dir / FILES[0]).unlink()
    for number, agent in ((1, "main"), (2, "ops")):
        with AgentStore(database(house, agent)) as store:
            store.import_lines(session_id(number), transcript(number, 3), f"agent:{agent}:main")
            store.record(session_id(number), b'{"event":1}')
    give_away(*house.state_dir.parent.rglob("*"))
    return house


@pytest.mark.parametrize("level", [0, 1], ids=["the database", "its directory"])
def test_a_closed_database_is_named_and_nothing_of_it_is_gone(
    cli_in_process: Cli, stored: Household, level: int
) -> None:
    assert ask(cli_in_process, stored, "run", "--once").exit_code == 0
    path = database(stored)
    closed = (path, path.parent)[level]
    mode = closed.stat().st_mode
    closed.chmod(0)
    with AgentStore(database(stored, "ops")) as store:
        store.append(session_id(2), message(4))
    give_away(*(stored.state_dir / "agents" / "ops").rglob("*"))
    done = ask(cli_in_process, stored, "run", "--once", "--lock-wait", "0", "--json")
    assert (done.exit_code, done.json["lines"], done.json["degraded"]) == (1, 1, [])
    assert [(each["path"], each["code"]) for each in done.json["problems"]] == [(str(path), "store_unreadable")]
    found = ask(cli_in_process, stored, "verify", "--lock-wait", "0", "--json")
    assert (found.exit_code, [each["path"] for each in found.json["differences"]]) == (1, [str(path)])
    told = ask(cli_in_process, stored, "doctor", "--json")
    assert str(path) in [each["path"] for each in told.json["findings"] if each["code"] == "unreadable"]
    states = query(stored.ledger_path, "SELECT DISTINCT state FROM transcripts WHERE session_id = ?", session_id(1))
    assert states == [("live",)]
    closed.chmod(mode)
    for verb in (("run", "--once"), ("verify",)):
        assert ask(cli_in_process, stored, *verb).exit_code == 0


def test_a_closed_door_beside_a_sessions_file_is_no_database(cli_in_process: Cli, house: Household) -> None:
    """Before 2026.7.2 there is nothing behind it but credentials."""
    door = database(house).parent
    door.mkdir(parents=True)
    door.chmod(0)
    done = ask(cli_in_process, house, "run", "--once", "--json")
    assert (done.exit_code, done.json["problems"]) == (0, [])
