"""`syncd doctor`: each thing that can be in the way, made so on real files, and what is said and done about it."""

import json
import os
import shutil
import socket
import stat
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from syncd.ledger.lock import writer_lock
from tests.cli.quick import environ, quick_household
from tests.conftest import CHECKOUT, Cli, Result
from tests.mirror.household import Household, name_of, transcript
from tests.other_user import NOBODY, as_another_user, common_place, give_away

GENUINE = CHECKOUT / "tests/data/openclaw"


@pytest.fixture
def house(tmp_path: Path) -> Household:
    """One that is mirrored, and where only the daemon is missing."""
    made = quick_household(tmp_path)
    made.write(name_of(1), transcript(1, 3))
    made.catch_up()
    return made


def findings(result: Result, severity: str | None = None) -> dict[str, dict[str, Any]]:
    """By code. What is not well says why it matters and what to do, whatever it is."""
    found = result.json["findings"]
    assert all(bool(each["why"] and each["remedy"]) == (each["severity"] != "ok") for each in found)
    return {each["code"]: each for each in found if severity in (None, each["severity"])}


def tree(top: Path) -> dict[str, tuple[int, ...]]:
    """Everything below, with all that a stat tells but the atime."""
    stats = {str(path): path.lstat() for path in [top, *top.rglob("*")]}
    return {
        path: (at.st_mode, at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns, at.st_nlink)
        for path, at in stats.items()
    }


def test_a_house_in_order_has_no_errors_and_its_agents_are_counted(cli_in_process: Cli, house: Household) -> None:
    shown = cli_in_process("doctor", "--json", env=environ(house))
    assert (shown.exit_code, shown.json["ok"]) == (0, True)
    assert findings(shown, "error") == {}
    assert {"programs", "config", "openclaw", "disk"} <= findings(shown, "ok").keys()
    (agent,) = shown.json["agents"]
    assert (agent["agent_id"], agent["era"], agent["transcripts"]) == ("main", "jsonl", 1)
    assert agent["bytes"] == len(transcript(1, 3))


def test_for_people_each_finding_says_what_why_and_what_to_do(cli: Cli, house: Household) -> None:
    house.write(name_of(2), transcript(2, 1))
    shown = cli("doctor", env=environ(house)).stdout.splitlines()
    at = next(number for number, line in enumerate(shown) if "syncd does not run" in line)
    assert (
        shown[at] == f"warning  syncd does not run; {len(transcript(2, 1))} bytes of OpenClaw's are not in the ledger"
    )
    assert shown[at + 1].startswith("         why: OpenClaw deletes old sessions")
    assert shown[at + 2] == "         do:  `syncd service install`, or `syncd run` here"
    assert any(line.startswith("         main: files") for line in shown)


def test_without_openclaw_it_says_where_it_looked_and_which_profile_there_is(cli_in_process: Cli, home: Path) -> None:
    (home / ".openclaw-work").mkdir()
    shown = cli_in_process("doctor", "--json")
    assert (shown.exit_code, shown.json["ok"]) == (4, False)
    missing = findings(shown, "error")["openclaw_missing"]
    assert str(home / ".openclaw") in missing["what"]
    assert "`syncd --profile work doctor`" in missing["remedy"]
    assert not (home / ".local").exists()


def test_a_daemon_that_waits_for_openclaw_is_told_once(cli_in_process: Cli, house: Household) -> None:
    shutil.rmtree(house.state_dir)
    with writer_lock(house.ledger_path):
        shown = cli_in_process("doctor", "--json", env=environ(house))
    assert list(findings(shown, "error")) == ["openclaw_missing"]
    assert findings(shown)["fresh"]["what"].endswith("and waits for OpenClaw")


@pytest.mark.parametrize("inside", ["agents", "agents/main", "agents/main/sessions"])
def test_a_part_of_the_state_dir_is_answered_with_the_whole(cli_in_process: Cli, house: Household, inside: str) -> None:
    env = {**environ(house), "OPENCLAW_STATE_DIR": str(house.state_dir / inside)}
    shown = cli_in_process("doctor", "--json", env=env)
    assert shown.exit_code == 4
    assert f"name {house.state_dir} instead" in findings(shown, "error")["not_a_state_dir"]["remedy"]


