"""`syncd show`: what a person reads is what OpenClaw has, on every branch, in every generation, and harmless."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from syncd.openclaw.tool_results import MISSING_TEXT
from tests.cli.reading import Syncd, index, mirrored, reader, take_in
from tests.conftest import CHECKOUT, Cli
from tests.mirror.household import (
    Household,
    header,
    line,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)

EXPECTED = CHECKOUT / "tests/data/openclaw/contexts-of-genuine-files.jsonl"
"""Leaf, branch and context of every genuine transcript, as its own release's SessionManager tells them."""


def cases(release: str) -> list[dict[str, Any]]:
    found = [json.loads(text) for text in EXPECTED.read_text().splitlines()]
    return [case for case in found if case["release"] == release]


@pytest.mark.parametrize("release", ["2026.5.7", "2026.7.1"])
def test_path_and_context_of_every_genuine_file_are_those_its_release_computes(
    cli_in_process: Cli, tmp_path_factory: pytest.TempPathFactory, release: str
) -> None:
    run = reader(cli_in_process, mirrored(tmp_path_factory, release))
    assert len(cases(release)) >= 15
    for case in cases(release):
        shown = run("show", case["path"], "--json").json
        assert [entry["entry_id"] for entry in shown["entries"]] == case["branch"], case["path"]
        assert shown["session"]["leaf_entry_id"] == case["leaf"]
        given = run("show", case["path"], "--context", "--json").json["entries"]
        for entry, expected in zip(given, case["context"]["messages"], strict=True):
            if isinstance(expected, str):
                assert entry["entry_id"] == expected
            else:
                assert (entry["role"], entry["at"]) == (expected["role"], expected["timestamp"])
                assert entry["text"] in (expected.get("summary"), expected.get("content"))


def test_a_conversation_reads_as_one(syncd: Syncd) -> None:
    shown = syncd("show", "agent:main:telegram:direct:4242")
    assert (shown.exit_code, shown.stderr) == (0, "")
    lines = shown.stdout.splitlines()
    assert lines[0] == "agent:main:telegram:direct:4242  Alex"
    assert lines[3:10] == [
        "user  2026-11-16 04:18:31",
        "  Read both files, please",
        "",
        "assistant  2026-11-16 04:18:31  anthropic/claude-stub",
        "  Reading.",
        "  → read a.txt",
        "  → exec cat b.txt",
    ]
    assert lines[lines.index("  ✗ exec") + 1] == "  no such file"
    assert any(line.startswith("  … 306") and line.endswith("more characters: --full") for line in lines)
    assert len(syncd("show", "4242", "--full").stdout) > 307_000


def test_the_document_has_what_the_contract_names_and_more(syncd: Syncd) -> None:
    document = syncd("show", "4242", "--json").json
    assert document["session"]["session_key"] == "agent:main:telegram:direct:4242"
    first, answer, result, failed, *_ = document["entries"]
    assert {"id", "entry_id", "type", "role", "text", "at"} <= first.keys()
    assert (first["role"], first["text"]) == ("user", "Read both files, please")
    assert [call["argument"] for call in answer["tool_calls"]] == ["a.txt", "cat b.txt"]
    assert (result["tool_name"], result["text"], result["is_error"]) == ("read", "contents of a", False)
    assert failed["is_error"] is True
    big = next(entry for entry in document["entries"] if entry["is_cut"])
    whole = next(
        entry for entry in syncd("show", "4242", "--full", "--json").json["entries"] if entry["id"] == big["id"]
    )
    assert whole["text"].startswith(big["text"])
    assert (len(big["text"]), len(whole["text"])) == (2000, 307_200)


def test_a_branch_that_was_left_is_shown_up_to_its_entry(syncd: Syncd) -> None:
    other = syncd("show", "branchy", "--branch", "3d9b701f").stdout
    assert "A different second answer" in other
    assert "Third question" not in other
    assert "A different second answer" not in syncd("show", "branchy").stdout
    assert syncd("show", "branchy", "--branch", "3d9b").stdout == other
    unknown = syncd("show", "branchy", "--branch", "ffff", "--json")
    assert (unknown.exit_code, unknown.json["error"]["type"]) == (2, "usage")
    assert "syncd tree" in unknown.json["error"]["hint"]
    everything = syncd("show", "branchy", "--all").stdout
    assert everything.index("A different second answer") < everything.index("Third question")


def test_repaired_pairs_results_and_makes_up_what_is_missing(syncd: Syncd) -> None:
    last = syncd("show", "4242", "--repaired", "--json").json["entries"][-1]
    assert (last["id"], last["role"], last["text"], last["is_made_up"]) == (
        None, "toolResult", MISSING_TEXT, True,
    )  # fmt: skip
    assert "made up: OpenClaw would send this" in syncd("show", "4242", "--repaired", "-n", "1").stdout
    assert MISSING_TEXT not in syncd("show", "4242").stdout


