"""One session id in two agents of one installation, as `--session-id` makes it: each transcript is its own agent's."""

from pathlib import Path

import pytest

from syncd.mirror.catchup import CatchUpOptions
from syncd.mirror.index_look import IndexOptions
from tests.daemon.live import following, wait_for
from tests.jobs.test_repair import broken, found, repaired
from tests.mirror.household import Household, header, message, name_of
from tests.mirror.indexed import entry, index_text
from tests.mirror.shared_places import parted, put_away, shared_files, shared_house
from tests.mirror.test_usage import rebuild
from tests.mirror_checks import query

AGENTS = ("main", "ops")
_OF_EACH = """SELECT transcripts.agent_id, sessions.agent_id, sessions.title FROM transcripts
    LEFT JOIN sessions ON sessions.id = transcripts.session ORDER BY 1"""
OWN = [(agent, agent, f"said to {agent}") for agent in AGENTS]


def catch_up(house: Household) -> None:
    house.catch_up(CatchUpOptions(index=IndexOptions({"HOME": str(house.state_dir.parent)})))


def index(house: Household, *agents: str, number: int = 1) -> None:
    for agent in agents:
        text = index_text({f"agent:{agent}:main": entry(number)})
        (house.sessions(agent) / "sessions.json").write_bytes(text)


def talk(house: Household, agent: str) -> None:
    (house.sessions(agent) / name_of(1)).write_bytes(header(1) + message(1, f"said to {agent}"))


def of_each(house: Household) -> list[tuple[object, ...]]:
    return query(house.ledger_path, _OF_EACH)


def derived_anew(house: Household) -> list[tuple[object, ...]]:
    rebuild(house)
    return of_each(house)


@pytest.mark.parametrize("agents", [AGENTS, AGENTS[::-1]])
@pytest.mark.parametrize("is_index_first", [True, False])
def test_each_transcript_belongs_to_the_session_of_its_agent(
    house: Household, agents: tuple[str, ...], *, is_index_first: bool
) -> None:
    for agent in agents:
        for write in (index, talk) if is_index_first else (talk, index):
            write(house, agent)
            catch_up(house)
    assert of_each(house) == OWN
    assert found(house) == {}
    assert derived_anew(house) == OWN


def test_live_it_is_the_same(house: Household) -> None:
    index(house, *AGENTS)
    for agent in AGENTS:
        house.sessions(agent)
    with following(house):
        for agent in AGENTS:
            talk(house, agent)
        wait_for(lambda: of_each(house) == OWN)
        house.append(name_of(1), message(2))
        index(house, "ops", number=2)  # its transcript stays its own, though its session went on
        wait_for(lambda: query(house.ledger_path, "SELECT count(*) FROM session_ids") == [(3,)])
    assert [row[:2] for row in of_each(house)] == [(agent, agent) for agent in AGENTS]
    assert "owners" not in found(house)


def test_where_only_another_agent_has_a_session_of_that_id_it_is_that_ones(house: Household) -> None:
    talk(house, "main")
    index(house, "ops")
    catch_up(house)
    assert of_each(house) == [("main", "ops", "said to main")]
    index(house, "main")
    catch_up(house)
    assert of_each(house) == [("main", "main", "said to main")]
    assert derived_anew(house) == [("main", "main", "said to main")]


def test_a_session_that_gives_its_id_up_leaves_it_to_the_other_of_its_agent(house: Household) -> None:
    talk(house, "main")
    keys = ("agent:main:one", "agent:main:two")
    for updated_at, written in enumerate((keys[:1], keys, keys[:1])):
        entries = {key: entry(1 if key in written else 2, 1_794_802_930_000 + updated_at) for key in keys}
        house.write("sessions.json", index_text(entries))
        catch_up(house)
        before = query(house.ledger_path, "SELECT session FROM transcripts")
        derived_anew(house)
        assert query(house.ledger_path, "SELECT session FROM transcripts") == before


def test_what_an_older_program_gave_to_the_other_agents_session_is_put_right(house: Household) -> None:
    for agent in AGENTS:
        talk(house, agent)
    index(house, *AGENTS)
    catch_up(house)
    broken(house, "UPDATE transcripts SET session = (SELECT id FROM sessions WHERE agent_id = 'ops')")
    assert found(house, is_thorough=False) == {"owners": 1}
    repaired(house)
    assert of_each(house) == OWN
    assert found(house) == {}


def test_a_transcript_that_turns_out_to_be_another_agents_goes_to_that_ones_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    house = shared_house(tmp_path)
    shared_files(house)
    shared = tmp_path / "data" / "foo.json"
    shared.write_bytes(index_text({key: entry(2) for key in ("agent:main:main", "agent:ops:main")}))
    catch_up(house)
    assert [row[:2] for row in of_each(house) if row[1]] == [("main", "main")], "nobody knew better"
    parted(house)
    put_away(house)
    catch_up(house)
    assert ("ops", "ops") in [row[:2] for row in of_each(house)]
    before = of_each(house)
    assert derived_anew(house) == before
