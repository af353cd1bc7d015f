"""`syncd service` and launchd, with a recorded launchctl: no Mac was near."""

import os
import plistlib
import sys
from pathlib import Path

import pytest

from syncd.daemon.beat import write_beat
from tests.conftest import Cli
from tests.daemon.beats import a_beat
from tests.service.recorded import RecordedLaunchd

TARGET = f"gui/{os.getuid()}/local.syncd"


def test_install_writes_the_agent_and_bootstraps_it_into_this_users_login(
    cli_in_process: Cli, launchd: RecordedLaunchd
) -> None:
    done = cli_in_process("service", "install")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "started local.syncd, pid 100")
    assert launchd.acts == [f"launchctl bootstrap gui/{os.getuid()} {launchd.file}"]
    agent = plistlib.loads(launchd.file.read_bytes())
    assert agent["ProgramArguments"] == [sys.executable, "-P", "-m", "syncd", "run"]
    assert Path(agent["StandardErrorPath"]).parent.is_dir()


def test_install_twice_changes_nothing(cli_in_process: Cli, launchd: RecordedLaunchd) -> None:
    cli_in_process("service", "install")
    before = launchd.file.stat()
    launchd.calls.clear()
    done = cli_in_process("service", "install")
    assert (done.exit_code, launchd.acts, done.stdout.startswith("nothing changed")) == (0, [], True)
    assert launchd.file.stat().st_mtime_ns == before.st_mtime_ns