def entry(number: int, **said: object) -> bytes:
    parent = f"{number - 1:08x}" if number > 1 else None
    return line({"type": "message", "id": f"{number:08x}", "parentId": parent, "message": said})


def test_calls_broken_off_are_read_but_not_sent(cli_in_process: Cli, house: Household) -> None:
    whole = {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a"}}
    partly = {"type": "toolCall", "id": "c2", "name": "exec", "arguments": {}, "partialJson": '{"comm'}
    house.write(
        name_of(1),
        header(1)
        + entry(1, role="assistant", content=[whole, partly], stopReason="toolUse")
        + entry(2, role="toolResult", toolCallId="c1", toolName="read", content="read it")
        + entry(3, role="assistant", content=[{**whole, "id": "c3"}], stopReason="aborted")
        + entry(4, role="bashExecution", command="ls", output="secret", excludeFromContext=True),
    )
    house.catch_up()
    run = reader(cli_in_process, house)
    assert len(run("show", session_id(1), "--json").json["entries"]) == 4
    answer, result, command = run("show", session_id(1), "--repaired", "--json").json["entries"]
    assert (answer["role"], [call["name"] for call in answer["tool_calls"]]) == ("assistant", ["read"])
    assert (result["entry_id"], command["entry_id"]) == ("00000002", "00000004")
    given = run("show", session_id(1), "--context", "--repaired", "--json").json["entries"]
    assert [each["entry_id"] for each in given] == ["00000001", "00000002"]


def test_results_far_from_their_call_are_read_right_after_it(cli_in_process: Cli, house: Household) -> None:
    call = [{"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a"}}]
    result = {"role": "toolResult", "toolCallId": "c1", "toolName": "read", "isError": False}
    house.write(
        name_of(1),
        header(1)
        + entry(1, role="assistant", content=call, stopReason="toolUse")
        + entry(2, role="user", content="meanwhile")
        + entry(3, **result, content=[{"type": "text", "text": "first"}])
        + entry(4, **result, content=[{"type": "text", "text": "again"}]),
    )
    house.catch_up()
    run = reader(cli_in_process, house)
    written = [each["entry_id"] for each in run("show", session_id(1), "--json").json["entries"]]
    sent = [each["entry_id"] for each in run("show", session_id(1), "--repaired", "--json").json["entries"]]
    assert written == ["00000001", "00000002", "00000003", "00000004"]
    assert sent == ["00000001", "00000003", "00000002"]


def test_earlier_generations_can_be_read(cli_in_process: Cli, house: Household) -> None:
    run = reader(cli_in_process, house)
    for text in ("before", "after"):
        house.write(name_of(1), header(1) + message(1) + message(2, f"said {text}"))
        house.catch_up()
    assert "said after" in run("show", session_id(1)).stdout
    former = run("show", session_id(1), "--generation", "1").stdout
    assert "said before" in former
    assert "said after" not in former
    assert run("show", session_id(1), "--generation", "3").exit_code == 2


def test_what_was_said_has_no_power_over_the_terminal(cli_in_process: Cli, house: Household) -> None:
    evil = "\x1b[2J\x1b]0;title\x07 \x9b31m \u202eback\u2066 \x00 \r\n a\rb \x08"
    house.write(name_of(1), header(1, cwd="/\x1b[31m") + message(1, evil) + message(2, evil, "assistant"))
    index(house, s1={"key": "agent:main:\x1b[2J", "label": evil})
    take_in(house)
    run = reader(cli_in_process, house)
    for verb in ("show", "show --full", "tree", "export --format html", "export --format markdown"):
        shown = run(*verb.split(), session_id(1)).stdout
        assert "[2J" in shown
        assert not set(shown) & set("\x1b\x07\x9b\u202e\u2066\x00\r\x08"), verb
    for verb in ("sessions", "search back", "search 2J"):
        assert not set(run(*verb.split()).stdout) & set("\x1b\x07\x9b\u202e\u2066\x00\r\x08"), verb


def test_on_a_terminal_it_goes_through_the_pager_in_colour(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    house = mirrored(tmp_path_factory, "2026.7.1")
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\nexec cat > {tmp_path}/paged\n")
    pager.chmod(0o700)
    terminal, ours = os.openpty()
    env = {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT), "PAGER": str(pager), "TERM": "xterm"}
    for verb in ("show", "tree"):
        command = [sys.executable, "-m", "syncd", verb, "branchy"]
        done = subprocess.run(command, stdin=ours, stdout=ours, env=env, check=False)
        paged = (tmp_path / "paged").read_text()
        assert done.returncode == 0
        assert "Third question" in paged
        assert "\x1b[1m" in paged
    os.close(terminal)
    os.close(ours)


