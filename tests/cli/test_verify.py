"""`syncd verify`: equal means equal, and every way to differ is named by file, generation and offset."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.quick import Syncd, quick_household, syncd
from tests.conftest import Cli
from tests.mirror.household import (
    RESET_TIME,
    Household,
    compressed,
    header,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror_checks import assert_untouched, snapshot

PROMISED = {"ok", "transcripts", "bytes", "differences"}


@pytest.fixture
def house(tmp_path: Path) -> Household:
    house = quick_household(tmp_path)
    house.write(name_of(1), transcript(1, 4))
    house.write(name_of(2), transcript(2, 2))
    return house


@pytest.fixture
def run(cli_in_process: Cli, house: Household) -> Syncd:
    run = syncd(cli_in_process, house)
    assert run("run", "--once").exit_code == 0
    return run


def difference(path: Path, offset: int, reason: str, generation: int = 1) -> dict[str, object]:
    return {"path": str(path), "generation": generation, "offset": offset, "reason": reason}


def test_equal_is_ok_with_what_was_compared(run: Syncd, house: Household) -> None:
    done = run("verify", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.json.keys() >= PROMISED
    size = len(transcript(1, 4) + transcript(2, 2))
    assert [done.json[name] for name in ("ok", "transcripts", "bytes", "differences")] == [True, 2, size, []]
    assert run("verify").stdout.startswith(f"2 transcripts, {size} bytes compared in ")
    assert run("verify").stdout.endswith(" s: equal\n")


@pytest.mark.parametrize("at", [0, 1, len(header(1)), len(transcript(1, 2)) + 40, len(transcript(1, 4)) - 1])
def test_a_changed_byte_is_named_by_its_offset(run: Syncd, house: Household, at: int) -> None:
    path = house.path(name_of(1))
    old = path.read_bytes()[at : at + 1]
    house.put(name_of(1), b"#" if old != b"#" else b"+", at)
    done = run("verify", "--json")
    assert (done.exit_code, done.json["ok"]) == (1, False)
    assert done.json["differences"] == [difference(path, at, "bytes differ")]
    assert (done.json["transcripts"], done.json["bytes"]) == (2, len(transcript(2, 2)))


def test_the_generation_is_that_of_the_ledger(run: Syncd, house: Household) -> None:
    path = house.write(name_of(1), header(1) + messages(2, 4))
    run("run", "--once")
    house.put(name_of(1), b"#", 200)
    assert run("verify", "--json").json["differences"] == [difference(path, 200, "bytes differ", generation=2)]
    shown = run("verify")
    assert shown.exit_code == 1
    assert f"{path}: generation 2, offset 200: bytes differ\n" in shown.stdout
    assert shown.stdout.endswith(" s: 1 difference\n")


@pytest.mark.parametrize("size", [0, 10, len(transcript(1, 3))])
def test_a_truncated_file_is_shorter(run: Syncd, house: Household, size: int) -> None:
    path = house.truncate(name_of(1), size)
    assert run("verify", "--json").json["differences"] == [difference(path, size, "the file is shorter")]


def test_lines_that_came_since_make_it_longer_and_an_unfinished_one_does_not(run: Syncd, house: Household) -> None:
    path = house.append(name_of(1), message(5)[:-1])
    assert run("verify", "--json").json["ok"] is True
    house.append(name_of(1), b"\n")
    expected = difference(path, len(transcript(1, 4)), "the file is longer")
    assert run("verify", "--json").json["differences"] == [expected]


def test_a_file_the_ledger_never_saw_is_a_difference_once_it_has_a_line(run: Syncd, house: Household) -> None:
    path = house.write(name_of(3), b"")
    assert run("verify", "--json").json["ok"] is True
    house.append(name_of(3), header(3)[:-1])
    assert run("verify", "--json").json["ok"] is True
    house.append(name_of(3), b"\n")
    assert run("verify", "--json").json["differences"] == [difference(path, 0, "not taken in yet", generation=0)]


def test_an_archive_is_compared_to_its_last_byte(run: Syncd, house: Household) -> None:
    path = house.rename(name_of(1), f"{name_of(1)}.reset.{RESET_TIME}")
    run("run", "--once")
    house.append(path.name, b"more")
    assert run("verify", "--json").json["differences"] == [
        difference(path, len(transcript(1, 4)), "the file is longer")
    ]


def test_a_compressed_archive_is_compared_as_what_it_holds(run: Syncd, house: Household) -> None:
    content = transcript(3, 200)
    path = house.write(f"{name_of(3)}.deleted.{RESET_TIME}.zst", compressed(content))
    run("run", "--once")
    assert run("verify", "--json").json["bytes"] == len(content + transcript(1, 4) + transcript(2, 2))
    at = len(content) - 20
    house.write(path.name, compressed(content[:at] + b"#" + content[at + 1 :]))
    assert run("verify", "--json").json["differences"] == [difference(path, at, "bytes differ")]
    house.write(path.name, compressed(content[:at]))
    assert run("verify", "--json").json["differences"] == [difference(path, at, "the file is shorter")]


def test_a_damaged_archive_is_named(run: Syncd, house: Household) -> None:
    path = house.write(f"{name_of(3)}.deleted.{RESET_TIME}.zst", b"no archive at all")
    (found,) = run("verify", "--json").json["differences"]
    assert found["path"] == str(path)
    assert found["reason"].startswith("archive is damaged")


def test_what_is_gone_from_the_disk_is_a_difference_until_the_ledger_knows(run: Syncd, house: Household) -> None:
    path = house.path(name_of(1))
    path.unlink()
    done = run("verify", "--json")
    assert (done.exit_code, done.json["transcripts"]) == (1, 1)
    assert done.json["differences"] == [difference(path, 0, "the file is gone since it was taken in")]
    assert run("verify", "--session", session_id(2), "--json").json["ok"] is True
    assert run("resync").exit_code == 0
    assert run("verify", "--json").json["ok"] is True


def test_help_says_what_is_compared_and_what_is_not(run: Syncd) -> None:
    shown = " ".join(run("verify", "--help").stdout.split())
    assert "raw bytes in the ledger" in shown
    assert "`syncd ledger check`" in shown


def test_neighbours_links_and_pipes_are_no_difference(run: Syncd, house: Household) -> None:
    house.write("sessions.json", b"{}")
    house.write(f"{name_of(1)}.lock", b"{}")
    house.path(name_of(8)).symlink_to(house.path(name_of(1)))
    os.mkfifo(house.path(name_of(9)))
    assert run("verify", "--json").json["ok"] is True


def test_one_agent_only(run: Syncd, house: Household) -> None:
    other = house.sessions("ops") / name_of(7)
    other.write_bytes(transcript(7, 1))
    assert run("verify", "--agent", "main", "--json").json["ok"] is True
    found = run("verify", "--agent", "ops", "--json")
    assert (found.exit_code, found.json["transcripts"]) == (1, 0)
    assert found.json["differences"] == [difference(other, 0, "not taken in yet", generation=0)]


def test_one_session_only_by_id_and_by_key(run: Syncd, house: Household) -> None:
    key = "agent:main:main"
    house.write("sessions.json", json.dumps({key: {"sessionId": session_id(2)}}).encode())
    house.put(name_of(1), b"#", 5)
    for name, expected in ((session_id(2), 0), (key, 0), (session_id(1), 1)):
        done = run("verify", "--session", name, "--json")
        assert (done.exit_code, done.json["transcripts"]) == (expected, 1), name


def test_a_file_cut_short_under_a_live_lock_is_in_progress_and_no_difference(run: Syncd, house: Household) -> None:
    path = house.path(name_of(1))
    os.truncate(path, 0)  # as OpenClaw does for the whole first model call
    house.lock(name_of(1), os.getpid())
    done = run("verify", "--lock-wait", "0", "--json")
    assert (done.exit_code, done.json["ok"], done.json["differences"]) == (0, True, [])
    assert done.json["in_progress"] == [{"path": str(path), "reason": "the file is shorter"}]
    assert f"{path}: still being written\n" in run("verify", "--lock-wait", "0").stdout


def test_a_lock_hides_no_difference_in_the_bytes_that_are_there(run: Syncd, house: Household) -> None:
    path = house.path(name_of(1))
    changed = path.read_bytes().replace(b"user", b"uxer", 1)
    path.write_bytes(changed)
    house.lock(name_of(1), os.getpid())
    done = run("verify", "--lock-wait", "0", "--json")
    assert (done.exit_code, done.json["in_progress"]) == (1, [])
    assert done.json["differences"][0]["reason"] == "bytes differ"


def test_a_file_written_a_moment_ago_is_looked_at_again_and_counted_once(cli_in_process: Cli, house: Household) -> None:
    run = syncd(cli_in_process, house)
    run("run", "--once")
    (house.state_dir.parent / "config.yaml").write_text("watch: {settle_seconds: 0.3}\n")
    path = house.append(name_of(1), message(5))
    done = run("verify", "--json")
    assert done.json["differences"] == [difference(path, len(transcript(1, 4)), "the file is longer")]
    assert done.json["transcripts"] == 2
    assert done.json["bytes"] == len(transcript(1, 4) + transcript(2, 2))


def test_many_differences_are_all_in_the_document_and_a_few_in_the_text(run: Syncd, house: Household) -> None:
    for number in range(10, 35):
        house.write(name_of(number), transcript(number, 1))
    assert len(run("verify", "--json").json["differences"]) == 25
    shown = run("verify").stdout.splitlines()
    assert len(shown) == 20 + 2
    assert shown[20] == "and 5 more (all of them with --json)"


def test_names_that_are_no_text_can_be_told(run: Syncd, house: Household) -> None:
    Path(os.fsdecode(os.fsencode(house.sessions()) + b"/caf\xe9\n.jsonl")).write_bytes(transcript(5, 1))
    (found,) = run("verify", "--json").json["differences"]
    assert found["path"].startswith(str(house.sessions()) + "/caf")
    assert "\x1b" not in run("verify").stdout


def test_it_writes_nothing_anywhere(run: Syncd, house: Household) -> None:
    house.put(name_of(1), b"#", 5)
    before, ledger = snapshot(house.state_dir), house.ledger_path.read_bytes()
    assert run("verify").exit_code == 1
    assert_untouched(house.state_dir, before)
    assert house.ledger_path.read_bytes() == ledger


def test_without_a_ledger_it_says_what_to_do_and_makes_none(cli_in_process: Cli, house: Household) -> None:
    done = syncd(cli_in_process, house)("verify", "--json")
    assert (done.exit_code, done.json["error"]["type"]) == (1, "ledger")
    assert done.json["error"]["hint"] == "run `syncd run --once` first"
    assert not house.ledger_path.parent.exists()


def test_one_is_told_as_one(tmp_path: Path, cli_in_process: Cli) -> None:
    house = quick_household(tmp_path)
    run = syncd(cli_in_process, house)
    house.write(name_of(1), b"x\n")
    said = run("run", "--once").stdout.splitlines()
    assert said[0].startswith("1 transcript, 1 line, 2 bytes taken in")
    assert said[1].startswith("1 line could not be understood")
    assert run("verify").stdout.startswith("1 transcript, 2 bytes compared")
    assert run("resync", "--rebuild").stdout.startswith("1 transcript derived anew")
    assert run("ledger", "check").stdout.startswith("sound: 1 transcript, ")
    house.write(name_of(2), b"")
    house.append(name_of(1), transcript(1, 1))
    assert run("verify").stdout.endswith(": 1 difference\n")