def test_globs_that_match_no_agent_are_an_error_that_names_the_agents(cli_in_process: Cli, house: Household) -> None:
    config = house.state_dir.parent / "config.yaml"
    config.write_text("openclaw: {agents: [mian]}\n")
    shown = cli_in_process("doctor", "--json", env=environ(house))
    assert "(mian) matches none" in findings(shown, "error")["no_agent"]["what"]
    assert findings(shown)["no_agent"]["what"].endswith(": main")


@pytest.mark.parametrize(("release", "era"), [("2026.5.7", "jsonl"), ("2026.7.1", "jsonl"), ("2026.9.6", "sqlite")])
def test_the_era_is_told_by_agent_and_looking_changes_nothing(
    cli_in_process: Cli, tmp_path: Path, release: str, era: str
) -> None:
    state_dir = tmp_path / "openclaw"
    shutil.copytree(GENUINE / release, state_dir)
    before = tree(state_dir)
    shown = cli_in_process("doctor", "--fix", "--json", env={"OPENCLAW_STATE_DIR": str(state_dir)})
    assert tree(state_dir) == before
    agents = {agent["agent_id"]: agent for agent in shown.json["agents"]}
    assert {agent["era"] for agent in agents.values()} == {era}
    assert agents["main"]["sessions"] > 3
    assert era == "jsonl" or agents["main"]["release"] == release


@pytest.mark.parametrize("state", ["2026.5.7", "2026.7.1", "2026.9.6", "cold-2026.9.6", "migrated-7.1-to-9.6"])
def test_a_genuine_state_that_is_mirrored_has_nothing_in_its_way(
    cli_in_process: Cli, tmp_path: Path, state: str
) -> None:
    state_dir = tmp_path / "openclaw"
    shutil.copytree(GENUINE / state, state_dir)
    env = {"OPENCLAW_STATE_DIR": str(state_dir)}
    assert cli_in_process("run", "--once", env=env).exit_code == 0
    shown = cli_in_process("doctor", "--json", env=env)
    assert findings(shown, "error") == {}
    assert shown.exit_code == 0


def test_a_database_without_transcript_events_is_no_store_of_sessions(cli_in_process: Cli, house: Household) -> None:
    place = house.state_dir / "agents/main/agent"
    place.mkdir()
    with apsw.Connection(str(place / "openclaw-agent.sqlite")) as other:
        other.execute("CREATE TABLE auth_profile_store (id); PRAGMA user_version = 1")
    other.close()
    shown = cli_in_process("doctor", "--json", env=environ(house))
    (agent,) = shown.json["agents"]
    assert (agent["era"], agent["release"]) == ("jsonl", "2026.7.1")
    assert not [code for code in findings(shown) if code.startswith("store_")]


def test_files_of_ours_that_others_may_read_are_closed_by_fix(cli_in_process: Cli, house: Household) -> None:
    house.ledger_path.chmod(0o644)
    shown = cli_in_process("doctor", "--json", env=environ(house))
    assert shown.exit_code == 0
    open_to_others = findings(shown, "warning")["own_mode"]
    assert (open_to_others["path"], open_to_others["fixable"]) == (str(house.ledger_path), True)
    mended = cli_in_process("doctor", "--fix", "--json", env=environ(house))
    assert f"set {house.ledger_path} to mode 600" in mended.json["fixed"]
    assert stat.S_IMODE(house.ledger_path.stat().st_mode) == 0o600
    assert "own_mode" not in findings(mended)


def test_a_directory_that_somebody_chose_keeps_its_mode(cli_in_process: Cli, house: Household) -> None:
    house.ledger_path.parent.chmod(0o755)
    shown = cli_in_process("doctor", "--fix", "--json", env=environ(house))
    assert str(house.ledger_path.parent) not in {each["path"] for each in shown.json["findings"]}
    assert stat.S_IMODE(house.ledger_path.parent.stat().st_mode) == 0o755


