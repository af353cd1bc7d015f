"""Whose a place is while openclaw.json changes, or cannot be understood, under the daemon."""

import json
from pathlib import Path

import pytest

from tests.daemon.live import Live, following, wait_for
from tests.mirror.household import Household, header, household, name_of, session_id
from tests.mirror_checks import query
from tests.openclaw_store import AgentStore
from tests.usage_corpus import answer

SHARED, ASKED = session_id(1), session_id(3)
LINES = {SHARED: header(1) + answer(1) + answer(2), ASKED: header(3) + answer(5) + answer(6)}
OF_BOTH = [("main", "live", 1), ("ops", "live", 1)]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Household:
    monkeypatch.setenv("HOME", str(tmp_path))
    house = household(tmp_path)
    for number, content in ((1, LINES[SHARED]), (3, LINES[ASKED])):
        house.write(name_of(number), content)
    configure(house, tmp_path / "first")
    with AgentStore(database(tmp_path / "first")) as store:
        store.own("ops")
        store.import_lines(session_id(8), header(8) + answer(80))
    return house


def database(agent_dir: Path) -> Path:
    return agent_dir / "openclaw-agent.sqlite"


def configure(house: Household, agent_dir: Path) -> None:
    """As OpenClaw writes it: by a rename."""
    agents = [{"id": "main", "default": True}, {"id": "ops", "agentDir": str(agent_dir)}]
    written = house.state_dir / "openclaw.json.tmp"
    written.write_text(json.dumps({"agents": {"list": agents}}))
    written.rename(house.state_dir / "openclaw.json")


def copied(path: Path, session: str, *more: bytes) -> None:
    """A session of main's, as where an agent was copied, that goes on."""
    with AgentStore(path) as store:
        store.own("ops")
        store.import_lines(session, LINES[session])
        store.append(session, *more)


def of_session(house: Household, session: str) -> list[tuple[object, ...]]:
    asked = "SELECT agent_id, state, generation FROM transcripts WHERE session_id = ? ORDER BY agent_id"
    return query(house.ledger_path, asked.replace("?", f"'{session}'"))


def wait_until_level(house: Household, running: Live, count: int) -> None:
    answers = "SELECT count(*) FROM entries WHERE type = 'message' AND superseded_in IS NULL"
    wait_for(lambda: query(house.ledger_path, answers) == [(count,)])
    with running.standing_still():
        pass


def test_a_pass_that_finds_a_new_configuration_judges_by_it(house: Household, tmp_path: Path) -> None:
    with following(house, is_level_after=False) as running:
        copied(database(tmp_path / "first"), ASKED, answer(7))
        wait_until_level(house, running, 8)
        assert of_session(house, ASKED) == OF_BOTH
        copied(database(tmp_path / "second"), SHARED, answer(9))
        configure(house, tmp_path / "second")
        wait_until_level(house, running, 11)
    assert of_session(house, SHARED) == OF_BOTH


def test_while_the_configuration_cannot_be_understood_a_place_is_still_whose_it_was(
    house: Household, tmp_path: Path
) -> None:
    with following(house, is_level_after=False) as running:
        (house.state_dir / "openclaw.json").write_text('{"agents": {"list": [')
        copied(database(tmp_path / "first"), SHARED, answer(9))
        wait_until_level(house, running, 8)
        for number in range(3):
            house.append(name_of(1), answer(20 + number))
            with AgentStore(database(tmp_path / "first")) as store:
                store.append(SHARED, answer(40 + number))
            wait_until_level(house, running, 10 + 2 * number)
    assert of_session(house, SHARED) == OF_BOTH


def test_a_catch_up_that_cannot_understand_the_configuration_takes_nothing_from_anybody(
    house: Household, tmp_path: Path
) -> None:
    copied(database(tmp_path / "first"), ASKED, answer(7))
    house.catch_up()
    configuration = (house.state_dir / "openclaw.json").read_bytes()
    (house.state_dir / "openclaw.json").write_text("{")
    house.append(name_of(3), answer(20))
    house.catch_up()
    assert of_session(house, ASKED) == OF_BOTH
    (house.state_dir / "openclaw.json").write_bytes(configuration)
    house.catch_up()
    assert of_session(house, ASKED) == OF_BOTH