def test_a_changed_agent_is_booted_out_and_in_again_however_long_the_old_one_takes(
    cli_in_process: Cli, launchd: RecordedLaunchd, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("syncd.clock.SystemClock.sleep", lambda *_: None)
    cli_in_process("service", "install")
    launchd.calls.clear()
    launchd.refusals = 3
    assert cli_in_process("service", "install", env={"SYNCD_LEDGER": str(home / "l/l.db")}).exit_code == 0
    assert launchd.acts == [f"launchctl bootout {TARGET}", *[launchd.acts[-1]] * 4]
    agent = plistlib.loads(launchd.file.read_bytes())
    assert agent["EnvironmentVariables"]["SYNCD_LEDGER"] == str(home / "l/l.db")


def test_an_agent_that_takes_long_to_go_is_waited_for(
    cli_in_process: Cli, launchd: RecordedLaunchd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ExitTimeOut is 20 s, and launchd needs some more."""
    waited: list[float] = []
    monkeypatch.setattr("syncd.clock.SystemClock.sleep", lambda _, seconds: waited.append(seconds))
    cli_in_process("service", "install")
    launchd.lingering = 20
    assert cli_in_process("service", "stop").exit_code == 0
    assert 5 < sum(waited) < 20
    launchd.refusals = 50
    assert cli_in_process("service", "start").exit_code == 0
    assert sum(waited) > 25
    launchd.lingering = 5
    assert cli_in_process("service", "uninstall").exit_code == 0
    assert not launchd.file.exists()


def test_a_label_that_was_disabled_is_enabled_also_where_the_file_is_new(
    cli_in_process: Cli, launchd: RecordedLaunchd
) -> None:
    launchd.is_disabled = True
    assert cli_in_process("service", "install").exit_code == 0
    assert launchd.acts[0] == f"launchctl enable {TARGET}"


def test_no_start_leaves_the_running_one_as_it_is(cli_in_process: Cli, launchd: RecordedLaunchd, home: Path) -> None:
    cli_in_process("service", "install")
    launchd.calls.clear()
    env = {"SYNCD_LEDGER": str(home / "l/l.db")}
    assert cli_in_process("service", "install", "--no-start", env=env).exit_code == 0
    assert (launchd.acts, launchd.pid) == ([], 100)


def test_stop_start_restart_and_uninstall(cli_in_process: Cli, launchd: RecordedLaunchd) -> None:
    cli_in_process("service", "install")
    launchd.calls.clear()
    assert cli_in_process("service", "restart").exit_code == 0
    assert cli_in_process("service", "stop").exit_code == 0
    assert cli_in_process("service", "status").exit_code == 3
    assert cli_in_process("service", "start").exit_code == 0
    assert cli_in_process("service", "start").stdout == "nothing changed: it runs already\n"
    assert cli_in_process("service", "uninstall").exit_code == 0
    assert launchd.acts == [
        f"launchctl kickstart -k {TARGET}",
        f"launchctl bootout {TARGET}",
        f"launchctl bootstrap gui/{os.getuid()} {launchd.file}",
        f"launchctl bootout {TARGET}",
    ]
    assert not launchd.file.exists()
    assert cli_in_process("service", "uninstall").stdout == "nothing changed: it is not installed\n"
    assert "syncd service install" in cli_in_process("service", "start").stderr


def test_an_agent_of_somebody_elses_is_left_alone(cli_in_process: Cli, launchd: RecordedLaunchd) -> None:
    launchd.file.parent.mkdir(parents=True)
    launchd.file.write_bytes(plistlib.dumps({"Label": "local.syncd", "ProgramArguments": ["/my/own"]}))
    assert "--force" in cli_in_process("service", "uninstall").stderr
    for verb in ("start", "stop", "restart"):
        refused = cli_in_process("service", verb)
        assert (refused.exit_code, "was not written by syncd" in refused.stderr) == (1, True)
        assert "`launchctl bootout gui/" in refused.stderr
    assert (launchd.acts, launchd.file.exists()) == ([], True)
    assert cli_in_process("service", "uninstall", "--force").exit_code == 0
    assert not launchd.file.exists()


def test_installing_after_an_upgrade_restarts_what_is_older(
    cli_in_process: Cli, launchd: RecordedLaunchd, home: Path
) -> None:
    cli_in_process("service", "install")
    write_beat(home / ".local/share/syncd/ledger.db", a_beat(pid=launchd.pid))
    launchd.calls.clear()
    assert "started local.syncd" in cli_in_process("service", "install").stdout
    assert [act.split()[1] for act in launchd.acts] == ["bootout", "bootstrap"]


def test_status_is_read_from_what_launchctl_prints(cli_in_process: Cli, launchd: RecordedLaunchd) -> None:
    cli_in_process("service", "install")
    shown = cli_in_process("service", "status", "--json")
    assert (shown.exit_code, shown.json["pid"], shown.json["phase"], shown.json["problems"]) == (0, 100, "running", [])
    launchd.is_disabled = True
    shown = cli_in_process("service", "status", "--json")
    assert (shown.exit_code, shown.json["problems"][0]["code"]) == (4, "not_enabled")
    cli_in_process("service", "install")
    assert launchd.acts[-1] == f"launchctl enable {TARGET}"
    launchd.pid, launchd.exits = 0, 78
    shown = cli_in_process("service", "status", "--json")
    assert (shown.exit_code, shown.json["last_exit"]) == (3, 78)
    assert "config check" in shown.json["problems"][0]["hint"]


def test_a_start_that_fails_says_why(cli_in_process: Cli, launchd: RecordedLaunchd) -> None:
    launchd.exits = 75
    done = cli_in_process("service", "install")
    assert (done.exit_code, "another syncd holds the ledger" in done.stderr) == (1, True)


def test_without_a_login_at_the_screen_the_way_out_is_named(cli_in_process: Cli, launchd: RecordedLaunchd) -> None:
    launchd.is_reachable = False
    done = cli_in_process("service", "install")
    assert (done.exit_code, "log in there" in done.stderr, launchd.file.exists()) == (1, True, False)


def test_logs_are_the_end_of_the_agents_file(cli_in_process: Cli, launchd: RecordedLaunchd) -> None:
    cli_in_process("service", "install")
    assert "nothing was logged" in cli_in_process("service", "logs").stderr
    log = Path(plistlib.loads(launchd.file.read_bytes())["StandardErrorPath"])
    log.write_text("one\n")
    launchd.log = "one\n"
    assert cli_in_process("service", "logs").stdout == "one\n"
    assert launchd.calls[-1] == ("tail", "-n", "50", str(log))