def test_directories_of_ours_are_made_by_fix(cli_in_process: Cli, home: Path) -> None:
    shown = cli_in_process("doctor", "--fix", "--json")
    place = home / ".local/share/syncd"
    assert f"made the directory {place}" in shown.json["fixed"]
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_the_socket_of_a_dead_daemon_goes_and_that_of_a_living_one_stays(cli_in_process: Cli, house: Household) -> None:
    path = house.ledger_path.with_name(house.ledger_path.name + ".sock")
    with socket.socket(socket.AF_UNIX) as left, pytest.MonkeyPatch.context() as at:
        at.chdir(path.parent)  # a path of pytest's is longer than an address may be
        left.bind(path.name)
    with writer_lock(house.ledger_path):
        assert "stale_socket" not in findings(cli_in_process("doctor", "--fix", "--json", env=environ(house)))
    assert path.is_socket()
    shown = cli_in_process("doctor", "--fix", "--json", env=environ(house))
    assert f"removed the socket {path}" in shown.json["fixed"]
    assert not path.exists()


def test_fix_makes_nothing_in_openclaws_house_even_where_the_ledger_was_put_there(
    cli_in_process: Cli, house: Household
) -> None:
    env = {**environ(house), "SYNCD_LEDGER": str(house.state_dir / "mine" / "ledger.db")}
    before = tree(house.state_dir)
    shown = cli_in_process("doctor", "--fix", "--json", env=env)
    assert tree(house.state_dir) == before
    assert shown.exit_code == 4
    assert "lies in OpenClaw's state directory" in findings(shown, "error")["ledger_place"]["what"]
    assert any(str(house.state_dir / "mine") in words for words in shown.json["not_fixed"])


def test_every_fault_of_the_configuration_is_a_finding_and_the_exit_is_78(
    cli_in_process: Cli, house: Household
) -> None:
    config = house.state_dir.parent / "config.yaml"
    config.write_text("watch: {mode: often}\njobs: {backup: soon}\n")
    shown = cli_in_process("doctor", "--json", env=environ(house))
    assert shown.exit_code == 78
    faults = [each["what"] for each in shown.json["findings"] if each["code"] == "config"]
    assert len(faults) == 2
    assert "line 1: watch.mode" in faults[0]


def test_a_damaged_ledger_is_an_error_with_what_puts_it_right(cli_in_process: Cli, house: Household) -> None:
    house.ledger_path.write_bytes(b"no ledger at all" * 4096)
    shown = cli_in_process("doctor", "--json", env=environ(house))
    assert shown.exit_code == 4
    assert findings(shown, "error")["ledger"]["path"] == str(house.ledger_path)


def test_a_stale_lock_of_openclaws_is_named_and_left(cli_in_process: Cli, house: Household) -> None:
    lock = house.path(name_of(1)).with_name(name_of(1) + ".lock")
    lock.write_text('{"pid": 4194304, "createdAt": "2026-01-01T00:00:00.000Z"}')
    shown = cli_in_process("doctor", "--fix", "--json", env=environ(house))
    told = findings(shown, "note")["stale_lock"]
    assert told["path"] == str(lock)
    assert "pid 4194304 since 2026-01-01 " in told["what"]
    assert lock.exists()


def test_who_holds_a_lock_and_since_when_is_told(cli_in_process: Cli, house: Household) -> None:
    lock = house.lock(name_of(1), os.getpid())
    since = json.loads(lock.read_text())["createdAt"]
    told = findings(cli_in_process("doctor", "--json", env=environ(house)), "ok")["lock"]
    day = datetime.fromisoformat(since).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    assert told["what"] == f"{lock} is held by pid {os.getpid()} since {day}: live"
    assert f", pid {os.getpid()} since {day}, live" in cli_in_process("status", env=environ(house)).stdout


