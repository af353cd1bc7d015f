"""What the README shows is what is printed."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.reading import mirrored
from tests.conftest import CHECKOUT, Cli

DEMO = re.compile(r"\$ make demo\n(.*?)```", re.DOTALL)
RECIPE = re.compile(r"^demo:.*?\n\n", re.DOTALL | re.MULTILINE)


def test_the_demo_in_the_readme_is_what_make_demo_prints(cli_in_process: Cli, tmp_path: Path) -> None:
    shown = DEMO.search((CHECKOUT / "README.md").read_text())
    recipe = RECIPE.search((CHECKOUT / "Makefile").read_text())
    assert shown is not None
    assert recipe is not None
    (fixture,) = re.findall(r"cp -R (\S+)", recipe[0])
    shutil.copytree(CHECKOUT / fixture, tmp_path / "openclaw")
    env = {
        "OPENCLAW_STATE_DIR": str(tmp_path / "openclaw"),
        "SYNCD_LEDGER": str(tmp_path / "ledger.db"),
        "SYNCD_CONFIG": str(CHECKOUT / "config.yaml"),
    }
    verbs = re.findall(r"-m syncd ([a-z -]+?) &&", recipe[0])
    assert verbs == ["run --once", "verify"]
    printed = "".join(cli_in_process(*verb.split(), env=env).stdout for verb in verbs)
    (last,) = re.findall(r'echo "(.*)"', recipe[0])
    printed += last.replace("$(DEMO)", ".cache/demo").replace("$(VENV)", ".venv") + "\n"
    assert _lasting(shown[1]) == _lasting(printed)


def _lasting(text: str) -> str:
    """Without times, nor the place of the ledger."""
    return re.sub(r"ledger /\S+", "ledger", re.sub(r"\d+\.\d\d s", "seconds", text))


SESSION = re.compile(r"\$ (syncd [^\n]*)\n((?:(?!\$ syncd )[^\n]*\n)*)")
READING = re.compile(r"## Reading\n.*?```console\n(.*?)```", re.DOTALL)


def test_the_reading_session_in_the_readme_is_what_is_printed(
    cli_in_process: Cli, tmp_path_factory: pytest.TempPathFactory
) -> None:
    house = mirrored(tmp_path_factory, "2026.7.1")
    shown = READING.search((CHECKOUT / "README.md").read_text())
    assert shown is not None
    calls = SESSION.findall(shown[1])
    assert len(calls) == 3
    for command, expected in calls:
        printed = cli_in_process(*shlex.split(command)[1:], env={**house.environ, "TZ": "UTC"}).stdout
        head, cut, _ = expected.partition("…\n")
        assert printed.startswith(head)
        assert cut or printed == head
