"""Turns and tool calls followed live: under way while the lock is held, judged when it goes and the file is quiet."""

import os
from pathlib import Path

import pytest

from syncd.clock import SystemClock
from syncd.daemon.follow import Follower
from syncd.ledger.database import open_for_writing
from syncd.ledger.lock import writer_lock
from syncd.ledger.writer import Writer
from syncd.mirror.catchup import CatchUpOptions
from tests.daemon.live import following, wait_for
from tests.ledger.talk import answer, call, result, talk, user
from tests.mirror.household import RESET_TIME, Household, dead_pid, header, household, name_of
from tests.mirror_checks import query

NAME = name_of(1)
STANDS = """SELECT (SELECT group_concat(status) FROM turns WHERE transcript_id = 1),
    (SELECT group_concat(status) FROM tool_calls WHERE transcript_id = 1)"""


@pytest.fixture
def house(tmp_path: Path) -> Household:
    return household(tmp_path)


def stands(house: Household, turns: str, calls: str | None = None) -> None:
    wait_for(lambda: query(house.ledger_path, STANDS) == [(turns, calls)])


def test_a_turn_is_under_way_until_its_lock_goes(house: Household) -> None:
    with following(house) as live:
        lock = house.lock(NAME, os.getpid())
        house.write(NAME, header(1) + talk(user("go"), call("a")))
        live.has_lines(NAME, 3)
        stands(house, "in_progress", "pending")
        lock.unlink()
        stands(house, "aborted", "missing_result")
        house.append(NAME, talk(result("a"), answer("late, but well"), first=3))
        stands(house, "done", "paired")


def test_without_a_lock_a_quiet_file_is_enough(house: Household) -> None:
    with following(house):
        house.write(NAME, header(1) + talk(user("go"), call("a")))
        stands(house, "aborted", "missing_result")


def test_a_lock_marks_the_last_turn_while_it_is_held(house: Household) -> None:
    house.write(NAME, header(1) + talk(user("go"), answer("done")))
    with following(house):
        lock = house.lock(NAME, os.getpid())
        stands(house, "in_progress")
        lock.unlink()
        stands(house, "done")


def test_an_answer_under_a_lock_ends_no_turn_for_a_moment(house: Household) -> None:
    house.write(NAME, header(1) + talk(user("go"), call("a")))
    house.catch_up()
    with writer_lock(house.ledger_path), open_for_writing(house.ledger_path) as ledger:
        writer = Writer(ledger, SystemClock())
        follower = Follower(writer, str(house.state_dir), CatchUpOptions(settle_seconds=60.0))
        follower.look_at_everything(counts_missed=False)
        follower.look_at([str(house.lock(NAME, os.getpid()))])
        follower.look_at([str(house.append(NAME, talk(result("a"), answer("well"), first=3)))])
        writer.close()
    assert query(house.ledger_path, STANDS) == [("in_progress", "paired")]


def test_a_lock_whose_owner_died_is_found_by_the_rescan(house: Household) -> None:
    with following(house, rescan_seconds=0.3) as live:
        lock = house.lock(NAME, os.getpid())
        house.write(NAME, header(1) + talk(user("go"), call("a")))
        live.has_lines(NAME, 3)
        stands(house, "in_progress", "pending")
        lock.write_text(lock.read_text().replace(str(os.getpid()), str(dead_pid())))
        stands(house, "aborted", "missing_result")


def test_a_file_that_is_archived_in_the_middle_of_a_turn_is_judged_under_its_new_name(house: Household) -> None:
    with following(house) as live:
        lock = house.lock(NAME, os.getpid())
        house.write(NAME, header(1) + talk(user("go"), call("a")))
        live.has_lines(NAME, 3)
        stands(house, "in_progress", "pending")
        house.rename(NAME, f"{NAME}.reset.{RESET_TIME}")
        lock.unlink()
        stands(house, "aborted", "missing_result")
