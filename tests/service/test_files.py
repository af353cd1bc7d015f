"""The files themselves: those that are shipped are those that are printed, and systemd and plistlib take them."""

import os
import plistlib
import pwd
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncd.errors import ServiceError
from syncd.service.unit_words import command_line, quoted, words_of
from tests.conftest import CHECKOUT, Cli

needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here: apt-get install systemd"
)
WORST_SCORE = 2.5
SHIPPED = {
    "systemd/syncd.service": ("--manager", "systemd"),
    "systemd/syncd@.service": ("--manager", "systemd", "--system"),
    "launchd/local.syncd.plist": ("--manager", "launchd"),
}


@pytest.mark.parametrize("file", SHIPPED)
def test_a_shipped_file_is_what_print_writes(cli_in_process: Cli, file: str) -> None:
    printed = cli_in_process("service", "print", "--generic", *SHIPPED[file])
    assert printed.stdout == (CHECKOUT / file).read_text(), f"make it anew: syncd service print --generic > {file}"
    assert cli_in_process("service", "print", "--generic", *SHIPPED[file], "--json").json["text"] == printed.stdout


@pytest.mark.parametrize("file", [file for file in SHIPPED if file.startswith("systemd")])
def test_every_line_of_a_unit_has_its_reason(file: str) -> None:
    lines = (CHECKOUT / file).read_text().splitlines()
    without = [after for before, after in pairwise(lines) if re.match(r"[A-Z]\w+=", after) and before[:1] != "#"]
    assert without == []


LOADING = """
import os, signal, sys
class Struck:
    def find_spec(self, name, *_):
        if name == "syncd.cli.run":
            os.kill(os.getpid(), signal.SIGTERM)
sys.meta_path.insert(0, Struck())
from syncd.cli.main import main
sys.exit(main(["run"]))
"""


@pytest.mark.parametrize("file", [file for file in SHIPPED if file.startswith("systemd")])
def test_a_stop_that_comes_while_it_is_being_loaded_is_no_failure(file: str) -> None:
    struck = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, cwd=CHECKOUT, check=False)
    text = (CHECKOUT / file).read_text()
    (clean,) = re.findall(r"^SuccessExitStatus=(.*)", text, re.MULTILINE) or ("",)
    assert struck.returncode in {0, *map(int, clean.split())}, struck.stderr


def test_printing_a_unit_writes_none(cli_in_process: Cli, home: Path) -> None:
    printed = cli_in_process("service", "print", "--manager", "systemd").stdout
    assert f"ExecStart={sys.executable} -P -m syncd run\n" in printed
    boxed = cli_in_process("service", "print", "--manager", "systemd", "--no-sandbox").stdout
    assert "PrivateUsers" in printed
    assert "PrivateUsers" not in boxed
    assert not (home / ".config/systemd").exists()


def test_a_unit_makes_the_directories_that_its_sandbox_opens(cli_in_process: Cli, home: Path) -> None:
    env = {"SYNCD_LEDGER": str(home / "100% $mine/l.db")}
    shown = cli_in_process("service", "print", "--manager", "systemd", env=env).stdout
    assert f'\nExecStartPre=-+:mkdir -p -m 0700 {home}/.local/state/syncd "{home}/100%% $mine"\n' in shown
    bare = cli_in_process("service", "print", "--manager", "systemd", "--no-sandbox", env=env).stdout
    assert "ExecStartPre" not in bare


def test_the_agent_is_a_property_list_with_what_launchd_asks_for(cli_in_process: Cli) -> None:
    agent = plistlib.loads(cli_in_process("service", "print", "--manager", "launchd").stdout.encode())
    assert agent["Label"] == "local.syncd"
    assert os.path.isabs(agent["ProgramArguments"][0])
    assert agent["KeepAlive"] == {"SuccessfulExit": False, "Crashed": True}
    assert (agent["ProcessType"], agent["Umask"], agent["RunAtLoad"]) == ("Background", 0o077, True)
    assert agent["LowPriorityIO"] is agent["LowPriorityBackgroundIO"] is True
    assert agent["ThrottleInterval"] >= 10
    assert agent["StandardErrorPath"] == agent["StandardOutPath"]


def test_a_system_wide_unit_runs_as_the_named_user_in_that_users_home(cli_in_process: Cli) -> None:
    nobody = pwd.getpwuid(65534)
    shown = cli_in_process("service", "print", "--manager", "systemd", "--system", "--user", nobody.pw_name, "--json")
    text = shown.json["text"]
    assert shown.json["name"] == f"syncd-{nobody.pw_name}.service"
    assert f"\nUser={nobody.pw_name}\n" in text
    assert f"ReadWritePaths=-{nobody.pw_dir}/.local/share/syncd " in text
    assert "WantedBy=multi-user.target" in text
    for args in (("--system",), ("--user", "root"), ("--system", "--user", "no such user")):
        assert cli_in_process("service", "print", "--manager", "systemd", *args).exit_code == 2


