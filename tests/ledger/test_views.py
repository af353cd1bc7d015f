"""The views for people: a conversation in reading order, and its condensed form."""

import re
from importlib import resources
from typing import Any

import pytest

from syncd.openclaw.main_argument import MAIN_ARGUMENTS, main_argument
from tests.ledger.talk import Step, answer, call, made_up, result, talk, user
from tests.mirror.household import Household, header, name_of, session_id
from tests.mirror_checks import query


def condensed(house: Household, *steps: Step) -> list[Any]:
    house.write(name_of(1), header(1) + talk(*steps))
    house.catch_up()
    return query(house.ledger_path, "SELECT role, text, tools FROM condensed")


def test_the_conversation_is_the_active_path_in_reading_order(house: Household) -> None:
    left = talk(user("ask"), answer("wrong"))
    taken = (
        talk(user("ask again"))
        .replace(b'"parentId": null', b'"parentId": "00000001"')
        .replace(b"00000001", b"aaaaaaaa", 1)
    )
    house.write(name_of(1), header(1) + left + taken)
    house.catch_up()
    found = query(house.ledger_path, "SELECT type, role, text FROM conversation")
    assert found == [("message", "user", "ask"), ("message", "user", "ask again")]


def test_summaries_stand_where_they_were_made(house: Household) -> None:
    summary = b'{"type":"compaction","id":"cccccccc","parentId":"00000002","summary":"so far","tokensBefore":9}\n'
    house.write(name_of(1), header(1) + talk(user("ask"), answer("say")) + summary)
    house.catch_up()
    found = query(house.ledger_path, "SELECT type, text FROM conversation WHERE session_id = ?", session_id(1))
    assert found == [("message", "ask"), ("message", "say"), ("compaction", "so far")]


def test_copies_are_not_read_twice(house: Household) -> None:
    house.write(name_of(1), header(1) + talk(user("ask")))
    house.write(f"{session_id(1)}.checkpoint.{session_id(9)}.jsonl", header(1) + talk(user("ask")))
    house.catch_up()
    assert query(house.ledger_path, "SELECT count(*) FROM conversation") == [(1,)]


def test_condensed_has_texts_and_calls_with_their_path_or_query_only(house: Household) -> None:
    found = condensed(
        house,
        user("please look"),
        call("a", text="I will", path="/tmp/one.txt", content="much text"),
        result("a", "secret result"),
        call("b", name="web_search", query="what is it", limit=5),
        result("b", "plain"),
        call("c", name="think_hard"),
        result("c"),
        answer("done"),
    )
    assert found == [
        ("user", "please look", None),
        ("assistant", "I will", "read /tmp/one.txt"),
        ("assistant", None, "web_search what is it"),
        ("assistant", None, "think_hard"),
        ("assistant", "done", None),
    ]


def test_condensed_shows_results_only_as_marks_of_errors(house: Household) -> None:
    found = condensed(
        house,
        user("try"),
        call("a", "b", "c", "d", path="x"),
        result("a", "it failed"),
        result("b", "no", isError=True),
        result("c", "well"),
        made_up("d"),
    )
    assert found[1] == ("assistant", None, "read x [error]\nread x [error]\nread x\nread x [error]")


def test_condensed_leaves_out_what_was_meant_for_nobody(house: Household) -> None:
    found = condensed(
        house,
        user("[OpenClaw heartbeat poll]"), call("a", path="HEARTBEAT.md"), result("a"), answer("HEARTBEAT_OK"),
        user("[OpenClaw heartbeat poll]"), answer("HEARTBEAT_OK nothing to do"),
        user("[OpenClaw heartbeat poll]"), answer("Your flight is late."),
        user("Pre-compaction memory flush. Store it."), call("b", name="write", path="memory/x.md"), result("b"),
        answer("Stored two facts."),
        user("psst"), answer("NO_REPLY"),
        user("what does the token mean?"), answer("HEARTBEAT_OK is what I say when all is well"),
    )  # fmt: skip
    assert found == [
        ("assistant", "Your flight is late.", None),
        ("user", "psst", None),
        ("user", "what does the token mean?", None),
        ("assistant", "HEARTBEAT_OK is what I say when all is well", None),
    ]


