"""What agents shared is parted: each one's sessions go on in a database of its own, as the same transcripts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from syncd.jobs import backup, scrub
from tests.jobs.at_work import done, tools_for
from tests.jobs.toolbox import tools_of
from tests.mirror.household import Household, header, name_of, session_id
from tests.mirror.shared_places import (
    LINES,
    MAIN,
    OPS,
    configure,
    counted,
    databases,
    deleted_into_an_archive,
    kept,
    owners,
    parted,
    put_away,
    shared_database,
    shared_files,
    shared_house,
)
from tests.mirror.test_store import caught_up
from tests.mirror_checks import events, query
from tests.openclaw_store import AgentStore
from tests.usage_corpus import answer


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Household:
    monkeypatch.setenv("HOME", str(tmp_path))
    return shared_house(tmp_path)


@pytest.mark.parametrize("what_becomes_of_the_files", [put_away, kept])
def test_a_shared_index_whose_agents_get_a_database_each(
    house: Household, what_becomes_of_the_files: Callable[[Household], None]
) -> None:
    shared_files(house)
    caught_up(house)
    rows = query(house.ledger_path, "SELECT * FROM entries")
    assert counted(house) == {"main": 4}  # nobody knew better
    parted(house)
    what_becomes_of_the_files(house)
    caught_up(house)
    assert owners(house) == [(MAIN, "main", "live", 1), (OPS, "ops", "live", 1)]
    assert query(house.ledger_path, "SELECT * FROM entries") == rows
    assert counted(house) == {"main": 2, "ops": 2}
    told = events(house.ledger_path)
    assert told.count("migration") == 2
    assert "gone" not in told
    with AgentStore(databases(house)[OPS]) as store:
        store.append(OPS, answer(5))
    caught_up(house)
    assert counted(house) == {"main": 2, "ops": 3}


def test_a_shared_database_whose_agents_get_one_each(house: Household) -> None:
    place = shared_database(house)
    caught_up(house)
    rows = query(house.ledger_path, "SELECT * FROM entries")
    configure(house, str(place.with_name("foo.json")))
    parted(house)
    place.unlink()
    caught_up(house)
    assert sorted(owners(house)) == [(MAIN, "main", "live", 1), (OPS, "ops", "live", 1)]
    assert query(house.ledger_path, "SELECT * FROM entries") == rows
    assert counted(house) == {"main": 2, "ops": 2}


@pytest.mark.parametrize("is_known_before", [True, False])
@pytest.mark.parametrize("name", [f"{OPS}.jsonl.bak-3911-1779019222667", f"{OPS}.checkpoint.{session_id(9)}.jsonl"])
def test_a_copy_that_stays_where_all_were_is_of_the_session_that_went_to_its_agent(
    house: Household, name: str, *, is_known_before: bool
) -> None:
    shared_files(house)
    copy = house.state_dir.parent / "data" / name
    if is_known_before:
        copy.write_bytes(LINES[OPS])
    caught_up(house)
    parted(house)
    put_away(house)
    if not is_known_before:
        caught_up(house)
        copy.write_bytes(LINES[OPS])
    caught_up(house)
    found = query(house.ledger_path, "SELECT session_id, parent_transcript_id FROM transcripts WHERE kind != 'primary'")
    (ops,) = query(house.ledger_path, "SELECT id FROM transcripts WHERE kind = 'primary' AND agent_id = 'ops'")
    assert found == [(OPS, *ops)]
    assert counted(house) == {"main": 2, "ops": 2}


def test_a_copy_in_a_place_of_another_agent_with_the_same_id_and_bytes_is_its_own(house: Household) -> None:
    (house.state_dir / "openclaw.json").unlink()
    for agent, name in (("main", name_of(1)), ("ops", f"{MAIN}.jsonl.bak-3911-1779019222667")):
        directory = house.state_dir / "agents" / agent / "sessions"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(LINES[MAIN])
    caught_up(house)
    assert query(house.ledger_path, "SELECT count(parent_transcript_id) FROM transcripts") == [(0,)]


def test_what_is_parted_and_archived_at_once_is_its_agents_too(house: Household) -> None:
    shared_files(house)
    caught_up(house)
    parted(house)
    deleted_into_an_archive(house)
    (house.state_dir.parent / "data" / name_of(2)).unlink()
    house.catch_up()
    assert owners(house) == [(MAIN, "main", "live", 1), (OPS, "ops", "archived", 1)]
    assert counted(house) == {"main": 2, "ops": 2}


def test_agents_own_files_that_come_into_a_shared_database_stay_theirs(house: Household) -> None:
    (house.state_dir / "openclaw.json").unlink()
    for number, agent in enumerate(("main", "ops"), 1):
        directory = house.state_dir / "agents" / agent / "sessions"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name_of(number)).write_bytes(LINES[session_id(number)])
    caught_up(house)
    shared_database(house)
    caught_up(house)
    assert sorted(owners(house)) == [(MAIN, "main", "live", 1), (OPS, "ops", "live", 1)]
    assert counted(house) == {"main": 2, "ops": 2}


@pytest.mark.parametrize("is_copy", [True, False])
def test_two_agents_with_one_id_in_places_that_name_them_or_in_two_databases_are_two(
    house: Household, *, is_copy: bool
) -> None:
    data = house.state_dir.parent / "data"
    configure(house, str(data / "{agentId}" / "sessions.json"))
    content = LINES[MAIN] if is_copy else header(1) + answer(8)
    (data / "main").mkdir()
    (data / "main" / name_of(1)).write_bytes(LINES[MAIN])
    caught_up(house)
    for more in (9, 10):
        with AgentStore(data / "ops" / "openclaw-agent.sqlite") as store:
            if more == 9:
                store.import_lines(MAIN, content)
            store.append(MAIN, answer(more))
        with (data / "main" / name_of(1)).open("ab") as file:
            file.write(answer(more + 10))
        caught_up(house)
    assert sorted(owners(house)) == [(MAIN, "main", "live", 1), (MAIN, "ops", "live", 1)]


def test_a_backup_of_before_mends_what_is_another_agents_now(house: Household) -> None:
    shared_files(house)
    caught_up(house)
    with tools_of(house) as tools:
        assert backup.run(tools).ok
    parted(house)
    for number in (1, 2):
        (house.state_dir.parent / "data" / name_of(number)).unlink()
    caught_up(house)
    for session, path in databases(house).items():
        with AgentStore(path) as store:
            store.delete_session(session)
    house.catch_up()
    with tools_of(house) as tools:
        block_id, data = tools.ledger.row("SELECT id, data FROM _blocks WHERE transcript_id = 2 LIMIT 1") or (0, b"")
        tools.ledger.run(
            "UPDATE _blocks SET data = ? WHERE id = ?", (data[:20] + bytes([data[20] ^ 4]) + data[21:], block_id)
        )
    with tools_for(house) as tools:
        outcome, _ = done(scrub.run, tools)
    assert (outcome.summary["mended"], outcome.summary["lost"]) == (1, 0)


def test_the_same_session_in_two_agents_own_directories_is_two_transcripts(house: Household) -> None:
    """As where the directory of an agent was copied for another."""
    (house.state_dir / "openclaw.json").unlink()
    for agent in ("main", "ops"):
        directory = house.state_dir / "agents" / agent / "sessions"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name_of(1)).write_bytes(LINES[MAIN])
    caught_up(house)
    with AgentStore(house.state_dir / "agents" / "ops" / "agent" / "openclaw-agent.sqlite") as store:
        store.import_lines(MAIN, LINES[MAIN])
        store.append(MAIN, answer(7))
    caught_up(house)
    assert sorted(owners(house)) == [(MAIN, "main", "live", 1), (MAIN, "ops", "live", 1)]
