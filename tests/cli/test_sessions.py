"""`syncd sessions`: every session, what OpenClaw removed, and files that no index knows; filtered, sorted, bounded."""

import json

import pytest

from tests.cli.reading import Syncd, index, reader, take_in
from tests.conftest import Cli
from tests.mirror.household import RESET_TIME, Household, header, message, name_of, session_id, transcript

RUN = "0c000000-0000-4000-8000-00000000000c"


def keys(syncd: Syncd, *args: str) -> list[str]:
    return [row["session_key"] for row in syncd("sessions", "--json", *args).json["sessions"]]


def test_every_row_of_the_table_is_listed_with_all_its_columns(syncd: Syncd) -> None:
    listed = syncd("sessions", "--json").json
    table = syncd("sql", "--json", "SELECT * FROM sessions ORDER BY updated_at DESC").json
    assert len(table) == listed["total"] == 12
    for row, expected in zip(listed["sessions"], table, strict=True):
        assert {name: row[name] for name in expected} == expected
    alex = next(row for row in listed["sessions"] if row["session_key"] == "agent:main:telegram:direct:4242")
    assert (alex["first_user_message"], alex["last_user_message"]) == (
        "Read both files, please", "And one that never returns",
    )  # fmt: skip
    assert alex["bytes"] > 300_000


def test_files_that_no_index_knows_are_listed_apart_once_each(syncd: Syncd) -> None:
    lost = {row["session_id"][:8]: row for row in syncd("sessions", "--json").json["transcripts"]}
    assert lost.keys() == {"0a000004", "0a000009", "7e43ba47"}
    assert lost["0a000009"]["transcript_state"] == "archived"
    assert lost["0a000009"]["first_user_message"] == lost["0a000009"]["title"] == "Delete me"
    shown = syncd("sessions").stdout
    assert "0a000009-0000-4000-8000-000000000009" in shown
    assert "agent:main:direct:branchy" in shown


def test_filters_leave_only_what_was_asked_for(syncd: Syncd) -> None:
    assert set(keys(syncd, "--agent", "ops")) == {"agent:ops:main", "agent:ops:discord:channel:99"}
    assert keys(syncd, "--channel", "Telegram")
    assert all(":telegram:" in key for key in keys(syncd, "--channel", "telegram"))
    assert len(keys(syncd, "--project", "HOME/CLAW")) == 12
    assert keys(syncd, "--project", "nowhere") == []
    assert keys(syncd, "--removed") == []
    assert keys(syncd, "--since", "2030-01-01") == []
    assert len(keys(syncd, "--since", "2026-11-16T04:00Z")) == 12
    assert keys(syncd, "--limit", "1") == keys(syncd)[:1]
    none = syncd("sessions", "--agent", "nobody")
    assert (none.exit_code, none.stdout) == (0, "no session is known like that\n")


def test_a_cut_list_says_so(syncd: Syncd) -> None:
    cut = syncd("sessions", "--limit", "2")
    assert cut.stderr == "2 of 15 sessions; more with --limit\n"
    assert syncd("sessions", "--limit", "2", "--json").stderr == "2 of 12 sessions; more with --limit\n"
    assert len(cut.stdout.splitlines()) == 4


def test_sessions_of_one_id_under_two_agents_are_two_in_the_total_as_in_the_list(
    cli_in_process: Cli, house: Household
) -> None:
    for agent in ("main", "ops"):
        for number in (1, 2):
            (house.sessions(agent) / name_of(number)).write_bytes(transcript(number, 2) + message(3, agent))
    take_in(house)
    run = reader(cli_in_process, house)
    assert len(run("sessions", "--json").json["transcripts"]) == 4
    assert run("sessions", "--limit", "3").stderr == "3 of 4 sessions; more with --limit\n"


