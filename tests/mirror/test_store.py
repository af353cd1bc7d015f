"""OpenClaw's own SQLite as a source: every event once, byte for byte, whatever becomes of it."""

import hashlib
import json
import shutil
from pathlib import Path

import apsw
import pytest

from syncd.mirror.catchup import CatchUpOptions
from syncd.sources import store_opening, store_sessions
from tests.mirror.household import Household, header, household, message, session_id, transcript
from tests.mirror_checks import exported, query, transcripts
from tests.openclaw_store import RELEASES, AgentStore

ONE, TWO = session_id(1), session_id(2)
SCHEMAS = (4, 9, 13, 14, 19, 22, 23)


def store_path(house: Household, agent: str = "main") -> Path:
    return house.state_dir / "agents" / agent / "agent" / "openclaw-agent.sqlite"


def caught_up(house: Household) -> None:
    """Level, and proven so."""
    before = {path: path.stat() for path in house.state_dir.rglob("*")}
    result = house.catch_up()
    assert result.problems == []
    assert result.in_progress == []
    found = house.verify()
    assert found.differences == []
    again = house.catch_up()
    assert (again.lines, again.bytes) == (0, 0)
    after = {path: path.stat() for path in house.state_dir.rglob("*")}
    assert before.keys() == after.keys()
    for path, stat in before.items():
        assert after[path].st_mtime_ns == stat.st_mtime_ns, path
        assert after[path].st_ctime_ns == stat.st_ctime_ns, path


def live(house: Household, number: str) -> bytes:
    (row,) = transcripts(house.ledger_path, "session_id = ?", number)
    return exported(house.ledger_path, row.id, row.generation)


@pytest.mark.parametrize("release", ["2026.9.6", "migrated-7.1-to-9.6"])
def test_every_event_of_a_genuine_store_is_in_the_ledger(tmp_path: Path, release: str) -> None:
    shutil.copytree(RELEASES / release, tmp_path / "openclaw")
    house = household(tmp_path)
    manifest = json.loads((RELEASES / release / "MANIFEST.json").read_text())
    caught_up(house)
    stores = [told for told in manifest["files"].values() if told["kind"] == "database"]
    events = {number: told for store in stores for number, told in store["events"].items()}
    live_ones = "state = 'live' AND kind != 'trajectory'"
    assert {row.session_id for row in transcripts(house.ledger_path, live_ones)} == events.keys()
    for number, told in events.items():
        (row,) = transcripts(house.ledger_path, f"{live_ones} AND session_id = ?", number)
        assert row.lines == told["rows"]
        assert hashlib.sha256(exported(house.ledger_path, row.id, 1)).hexdigest() == told["sha256OfJsonl"]


def test_the_installation_says_where_its_sessions_are(tmp_path: Path) -> None:
    house = household(tmp_path)
    house.write(f"{session_id(77)}.jsonl", transcript(77, 2))
    caught_up(house)
    told = "SELECT era, version FROM installations"
    assert query(house.ledger_path, told) == [("jsonl", None)]
    shutil.copytree(RELEASES / "2026.9.6", tmp_path / "openclaw", dirs_exist_ok=True)
    caught_up(house)
    assert query(house.ledger_path, told) == [("sqlite", "2026.9.6")]
    house.append(f"{session_id(77)}.jsonl", message(3))
    caught_up(house)
    assert query(house.ledger_path, told) == [("jsonl", "2026.9.6")]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_appends_go_on_and_rewrites_are_generations_in_every_schema(house: Household, schema: int) -> None:
    with AgentStore(store_path(house), schema) as store:
        store.add_session(ONE)
        store.append(ONE, header(1), message(1), message(2), message(3))
        caught_up(house)
        first = store.content(ONE)
        store.append(ONE, message(4))
        caught_up(house)
        assert live(house, ONE) == first + message(4)
        second = store.content(ONE)
        store.remove_trailing(ONE, 2)
        store.append(ONE, message(5))  # under a number that was used before
        caught_up(house)
        third = store.content(ONE)
        store.replace(ONE, transcript(1, 7))
        caught_up(house)
        (row,) = transcripts(house.ledger_path, "session_id = ?", ONE)
        assert row.generation == 3
        kept = [exported(house.ledger_path, row.id, generation) for generation in (1, 2, 3)]
        assert kept == [second, third, transcript(1, 7)]


