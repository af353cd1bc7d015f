"""Turns where OpenClaw rewrites as 2026.9.6 does: copies beside the conversation, a leaf control to the last one."""

import json
from pathlib import Path

import pytest

from tests.ledger.talk import Step, answer, talk, user
from tests.ledger.test_second_answers import FIRST, NAME, SECOND, TURNS, asked, branch, go_back, written
from tests.mirror.household import Household, household
from tests.mirror_fixtures import genuine

TALK = talk(user("ask"), answer("one", **FIRST), user("more"), answer("of it", **FIRST))
OF_MESSAGES = """SELECT (SELECT user_message_id FROM turns WHERE turns.id = turn_id), on_active_path
    FROM messages JOIN entries USING (id) ORDER BY id"""


def aside(after: int | None, *steps: Step, first: int) -> bytes:
    """Entries `first` and following beside the conversation; the first of them follows the entry `after`."""
    found = [json.loads(line) for line in talk(*steps, first=first).splitlines()]
    found[0]["parentId"] = f"{after:08x}" if after is not None else None
    return b"".join(json.dumps({**entry, "appendMode": "side"}).encode() + b"\n" for entry in found)


REWRITTEN = aside(1, answer("one, mended", **SECOND), user("more"), answer("of it", **SECOND), first=5)


def test_what_was_rewritten_answers_the_prompt_it_follows_and_a_prompt_that_came_along_begins_a_turn(
    house: Household,
) -> None:
    written(house, TALK, REWRITTEN, go_back(7, 8))
    assert asked(house, OF_MESSAGES) == [(2, 1), (2, 0), (4, 0), (4, 0), (2, 1), (7, 1), (7, 1)]
    assert asked(house, TURNS) == [
        (2, 6, "done", 30, 3, 0.75, "second"),
        (4, 5, "done", 10, 1, 0.5, "first"),
        (7, 8, "done", 20, 2, 0.25, "second"),
    ]


def test_until_the_tip_is_there_the_turns_stand_as_they_did(house: Household) -> None:
    written(house, TALK, REWRITTEN)
    assert [row[:3] for row in asked(house, TURNS)] == [(2, 3, "done"), (4, 5, "done"), (7, 8, "done")]
    assert [is_on_path for _, is_on_path in asked(house, OF_MESSAGES)] == [1, 1, 1, 1, 0, 0, 0]


def test_a_conversation_rewritten_from_its_first_prompt_on_has_a_root_of_its_own(house: Household) -> None:
    written(house, TALK, aside(None, user("ask, mended"), answer("one"), first=5), go_back(6, 7))
    assert asked(house, OF_MESSAGES) == [(2, 0), (2, 0), (4, 0), (4, 0), (6, 1), (6, 1)]
    assert asked(house, "SELECT parent_turn_id FROM turns ORDER BY id") == [(None,), (1,), (None,)]


@pytest.mark.parametrize("is_rewritten_so", [REWRITTEN, REWRITTEN + go_back(7, 8)], ids=["aside", "and the tip there"])
def test_the_tree_need_not_be_known_yet(house: Household, tmp_path: Path, is_rewritten_so: bytes) -> None:
    written(house, TALK)
    for line in is_rewritten_so.splitlines(keepends=True):
        house.append(NAME, line)
        house.catch_up()
    at_once = household(tmp_path / "at once")
    written(at_once, TALK, is_rewritten_so)
    for question in (TURNS, OF_MESSAGES):
        assert asked(house, question) == asked(at_once, question)


def test_side_by_side_or_branched_off_it_is_the_same(house: Household, tmp_path: Path) -> None:
    copies = (answer("one, mended", **SECOND), user("more"), answer("of it", **SECOND))
    written(house, TALK, aside(1, *copies, first=5), go_back(7, 8), talk(user("then"), answer("so"), first=9))
    branched = household(tmp_path / "branched")
    written(branched, TALK, branch(1, *copies, first=5), go_back(7, 8), talk(user("then"), answer("so"), first=9))
    for question in (TURNS, OF_MESSAGES):
        assert asked(house, question) == asked(branched, question)


def test_the_turns_of_a_genuine_rewrite_are_those_of_the_questions_on_its_way(tmp_path: Path) -> None:
    house = genuine(tmp_path, "2026.9.6")
    said = """SELECT asked.text, final.text, turns.status
        FROM turns JOIN messages AS asked ON asked.id = user_message_id
        JOIN messages AS final ON final.id = final_message_id JOIN entries ON entries.id = user_message_id
        JOIN transcripts ON transcripts.id = turns.transcript_id
        WHERE transcripts.session_id LIKE '0a000003-%' AND entries.on_active_path = 1 ORDER BY turns.id"""
    assert asked(house, said) == [
        ("First question", "First answer", "done"),
        ("Second question", "Second answer [rewritten]", "done"),
        ("Third question", "Third answer", "done"),
    ]
    prompts = """SELECT count(*), count(DISTINCT turn_id) FROM messages JOIN transcripts
        ON transcripts.id = transcript_id WHERE session_id LIKE '0a000003-%' AND role = 'user'"""
    assert asked(house, prompts) == [(5, 5)]
    strayed = """SELECT count(*) FROM turns JOIN entries ON entries.id = final_message_id
        JOIN entries AS asked ON asked.id = user_message_id
        WHERE asked.on_active_path = 1 AND entries.on_active_path = 0"""
    assert asked(house, strayed) == [(0,)]