def test_a_screen_has_fewer_of_many_sessions_than_a_program(syncd: Syncd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("syncd.cli.sessions._LISTED", 5)
    monkeypatch.setattr("syncd.cli.sessions._LISTED_AS_JSON", 11)
    assert syncd("sessions").stderr == "5 of 15 sessions; more with --limit\n"
    told = syncd("sessions", "--json")
    assert (len(told.json["sessions"]), told.json["total"]) == (11, 12)


@pytest.mark.parametrize("bad", [["--since", "soon"], ["--sort", "colour"], ["--limit", "0"]])
def test_senseless_options_are_a_usage_error(syncd: Syncd, bad: list[str]) -> None:
    assert syncd("sessions", *bad, "--json").exit_code == 2


def test_lists_are_sorted_as_asked(cli_in_process: Cli, house: Household) -> None:
    for number, count in ((1, 2), (2, 9), (3, 5)):
        house.write(name_of(number), transcript(number, count))
    index(house, s1={"displayName": "beta"}, s2={"displayName": "Alpha"}, s3={"displayName": "gamma"})
    take_in(house)
    run = reader(cli_in_process, house)
    order = {"recent": "321", "size": "231", "title": "213"}
    for sort, expected in order.items():
        assert keys(run, "--sort", sort) == [f"agent:main:direct:{number}" for number in expected]
        shown = run("sessions", "--sort", sort).stdout.splitlines()[2:]
        assert [line.split()[0][-1] for line in shown] == list(expected)


def test_what_is_pinned_in_openclaw_is_marked(cli_in_process: Cli, house: Household) -> None:
    index(house, s1={"pinnedAt": 1_794_802_930_123}, s2={"pinnedAt": "nonsense"}, s3={})
    take_in(house)
    run = reader(cli_in_process, house)
    rows = run("sessions", "--sort", "created", "--json").json["sessions"]
    pinned = {row["session_id"]: row["openclaw_pinned_at"] for row in rows}
    assert pinned == {session_id(1): 1_794_802_930_123, session_id(2): None, session_id(3): None}
    assert [line for line in run("sessions").stdout.splitlines() if ", pinned" in line and "direct:1" in line]
    assert run("sessions").stdout.count(", pinned") == 1


def test_what_openclaw_removed_is_marked_and_can_be_asked_for(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), transcript(1, 1))
    house.write(name_of(2), transcript(2, 1))
    index(house, s1={}, s2={})
    take_in(house)
    house.rename(name_of(2), f"{name_of(2)}.deleted.{RESET_TIME}")
    index(house, s1={})
    take_in(house)
    run = reader(cli_in_process, house)
    assert keys(run, "--removed") == ["agent:main:direct:2"]
    (row,) = run("sessions", "--removed", "--json").json["sessions"]
    assert (row["status"], row["transcript_state"], row["first_user_message"]) == (
        "removed", "archived", "what was said as number 1",
    )  # fmt: skip
    assert "removed" in run("sessions").stdout
    assert run("show", "direct:2").exit_code == 0


def test_the_last_message_is_that_of_the_conversation_as_it_stands(cli_in_process: Cli, house: Household) -> None:
    lines = header(1) + message(1, "first") + message(2, "an answer", "assistant") + message(3, "x" * 5000)
    house.write(name_of(1), lines + message(4, "the end", "assistant"))
    index(house, s1={})
    take_in(house)
    (row,) = reader(cli_in_process, house)("sessions", "--json").json["sessions"]
    assert (row["first_user_message"], row["last_user_message"]) == ("first", "x" * 300)


def test_a_session_without_a_file_yet_is_listed_and_says_so_when_opened(cli_in_process: Cli, house: Household) -> None:
    index(house, s1={"key": "agent:main:soon"})
    take_in(house)
    run = reader(cli_in_process, house)
    (row,) = run("sessions", "--json").json["sessions"]
    assert (row["transcript_id"], row["bytes"], row["first_user_message"]) == (None, 0, None)
    opened = run("show", "agent:main:soon")
    assert (opened.exit_code, opened.stderr.splitlines()[0]) == (1, "error: agent:main:soon has no transcript")
    assert "`syncd run --once` says why" in opened.stderr, "the file may be there, and closed to us"


