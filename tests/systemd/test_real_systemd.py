"""The service under a real `systemd --user`: installed, watched, killed, hung, sandboxed, removed; in this order."""

import json
import re
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import CHECKOUT
from tests.systemd.container import HOME, SYNCD, USER, Container

UNIT = ".config/systemd/user/syncd.service"
SESSIONS = ".openclaw/agents/main/sessions"


@pytest.fixture
def installed(container: Container) -> Iterator[Container]:
    container.syncd("service install")
    yield container
    container.run(f"rm -rf {UNIT}.d")
    container.syncd("service uninstall")


def _wait_for(look: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < until
        time.sleep(0.1)


def _pid(container: Container) -> int:
    return int(container.asked("MainPID"))


def _ready_anew(container: Container, before: int) -> None:
    _wait_for(lambda: container.asked("ActiveState") == "active" and _pid(container) not in (0, before), 60)


def test_install_start_ready_install_again_stop_uninstall(container: Container) -> None:
    done = container.syncd("service install")
    assert re.search(r"started syncd.service, pid \d+", done.stdout)
    assert container.asked("ActiveState,SubState,UnitFileState,NotifyAccess").split() == [
        "main", "active", "running", "enabled",
    ]  # fmt: skip
    assert container.asked("StatusText") == f"following {HOME}/.openclaw"
    assert container.run(f"systemd-analyze --user verify {HOME}/{UNIT}").stderr == ""
    before = (_pid(container), container.at(UNIT).stat().st_mtime_ns)
    assert container.syncd("service install").stdout.startswith("nothing changed")
    assert (_pid(container), container.at(UNIT).stat().st_mtime_ns) == before
    assert container.syncd("status --json").returncode == 0
    assert container.syncd("verify").returncode == 0
    status = json.loads(container.syncd("service status --json").stdout)
    assert (status["active"], status["linger"], status["problems"]) == (True, True, [])
    assert '"event": "following"' in container.syncd("service logs").stdout
    container.syncd("service stop")
    assert container.asked("Result,ExecMainStatus").split() == ["success", "0"]
    assert container.syncd("service status", check=False).returncode == 3
    container.syncd("service start")
    gone = container.syncd("service uninstall")
    assert f"{HOME}/.local/share/syncd/ledger.db" in gone.stderr
    assert container.at(".local/share/syncd/ledger.db").exists()
    assert not container.at(UNIT).exists()
    assert container.asked("LoadState") == "not-found"


def test_a_killed_daemon_is_started_again_and_mirrors_on(installed: Container) -> None:
    before = _pid(installed)
    installed.run(f"kill -9 {before}")
    _ready_anew(installed, before)
    assert installed.asked("NRestarts") == "1"
    (transcript, *_) = sorted(path.name for path in installed.at(SESSIONS).glob("*.jsonl"))
    line = '{"type":"custom","id":"deadbeef","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","customType":"x"}'
    installed.run(f"echo '{line}' >> {SESSIONS}/{transcript}")
    question = "sql --json \"SELECT count(*) AS n FROM entries WHERE entry_id = 'deadbeef'\""
    _wait_for(lambda: json.loads(installed.syncd(question).stdout)[0]["n"] == 1, 20)


def test_a_daemon_that_hangs_is_ended_by_the_watchdog_and_started_again(installed: Container) -> None:
    # Quicker than the unit's own 90 s, but more than the 10 s between two signs of an idle daemon.
    installed.run(f"mkdir -p {UNIT}.d; printf '[Service]\\nWatchdogSec=12\\nRestartSec=1\\n' > {UNIT}.d/quick.conf")
    installed.run("systemctl --user daemon-reload")
    installed.syncd("service restart")
    before = _pid(installed)
    time.sleep(13)  # alive, it is left alone
    assert (_pid(installed), installed.asked("NRestarts")) == (before, "0")
    installed.run(f"kill -{signal.SIGSTOP.value} {before}")
    _wait_for(lambda: installed.asked("NRestarts") == "1", 60)
    _ready_anew(installed, before)
    assert "Watchdog timeout" in installed.syncd("service logs -n 200").stdout


def test_exit_codes_that_a_restart_cannot_mend_end_it(installed: Container) -> None:
    config = f"{HOME}/.config/syncd/config.yaml"
    installed.run(f"mkdir -p ~/.config/syncd; echo 'nonsense: 1' > {config}")
    failed = installed.syncd("service restart", check=False)
    installed.run(f"rm {config}")
    assert (failed.returncode, "syncd config check" in failed.stderr) == (1, True), failed.stderr
    assert (installed.asked("ActiveState"), installed.asked("NRestarts")) == ("failed", "0")
    installed.syncd("service start")


def test_every_verb_that_asks_the_daemon_works_inside_its_sandbox(installed: Container) -> None:
    for args in ("resync", "repair", "ledger backup", "retention", "pin branchy", "unpin branchy", "resync --rebuild"):
        installed.syncd(args)
    installed.syncd("verify")
    installed.syncd("ledger check")
    before = _pid(installed)
    installed.run("systemctl --user reload syncd")
    _wait_for(lambda: '"event": "reloaded"' in installed.syncd("service logs").stdout, 20)
    assert _pid(installed) == before


def test_the_sandbox_is_real_and_leaves_what_the_daemon_needs(installed: Container) -> None:
    unit = installed.at(UNIT).read_text()
    probe = re.sub(r"(?m)^ExecStart=(\S+) .*", r"ExecStart=\1 /opt/syncd/source/tests/systemd/sandbox_probe.py", unit)
    probe = re.sub(r"(?m)^(Type|NotifyAccess|Restart|WatchdogSec)=.*", "", probe).replace(
        "[Service]", "[Service]\nType=oneshot"
    )
    installed.at(".config/systemd/user/probe.service").write_text(probe)
    installed.run(
        "echo x > /var/tmp/shared-marker; systemctl --user daemon-reload; systemctl --user start probe.service"
    )
    answers = json.loads(installed.at(".local/share/syncd/probe.json").read_text())
    allowed = {name for name, answer in answers.items() if answer == "done"}
    assert allowed == {
        "write data", "write state", "read OpenClaw", "write /var/tmp", "map memory", "inotify", "unix socket",
        "another process",
    }, answers  # fmt: skip
    installed.run("rm .config/systemd/user/probe.service; systemctl --user daemon-reload")


def test_the_limits_of_the_unit_are_those_of_the_process(installed: Container) -> None:
    pid = _pid(installed)
    status = installed.run(f"cat /proc/{pid}/status").stdout
    found = dict(re.findall(r"(?m)^(NoNewPrivs|Seccomp|CapEff|CapBnd):\s+(\S+)", status))
    assert found == {"NoNewPrivs": "1", "Seccomp": "2", "CapEff": "0" * 16, "CapBnd": "0" * 16}
    assert installed.run(f"cut -d' ' -f19 /proc/{pid}/stat").stdout.strip() == "10"  # nice
    if _has(installed, "ionice"):
        assert installed.run(f"ionice -p {pid}").stdout.strip() == "idle"
    assert installed.asked("MemoryMax,TasksMax").split() == [str(800 << 20), "64"]


def test_a_ledger_outside_the_sandbox_is_refused_with_the_way_out(installed: Container) -> None:
    config = f"{HOME}/.config/syncd/config.yaml"
    installed.run(f"mkdir -p ~/.config/syncd; echo 'ledger: {{path: {HOME}/elsewhere/ledger.db}}' > {config}")
    failed = installed.syncd("service restart", check=False)
    assert failed.returncode == 1
    assert "`syncd service install` lets it write there" in installed.syncd("service logs").stdout
    installed.syncd("service install")
    assert installed.at("elsewhere/ledger.db").exists()
    installed.run(f"rm -r {config} elsewhere")


def test_a_ledger_and_an_openclaw_in_the_directories_for_temporary_files_are_those_that_everybody_sees(
    container: Container,
) -> None:
    names = "SYNCD_LEDGER=/tmp/led/ledger.db OPENCLAW_STATE_DIR=/var/tmp/claw"
    container.run(f"cp -r .openclaw /var/tmp/claw; {names} {SYNCD} service install")
    assert container.run(f"{names} {SYNCD} status").returncode == 0
    container.run(f"{names} {SYNCD} verify")
    container.run(f"{names} {SYNCD} service uninstall")
    assert container.run("test -s /tmp/led/ledger.db").returncode == 0
    container.run("rm -r /tmp/led /var/tmp/claw")


def test_a_config_home_that_only_the_shell_knows_is_no_hindrance(container: Container) -> None:
    there = "XDG_CONFIG_HOME=$HOME/cfg"
    container.run(f"{there} {SYNCD} service install")
    assert container.asked("ActiveState") == "active"
    assert container.run(f"{there} {SYNCD} service status").returncode == 0
    container.run(f"{there} {SYNCD} service uninstall")
    assert not container.at(UNIT).exists()
    assert container.asked("LoadState") == "not-found"


def test_a_system_wide_unit_runs_as_the_other_user(container: Container) -> None:
    text = container.syncd(f"service print --system --user {USER}").stdout
    name = f"syncd-{USER}.service"
    (container.root / "etc/systemd/system" / name).write_text(text)
    container.run(f"systemctl daemon-reload; systemctl start {name}", user="root")
    shown = container.run(f"systemctl show {name} --property=MainPID --value", user="root").stdout
    status = container.run(f"cat /proc/{shown.strip()}/status").stdout
    assert re.search(rf"(?m)^Uid:\s+{container.run('id -u').stdout.strip()}\b", status)
    assert container.syncd("status").returncode == 0
    told = {each["code"]: each["what"] for each in json.loads(container.syncd("doctor --json").stdout)["findings"]}
    assert name in told["service"]
    assert "service_missing" not in told
    container.run(f"systemctl stop {name}", user="root")


@pytest.mark.parametrize("kind", ["template", "printed"])
def test_a_system_wide_unit_serves_a_user_who_never_ran_syncd(container: Container, kind: str) -> None:
    name, home = f"fresh-{kind}", f"/home/fresh-{kind}"
    container.run(f"useradd -m {name}; cp -r {HOME}/.openclaw {home}; mkdir -p {home}/.local/bin", user="root")
    (container.root / home[1:] / ".local/bin/syncd").write_text(f'#!/bin/sh\nexec {SYNCD} "$@"\n')
    container.run(f"chmod +x {home}/.local/bin/syncd; chown -R {name}: {home}; chmod 755 {HOME}", user="root")
    if kind == "template":
        unit, text = f"syncd@{name}.service", (CHECKOUT / "systemd/syncd@.service").read_text()
        (container.root / "etc/systemd/system/syncd@.service").write_text(text)
    else:
        unit, text = f"syncd-{name}.service", container.syncd(f"service print --system --user {name}").stdout
        (container.root / "etc/systemd/system" / unit).write_text(text)
    container.run(f"systemctl daemon-reload; systemctl start {unit}", user="root")
    made = container.run(f"stat -c '%U %a' {home}/.local/share/syncd {home}/.local/state/syncd", user="root").stdout
    assert made.split("\n")[:2] == [f"{name} 700"] * 2
    assert (container.root / home[1:] / ".local/share/syncd/ledger.db").exists()
    container.run(f"systemctl stop {unit}", user="root")


def test_the_shipped_unit_copied_by_hand_needs_no_directories(container: Container) -> None:
    container.run("rm -rf .local/share/syncd .local/state/syncd; mkdir -p .local/bin .config/systemd/user")
    container.at(".local/bin/syncd").write_text(f'#!/bin/sh\nexec {SYNCD} "$@"\n')
    container.at(".local/bin/syncd").chmod(0o755)
    container.at(UNIT).write_text((CHECKOUT / "systemd/syncd.service").read_text())
    container.run("systemctl --user daemon-reload; systemctl --user start syncd")
    assert container.at(".local/share/syncd/ledger.db").exists()
    container.syncd("service uninstall")


@pytest.fixture
def without_namespaces(container: Container) -> Iterator[Container]:
    """As on a machine that gives its users none: the user's manager, and all that it starts, may not make any."""
    drop_ins = "/etc/systemd/system/user@.service.d"
    again = f"systemctl daemon-reload; systemctl restart user@$(id -u {USER})"
    line = "[Service]\\nRestrictNamespaces=~user\\n"
    container.run(f"mkdir -p {drop_ins}; printf '{line}' > {drop_ins}/none.conf; {again}", user="root")
    yield container
    container.syncd("service uninstall")
    container.run(f"rm {drop_ins}/none.conf; {again}", user="root")


def test_where_users_get_no_namespaces_it_is_told_and_served_without_them(without_namespaces: Container) -> None:
    failed = without_namespaces.syncd("service install", check=False)
    assert (failed.returncode, "--no-sandbox" in failed.stderr) == (1, True), failed.stderr
    without_namespaces.syncd("service install --no-sandbox")
    assert without_namespaces.asked("ActiveState") == "active"
    assert "Seccomp:\t2" in without_namespaces.run(f"cat /proc/{_pid(without_namespaces)}/status").stdout


def _has(container: Container, program: str) -> bool:
    return container.run(f"command -v {program}", check=False).returncode == 0