def test_an_event_changed_in_place_is_a_new_generation_from_there_on(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.add_session(ONE)
        store.append(ONE, header(1), message(1), message(2), message(3))
        caught_up(house)
        store.rewrite_row(ONE, 2, message(2, "redacted"))
        caught_up(house)
    (row,) = transcripts(house.ledger_path, "session_id = ?", ONE)
    assert row.generation == 2
    assert live(house, ONE) == header(1) + message(1) + message(2, "redacted") + message(3)
    superseded = query(house.ledger_path, "SELECT count(*) FROM entries WHERE superseded_in = 2")
    assert superseded == [(2,)]


def test_packed_and_plain_events_are_the_same_transcript(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.add_session(ONE)
        store.append(ONE, header(1), message(1))
        store.append(ONE, message(2, "long " * 2000), is_packed=True)
        store.append(ONE, message(3))
        caught_up(house)
        assert live(house, ONE) == header(1) + message(1) + message(2, "long " * 2000) + message(3)


def test_giant_events_are_taken_in_pieces(house: Household) -> None:
    giant = message(2, "x" * 3_500_000)
    with AgentStore(store_path(house)) as store:
        store.add_session(ONE)
        store.append(ONE, header(1), message(1), giant, message(3), message(4, "y" * 1_200_000), message(5))
        result = house.catch_up(CatchUpOptions(max_line_bytes=2_000_000))
        assert result.problems == []
        assert live(house, ONE) == store.content(ONE)
        assert house.verify().ok
        reasons = query(house.ledger_path, "SELECT reason FROM quarantine")
        assert reasons == [("too_long",)]


def test_a_deleted_session_is_gone_and_everything_of_it_kept(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        for number in (ONE, TWO):
            store.add_session(number)
        store.append(ONE, header(1), message(1))
        store.append(TWO, header(2), message(1))
        caught_up(house)
        store.delete_session(ONE)
        caught_up(house)
    assert live(house, ONE) == header(1) + message(1)
    states = query(house.ledger_path, "SELECT session_id, state FROM transcripts ORDER BY 1")
    assert states == [(ONE, "gone"), (TWO, "live")]


def test_a_database_of_2026_7_1_is_no_store_of_sessions(house: Household) -> None:
    path = store_path(house)
    AgentStore(path, 4).close()
    with apsw.Connection(str(path)) as connection:
        connection.execute("DROP TABLE transcript_events")
    connection.close()
    house.write(f"{ONE}.jsonl", transcript(1, 3))
    caught_up(house)
    assert live(house, ONE) == transcript(1, 3)
    assert len(transcripts(house.ledger_path)) == 1


def test_odd_session_ids_are_sessions_of_their_own(house: Household) -> None:
    odd = ["agent_main_main", "a.trajectory", "x-topic-7", "über.id", "with space", "per%20cent", "sla/sh"]
    with AgentStore(store_path(house)) as store:
        for number, each in enumerate(odd):
            store.add_session(each)
            store.append(each, header(number, id=each), message(1, each))
        caught_up(house)
        for each in odd:
            assert live(house, each) == store.content(each)


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("{there}/sessions.json", "openclaw-agent.sqlite"),
        ("{there}/foo.json", "foo.sqlite"),
        ("{there}/foo.json", "foo.main.sqlite"),
        ("{there}/foo.json", "foo.main.2.sqlite"),
        ("{there}/own.sqlite", "own.sqlite"),
        ("{there}/{{agentId}}/sessions.json", "main/openclaw-agent.sqlite"),
    ],
)
def test_a_store_that_session_store_puts_elsewhere_is_found(house: Household, template: str, name: str) -> None:
    there = house.state_dir.parent / "elsewhere"
    config = {"session": {"store": template.format(there=there)}}
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))
    with AgentStore(there / name) as store:
        store.add_session(ONE)
        store.append(ONE, header(1), message(1))
        caught_up(house)
    assert live(house, ONE) == header(1) + message(1)


def test_a_store_in_an_agents_own_directory_is_found(house: Household) -> None:
    there = house.state_dir.parent / "elsewhere"
    config = {"agents": {"entries": {"ops": {"agentDir": str(there)}}}}
    (house.state_dir / "openclaw.json").write_text(json.dumps(config))
    with AgentStore(there / "openclaw-agent.sqlite") as store:
        store.add_session(ONE)
        store.append(ONE, header(1), message(1))
        caught_up(house)
    assert query(house.ledger_path, "SELECT agent_id FROM transcripts") == [("ops",)]


def test_an_append_reads_only_what_is_new(house: Household) -> None:
    with AgentStore(store_path(house)) as store:
        store.add_session(ONE)
        store.import_lines(TWO, transcript(2, 3000))
        store.append(ONE, header(1))
        caught_up(house)
        store.append(TWO, message(3001))
        result = house.catch_up()
        assert (result.transcripts, result.lines) == (1, 1)
    assert live(house, TWO) == transcript(2, 3001)


def test_transactions_as_short_as_can_be_give_the_same(house: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_opening, "PAGE_SECONDS", 0.0)
    monkeypatch.setattr(store_sessions, "_ROWS_MEASURED", 2)
    with AgentStore(store_path(house)) as store:
        store.import_lines(ONE, transcript(1, 7))
        store.import_lines(TWO, transcript(2, 5))
        caught_up(house)
        store.append(ONE, message(8), message(9, "packed " * 300), message(10), is_packed=True)
        caught_up(house)
        assert (live(house, ONE), live(house, TWO)) == (store.content(ONE), store.content(TWO))
