"""`syncd usage`: what was used, for people and as JSON, beside a running daemon, and what it refuses."""

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.conftest import CHECKOUT, Cli
from tests.daemon.live import following, wait_for
from tests.mirror.household import Household, header, name_of, session_id
from tests.usage_corpus import answer, answers, result

SHARED = [
    "messages", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "total_tokens",
    "cost_total",
]  # fmt: skip
BERLIN_MIDNIGHT = 1_774_738_800_000
"""29 March 2026 begins in Berlin, 28 March 23:00 in UTC; it has 23 hours."""
HOUR = 3_600_000


def index(house: Household, **keys: str) -> None:
    entries = {f"agent:main:{key}": {"sessionId": found, "updatedAt": 1, "channel": key} for key, found in keys.items()}
    house.write("sessions.json", json.dumps(entries).encode())


def groups(cli: Cli, house: Household, *args: str) -> dict[str | None, int]:
    asked = cli("usage", *args, "--json", env=house.environ)
    assert (asked.exit_code, asked.stderr) == (0, "")
    return {row["group"]: row["messages"] for row in asked.json["rows"]}


def test_json_has_the_rows_of_the_contract_and_their_total(cli: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + answer(1) + answer(2, model="other", output=64))
    house.catch_up()
    asked = cli("usage", "--by", "model", "--json", env=house.environ)
    assert asked.json["by"] == "model"
    assert [row["group"] for row in asked.json["rows"]] == ["anthropic/other", "anthropic/claude-opus-4-5"]
    first = asked.json["rows"][0]
    assert [first[name] for name in SHARED] == [1, 102, 64, 7, 3, 176, 1.25]
    assert {name: asked.json["total"][name] for name in SHARED} == {
        name: sum(row[name] for row in asked.json["rows"]) for name in SHARED
    }
    assert (first["model_provider"], first["model"]) == ("anthropic", "other")


def test_every_grouping_sums_to_the_same_total(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + answers(1, 3))
    house.write(name_of(2), header(2) + answer(4, at=None))
    (house.sessions("ops") / name_of(3)).write_bytes(header(3) + answer(5))
    index(house, telegram=session_id(1))
    cli_in_process("run", "--once", env=house.environ)
    expected = {
        "day": {"2026-11-16": 5},
        "model": {"anthropic/claude-opus-4-5": 5},
        "agent": {"main": 4, "ops": 1},
        "channel": {"telegram": 3, None: 2},
        "session": {"agent:main:telegram": 3, session_id(2): 1, session_id(3): 1},
    }
    assert {by: groups(cli_in_process, house, "--by", by) for by in expected} == expected
    assert groups(cli_in_process, house, "--by", "session", "--agent", "ops") == {session_id(3): 1}


def test_all_the_ids_a_session_ever_had_are_one_session(cli_in_process: Cli, house: Household) -> None:
    for number in (1, 2):
        house.write(name_of(number), header(number) + answer(number))
        index(house, telegram=session_id(number))
        cli_in_process("run", "--once", env=house.environ)
    assert groups(cli_in_process, house, "--by", "session") == {"agent:main:telegram": 2}


def test_tools_have_calls_errors_and_durations_but_no_tokens(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + answer(1, calls=("exec", "read")) + result(1, "exec", is_error=True))
    house.catch_up()
    asked = cli_in_process("usage", "--by", "tool", "--json", env=house.environ).json
    assert asked["rows"][0] == {
        "group": "exec", "tool": "exec", "calls": 1, "errors": 1, "unanswered": 0, "duration_ms": 40,
        "mean_duration_ms": 40, "max_duration_ms": 40,
    }  # fmt: skip
    assert asked["total"] == {
        "calls": 2, "errors": 1, "unanswered": 1, "duration_ms": 40, "mean_duration_ms": 40, "max_duration_ms": 40,
    }  # fmt: skip


def test_days_are_those_of_the_zone_and_bounds_too(cli_in_process: Cli, house: Household) -> None:
    moments = [BERLIN_MIDNIGHT - 1, BERLIN_MIDNIGHT, BERLIN_MIDNIGHT + 23 * HOUR - 1, BERLIN_MIDNIGHT + 23 * HOUR]
    house.write(name_of(1), header(1) + b"".join(answer(n, at=at) for n, at in enumerate(moments, 1)))
    house.catch_up()
    assert groups(cli_in_process, house) == {"2026-03-28": 2, "2026-03-29": 2}
    berlin = ("--tz", "Europe/Berlin")
    assert groups(cli_in_process, house, *berlin) == {"2026-03-28": 1, "2026-03-29": 2, "2026-03-30": 1}
    day = ("--since", "2026-03-29", "--until", "2026-03-29")
    assert groups(cli_in_process, house, *berlin, *day) == {"2026-03-29": 2}
    assert groups(cli_in_process, house, *day) == {"2026-03-29": 2}
    assert groups(cli_in_process, house, "--since", "2026-03-29T22:00Z", "--by", "agent") == {"main": 1}