def test_secrets_are_masked_when_asked(cli_in_process: Cli, house: Household) -> None:
    secret = "gh" + "p_" + "a1B2c3D4" * 5
    house.write(name_of(1), header(1) + message(1, f"use {secret}"))
    house.catch_up()
    run = reader(cli_in_process, house)
    assert secret in run("show", session_id(1)).stdout
    assert secret not in run("show", session_id(1), "--redact").stdout
    assert run("show", session_id(1), "--redact", "--json").json["entries"][0]["text"] == "use [redacted: github token]"


def test_secrets_are_masked_wherever_they_stand(cli_in_process: Cli, house: Household) -> None:
    secret = "gh" + "p_" + "a1B2c3D4" * 5
    told = {"role": "assistant", "content": [], "stopReason": "error", "errorMessage": f"bad key {secret}"}
    custom = {"type": "custom_message", "id": "0000000c", "parentId": None, "customType": secret, "content": "x"}
    answer = {"type": "message", "id": "0000000b", "parentId": "00000001", "message": told}
    house.write(name_of(1), header(1) + message(1, f"use {secret}") + line(answer) + line(custom))
    entry = {"agent:main:direct:k": {"sessionId": session_id(1), "updatedAt": 1794802930000}}
    house.write("sessions.json", json.dumps(entry).encode())
    take_in(house)
    run = reader(cli_in_process, house)
    for options in (["--full"], ["--json"], ["--full", "--json"], ["--branch", "0000000b"]):
        assert secret in run("show", session_id(1), *options).stdout
        assert secret not in run("show", session_id(1), *options, "--redact").stdout


@pytest.mark.parametrize(
    "lines",
    [
        messages(5, 7),  # no header, and a parent that is not there
        transcript(1, 2) + header(1) + message(3),  # two headers
        header(1) + message(2) + message(1) + message(2, "again"),  # ids twice, parents that come later
        header(1) + line({"type": "message", "id": "a", "parentId": "a", "message": {"role": "user", "content": "x"}}),
        header(1) + line({"type": "message", "id": 7, "parentId": [], "message": "no object"}) + line({"type": "odd"}),
        header(1) + line({"runId": "r", "seq": 1, "stream": "assistant", "ts": 1, "data": {}}),
        header(1) + b"{torn\n" + line({"type": "compaction", "id": "c", "parentId": None}),
        header(1),
        b"",
    ],
)
def test_odd_transcripts_are_read_drawn_and_exported_without_a_crash(
    cli_in_process: Cli, house: Household, lines: bytes
) -> None:
    house.write(name_of(1), lines)
    house.catch_up()
    run = reader(cli_in_process, house)
    names = ("show", "tree", "export --format html", "export --format markdown")
    for verb in (*names, "show --context", "show --repaired", "show --all --full", "tree --full"):
        for more in ([], ["--json"])[: 1 if verb.startswith("export") else 2]:
            done = run(*verb.split(), name_of(1), *more)
            assert done.exit_code == 0, (verb, done.stderr)
            assert "internal" not in done.stdout


def test_options_that_exclude_each_other_are_a_usage_error(syncd: Syncd) -> None:
    assert syncd("show").exit_code == 2
    assert syncd("show", "4242", "--all", "--context").exit_code == 2
    assert syncd("show", "4242", "-n", "0").exit_code == 2
    assert len(syncd("show", "4242", "-n", "2", "--json").json["entries"]) == 2


def test_a_file_that_no_index_knows_has_the_title_of_its_first_words(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + message(1, "where the tulips are"))
    house.catch_up()
    run = reader(cli_in_process, house)
    assert run("show", session_id(1), "--json").json["session"]["title"] == "where the tulips are"
    assert run("search", "tulips", "--json").json["hits"][0]["title"] == "where the tulips are"
    assert "where the tulips are" in run("tree", session_id(1)).stdout.splitlines()[0]


def test_no_name_makes_lines_of_its_own(cli_in_process: Cli, house: Household) -> None:
    name = "x\nuser  2026-01-01 00:00:00\n  never said"
    call = {"type": "toolCall", "id": "c", "name": name, "arguments": {"a": 1, name: 2}}
    told: list[dict[str, object]] = [
        {
            "role": "assistant",
            "model": name,
            "provider": name,
            "content": [call],
            "errorMessage": "e",
            "stopReason": name,
        },
        {"role": "toolResult", "toolName": name, "content": name},
        {"role": name, "content": "hm"},
    ]
    lines = b"".join(line({"type": "message", "id": f"m{n}", "message": each}) for n, each in enumerate(told))
    house.write(name_of(1), header(1, cwd=name) + message(1, "said") + lines)
    index(house, s1={"key": f"agent:main:{name}"})
    take_in(house)
    for more in ([], ["--full"]):
        shown = reader(cli_in_process, house)("show", session_id(1), "--all", *more).stdout.split("\n")
        assert "  said" in shown
        assert not [each for each in shown if each.startswith("user  2026-01-01")]
