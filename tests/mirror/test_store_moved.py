"""A state dir of which the ledger knows nothing but a database, moved: the installation that it was, nothing twice."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from syncd.daemon import timers
from syncd.sources.state_dirs import find_state_dirs
from tests.daemon.live import following, wait_for
from tests.mirror.household import Household, message, session_id, transcript
from tests.mirror.test_store import caught_up, store_path
from tests.mirror.test_store_move import derived
from tests.mirror_checks import events, query, transcripts
from tests.openclaw_store import AgentStore

ONE, TWO = session_id(1), session_id(2)


def with_a_store(house: Household, number: int = 1, schema: int = 23) -> None:
    with AgentStore(store_path(house), schema) as store:
        store.import_lines(session_id(number), transcript(number, 3))
        if schema == 23:
            store.record(session_id(number), b'{"flight":1}', b'{"flight":2}')


def put_elsewhere(house: Household, *, is_copied: bool) -> Household:
    """As `mv` does it, on one disk or on to another."""
    there = house.state_dir.with_name("elsewhere")
    if is_copied:
        shutil.copytree(house.state_dir, there)
        shutil.rmtree(house.state_dir)
    else:
        house.state_dir.rename(there)
    return Household(there, house.ledger_path)


@pytest.mark.parametrize("is_copied", [False, True])
@pytest.mark.parametrize("schema", [9, 23])
def test_a_state_dir_that_moves_with_the_store_in_it_keeps_every_row(
    house: Household, schema: int, *, is_copied: bool
) -> None:
    with_a_store(house, schema=schema)
    caught_up(house)
    before, known = derived(house), transcripts(house.ledger_path)
    there = put_elsewhere(house, is_copied=is_copied)
    caught_up(there)
    assert derived(there) == before
    assert [(row.id, row.state, row.generation) for row in transcripts(house.ledger_path)] == [
        (row.id, "live", 1) for row in known
    ]
    assert {row.path.startswith(f"{there.state_dir}/") for row in transcripts(house.ledger_path)} == {True}
    assert query(house.ledger_path, "SELECT state_dir FROM installations") == [(str(there.state_dir),)]
    assert events(house.ledger_path) == ["moved"]
    with AgentStore(store_path(there), schema) as store:
        store.append(ONE, message(4))
        caught_up(there)
    (row,) = transcripts(house.ledger_path, "kind = 'primary'")
    assert (row.lines, row.generation) == (5, 1)


def test_another_store_where_a_state_dir_went_is_another_installation(house: Household) -> None:
    with_a_store(house)
    caught_up(house)
    shutil.rmtree(house.state_dir)
    there = Household(house.state_dir.with_name("elsewhere"), house.ledger_path)
    with_a_store(there, number=2)
    caught_up(there)
    assert query(house.ledger_path, "SELECT count(*) FROM installations") == [(2,)]
    assert {row.session_id for row in transcripts(house.ledger_path)} == {ONE, TWO}


def test_a_store_that_cannot_be_read_for_now_makes_no_second_installation(house: Household) -> None:
    with_a_store(house)
    caught_up(house)
    there = put_elsewhere(house, is_copied=False)
    content = store_path(there).read_bytes()
    store_path(there).write_bytes(b"no database" * 1000)
    assert [problem.code for problem in there.catch_up().problems] == ["store_corrupt"]
    store_path(there).write_bytes(content)
    caught_up(there)
    assert query(house.ledger_path, "SELECT state_dir FROM installations") == [(str(there.state_dir),)]
    assert query(house.ledger_path, "SELECT count(*), max(generation) FROM transcripts") == [(2, 1)]


def test_a_daemon_goes_on_following_a_store_whose_state_dir_moves_meanwhile(
    house: Household, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WATCH_CHECK_SECONDS", "LONGEST_WAIT_SECONDS"):
        monkeypatch.setattr(timers, name, 0.05)
    legacy = Household(home / ".clawdbot", house.ledger_path)
    with_a_store(legacy)
    find = partial(find_state_dirs, None, {"HOME": str(home)}, None)
    with following(legacy, find_state_dirs=find, is_level_after=False) as following_it:
        assert [one.state_dir for one in following_it.loop.followers] == [str(legacy.state_dir)]
        there = Household(home / ".openclaw", house.ledger_path)
        legacy.state_dir.rename(there.state_dir)
        wait_for(lambda: [one.state_dir for one in following_it.loop.followers] == [str(there.state_dir)])
        with AgentStore(store_path(there)) as store:
            store.append(ONE, message(4))
            store.record(ONE, b'{"flight":3}')
            following_it.has_lines(f"{ONE}.jsonl", 5)
            following_it.has_lines(f"{ONE}.trajectory.jsonl", 3)
    caught_up(there)
    assert query(house.ledger_path, "SELECT state_dir FROM installations") == [(str(there.state_dir),)]
    assert query(house.ledger_path, "SELECT count(*), max(generation) FROM transcripts") == [(2, 1)]