def test_an_answer_without_a_time_has_a_row_of_its_own(cli_in_process: Cli, house: Household) -> None:
    timeless = json.loads(answer(1, timestamp=None))
    del timeless["timestamp"]
    house.write(name_of(1), header(1) + json.dumps(timeless).encode() + b"\n" + answer(2))
    house.catch_up()
    assert groups(cli_in_process, house) == {"2026-11-16": 1, None: 1}
    assert groups(cli_in_process, house, "--tz", "Asia/Tokyo") == {"2026-11-16": 1, None: 1}
    assert "no time" in cli_in_process("usage", env=house.environ).stdout


def test_people_get_a_table_with_a_last_line_for_all(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + answer(1) + answer(2, model="other", output=1234))
    house.catch_up()
    lines = cli_in_process("usage", "--by", "model", env=house.environ).stdout.splitlines()
    heads = ["model", "messages", "input", "output", "cache", "read", "cache", "write", "total", "cost"]
    assert lines[0].split() == heads
    assert lines[2].split() == ["anthropic/other", "1", "102", "1,234", "7", "3", "1,346", "$19.53"]
    assert lines[-1].split()[:2] == ["all", "2"]
    assert not any("█" in line for line in lines)


@pytest.mark.parametrize(("language", "mark"), [("C.UTF-8", "█"), ("C", "#")])
def test_a_terminal_shows_bars(house: Household, language: str, mark: str) -> None:
    house.write(name_of(1), header(1) + answer(1, output=640) + answer(2, model="cheap", output=64))
    house.catch_up()
    ours, theirs = pty.openpty()
    env = {**os.environ, **house.environ, "PYTHONPATH": str(CHECKOUT), "COLUMNS": "200", "TERM": "xterm"}
    env |= {"LC_ALL": language, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with subprocess.Popen([sys.executable, "-m", "syncd", "usage", "--by", "model"], stdout=theirs, env=env):
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other side is closed
            pass
    os.close(ours)
    lines = shown.decode().splitlines()
    assert lines[2].rstrip().endswith(mark * 20)
    assert 0 < lines[3].count(mark) < 5


def test_nothing_used_is_said_and_is_no_error(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1))
    house.catch_up()
    assert cli_in_process("usage", env=house.environ).stdout == "nothing was used\n"
    empty = cli_in_process("usage", "--json", env=house.environ).json
    assert (empty["rows"], empty["total"]["messages"], empty["total"]["cost_total"]) == ([], 0, 0)
    assert cli_in_process("usage", "--by", "tool", env=house.environ).stdout == "no tool was called\n"


@pytest.mark.parametrize(
    ("args", "message", "hint"),
    [
        (("--tz", "Mars/Olympus"), "there is no time zone 'Mars/Olympus'", "Europe/Berlin"),
        (("--since", "last tuesday"), "'last tuesday' is no moment in time", "2026-03-29"),
        (("--until", "2026-02-30"), "'2026-02-30' is no moment in time", "2026-03-29"),
        (("--since", "2026-03-02", "--until", "2026-03-01"), "--since 2026-03-02 is not before", "exchange"),
        (("--agent", "nobody"), "the ledger knows no agent 'nobody'", "it knows: main"),
        (("--by", "moon"), "'moon' is not one of", "--help"),
    ],
)
def test_bad_input_is_a_clear_error(
    cli_in_process: Cli, house: Household, args: tuple[str, ...], message: str, hint: str
) -> None:
    house.write(name_of(1), header(1) + answer(1))
    house.catch_up()
    asked = cli_in_process("usage", *args, "--json", env=house.environ)
    assert asked.exit_code == 2
    assert asked.json["error"]["type"] == "usage"
    assert message in asked.json["error"]["message"]
    assert hint in asked.json["error"]["hint"]


def test_without_a_ledger_it_says_how_to_get_one(cli_in_process: Cli, house: Household) -> None:
    asked = cli_in_process("usage", env=house.environ)
    assert (asked.exit_code, asked.stdout) == (1, "")
    assert "syncd run --once" in asked.stderr


def test_beside_the_daemon_it_counts_what_came_a_moment_ago(cli_in_process: Cli, house: Household) -> None:
    house.write(name_of(1), header(1) + answer(1))
    with following(house):
        wait_for(lambda: groups(cli_in_process, house, "--by", "agent") == {"main": 1})
        house.append(name_of(1), answers(2, 3))
        wait_for(lambda: groups(cli_in_process, house, "--by", "agent") == {"main": 3})
        house.write(name_of(2), header(2, parentSession=f"/x/{name_of(1)}") + answers(1, 3))
        house.append(name_of(2), answer(4))
        wait_for(lambda: groups(cli_in_process, house, "--by", "agent") == {"main": 4})
        house.append(name_of(1), answer(4) + answer(5))
        wait_for(lambda: groups(cli_in_process, house, "--by", "agent") == {"main": 5})
