"""A prompt that was answered twice, on two branches: one turn, which stands as it does on the active path."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.ledger.talk import Step, answer, call, result, talk, user
from tests.mirror.household import Household, header, household, name_of
from tests.mirror_checks import query

NAME = name_of(1)
FIRST: dict[str, Any] = {"model": "first", "usage": {"input": 10, "output": 1, "cost": {"total": 0.5}}}
SECOND: dict[str, Any] = {"model": "second", "usage": {"input": 20, "output": 2, "cost": {"total": 0.25}}}
TURNS = "SELECT user_message_id, final_message_id, status, input_tokens, output_tokens, cost_total, model FROM turns"
POLL = "[OpenClaw heartbeat poll]"


def branch(after: int, *steps: Step, first: int) -> bytes:
    """Entries `first` and following, the first of which goes back to the entry `after`."""
    head, *rest = talk(*steps, first=first).splitlines(keepends=True)
    entry = {**json.loads(head), "parentId": f"{after:08x}"}
    return json.dumps(entry).encode() + b"\n" + b"".join(rest)


def go_back(to: int, number: int) -> bytes:
    """The entry `number`: the tip of the conversation is that other entry again."""
    place = f"{to:08x}"
    entry = {"type": "leaf", "id": f"{number:08x}", "parentId": f"{number - 1:08x}", "targetId": place}
    return json.dumps(entry).encode() + b"\n"


def written(house: Household, *parts: bytes) -> None:
    house.write(NAME, header(1) + b"".join(parts))
    house.catch_up()


def asked(house: Household, sql: str) -> list[tuple[Any, ...]]:
    return query(house.ledger_path, sql)


ASKED_AGAIN = (talk(user("ask"), answer("one", **FIRST)), branch(1, answer("two", **SECOND), first=3))


def test_the_second_answer_belongs_to_the_prompt_and_both_were_paid(house: Household) -> None:
    written(house, *ASKED_AGAIN)
    assert asked(house, TURNS) == [(2, 4, "done", 30, 3, 0.75, "second")]
    assert asked(house, "SELECT turn_id FROM messages") == [(1,), (1,), (1,)]
    assert asked(house, "SELECT text FROM conversation WHERE type = 'message'") == [("ask",), ("two",)]


def test_back_on_the_first_branch_its_answer_is_the_final_one(house: Household) -> None:
    written(house, *ASKED_AGAIN, go_back(2, 4))
    assert asked(house, TURNS) == [(2, 3, "done", 30, 3, 0.75, "first")]


@pytest.mark.parametrize("is_at_once", [True, False])
def test_back_at_the_prompt_the_turn_waits_for_an_answer_until_it_rests(house: Household, *, is_at_once: bool) -> None:
    if not is_at_once:
        written(house, *ASKED_AGAIN)
    lock = house.lock(NAME, os.getpid())
    written(house, *ASKED_AGAIN, go_back(1, 4))
    assert asked(house, TURNS) == [(2, None, "in_progress", 30, 3, 0.75, None)]
    lock.unlink()
    house.catch_up()
    assert asked(house, TURNS) == [(2, None, "aborted", 30, 3, 0.75, None)]


def test_an_answer_that_was_broken_off_does_not_stain_the_one_on_the_active_path(house: Household) -> None:
    written(house, talk(user("ask"), call("a"), result("a")), branch(1, answer("quick"), first=4))
    assert asked(house, "SELECT final_message_id, status, tool_call_count FROM turns") == [(5, "done", 1)]
    assert asked(house, "SELECT status FROM tool_calls") == [("paired",)]


def test_a_turn_on_a_branch_that_was_left_stands_as_it_did_there(house: Household) -> None:
    left = talk(user("ask"), answer("one"), user("more"), call("a"))
    written(house, left, branch(2, user("else"), answer("well"), first=5))
    assert asked(house, "SELECT parent_turn_id, status FROM turns") == [(None, "done"), (1, "aborted"), (1, "done")]


def test_back_in_a_later_turn_those_above_it_stand_as_they_do_on_its_way(house: Household) -> None:
    later = talk(user("more"), answer("of it"), first=3)
    written(house, talk(user("ask"), answer("one", **FIRST)), later, branch(1, answer("two", **SECOND), first=5))
    assert asked(house, "SELECT final_message_id, model FROM turns") == [(6, "second"), (5, None)]
    house.append(NAME, go_back(4, 6))
    house.catch_up()
    assert asked(house, "SELECT final_message_id, model FROM turns") == [(3, "first"), (5, None)]
    at_once = household(house.state_dir.parent / "at once")
    house.path(NAME).rename(at_once.path(NAME))
    at_once.catch_up()
    assert asked(at_once, TURNS) == asked(house, TURNS)


def test_what_nobody_asked_for_after_an_end_is_still_a_turn_of_its_own(house: Household) -> None:
    written(house, talk(user("ask"), answer("one"), answer("news")), branch(2, answer("other news"), first=4))
    turns = "SELECT parent_turn_id, user_message_id, final_message_id FROM turns"
    assert asked(house, turns) == [(None, 2, 3), (1, None, 4), (1, None, 5)]


SILENT = {
    "flushed": (user("Pre-compaction memory flush. Store it."), answer("Kept a fact."), answer("Kept two facts.")),
    "heartbeat": (user(POLL), answer("Your flight is late."), answer("HEARTBEAT_OK all quiet")),
}


@pytest.mark.parametrize("steps", SILENT.values(), ids=SILENT.keys())
def test_silence_covers_the_second_answer_too(house: Household, steps: tuple[Step, Step, Step]) -> None:
    prompt, first, second = steps
    written(house, talk(prompt, first), branch(1, second, first=3))
    assert asked(house, "SELECT text FROM condensed") == []


def test_what_a_second_answer_to_a_heartbeat_found_worth_telling_is_told(house: Household) -> None:
    written(
        house,
        talk(user(POLL), call("a", path="x"), result("a"), answer("HEARTBEAT_OK")),
        branch(3, answer("Your flight is late."), first=5),
    )
    assert asked(house, "SELECT text, tools FROM condensed") == [(None, "read x"), ("Your flight is late.", None)]
    house.append(NAME, go_back(4, 6))
    house.catch_up()
    assert asked(house, "SELECT text, tools FROM condensed") == []


def test_a_file_read_at_once_and_line_by_line_comes_to_the_same(house: Household, tmp_path: Path) -> None:
    parts = [*ASKED_AGAIN, go_back(2, 4), talk(user("next"), answer("so"), first=5), go_back(1, 7), go_back(3, 8)]
    for line in [header(1), *(line for part in parts for line in part.splitlines(keepends=True))]:
        house.append(NAME, line)
        house.catch_up()
    at_once = household(tmp_path / "at once")
    written(at_once, *parts)
    assert asked(house, TURNS) == asked(at_once, TURNS)
    assert [row[:3] for row in asked(house, TURNS)] == [(2, 4, "done"), (6, 7, "done")]