def test_an_empty_ledger_lists_nothing(cli_in_process: Cli, house: Household) -> None:
    run = reader(cli_in_process, house)
    assert run("sessions", "--json").json["error"]["type"] == "ledger"
    house.catch_up()
    assert run("sessions", "--json").json == {
        "sessions": [], "total": 0, "transcripts": [], "transcripts_total": 0,
    }  # fmt: skip
    assert run("sessions").stdout == "no session is known like that\n"


def test_heartbeats_are_nobodys_message_and_mentions_name_a_project(cli_in_process: Cli, house: Household) -> None:
    poll = "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks "
    poll += "from prior chats. If nothing needs attention, reply HEARTBEAT_OK."
    said = (
        message(1, "hello") + message(2, "hi", "assistant") + message(3, poll) + message(4, "HEARTBEAT_OK", "assistant")
    )
    house.write(name_of(1), header(1, cwd="/home/someone/Greenhouse") + said)
    house.write(
        name_of(2), header(2, cwd=None) + message(1, "water the greenhouse , please") + message(2, "ok", "assistant")
    )
    index(house, s1={}, s2={})
    take_in(house)
    run = reader(cli_in_process, house)
    rows = {row["session_key"]: row for row in run("sessions", "--json").json["sessions"]}
    assert rows["agent:main:direct:1"]["last_user_message"] == "hello"
    assert set(keys(run, "--project", "GREENH")) == set(rows)


# Which session is meant


def test_a_session_is_meant_by_key_end_of_key_id_start_or_title(syncd: Syncd) -> None:
    for name, expected in {
        "agent:main:telegram:direct:4242": "0a000002",
        "telegram:direct:4242": "0a000002",
        "4242": "0a000002",
        "0a000002-0000-4000-8000-000000000002": "0a000002",
        "0a000002": "0a000002",
        "agent:main:telegram:d": "0a000002",
        "AGENT:MAIN:TELEGRAM:D": "0a000002",
        "alex": "0a000002",
        "Garden ✿": "0a000001",
        "0a000009": "0a000009",
        "delete me": "0a000009",
        "7e43": "7e43ba47",
    }.items():
        shown = syncd("show", name, "--json").json
        assert shown["session"]["session_id"].startswith(expected), name


@pytest.mark.parametrize("verb", ["show", "tree", "export"])
def test_a_name_of_several_lists_them_with_what_tells_them_apart(syncd: Syncd, verb: str) -> None:
    asked = syncd(verb, "nightly")
    assert (asked.exit_code, asked.stdout) == (2, "")
    error, *listed, hint = asked.stderr.splitlines()
    assert error == "error: nightly can mean 2 sessions:"
    assert sorted(listed) == [
        "  0a000006-0000-4000-8000-000000000006  agent:main:cron:job-1  Cron: nightly",
        f"  0a000007-0000-4000-8000-000000000007  agent:main:cron:job-1:run:{RUN}  Cron: nightly",
    ]
    assert hint == "hint: give more of the key or the id"
    if verb != "export":
        error = syncd(verb, "nightly", "--json").json["error"]
        assert error["type"] == "ambiguous"
        assert {each["session_key"] for each in error["candidates"]} == {line.split()[1] for line in listed}


@pytest.mark.parametrize("verb", ["show", "tree", "export"])
@pytest.mark.parametrize("name", ["zzz", "%", "_", "'; DROP TABLE sessions; --", "\udcff", " ", "agent:main:mainx"])
def test_an_unknown_name_says_so_and_names_the_list(syncd: Syncd, verb: str, name: str) -> None:
    unknown = syncd(verb, name)
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert unknown.stderr.startswith("error: no session or transcript is known as ")
    assert "`syncd sessions`" in unknown.stderr


