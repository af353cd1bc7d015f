"""The frame of the command line, through verbs of its own that end in every way."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from syncd import __version__
from syncd.cli import main as frame
from tests.conftest import CHECKOUT, Cli, Result

HEAVY = (
    "apscheduler", "apsw", "click.shell_completion", "orjson", "platformdirs", "rich", "subprocess", "syncd.service",
    "tenacity", "yaml",
)  # fmt: skip


@pytest.fixture
def probe(cli_in_process: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    import tests.cli.probe  # noqa: F401  puts its verb into the table

    def call(*args: str, **kwargs: Any) -> Result:
        return cli_in_process("probe", *args, **kwargs)

    return call


@pytest.fixture(autouse=True)
def table_stays_as_it_was() -> Iterator[None]:
    before = dict(frame.VERBS)
    yield
    frame.VERBS.clear()
    frame.VERBS.update(before)
    sys.modules.pop("tests.cli.probe", None)


def _start(*args: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.cli.probe", "probe", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=CHECKOUT,
    )


def test_help_lists_the_verbs_and_imports_neither_them_nor_a_heavy_library() -> None:
    script = (
        "import sys; from syncd.cli.main import main; code = main(['--help'])\n"
        "from syncd.cli.main import VERBS\n"
        "verbs = [verb.target.partition(':')[0] for verb in VERBS.values()]\n"
        f"print(code, [name for name in [*{HEAVY!r}, *verbs] if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=CHECKOUT, check=True, text=True)
    *help_lines, last = done.stdout.splitlines()
    assert last == "0 []"
    assert any(line.split()[:1] == ["config"] for line in help_lines)


def test_every_listed_verb_is_a_command_with_help(cli_in_process: Cli) -> None:
    for name in frame.syncd.list_commands(click.Context(frame.syncd)):
        shown = cli_in_process(name, "--help")
        assert (shown.exit_code, shown.stderr) == (0, "")
        assert shown.stdout.startswith(f"Usage: syncd {name}")


def test_the_version_is_that_of_the_package(cli: Cli) -> None:
    assert cli("--version").stdout == f"syncd {__version__}\n"


def test_no_verb_at_all_shows_the_help_on_stderr(cli: Cli) -> None:
    shown = cli()
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert shown.stderr.startswith("Usage: syncd")


def test_a_misspelt_verb_is_answered_with_the_likely_one(cli: Cli) -> None:
    called = cli("confg", "path")
    assert called.exit_code == 2
    assert called.stderr == ("error: No such command 'confg'. Did you mean 'config'?\nhint: see `syncd --help`\n")


@pytest.mark.parametrize("args", [("config", "path", "--nope"), ("config", "path", "extra"), ("nope",), ("--nope",)])
def test_a_usage_error_exits_2_and_is_json_when_asked(cli_in_process: Cli, args: tuple[str, ...]) -> None:
    spoken = cli_in_process(*args)
    assert (spoken.exit_code, spoken.stdout) == (2, "")
    assert spoken.stderr.startswith("error: ")
    written = cli_in_process(*args, "--json")
    assert (written.exit_code, written.stderr) == (2, "")
    assert written.json["ok"] is False
    assert written.json["error"]["type"] == "usage"
    assert set(written.json["error"]) == {"type", "message", "hint"}


def test_what_follows_two_dashes_is_no_option(cli_in_process: Cli) -> None:
    assert cli_in_process("config", "path", "--", "--json").stderr.startswith("error: ")


def test_a_report_is_text_for_people_and_stays_free_of_colour_off_a_terminal(probe: Cli) -> None:
    shown = probe("report")
    assert (shown.exit_code, shown.stdout) == (0, "caf\\udce9\nred\n\n")
    assert shown.stderr == "a remark\n"


def test_a_report_as_json_is_one_document_with_all_else_on_stderr(probe: Cli, home: Path) -> None:
    shown = probe("report", "--json", "--code", "1")
    assert (shown.exit_code, shown.stderr) == (1, "a remark\n")
    assert shown.json == {
        "ok": False,
        "name": "caf\udce9",
        "big": 2**70,
        "path": str(home / ".config/syncd/config.yaml"),
    }


def test_an_error_has_its_exit_code_its_hint_and_no_power_over_the_terminal(probe: Cli) -> None:
    spoken = probe("newer")
    assert (spoken.exit_code, spoken.stdout) == (78, "")
    assert spoken.stderr == "error: the ledger is newer\\x1b[2J\nhint: upgrade syncd\n"


def test_an_error_as_json_holds_type_message_hint_and_its_details(probe: Cli) -> None:
    written = probe("taken", "--json")
    assert (written.exit_code, written.stderr) == (75, "")
    assert written.json == {
        "ok": False,
        "error": {
            "type": "already_running",
            "message": "pid 7 holds the ledger",
            "hint": "",
            "pid": 7,
        },
    }


def test_an_unexpected_exception_is_one_line_and_a_traceback_only_when_asked(probe: Cli) -> None:
    spoken = probe("crash")
    assert spoken.exit_code == 1
    assert spoken.stderr.splitlines()[0] == "error: RuntimeError: two lines"
    assert "Traceback" not in spoken.stderr
    assert "Traceback" in probe("crash", env={"SYNCD_DEBUG": "1"}).stderr
    assert probe("crash", "--json").json["error"]["type"] == "internal"


def test_what_click_refuses_is_an_error_like_any_other(probe: Cli) -> None:
    assert (probe("refuse").exit_code, probe("refuse").stderr) == (1, "error: click refuses\n")


def test_a_verb_with_its_own_stdout_may_return_a_code(probe: Cli) -> None:
    assert probe("code").exit_code == 4
    assert len(probe("stream").stdout_bytes) == 505_000


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_a_verb_with_their_code_and_still_one_document(number: signal.Signals, code: int) -> None:
    with _start("wait", "--json") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"ready\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (code, b"")
    assert json.loads(out)["error"]["type"] == "interrupted"


@pytest.mark.parametrize("verb", [("stream",), ("report", "--json"), ("newer", "--json")])
def test_a_reader_that_leaves_is_no_reason_for_noise(verb: tuple[str, ...]) -> None:
    with _start(*verb) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        noise = process.stderr.read()
    assert process.returncode == 141
    assert noise in (b"", b"a remark\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the device is Linux's own")
@pytest.mark.parametrize("verb", [("report",), ("report", "--json"), ("newer", "--json")])
def test_a_stdout_that_is_full_is_an_error_in_plain_words(verb: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tests.cli.probe", "probe", *verb],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=CHECKOUT,
            check=False,
            text=True,
        )
    assert done.returncode == 1
    assert "error: cannot write to stdout: No space left on device\nhint: " in done.stderr
    assert done.stderr.count("error:") == 1
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_no_color_and_the_environment_both_decline_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    from syncd.cli.app import App

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert App(environ={}).color
    assert not App(environ={}, no_color=True).color
    assert not App(environ={"NO_COLOR": "1"}).color
    assert not App(environ={"TERM": "dumb"}).color
    assert not App(environ={}, json=True).color
    assert not App(environ=os.environ).draws
