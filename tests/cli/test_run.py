"""`syncd run`: what it prints, how it ends, what it waits for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from syncd.cli.app import App
from syncd.cli.catching_up import index_options
from syncd.cli.run import catch_up_first
from syncd.daemon.log import Log
from syncd.ledger.database import open_for_reading, open_for_writing
from syncd.ledger.derived import mark_all_stale, stale_transcripts
from syncd.ledger.lock import writer_lock
from syncd.ledger.projection import VERSION
from syncd.mirror.catchup import CatchUp, CatchUpOptions
from tests.cli.quick import Syncd, environ, quick_household, syncd
from tests.conftest import CHECKOUT, Cli
from tests.daemon.live import wait_for
from tests.daemon.process import daemon
from tests.mirror.household import (
    RESET_TIME,
    HandClock,
    Household,
    dead_pid,
    header,
    message,
    messages,
    name_of,
    session_id,
    transcript,
)
from tests.mirror.indexed import entry, index_text
from tests.mirror_checks import assert_mirrors, assert_untouched, query, snapshot, transcripts

AGE_SECONDS = 10.0
PROMISED = {"ok", "transcripts", "lines", "bytes", "quarantined", "seconds"}


@pytest.fixture
def house(tmp_path: Path) -> Household:
    return quick_household(tmp_path)


@pytest.fixture
def run(cli_in_process: Cli, house: Household) -> Syncd:
    return syncd(cli_in_process, house)


def test_the_document_tells_what_that_run_read(run: Syncd, house: Household) -> None:
    house.write(name_of(1), transcript(1, 3) + b"not json\n" + message(5)[:-1])
    house.write(name_of(2), transcript(2, 1))
    first = run("run", "--once", "--json")
    assert (first.exit_code, first.stderr) == (0, "")
    assert first.json.keys() >= PROMISED
    size = len(transcript(1, 3) + b"not json\n" + transcript(2, 1))
    told = {name: first.json[name] for name in ("ok", "transcripts", "lines", "bytes", "quarantined")}
    assert told == {"ok": True, "transcripts": 2, "lines": 7, "bytes": size, "quarantined": 1}
    assert first.json["seconds"] > 0
    again = run("run", "--once", "--json").json
    assert [again[name] for name in ("ok", "transcripts", "lines", "bytes", "quarantined")] == [True, 0, 0, 0, 0]
    house.append(name_of(2), messages(2, 3))
    more = run("run", "--once", "--json").json
    assert [more[name] for name in ("transcripts", "lines", "bytes")] == [1, 2, len(messages(2, 3))]
    assert_mirrors(house)


@pytest.mark.parametrize("verb", [("run", "--once"), ("resync",), ("resync", "--rebuild"), ("verify",)])
def test_stdout_is_one_document_and_stderr_is_silent_off_a_terminal(
    cli: Cli, house: Household, verb: tuple[str, ...]
) -> None:
    house.write(name_of(1), transcript(1, 3))
    assert syncd(cli, house)("run", "--once").exit_code == 0
    done = syncd(cli, house)(*verb, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    document, end = json.JSONDecoder().raw_decode(done.stdout)
    assert document["ok"] is True
    assert done.stdout[end:] == "\n"


def test_people_are_told_counts_the_ledger_and_what_could_not_be_understood(run: Syncd, house: Household) -> None:
    house.write(name_of(1), transcript(1, 3) + b"junk\n")
    first, second = run("run", "--once").stdout.splitlines()
    size = len(transcript(1, 3)) + 5
    assert first.startswith(f"1 transcript, 5 lines, {size} bytes taken in in ")
    assert first.endswith(f"; ledger {house.ledger_path}")
    assert second == "1 line could not be understood; see the table quarantine"


def test_nothing_of_openclaws_is_touched(run: Syncd, house: Household) -> None:
    house.write(name_of(1), transcript(1, 3))
    before = snapshot(house.state_dir)
    for verb in (("run", "--once"), ("resync", "--rebuild"), ("verify",)):
        assert run(*verb).exit_code == 0
    assert_untouched(house.state_dir, before)


def test_a_damaged_file_is_named_the_others_are_done_and_the_exit_code_is_1(run: Syncd, house: Household) -> None:
    broken = house.write(f"{name_of(1)}.deleted.{RESET_TIME}.zst", b"no archive at all")
    house.write(name_of(2), transcript(2, 3))
    done = run("run", "--once", "--json")
    assert (done.exit_code, done.json["ok"]) == (1, False)
    assert [item["path"] for item in done.json["problems"]] == [str(broken)]
    assert done.json["problems"][0]["reason"].startswith("archive is damaged")
    assert query(house.ledger_path, "SELECT lines FROM transcripts WHERE session_id = ?", session_id(2)) == [(4,)]
    assert f"could not be read:\n  {broken}: archive is damaged" in run("run", "--once").stdout


def test_many_problems_are_all_in_the_document_and_a_few_in_the_text(run: Syncd, house: Household) -> None:
    for number in range(1, 26):
        house.write(f"{name_of(number)}.deleted.{RESET_TIME}.zst", b"no archive at all")
    assert len(run("run", "--once", "--json").json["problems"]) == 25
    shown = run("run", "--once").stdout.splitlines()
    assert shown[-1] == "  and 5 more"
    assert len(shown) == 1 + 1 + 20 + 1


def test_every_state_dir_is_mirrored_and_the_problems_of_each_are_kept(cli_in_process: Cli, tmp_path: Path) -> None:
    one, two = (quick_household(tmp_path / name) for name in ("one", "two"))
    broken = one.write(f"{name_of(1)}.deleted.{RESET_TIME}.zst", b"no archive at all")
    two.write(name_of(2), transcript(2, 3))
    config = tmp_path / "config.yaml"
    config.write_text(
        f"watch: {{settle_seconds: 0}}\nopenclaw: {{state_dirs: ['{one.state_dir}', '{two.state_dir}']}}\n"
    )
    env = {"SYNCD_LEDGER": str(tmp_path / "ledger.db"), "SYNCD_CONFIG": str(config)}
    done = cli_in_process("run", "--once", "--json", env=env)
    assert (done.exit_code, done.json["transcripts"], done.json["lines"]) == (1, 1, 4)
    assert [item["path"] for item in done.json["problems"]] == [str(broken)]
    broken.unlink()
    assert cli_in_process("run", "--once", "--json", env=env).exit_code == 0
    assert cli_in_process("verify", "--json", env=env).json["transcripts"] == 1
    installed = query(tmp_path / "ledger.db", "SELECT state_dir FROM installations ORDER BY id")
    assert installed == [(str(one.state_dir),), (str(two.state_dir),)]


def test_agents_are_chosen_by_the_configuration(cli_in_process: Cli, tmp_path: Path) -> None:
    house = quick_household(tmp_path, "openclaw: {agents: ['op*']}\n")
    for agent in ("main", "ops"):
        (house.sessions(agent) / name_of(1)).write_bytes(transcript(1, 2))
    done = syncd(cli_in_process, house)("run", "--once", "--json")
    assert done.json["transcripts"] == 1
    assert query(house.ledger_path, "SELECT agent_id FROM transcripts") == [("ops",)]
    assert syncd(cli_in_process, house)("verify", "--json").json["transcripts"] == 1


def test_the_limit_of_a_line_comes_from_the_configuration(cli_in_process: Cli, tmp_path: Path) -> None:
    house = quick_household(tmp_path, "limits: {max_line_bytes: 300}\n")
    house.write(name_of(1), header(1) + message(1, "x" * 400) + message(2))
    assert syncd(cli_in_process, house)("run", "--once", "--json").json["quarantined"] == 1
    assert query(house.ledger_path, "SELECT reason FROM quarantine") == [("too_long",)]


def test_a_shrink_under_a_live_lock_is_in_progress_and_no_failure(run: Syncd, house: Household) -> None:
    path = house.write(name_of(1), transcript(1, 5))
    assert run("run", "--once").exit_code == 0
    house.truncate(name_of(1), len(transcript(1, 2)))
    house.lock(name_of(1), os.getpid())
    done = run("run", "--once", "--lock-wait", "0", "--json")
    assert (done.exit_code, done.json["ok"]) == (0, True)
    assert done.json["in_progress"] == [{"path": str(path), "reason": "locked"}]
    assert f"still being written:\n  {path} (locked)" in run("run", "--once", "--lock-wait", "0").stdout
    assert [row.generation for row in transcripts(house.ledger_path)] == [1]
    house.lock(name_of(1), dead_pid())
    done = run("run", "--once", "--json")
    assert done.json["in_progress"] == []
    assert [(row.generation, row.lines) for row in transcripts(house.ledger_path)] == [(2, 3)]


@pytest.mark.parametrize(
    "args",
    [
        ("run", "--nonsense"),
        ("run", "--lock-wait", "-1"),
        ("run", "--once", "extra"),
        ("resync", "all"),
        ("verify", "x"),
    ],
)
def test_a_mistaken_call_is_exit_2_and_an_error_document(run: Syncd, args: tuple[str, ...], house: Household) -> None:
    done = run(*args, "--json")
    assert done.exit_code == 2
    assert (done.json["ok"], done.json["error"]["type"]) == (False, "usage")
    assert not house.ledger_path.exists()


WATCHING_CLOSELY = """
import sys
from syncd.cli import main
from syncd.daemon import timers
timers.WATCH_CHECK_SECONDS = timers.LONGEST_WAIT_SECONDS = 0.02
sys.exit(main.main(sys.argv[1:]))
"""


def test_without_openclaw_it_waits_says_so_once_and_goes_on_when_it_comes(house: Household, tmp_path: Path) -> None:
    late = tmp_path / "late"
    with subprocess.Popen(
        [sys.executable, "-c", WATCHING_CLOSELY, "run", "--json"],
        env={**os.environ, **environ(house), "OPENCLAW_STATE_DIR": str(late), "PYTHONPATH": str(CHECKOUT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        said = [json.loads(process.stderr.readline()) for _ in range(3)]
        assert [line["event"] for line in said] == ["started", "caught_up", "waiting"]
        assert said[-1]["state_dirs"] == [str(late)]
        assert process.poll() is None
        house.write(name_of(1), transcript(1, 2))
        house.state_dir.rename(late)
        while (now := json.loads(process.stderr.readline()))["event"] != "following":
            assert now["event"] == "watching"
        assert now["state_dirs"] == [str(late)]
        wait_for(lambda: transcripts(house.ledger_path))
        process.terminate()
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0
    assert {json.loads(line)["event"] for line in stderr.splitlines()} <= {"watching", "stopping"}
    assert json.loads(stdout)["transcripts"] == 1


@pytest.mark.parametrize("verb", [("run",), ("run", "--once"), ("resync",), ("verify",)])
@pytest.mark.parametrize("names", ["environment", "configuration"])
def test_a_ledger_inside_openclaw_s_directory_is_refused_and_nothing_is_made(
    cli_in_process: Cli, house: Household, tmp_path: Path, verb: tuple[str, ...], names: str
) -> None:
    house.write(name_of(1), transcript(1, 2))
    link = tmp_path / "elsewhere"
    link.symlink_to(house.state_dir / "agents")
    env = environ(house) | {"SYNCD_LEDGER": str(link / "mine" / "ledger.db")}
    if names == "configuration":
        quick_household(tmp_path, f"openclaw: {{state_dirs: ['{house.state_dir}']}}\n")
        env["OPENCLAW_STATE_DIR"] = str(tmp_path / "other")
    before = snapshot(house.state_dir)
    done = cli_in_process(*verb, "--json", env=env)
    assert (done.exit_code, done.json["error"]["type"]) == (78, "config")
    assert f"lies in OpenClaw's state directory {house.state_dir}" in done.json["error"]["message"]
    assert "ledger.path" in done.json["error"]["hint"]
    assert_untouched(house.state_dir, before)


@pytest.mark.parametrize("place", ["", "agents/main", "new/directory"])
def test_a_health_log_inside_openclaw_s_directory_is_refused_and_nothing_is_made(
    cli_in_process: Cli, house: Household, tmp_path: Path, place: str
) -> None:
    house.write(name_of(1), transcript(1, 2))
    link = tmp_path / "elsewhere"
    link.symlink_to(house.state_dir)
    log = link / place / "health.log"
    quick_household(tmp_path, f"health: {{log_path: '{log}'}}\n")
    before = snapshot(house.state_dir)
    done = cli_in_process("run", "--json", env=environ(house))
    assert (done.exit_code, done.json["error"]["type"]) == (78, "config")
    assert f"lies in OpenClaw's state directory {house.state_dir}" in done.json["error"]["message"]
    assert "health.log_path" in done.json["error"]["hint"]
    assert_untouched(house.state_dir, before)


def test_once_does_not_wait_and_says_what_to_do(run: Syncd, house: Household) -> None:
    house.sessions().rmdir()
    house.state_dir.joinpath("agents/main").rmdir()
    house.state_dir.joinpath("agents").rmdir()
    assert run("run", "--once", "--json").json["transcripts"] == 0, "a state dir without sessions is no fault"
    house.state_dir.rmdir()
    done = run("run", "--once")
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"error: no OpenClaw state directory at {house.state_dir}" in done.stderr
    assert "hint: start OpenClaw once, or name its place with OPENCLAW_STATE_DIR" in done.stderr


def test_a_profile_names_another_state_dir(cli_in_process: Cli, house: Household, home: Path) -> None:
    house.write(name_of(1), transcript(1, 2))
    house.state_dir.rename(home / ".openclaw-work")
    env = {"SYNCD_CONFIG": str(house.state_dir.parent / "config.yaml"), "SYNCD_LEDGER": str(house.ledger_path)}
    assert cli_in_process("--profile", "work", "run", "--once", "--json", env=env).json["transcripts"] == 1
    assert cli_in_process("run", "--once", "--json", env=env).exit_code == 1


def _caught_up_first(app: App, clock: HandClock, result: CatchUp) -> None:
    with writer_lock(app.ledger_path) as hold:
        catch_up_first(app, clock, Log(), result, hold)


@pytest.mark.parametrize("index", ["locked", "torn", "emptied"])
def test_the_catch_up_before_following_waits_for_no_index_and_derives_nothing(house: Household, index: str) -> None:
    """All of that is the loop's, which watches meanwhile; a start that did it would be blind as long."""
    (house.state_dir.parent / "config.yaml").write_text("watch: {settle_seconds: 0, confirm_removal_seconds: 5}\n")
    house.write(name_of(1), transcript(1, 3))
    place, app = house.sessions() / "sessions.json", App(environ={**os.environ, **environ(house)})
    place.write_bytes(index_text({"agent:main:main": entry(1)}))
    clock = HandClock()
    clock.sleep(AGE_SECONDS)
    _caught_up_first(app, clock, CatchUp())
    with open_for_writing(house.ledger_path) as ledger:
        mark_all_stale(ledger)
    place.write_text({"locked": place.read_text(), "torn": '{"agent:main', "emptied": "{}"}[index])
    if index == "locked":
        house.write("sessions.json.lock", json.dumps({"pid": os.getpid(), "createdAt": "2030-01-01"}).encode())
    house.write(name_of(2), transcript(2, 1))
    result = CatchUp()
    _caught_up_first(app, clock, result)
    assert (clock.slept, result.transcripts) == (AGE_SECONDS, 1)
    assert _stale(house) == 1
    house.append(name_of(1), message(4))
    _caught_up_first(app, clock, CatchUp())
    assert _stale(house) == 0, "what has news is derived before them"
    assert house.catch_up(CatchUpOptions(index=index_options(app)), clock).is_complete
    assert clock.slept > AGE_SECONDS, "one who reports at the end waits"
    assert_mirrors(house)


def test_what_a_rebuild_left_undone_is_derived_behind_the_start(house: Household) -> None:
    for number in range(1, 4):
        house.write(name_of(number), transcript(number, 3))
    house.catch_up()
    with open_for_writing(house.ledger_path) as ledger:
        mark_all_stale(ledger)
    with daemon(house) as running:
        running.is_following()
        wait_for(lambda: _stale(house) == 0)
        assert running.terminate()[0] == 0
    assert_mirrors(house)


def _stale(house: Household) -> int:
    with open_for_reading(house.ledger_path) as ledger:
        return len(stale_transcripts(ledger, VERSION))