def test_transcripts_that_this_user_may_not_read_are_named(cli_in_process: Cli) -> None:
    with common_place() as place:
        made = quick_household(place)
        made.write(name_of(1), transcript(1, 1))
        give_away(*place.rglob("*"))
        made.path(name_of(1)).chmod(0)
        with as_another_user():
            shown = cli_in_process("doctor", "--json", env={**environ(made), "HOME": str(place)})
    assert shown.exit_code == 4
    unreadable = findings(shown, "error")["unreadable"]
    assert name_of(1) in unreadable["what"]
    assert unreadable["fixable"] is False


def test_a_state_dir_that_is_closed_is_one_finding_that_names_it(cli_in_process: Cli) -> None:
    with common_place() as place:
        made = quick_household(place)
        give_away(*place.rglob("*"))
        made.state_dir.chmod(0)
        with as_another_user():
            shown = cli_in_process("doctor", "--json", env={**environ(made), **_at_home(place)})
    told = [each["path"] for each in shown.json["findings"] if each["code"] == "unreadable"]
    assert told == [str(made.state_dir)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave root's files behind")
def test_files_that_a_run_with_sudo_left_are_named_with_the_way_back(cli_in_process: Cli) -> None:
    with common_place() as place:
        made = quick_household(place)
        made.write(name_of(1), transcript(1, 1))
        made.catch_up()
        give_away(*(each for each in place.rglob("*") if each != made.ledger_path))
        as_root = cli_in_process("doctor", "--json", env={**environ(made), "HOME": str(place)})
        assert findings(as_root)["root"]["severity"] == "warning"
        with as_another_user():
            shown = cli_in_process("doctor", "--json", env={**environ(made), "HOME": str(place)})
    remedy = findings(shown, "error")["own_owner"]["remedy"]
    assert f"sudo chown {NOBODY} '{made.ledger_path}" in remedy


def _at_home(place: Path) -> dict[str, str]:
    folders = {"XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state"}
    return {"HOME": str(place), **{name: str(place / folder) for name, folder in folders.items()}}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has what others may not enter")
@pytest.mark.parametrize("below", ["l.db", "a/b/l.db"])
def test_a_directory_of_somebody_elses_is_named_once_and_nobody_is_told_to_take_it(
    cli_in_process: Cli, below: str
) -> None:
    with common_place() as place:
        made = quick_household(place)
        closed = place / "of root"
        closed.mkdir(0o700)
        env = {**environ(made), **_at_home(place), "SYNCD_LEDGER": str(closed / below)}
        with as_another_user():
            shown = cli_in_process("doctor", "--json", env=env)
    assert "chown" not in shown.stdout
    (told,) = (each for each in shown.json["findings"] if each["code"][:4] == "own_" and each["severity"] == "error")
    assert "another place" in told["remedy"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave root's files behind")
def test_a_configuration_that_an_administrator_shares_need_only_be_read(cli_in_process: Cli) -> None:
    with common_place() as place:
        made = quick_household(place)
        shared = place / "etc" / "syncd.yaml"
        shared.parent.mkdir()
        shared.write_text("")
        env = {**environ(made), **_at_home(place), "SYNCD_CONFIG": str(shared)}
        with as_another_user():
            shown = cli_in_process("doctor", "--json", env=env)
    assert str(shared.parent) not in {os.path.dirname(each["path"]) for each in shown.json["findings"]}
    assert "own_owner" not in findings(shown)


def test_a_directory_of_ours_that_is_closed_is_one_finding_that_fix_mends(cli_in_process: Cli) -> None:
    with common_place() as place:
        made = quick_household(place)
        made.write(name_of(1), transcript(1, 1))
        own = place / ".local/share/syncd"
        env = {**environ(made), **_at_home(place), "SYNCD_LEDGER": str(own / "ledger.db")}
        with as_another_user():
            cli_in_process("run", "--once", env=env)
            own.chmod(0)
            shown = cli_in_process("doctor", "--json", env=env)
            mended = cli_in_process("doctor", "--fix", "--json", env=env)
    told = [each for each in shown.json["findings"] if each["code"][:4] == "own_" and each["severity"] == "error"]
    assert [(each["path"], each["fixable"]) for each in told] == [(str(own), True)]
    assert f"set {own} to mode 700" in mended.json["fixed"]
    assert findings(mended, "error") == {}