@pytest.mark.parametrize(
    "args",
    [
        "service print --manager systemd --generic --no-sandbox",
        "service print --manager systemd --system --user root --no-sandbox",
        "service print --manager launchd --no-sandbox",
        "--profile work service print --manager systemd --generic",
    ],
)
def test_print_passes_over_no_option(cli_in_process: Cli, args: str) -> None:
    refused = cli_in_process(*args.split(), "--json")
    assert (refused.exit_code, refused.json["error"]["type"]) == (2, "usage")


@pytest.mark.parametrize("named", [{"SYNCD_LEDGER": "/var/tmp/led/l.db"}, {"OPENCLAW_STATE_DIR": "/tmp/claw"}])
def test_a_unit_hides_no_file_that_is_meant_behind_a_private_tmp(
    cli_in_process: Cli, named: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = {"HOME": "/home/you", **{f"XDG_{name}_HOME": f"/home/you/{name}" for name in ("CONFIG", "DATA", "STATE")}}
    cli_in_process("service", "print", "--manager", "systemd", env=plain)  # what is loaded late is loaded by now
    for name in ("prefix", "base_prefix", "executable"):  # a checkout may lie there itself
        monkeypatch.setattr(sys, name, f"/opt/{name}")
    monkeypatch.setattr("syncd.__path__", ["/opt/syncd"])
    usual = cli_in_process("service", "print", "--manager", "systemd", env=plain).stdout
    assert "\nPrivateTmp=yes\n" in usual
    assert "SQLITE_TMPDIR" not in usual
    shown = cli_in_process("service", "print", "--manager", "systemd", env={**plain, **named}).stdout
    assert "PrivateTmp=yes" not in shown
    ledger = named.get("SYNCD_LEDGER", "/home/you/DATA/syncd/ledger.db")
    assert f"\nEnvironment=SQLITE_TMPDIR={os.path.dirname(ledger)}\n" in shown  # else a VACUUM has no place


def test_a_system_wide_unit_has_nothing_of_the_callers_own(
    cli_in_process: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "c.yaml").write_text("")
    home.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(home / "bin/python"))
    args = ("service", "print", "--manager", "systemd", "--system", "--user", pwd.getpwuid(65534).pw_name)
    shown = cli_in_process(*args, env={"SYNCD_CONFIG": str(home / "c.yaml")})
    assert "--config" not in shown.stdout
    assert "may not enter" in shown.stderr


@needs_analyze
@pytest.mark.parametrize("file", [file for file in SHIPPED if file.startswith("systemd")])
def test_systemd_verifies_a_shipped_unit_and_finds_it_secure(file: str, tmp_path: Path) -> None:
    """With a program that is there in the place of the one that is shipped for."""
    name = Path(file).name.replace("@.", "@somebody.")
    unit = tmp_path / name
    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", (CHECKOUT / file).read_text()))
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "SYSTEMD_LOG_LEVEL": "warning"}
    who = [] if "@" in file else ["--user"]
    verified = subprocess.run(
        ["systemd-analyze", *who, "verify", str(unit)], env=env, capture_output=True, text=True, check=False
    )
    assert (verified.returncode, _about(name, verified.stderr)) == (0, [])
    asked = ["systemd-analyze", "security", "--offline=true", f"--threshold={round(WORST_SCORE * 10)}", str(unit)]
    judged = subprocess.run(asked, env=env, capture_output=True, text=True, check=False)
    score = re.search(r"exposure level for \S+: ([\d.]+)", judged.stdout)
    assert judged.returncode == 0, judged.stdout
    assert score is not None
    assert float(score[1]) <= WORST_SCORE


def _about(name: str, said: str) -> list[str]:
    """What is said of our unit; this machine's others are not ours to judge."""
    return [line for line in said.splitlines() if name in line]


@needs_analyze
def test_systemd_reads_strange_names_back_as_they_were(tmp_path: Path) -> None:
    program = tmp_path / "a $HOME 100%h ünïcode"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "syncd.service"
    unit.write_text(f"[Service]\nExecStart={command_line([str(program), 'run'])}\n")
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    command = ["systemd-analyze", "--user", "verify", str(unit)]
    assert subprocess.run(command, env=env, capture_output=True, check=False).returncode == 0
    program.unlink()
    refused = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert f"Command {program} is not executable" in refused.stderr


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1), min_size=1))
def test_words_of_a_unit_come_back_as_they_were(words: list[str]) -> None:
    line = " ".join(quoted(word) for word in words)
    if line[0] not in ":-@+!":  # no absolute path begins so
        assert words_of(line, "/home/you") == words


def test_a_home_is_written_as_systemd_calls_it_and_read_back() -> None:
    assert quoted("/home/you/a b", home="/home/you") == '"%h/a b"'
    assert quoted("/home/yours/a", home="/home/you") == "/home/yours/a"
    assert words_of('"%h/a b" run', "/home/you") == ["/home/you/a b", "run"]


@pytest.mark.parametrize("word", ["/two\nlines", "/caf\udce9", '/a"quote', "/a\\backslash"])
def test_what_systemd_cannot_take_is_refused(word: str) -> None:
    with pytest.raises(ServiceError):
        command_line([word])
