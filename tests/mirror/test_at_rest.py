"""What a turn is when nobody works on it any more, and while a lock says that somebody does."""

import os

import pytest

from tests.ledger.talk import answer, call, result, talk, user
from tests.mirror.household import Household, dead_pid, header, name_of, session_id
from tests.mirror.test_store import store_path
from tests.mirror_checks import query
from tests.openclaw_store import AgentStore

NAME = name_of(1)


def turns(house: Household) -> list[str]:
    return [status for (status,) in query(house.ledger_path, "SELECT status FROM turns ORDER BY id")]


def calls(house: Household) -> list[str]:
    return [status for (status,) in query(house.ledger_path, "SELECT status FROM tool_calls ORDER BY id")]


def stands(house: Household) -> tuple[list[str], list[str]]:
    house.catch_up()
    return turns(house), calls(house)


def test_at_rest_a_turn_without_an_end_is_aborted_and_a_call_has_no_result(house: Household) -> None:
    house.write(NAME, header(1) + talk(user("go"), call("a", "b"), result("a")))
    assert stands(house) == (["aborted"], ["paired", "missing_result"])


def test_under_a_live_lock_nothing_is_judged_from_absence(house: Household) -> None:
    house.write(NAME, header(1) + talk(user("go"), call("a")))
    lock = house.lock(NAME, os.getpid())
    assert stands(house) == (["in_progress"], ["pending"])
    lock.unlink()
    assert stands(house) == (["aborted"], ["missing_result"])


def test_a_live_lock_marks_the_last_turn_also_when_it_looks_done(house: Household) -> None:
    ended = "SELECT ended_at FROM turns ORDER BY id"
    house.write(NAME, header(1) + talk(user("one"), answer("1"), user("two"), answer("2")))
    assert stands(house) == (["done", "done"], [])
    before = query(house.ledger_path, ended)
    lock = house.lock(NAME, os.getpid())
    assert stands(house) == (["done", "in_progress"], [])
    assert query(house.ledger_path, ended) == [before[0], (None,)]
    lock.unlink()
    assert stands(house) == (["done", "done"], [])
    assert query(house.ledger_path, ended) == before
    lock = house.lock(NAME, os.getpid())
    assert stands(house) == (["done", "in_progress"], [])
    house.append(NAME, talk(user("three"), first=5))
    assert stands(house) == (["done", "done", "in_progress"], [])
    lock.unlink()
    assert stands(house) == (["done", "done", "aborted"], [])


def test_a_stale_lock_marks_nothing(house: Household) -> None:
    house.write(NAME, header(1) + talk(user("one"), answer("1"), user("two"), call("a")))
    house.lock(NAME, dead_pid())
    assert stands(house) == (["done", "aborted"], ["missing_result"])


def test_a_later_line_takes_the_judgement_back(house: Household) -> None:
    house.write(NAME, header(1) + talk(user("go"), call("a")))
    assert stands(house) == (["aborted"], ["missing_result"])
    house.append(NAME, talk(result("a"), first=3))
    assert stands(house) == (["aborted"], ["paired"])
    house.append(NAME, talk(answer("well"), first=4))
    assert stands(house) == (["done"], ["paired"])


def test_an_error_and_an_aborted_answer_stay_what_they_are(house: Household) -> None:
    house.write(NAME, header(1) + talk(user("go"), answer("", "error"), user("again"), answer("", "aborted")))
    lock = house.lock(NAME, os.getpid())
    assert stands(house) == (["error", "in_progress"], [])
    lock.unlink()
    assert stands(house) == (["error", "aborted"], [])


def test_what_is_archived_or_gone_is_at_rest(house: Household) -> None:
    house.write(NAME, header(1) + talk(user("go"), call("a")))
    house.lock(NAME, os.getpid())
    house.catch_up()
    house.rename(NAME, f"{NAME}.reset.2026-11-16T04-22-14.522Z")
    assert stands(house) == (["aborted"], ["missing_result"])


def test_what_was_judged_is_not_looked_at_again(house: Household) -> None:
    for number in range(1, 4):
        house.write(name_of(number), header(number) + talk(user("go"), call("a")))
    house.catch_up()
    left = """SELECT (SELECT count(*) FROM turns WHERE status = 'in_progress'),
        (SELECT count(*) FROM tool_calls WHERE status = 'pending')"""
    assert query(house.ledger_path, left) == [(0, 0)]


@pytest.mark.parametrize("schema", [4, 23])
def test_a_session_that_a_store_calls_running_has_a_turn_under_way(house: Household, schema: int) -> None:
    with AgentStore(store_path(house), schema) as store:
        store.add_session(session_id(1))
        store.append(session_id(1), header(1), *talk(user("go"), call("a")).splitlines(keepends=True))
        store.set_status(session_id(1), "running")
        assert stands(house) == (["in_progress"], ["pending"])
        store.set_status(session_id(1), "failed")
        assert stands(house) == (["aborted"], ["missing_result"])
        store.set_status(session_id(1), "running")
        assert stands(house) == (["aborted"], ["missing_result"]), "nothing is unfinished any more"
        store.append(session_id(1), *talk(user("again"), first=3).splitlines(keepends=True))
        assert stands(house)[0] == ["aborted", "in_progress"]
    assert stands(house)[0] == ["aborted", "aborted"], "whoever wrote it has closed it"