def test_odd_arguments_of_a_call_are_no_fault(house: Household) -> None:
    odd = [call("a"), call("b", path={"deep": [1]}), call("c", command="one\ntwo" + "x" * 300)]
    odd[0][1]["content"][-1]["arguments"] = "not an object"
    found = condensed(house, user("go"), *odd)
    assert [tools for _, _, tools in found[1:3]] == ["read not an object", "read"]
    assert found[3][2] == "read one two" + "x" * 193


def test_condensed_shows_the_argument_that_show_calls_the_main_one(house: Household) -> None:
    some: list[dict[str, Any]] = [{name: "x", "other": "y"} for name in MAIN_ARGUMENTS]
    some += [{name: f"of {name}" for name in reversed(MAIN_ARGUMENTS[at:])} for at in range(len(MAIN_ARGUMENTS))]
    some += [{"path": "", "cmd": "ls"}, {"path": 7, "q": "why"}, {"other": "only"}, {"other": "[]", "more": None}]
    some += [{"path": ["a"], "file": {}, "id": "9"}, {"a": "x", "b": [], "c": {}, "d": ""}, {"PATH": "P", "e": "x"}]
    some += [{"a": "x", "b": "y"}, {"a": 1}, {"a": True, "b": "x"}, {}]
    calls = [call(f"c{at}") for at in range(len(some))]
    for (_, message), arguments in zip(calls, some, strict=True):
        message["content"][-1]["arguments"] = arguments
    found = condensed(house, user("go"), *calls)
    told = [main_argument(arguments) for arguments in some]
    assert told[-5:] == ['{"PATH":"P","e":"x"}', '{"a":"x","b":"y"}', '{"a":1}', '{"a":true,"b":"x"}', ""]
    short = ["" if each.startswith("{") else each for each in told]  # all of them is no path and no query
    assert [tools for _, _, tools in found[1:]] == [f"read {each}".rstrip() for each in short]


def test_condensed_knows_the_names_of_main_arguments_and_no_other() -> None:
    text = resources.files("syncd.ledger").joinpath("migrations", "0004_people.sql").read_text(encoding="utf-8")
    assert tuple(re.findall(r"arguments_json ->> '\$\.(\w+)'", text)) == MAIN_ARGUMENTS
    assert tuple(re.findall(r"json_type\(arguments_json, '\$\.(\w+)'\)", text)) == MAIN_ARGUMENTS


def test_calls_and_results_that_do_not_fit_are_listed(house: Household) -> None:
    steps = (user("go"), call("a", "b", "c"), result("a"), result("a"), result("x"), made_up("b"))
    house.write(name_of(1), header(1) + talk(*steps))
    house.catch_up()
    found = query(house.ledger_path, "SELECT problem, call_id FROM tool_problems ORDER BY entry")
    assert found == [
        ("missing_result", "c"),
        ("duplicate_result", "a"),
        ("orphan_result", "x"),
        ("synthetic_result", "b"),
    ]


def test_projects_are_working_directories_in_any_case(house: Household) -> None:
    for number, cwd in enumerate(["/home/me/Ledger", "/home/me/ledger/", "/srv/site", "/", "/home/you/ledger"], 1):
        house.write(name_of(number), header(number, cwd=cwd) + talk(user("go")))
    house.catch_up()
    found = query(house.ledger_path, "SELECT project, lower(cwd), transcripts, mentions FROM projects ORDER BY cwd")
    assert found == [
        ("/", "/", 1, 0),
        ("ledger", "/home/me/ledger", 2, 0),
        ("ledger", "/home/you/ledger", 1, 0),
        ("site", "/srv/site", 1, 0),
    ]