def test_a_key_that_was_reset_means_the_present_session_and_the_old_id_the_old_one(
    cli_in_process: Cli, house: Household
) -> None:
    key = {"key": "agent:main:main"}
    house.write(name_of(1), transcript(1, 1))
    index(house, s1=key)
    take_in(house)
    house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    house.write(name_of(2), transcript(2, 2))
    index(house, s2=key)
    take_in(house)
    run = reader(cli_in_process, house)
    assert run("show", "agent:main:main", "--json").json["session"]["session_id"] == session_id(2)
    for name in (session_id(1), session_id(1)[:8]):
        old = run("show", name, "--json").json["session"]
        assert (old["session_id"], old["session_key"], old["state"]) == (session_id(1), "agent:main:main", "archived")
    assert [row["session_id"] for row in run("sessions", "--json").json["sessions"]] == [session_id(2)]
    assert run("sessions", "--json").json["transcripts"] == []


def test_topics_that_share_an_id_are_told_apart_by_the_file_the_index_names(
    cli_in_process: Cli, house: Household
) -> None:
    one = house.write(name_of(1), transcript(1, 1))
    topic = house.write(f"{session_id(1)}-topic-7.jsonl", transcript(1, 3))
    entries = {
        "agent:main:a": {"sessionId": session_id(1), "updatedAt": 1, "sessionFile": str(one)},
        "agent:main:b": {"sessionId": session_id(1), "updatedAt": 2, "sessionFile": str(topic)},
    }
    house.write("sessions.json", json.dumps(entries).encode())
    take_in(house)
    run = reader(cli_in_process, house)
    for key, path in (("agent:main:a", one), ("agent:main:b", topic)):
        assert run("export", key).stdout_bytes == path.read_bytes()
    assert run("show", session_id(1), "--json").json["error"]["type"] == "ambiguous"


def test_verify_and_resync_take_the_same_names(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), transcript(1, 1))
    house.write(name_of(2), transcript(2, 1))
    index(house, s1={"label": "the garden"}, s2={"label": "the kitchen"})
    take_in(house)
    run = reader(cli_in_process, house)
    house.append(name_of(2), message(2))
    for name, ok in (("garden", True), ("direct:1", True), ("kitchen", False), (session_id(2)[:9], False)):
        assert run("verify", "--session", name, "--json").json["ok"] is ok, name
    several = run("verify", "--session", "the", "--json")
    assert (several.exit_code, several.json["error"]["type"]) == (2, "ambiguous")
    assert run("resync", "--session", "kitchen", "--json").json["lines"] == 1
    assert run("verify", "--json").json["ok"] is True


def test_without_a_working_directory_the_first_messages_tell_the_project(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), message(1, "please look at ~/src/Ledger-Work today"))
    index(house, n1={})
    take_in(house)
    assert keys(reader(cli_in_process, house), "--project", "LEDGER-work") == ["agent:main:direct:1"]
    assert keys(reader(cli_in_process, house), "--project", "other") == []


def test_projects_and_titles_are_found_whatever_the_case_of_any_alphabet(cli_in_process: Cli, house: Household) -> None:
    for number, cwd in enumerate(("/srv/Überblick", "/srv/other"), 1):
        house.write(name_of(number), header(number, cwd=cwd) + message(1, f"Ärger {number}"))
    house.catch_up()
    run = reader(cli_in_process, house)
    listed = run("sessions", "--project", "ÜBERBLICK", "--json").json["transcripts"]
    assert [row["session_id"] for row in listed] == [session_id(1)]
    assert run("show", "äRGER 2", "--json").json["session"]["session_id"] == session_id(2)


def test_an_agent_nobody_knows_and_numbers_beyond_all_are_told(syncd: Syncd) -> None:
    assert "it knows: main, ops" in syncd("sessions", "--agent", "MAIN").stderr
    named = (("export", "4242", "--generation"), ("show", "4242", "-n"))
    for verb in (("sessions", "--limit"), ("show", "--transcript"), ("tree", "--transcript"), *named):
        refused = syncd(*verb, str(10**30))
        assert refused.exit_code == 2
        assert "is more than there can be" in refused.stderr
