"""Tab in a shell: what is offered, by a real bash where the shell itself decides, and that nothing else is said."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.quick import environ, quick_household
from tests.conftest import CHECKOUT, Cli, Result
from tests.mirror.household import Household
from tests.mirror.indexed import entry, index_text

KEYS = ("agent:main:main", "agent:main:telegram:direct:4242", "agent:ops:main", "agent:main:$(touch pwned)")
HEAVY = ("apsw", "rich", "syncd.cli.show", "yaml")


@pytest.fixture
def house(cli_in_process: Cli, tmp_path: Path) -> Household:
    made = quick_household(tmp_path)
    for agent in ("main", "ops"):
        keys = {key: entry(number) for number, key in enumerate(KEYS) if f":{agent}:" in key}
        (made.sessions(agent) / "sessions.json").write_bytes(index_text(keys))
    assert cli_in_process("run", "--once", env=environ(made)).exit_code == 0
    return made


def offered(cli: Cli, house: Household, line: str, shell: str = "zsh") -> Result:
    """As the shell's own script asks: `line` up to the cursor."""
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1) if shell == "zsh" else words[-1]}
    return cli(env={**environ(house), "_SYNCD_COMPLETE": f"{shell}_complete", **asked})


def values(result: Result) -> list[str]:
    assert (result.exit_code, result.stderr) == (0, "")
    return [value.replace("\\:", ":") for value in result.stdout.splitlines()[1::3]]


def test_verbs_options_and_choices_are_offered(cli_in_process: Cli, house: Household) -> None:
    assert {"status", "sessions", "show"} <= set(values(offered(cli_in_process, house, "syncd s")))
    assert values(offered(cli_in_process, house, "syncd sess")) == ["sessions"]
    assert values(offered(cli_in_process, house, "syncd ledger ba")) == ["backup"]
    assert values(offered(cli_in_process, house, "syncd usage --by m")) == ["model"]
    assert "--profile" in values(offered(cli_in_process, house, "syncd --pro"))
    assert values(offered(cli_in_process, house, "syncd nosuchverb x")) == []


def test_sessions_agents_and_channels_come_from_the_ledger(cli_in_process: Cli, house: Household) -> None:
    for verb in ("show", "tree", "export", "purge", "pin", "unpin", "verify --session", "search x --session"):
        assert values(offered(cli_in_process, house, f"syncd {verb} agent:o")) == ["agent:ops:main"]
    assert values(offered(cli_in_process, house, "syncd usage --agent ")) == ["main", "ops"]
    assert values(offered(cli_in_process, house, "syncd sessions --channel t")) == ["telegram"]


def test_a_name_that_a_shell_would_run_is_not_offered(cli_in_process: Cli, house: Household) -> None:
    names = values(offered(cli_in_process, house, "syncd show agent:main:"))
    assert sorted(names) == ["agent:main:main", "agent:main:telegram:direct:4242"]


def test_the_ledger_is_the_one_that_the_options_mean(cli_in_process: Cli, house: Household, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(f"ledger: {{path: {house.ledger_path}}}\n")
    env = {"_SYNCD_COMPLETE": "fish_complete", "COMP_CWORD": "agent:o"}
    line = f"syncd --config {other} show agent:o"
    named = cli_in_process(env={**env, "COMP_WORDS": line})
    assert named.stdout.split("\t")[0].strip() == "plain,agent:ops:main"
    nothing = cli_in_process(env={**env, "COMP_WORDS": "syncd --profile work show agent:o"})
    assert (nothing.exit_code, nothing.stdout.strip(), nothing.stderr) == (0, "", "")


def test_a_tab_never_prints_an_error(cli_in_process: Cli, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("watch: [")
    for instruction in ("zsh_complete", "bash_complete", "tcsh_complete", "nonsense"):
        env = {"_SYNCD_COMPLETE": instruction, "SYNCD_CONFIG": str(broken)}
        for asked in ({}, {"COMP_WORDS": "syncd show a", "COMP_CWORD": "2", "COMP_LINE": "syncd show a"}):
            shown = cli_in_process(env={**env, **asked})
            assert (shown.stdout.strip(), shown.stderr) == ("", "")


def test_offering_verbs_loads_no_verb_and_no_ledger(house: Household) -> None:
    script = (
        "import sys; from syncd.cli.main import main; code = main([])\n"
        f"print(code, [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    env = {**os.environ, **environ(house), "_SYNCD_COMPLETE": "bash_complete", "COMP_LINE": "syncd s"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=CHECKOUT, env=env, check=True)
    assert done.stderr.decode().strip() == "0 []"
    assert b"plain,status" in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_a_real_bash_completes_a_key_behind_its_colons(cli: Cli, house: Household, tmp_path: Path) -> None:
    command = tmp_path / "bin" / "syncd"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH={CHECKOUT} exec {sys.executable} -m syncd "$@"\n')
    command.chmod(0o755)
    (tmp_path / "script").write_text(cli("completion", "bash").stdout)
    asked = (
        f"source {tmp_path}/script\n"
        'ask() { COMP_LINE="$1"; COMP_POINT=${#1}; _syncd_completion syncd; echo "${COMPREPLY[*]}"; }\n'
        "ask 'syncd show agent:main:t'\nask 'syncd usage --agent=o'\nask 'syncd comp'\n"
        "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}\nask 'syncd show agent:main:t'\n"
    )
    env = {**os.environ, **environ(house), "PATH": f"{command.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "--norc", "-c", asked], capture_output=True, env=env, check=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "telegram:direct:4242", "ops", "completion", "agent:main:telegram:direct:4242",
    ]  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(cli_in_process: Cli, shell: str) -> None:
    shown = cli_in_process("completion", shell)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert f"_SYNCD_COMPLETE={shell}_complete" in shown.stdout
    assert cli_in_process("completion", env={"SHELL": f"/usr/bin/{shell}"}).stdout == shown.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=shown.stdout_bytes, check=True)


def test_fish_shows_a_description_to_its_end_whatever_commas_are_in_it(cli_in_process: Cli) -> None:
    assert '(string split -m 1 "," $completion)' in cli_in_process("completion", "fish").stdout


def test_an_unknown_shell_is_answered_with_the_known_ones(cli_in_process: Cli) -> None:
    shown = cli_in_process("completion", env={"SHELL": "/bin/ksh"})
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert shown.stderr.endswith("hint: name one of bash, zsh, fish\n")