def test_the_case_of_other_alphabets_is_no_difference_between_projects_either(house: Household) -> None:
    decomposed = "/home/me/U\u0308berblick"  # as a Mac spells it
    for number, cwd in enumerate(["/home/me/Überblick", "/home/me/ÜBERBLICK", decomposed, "/srv/Учёт"], 1):
        house.write(name_of(number), header(number, cwd=cwd) + talk(user("go")))
    house.write(name_of(5), talk(user("about УЧЁТ and überblick"), answer("yes")))
    house.catch_up()
    found = query(house.ledger_path, "SELECT project, transcripts, mentions FROM projects ORDER BY project")
    assert found == [("überblick", 4, 1), ("учёт", 2, 1)]


def test_a_session_without_a_directory_belongs_to_the_projects_it_speaks_of_first(house: Household) -> None:
    house.write(name_of(1), header(1, cwd="/home/me/my-ledger") + talk(user("go")))
    house.write(name_of(2), talk(user("look at ~/my-Ledger, please"), answer("which?")))
    house.write(name_of(3), talk(user("nothing of the sort, my-ledgers"), answer("well")))
    house.catch_up()
    found = query(house.ledger_path, "SELECT session_id, found_by FROM project_sessions ORDER BY session_id")
    assert found == [(session_id(1), "cwd"), (session_id(2), "mention")]
    assert query(house.ledger_path, "SELECT transcripts, mentions FROM projects") == [(2, 1)]


def test_what_was_done_to_the_context_is_told(house: Household) -> None:
    flush = talk(
        user("Pre-compaction memory flush. Store it."), call("a", name="write"), result("a"), answer("NO_REPLY")
    )
    summary = (
        b'{"type":"compaction","id":"cccccccc","parentId":"00000004","summary":"s","tokensBefore":9,"tokensAfter":4}\n'
    )
    house.write(name_of(1), header(1) + flush + summary)
    house.catch_up()
    told = """SELECT event, tokens_before, tokens_after, tool_call_count, status, text FROM compaction_history
        ORDER BY entry"""
    assert query(house.ledger_path, told) == [
        ("memory_flush", None, None, 1, "done", "NO_REPLY"),
        ("compaction", 9, 4, None, None, "s"),
    ]


ODD = {
    "parents that are not there": talk(user("one")) + talk(user("two"), first=7) + talk(answer("three"), first=8),
    "its own parent": talk(user("one")).replace(b'"parentId": null', b'"parentId": "00000001"'),
    "a circle": talk(user("one")).replace(b'"parentId": null', b'"parentId": "00000002"')
    + talk(answer("two"), first=2),
    "two headers": header(2) + talk(user("one"), answer("two")),
    "the same id with other content": talk(user("one")) + talk(user("other")) + talk(answer("two"), first=2),
    "no ids at all": b'{"type":"message","message":{"role":"user","content":"one"}}\n' * 3,
    "nothing but a header": b"",
    "lines of another kind": b'{"type":"unheard_of","id":"x"}\n[1]\nnot json\n{"message":{"role":7,"content":[7]}}\n',
}


@pytest.mark.parametrize("name", ODD)
def test_whatever_a_transcript_holds_every_view_can_be_read(house: Household, name: str) -> None:
    house.write(name_of(1), header(1) + ODD[name])
    house.catch_up()
    views = [view for (view,) in query(house.ledger_path, "SELECT name FROM sqlite_master WHERE type = 'view'")]
    assert {"conversation", "condensed", "session_tree", "projects"} <= set(views)
    for view in views:
        query(house.ledger_path, f"SELECT * FROM {view}")
    on_path = "SELECT count(*) FROM entries WHERE on_active_path = 1 AND superseded_in IS NULL"
    assert query(house.ledger_path, "SELECT count(*) FROM conversation") == query(house.ledger_path, on_path)
