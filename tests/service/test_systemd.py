"""`syncd service` and systemd, with a recorded manager: what is written, what is told, and what people hear."""

import stat
import sys
from pathlib import Path

import pytest

from syncd.daemon.beat import write_beat
from syncd.service import state
from syncd.service.names import unit_dir
from tests.conftest import Cli
from tests.daemon.beats import a_beat
from tests.service.recorded import RecordedSystemd


def test_before_it_is_installed_its_status_says_how(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    shown = cli_in_process("service", "status", "--json")
    (told,) = shown.json["problems"]
    assert (shown.exit_code, told["code"], "`syncd service install`" in told["hint"]) == (3, "not_installed", True)
    assert systemd.acts == []


def test_install_writes_a_private_unit_enables_it_and_starts_it(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    done = cli_in_process("service", "install")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "started syncd.service, pid 100")
    assert systemd.acts == [
        "systemctl --user daemon-reload",
        "systemctl --user enable syncd.service",
        "systemctl --user stop syncd.service",
        "systemctl --user reset-failed syncd.service",
        "systemctl --user start --no-block syncd.service",
    ]
    assert stat.S_IMODE(systemd.file.stat().st_mode) == 0o600
    unit = systemd.file.read_text()
    assert f"\nExecStart={sys.executable} -P -m syncd run\n" in unit
    assert f"\nReadWritePaths=-{home}/.local/share/syncd -{home}/.local/state/syncd\n" in unit
    assert (home / ".local/share/syncd").is_dir()  # a sandbox can only open what is there


def test_the_printed_unit_is_the_one_that_install_writes(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    printed = cli_in_process("service", "print").stdout
    cli_in_process("service", "install")
    assert systemd.file.read_text() == printed


def test_install_twice_changes_nothing(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    cli_in_process("service", "install")
    before = systemd.file.stat()
    systemd.calls.clear()
    done = cli_in_process("service", "install")
    assert (done.exit_code, systemd.acts, systemd.pid) == (0, [], 100)
    assert done.stdout == "nothing changed: syncd.service is installed, up to date and active (running)\n"
    after = systemd.file.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert cli_in_process("service", "install", "--json").json["changed"] is False


def test_what_the_configuration_moved_is_written_anew_and_restarted(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    cli_in_process("service", "install")
    config = home / ".config/syncd/config.yaml"
    config.parent.mkdir()
    config.write_text(f"ledger: {{path: {home}/elsewhere/my ledger.db}}\n")
    status = cli_in_process("service", "status")
    assert (status.exit_code, "outdated" in cli_in_process("service", "status", "--json").stdout) == (4, True)
    systemd.calls.clear()
    assert cli_in_process("service", "install").exit_code == 0
    assert [act.split()[2] for act in systemd.acts] == ["daemon-reload", "stop", "reset-failed", "start"]
    assert f" -{home}/elsewhere\n" in systemd.file.read_text()
    assert cli_in_process("service", "status").exit_code == 0


def test_doctor_judges_the_service_as_its_status_does(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    (home / ".openclaw/agents").mkdir(parents=True)
    env = {"SYNCD_LEDGER": str(home / "l/ledger.db")}
    cli_in_process("run", "--once")
    cli_in_process("service", "install", env=env)
    status = cli_in_process("service", "status", "--json").json["problems"]
    assert [each["code"] for each in status] == ["outdated", "no_linger"]
    found = {each["code"]: each for each in cli_in_process("doctor", "--json").json["findings"]}
    assert [found[code]["remedy"] for code in ("service_outdated", "linger")] == [each["hint"] for each in status]
    assert "service" not in found  # nothing is well with one that means another ledger
    assert "syncd.service does not write this ledger" in found["not_running"]["what"]
    assert "service start" not in found["not_running"]["remedy"]
    for code in (1, 75, 78, 203):
        systemd.exits = code
        cli_in_process("service", "restart", env=env)
        (told,) = (
            each for each in cli_in_process("service", "status", "--json", env=env).json["problems"]
            if each["code"] in ("failing", "not_running")
        )  # fmt: skip
        (found_so,) = (
            each for each in cli_in_process("doctor", "--json", env=env).json["findings"]
            if each["code"] in ("service_failing", "service_stopped")
        )  # fmt: skip
        assert (found_so["what"], found_so["remedy"]) == (f"syncd.service: {told['message']}", told["hint"])


def test_a_single_crash_is_not_told_as_many(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    cli_in_process("service", "install")
    systemd.active, systemd.last_exit = "activating (auto-restart)", 137
    shown = cli_in_process("service", "status")
    assert (shown.exit_code, "signal 9 ended it" in shown.stdout, "again and again" in shown.stdout) == (4, True, False)


def test_the_environment_that_decides_which_files_are_meant_goes_into_the_unit(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path, tmp_path: Path
) -> None:
    env = {"OPENCLAW_STATE_DIR": str(tmp_path / "100% claw"), "SYNCD_LEDGER": str(home / "l/ledger.db"), "PATH": "/bin"}
    config = home / "my config.yaml"
    config.write_text("")
    cli_in_process("--config", config, "service", "install", env=env)
    unit = systemd.file.read_text()
    assert f'Environment="OPENCLAW_STATE_DIR={tmp_path}/100%% claw"\n' in unit
    assert f"Environment=SYNCD_LEDGER={home}/l/ledger.db\n" in unit
    assert f'--config "{config}" run\n' in unit
    assert "PATH=/bin" not in unit
    assert "XDG_" not in unit  # the usual places need no line


def test_a_profile_has_a_service_of_its_own(cli_in_process: Cli, systemd: RecordedSystemd, home: Path) -> None:
    systemd.file = home / ".config/systemd/user/syncd-work.service"
    done = cli_in_process("--profile", "work", "service", "install", "--json").json
    assert done["service"]["name"] == "syncd-work.service"
    unit = systemd.file.read_text()
    assert "--profile work run\n" in unit
    assert f"{home}/.local/share/syncd-work" in unit
    assert "edit syncd-work.service" in unit


def test_the_profile_default_is_none(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    assert cli_in_process("--profile", "default", "service", "install").exit_code == 0
    assert cli_in_process("service", "status").exit_code == 0
    assert cli_in_process("service", "install").stdout.startswith("nothing changed")


def test_installing_where_no_openclaw_is_says_so(cli_in_process: Cli, systemd: RecordedSystemd, home: Path) -> None:
    (home / ".openclaw").mkdir()
    assert "no OpenClaw" not in cli_in_process("service", "install").stderr
    mistyped = cli_in_process("--profile", "wrok", "service", "install").stderr
    assert f"there is no OpenClaw at {home}/.openclaw-wrok yet" in mistyped


def test_uninstall_removes_the_unit_leaves_the_ledger_and_says_where(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    cli_in_process("service", "install")
    ledger = home / ".local/share/syncd/ledger.db"
    ledger.write_bytes(b"precious")
    done = cli_in_process("service", "uninstall")
    assert (done.exit_code, systemd.file.exists(), systemd.pid, systemd.is_enabled) == (0, False, 0, False)
    assert ledger.read_bytes() == b"precious"
    assert str(ledger) in done.stderr
    again = cli_in_process("service", "uninstall", "--json")
    assert (again.exit_code, again.json["changed"], again.json["ledger"]) == (0, False, str(ledger))


def test_uninstall_needs_no_sound_configuration(cli_in_process: Cli, systemd: RecordedSystemd, home: Path) -> None:
    cli_in_process("service", "install")
    config = home / ".config/syncd/config.yaml"
    config.parent.mkdir()
    config.write_text("ledgre: {path: x}\n")
    done = cli_in_process("service", "uninstall")
    assert (done.exit_code, systemd.file.exists()) == (0, False)
    assert done.stdout == f"stopped syncd.service, removed {systemd.file}\n"
    assert str(config) in done.stderr
    assert "ledgre" in done.stderr
    assert cli_in_process("service", "uninstall", "--json").json["ledger"] is None


def test_start_stop_and_restart_say_what_they_did(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    cli_in_process("service", "install", "--no-start")
    assert cli_in_process("service", "status").exit_code == 3
    said = [cli_in_process("service", verb).stdout for verb in ("start", "start", "restart", "stop", "stop")]
    assert said == [
        "started syncd.service, pid 100\n",
        "nothing changed: it runs already\n",
        "started syncd.service, pid 200\n",
        "stopped syncd.service\n",
        "nothing changed: it does not run\n",
    ]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (75, "another syncd holds the ledger"),
        (78, "syncd config check"),
        (203, "syncd service install"),
        (226, "--no-sandbox"),
        (1, "syncd service logs"),
    ],
)
def test_a_start_that_fails_says_why_and_what_to_do(
    cli_in_process: Cli, systemd: RecordedSystemd, code: int, words: str
) -> None:
    systemd.exits = code
    done = cli_in_process("service", "install")
    assert (done.exit_code, words in done.stderr, f"(exit {code})" in done.stderr) == (1, True, True), done.stderr
    shown = cli_in_process("service", "status")
    assert (shown.exit_code, words in shown.stdout) == (3 if code in (75, 78) else 4, True), shown.stdout
    assert cli_in_process("service", "start", "--json").json["error"]["type"] == "service"


def test_where_users_get_no_namespaces_the_unit_does_without(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    cli_in_process("service", "install", "--no-sandbox")
    lines = [line for line in systemd.file.read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if line.startswith(("Private", "Protect", "Capability", "ReadWrite"))] == []
    assert "SystemCallFilter=@system-service" in lines
    assert cli_in_process("service", "status").exit_code == 0  # and is not called outdated for it


def test_an_upgrade_keeps_the_choice_of_no_sandbox_until_another_is_made(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    cli_in_process("service", "install", "--no-sandbox")
    cli_in_process("service", "install", env={"SYNCD_LEDGER": str(home / "l/l.db")})
    unit = systemd.file.read_text()
    assert ("SYNCD_LEDGER" in unit, "ProtectSystem" in unit) == (True, False)
    cli_in_process("service", "install", "--sandbox")
    assert "\nProtectSystem=strict\n" in systemd.file.read_text()


def test_linger_is_checked_and_its_command_named(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    done = cli_in_process("service", "install")
    assert "`loginctl enable-linger`" in done.stderr
    status = cli_in_process("service", "status", "--json")
    assert (status.exit_code, status.json["linger"]) == (0, False)
    assert [each["code"] for each in status.json["problems"]] == ["no_linger"]
    systemd.linger = "yes"
    assert "linger" not in cli_in_process("service", "install").stderr


def test_an_interpreter_that_vanished_is_noticed(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = home / "old venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", str(python))
        cli_in_process("service", "install")
    found = state(None, {"HOME": str(home)}, systemd, "linux")
    assert (found.interpreter, found.interpreter_exists) == (str(python), True)
    python.unlink()
    assert state(None, {"HOME": str(home)}, systemd, "linux").interpreter_exists is False
    shown = cli_in_process("service", "status", "--json")
    assert (shown.exit_code, shown.json["problems"][0]["code"]) == (4, "interpreter_gone")
    assert cli_in_process("service", "install").exit_code == 0
    assert cli_in_process("service", "status").exit_code == 0


def test_a_python_without_syncd_is_refused_before_anything_is_written(
    cli_in_process: Cli, systemd: RecordedSystemd
) -> None:
    systemd.can_start_syncd = False
    done = cli_in_process("service", "install")
    assert (done.exit_code, systemd.acts, systemd.file.exists()) == (1, [], False)
    assert "No module named syncd" in done.stderr


def test_without_a_manager_nothing_is_written_and_the_way_out_is_named(
    cli_in_process: Cli, systemd: RecordedSystemd
) -> None:
    systemd.is_reachable = False
    done = cli_in_process("service", "install")
    assert (done.exit_code, systemd.file.exists()) == (1, False)
    assert "XDG_RUNTIME_DIR" in done.stderr
    shown = cli_in_process("service", "status", "--json")
    assert (shown.exit_code, shown.json["active"]) == (1, None)
    assert "No medium found" in shown.json["problem"]
    assert [each["code"] for each in shown.json["problems"]] == ["unreachable"]


def test_a_unit_of_somebody_elses_is_left_alone(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    systemd.file.parent.mkdir(parents=True)
    systemd.file.write_text("[Service]\nExecStart=/my/own\n")
    assert "--force" in cli_in_process("service", "install").stderr
    systemd.loaded, systemd.active, systemd.pid = systemd.file.read_text(), "active (running)", 7
    refused = cli_in_process("service", "uninstall")
    assert (refused.exit_code, "`syncd service uninstall --force`" in refused.stderr) == (1, True)
    assert (systemd.acts, systemd.file.read_text()) == ([], "[Service]\nExecStart=/my/own\n")
    for verb in ("start", "stop", "restart"):
        refused = cli_in_process("service", verb)
        assert (refused.exit_code, f"{systemd.file} was not written by syncd" in refused.stderr) == (1, True)
        assert "`systemctl --user stop syncd.service` acts on it" in refused.stderr
    assert (systemd.acts, systemd.active) == ([], "active (running)")
    (shown,) = cli_in_process("service", "status", "--json").json["problems"]
    assert (shown["code"], "`syncd service install --force`" in shown["hint"]) == ("foreign", True)
    told = {each["code"]: each for each in cli_in_process("doctor", "--json").json["findings"]}
    assert (told["service_foreign"]["severity"], told["service_foreign"]["remedy"]) == ("note", shown["hint"])
    assert cli_in_process("service", "install", "--force").exit_code == 0
    systemd.file.write_text("[Service]\nExecStart=/my/own\n")
    assert cli_in_process("service", "uninstall", "--force").exit_code == 0
    assert not systemd.file.exists()


def test_a_unit_that_an_administrator_gave_that_name_to_is_left_alone(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    systemd.other = home / "etc/syncd.service"
    systemd.other.parent.mkdir()
    systemd.other.write_text("[Service]\nExecStart=/another/syncd\n")
    systemd.active, systemd.is_enabled, systemd.pid = "active (running)", True, 7
    for verb in ("install", "uninstall", "start", "stop", "restart"):
        refused = cli_in_process("service", verb)
        assert (refused.exit_code, f"{systemd.other} was not written by syncd" in refused.stderr) == (1, True)
    assert (systemd.acts, systemd.file.exists()) == ([], False)
    shown = cli_in_process("service", "status", "--json").json
    assert (shown["foreign"], [each["code"] for each in shown["problems"]]) == (str(systemd.other), ["foreign"])
    assert cli_in_process("service", "install", "--force").exit_code == 0
    assert cli_in_process("service", "stop").exit_code == 0
    assert systemd.other.exists()


def test_installing_after_an_upgrade_restarts_what_is_older(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    cli_in_process("service", "install")
    ledger = home / ".local/share/syncd/ledger.db"
    for pid, version, restarts in ((systemd.pid, "0.0.9", True), (7, "0.0.9", False), (0, "", False)):
        running = systemd.pid
        write_beat(ledger, a_beat(pid=pid, version=version))
        told = cli_in_process("service", "install")
        assert (told.exit_code, systemd.pid != running, "started" in told.stdout) == (0, restarts, restarts)
    write_beat(ledger, a_beat(pid=systemd.pid, version="999.0"))  # newer than this command: not its to restart
    assert cli_in_process("service", "install", "--json").json["changed"] is False
    write_beat(ledger, a_beat(pid=systemd.pid))
    running = systemd.pid
    assert cli_in_process("service", "install", "--no-start").exit_code == 0
    assert systemd.pid == running


def test_the_unit_is_put_where_the_manager_looks_whatever_this_shell_calls_its_home(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    env = {"XDG_CONFIG_HOME": str(home / "cfg")}
    assert cli_in_process("service", "install", env=env).exit_code == 0
    assert f"\nEnvironment=XDG_CONFIG_HOME={home}/cfg\n" in systemd.file.read_text()
    assert not (home / "cfg/systemd").exists()
    assert cli_in_process("service", "status", env=env).exit_code == 0
    assert cli_in_process("service", "uninstall", env=env).exit_code == 0
    assert not systemd.file.exists()


@pytest.mark.parametrize(
    ("config_home", "place"),
    [("", "/home/a b/.config/systemd/user"), ("/home/a b/.config", "/home/a b/.config/systemd/user"),
     ("/home/a b/cfg", "/home/a b/.config/systemd/user")],
)  # fmt: skip
def test_a_home_with_a_space_is_found_in_the_managers_words(config_home: str, place: str) -> None:
    words = (
        "/home/a b/.config/systemd/user.control /run/systemd/transient /home/a b/.config/systemd/user /etc/systemd/user"
    )
    environ = {"HOME": "/home/a b", "XDG_CONFIG_HOME": config_home}
    assert unit_dir(environ, words) == place


def test_an_install_that_systemd_refuses_leaves_nothing_behind(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    systemd.is_blind = True
    done = cli_in_process("service", "install")
    assert (done.exit_code, "UnitPath" in done.stderr, systemd.file.exists()) == (1, True, False)


def test_a_unit_that_systemd_does_not_know_is_removed_nevertheless(
    cli_in_process: Cli, systemd: RecordedSystemd
) -> None:
    cli_in_process("service", "install")
    systemd.loaded, systemd.is_enabled, systemd.active, systemd.is_blind = None, False, "inactive (dead)", True
    assert cli_in_process("service", "uninstall").exit_code == 0
    assert not systemd.file.exists()


def test_a_faulty_configuration_is_refused_before_it_is_a_service(
    cli_in_process: Cli, systemd: RecordedSystemd, home: Path
) -> None:
    config = home / ".config/syncd/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("ledgr: {}\n")
    done = cli_in_process("service", "install")
    assert (done.exit_code, systemd.file.exists()) == (78, False)


def test_logs_are_the_journals_as_text_and_as_a_document(cli_in_process: Cli, systemd: RecordedSystemd) -> None:
    systemd.log = "one\ntwo\n"
    assert cli_in_process("service", "logs", "-n", "2").stdout == "one\ntwo\n"
    assert "--lines=2" in systemd.calls[-1]
    assert cli_in_process("service", "logs", "--json").json == {"ok": True, "lines": ["one", "two"]}
    assert cli_in_process("service", "logs", "-f").exit_code == 0
    assert "--follow" in systemd.calls[-1]
    systemd.is_interrupted = True
    ended = cli_in_process("service", "logs", "-f")
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert cli_in_process("service", "logs").exit_code == 130
    assert cli_in_process("service", "logs", "-f", "--json").json["error"]["type"] == "usage"
